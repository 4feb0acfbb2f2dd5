"""Roem: rows of three and four, stuk, and four equal cards, always within one trick.

Rows follow the natural order 7 8 9 10 J Q K A without wrapping. Stuk, the king and queen of trump, comes on
top of a row (Reglement Klaverjas Drive: "Stuk roem komt bovenop eventuele roem voor 3 of 4 volgende
kaarten").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from rules.cards import Card, Rank, Suit
from rules.errors import RulesError
from rules.reglement import KLAVERJAS_DRIVE, Reglement
from rules.tables import SUIT_NUMBER, cards_in

ROW_OF_THREE_POINTS: Final = 20
ROW_OF_FOUR_POINTS: Final = 50
STUK_POINTS: Final = 20
_STUK_RANKS: Final = 1 << Rank.QUEEN.natural_order | 1 << Rank.KING.natural_order


class RoemKind(Enum):
    """The kinds of roem."""

    ROW_OF_THREE = "row-of-three"
    ROW_OF_FOUR = "row-of-four"
    STUK = "stuk"
    FOUR_EQUAL = "four-equal"

    @property
    def dutch(self) -> str:
        """The name in Dutch."""
        return _DUTCH_NAMES[self]

    @property
    def english(self) -> str:
        """The name in English."""
        return _ENGLISH_NAMES[self]


_DUTCH_NAMES: Final = {
    RoemKind.ROW_OF_THREE: "driekaart",
    RoemKind.ROW_OF_FOUR: "vierkaart",
    RoemKind.STUK: "stuk",
    RoemKind.FOUR_EQUAL: "vier gelijke",
}
_ENGLISH_NAMES: Final = {
    RoemKind.ROW_OF_THREE: "row of three",
    RoemKind.ROW_OF_FOUR: "row of four",
    RoemKind.STUK: "stuk",
    RoemKind.FOUR_EQUAL: "four of a kind",
}


@dataclass(frozen=True, slots=True)
class RoemPart:
    """One piece of roem: its kind, the cards that make it, its points."""

    kind: RoemKind
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Roem:
    """The roem of one trick in its parts; none gives an empty tuple."""

    parts: tuple[RoemPart, ...] = ()

    @property
    def total(self) -> int:
        """The points of all parts."""
        return sum(part.points for part in self.parts)


def _row(ranks: int) -> int:
    """The longest row of three or four among eight bits of ranks, as bits; 0 for none."""
    for length in (4, 3):
        for start in range(9 - length):
            row = ((1 << length) - 1) << start
            if ranks & row == row:
                return row
    return 0


_ROWS: Final = tuple(_row(ranks) for ranks in range(256))
_ROW_POINTS: Final = tuple(
    {0: 0, 3: ROW_OF_THREE_POINTS, 4: ROW_OF_FOUR_POINTS}[row.bit_count()] for row in _ROWS
)


def roem_points(reglement: Reglement, mask: int, trump: int) -> int:
    """The roem in points of the cards in ``mask``, at most four, with suit number ``trump`` as trump."""
    clubs, diamonds, hearts, spades = mask & 255, mask >> 8 & 255, mask >> 16 & 255, mask >> 24
    points = _ROW_POINTS[clubs] + _ROW_POINTS[diamonds] + _ROW_POINTS[hearts] + _ROW_POINTS[spades]
    if (mask >> 8 * trump) & _STUK_RANKS == _STUK_RANKS:
        points += STUK_POINTS
    equal = clubs & diamonds & hearts & spades
    return points + _four_equal_points(reglement, equal) if equal else points


def _four_equal_points(reglement: Reglement, equal: int) -> int:
    """The points of four cards of the rank whose bit ``equal`` holds."""
    if equal == 1 << Rank.JACK.natural_order:
        return reglement.four_jacks_points
    if equal < 1 << Rank.TEN.natural_order:
        return reglement.four_low_points
    return reglement.four_equal_points


def roem_in_trick(cards: Sequence[Card], trump: Suit | None, reglement: Reglement = KLAVERJAS_DRIVE) -> Roem:
    """The roem of the cards of one trick, finished or not; stuk only when ``trump`` is known.

    ``reglement`` says what four equal cards bring; the default is 100 for any.

    Raises:
        RulesError: when there are more than four cards.
    """
    if len(cards) > 4:
        raise RulesError(
            f"a trick has four cards at most, not {len(cards)}: {[card.code for card in cards]!r}"
        )
    mask = 0
    for card in cards:
        mask |= 1 << card.index
    return Roem((*_row_parts(mask), *_stuk_part(mask, trump), *_four_equal_part(reglement, mask)))


def _row_parts(mask: int) -> list[RoemPart]:
    parts = []
    for suit in range(4):
        row = _ROWS[mask >> 8 * suit & 255]
        if row:
            kind = RoemKind.ROW_OF_FOUR if row.bit_count() == 4 else RoemKind.ROW_OF_THREE
            parts.append(RoemPart(kind, cards_in(row << 8 * suit), _ROW_POINTS[row]))
    return parts


def _stuk_part(mask: int, trump: Suit | None) -> list[RoemPart]:
    if trump is None:
        return []
    stuk = _STUK_RANKS << 8 * SUIT_NUMBER[trump]
    return [RoemPart(RoemKind.STUK, cards_in(stuk), STUK_POINTS)] if mask & stuk == stuk else []


def _four_equal_part(reglement: Reglement, mask: int) -> list[RoemPart]:
    equal = mask & mask >> 8 & mask >> 16 & mask >> 24 & 255
    if not equal:
        return []
    points = _four_equal_points(reglement, equal)
    # A club may give nothing for four low cards; then there is no roem to call either.
    return [RoemPart(RoemKind.FOUR_EQUAL, cards_in(mask), points)] if points else []
