"""The solver against every line played out by the naive engine, and its two searches against each other.

``KLAVEROOG_SOLVER_ENDINGS`` sets how many endings of each reglement are played out; one in three has four
tricks, the others three.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    CLOCKWISE,
    KLAVERJAS_DRIVE,
    REGLEMENTEN,
    ROTTERDAMS,
    Card,
    Deal,
    Ending,
    OverPartner,
    Play,
    Rank,
    Reglement,
    Seat,
    Suit,
    Team,
    UnderOpponent,
    card_points,
    legal_cards,
    roem_in_trick,
    trick_winner,
)
from rules.errors import SolverError
from rules.solver import Engine, Objective, accelerator_is_installed, ending_after, solve
from rules.solver.board import Board, Search, close_in
from rules.solver.plain import PlainSearch
from rules.solver.search import PLAIN_IS_QUICK, search_for
from tests.rules.every_line import EveryLine
from tests.rules.generators import play_out
from tests.rules.positions import cards, trick_of

NS, EW = Team.NORTH_SOUTH, Team.EAST_WEST
ENDINGS = int(os.environ.get("KLAVEROOG_SOLVER_ENDINGS", "300"))

needs_numba = pytest.mark.skipif(
    not accelerator_is_installed(), reason="numba is niet geinstalleerd / numba is not installed"
)
engines = pytest.mark.parametrize(
    "engine",
    [Engine.PLAIN, pytest.param(Engine.ACCELERATED, marks=needs_numba)],
    ids=lambda engine: engine.value,
)
reglementen = pytest.mark.parametrize("reglement", REGLEMENTEN.values(), ids=lambda reglement: reglement.name)


def ending_of(reglement: Reglement, seed: int, tricks: int, on_table: int = 0) -> Ending:
    """The rest of a deal that was played by chance."""
    return ending_after(play_out(reglement, random.Random(seed)).deal, 4 * (8 - tricks) + on_table)


def some_endings(reglement: Reglement) -> Iterator[Ending]:
    """Of three tricks and, one in three, of four; from the lead or with up to three cards on the table."""
    for seed in range(ENDINGS):
        yield ending_of(reglement, seed, tricks=3 + (seed % 3 == 0), on_table=seed // 3 % 4)


def objective_of(number: int) -> Objective:
    """Mostly with roem."""
    return Objective.POINTS if number % 10 == 9 else Objective.DIFFERENCE


@reglementen
def test_every_card_is_worth_what_every_line_says(reglement: Reglement) -> None:
    for number, ending in enumerate(some_endings(reglement)):
        objective = objective_of(number)
        expected = EveryLine(ending, objective is Objective.DIFFERENCE).card_values()
        solution = solve(ending, objective, engine=Engine.PLAIN)
        assert solution.turn is not None
        sign = 1 if solution.turn.team is NS else -1
        assert {card.code: sign * value for card, value in solution.cards.items()} == expected
        assert solution.difference(solution.turn.team) == max(solution.cards.values())


@needs_numba
@reglementen
def test_both_searches_agree(reglement: Reglement) -> None:
    for number, ending in enumerate(islice(some_endings(reglement), ENDINGS // 2)):
        objective = objective_of(number)
        assert solve(ending, objective, engine=Engine.ACCELERATED) == solve(
            ending, objective, engine=Engine.PLAIN
        )


@needs_numba
@reglementen
def test_both_searches_agree_on_five_tricks(reglement: Reglement) -> None:
    for seed in range(6):
        ending = ending_of(reglement, 9000 + seed, tricks=5)
        assert solve(ending, engine=Engine.ACCELERATED) == solve(ending, engine=Engine.PLAIN)


@needs_numba
@pytest.mark.parametrize("over_partner", OverPartner, ids=lambda setting: setting.value)
@pytest.mark.parametrize("under_opponent", UnderOpponent, ids=lambda setting: setting.value)
def test_both_searches_agree_under_a_clubs_own_settings(
    over_partner: OverPartner, under_opponent: UnderOpponent
) -> None:
    for seed in range(8):
        own = replace(
            KLAVERJAS_DRIVE,
            over_partner=over_partner,
            under_opponent=under_opponent,
            must_beat_trump_lead=seed % 2 == 0,
            must_trump_for_partner=seed % 3 == 0,
            four_jacks_points=200,
            four_low_points=0,
        )
        ending = ending_of(own, seed, tricks=4)
        assert solve(ending, engine=Engine.ACCELERATED) == solve(ending, engine=Engine.PLAIN)


def same_ranks(reglement: Reglement, ranks: Sequence[Rank]) -> Ending:
    """Random hands seldom make four equal cards: here each seat holds one card of every rank."""
    suits = list(Suit)
    hands = {
        seat: tuple(Card(suits[(place + shift) % 4], rank) for shift, rank in enumerate(ranks))
        for place, seat in enumerate(CLOCKWISE)
    }
    return Ending(reglement, suits[len(ranks) % 4], hands, Seat.EAST)


@engines
@reglementen
@pytest.mark.parametrize("rank", Rank, ids=lambda rank: rank.value)
def test_four_equal_cards_that_nobody_can_avoid(rank: Rank, reglement: Reglement, engine: Engine) -> None:
    ending = same_ranks(reglement, [rank])
    winner = next(seat for seat in CLOCKWISE if ending.hands[seat][0].suit is ending.trump)
    solution = solve(ending, engine=engine)
    assert solution.roem[winner.team] == 100
    brought = 110 + sum(card_points(hand[0], ending.trump) for hand in ending.hands.values())
    assert solution.difference(winner.team) == brought
    assert list(solution.cards.values()) == [brought if winner.team is EW else -brought]


@engines
def test_four_equal_cards_are_kept_for_the_last_trick(engine: Engine) -> None:
    """East draws trumps with the jack (9 10 J: 20); West keeps the seven, and four sevens fall to it: 100."""
    hands = {
        Seat.NORTH: cards("K9 H7"),
        Seat.EAST: cards("KB R7"),
        Seat.SOUTH: cards("KA S7"),
        Seat.WEST: cards("K10 K7"),
    }
    solution = solve(Ending(KLAVERJAS_DRIVE, Suit.CLUBS, hands, Seat.EAST), engine=engine)
    (jack,) = cards("KB")
    assert solution.best_cards == (jack,)
    assert solution.cards[jack] == 14 + 20 + 11 + 10 + 20 + 10 + 100


@needs_numba
@reglementen
@pytest.mark.parametrize("tricks", [2, 3, 4])
def test_both_searches_agree_where_four_equal_cards_threaten(reglement: Reglement, tricks: int) -> None:
    ranks = list(Rank)
    for first in range(9 - tricks):
        ending = same_ranks(reglement, ranks[first : first + tricks])
        for objective in Objective:
            assert solve(ending, objective, engine=Engine.ACCELERATED) == solve(
                ending, objective, engine=Engine.PLAIN
            )


@engines
@reglementen
def test_the_line_is_legal_and_shares_out_what_is_left(reglement: Reglement, engine: Engine) -> None:
    for seed in range(12):
        ending = ending_of(reglement, seed, tricks=4, on_table=seed % 4)
        solution = solve(ending, engine=engine)
        plays = (*ending.trick, *solution.line)
        held = {seat: set(ending.hands[seat]) for seat in CLOCKWISE}
        for number, play in enumerate(solution.line, len(ending.trick)):
            trick = plays[number // 4 * 4 : number]
            assert play.card in legal_cards(reglement, held[play.seat], trick, ending.trump, play.seat)
            held[play.seat].remove(play.card)
        assert not any(held.values())
        left = sum(card_points(play.card, ending.trump) for play in plays) + 10
        assert sum(solution.points.values()) == left
        assert solution.difference(NS) == -solution.difference(EW)


@engines
def test_the_value_is_kept_along_the_line_also_within_a_trick(engine: Engine) -> None:
    tricks = 8 if engine is Engine.ACCELERATED else 4
    ending = ending_of(KLAVERJAS_DRIVE, 77, tricks)
    solution = solve(ending, engine=engine)
    deal_plays = solution.line
    for played in range(1, 8):
        rest = after_plays(ending, deal_plays[:played])
        before = won_by_north_south(ending, deal_plays[: played // 4 * 4])
        assert solve(rest, engine=engine).difference(NS) + before == solution.difference(NS)


def after_plays(ending: Ending, plays: Sequence[Play]) -> Ending:
    """The ending after these plays from its first lead."""
    gone = {play.card for play in plays}
    hands = {seat: tuple(card for card in ending.hands[seat] if card not in gone) for seat in CLOCKWISE}
    table = tuple(plays[len(plays) // 4 * 4 :])
    leader = table[0].seat if table else trick_winner(plays[-4:], ending.trump) if plays else ending.leader
    return Ending(ending.reglement, ending.trump, hands, leader, table)


def won_by_north_south(ending: Ending, plays: Sequence[Play]) -> int:
    """What whole tricks brought N and S less E and W; never the last ones of a deal."""
    won = 0
    for first in range(0, len(plays), 4):
        trick = plays[first : first + 4]
        brought = sum(card_points(play.card, ending.trump) for play in trick)
        brought += roem_in_trick([play.card for play in trick], ending.trump, ending.reglement).total
        won += brought if trick_winner(trick, ending.trump).team is NS else -brought
    return won


@engines
def test_an_ending_that_a_person_can_check(engine: Engine) -> None:
    """Hearts are trump, North leads with the highest trump and a losing club; East holds the other trump.

    The jack first draws the nine; then the seven falls to the ace of South, and all is theirs. The seven
    first: East trumps with the nine and takes 14 and the ace, 25; North keeps 20 and the last ten.
    """
    hands = {
        Seat.NORTH: cards("HB K7"),
        Seat.EAST: cards("H9 S7"),
        Seat.SOUTH: cards("S8 KA"),
        Seat.WEST: cards("R7 R8"),
    }
    ending = Ending(KLAVERJAS_DRIVE, Suit.HEARTS, hands, Seat.NORTH)
    solution = solve(ending, engine=engine)
    jack, seven = cards("HB K7")
    assert solution.cards == {seven: 20 + 10 - 25, jack: 20 + 14 + 11 + 10}
    assert solution.best_cards == (jack,)
    assert solution.turn is Seat.NORTH
    assert solution.points == {NS: 55, EW: 0}
    assert solution.line[:2] == trick_of("HB H9")


@engines
def test_roem_is_given_away_for_nobody_but_the_partner(engine: Engine) -> None:
    """South is last and can lay down ♦9 or ♦A on the row ♦10 ♦J of East's trick, which only the ace wins."""
    hands = {
        Seat.NORTH: cards("S8"),
        Seat.EAST: cards("S9"),
        Seat.SOUTH: cards("R9 RV"),
        Seat.WEST: cards("SV"),
    }
    table = trick_of("RH R10 RB", Seat.WEST)
    ending = Ending(KLAVERJAS_DRIVE, Suit.CLUBS, hands, Seat.WEST, table)
    row_of_four, row_of_three = solve(ending, engine=engine), solve(ending, Objective.POINTS, engine=engine)
    nine, queen = cards("R9 RV")
    assert row_of_four.turn is Seat.SOUTH
    assert set(row_of_four.cards) == {nine, queen} == set(row_of_three.cards)
    # ♦10 of North wins; with the queen lies K Q J 10: 50.
    assert row_of_four.best_cards == (queen,)
    assert row_of_four.roem == {NS: 50, EW: 0}


