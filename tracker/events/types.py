"""Every kind of event, one frozen type each.

Each event says which table and deal it belongs to, when it happened, how sure that is (0 to 1) and where
in the video to look. A card within a deal is addressed by its place: trick 1 to 8, position 1 to 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from rules import Card, Seat, Suit, Team

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class VideoSpan:
    """Where to look: seconds on the source's own clock, from and to."""

    from_s: float
    to_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What all events share.

    table: the table's name, such as ``"1"``. deal: 1, 2, … within the match.
    time_utc: when it happened. confidence: 0 to 1. video: where to look, when a camera saw it.

    Raises:
        ValueError: when a value lies outside its range, or ``time_utc`` has no time zone.
    """

    table: str
    deal: int
    time_utc: datetime
    confidence: float = 1.0
    video: VideoSpan | None = None

    def __post_init__(self) -> None:
        if not self.table:
            raise ValueError("table must have a name")
        if self.deal < 1:
            raise ValueError(f"deal must be 1 or more, not {self.deal!r}")
        if self.time_utc.tzinfo is None:
            raise ValueError(f"time_utc needs a time zone: {self.time_utc!r}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence must lie from 0 to 1, not {self.confidence!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DealStarted(Event):
    """The cards are dealt."""

    dealer: Seat
    reglement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPassed(Event):
    """A player said "ik pas"."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpDeclared(Event):
    """A player made trump; ``inferred`` when it was told from the play and not from the table."""

    seat: Seat
    trump: Suit
    inferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(Event):
    """A card was played.

    alternatives: other cards that it might be, with their probabilities, most probable first.
    """

    trick: int
    position: int
    seat: Seat
    card: Card
    alternatives: tuple[tuple[Card, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardExposed(Event):
    """A face was seen outside a trick: a strafkaart, or a card shown by accident."""

    card: Card
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayedOutOfTurn(Event):
    """A player led or followed before the turn (article 11)."""

    seat: Seat
    card: Card
    trick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoemCalled(Event):
    """Somebody called roem, in points, for a trick not yet covered."""

    seat: Seat
    trick: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickCovered(Event):
    """The four cards were gathered and turned: gedekt. ``gathered_by`` is the side whose pile they joined."""

    trick: int
    gathered_by: Team | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackFlagged(Event):
    """A pack's back, or one card's, can be told from the others (article 1)."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCountWrong(Event):
    """A hand had too many or too few cards (article 5)."""

    seat: Seat | None
    seen: int
    expected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade(Event):
    """A player claimed or conceded the remaining tricks."""

    seat: Seat
    tricks: int
    statement: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeAccused(Event):
    """A player said that another verzaakte (article 14)."""

    by: Seat
    accused: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorCalled(Event):
    """The table asks the wedstrijdleider to come."""

    seat: Seat | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAgreed(Event):
    """A side said "klopt" or "klopt niet" to the score."""

    team: Team
    agreed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DealClosed(Event):
    """The deal is over: all eight tricks, or ``reason`` says what ended it."""

    reason: str = "played"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction(Event):
    """The card at a place was another card, or came from another seat. ``by`` is ``"tracker"`` or a person."""

    trick: int
    position: int
    seat: Seat
    card: Card
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Event):
    """The wedstrijdleider decided.

    decision: ``verzaakt-koppel``, ``verzaakt-individueel``, ``onjuiste-beschuldiging``, ``strafkaart``,
        ``opnieuw-delen``, ``nieuw-spel-kaarten``, ``geen-actie`` or ``ongedaan`` (undoes ``undoes``).
    """

    decision: str
    by: str
    seat: Seat | None = None
    trick: int | None = None
    reason: str = ""
    undoes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLost(Event):
    """The camera stopped giving pictures, or gives bad ones."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceBack(Event):
    """The camera gives pictures again after ``away_s`` seconds."""

    away_s: float = field(default=0.0)


EVENT_TYPES: Final[dict[str, type[Event]]] = {
    kind.__name__: kind
    for kind in (
        DealStarted,
        PlayerPassed,
        TrumpDeclared,
        CardPlayed,
        CardExposed,
        CardPlayedOutOfTurn,
        RoemCalled,
        TrickCovered,
        BackFlagged,
        CardCountWrong,
        ClaimMade,
        RevokeAccused,
        DirectorCalled,
        DealAgreed,
        DealClosed,
        Correction,
        Ruling,
        SourceLost,
        SourceBack,
    )
}
"""Every kind of event by the name that its JSON carries."""
