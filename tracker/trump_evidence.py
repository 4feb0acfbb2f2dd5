"""What the way a deal is played says of its trump, beside who leads and what is legal.

Players have habits: who made trump is long in it and mostly leads its boer, others lead their aces first;
who can't follow suit and has to trump does so when he can. None of these is a rule of the reglement's, so
each only weighs a little; a dozen of them tell trump long before the play proves it.

    lead       which card a player leads, by whose trump it is
    hand       who made trump holds the boer, and more trumps than others
    no suit    a player who can't follow and must trump has trumps more often than not

All weights are natural logarithms of probabilities, so they can be added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rules import CLOCKWISE, Card, Play, Rank, Seat, Suit, trick_winner

_SIDE_LEADS: Final[Mapping[str, float]] = MappingProxyType(
    {"boer": 0.35, "trump": 0.10 / 7, "ace": 0.30 / 3, "other": 0.25 / 21}
)
"""The chance of each single card to be led by the side that made trump, when its leader might hold any."""

_OTHERS_LEAD: Final[Mapping[str, float]] = MappingProxyType(
    {"boer": 0.02, "trump": 0.05 / 7, "ace": 0.45 / 3, "other": 0.48 / 21}
)
_HOLDS_BOER: Final = 0.6
_HOLDS_TRUMP: Final = 0.45
_HOLDS_OTHER: Final = 0.18
"""How probable it is that who made trump was dealt the boer, another trump, any other card."""

_NO_TRUMP_LEFT: Final = 0.3
_MAKER_HAS_NO_TRUMP_LEFT: Final = 0.1


def habits_weight(tricks: Sequence[Sequence[Play]], trump: Suit, maker: Seat | None) -> float:
    """How well the play fits ``trump``; ``maker`` is who made it, None when that is not known.

    Args:
        tricks: the plays of each trick in order, the last one may be unfinished.
    """
    if maker is not None:
        return _made_by(tricks, trump, maker)
    each = [_made_by(tricks, trump, seat) for seat in CLOCKWISE]
    highest = max(each)
    return highest + math.log(sum(math.exp(weight - highest) for weight in each) / len(each))


def _made_by(tricks: Sequence[Sequence[Play]], trump: Suit, maker: Seat) -> float:
    weight = 0.0
    for plays in tricks:
        if plays:
            habits = _SIDE_LEADS if plays[0].seat.team is maker.team else _OTHERS_LEAD
            weight += math.log(habits[_kind(plays[0].card, trump)])
        for index, play in enumerate(plays):
            weight += _held(play, trump, maker)
            if index > 0:
                weight += _without_suit(plays[:index], play, trump, maker)
    return weight


def _kind(card: Card, trump: Suit) -> str:
    if card.suit is trump:
        return "boer" if card.rank is Rank.JACK else "trump"
    return "ace" if card.rank is Rank.ACE else "other"


def _held(play: Play, trump: Suit, maker: Seat) -> float:
    holds = _HOLDS_OTHER
    if play.card.suit is trump:
        holds = _HOLDS_BOER if play.card.rank is Rank.JACK else _HOLDS_TRUMP
    return math.log(holds if play.seat is maker else (1 - holds) / 3)


def _without_suit(before: Sequence[Play], play: Play, trump: Suit, maker: Seat) -> float:
    """A card that does not follow suit; a player whose partner wins may throw away what he likes."""
    led = before[0].card.suit
    if play.card.suit is led:
        return 0.0
    none_left = _MAKER_HAS_NO_TRUMP_LEFT if play.seat is maker else _NO_TRUMP_LEFT
    if play.card.suit is trump:
        return math.log(1 - none_left)
    if led is trump:
        return math.log(none_left)
    return 0.0 if trick_winner(before, trump) is play.seat.partner else math.log(none_left)
