"""What can go wrong beside the play itself: roem, strafkaarten, hands of the wrong size, a stopped deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules import (
    AMSTERDAMS_MET_PASSEN,
    KLAVERJAS_DRIVE,
    Deal,
    Decision,
    Drive,
    FaultKind,
    PenaltyCall,
    Ruling,
    Seat,
    Suit,
    Team,
    parse_card,
    parse_deal,
)
from tests.rules.positions import begun, cards, with_tricks

NS, EW = Team.NORTH_SOUTH, Team.EAST_WEST
HEARTS = begun(KLAVERJAS_DRIVE, Suit.HEARTS)


def kinds(deal: Deal) -> list[FaultKind]:
    return [fault.kind for fault in deal.faults]


def open_cards(deal: Deal) -> list[str]:
    return [penalty.card.code for penalty in deal.penalty_cards]


# Roem called in more than one call (article 4).


def roem_deal() -> Deal:
    """West took the row of ace, king and queen of hearts, with the stuk: 20 and 20."""
    return with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), ["HA HK HQ H7"], covered=False)


def test_roem_may_be_called_piece_by_piece_by_either_side() -> None:
    deal = roem_deal().roem_called(Seat.WEST, 1, 20).roem_called(Seat.NORTH, 1, 20)
    assert deal.result().roem == {NS: 0, EW: 40}
    assert kinds(deal) == []


def test_all_roem_called_at_once_makes_good_what_was_called_before() -> None:
    deal = roem_deal().roem_called(Seat.WEST, 1, 20).roem_called(Seat.NORTH, 1, 40)
    assert deal.result().roem == {NS: 0, EW: 40}
    assert kinds(deal) == []


def test_roem_of_which_a_piece_was_not_called_does_not_count() -> None:
    deal = roem_deal().roem_called(Seat.WEST, 1, 20)
    assert deal.result().roem == {NS: 0, EW: 0}
    assert kinds(deal) == [FaultKind.ROEM_WRONG]


def test_pieces_of_different_size() -> None:
    """Ten to king of hearts is 50, the stuk 20."""
    deal = with_tricks(begun(AMSTERDAMS_MET_PASSEN, Suit.HEARTS), ["HT HJ HQ HK"], covered=False)
    called = deal.roem_called(Seat.EAST, 1, 20).roem_called(Seat.EAST, 1, 50)
    assert sum(called.result().roem.values()) == 70
    assert sum(deal.roem_called(Seat.EAST, 1, 50).result().roem.values()) == 0


# Strafkaarten (articles 11 and 13).


def test_a_strafkaart_played_as_a_repair_no_longer_lies_open() -> None:
    deal = with_tricks(HEARTS.exposed(Seat.NORTH, parse_card("SA")), ["S7 C8"])
    repaired = deal.repaired(Seat.NORTH, parse_card("SA"))
    assert open_cards(repaired) == ["C8"]


def test_the_same_card_laid_down_again_is_no_strafkaart() -> None:
    deal = with_tricks(HEARTS, ["S7 S8"])
    assert open_cards(deal.repaired(Seat.NORTH, parse_card("S8"))) == []


def test_a_card_shown_twice_is_one_strafkaart() -> None:
    deal = HEARTS.exposed(Seat.NORTH, parse_card("SA")).exposed(Seat.NORTH, parse_card("SA"))
    assert open_cards(deal) == ["SA"]
    assert kinds(deal) == []


def test_a_card_shown_where_it_cannot_be_is_reported() -> None:
    elsewhere = HEARTS.exposed(Seat.NORTH, parse_card("SA")).exposed(Seat.EAST, parse_card("SA"))
    assert kinds(elsewhere) == [FaultKind.SHOWN_WRONGLY]
    assert [penalty.seat for penalty in elsewhere.penalty_cards] == [Seat.NORTH]
    played = with_tricks(HEARTS, ["S7"]).exposed(Seat.NORTH, parse_card("S7"))
    assert kinds(played) == [FaultKind.SHOWN_WRONGLY]
    assert open_cards(played) == []


def test_a_ruling_strafkaart_without_a_card_is_reported() -> None:
    deal = HEARTS.ruled(Ruling(Decision.PENALTY_CARD, seat=Seat.NORTH))
    assert kinds(deal) == [FaultKind.RULING_NEEDS_CARD]


def penalised(call: PenaltyCall) -> Deal:
    """North's ace of spades lies open, and east, to the left, said what is to be done with it."""
    return HEARTS.exposed(Seat.NORTH, parse_card("SA")).penalty_called(Seat.EAST, parse_card("SA"), call)


def test_bijspelen_is_for_the_next_card() -> None:
    followed = with_tricks(penalised(PenaltyCall.FOLLOW), ["S7 SA"])
    kept = with_tricks(penalised(PenaltyCall.FOLLOW), ["S7 S8"])
    assert kinds(followed) == []
    assert kinds(kept) == [FaultKind.PENALTY_CARD_KEPT]
    assert kept.faults[0].card == parse_card("S8")
    # Told once; it may be asked again.
    assert kinds(with_tricks(kept, ["S9 ST"])) == [FaultKind.PENALTY_CARD_KEPT]


