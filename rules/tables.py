"""The values of cards as small integers, made once for each trump.

A card is its index in ``FULL_DECK`` (suit times eight plus its natural order), a suit its index in that
order, a set of cards a mask of 32 bits. Only ``rules`` itself looks in here; the outside sees cards.
"""

from __future__ import annotations

from typing import Final

from rules.cards import FULL_DECK, Card, Suit

SUITS: Final = tuple(Suit)
SUIT_NUMBER: Final = {suit: number for number, suit in enumerate(SUITS)}
SUIT_MASK: Final = tuple(0xFF << 8 * number for number in range(4))
ALL_CARDS: Final = 0xFFFFFFFF
LAST_TRICK_POINTS: Final = 10

# High to low, with the points of each: trump J 9 A 10 K Q 8 7, plain A 10 K Q J 9 8 7.
_TRUMP_ORDER: Final = "J9ATKQ87"
_PLAIN_ORDER: Final = "ATKQJ987"
_TRUMP_POINTS: Final = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
_PLAIN_POINTS: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}


def _points(trump: int) -> tuple[int, ...]:
    return tuple(
        (_TRUMP_POINTS if card.index >> 3 == trump else _PLAIN_POINTS)[card.rank.value] for card in FULL_DECK
    )


def _strengths(trump: int, led: int) -> tuple[int, ...]:
    """0 for a card that cannot win, 1 to 8 for the led suit, 11 to 18 for trumps."""

    def strength(card: Card) -> int:
        suit = card.index >> 3
        if suit == trump:
            return 18 - _TRUMP_ORDER.index(card.rank.value)
        return 8 - _PLAIN_ORDER.index(card.rank.value) if suit == led else 0

    return tuple(strength(card) for card in FULL_DECK)


def _higher(trump: int) -> tuple[int, ...]:
    """For each card the mask of trumps that beat it."""
    strengths = _strengths(trump, trump)
    return tuple(
        sum(1 << trump * 8 + rank for rank in range(8) if strengths[trump * 8 + rank] > strengths[card])
        for card in range(32)
    )


POINTS: Final = tuple(_points(trump) for trump in range(4))
"""``POINTS[trump][card]``."""

STRENGTH: Final = tuple(tuple(_strengths(trump, led) for led in range(4)) for trump in range(4))
"""``STRENGTH[trump][led][card]``: the highest wins; all but 0 differ."""

HIGHER_TRUMPS: Final = tuple(_higher(trump) for trump in range(4))
"""``HIGHER_TRUMPS[trump][card]``: the mask of trumps that beat ``card``; all trumps for a plain card."""


def mask_of(card_indices: list[int] | tuple[int, ...]) -> int:
    """The set of these cards as a mask."""
    mask = 0
    for index in card_indices:
        mask |= 1 << index
    return mask


def cards_in(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, in the order of ``FULL_DECK``."""
    return tuple(card for card in FULL_DECK if mask >> card.index & 1)


def card_points(card: Card, trump: Suit) -> int:
    """The points of a card: 20 for the trump jack, 11 for an ace, 0 for a plain nine."""
    return POINTS[SUIT_NUMBER[trump]][card.index]
