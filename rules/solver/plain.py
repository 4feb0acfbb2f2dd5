"""The search in plain Python: alpha-beta with a table of positions. Whole deals take it seconds."""

from __future__ import annotations

from rules.lines import Ending
from rules.solver.board import UNLIMITED, Board, Objective, State, close_in, north_south_plays
from rules.tables import STRENGTH, SUIT_NUMBER


class PlainSearch:
    """Differences of positions of one ending; what was found for one helps with the next."""

    def __init__(self, ending: Ending, objective: Objective) -> None:
        self._board = Board(ending, objective)
        self._trump = SUIT_NUMBER[ending.trump]
        self._bounds: dict[State, tuple[int, int]] = {}
        self._best: dict[State, int] = {}
        self.visited = 0

    def difference(self, state: State, guess: int) -> int:
        """What is still to come from ``state`` for N and S less for E and W; see :class:`Search`."""
        return close_in(lambda bound: self._value(state, bound), guess)

    def _value(self, state: State, bound: int) -> int:
        """A lower bound of the value where it reaches ``bound``, else an upper bound."""
        if state[1]:
            return self._searched(state, bound)
        low, high = self._bounds.get(state, (-UNLIMITED, UNLIMITED))
        if low >= bound:
            return low
        if high < bound:
            return high
        value = self._searched(state, bound)
        self._bounds[state] = (value, high) if value >= bound else (low, value)
        return value

    def _searched(self, state: State, bound: int) -> int:
        moves = self._ordered(state)
        if not moves:
            return 0
        self.visited += 1
        maximises = north_south_plays(state)
        value = -UNLIMITED if maximises else UNLIMITED
        for card in moves:
            following, gain = self._board.after(state, card)
            found = gain + self._value(following, bound - gain)
            value = max(value, found) if maximises else min(value, found)
            if (value >= bound) == maximises:
                self._best[state] = card
                break
        return value

    def _ordered(self, state: State) -> list[int]:
        """The card that decided the last time first, then the strongest."""
        best = self._best.get(state)
        trick = state[1]
        moves = self._board.moves(state)

        def promise(card: int) -> tuple[bool, int]:
            led = trick[0] >> 3 if trick else card >> 3
            return card == best, STRENGTH[self._trump][led][card]

        return sorted(moves, key=promise, reverse=True)
