"""Every way in which the rest of a deal can go, searched to the end with all hands known.

Small endings only: the number of lines grows a hundredfold with each trick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rules.cards import CLOCKWISE, FULL_DECK, Card, Seat, Suit, Team
from rules.errors import ClaimError
from rules.reglement import Reglement, RoemCounts
from rules.roem import roem_points
from rules.tables import LAST_TRICK_POINTS, POINTS, SUIT_NUMBER, mask_of
from rules.trick import Play, legal_mask, winning_place

MOST_TRICKS: Final = 5
"""How many tricks of cards each player may still hold for a search."""

_SEAT_NUMBER: Final = {seat: number for number, seat in enumerate(CLOCKWISE)}


@dataclass(frozen=True)
class Ending:
    """A deal stopped with cards left: what each seat still holds, and the unfinished trick on the table.

    hands: of all four seats. trick: the plays so far, none between tricks. leader: who led it, or leads next.

    Raises:
        ClaimError: when the hands and the trick do not fit together.
    """

    reglement: Reglement
    trump: Suit
    hands: Mapping[Seat, tuple[Card, ...]]
    leader: Seat
    trick: tuple[Play, ...] = ()

    def __post_init__(self) -> None:
        if set(self.hands) != set(CLOCKWISE):
            named = [seat.value for seat in self.hands]
            raise ClaimError(f"hands must be given of N, E, S and W, an empty one too, not of {named!r}")
        held = [card for seat in CLOCKWISE for card in self.hands.get(seat, ())]
        cards = held + [play.card for play in self.trick]
        if len(set(cards)) != len(cards):
            raise ClaimError(f"a card is held twice: {sorted(card.code for card in cards)!r}")
        seats = [CLOCKWISE[(_SEAT_NUMBER[self.leader] + place) % 4] for place in range(len(self.trick))]
        if len(seats) > 3 or [play.seat for play in self.trick] != seats:
            raise ClaimError(f"the trick is not one begun by {self.leader.english}: {self.trick!r}")
        sizes = {seat: len(self.hands.get(seat, ())) + (seat in seats) for seat in CLOCKWISE}
        if len(set(sizes.values())) != 1:
            raise ClaimError(
                f"the hands are not of one size: { {seat.value: size for seat, size in sizes.items()} }"
            )

    @property
    def tricks_left(self) -> int:
        """How many tricks are still to be finished, with the one on the table."""
        return len(self.hands[self.leader]) + bool(self.trick)

    @property
    def whole_tricks_left(self) -> int:
        """How many tricks come after the one on the table: what a claim is about (68)."""
        return self.tricks_left - bool(self.trick)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a line ends for one team: whole tricks after the one on the table, and points with roem of all."""

    tricks: int
    points: int


_State = tuple[tuple[int, int, int, int], tuple[int, ...], int]
"""(the hands as masks, the trick's card indices, the leader's number)"""

Restrict = Callable[[Seat, int, bool], int]
"""(seat, legal cards as a mask, whether it leads) -> those of them that are a normal play."""


def any_legal(seat: Seat, legal: int, leads: bool) -> int:
    """Every legal card is a normal play."""
    return legal


