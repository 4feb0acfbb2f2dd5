"""What the detector says of one picture: frozen, checked when built."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

CARD_CODES: Final[tuple[str, ...]] = tuple(suit + rank for suit in "CDHS" for rank in "789TJQKA")
"""The 32 cards, in the order of every array over cards: suits C D H S, each from seven to ace."""

FOREIGN: Final = "foreign"
"""The 33rd class: a face that is not one of the 32 (two to six, a joker, another thing)."""

CLASS_NAMES: Final[tuple[str, ...]] = (*CARD_CODES, FOREIGN)

Image = npt.NDArray[np.uint8]
"""A picture, (H, W, 3) uint8, blue-green-red."""

FloatArray = npt.NDArray[np.float32]


class Side(Enum):
    """Which side of a card is up."""

    FACE = "face"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class BackFlaw:
    """Something on a back by which the card might be told from the others.

    ``kind`` is a word such as ``mark`` or ``bent corner``; ``centre`` is (x, y) as shares of the card's
    width and height, from its own top left; ``score`` is from 0 to 1.
    """

    kind: str
    centre: tuple[float, float]
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class CardDetection:
    """One card lying somewhere in a picture.

    quad: (4, 2) float32, pixels, clockwise in the picture from the card's own top left. A card is the same
        upside down, so for a face the first corner is either of the two; the short side comes first.
    side: face or back.
    log_probs: (33,) float32, natural logarithms over :data:`CLASS_NAMES`; for a back, all equal.
    score: from 0 to 1, how sure the finder is that there is a card.
    flaws: what is wrong with a back.

    Raises:
        ValueError: when an array has another shape, or a score lies outside 0 to 1.
    """

    quad: FloatArray
    side: Side
    log_probs: FloatArray
    score: float
    flaws: tuple[BackFlaw, ...] = ()

    def __post_init__(self) -> None:
        quad = np.array(self.quad, dtype=np.float32)
        log_probs = np.array(self.log_probs, dtype=np.float32)
        if quad.shape != (4, 2):
            raise ValueError(f"quad must have shape (4, 2), not {quad.shape}")
        if log_probs.shape != (len(CLASS_NAMES),):
            raise ValueError(f"log_probs must have shape ({len(CLASS_NAMES)},), not {log_probs.shape}")
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"score must lie from 0 to 1, not {self.score!r}")
        quad.flags.writeable = False
        log_probs.flags.writeable = False
        object.__setattr__(self, "quad", quad)
        object.__setattr__(self, "log_probs", log_probs)

    @property
    def name(self) -> str:
        """The most probable of :data:`CLASS_NAMES`."""
        return CLASS_NAMES[int(np.argmax(self.log_probs))]

    @property
    def name_probability(self) -> float:
        """How probable :attr:`name` is, from 0 to 1."""
        return float(np.exp(np.max(self.log_probs)))

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the card, (x, y) in pixels."""
        x, y = self.quad.mean(axis=0)
        return float(x), float(y)


def uniform_log_probs() -> FloatArray:
    """(33,) float32: nothing is known of the card."""
    return np.full(len(CLASS_NAMES), -np.log(len(CLASS_NAMES)), dtype=np.float32)


class Detector(Protocol):
    """Anything that reads the cards in one picture."""

    def detect(self, image: Image) -> tuple[CardDetection, ...]:
        """Find and name the cards in ``image``, (H, W, 3) uint8 BGR, surest first."""
        ...
