"""Many whole deals scored together, with numpy.

What is legal, what a card counts and what roem brings are looked up in tables that ``rules`` filled (see
``rules.solver.layout``). Deals that are not as simple as they seem are only marked: a verzaking, a card
twice, roem called wrongly, a play on which the texts differ. They are left to the usual route.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rules.reglement import Reglement
from rules.roem import roem_points
from rules.solver.board import Objective
from rules.solver.layout import (
    CARD_POINTS,
    FOLLOWING,
    OTHERS_FLAG,
    TRICK_POINTS,
    TRUMP_SUIT,
    VOID,
    places,
    tables_of,
)
from rules.tables import ALL_CARDS, LAST_TRICK_POINTS

Array = npt.NDArray[Any]

NOT_CALLED: Final = -1


@dataclass(frozen=True, slots=True)
class Tables:
    """What a reglement says, as arrays; cards are bits as in ``rules.solver.layout``, trump the last suit."""

    card_points: Array
    """[card]"""
    suit_roem: Array
    """[suit][cards of it in one trick]: the roem that they make together"""
    four_equal: Array
    """[natural rank]: the roem of four equal cards"""
    following: Array
    """[trumps held][winning trump]: the legal trumps when trump is led"""
    void: Array
    """[trumps held][winning trump, 8 for none][partner wins][others held]: legal trumps, a flag for others"""


@lru_cache(maxsize=32)
def arrays_of(reglement: Reglement) -> Tables:
    """The tables of a reglement."""
    numbers = np.array(tables_of(reglement, Objective.DIFFERENCE), dtype=np.int32)
    alone = numbers[CARD_POINTS : CARD_POINTS + 1024].reshape(4, 256)
    together = numbers[TRICK_POINTS : TRICK_POINTS + 1024].reshape(4, 256)
    four = [
        roem_points(reglement, sum(1 << 8 * suit + rank for suit in range(4)), TRUMP_SUIT)
        for rank in range(8)
    ]
    return Tables(
        card_points=np.array([alone[card >> 3, 1 << (card & 7)] for card in range(32)], dtype=np.int32),
        suit_roem=(together - alone).astype(np.int32),
        four_equal=np.array(four, dtype=np.int32),
        following=numbers[FOLLOWING : FOLLOWING + 256 * 8],
        void=numbers[VOID : VOID + 256 * 9 * 4],
    )


_PLACES: Final = np.array([places(trump) for trump in range(4)], dtype=np.int32)
"""[trump][card as in FULL_DECK]: which bit it is."""


@dataclass(frozen=True, slots=True)
class Deals:
    """n whole deals under one reglement.

    cards: (n, 8, 4) int32, as in ``FULL_DECK``, in order of play. trumps, leaders: (n,) the number of the
    suit and of the seat that leads first (N E S W). called: (n, 8) the roem called in each trick, NOT_CALLED
    where none was. told_leaders: (n, 8) who led as written, -1 where that is not written.
    """

    cards: Array
    trumps: Array
    leaders: Array
    called: Array
    told_leaders: Array


@dataclass(frozen=True, slots=True)
class Scores:
    """What they bring. regular: (n,) bool, whether the rest holds; sums: (n, 8) as in ``templates.SUMS``."""

    regular: Array
    sums: Array


def scores_of(reglement: Reglement, deals: Deals) -> Scores:
    """Score deals; those that are not regular have sums that mean nothing."""
    tables = arrays_of(reglement)
    bits = _PLACES[deals.trumps[:, None, None], deals.cards]
    suits = bits >> 3
    # A card that can't win loses from every one that can.
    strength = np.where((suits == suits[:, :, :1]) | (suits == TRUMP_SUIT), bits, -1)
    winning = np.maximum.accumulate(strength, axis=2)
    winner_place = strength.argmax(axis=2)
    turns = np.cumsum(winner_place, axis=1)
    winners = (deals.leaders[:, None] + turns) % 4
    leaders = np.concatenate([deals.leaders[:, None], winners[:, :-1]], axis=1)
    points = tables.card_points[bits].sum(axis=2)
    points[:, -1] += LAST_TRICK_POINTS
    seen = _roem(tables, deals.cards & 7, bits)
    regular = _complete_hands_played_legally(tables, bits, winning, strength, leaders)
    regular &= ((deals.called == NOT_CALLED) | (deals.called == seen)).all(axis=1)
    regular &= ((deals.told_leaders < 0) | (deals.told_leaders == leaders)).all(axis=1)
    called = np.where(deals.called == NOT_CALLED, 0, seen)
    return Scores(regular, _sums(winners % 2, (points, seen, called, np.ones_like(seen))))


def _roem(tables: Tables, ranks: Array, bits: Array) -> Array:
    """The roem of each trick, (n, 8)."""
    cards = np.bitwise_or.reduce(np.left_shift(np.uint32(1), bits.astype(np.uint32)), axis=2)
    roem = sum(tables.suit_roem[suit][cards >> np.uint32(8 * suit) & np.uint32(255)] for suit in range(4))
    equal = (ranks == ranks[:, :, :1]).all(axis=2)
    return np.asarray(roem + np.where(equal, tables.four_equal[ranks[:, :, 0]], 0))


def _sums(east_west: Array, per_trick: tuple[Array, ...]) -> Array:
    """(n, 8): the sums of N and S, then those of E and W."""
    columns = [np.where(east_west == side, values, 0).sum(axis=1) for side in (0, 1) for values in per_trick]
    return np.stack(columns, axis=1)


def _complete_hands_played_legally(
    tables: Tables, bits: Array, winning: Array, strength: Array, leaders: Array
) -> Array:
    """(n,) bool: each card once, no play illegal, and none on which the texts differ."""
    single = np.left_shift(np.uint32(1), bits.astype(np.uint32))
    places = np.arange(4)
    # [deal][trick][seat]: what that seat still held before the trick.
    of_seat = np.take_along_axis(single, (places - leaders[:, :, None]) % 4, axis=2)
    held = np.bitwise_or.accumulate(of_seat[:, ::-1], axis=1)[:, ::-1]
    whole = np.bitwise_or.reduce(held[:, 0], axis=1) == ALL_CARDS
    hands = np.take_along_axis(held, (leaders[:, :, None] + places) % 4, axis=2).astype(np.int64)
    good = np.ones(whole.shape, dtype=bool)
    for place in (1, 2, 3):
        winner = strength[:, :, :place].argmax(axis=2)
        legal = _legal(
            tables,
            hand=hands[:, :, place],
            led=bits[:, :, 0] >> 3,
            best=winning[:, :, place - 1],
            partner_wins=winner == place - 2,
            card=bits[:, :, place],
        )
        good &= legal.all(axis=1)
    return np.asarray(whole & good)


def _legal(tables: Tables, hand: Array, led: Array, best: Array, partner_wins: Array, card: Array) -> Array:
    """Whether each card is legal and beyond doubt."""
    suit, rank = card >> 3, card & 7
    can_follow = hand >> 8 * led & 255 != 0
    trumps, others = hand >> 24, hand & 0xFFFFFF != 0
    is_trump = suit == TRUMP_SUIT
    following = tables.following[trumps * 8 + (best & 7)] >> rank & 1 == 1
    follows = np.where(led == TRUMP_SUIT, is_trump & following, suit == led)
    trumped = best >> 3 == TRUMP_SUIT
    row = tables.void[(trumps * 9 + np.where(trumped, best & 7, 8)) * 4 + 2 * partner_wins + others]
    void = np.where(is_trump, row >> rank & 1 == 1, row & OTHERS_FLAG != 0)
    # With only trumps left and the partner winning with one the texts differ; the usual route tells of it.
    only_trumps = ~can_follow & ~others & (led != TRUMP_SUIT)
    is_lower, holds_higher = rank < best & 7, trumps >> (best & 7) > 1
    in_doubt = only_trumps & trumped & partner_wins & is_lower & holds_higher
    return np.asarray(np.where(can_follow, follows, void) & ~in_doubt)
