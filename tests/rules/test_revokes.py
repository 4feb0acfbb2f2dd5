"""Verzaken: each kind injected into deals by chance, and told apart from what is only possible.

``KLAVEROOG_RANDOM_DEALS`` sets how many: one in a hundred of it, for each duty of each reglement.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from itertools import count
from typing import Final

import pytest
from hypothesis import given, settings

from rules import (
    AMSTERDAMS_MET_PASSEN,
    KLAVERJAS_DRIVE,
    ROTTERDAMS,
    Deal,
    OverPartner,
    Reglement,
    Seat,
    Suit,
)
from tests.rules.generators import Injection, PlayedOut, play_out, played_out_deals
from tests.rules.positions import begun, cards, with_tricks

INJECTED: Final = max(15, int(os.environ.get("KLAVEROOG_RANDOM_DEALS", "2000")) // 100)
AMSTERDAMS_DUTIES = (
    "not-following",
    "trump-lead-not-beaten",
    "not-trumped",
    "not-overtrumped",
    "undertrumped",
)
ROTTERDAMS_DUTIES = (
    "not-following",
    "trump-lead-not-beaten",
    "not-trumped",
    "not-overtrumped",
    "not-undertrumped",
)


@pytest.mark.parametrize(
    ("reglement", "duty"),
    [
        *((AMSTERDAMS_MET_PASSEN, duty) for duty in AMSTERDAMS_DUTIES),
        *((KLAVERJAS_DRIVE, duty) for duty in AMSTERDAMS_DUTIES),
        *((ROTTERDAMS, duty) for duty in ROTTERDAMS_DUTIES),
    ],
    ids=lambda value: value.name if isinstance(value, Reglement) else value,
)
def test_an_injected_verzaking_is_found_by_the_last_trick(reglement: Reglement, duty: str) -> None:
    injected = 0
    for seed in count():
        if injected == INJECTED:
            break
        # Some duties come up once in a hundred deals; never would mean that none is made.
        assert seed < 300 * INJECTED
        injection = Injection(reglement, duty, random.Random(seed))
        played = play_out(reglement, random.Random(seed), injection)
        if injection.done is None:
            assert played.deal.revokes == ()
            continue
        injected += 1
        assert_found(played, injection)


def assert_found(played: PlayedOut, injection: Injection) -> None:
    (revoke,) = played.deal.revokes
    assert (revoke.trick, revoke.seat, revoke.card) == injection.done
    assert revoke.reason.code == injection.duty
    assert revoke.trick < revoke.proven_trick <= 8
    assert set(revoke.should_have_played) <= set(played.hands[revoke.seat])
    assert revoke.article
    # A flag is no ruling.
    assert played.deal.result().revoking_team is None


@given(played_out_deals())
@settings(max_examples=60, deadline=None)
def test_nothing_is_proven_in_a_clean_deal_nor_after_any_of_its_cards(played: PlayedOut) -> None:
    deal = Deal(played.deal.reglement, played.deal.dealer)
    for action in played.deal.actions:
        deal = deal.after(action)
        assert deal.revokes == ()
    assert deal.possible_revokes == ()


@given(played_out_deals())
@settings(max_examples=25, deadline=None)
def test_a_possible_verzaking_names_no_card_that_was_played(played: PlayedOut) -> None:
    deal = Deal(played.deal.reglement, played.deal.dealer)
    for action in played.deal.actions:
        deal = deal.after(action)
        seen = {play.card for play in deal.plays}
        for possible in deal.possible_revokes:
            assert possible.if_held
            assert not seen & set(possible.if_held)


def test_an_off_suit_card_is_possible_first_and_proven_when_the_suit_turns_up() -> None:
    deal = begun(KLAVERJAS_DRIVE, Suit.HEARTS)
    # East throws a spade on clubs while north's ace is winning for the other side: possible.
    deal = with_tricks(deal, ["C7 CA S7 CK"])
    assert deal.revokes == ()
    (possible,) = deal.possible_revokes
    assert (possible.seat, possible.trick, possible.card) == (Seat.EAST, 1, *cards("S7"))
    assert set(cards("C8 C9 HJ H7")) <= set(possible.if_held)
    assert not set(cards("C7 D7")) & set(possible.if_held)
    # Two tricks on, east shows a club.
    deal = with_tricks(deal, ["DA D7 D8 D9", "SA C8 S8 S9"])
    (revoke,) = deal.revokes
    assert (revoke.trick, revoke.card, revoke.proven_trick, revoke.proven_card) == (
        1,
        *cards("S7"),
        3,
        *cards("C8"),
    )
    assert revoke.should_have_played == cards("C8")
    assert revoke.reason.code == "not-following"
    assert "Drive" in revoke.article
    # The proven one is not also possible.
    assert all(possible.trick != 1 for possible in deal.possible_revokes)


def test_two_verzakingen_of_one_deal_are_both_found() -> None:
    deal = begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS)
    # East does not follow clubs, south does not follow diamonds; both show up in the third trick.
    deal = with_tricks(deal, ["C7 CA S7 CK", "DA D7 S8 D8"])
    assert deal.revokes == ()
    deal = with_tricks(deal, ["D9 C8 DT DJ"])
    assert [(revoke.trick, revoke.seat) for revoke in deal.revokes] == [(1, Seat.EAST), (2, Seat.SOUTH)]
    assert [revoke.should_have_played for revoke in deal.revokes] == [cards("C8"), cards("DT")]


def test_the_duty_sharpens_as_more_of_the_hand_is_shown() -> None:
    """The first card to prove it was a trump, so it read "not trumped"; the suit itself turned up later."""
    deal = begun(KLAVERJAS_DRIVE, Suit.HEARTS)
    # Clubs by west; north throws a spade while west is winning, then trumps, then shows a club.
    deal = with_tricks(deal, ["CA S7 C7 C8", "DA H7 D7 D8"])
    (revoke,) = deal.revokes
    assert (revoke.reason.code, revoke.should_have_played) == ("not-trumped", cards("H7"))
    deal = with_tricks(deal, ["C9 CT CK CJ"])
    (revoke,) = deal.revokes
    assert (revoke.reason.code, revoke.should_have_played) == ("not-following", cards("C9"))
    assert (revoke.proven_trick, revoke.proven_card) == (2, *cards("H7"))


def test_undertrumping_is_proven_by_a_plain_card_whatever_else_is_held() -> None:
    # West leads clubs, north trumps with the jack, east goes under and later shows a diamond.
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["C7 HJ H7 C8", "D7 D8 D9 DA"])
    (revoke,) = deal.revokes
    assert (revoke.seat, revoke.card, revoke.proven_card) == (Seat.EAST, *cards("H7"), *cards("D8"))
    assert revoke.reason.code == "undertrumped"
    assert revoke.should_have_played == cards("D8")


def test_undertrumping_is_right_in_rotterdams() -> None:
    deal = with_tricks(begun(ROTTERDAMS, Suit.HEARTS), ["C7 HJ H7 C8", "D7 D8 D9 DA"])
    assert deal.revokes == ()


def test_nothing_is_judged_while_trump_is_unknown() -> None:
    deal = Deal(KLAVERJAS_DRIVE, Seat.SOUTH)
    for codes, leader in (("C7 CA S7 CK", Seat.WEST), ("D7 C8 D8 D9", Seat.NORTH)):
        for seat, card in zip(
            (leader, leader.left, leader.left.left, leader.left.left.left), cards(codes), strict=True
        ):
            deal = deal.played(seat, card)
    assert deal.revokes == ()
    assert deal.possible_revokes == ()


WEST_LEADS_UNTIL_SOUTH_HAS_ONLY_TRUMPS = (
    "SA S7 S8 S9",
    "HA H7 H8 H9",
    "ST SJ SQ SK",
    "DA D7 D8 D9",
    "DT DJ DQ DK",
    # Partner north trumps with the king; south, with C7 CT CJ, goes under.
    "HT CK HQ C7",
    "C8 HJ CT CA",
    "C9 CQ HK CJ",
)


def test_only_trumps_under_a_partner_is_a_doubt_once_the_hand_is_known() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.CLUBS), WEST_LEADS_UNTIL_SOUTH_HAS_ONLY_TRUMPS[:7])
    assert deal.doubts == ()
    deal = with_tricks(deal, WEST_LEADS_UNTIL_SOUTH_HAS_ONLY_TRUMPS[7:])
    (doubt,) = deal.doubts
    assert (doubt.trick, doubt.seat, doubt.card) == (6, Seat.SOUTH, *cards("C7"))
    assert doubt.reason.code == "twijfel"
    assert deal.revokes == ()
    assert deal.faults == ()


def test_where_only_trumps_must_beat_the_same_play_is_verzaken() -> None:
    strict = replace(KLAVERJAS_DRIVE, over_partner=OverPartner.NO_LOWER_AND_BEAT_WITH_ONLY_TRUMPS)
    deal = with_tricks(begun(strict, Suit.CLUBS), WEST_LEADS_UNTIL_SOUTH_HAS_ONLY_TRUMPS)
    (revoke,) = deal.revokes
    assert (revoke.trick, revoke.seat, revoke.should_have_played) == (6, Seat.SOUTH, cards("CT CJ"))
    assert deal.doubts == ()
