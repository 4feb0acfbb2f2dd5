"""One deal: a frozen record of what happened, in order, and what follows from it.

A deal refuses nothing that a table can do. A card out of turn, a card seen twice or a ninth card is recorded,
reported in :attr:`Deal.faults`, and the deal goes on as far as it can be known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from rules.actions import (
    Action,
    Covered,
    Declaration,
    Exposure,
    Pass,
    PenaltyCalled,
    Repair,
    RoemCall,
    Ruling,
)
from rules.cards import Card, Seat, Suit, Team
from rules.faults import Fault
from rules.fold import State, fold
from rules.penalty_cards import PenaltyCall, PenaltyCard
from rules.reglement import Reglement
from rules.result import DealResult, result_of
from rules.revokes import Doubt, PossibleRevoke, Revoke, doubts_in, possible_revokes_in, proven_revokes_in
from rules.trick import Play, Trick


@dataclass(frozen=True)
class Deal:
    """A deal under a reglement; every method returns a new deal, and none raises on what happens in play.

    dealer: the left-hand neighbour leads. number: 1, 2, … within the match.
    """

    reglement: Reglement
    dealer: Seat
    number: int = 1
    actions: tuple[Action, ...] = ()

    def after(self, *actions: Action) -> Deal:
        """This deal, and then these things happened."""
        return Deal(self.reglement, self.dealer, self.number, self.actions + actions)

    def passed(self, seat: Seat) -> Deal:
        """``seat`` said "ik pas"."""
        return self.after(Pass(seat))

    def declared(self, seat: Seat, suit: Suit) -> Deal:
        """``seat`` plays, with ``suit`` as trump; the first suit named stays (article 9)."""
        return self.after(Declaration(seat, suit))

    def played(self, seat: Seat, card: Card) -> Deal:
        """``seat`` played ``card``."""
        return self.after(Play(seat, card))

    def roem_called(self, seat: Seat, trick_number: int, points: int) -> Deal:
        """``seat`` called ``points`` of roem for trick ``trick_number`` (1 to 8)."""
        return self.after(RoemCall(seat, trick_number, points))

    def trick_covered(self) -> Deal:
        """The trick on the table was gathered and turned."""
        return self.after(Covered())

    def repaired(self, seat: Seat, card: Card) -> Deal:
        """``seat`` took back its card of the uncovered trick, now a strafkaart, and played ``card``."""
        return self.after(Repair(seat, card))

    def exposed(self, seat: Seat, card: Card) -> Deal:
        """``seat`` showed ``card`` outside the trick: a strafkaart until it is played (article 11)."""
        return self.after(Exposure(seat, card))

    def penalty_called(self, seat: Seat, card: Card, call: PenaltyCall) -> Deal:
        """``seat`` said of the strafkaart ``card`` of its right-hand neighbour: ``call`` (article 11).

        The next card, or the next lead, of who was punished is held against it.
        """
        return self.after(PenaltyCalled(seat, card, call))

    def ruled(self, ruling: Ruling) -> Deal:
        """The wedstrijdleider decided."""
        return self.after(ruling)

    def corrected(self, trick: int, position: int, seat: Seat, card: Card) -> Deal:
        """The play at ``position`` (1 to 4) of ``trick`` (1 to 8) was ``card`` from ``seat`` after all.

        A place where nothing was played leaves the deal as it is.
        """
        index = self._state.action_of_play(trick, position)
        if index is None:
            return self
        actions = (
            *self.actions[:index],
            _corrected(self.actions[index], seat, card),
            *self.actions[index + 1 :],
        )
        return replace(self, actions=actions)

    @cached_property
    def _state(self) -> State:
        return fold(self.reglement, self.dealer, self.actions)

    @property
    def trump(self) -> Suit | None:
        """The trump suit, None until one is named."""
        return self._state.trump

    @property
    def declarer(self) -> Seat | None:
        """Who made trump, None until somebody did."""
        return self._state.declarer

    @property
    def playing_team(self) -> Team | None:
        """The declarer's team, which must get more than the other (article 15)."""
        return self.declarer.team if self.declarer else None

    @property
    def speaker(self) -> Seat | None:
        """Whose turn it is to say "ik speel" or "ik pas"; None once trump is named."""
        return self._state.speaker

    @property
    def must_declare(self) -> bool:
        """Whether the speaker may not pass: obliged play, or all four passed (article 8)."""
        return self._state.must_declare

    @property
    def first_leader(self) -> Seat:
        """Who leads to the first trick: always the dealer's left-hand neighbour (article 8)."""
        return self.dealer.left

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is to play; None after the end, once a ruling stopped the deal, or where trump is
        unknown and a trick is full.
        """
        return self._state.turn

    @property
    def plays(self) -> tuple[Play, ...]:
        """The plays that found a place in a trick, in order."""
        return tuple(play for trick in self.tricks for play in trick.plays)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks so far with the unfinished last one, if any."""
        return self._state.tricks

    @property
    def winners(self) -> tuple[Seat | None, ...]:
        """The winner of each of :attr:`tricks`; None while not full or trump unknown."""
        return self._state.winners

    @property
    def covered_tricks(self) -> int:
        """How many tricks are gedekt: said so, or followed by a card of the next trick."""
        return self._state.covered

    @property
    def is_complete(self) -> bool:
        """Whether eight tricks are full."""
        return self._state.is_complete

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that was not as it should be, verzaken apart; all of it, in order."""
        return self._state.faults

    @property
    def penalty_cards(self) -> tuple[PenaltyCard, ...]:
        """The strafkaarten that still lie open on the table."""
        return self._state.penalty_cards

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings that stand, without those undone."""
        return self._state.rulings

    @cached_property
    def revokes(self) -> tuple[Revoke, ...]:
        """Every verzaking that the cards played so far prove, in order of play. None scores by itself."""
        return proven_revokes_in(self.reglement, self.trump, self.tricks)

    @cached_property
    def possible_revokes(self) -> tuple[PossibleRevoke, ...]:
        """Plays that are a verzaking if the player still holds one of the named cards; never proven ones."""
        return possible_revokes_in(self.reglement, self.trump, self.tricks)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Plays on which the texts differ ("twijfel"), lawful as this reglement reads them."""
        return doubts_in(self.reglement, self.trump, self.tricks)

    def result(self) -> DealResult:
        """The result; before the end the running state."""
        return result_of(self.reglement, self._state)


def _corrected(action: Action, seat: Seat, card: Card) -> Action:
    return Repair(seat, card) if isinstance(action, Repair) else Play(seat, card)
