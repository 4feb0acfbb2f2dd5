"""Which search runs, and what is asked of it: the value of every card at a turn, and one best line."""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import Final, cast

from rules.cards import CLOCKWISE, FULL_DECK, Seat, Suit
from rules.errors import SolverError
from rules.lines import Ending
from rules.reglement import KLAVERJAS_DRIVE
from rules.solver.board import Board, Objective, Search, State
from rules.solver.plain import PlainSearch
from rules.trick import Play

PLAIN_IS_QUICK: Final = 4
"""Up to so many tricks the plain search answers sooner than the other is set up."""


class Engine(Enum):
    """What searches; the values are the same.

    FASTEST is ACCELERATED where numba is installed and more than four tricks are left, else PLAIN.
    """

    FASTEST = "fastest"
    PLAIN = "plain"
    ACCELERATED = "accelerated"


def accelerator_is_installed() -> bool:
    """Whether ACCELERATED can be asked for."""
    return find_spec("numba") is not None


def prepare() -> bool:
    """Compile the accelerated search now, for which the first long solution would else wait some seconds.

    False where numba is not installed and there is nothing to prepare.
    """
    if not accelerator_is_installed():
        return False
    hands = {seat: FULL_DECK[place : place + 1] for place, seat in enumerate(CLOCKWISE)}
    ending = Ending(KLAVERJAS_DRIVE, Suit.CLUBS, hands, Seat.NORTH)
    search_for(ending, Objective.DIFFERENCE, Engine.ACCELERATED).difference(
        Board(ending, Objective.DIFFERENCE).start(), 0
    )
    return True


def search_for(ending: Ending, objective: Objective, engine: Engine) -> Search:
    """A search over all positions of ``ending``.

    Raises:
        SolverError: when numba is asked for and not installed.
    """
    if engine is Engine.ACCELERATED and not accelerator_is_installed():
        raise SolverError("the accelerated search needs numba, which is not installed (extra 'solver')")
    is_long = engine is Engine.FASTEST and ending.tricks_left > PLAIN_IS_QUICK and accelerator_is_installed()
    if engine is not Engine.ACCELERATED and not is_long:
        return PlainSearch(ending, objective)
    # By name, since nothing that only may be there is a part of the rules.
    return cast(Search, import_module("rules.solver.accelerated").AcceleratedSearch(ending, objective))


def card_values(board: Board, search: Search, state: State) -> dict[int, int]:
    """For each legal card what N and S then get less what E and W get."""
    values: dict[int, int] = {}
    guess = 0
    for card in board.moves(state):
        following, gain = board.after(state, card)
        guess = values[card] = gain + search.difference(following, guess - gain)
    return values


def best_line(board: Board, search: Search, state: State, value: int) -> tuple[Play, ...]:
    """The first line in the order of ``FULL_DECK`` along which ``value`` is kept."""
    plays = []
    while moves := board.moves(state):
        seat = turn_of(state)
        for card in moves:
            following, gain = board.after(state, card)
            if gain + search.difference(following, value - gain) == value:
                break
        plays.append(Play(seat, FULL_DECK[card]))
        state, value = following, value - gain
    return tuple(plays)


def turn_of(state: State) -> Seat:
    """Whose card is next."""
    _, trick, leader = state
    return CLOCKWISE[(leader + len(trick)) % 4]
