"""Best play of both sides with all four hands known: what it brings and what every other card would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from rules.cards import CLOCKWISE, FULL_DECK, Card, Seat, Team
from rules.deal import Deal
from rules.errors import SolverError
from rules.lines import Ending
from rules.roem import roem_in_trick
from rules.solver.board import SEAT_NUMBER, Board, Objective, Search, State, north_south_plays
from rules.solver.plain import PlainSearch
from rules.tables import LAST_TRICK_POINTS, card_points
from rules.trick import Play, trick_winner


class Engine(Enum):
    """What searches; the values are the same. FASTEST is ACCELERATED where numba is installed, else PLAIN."""

    FASTEST = "fastest"
    PLAIN = "plain"
    ACCELERATED = "accelerated"


@dataclass(frozen=True)
class Solution:
    """How the rest goes when nobody errs. "The rest" has all of the trick on the table in it.

    turn: whose card is next, None at the end. cards: for each legal card what the team at the turn then gets
    less what the others get. line: one best way to play on, of perhaps several. points: cards and the last
    ten, roem: what lies on the table, both as that line brings them. Every best line has the same
    ``difference``, not always the same points and roem apart. Nat and pit are not settled here.

    """

    objective: Objective
    turn: Seat | None
    cards: Mapping[Card, int]
    line: tuple[Play, ...]
    points: Mapping[Team, int]
    roem: Mapping[Team, int]
    visited: int = field(compare=False)
    """How many positions were searched; tells of the work alone."""

    def difference(self, team: Team) -> int:
        """What ``team`` gets less what the others get, as the objective counts."""
        counted = {
            side: self.points[side] + (self.roem[side] if self.objective is Objective.DIFFERENCE else 0)
            for side in Team
        }
        return counted[team] - counted[team.opponents]

    @property
    def best_cards(self) -> tuple[Card, ...]:
        """The cards that lose nothing, in the order of ``FULL_DECK``."""
        best = max(self.cards.values(), default=0)
        return tuple(card for card, value in self.cards.items() if value == best)


def accelerator_is_installed() -> bool:
    """Whether ACCELERATED can be asked for."""
    return find_spec("numba") is not None


def solve(
    position: Ending | Deal,
    objective: Objective = Objective.DIFFERENCE,
    *,
    engine: Engine = Engine.FASTEST,
) -> Solution:
    """Solve an ending, or a played deal from its first card, under its own reglement.

    PLAIN takes a third of a second for six tricks and some seconds for eight, at worst over half a minute.
    The first solution of a process by ACCELERATED waits some seconds for the compiler.

    Raises:
        SolverError: when the deal does not show all hands (see :func:`ending_after`), or numba is asked for
            and not installed.
    """
    ending = ending_after(position, 0) if isinstance(position, Deal) else position
    board = Board(ending, objective)
    search = _search(ending, objective, engine)
    state = board.start()
    values = _card_values(board, search, state)
    pick = max if north_south_plays(state) else min
    line = _line(board, search, state, pick(values.values(), default=0))
    sign = 1 if north_south_plays(state) else -1
    points, roem = _brought(ending, line)
    return Solution(
        objective=objective,
        turn=_turn(state) if values else None,
        cards={FULL_DECK[card]: sign * value for card, value in values.items()},
        line=line,
        points=points,
        roem=roem,
        visited=search.visited,
    )


def ending_after(deal: Deal, plays: int) -> Ending:
    """What was left of a deal after its first ``plays`` cards (0 to 31), the hands read off the later ones.

    Raises:
        SolverError: when trump is unknown, a seat did not play eight cards, a card came twice or out of turn,
            or ``plays`` is not in range.
    """
    if not 0 <= plays < len(FULL_DECK):
        raise SolverError(f"a position has 0 to 31 cards played, not {plays}")
    if (
        deal.trump is None
        or {play.card for play in deal.plays} != set(FULL_DECK)
        or not _runs_clockwise(deal)
    ):
        raise SolverError(
            f"all hands must be seen and trump known; {len(deal.plays)} plays, trump {deal.trump!r}"
        )
    trick = deal.tricks[plays // 4]
    later = deal.plays[plays:]
    hands = {seat: tuple(play.card for play in later if play.seat is seat) for seat in CLOCKWISE}
    assert trick.leader is not None
    return Ending(deal.reglement, deal.trump, hands, trick.leader, trick.plays[: plays % 4])


def _runs_clockwise(deal: Deal) -> bool:
    leaders = (deal.first_leader, *deal.winners)
    return len(deal.plays) == len(FULL_DECK) and all(
        leader is not None and play.seat is CLOCKWISE[(SEAT_NUMBER[leader] + place) % 4]
        for trick, leader in zip(deal.tricks, leaders, strict=False)
        for place, play in enumerate(trick.plays)
    )


def _search(ending: Ending, objective: Objective, engine: Engine) -> Search:
    if engine is Engine.PLAIN:
        return PlainSearch(ending, objective)
    if accelerator_is_installed():
        # By name, since nothing that only may be there is a part of the rules.
        made = import_module("rules.solver.accelerated").AcceleratedSearch(ending, objective)
        return cast(Search, made)
    if engine is Engine.ACCELERATED:
        raise SolverError("the accelerated search needs numba, which is not installed (extra 'solver')")
    return PlainSearch(ending, objective)


def _card_values(board: Board, search: Search, state: State) -> dict[int, int]:
    """For each legal card what N and S then get less what E and W get."""
    values: dict[int, int] = {}
    guess = 0
    for card in board.moves(state):
        following, gain = board.after(state, card)
        guess = values[card] = gain + search.difference(following, guess - gain)
    return values


def _line(board: Board, search: Search, state: State, value: int) -> tuple[Play, ...]:
    """The first line in the order of ``FULL_DECK`` along which ``value`` is kept."""
    plays = []
    while moves := board.moves(state):
        seat = _turn(state)
        for card in moves:
            following, gain = board.after(state, card)
            if gain + search.difference(following, value - gain) == value:
                break
        plays.append(Play(seat, FULL_DECK[card]))
        state, value = following, value - gain
    return tuple(plays)


def _turn(state: State) -> Seat:
    _, trick, leader = state
    return CLOCKWISE[(leader + len(trick)) % 4]


def _brought(ending: Ending, line: tuple[Play, ...]) -> tuple[dict[Team, int], dict[Team, int]]:
    """The points and the roem of each team when the ending is played so."""
    points, roem = dict.fromkeys(Team, 0), dict.fromkeys(Team, 0)
    plays = (*ending.trick, *line)
    for first in range(0, len(plays), 4):
        trick = plays[first : first + 4]
        team = trick_winner(trick, ending.trump).team
        points[team] += sum(card_points(play.card, ending.trump) for play in trick)
        points[team] += LAST_TRICK_POINTS if first + 4 == len(plays) else 0
        cards = [play.card for play in trick]
        roem[team] += roem_in_trick(cards, ending.trump, ending.reglement).total
    return points, roem
