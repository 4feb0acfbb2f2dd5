"""Which card each laid card is: every name of the pack once, the best joint assignment, and its rivals.

Two cards that look alike may each be the other. The looks alone then say little; what the play makes of each
of the two readings says more, so the readings that come near the best one are given too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from rules import FULL_DECK, Card
from tracker.name_evidence import FOREIGN_INDEX, LogProbs, normalised

Floats = npt.NDArray[np.float64]

_LEAST_PROBABILITY: Final = 1e-13
_TINY: Final = 1e-30
_MESSAGE_ROUNDS: Final = 30
_ALTERNATIVES: Final = 3
_WORTH_TELLING: Final = 0.005
_RIVAL_FROM: Final = -7.0


@dataclass(frozen=True, slots=True)
class Name:
    """What one card is. alternatives: other cards it might be. contested: see :meth:`Naming.exchanged`."""

    card: Card
    probability: float
    alternatives: tuple[tuple[Card, float], ...]
    contested: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two cards, by row, that may each be the other. weight: of that reading against the best one."""

    rows: tuple[int, int]
    weight: float


@dataclass(frozen=True, slots=True)
class Naming:
    """The names of all 32 rows: the laid cards trick by trick, then those that were not seen.

    sizes: how many cards were laid in each trick. rivals: the likely exchanges, most likely first.
    """

    names: tuple[Name, ...]
    sizes: tuple[int, ...]
    rivals: tuple[Exchange, ...]

    @property
    def by_trick(self) -> list[list[Name]]:
        """The names of the cards laid in each trick."""
        remaining = iter(self.names)
        return [[next(remaining) for _ in range(size)] for size in self.sizes]

    @property
    def unseen(self) -> list[Name]:
        """The names left for the cards that were not seen."""
        return list(self.names[sum(self.sizes) :])

    def exchanged(self, exchange: Exchange, probability: float) -> Naming:
        """The same with two cards exchanged, each as probable as ``probability``, and contested from now."""
        names = list(self.names)
        one, other = exchange.rows
        first, second = names[one], names[other]
        names[one] = _contested(second.card, first, probability)
        names[other] = _contested(first.card, second, probability)
        rivals = tuple(rival for rival in self.rivals if not {one, other} & set(rival.rows))
        return replace(self, names=tuple(names), rivals=rivals)


def _contested(card: Card, was: Name, probability: float) -> Name:
    others = [(other, chance) for other, chance in was.alternatives if other != card]
    return Name(card, probability, ((was.card, 1 - probability), *others)[:_ALTERNATIVES], contested=True)


def named(laid: Sequence[Sequence[LogProbs]], *, complete: bool) -> Naming:
    """The best joint assignment of names; rows of cards that were not seen say nothing by themselves.

    Args:
        laid: of each card of each trick (33,) natural logarithms over the names.
        complete: all cards have been laid: one not seen may be exchanged with one that was.
    """
    seen = [log_probs for trick in laid for log_probs in trick]
    rows = np.zeros((len(FULL_DECK), len(FULL_DECK)))
    for row, log_probs in enumerate(seen):
        rows[row] = log_probs[:FOREIGN_INDEX]
    rows = normalised(rows)
    _, columns = linear_sum_assignment(-rows)
    chances = assignment_chances(np.exp(rows), columns)
    names = [_name(chances[row], int(columns[row]), 1.0) for row in range(len(FULL_DECK))]
    for row, log_probs in enumerate(seen):
        is_a_card = 1.0 - float(np.exp(log_probs[FOREIGN_INDEX]))
        names[row] = _name(chances[row], int(columns[row]), is_a_card)
    rivals = _rivals(rows, columns, len(FULL_DECK) if complete else len(seen), len(seen))
    return Naming(tuple(names), tuple(len(trick) for trick in laid), rivals)


def _rivals(rows: Floats, columns: npt.NDArray[np.intp], may_change: int, seen: int) -> tuple[Exchange, ...]:
    """The likely exchanges of two rows; of two that were not seen only once all others have been."""
    weights = _exchange_weights(rows, columns)
    found = [
        Exchange((one, other), min(0.0, float(weights[one, other])))
        for one in range(may_change)
        for other in range(one + 1, may_change)
        if weights[one, other] > _RIVAL_FROM
    ]
    return tuple(sorted(found, key=lambda exchange: -exchange.weight))


def _exchange_weights(rows: Floats, columns: npt.NDArray[np.intp]) -> Floats:
    """(n, n): how much less probable it is that two rows have each other's columns, natural logarithms."""
    taking = np.maximum(rows, np.log(_LEAST_PROBABILITY))[:, columns]
    losses = taking - np.diagonal(taking)[:, np.newaxis]
    return np.asarray(losses + losses.T)


def _name(chances: Floats, column: int, is_a_card: float) -> Name:
    others = [index for index in np.argsort(-chances, kind="stable") if index != column]
    alternatives = [(FULL_DECK[index], float(chances[index]) * is_a_card) for index in others[:_ALTERNATIVES]]
    return Name(
        FULL_DECK[column],
        float(chances[column]) * is_a_card,
        tuple((card, chance) for card, chance in alternatives if chance > _WORTH_TELLING),
    )


def assignment_chances(weights: Floats, assigned: npt.NDArray[np.intp]) -> Floats:
    """(n, n): how probable each column is for each row, when every row must have a column of its own.

    Two cards that both look like the same one share the doubt; the last place unknown gets the last card.
    The exact answer needs permanents, of n! terms each. This is belief propagation on the matching (Huang and
    Jebara 2009; Vontobel 2013), which comes within a tenth and mostly nearer; since it may be too sure, the
    chance of the assigned column is at most what it is when any two rows may have changed theirs.

    Args:
        weights: (n, n) probabilities of the columns for each row by itself, none needs to be exact.
        assigned: (n,) the column of each row in the best assignment.
    """
    weights = np.maximum(weights, _LEAST_PROBABILITY)
    to_rows = np.ones_like(weights)
    for _ in range(_MESSAGE_ROUNDS):
        arriving = weights * to_rows
        to_columns = weights / np.maximum(arriving.sum(axis=1, keepdims=True) - arriving, _TINY)
        answers = 1 / np.maximum(to_columns.sum(axis=0, keepdims=True) - to_columns, _TINY)
        to_rows = np.sqrt(to_rows * answers)
    odds = to_columns * to_rows
    chances = np.asarray(odds / (1 + odds))
    rows = np.arange(len(weights))
    chances[rows, assigned] = np.minimum(chances[rows, assigned], _unchanged(weights, assigned))
    return chances


def _unchanged(weights: Floats, assigned: npt.NDArray[np.intp]) -> Floats:
    """(n,): how probable each row's assigned column is when it may change columns with one other row."""
    return np.asarray(1 / np.exp(_exchange_weights(np.log(weights), assigned)).sum(axis=1))
