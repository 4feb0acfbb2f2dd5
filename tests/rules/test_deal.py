"""A deal as it runs: bidding, turns, roem, running state, and faults as values."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    AMSTERDAMS_MET_PASSEN,
    CLOCKWISE,
    FULL_DECK,
    KLAVERJAS_DRIVE,
    ROTTERDAMS,
    Deal,
    FaultKind,
    FirstSpeaker,
    PenaltyCall,
    PenaltyCard,
    Reglement,
    Seat,
    Suit,
    Team,
    Trick,
    card_points,
    parse_card,
    penalty_calls,
)
from tests.rules.generators import PlayedOut, play_out, played_out_deals, reglementen
from tests.rules.positions import begun, cards, legal_now, trick_of, with_tricks


def kinds(deal: Deal) -> list[FaultKind]:
    return [fault.kind for fault in deal.faults]


# Bidding.


def test_the_left_hand_neighbour_speaks_first_and_leads_whoever_plays() -> None:
    deal = Deal(AMSTERDAMS_MET_PASSEN, Seat.SOUTH)
    assert (deal.speaker, deal.turn, deal.trump, deal.playing_team) == (Seat.WEST, Seat.WEST, None, None)
    deal = deal.passed(Seat.WEST).passed(Seat.NORTH)
    assert deal.speaker is Seat.EAST
    deal = deal.declared(Seat.EAST, Suit.SPADES)
    assert (deal.declarer, deal.trump, deal.playing_team) == (Seat.EAST, Suit.SPADES, Team.EAST_WEST)
    assert (deal.speaker, deal.turn) == (None, Seat.WEST)
    assert deal.faults == ()


def test_passes_that_nobody_heard_are_taken_as_said() -> None:
    deal = Deal(AMSTERDAMS_MET_PASSEN, Seat.SOUTH).declared(Seat.SOUTH, Suit.CLUBS)
    assert deal.declarer is Seat.SOUTH
    assert deal.faults == ()


def test_the_first_suit_named_stays() -> None:
    deal = begun(KLAVERJAS_DRIVE, Suit.CLUBS).declared(Seat.WEST, Suit.HEARTS)
    assert deal.trump is Suit.CLUBS
    assert kinds(deal) == [FaultKind.TRUMP_TWICE]
    assert deal.faults[0].reason.article.endswith("artikel 9")


@pytest.mark.parametrize(
    ("deal", "kind"),
    [
        (Deal(KLAVERJAS_DRIVE, Seat.SOUTH).passed(Seat.WEST), FaultKind.NOT_ALLOWED_TO_PASS),
        (
            Deal(KLAVERJAS_DRIVE, Seat.SOUTH).declared(Seat.NORTH, Suit.CLUBS),
            FaultKind.NOT_ALLOWED_TO_DECLARE,
        ),
        (Deal(AMSTERDAMS_MET_PASSEN, Seat.SOUTH).passed(Seat.EAST), FaultKind.OUT_OF_TURN),
        (
            Deal(AMSTERDAMS_MET_PASSEN, Seat.SOUTH).passed(Seat.WEST).declared(Seat.WEST, Suit.CLUBS),
            FaultKind.NOT_ALLOWED_TO_DECLARE,
        ),
        (begun(AMSTERDAMS_MET_PASSEN, Suit.CLUBS).passed(Seat.NORTH), FaultKind.NOT_ALLOWED_TO_PASS),
    ],
)
def test_faults_in_bidding(deal: Deal, kind: FaultKind) -> None:
    assert kinds(deal) == [kind]


def test_after_four_passes_only_the_first_may_play() -> None:
    deal = Deal(AMSTERDAMS_MET_PASSEN, Seat.SOUTH)
    for seat in (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH):
        deal = deal.passed(seat)
    assert deal.must_declare
    assert kinds(deal.declared(Seat.WEST, Suit.CLUBS)) == []
    assert kinds(deal.declared(Seat.NORTH, Suit.CLUBS)) == [FaultKind.NOT_ALLOWED_TO_DECLARE]


def test_where_the_dealer_speaks_first_the_left_hand_neighbour_still_leads() -> None:
    deal = Deal(replace(ROTTERDAMS, first_speaker=FirstSpeaker.DEALER), Seat.SOUTH)
    assert (deal.speaker, deal.turn) == (Seat.SOUTH, Seat.WEST)


# Running.


def test_the_running_state_after_each_card() -> None:
    deal = begun(KLAVERJAS_DRIVE, Suit.HEARTS)
    for play in trick_of("HJ H7 HA", Seat.WEST):
        deal = deal.played(play.seat, play.card)
        assert sum(deal.result().points.values()) == 0
    assert deal.turn is Seat.SOUTH
    assert deal.winners == (None,)
    deal = deal.played(Seat.SOUTH, *cards("H9"))
    assert (deal.turn, deal.winners) == (Seat.WEST, (Seat.WEST,))
    result = deal.result()
    assert result.points == {Team.NORTH_SOUTH: 0, Team.EAST_WEST: 45}
    assert (result.complete, result.nat, result.pit) == (False, False, False)
    assert [reason.code for reason in result.reasons] == ["unfinished"]
    assert [trick.number for trick in deal.tricks] == [1]
    assert (deal.tricks[0].leader, deal.tricks[0].led_suit, deal.tricks[0].is_full) == (
        Seat.WEST,
        Suit.HEARTS,
        True,
    )


def test_trump_may_be_named_after_cards_were_seen() -> None:
    """A camera may learn trump only from the play."""
    plays = Deal(KLAVERJAS_DRIVE, Seat.SOUTH)
    for play in trick_of("CA H7 C8 C9", Seat.WEST):
        plays = plays.played(play.seat, play.card)
    assert kinds(plays) == [FaultKind.TRUMP_UNKNOWN]
    assert (plays.turn, plays.winners) == (None, (None,))
    assert [reason.code for reason in plays.result().reasons] == ["trump-unknown"]
    known = plays.declared(Seat.WEST, Suit.HEARTS)
    assert (known.turn, known.faults) == (Seat.NORTH, ())
    assert known.result().points[Team.NORTH_SOUTH] == 11


@given(played_out_deals())
@settings(max_examples=50, deadline=None)
def test_a_deal_runs_the_same_card_by_card(played: PlayedOut) -> None:
    deal = Deal(played.deal.reglement, played.deal.dealer)
    held = {seat: list(hand) for seat, hand in played.hands.items()}
    for action in played.deal.actions:
        card = getattr(action, "card", None)
        if card is not None:
            seat = deal.turn
            assert seat is not None
            assert card in legal_now(deal, held[seat])
            held[seat].remove(card)
        deal = deal.after(action)
    assert deal == played.deal
    assert deal.turn is None
    assert deal.result() == played.deal.result()
    assert deal.covered_tricks == 8


def test_the_last_ten_go_to_the_last_trick_also_where_seat_one_did_not_lead() -> None:
    for seed in range(50):
        deal = play_out(KLAVERJAS_DRIVE, random.Random(seed)).deal
        before = Deal(deal.reglement, deal.dealer, 1, deal.actions[:-1])
        while before.is_complete:
            before = Deal(deal.reglement, deal.dealer, 1, before.actions[:-1])
        winner = deal.winners[-1]
        assert winner is not None
        gained = deal.result().points[winner.team] - before.result().points[winner.team]
        assert gained == sum(card_points_of(deal)) + 10


def card_points_of(deal: Deal) -> list[int]:
    assert deal.trump is not None
    return [card_points(card, deal.trump) for card in deal.tricks[-1].cards]


# Roem.

ROW_TRICK = "D7 D8 D9 CA"


def test_roem_counts_when_called_in_time_by_either_side() -> None:
    for caller in CLOCKWISE:
        deal = with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), [ROW_TRICK], covered=False)
        result = deal.roem_called(caller, 1, 20).trick_covered().result()
        assert result.roem == result.roem_called == {Team.NORTH_SOUTH: 0, Team.EAST_WEST: 20}


def test_roem_not_called_does_not_count_but_is_seen() -> None:
    result = with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), [ROW_TRICK]).result()
    assert sum(result.roem.values()) == 0
    assert sum(result.roem_seen.values()) == 20
    seen = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), [ROW_TRICK]).result()
    assert sum(seen.roem.values()) == 20
    assert sum(seen.roem_called.values()) == 0


def test_roem_called_too_late_does_not_count() -> None:
    covered = with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), [ROW_TRICK])
    led_on = with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), [ROW_TRICK, "C7"], covered=False)
    for deal in (covered, led_on):
        late = deal.roem_called(Seat.NORTH, 1, 20)
        assert kinds(late) == [FaultKind.ROEM_TOO_LATE]
        assert sum(late.result().roem.values()) == 0


@pytest.mark.parametrize("points", [0, 40, 50])
def test_roem_called_wrongly_does_not_count(points: int) -> None:
    deal = with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), [ROW_TRICK], covered=False)
    deal = deal.roem_called(Seat.NORTH, 1, points)
    assert kinds(deal) == [FaultKind.ROEM_WRONG]
    assert sum(deal.result().roem.values()) == 0
    # Put right before the trick is covered, it counts.
    right = deal.roem_called(Seat.NORTH, 1, 20)
    assert kinds(right) == []
    assert sum(right.result().roem.values()) == 20


@pytest.mark.parametrize("trick", [0, 2, 9])
def test_roem_for_a_trick_that_is_not_there(trick: int) -> None:
    deal = with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), ["D7"]).roem_called(Seat.NORTH, trick, 20)
    assert kinds(deal) == [FaultKind.NO_SUCH_TRICK]


# Faults in play.


def test_a_card_out_of_turn_is_placed_and_the_turn_stays() -> None:
    deal = begun(KLAVERJAS_DRIVE, Suit.HEARTS).played(Seat.WEST, *cards("C7"))
    deal = deal.played(Seat.SOUTH, *cards("CA"))
    (fault,) = deal.faults
    assert (fault.kind, fault.seat, fault.card, fault.trick) == (
        FaultKind.OUT_OF_TURN,
        Seat.SOUTH,
        *cards("CA"),
        1,
    )
    assert fault.reason.article.endswith("artikel 11")
    assert deal.turn is Seat.NORTH
    deal = deal.played(Seat.NORTH, *cards("C8")).played(Seat.EAST, *cards("C9"))
    assert (deal.turn, deal.winners) == (Seat.SOUTH, (Seat.SOUTH,))
    assert len(deal.faults) == 1


def test_the_last_two_swapped_leave_the_trick_whole() -> None:
    deal = begun(KLAVERJAS_DRIVE, Suit.HEARTS)
    for seat, code in zip("WSEN", ("C7", "C8", "C9", "CA"), strict=True):
        deal = deal.played(Seat(seat), *cards(code))
    assert deal.winners == (Seat.NORTH,)
    assert kinds(deal) == [FaultKind.OUT_OF_TURN, FaultKind.OUT_OF_TURN]


def test_a_wrong_leader_leads_the_trick_all_the_same() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["CA C7 C8 C9"]).played(Seat.EAST, *cards("DA"))
    assert kinds(deal) == [FaultKind.OUT_OF_TURN]
    assert deal.faults[0].trick == 2
    assert (deal.tricks[1].leader, deal.turn) == (Seat.EAST, Seat.SOUTH)


def test_a_second_card_in_a_trick_has_no_place() -> None:
    deal = begun(KLAVERJAS_DRIVE, Suit.HEARTS).played(Seat.WEST, *cards("C7")).played(Seat.WEST, *cards("C8"))
    assert kinds(deal) == [FaultKind.SECOND_CARD_IN_TRICK]
    assert len(deal.plays) == 1
    assert deal.turn is Seat.NORTH


def test_a_card_seen_twice_keeps_its_place_until_it_is_corrected() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["CA C7 C8 C9", "DA D7 D8 C7"])
    (fault,) = deal.faults
    assert (fault.kind, fault.trick, fault.card) == (FaultKind.CARD_TWICE, 2, *cards("C7"))
    right = deal.corrected(2, 4, Seat.SOUTH, *cards("D9"))
    assert right.faults == ()
    assert right == with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["CA C7 C8 C9", "DA D7 D8 D9"])


def test_every_fault_of_one_card_is_reported() -> None:
    deal = play_out(KLAVERJAS_DRIVE, random.Random(3)).deal
    again = deal.played(Seat.NORTH, deal.plays[0].card)
    assert kinds(again) == [
        FaultKind.CARD_TWICE,
        FaultKind.NINE_CARDS,
        FaultKind.TOO_MANY_CARDS,
        FaultKind.AFTER_END,
    ]
    assert again.result() == deal.result()
    assert all(fault.reason.dutch and fault.reason.english for fault in again.faults)


def test_a_trick_covered_with_cards_missing_has_no_winner_and_play_goes_on() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["CA C7 C8"]).trick_covered()
    assert kinds(deal) == [FaultKind.TRICK_INCOMPLETE]
    assert (deal.turn, deal.winners) == (None, (None,))
    deal = deal.played(Seat.NORTH, *cards("DA"))
    assert (len(deal.tricks), deal.turn) == (2, Seat.EAST)
    assert len(deal.faults) == 1


def test_a_trick_without_cards_has_no_leader_and_no_suit() -> None:
    empty = Trick(1, ())
    assert (empty.leader, empty.led_suit, empty.is_full, empty.cards) == (None, None, False, ())


def test_nothing_to_cover() -> None:
    assert kinds(begun(KLAVERJAS_DRIVE, Suit.HEARTS).trick_covered()) == [FaultKind.NO_TRICK_TO_COVER]


# Repair and strafkaarten.


def test_a_card_taken_back_before_the_trick_is_covered_is_a_strafkaart() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["CA S7 C8 C9"], covered=False)
    repaired = deal.repaired(Seat.NORTH, *cards("C7"))
    assert repaired.tricks[0].cards == cards("CA C7 C8 C9")
    assert repaired.penalty_cards == (PenaltyCard(Seat.NORTH, parse_card("S7"), 1),)
    assert repaired.faults == ()
    # It may be played later, and then it lies open no more.
    later = with_tricks(repaired, ["SA S7"])
    assert later.penalty_cards == ()
    assert later.faults == ()


def test_a_repair_can_change_the_winner() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["CK S7 C8 C9"], covered=False)
    assert deal.winners == (Seat.WEST,)
    assert deal.repaired(Seat.NORTH, *cards("CA")).winners == (Seat.NORTH,)


def test_a_covered_trick_cannot_be_repaired() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["CA S7 C8 C9"]).repaired(
        Seat.NORTH, *cards("C7")
    )
    assert kinds(deal) == [FaultKind.REPAIR_TOO_LATE]
    assert deal.tricks[0].cards == cards("CA S7 C8 C9")


def test_what_may_be_said_about_a_strafkaart() -> None:
    penalty = PenaltyCard(Seat.NORTH, parse_card("S7"), 1)
    hand = cards("S7 C8 D9")

    def calls(trick: str) -> tuple[PenaltyCall, ...]:
        return penalty_calls(KLAVERJAS_DRIVE, hand, trick_of(trick, Seat.WEST), Suit.HEARTS, penalty)

    assert calls("") == (PenaltyCall.LEAD,)
    assert calls("SA") == (PenaltyCall.FOLLOW, PenaltyCall.LEAD)
    # North holds a club: bijspelen would be verzaken.
    assert calls("CA") == (PenaltyCall.LEAD,)


def test_an_exposed_card_lies_open_until_played() -> None:
    deal = begun(KLAVERJAS_DRIVE, Suit.HEARTS).exposed(Seat.NORTH, *cards("C7"))
    assert deal.penalty_cards == (PenaltyCard(Seat.NORTH, parse_card("C7"), 0),)
    assert deal.plays == ()
    assert with_tricks(deal, ["CA C7"]).penalty_cards == ()


# Anything at all.

_seats = st.sampled_from(CLOCKWISE)
_cards = st.sampled_from(FULL_DECK)


@given(reglementen, _seats, st.data())
@settings(max_examples=150, deadline=None)
def test_no_order_of_events_is_refused(reglement: Reglement, dealer: Seat, data: st.DataObject) -> None:
    deal = Deal(reglement, dealer)
    for _ in range(data.draw(st.integers(0, 45))):
        seat = data.draw(_seats)
        choice = data.draw(st.integers(0, 9))
        if choice == 0:
            deal = deal.passed(seat)
        elif choice == 1:
            deal = deal.declared(seat, data.draw(st.sampled_from(Suit)))
        elif choice == 2:
            deal = deal.trick_covered()
        elif choice == 3:
            deal = deal.roem_called(seat, data.draw(st.integers(-1, 10)), data.draw(st.integers(-20, 200)))
        elif choice == 4:
            deal = deal.repaired(seat, data.draw(_cards))
        elif choice == 5:
            deal = deal.corrected(
                data.draw(st.integers(-1, 9)), data.draw(st.integers(-1, 5)), seat, data.draw(_cards)
            )
        else:
            deal = deal.played(seat, data.draw(_cards))
    assert len(deal.tricks) <= 8
    assert all(len({play.seat for play in trick.plays}) == len(trick.plays) for trick in deal.tricks)
    result = deal.result()
    assert all(points >= 0 for points in result.points.values())
    assert all(fault.reason.dutch for fault in deal.faults)
    assert len(deal.revokes) + len(deal.possible_revokes) + len(deal.doubts) <= 32
