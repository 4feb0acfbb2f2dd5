"""What went wrong in play, as values: nothing here is ever refused or raised."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from rules.articles import Topic, article
from rules.cards import Card, Seat
from rules.reasons import Reason
from rules.reglement import Source


class FaultKind(Enum):
    """The kinds of fault."""

    OUT_OF_TURN = "out-of-turn"
    SECOND_CARD_IN_TRICK = "second-card-in-trick"
    CARD_TWICE = "card-twice"
    NINE_CARDS = "nine-cards"
    TOO_MANY_CARDS = "too-many-cards"
    AFTER_END = "after-end"
    TRICK_INCOMPLETE = "trick-incomplete"
    NO_TRICK_TO_COVER = "no-trick-to-cover"
    TRUMP_UNKNOWN = "trump-unknown"
    TRUMP_TWICE = "trump-twice"
    NOT_ALLOWED_TO_DECLARE = "not-allowed-to-declare"
    NOT_ALLOWED_TO_PASS = "not-allowed-to-pass"
    ROEM_TOO_LATE = "roem-too-late"
    ROEM_WRONG = "roem-wrong"
    NO_SUCH_TRICK = "no-such-trick"
    NO_SUCH_PLAY = "no-such-play"
    REPAIR_TOO_LATE = "repair-too-late"
    RULINGS_CONFLICT = "rulings-conflict"
    NO_SUCH_RULING = "no-such-ruling"
    RULING_NEEDS_SEAT = "ruling-needs-seat"
    RULING_NEEDS_CARD = "ruling-needs-card"
    RULING_DOES_NOT_FIT = "ruling-does-not-fit"
    RULING_NUMBER_TWICE = "ruling-number-twice"
    STOPPED = "stopped"
    SHOWN_WRONGLY = "shown-wrongly"
    TOO_FEW_CARDS = "too-few-cards"
    NO_SUCH_PENALTY_CARD = "no-such-penalty-card"
    PENALTY_CARD_KEPT = "penalty-card-kept"

    @property
    def topic(self) -> Topic:
        """What the rules say about it; the last article of all where they say nothing."""
        return _TOPICS.get(self, Topic.DIRECTOR_DECIDES)


_TOPICS = {
    FaultKind.OUT_OF_TURN: Topic.OUT_OF_TURN,
    FaultKind.SECOND_CARD_IN_TRICK: Topic.OUT_OF_TURN,
    FaultKind.NO_SUCH_PENALTY_CARD: Topic.OUT_OF_TURN,
    FaultKind.PENALTY_CARD_KEPT: Topic.OUT_OF_TURN,
    FaultKind.NINE_CARDS: Topic.HAND_SIZE,
    FaultKind.TOO_FEW_CARDS: Topic.HAND_SIZE,
    FaultKind.STOPPED: Topic.CALL_DIRECTOR,
    FaultKind.SHOWN_WRONGLY: Topic.CALL_DIRECTOR,
    FaultKind.CARD_TWICE: Topic.CALL_DIRECTOR,
    FaultKind.TOO_MANY_CARDS: Topic.CALL_DIRECTOR,
    FaultKind.TRUMP_TWICE: Topic.TRUMP_STAYS,
    FaultKind.NOT_ALLOWED_TO_DECLARE: Topic.BIDDING_ORDER,
    FaultKind.NOT_ALLOWED_TO_PASS: Topic.BIDDING_ORDER,
    FaultKind.ROEM_TOO_LATE: Topic.ROEM_CALL,
    FaultKind.ROEM_WRONG: Topic.ROEM_CALL,
    FaultKind.REPAIR_TOO_LATE: Topic.REVOKE,
}


IMPOSSIBLE: Final = frozenset(
    {
        FaultKind.CARD_TWICE,
        FaultKind.NINE_CARDS,
        FaultKind.TOO_MANY_CARDS,
        FaultKind.SECOND_CARD_IN_TRICK,
        FaultKind.AFTER_END,
    }
)
"""What no play of cards can bring about: something was seen or written wrongly."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: its kind, the trick (0 before the first), the seat and the card where known, and why."""

    kind: FaultKind
    trick: int
    seat: Seat | None
    card: Card | None
    reason: Reason


class FaultLog:
    """The faults of a deal as they come, each with the article of the reglement that it breaks."""

    def __init__(self, basis: Source) -> None:
        self._basis = basis
        self.faults: list[Fault] = []

    def add(
        self,
        kind: FaultKind,
        dutch: str,
        english: str,
        *,
        trick: int,
        seat: Seat | None = None,
        card: Card | None = None,
    ) -> None:
        """Report one more."""
        reason = Reason(kind.value, dutch, english, article(self._basis, kind.topic))
        self.faults.append(Fault(kind, trick, seat, card, reason))