def test_a_played_deal_is_solved_from_any_card() -> None:
    deal = play_out(ROTTERDAMS, random.Random(5)).deal
    ending = ending_after(deal, 18)
    assert ending.leader is deal.tricks[4].leader
    assert ending.trick == deal.tricks[4].plays[:2]
    assert {play.card for play in deal.plays[18:]} == {
        card for hand in ending.hands.values() for card in hand
    }
    assert solve(ending).turn is deal.tricks[4].plays[2].seat


@needs_numba
@reglementen
def test_a_whole_deal(reglement: Reglement) -> None:
    deal = play_out(reglement, random.Random(11)).deal
    solution = solve(deal)
    assert solution.turn is deal.first_leader
    assert len(solution.line) == 32
    assert sum(solution.points.values()) == 162
    replayed = Deal(reglement, deal.dealer).declared(Seat.NORTH, deal.trump or Suit.CLUBS)
    replayed = replayed.after(*solution.line)
    assert replayed.is_complete
    assert not replayed.revokes
    assert replayed.result().points == solution.points
    assert replayed.result().roem_seen == solution.roem


def test_nothing_is_left_after_the_last_card() -> None:
    ending = Ending(KLAVERJAS_DRIVE, Suit.CLUBS, dict.fromkeys(CLOCKWISE, ()), Seat.WEST)
    solution = solve(ending, engine=Engine.PLAIN)
    assert (solution.turn, solution.cards, solution.line, solution.best_cards) == (None, {}, (), ())
    assert solution.points == solution.roem == {NS: 0, EW: 0}


