"""Who makes trump (articles 6 to 9; Reglement Klaverjas Drive: the dealer's left-hand neighbour must).

Passes that nobody reported are taken as said, because a camera cannot hear them.
"""

from __future__ import annotations

from rules.actions import Declaration, Pass
from rules.cards import CLOCKWISE, Seat, Suit
from rules.faults import FaultKind, FaultLog
from rules.reglement import Bidding, Reglement


class BiddingRound:
    """The passes and the declaration of one deal as they come."""

    def __init__(self, reglement: Reglement, dealer: Seat, log: FaultLog) -> None:
        self._obliged = reglement.bidding is Bidding.OBLIGED
        self._first_speaker = reglement.speaks_first(dealer)
        self._log = log
        self._passes: list[Seat] = []
        self.declarer: Seat | None = None
        self.trump: Suit | None = None

    @property
    def must_declare(self) -> bool:
        """Whether passing is over: play is obliged, or all four passed (article 8)."""
        return self.declarer is None and (self._obliged or len(self._passes) >= len(CLOCKWISE))

    @property
    def speaker(self) -> Seat | None:
        """Whose turn it is to speak; the first speaker again when all passed."""
        if self.declarer is not None:
            return None
        if self.must_declare or not self._passes:
            return self._first_speaker
        return self._passes[-1].left

    def take_pass(self, action: Pass) -> None:
        """ "Ik pas"."""
        seat = action.seat
        if self.declarer is not None or self.must_declare or seat in self._passes:
            self._log.add(
                FaultKind.NOT_ALLOWED_TO_PASS,
                f"{seat.dutch} kan hier niet passen",
                f"{seat.english} cannot pass here",
                trick=0,
                seat=seat,
            )
            return
        if seat is not self.speaker:
            self._log.add(
                FaultKind.OUT_OF_TURN,
                f"{seat.dutch} past voor de beurt",
                f"{seat.english} passes out of turn",
                trick=0,
                seat=seat,
            )
        self._passes.append(seat)

    def take_declaration(self, action: Declaration) -> None:
        """ "Ik speel"; the suit named first stays trump (article 9)."""
        if self.trump is not None:
            self._log.add(
                FaultKind.TRUMP_TWICE,
                f"{action.suit.dutch} genoemd, maar troef blijft {self.trump.dutch}",
                f"{action.suit.english} named, but trump stays {self.trump.english}",
                trick=0,
                seat=action.seat,
            )
            return
        if not self._may_declare(action.seat):
            self._log.add(
                FaultKind.NOT_ALLOWED_TO_DECLARE,
                f"{action.seat.dutch} was niet degene die troef mocht maken",
                f"{action.seat.english} was not the one to make trump",
                trick=0,
                seat=action.seat,
            )
        self.declarer, self.trump = action.seat, action.suit

    def _may_declare(self, seat: Seat) -> bool:
        return seat is self._first_speaker if self.must_declare else seat not in self._passes
