"""What many looks at one card together say of its name.

Frames of a card that lies still are not independent: the same light, the same tilt and the same hand make the
same mistake again. Adding their log-probabilities as if they were would make a thing read wrongly five times
certain. So their weighted mean is taken, times the number of independent looks that they are worth:

    looks(n) = n / (1 + (n - 1) * correlation)

which is 1 for one look and never more than 1 / correlation (the usual design effect of correlated samples).
Before that, each look is mixed with a little of "the namer is wrong anyhow", so that no single frame can rule
a card out. And there is a small chance that all looks repeat one and the same mistake: a court card that this
namer always takes for another. Then they are worth one look together, however many they are. So a card is
never certain by itself; it becomes so when the others have been seen and none of them is the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from detector.types import CLASS_NAMES, FOREIGN, FloatArray

LogProbs = npt.NDArray[np.float64]
"""(33,) natural logarithms over :data:`detector.types.CLASS_NAMES`, or (n, 32) without the foreign class."""

_CORRELATION: Final = 0.15
_NAMER_IS_WRONG: Final = 0.05
_ONE_MISTAKE: Final = 0.03
_CLASSES: Final = len(CLASS_NAMES)
FOREIGN_INDEX: Final = CLASS_NAMES.index(FOREIGN)


@dataclass(slots=True)
class NameEvidence:
    """The looks at one card so far.

    weight: the sum of the looks' weights. weighted_sum: (33,), the sum of their log-probabilities by weight.
    """

    weight: float = 0.0
    weighted_sum: LogProbs = field(default_factory=lambda: np.zeros(_CLASSES))

    def add(self, look: LogProbs, weight: float) -> None:
        """One more :func:`softened` look; ``weight`` is 1 for a clear one, less for a card partly covered."""
        self.weighted_sum = self.weighted_sum + weight * look
        self.weight += weight

    def log_probs(self) -> LogProbs:
        """(33,): the probabilities of the names after all looks, as natural logarithms."""
        if self.weight == 0.0:
            return np.full(_CLASSES, -np.log(_CLASSES))
        mean = self.weighted_sum / self.weight
        looks = worth_in_looks(self.weight)
        independent = math.log(1 - _ONE_MISTAKE) + normalised(mean * looks)
        repeated = math.log(_ONE_MISTAKE) + normalised(mean * min(looks, 1.0))
        return np.asarray(np.logaddexp(independent, repeated))


def worth_in_looks(weight: float) -> float:
    """How many independent looks ``weight`` correlated ones are worth."""
    return weight / (1 + (weight - 1) * _CORRELATION) if weight > 1 else weight


def softened(log_probs: FloatArray) -> LogProbs:
    """(33,): the namer's word, mixed with the chance that it is wrong whatever it says."""
    probabilities = np.exp(log_probs.astype(np.float64))
    probabilities /= probabilities.sum()
    return np.asarray(np.log((1 - _NAMER_IS_WRONG) * probabilities + _NAMER_IS_WRONG / _CLASSES))


def normalised(log_values: LogProbs) -> LogProbs:
    """The same along the last axis, with probabilities that sum to 1."""
    highest = log_values.max(axis=-1, keepdims=True)
    total = np.log(np.exp(log_values - highest).sum(axis=-1, keepdims=True)) + highest
    return np.asarray(log_values - total)


def agreement(one: LogProbs, other: LogProbs) -> float:
    """The logarithm of the chance that two distributions of (33,) log-probabilities name the same class."""
    joint = one + other
    highest = float(joint.max())
    return highest + float(np.log(np.exp(joint - highest).sum()))