def test_voorspelen_is_for_the_next_lead() -> None:
    deal = with_tricks(penalised(PenaltyCall.LEAD), ["C7 CA C8 C9"])
    assert deal.turn is Seat.NORTH
    assert kinds(deal) == []
    assert kinds(deal.played(Seat.NORTH, parse_card("SA"))) == []
    assert kinds(deal.played(Seat.NORTH, parse_card("D7"))) == [FaultKind.PENALTY_CARD_KEPT]


def test_a_strafkaart_to_be_led_may_be_needed_before() -> None:
    """North follows suit with it, and has nothing left to lead."""
    deal = with_tricks(penalised(PenaltyCall.LEAD), ["S7 SA S8 S9", "D7"])
    assert kinds(deal) == []


@pytest.mark.parametrize(("seat", "card"), [(Seat.WEST, "SA"), (Seat.EAST, "SK")])
def test_a_call_about_no_strafkaart_is_reported(seat: Seat, card: str) -> None:
    deal = HEARTS.exposed(Seat.NORTH, parse_card("SA"))
    deal = deal.penalty_called(seat, parse_card(card), PenaltyCall.FOLLOW)
    assert kinds(deal) == [FaultKind.NO_SUCH_PENALTY_CARD]


# Hands of the wrong size (article 5).


def test_who_has_no_card_for_the_last_trick_had_too_few() -> None:
    tricks = [
        " ".join(f"{suit}{rank}" for suit in "CDSH") for rank in "789TQK"
    ]  # every trick goes to a trump
    deal = HEARTS
    for number, trick in enumerate([*tricks, "CA DA SA HA"]):
        seats = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
        for place, card in enumerate(cards(trick)):
            deal = deal.played(seats[(place + number) % 4], card)
        deal = deal.trick_covered()
    deal = deal.played(Seat.EAST, parse_card("CJ")).played(Seat.SOUTH, parse_card("DJ"))
    deal = deal.played(Seat.WEST, parse_card("SJ")).trick_covered()
    short = [fault for fault in deal.faults if fault.kind is FaultKind.TOO_FEW_CARDS]
    assert [fault.seat for fault in short] == [Seat.NORTH]
    assert "artikel 5" in short[0].reason.article
    assert "7 kaarten" in short[0].reason.dutch


# A deal that a ruling stopped, and rulings that do not fit (articles 13 and 14).


def test_after_a_ruling_that_stops_it_nobody_is_to_play() -> None:
    deal = with_tricks(HEARTS, ["S7 S8 S9 SA"])
    stopped = deal.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.NORTH))
    assert stopped.turn is None
    more = with_tricks(stopped, ["C7 C8 C9 CA"])
    assert kinds(more) == [FaultKind.STOPPED]
    assert more.result().score_points == stopped.result().score_points
    undone = more.ruled(Ruling(Decision.UNDO, undoes=1))
    assert kinds(undone) == []
    assert undone.turn is not None


def test_two_rulings_of_one_number_are_reported() -> None:
    deal = with_tricks(HEARTS, ["S7 S8 S9 SA"])
    deal = deal.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.NORTH, number=1))
    deal = deal.ruled(Ruling(Decision.NO_ACTION, number=1)).ruled(Ruling(Decision.UNDO, undoes=1, number=2))
    assert kinds(deal) == [FaultKind.RULING_NUMBER_TWICE]


@pytest.mark.parametrize(
    ("ruling", "is_individual"),
    [
        (Ruling(Decision.REVOKE_PAIRS, seat=Seat.NORTH), True),
        (Ruling(Decision.REVOKE_INDIVIDUAL, seat=Seat.NORTH), False),
        (Ruling(Decision.REVOKE_PAIRS, seat=Seat.NORTH, trick=3), False),
        (Ruling(Decision.REVOKE_PAIRS, seat=Seat.NORTH, found_after_trick=2), False),
    ],
)
def test_a_ruling_that_does_not_fit_counts_and_is_reported(ruling: Ruling, is_individual: bool) -> None:
    deal = with_tricks(HEARTS, ["S7 S8 S9 SA", "C7"])
    if is_individual:
        deal = replace(deal, reglement=replace(KLAVERJAS_DRIVE, drive=Drive.INDIVIDUAL))
    ruled = deal.ruled(ruling)
    assert kinds(ruled) == [FaultKind.RULING_DOES_NOT_FIT]
    assert ruled.result().stopped_by == ruling


def test_rulings_that_fit_are_not_reported() -> None:
    deal = with_tricks(HEARTS, ["S7 S8 S9 SA", "C7"])
    ruling = Ruling(Decision.REVOKE_PAIRS, seat=Seat.NORTH, trick=2, found_after_trick=1)
    assert kinds(deal.ruled(ruling)) == []
    assert kinds(HEARTS.ruled(Ruling(Decision.WRONG_ACCUSATION, seat=Seat.NORTH, trick=1))) == []


def test_a_line_without_strokes_gives_the_lead_to_who_won() -> None:
    deal = parse_deal("spel 1 klaverjas-drive gever Z speelt W H : W H7 HB HA H8 SA S7 S8 S9")
    assert deal.faults == ()
    assert deal.tricks[1].leader is Seat.NORTH
