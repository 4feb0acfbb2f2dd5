"""What the wedstrijdleider decides, and that only that scores.

``KLAVEROOG_RANDOM_DEALS`` sets how many deals are corrected and ruled on.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    AMSTERDAMS_MET_PASSEN,
    CLOCKWISE,
    FULL_DECK,
    KLAVERJAS_DRIVE,
    REGLEMENTEN,
    Deal,
    Decision,
    Drive,
    FaultKind,
    Match,
    Reglement,
    Ruling,
    Seat,
    Suit,
    Team,
)
from tests.rules.generators import PlayedOut, play_out, played_out_deals
from tests.rules.positions import begun, cards, with_tricks

DEALS: Final = int(os.environ.get("KLAVEROOG_RANDOM_DEALS", "2000"))
NS, EW = Team.NORTH_SOUTH, Team.EAST_WEST
# 20 roem in each of the three tricks.
THREE_TRICKS = ("D7 D8 D9 CA", "SA S7 S8 S9", "C7 C8 C9 SK")


def three_tricks() -> Deal:
    return with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), THREE_TRICKS)


def test_koppel_the_others_get_everything_with_the_roem_of_covered_tricks() -> None:
    result = three_tricks().ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH, trick=1)).result()
    assert result.score_points == {NS: 0, EW: 262}
    assert result.score_roem == {NS: 0, EW: 60}
    assert result.kruizen == {NS: 3, EW: 0}
    assert (result.complete, result.nat, result.revoking_team) == (True, False, NS)
    assert "verzaakt" in result.reasons[0].dutch


def test_koppel_roem_of_a_trick_not_yet_covered_is_not_written() -> None:
    deal = with_tricks(three_tricks(), ["HA H9 HJ HT"], covered=False)
    result = deal.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH)).result()
    assert sum(result.roem_seen.values()) == 80
    assert result.score_roem[EW] == 60
    covered = deal.trick_covered().ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH)).result()
    assert covered.score_roem[EW] == 80


def test_koppel_the_wedstrijdleider_may_say_when_it_was_found() -> None:
    ruling = Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH, found_after_trick=2)
    assert three_tricks().ruled(ruling).result().score_roem[EW] == 40


def test_koppel_later_cards_change_nothing() -> None:
    ruling = Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH)
    ruled = three_tricks().ruled(ruling)
    later = with_tricks(ruled, ["HA H9 HJ HT"])
    assert (later.result().score_points, later.result().score_roem) == (
        ruled.result().score_points,
        ruled.result().score_roem,
    )


def test_koppel_where_covering_is_not_reported_full_tricks_count() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), THREE_TRICKS, covered=False)
    assert deal.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH)).result().score_roem[EW] == 60


def test_where_roem_must_be_called_only_called_roem_goes_over() -> None:
    deal = with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), THREE_TRICKS[:1], covered=False)
    deal = with_tricks(deal.roem_called(Seat.WEST, 1, 20).trick_covered(), THREE_TRICKS[1:])
    result = deal.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH)).result()
    assert result.score_roem == {NS: 0, EW: 20}


def test_individueel_only_the_player_is_punished_and_the_deal_counts_nowhere() -> None:
    result = three_tricks().ruled(Ruling(Decision.REVOKE_INDIVIDUAL, seat=Seat.SOUTH)).result()
    assert result.player_penalties == {Seat.SOUTH: -162}
    assert (result.total(NS), result.total(EW), result.replayed) == (0, 0, True)
    assert sum(result.kruizen.values()) == 0


def test_a_wrong_accusation_brings_the_accusers_the_same() -> None:
    accused = Ruling(Decision.WRONG_ACCUSATION, seat=Seat.EAST)
    result = three_tricks().ruled(accused).result()
    assert (result.total(EW), result.total(NS), result.kruizen[EW]) == (0, 322, 3)
    # It is no verzaking: nothing goes off the evening points.
    assert result.revoking_team is None
    assert "artikel 14" in result.reasons[0].article
    individual = replace(KLAVERJAS_DRIVE, drive=Drive.INDIVIDUAL)
    alone = Deal(individual, Seat.SOUTH).ruled(accused).result()
    assert alone.player_penalties == {Seat.EAST: -162}
    assert alone.replayed


def test_a_redeal_counts_nowhere() -> None:
    result = three_tricks().ruled(Ruling(Decision.REDEAL)).result()
    assert (result.replayed, result.complete, result.total(NS), result.total(EW)) == (True, True, 0, 0)


@pytest.mark.parametrize("decision", [Decision.NO_ACTION, Decision.NEW_PACK, Decision.PENALTY_CARD])
def test_other_rulings_do_not_score(decision: Decision) -> None:
    deal = three_tricks()
    ruled = deal.ruled(Ruling(decision, seat=Seat.NORTH))
    assert ruled.result() == deal.result()
    assert len(ruled.rulings) == 1


def test_a_strafkaart_by_ruling() -> None:
    ruling = Ruling(Decision.PENALTY_CARD, seat=Seat.NORTH, card=cards("DK")[0])
    deal = three_tricks().ruled(ruling)
    assert [(one.seat, one.card) for one in deal.penalty_cards] == [(Seat.NORTH, *cards("DK"))]
    assert deal.ruled(Ruling(Decision.UNDO, undoes=1)).penalty_cards == ()


def test_undoing_and_undoing_the_undoing() -> None:
    deal = three_tricks()
    ruled = deal.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH, number=70))
    undone = ruled.ruled(Ruling(Decision.UNDO, undoes=70, number=71))
    assert undone.result() == deal.result()
    assert undone.rulings == ()
    again = undone.ruled(Ruling(Decision.UNDO, undoes=71))
    assert again.result().score_points == {NS: 0, EW: 262}


def test_undoing_what_is_not_there_is_a_fault() -> None:
    deal = three_tricks().ruled(Ruling(Decision.UNDO, undoes=5))
    assert [fault.kind for fault in deal.faults] == [FaultKind.NO_SUCH_RULING]
    assert deal.result() == three_tricks().result()


def test_a_ruling_that_does_not_say_whom_has_no_effect() -> None:
    deal = three_tricks().ruled(Ruling(Decision.REVOKE_PAIRS))
    assert [fault.kind for fault in deal.faults] == [FaultKind.RULING_NEEDS_SEAT]
    assert deal.result() == three_tricks().result()


def test_of_two_rulings_the_last_counts_and_both_are_reported() -> None:
    deal = three_tricks().ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH))
    deal = deal.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.WEST))
    assert [fault.kind for fault in deal.faults] == [FaultKind.RULINGS_CONFLICT]
    assert deal.result().kruizen == {NS: 0, EW: 3}


def test_the_same_ruling_twice_and_the_later_one_undone() -> None:
    ruling = Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH, found_after_trick=None)
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), THREE_TRICKS[:1]).ruled(ruling)
    deal = with_tricks(deal, THREE_TRICKS[1:]).ruled(ruling)
    assert deal.result().score_roem[EW] == 60
    assert deal.ruled(Ruling(Decision.UNDO, undoes=2)).result().score_roem[EW] == 20


@given(played_out_deals(), st.sampled_from(list(Decision)), st.sampled_from(CLOCKWISE), st.data())
@settings(max_examples=60, deadline=None)
def test_ruling_and_undoing_give_the_same_totals(
    played: PlayedOut, decision: Decision, seat: Seat, data: st.DataObject
) -> None:
    deal = played.deal
    cut = data.draw(st.integers(0, len(deal.actions)))
    ruled = replace(
        deal, actions=(*deal.actions[:cut], Ruling(decision, seat=seat, number=9), *deal.actions[cut:])
    )
    undone = ruled.ruled(Ruling(Decision.UNDO, undoes=9))
    assert undone.result() == deal.result()
    assert undone.penalty_cards == deal.penalty_cards


@given(st.lists(st.integers(0, 2**32 - 1), min_size=16, max_size=16), st.data())
@settings(max_examples=15, deadline=None)
def test_correcting_any_card_of_any_deal_equals_scoring_afresh(seeds: list[int], data: st.DataObject) -> None:
    match = Match(KLAVERJAS_DRIVE, Seat.NORTH)
    for number, seed in enumerate(seeds, 1):
        deal = play_out(KLAVERJAS_DRIVE, random.Random(seed)).deal
        match = match.with_deal(replace(deal, number=number))
    assert match.is_complete
    index = data.draw(st.integers(0, 15))
    trick, position = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 4))
    deal = match.deals[index]
    old = deal.tricks[trick - 1].plays[position - 1]
    wrong = deal.corrected(trick, position, old.seat, data.draw(st.sampled_from(FULL_DECK)))
    misread = match.with_deal_replaced(index, wrong)
    afresh = Match(match.reglement, match.first_dealer, misread.deals)
    assert misread.rows == afresh.rows
    right = misread.with_deal_replaced(index, wrong.corrected(trick, position, old.seat, old.card))
    assert right.deals == match.deals
    assert (right.rows, right.kruizen, right.pits) == (match.rows, match.kruizen, match.pits)


@pytest.mark.parametrize("reglement", REGLEMENTEN.values(), ids=lambda reglement: reglement.name)
def test_whatever_was_corrected_and_ruled_taking_it_all_back_gives_the_same(reglement: Reglement) -> None:
    """Of a match some deals get wrong cards and rulings, in any order, and lose them in another order."""
    chance = random.Random(f"settled {reglement.name}")
    for _ in range(max(2, DEALS // 400)):
        match = match_by_chance(reglement, chance)
        before = (match.rows, match.kruizen, match.pits, match.revokes, match.player_totals)
        changed = match
        for index in chance.sample(range(len(match.deals)), 4):
            changed = changed.with_deal_replaced(index, spoiled(changed.deals[index], chance))
            afresh = Match(reglement, match.first_dealer, tuple(map(afresh_of, changed.deals)))
            assert changed.rows == afresh.rows
            assert (changed.kruizen, changed.player_totals) == (afresh.kruizen, afresh.player_totals)
        for index in chance.sample(range(len(match.deals)), len(match.deals)):
            right = put_right(changed.deals[index], match.deals[index])
            changed = changed.with_deal_replaced(index, right)
        assert (changed.rows, changed.kruizen, changed.pits, changed.revokes, changed.player_totals) == before


def match_by_chance(reglement: Reglement, chance: random.Random) -> Match:
    match = Match(reglement, chance.choice(CLOCKWISE))
    for number in range(1, reglement.deals_per_match + 1):
        match = match.with_deal(replace(play_out(reglement, chance).deal, number=number))
    return match


def spoiled(deal: Deal, chance: random.Random) -> Deal:
    """Two cards misread, and a ruling at some place between the actions."""
    for _ in range(2):
        trick, position = chance.randint(1, 8), chance.randint(1, 4)
        seat = deal.tricks[trick - 1].plays[position - 1].seat
        deal = deal.corrected(trick, position, seat, chance.choice(FULL_DECK))
    ruling = Ruling(chance.choice(list(Decision)), seat=chance.choice(CLOCKWISE), number=7)
    cut = chance.randint(0, len(deal.actions))
    return replace(deal, actions=(*deal.actions[:cut], ruling, *deal.actions[cut:]))


def afresh_of(deal: Deal) -> Deal:
    """The same deal as if all of it were told for the first time, an action at a time."""
    told = Deal(deal.reglement, deal.dealer, deal.number)
    for action in deal.actions:
        told = told.after(action)
    return told


def put_right(deal: Deal, as_it_was: Deal) -> Deal:
    """The ruling undone and each card corrected by its place, as at the director's desk."""
    if deal == as_it_was:
        return deal
    deal = deal.ruled(Ruling(Decision.UNDO, undoes=7))
    for trick in as_it_was.tricks:
        for position, play in enumerate(trick.plays, 1):
            deal = deal.corrected(trick.number, position, play.seat, play.card)
    return deal
