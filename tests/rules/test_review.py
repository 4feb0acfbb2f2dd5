"""A deal looked back at: the value of every card, against the naive engine and the rules themselves."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rules import (
    AMSTERDAMS_MET_PASSEN,
    CLOCKWISE,
    KLAVERJAS_DRIVE,
    REGLEMENTEN,
    Card,
    Deal,
    Decision,
    Reglement,
    Ruling,
    Seat,
    Suit,
    Team,
    legal_cards,
)
from rules.actions import Exposure
from rules.errors import SolverError
from rules.solver import (
    BestPlay,
    Engine,
    Objective,
    accelerator_is_installed,
    best_play,
    dealt_hands,
    ending_after,
    prepare,
    solve,
)
from tests.rules.every_line import EveryLine
from tests.rules.generators import PlayedOut, play_out
from tests.rules.positions import begun, cards, with_tricks

NS, EW = Team.NORTH_SOUTH, Team.EAST_WEST
needs_numba = pytest.mark.skipif(
    not accelerator_is_installed(), reason="numba is niet geinstalleerd / numba is not installed"
)
reglementen = pytest.mark.parametrize("reglement", REGLEMENTEN.values(), ids=lambda reglement: reglement.name)


def stopped_after(deal: Deal, plays: int) -> Deal:
    """The deal up to its first ``plays`` cards, with nothing after them."""
    end = [index for index, action in enumerate(deal.actions) if action in deal.plays[:plays]][-1] + 1
    return replace(deal, actions=deal.actions[:end])


def left_in_hand(played: PlayedOut, plays: int) -> dict[Seat, tuple[Card, ...]]:
    gone = {play.card for play in played.deal.plays[:plays]}
    return {seat: tuple(card for card in hand if card not in gone) for seat, hand in played.hands.items()}


def won_by_north_south(deal: Deal, tricks: int) -> int:
    """Points and roem that N and S won in the first tricks, less those of E and W."""
    result = stopped_after(deal, 4 * tricks).result()
    return sum(sign * (result.points[team] + result.roem_seen[team]) for team, sign in ((NS, 1), (EW, -1)))


@reglementen
def test_every_turn_is_worth_what_every_line_says(reglement: Reglement) -> None:
    for seed in range(4):
        deal = play_out(reglement, random.Random(seed)).deal
        review = best_play(deal, from_trick=6, engine=Engine.PLAIN)
        assert [turn.played for turn in review.turns] == [play.card for play in deal.plays[20:]]
        for number, turn in enumerate(review.turns, 20):
            assert (turn.trick, turn.position) == (number // 4 + 1, number % 4 + 1)
            assert turn.seat is deal.plays[number].seat
            won = won_by_north_south(deal, number // 4)
            expected = EveryLine(ending_after(deal, number)).card_values()
            sign = 1 if turn.seat.team is NS else -1
            assert {card.code: value for card, value in turn.cards.items()} == {
                code: sign * (won + value) for code, value in expected.items()
            }
            assert turn.played is not None
            assert turn.worth == turn.cards[turn.played]
            assert turn.lost == max(turn.cards.values()) - turn.worth >= 0
            assert turn.best_cards == tuple(card for card in turn.cards if turn.cards[card] == turn.best)


def final_difference(deal: Deal) -> int:
    result = deal.result()
    return result.points[NS] + result.roem_seen[NS] - result.points[EW] - result.roem_seen[EW]


@reglementen
def test_what_every_card_lost_leads_from_the_best_to_what_was_played(reglement: Reglement) -> None:
    for seed in range(4):
        deal = play_out(reglement, random.Random(40 + seed)).deal
        review = best_play(deal, from_trick=5, engine=Engine.PLAIN)
        lost = sum(turn.lost if turn.seat.team is NS else -turn.lost for turn in review.turns)
        assert review.value(NS) - lost == final_difference(deal)
        assert review.value(EW) == -review.value(NS)


@reglementen
def test_the_result_is_that_of_the_line(reglement: Reglement) -> None:
    """Nat, pit and roem in it, called where it must be."""
    for seed in range(6):
        deal = play_out(reglement, random.Random(70 + seed)).deal
        review = best_play(deal, from_trick=5, engine=Engine.PLAIN)
        assert len(review.line) == 16
        result = review.result
        assert result.complete
        assert result.playing_team is deal.playing_team
        assert sum(result.points.values()) == 162
        assert result.roem == result.roem_seen
        difference = result.points[NS] + result.roem[NS] - result.points[EW] - result.roem[EW]
        assert difference == review.value(NS)
        assert result.nat == ((difference if result.playing_team is NS else -difference) <= 0)


def test_the_line_keeps_to_the_rules() -> None:
    played = play_out(KLAVERJAS_DRIVE, random.Random(8))
    review = best_play(played.deal, from_trick=4, engine=Engine.PLAIN)
    held = {seat: set(hand) for seat, hand in left_in_hand(played, 12).items()}
    for number, play in enumerate(review.line):
        table = review.line[number // 4 * 4 : number]
        assert play.card in legal_cards(KLAVERJAS_DRIVE, held[play.seat], table, played.deal.trump, play.seat)
        held[play.seat].remove(play.card)


@needs_numba
@reglementen
def test_a_whole_deal_is_reviewed_alike_by_both_searches_and_agrees_with_solve(reglement: Reglement) -> None:
    deal = play_out(reglement, random.Random(11)).deal
    whole = best_play(deal)
    assert len(whole.turns) == 32
    assert whole.value(NS) == solve(deal).difference(NS)
    assert whole.turns[0].cards == solve(deal).cards
    late = best_play(deal, from_trick=4, engine=Engine.PLAIN)
    assert late == best_play(deal, from_trick=4, engine=Engine.ACCELERATED)
    assert whole.turns[12:] == late.turns


def test_points_alone_when_asked() -> None:
    deal = play_out(KLAVERJAS_DRIVE, random.Random(3)).deal
    review = best_play(deal, from_trick=6, objective=Objective.POINTS, engine=Engine.PLAIN)
    assert review.objective is Objective.POINTS
    result = review.result
    assert result.points[NS] - result.points[EW] == review.value(NS)


# A deal that stopped.


def reviewed(played: PlayedOut, plays: int) -> BestPlay:
    stopped = stopped_after(played.deal, plays).ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.EAST))
    return best_play(stopped, left_in_hand(played, plays), from_trick=5, engine=Engine.PLAIN)


@pytest.mark.parametrize("plays", [16, 19, 24, 31])
def test_a_stopped_deal_is_reviewed_up_to_where_it_stopped(plays: int) -> None:
    played = play_out(AMSTERDAMS_MET_PASSEN, random.Random(21))
    whole = best_play(played.deal, from_trick=5, engine=Engine.PLAIN)
    stopped = reviewed(played, plays)
    assert stopped.turns[:-1] == whole.turns[: plays - 16]
    last = stopped.turns[-1]
    assert (last.played, last.worth, last.lost) == (None, None, 0)
    assert (last.seat, last.cards) == (whole.turns[plays - 16].seat, whole.turns[plays - 16].cards)
    assert (stopped.line, stopped.result) == (whole.line, whole.result)
    assert stopped.result.stopped_by is None


def test_one_card_left_need_not_be_laid_open_nor_a_strafkaart() -> None:
    played = play_out(KLAVERJAS_DRIVE, random.Random(22))
    assert dealt_hands(stopped_after(played.deal, 31)) == {
        seat: frozenset(hand) for seat, hand in played.hands.items()
    }
    last_two = stopped_after(played.deal, 30)
    shown = played.deal.plays[30]
    assert dealt_hands(last_two.after(Exposure(shown.seat, shown.card))) == dealt_hands(played.deal)
    with pytest.raises(SolverError, match="30 plays"):
        dealt_hands(last_two)


def test_a_verzaking_is_reviewed_as_if_it_were_allowed() -> None:
    """East throws a spade on clubs with the king of clubs in hand; by the last trick all hands are known."""
    deal = begun(KLAVERJAS_DRIVE, Suit.HEARTS, Seat.EAST)
    deal = with_tricks(
        deal,
        (
            "SA S7 S8 S9",
            "ST SJ SQ SK",
            "CQ C7 D7 C8",
            "HJ H7 HQ H8",
            "H9 HA HK HT",
            "D9 D8 DJ DA",
            "DT DQ CK CA",
            "DK C9 CT CJ",
        ),
    )
    (revoke,) = deal.revokes
    assert (revoke.trick, revoke.card) == (3, *cards("D7"))
    review = best_play(deal, from_trick=3, engine=Engine.PLAIN)
    turn = next(turn for turn in review.turns if turn.trick == 3 and turn.seat is revoke.seat)
    assert turn.played == revoke.card
    assert turn.played not in turn.cards
    assert set(turn.cards) == set(revoke.should_have_played)
    assert turn.worth is not None
    lost = sum(turn.lost if turn.seat.team is NS else -turn.lost for turn in review.turns)
    assert review.value(NS) - lost == final_difference(deal)


def test_hands_that_are_not_known_are_refused() -> None:
    played = play_out(KLAVERJAS_DRIVE, random.Random(5))
    stopped = stopped_after(played.deal, 16)
    held = left_in_hand(played, 16)
    everything = dict.fromkeys(CLOCKWISE, ())
    north = held[Seat.NORTH]
    for wrong in (
        everything,
        {**held, Seat.NORTH: north[1:], Seat.EAST: held[Seat.EAST][1:]},
        {**held, Seat.NORTH: (*north[1:], held[Seat.EAST][0])},
        {**held, Seat.NORTH: (*north, held[Seat.EAST][0])},
    ):
        with pytest.raises(SolverError, match="of a deal that stopped give what each seat still held"):
            best_play(stopped, wrong)
    with pytest.raises(SolverError, match="trump unknown"):
        dealt_hands(Deal(KLAVERJAS_DRIVE, Seat.SOUTH))
    for trick in (0, 9):
        with pytest.raises(SolverError, match=f"best play cannot begin at {trick}"):
            best_play(played.deal, from_trick=trick)
    with pytest.raises(SolverError, match="16 cards were played; there is no position after 20"):
        best_play(stopped, held, from_trick=6)
    # What one seat alone lacks is known all the same.
    almost = {**held, Seat.NORTH: north[1:]}
    assert best_play(stopped, almost, from_trick=5) == best_play(stopped, held, from_trick=5)


def test_preparing_tells_whether_there_was_anything_to_prepare() -> None:
    assert prepare() == accelerator_is_installed()
