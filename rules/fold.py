"""The state of a deal, made from what happened in it, in one pass.

Trump counts for the whole deal wherever it was named, because a camera may learn it only after some cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from rules.actions import (
    Action,
    Covered,
    Decision,
    Declaration,
    Exposure,
    Pass,
    PenaltyCalled,
    Repair,
    RoemCall,
    Ruling,
)
from rules.bidding import BiddingRound
from rules.cards import Seat, Suit
from rules.faults import Fault, FaultKind, FaultLog
from rules.penalty_cards import PenaltyCard
from rules.reglement import Reglement
from rules.roem import roem_in_trick, roem_points
from rules.rulings import STOPPING, RulingLog, standing_rulings
from rules.table import Table
from rules.tables import POINTS, SUIT_NUMBER
from rules.trick import Play, Trick


@dataclass(frozen=True, slots=True)
class State:
    """What follows from a deal's actions, the result and verzaken apart; :class:`rules.Deal` has the words.

    points, roem_seen, roem_called: per trick, 0 while it is not full; the last ten are not in them.
    covered_at_rulings: per standing ruling, how many tricks were covered then.
    places: per trick and place, the index of the action that put the card there.
    """

    trump: Suit | None
    declarer: Seat | None
    speaker: Seat | None
    must_declare: bool
    turn: Seat | None
    tricks: tuple[Trick, ...]
    winners: tuple[Seat | None, ...]
    covered: int
    is_complete: bool
    points: tuple[int, ...]
    roem_seen: tuple[int, ...]
    roem_called: tuple[int, ...]
    faults: tuple[Fault, ...]
    penalty_cards: tuple[PenaltyCard, ...]
    rulings: tuple[Ruling, ...]
    covered_at_rulings: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]

    def action_of_play(self, trick: int, position: int) -> int | None:
        """The index of the action that put a card at this place (both from 1), None where there is none."""
        if 1 <= trick <= len(self.places) and 1 <= position <= len(self.places[trick - 1]):
            return self.places[trick - 1][position - 1]
        return None


def fold(reglement: Reglement, dealer: Seat, actions: Sequence[Action]) -> State:
    """The state of a deal after ``actions``."""
    folding = _Folding(reglement, dealer, actions)
    for index, action in enumerate(actions):
        folding.take(index, action)
    return folding.state()


def _trump_of(actions: Sequence[Action]) -> Suit | None:
    return next((action.suit for action in actions if isinstance(action, Declaration)), None)


def _pieces_of(points: int, pieces: Sequence[int]) -> tuple[int, ...]:
    """The pieces of roem that make ``points`` together; none where there are no such pieces."""
    for count in range(1, len(pieces) + 1):
        for chosen in combinations(pieces, count):
            if sum(chosen) == points:
                return chosen
    return ()


class _Folding:
    """The parts of a deal, each taking what concerns it."""

    def __init__(self, reglement: Reglement, dealer: Seat, actions: Sequence[Action]) -> None:
        self.reglement = reglement
        self.log = FaultLog(reglement.basis)
        self.bidding = BiddingRound(reglement, dealer, self.log)
        self.table = Table(dealer.left, _trump_of(actions), self.log)
        self.rulings = RulingLog(reglement, standing_rulings(actions), self.log)
        self.roem_calls: list[RoemCall] = []

    def take(self, index: int, action: Action) -> None:
        if isinstance(action, Play):
            self.table.take_play(index, action)
        elif isinstance(action, Covered):
            self.table.take_cover()
        elif isinstance(action, RoemCall):
            self.take_roem_call(action)
        elif isinstance(action, Ruling):
            self.take_ruling(index, action)
        elif isinstance(action, Exposure):
            self.table.show(action.seat, action.card)
        elif isinstance(action, PenaltyCalled):
            self.table.take_penalty_call(action)
        elif isinstance(action, Repair):
            self.table.take_repair(index, action)
        elif isinstance(action, Pass):
            self.bidding.take_pass(action)
        else:
            self.bidding.take_declaration(action)

    def take_roem_call(self, action: RoemCall) -> None:
        """Article 4: before the trick is covered, by either side."""
        if not 1 <= action.trick <= len(self.table.tricks):
            self.log.add(
                FaultKind.NO_SUCH_TRICK,
                f"{action.points} roem gemeld voor slag {action.trick}, die niet op tafel ligt",
                f"{action.points} roem called for trick {action.trick}, which is not on the table",
                trick=action.trick,
                seat=action.seat,
            )
        elif action.trick <= self.table.covered:
            self.log.add(
                FaultKind.ROEM_TOO_LATE,
                f"{action.points} roem gemeld nadat slag {action.trick} gedekt was",
                f"{action.points} roem called after trick {action.trick} was covered",
                trick=action.trick,
                seat=action.seat,
            )
        else:
            self.roem_calls.append(action)

    def take_ruling(self, index: int, action: Ruling) -> None:
        table = self.table
        # Where nobody reports the covering, a full trick is as good as covered.
        covered = table.covered if table.covers_are_told else table.full_tricks
        if not self.rulings.take(index, action, covered, len(table.tricks)):
            return
        if action.decision is Decision.PENALTY_CARD and action.seat and action.card:
            table.show(action.seat, action.card)
        if action.decision in STOPPING:
            table.stop()

    def called_roem(self, number: int, plays: Sequence[Play]) -> int:
        """The roem of a full trick that was rightly called (article 4).

        All that lies there is called at once, or piece by piece, by either side; as long as a piece is left
        out, none of it counts.
        """
        calls = [call for call in self.roem_calls if call.trick == number]
        if not calls:
            return 0
        roem = roem_in_trick([play.card for play in plays], self.bidding.trump, self.reglement)
        parts = [part.points for part in roem.parts]
        # Who sees all that lies there calls it at once, whatever was called before.
        if any(call.points == sum(parts) for call in calls):
            return sum(parts)
        left = list(parts)
        for call in calls:
            for piece in _pieces_of(call.points, left):
                left.remove(piece)
        if not left:
            return sum(parts)
        for call in calls:
            self.report_wrong_call(call, sum(parts))
        return 0

    def report_wrong_call(self, call: RoemCall, lying: int) -> None:
        self.log.add(
            FaultKind.ROEM_WRONG,
            f"{call.points} roem gemeld voor slag {call.trick}; er ligt {lying}",
            f"{call.points} roem called for trick {call.trick}; {lying} lies there",
            trick=call.trick,
            seat=call.seat,
        )

    def trick_values(self) -> list[tuple[int, int, int]]:
        """Points, roem seen and roem called of each trick; 0 for one without a known winner."""
        trump = SUIT_NUMBER[self.bidding.trump] if self.bidding.trump else 0
        points_of = POINTS[trump]
        values = []
        for number, plays in enumerate(self.table.tricks, 1):
            if self.table.winners[number - 1] is None:
                values.append((0, 0, 0))
                continue
            points = mask = 0
            for play in plays:
                points += points_of[play.card.index]
                mask |= 1 << play.card.index
            seen = roem_points(self.reglement, mask, trump)
            values.append((points, seen, self.called_roem(number, plays) if self.roem_calls else 0))
        return values

    def state(self) -> State:
        values = self.trick_values()
        bidding, table = self.bidding, self.table
        return State(
            trump=bidding.trump,
            declarer=bidding.declarer,
            speaker=bidding.speaker,
            must_declare=bidding.must_declare,
            turn=None if table.is_stopped else table.turn,
            tricks=tuple(Trick(number, tuple(plays)) for number, plays in enumerate(table.tricks, 1)),
            winners=tuple(table.winners),
            covered=table.covered,
            is_complete=table.is_complete,
            points=tuple(points for points, _, _ in values),
            roem_seen=tuple(seen for _, seen, _ in values),
            roem_called=tuple(called for _, _, called in values),
            faults=tuple(self.log.faults),
            penalty_cards=tuple(table.penalty_cards),
            rulings=tuple(self.rulings.rulings),
            covered_at_rulings=tuple(self.rulings.covered),
            places=tuple(map(tuple, table.places)),
        )
