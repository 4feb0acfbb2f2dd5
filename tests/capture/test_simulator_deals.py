"""The deals that the simulator plays, judged by the rules engine."""

from __future__ import annotations

import pytest

from capture.simulator import Irregularity, simulate_deal, simulate_match
from rules import AMSTERDAMS_MET_PASSEN, FULL_DECK, KLAVERJAS_DRIVE, ROTTERDAMS, Reglement, Seat
from tests.tracker.simulated_tables import told_to_rules

REGLEMENTEN = [AMSTERDAMS_MET_PASSEN, KLAVERJAS_DRIVE, ROTTERDAMS]


@pytest.mark.parametrize("reglement", REGLEMENTEN, ids=lambda reglement: str(reglement.name))
def test_a_clean_deal_is_legal_play(reglement: Reglement) -> None:
    for seed in range(40):
        deal = told_to_rules(simulate_deal(seed, reglement, dealer=Seat.WEST))
        assert deal.faults == ()
        assert deal.revokes == ()
        assert deal.result().complete


def test_every_card_is_played_once_by_who_holds_it() -> None:
    for seed in range(40):
        played = simulate_deal(seed)
        assert {play.card for play in played.plays} == set(FULL_DECK)
        assert len(played.plays) == 32
        for seat, hand in played.hands.items():
            assert {play.card for play in played.plays if play.seat is seat} == set(hand)


def test_the_winner_of_a_trick_leads_the_next() -> None:
    played = simulate_deal(3)
    assert played.tricks[0][0].seat is played.dealer.left
    for winner, following in zip(played.winners, played.tricks[1:], strict=False):
        assert following[0].seat is winner


@pytest.mark.parametrize("reglement", REGLEMENTEN, ids=lambda reglement: str(reglement.name))
def test_verzaken_that_was_asked_for_is_proven_by_the_end_and_nothing_else(reglement: Reglement) -> None:
    for seed in range(40):
        played = simulate_deal(seed, reglement, irregularity=Irregularity.VERZAKEN)
        assert played.mishap is not None
        proven = [(revoke.seat, revoke.trick, revoke.card) for revoke in told_to_rules(played).revokes]
        assert proven == [(played.mishap.seat, played.mishap.trick, played.mishap.card)]


def test_a_card_out_of_turn_is_the_only_fault_of_its_deal() -> None:
    for seed in range(20):
        played = simulate_deal(seed, irregularity=Irregularity.OUT_OF_TURN)
        assert played.mishap is not None
        deal = told_to_rules(played)
        assert deal.revokes == ()
        assert [(fault.trick, fault.seat) for fault in deal.faults] == [
            (played.mishap.trick, played.mishap.seat)
        ]


def test_a_seed_gives_the_same_deal_again_and_another_seed_another() -> None:
    assert simulate_deal(5) == simulate_deal(5)
    assert simulate_deal(5).hands != simulate_deal(6).hands


def test_in_a_match_the_deal_goes_round_and_only_the_chosen_deal_has_a_fault() -> None:
    match = simulate_match(8, 3, first_dealer=Seat.NORTH, irregularities={2: Irregularity.VERZAKEN})
    assert [deal.dealer for deal in match] == [Seat.NORTH, Seat.EAST, Seat.SOUTH]
    assert [deal.mishap is not None for deal in match] == [False, True, False]


def test_players_pass_weak_hands_where_passing_is_played() -> None:
    passes = [len(simulate_deal(seed, AMSTERDAMS_MET_PASSEN).passes) for seed in range(60)]
    assert min(passes) == 0
    assert max(passes) >= 1
    assert all(simulate_deal(seed, KLAVERJAS_DRIVE).passes == () for seed in range(10))