class LineSearch:
    """The best or worst line for ``team``: every seat in ``helpers`` plays for it, every other against it."""

    def __init__(
        self, ending: Ending, team: Team, helpers: Sequence[Seat], restrict: Restrict = any_legal
    ) -> None:
        if ending.tricks_left > MOST_TRICKS:
            raise ClaimError(f"{ending.tricks_left} tricks are left; at most {MOST_TRICKS} can be searched")
        self._ending = ending
        self._team = team
        self._helpers = frozenset(helpers)
        self._restrict = restrict
        self._trump = SUIT_NUMBER[ending.trump]
        self._known: dict[_State, tuple[Outcome, int | None]] = {}

    def outcome(self) -> Outcome:
        """What the team gets."""
        return self._value(self._start())[0]

    def line(self) -> tuple[Play, ...]:
        """The plays that lead to it."""
        state, plays = self._start(), []
        while (card := self._value(state)[1]) is not None:
            plays.append(Play(self._seat(state), FULL_DECK[card]))
            state = self._after(state, card)[0]
        return tuple(plays)

    def _start(self) -> _State:
        north, east, south, west = (
            mask_of([card.index for card in self._ending.hands[seat]]) for seat in CLOCKWISE
        )
        trick = tuple(play.card.index for play in self._ending.trick)
        return ((north, east, south, west), trick, _SEAT_NUMBER[self._ending.leader])

    def _seat(self, state: _State) -> Seat:
        _, trick, leader = state
        return CLOCKWISE[(leader + len(trick)) % 4]

    def _value(self, state: _State) -> tuple[Outcome, int | None]:
        """What ``state`` is worth, and the card that is played there; None at the end."""
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = self._searched(state)
        return known

    def _searched(self, state: _State) -> tuple[Outcome, int | None]:
        moves = self._moves(state)
        if not moves:
            return Outcome(0, 0), None
        values = [(self._worth(state, card), card) for card in moves]
        pick = max if self._seat(state) in self._helpers else min
        return pick(values, key=lambda value: (value[0].tricks, value[0].points))

    def _worth(self, state: _State, card: int) -> Outcome:
        following, gained = self._after(state, card)
        rest = self._value(following)[0]
        return Outcome(rest.tricks + gained.tricks, rest.points + gained.points)

    def _moves(self, state: _State) -> list[int]:
        hands, trick, leader = state
        number = (leader + len(trick)) % 4
        hand = hands[number]
        legal = hand
        if trick:
            best = winning_place(trick, self._trump)
            partner_wins = (leader + best) % 4 == (number + 2) % 4
            legal = legal_mask(
                self._ending.reglement, hand, trick[0] >> 3, self._trump, trick[best], partner_wins
            )
        normal = self._restrict(CLOCKWISE[number], legal, not trick) or legal
        return [card for card in range(32) if normal >> card & 1]

    def _after(self, state: _State, card: int) -> tuple[_State, Outcome]:
        """The state after a card, and what the team gained by it."""
        hands, trick, leader = state
        number = (leader + len(trick)) % 4
        north, east, south, west = (
            mask & ~(1 << card) if place == number else mask for place, mask in enumerate(hands)
        )
        rest, played = (north, east, south, west), (*trick, card)
        if len(played) < 4:
            return (rest, played, leader), Outcome(0, 0)
        winner = (leader + winning_place(played, self._trump)) % 4
        return (rest, (), winner), self._gained(played, CLOCKWISE[winner], is_last=not any(rest))

    def _gained(self, trick: tuple[int, ...], winner: Seat, *, is_last: bool) -> Outcome:
        if winner.team is not self._team:
            return Outcome(0, 0)
        reglement, begun = self._ending.reglement, self._ending.trick
        points = sum(POINTS[self._trump][card] for card in trick)
        points += LAST_TRICK_POINTS if is_last else 0
        if reglement.roem_counts is RoemCounts.SEEN:
            # Roem that must be called is not: nobody plays these tricks.
            points += roem_points(reglement, mask_of(trick), self._trump)
        was_on_table = bool(begun) and trick[: len(begun)] == tuple(play.card.index for play in begun)
        return Outcome(0 if was_on_table else 1, points)


def line_for_tricks(ending: Ending, team: Team, tricks: int) -> tuple[Play, ...] | None:
    """The line in which ``team`` takes exactly ``tricks`` whole tricks and the fewest points, if any is so.

    Raises:
        ClaimError: when more than :data:`MOST_TRICKS` are left.
    """
    return _ExactSearch(ending, team).found(tricks)


class _ExactSearch(LineSearch):
    """Every number of tricks that can be reached from a position, each with the fewest points."""

    def __init__(self, ending: Ending, team: Team) -> None:
        super().__init__(ending, team, helpers=())
        self._reached: dict[_State, dict[int, tuple[int, int | None]]] = {}

    def found(self, tricks: int) -> tuple[Play, ...] | None:
        state, plays = self._start(), []
        if tricks not in self._reachable(state):
            return None
        while (card := self._reachable(state)[tricks][1]) is not None:
            plays.append(Play(self._seat(state), FULL_DECK[card]))
            state, gained = self._after(state, card)
            tricks -= gained.tricks
        return tuple(plays)

    def _reachable(self, state: _State) -> dict[int, tuple[int, int | None]]:
        """For each number of tricks the fewest points, and the card that goes there; no card at the end."""
        known = self._reached.get(state)
        if known is not None:
            return known
        found: dict[int, tuple[int, int | None]] = {}
        moves = self._moves(state)
        if not moves:
            found[0] = (0, None)
        for card in moves:
            following, gained = self._after(state, card)
            for tricks, (points, _) in self._reachable(following).items():
                total, sum_of_points = tricks + gained.tricks, points + gained.points
                if total not in found or sum_of_points < found[total][0]:
                    found[total] = (sum_of_points, card)
        self._reached[state] = found
        return found
