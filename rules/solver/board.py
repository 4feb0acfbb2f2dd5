"""What both sides play for, and the positions between here and the end of a deal."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, Protocol

from rules.cards import CLOCKWISE, Seat
from rules.lines import Ending
from rules.roem import roem_points
from rules.tables import LAST_TRICK_POINTS, POINTS, SUIT_NUMBER, mask_of
from rules.trick import legal_mask, winning_place

State = tuple[tuple[int, int, int, int], tuple[int, ...], int]
"""(what N, E, S and W still hold, as masks; the cards of the trick on the table; the number of its leader)

Cards are indices in ``FULL_DECK``, seats places in ``CLOCKWISE``.
"""

SEAT_NUMBER: Final = {seat: number for number, seat in enumerate(CLOCKWISE)}
UNLIMITED: Final = 30_000
"""More than any deal can bring."""


class Objective(Enum):
    """What both sides make as large as they can over the rest: what they get less what the others get.

    DIFFERENCE: points of the cards, the last ten, and all roem that lies on the table. Where the reglement
    asks for roem to be called it counts too: with all hands open nobody forgets. POINTS: the same without
    roem. Nat, pit and what was won before are no part of either.
    """

    DIFFERENCE = "difference"
    POINTS = "points"


class Search(Protocol):
    """Finds exact differences of positions that come from one ending."""

    @property
    def visited(self) -> int:
        """How many positions were searched so far."""

    def difference(self, state: State, guess: int) -> int:
        """What is still to come from ``state`` for N and S less for E and W.

        All of the trick on the table is still to come. ``guess`` is where to look first; the
        answer does not depend on it.
        """


class Board:
    """The moves of an ending and what they bring, as ``rules`` has them."""

    def __init__(self, ending: Ending, objective: Objective) -> None:
        self._ending = ending
        self._trump = SUIT_NUMBER[ending.trump]
        self._roem_counts = objective is Objective.DIFFERENCE

    def start(self) -> State:
        """The ending itself."""
        north, east, south, west = (
            mask_of([card.index for card in self._ending.hands[seat]]) for seat in CLOCKWISE
        )
        trick = tuple(play.card.index for play in self._ending.trick)
        return ((north, east, south, west), trick, SEAT_NUMBER[self._ending.leader])

    def moves(self, state: State) -> list[int]:
        """The legal cards; none after the last trick."""
        hands, trick, leader = state
        player = (leader + len(trick)) % 4
        legal = hands[player]
        if trick:
            best = winning_place(trick, self._trump)
            partner_wins = (leader + best) % 4 == (player + 2) % 4
            legal = legal_mask(
                self._ending.reglement, legal, trick[0] >> 3, self._trump, trick[best], partner_wins
            )
        return [card for card in range(32) if legal >> card & 1]

    def after(self, state: State, card: int) -> tuple[State, int]:
        """The position after a card, and what N and S gained by it; negative where E and W did."""
        hands, trick, leader = state
        player = (leader + len(trick)) % 4
        north, east, south, west = (
            mask & ~(1 << card) if seat == player else mask for seat, mask in enumerate(hands)
        )
        rest, played = (north, east, south, west), (*trick, card)
        if len(played) < 4:
            return (rest, played, leader), 0
        winner = (leader + winning_place(played, self._trump)) % 4
        brought = self._brought(played, is_last=not any(rest))
        return (rest, (), winner), -brought if winner % 2 else brought

    def won(self, trick: tuple[int, ...], winner: Seat) -> int:
        """What a whole trick that is not the last brought N and S; negative where E and W won it."""
        brought = self._brought(trick, is_last=False)
        return -brought if SEAT_NUMBER[winner] % 2 else brought

    def _brought(self, trick: tuple[int, ...], *, is_last: bool) -> int:
        points = sum(POINTS[self._trump][card] for card in trick)
        points += LAST_TRICK_POINTS if is_last else 0
        if self._roem_counts:
            points += roem_points(self._ending.reglement, mask_of(trick), self._trump)
        return points


def north_south_plays(state: State) -> bool:
    """Whether the seat at the turn is North or South."""
    _, trick, leader = state
    return (leader + len(trick)) % 2 == 0


def close_in(reaches: Callable[[int], int], guess: int) -> int:
    """The exact value, from questions whether it reaches a bound (MTD(f); Plaat and others, 1996).

    ``reaches(bound)`` gives a value of at least ``bound`` that the true one is not below, or one under it
    that the true one is not above.
    """
    low, high, aim = -UNLIMITED, UNLIMITED, guess
    while low < high:
        bound = aim + 1 if aim == low else aim
        aim = reaches(bound)
        if aim < bound:
            high = aim
        else:
            low = aim
    return low
