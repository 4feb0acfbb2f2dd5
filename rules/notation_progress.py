"""How far a deal is while its line is read or written, kept up card by card."""

from __future__ import annotations

from rules.actions import Action, Covered, Declaration, Repair
from rules.cards import Seat, Suit
from rules.deal import Deal
from rules.faults import FaultLog
from rules.table import Table
from rules.trick import Play


class Progress:
    """Whose turn it is and which trick lies on the table, after the actions so far."""

    def __init__(self, deal: Deal) -> None:
        self._deal = deal
        self._actions: list[Action] = []
        self._trump: Suit | None = None
        self._table = self._empty_table()

    @property
    def actions(self) -> tuple[Action, ...]:
        """What happened so far."""
        return tuple(self._actions)

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is to play, None where that is not known."""
        return self._table.turn

    @property
    def trick_is_open(self) -> bool:
        """Whether a trick lies on the table that lacks a card."""
        return self._table.trick_is_open

    @property
    def trick_on_table(self) -> int:
        """The number of the last trick, 1 before the first."""
        return max(len(self._table.tricks), 1)

    def take(self, action: Action) -> None:
        """And then this happened."""
        self._actions.append(action)
        if isinstance(action, Declaration) and self._trump is None:
            # Trump counts for the whole deal, so who won the tricks before is known only now.
            self._trump = action.suit
            self._table = self._empty_table()
            for earlier in self._actions:
                self._put(earlier)
        else:
            self._put(action)

    def _empty_table(self) -> Table:
        return Table(self._deal.first_leader, self._trump, FaultLog(self._deal.reglement.basis))

    def _put(self, action: Action) -> None:
        if isinstance(action, Play):
            self._table.take_play(0, action)
        elif isinstance(action, Covered):
            self._table.take_cover()
        elif isinstance(action, Repair):
            self._table.take_repair(0, action)
