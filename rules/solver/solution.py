"""Best play of both sides with all four hands known: what it brings and what every other card would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.cards import FULL_DECK, Card, Seat, Team
from rules.deal import Deal
from rules.lines import Ending
from rules.roem import roem_in_trick
from rules.solver.board import Board, Objective, north_south_plays
from rules.solver.hands import ending_after
from rules.solver.search import Engine, best_line, card_values, search_for, turn_of
from rules.tables import LAST_TRICK_POINTS, card_points
from rules.trick import Play, trick_winner


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
        SolverError: when the deal does not show all hands (see :func:`rules.solver.dealt_hands`), or numba is
            asked for and not installed.
    """
    ending = ending_after(position, 0) if isinstance(position, Deal) else position
    board = Board(ending, objective)
    search = search_for(ending, objective, engine)
    state = board.start()
    values = card_values(board, search, state)
    pick = max if north_south_plays(state) else min
    line = best_line(board, search, state, pick(values.values(), default=0))
    sign = 1 if north_south_plays(state) else -1
    points, roem = _brought(ending, line)
    return Solution(
        objective=objective,
        turn=turn_of(state) if values else None,
        cards={FULL_DECK[card]: sign * value for card, value in values.items()},
        line=line,
        points=points,
        roem=roem,
        visited=search.visited,
    )


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