def test_a_deal_without_all_hands_is_refused() -> None:
    deal = play_out(KLAVERJAS_DRIVE, random.Random(1)).deal
    unfinished = Deal(KLAVERJAS_DRIVE, Seat.SOUTH).declared(Seat.WEST, Suit.CLUBS)
    twice = deal.corrected(3, 2, deal.tricks[2].plays[1].seat, deal.plays[0].card)
    elsewhere = deal.corrected(1, 2, deal.tricks[0].plays[2].seat, deal.tricks[0].plays[1].card)
    for refused in (unfinished, twice, elsewhere):
        with pytest.raises(SolverError, match="all hands must be seen"):
            solve(refused)
    for plays in (-1, 32):
        with pytest.raises(SolverError, match=str(plays)):
            ending_after(deal, plays)


@pytest.mark.skipif(accelerator_is_installed(), reason="numba is geinstalleerd / numba is installed")
def test_without_numba_the_plain_search_answers() -> None:
    ending = ending_of(KLAVERJAS_DRIVE, 3, tricks=3)
    assert solve(ending) == solve(ending, engine=Engine.PLAIN)
    with pytest.raises(SolverError, match="numba"):
        solve(ending, engine=Engine.ACCELERATED)


@pytest.mark.parametrize("tricks", [PLAIN_IS_QUICK, PLAIN_IS_QUICK + 1])
@pytest.mark.parametrize("installed", [True, False])
def test_the_quickest_search_there_is_answers(
    tricks: int, *, installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether numba is there or not is decided when a search is asked for."""
    monkeypatch.setattr("rules.solver.search.accelerator_is_installed", lambda: installed)
    ending = ending_of(KLAVERJAS_DRIVE, 3, tricks=tricks)
    if not installed:
        with pytest.raises(SolverError, match="needs numba, which is not installed"):
            search_for(ending, Objective.DIFFERENCE, Engine.ACCELERATED)
    if installed and tricks > PLAIN_IS_QUICK:
        accelerated = pytest.importorskip("rules.solver.accelerated", exc_type=ImportError)
        expected: type[Search] = accelerated.AcceleratedSearch
    else:
        expected = PlainSearch
    assert type(search_for(ending, Objective.DIFFERENCE, Engine.FASTEST)) is expected


def test_positions_visited_are_counted() -> None:
    """One trick and one card each: every look goes over the same four plays."""
    hands = {seat: (card,) for seat, card in zip(CLOCKWISE, cards("C7 C8 C9 CA"), strict=True)}
    ending = Ending(KLAVERJAS_DRIVE, Suit.HEARTS, hands, Seat.NORTH)
    search = PlainSearch(ending, Objective.DIFFERENCE)
    assert search.visited == 0
    search.difference(Board(ending, Objective.DIFFERENCE).start(), 0)
    assert search.visited > 0
    assert search.visited % 4 == 0


@given(value=st.integers(-400, 400), guess=st.integers(-400, 400), seed=st.integers(0, 999))
def test_closing_in_finds_the_value_from_any_guess(value: int, guess: int, seed: int) -> None:
    chance = random.Random(seed)

    def reaches(bound: int) -> int:
        """A true bound on the side that was asked for, sharp or not."""
        return chance.randint(bound, value) if value >= bound else chance.randint(value, bound - 1)

    assert close_in(reaches, guess) == value
