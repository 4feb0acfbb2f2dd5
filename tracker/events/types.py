"""Every kind of event, one frozen type each.

Each event says which table and deal it belongs to, when it happened, how sure that is (0 to 1) and where
in the video to look. A card within a deal is addressed by its place: trick 1 to 8, position 1 to 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from rules import Card, Seat, Suit, Team

SCHEMA_VERSION: Final = 1

TRACKER: Final = "tracker"
"""Who a :class:`Correction` is by when no person made it."""

DECISIONS: Final[tuple[str, ...]] = (
    "verzaakt-koppel",
    "verzaakt-individueel",
    "onjuiste-beschuldiging",
    "strafkaart",
    "opnieuw-delen",
    "nieuw-spel-kaarten",
    "geen-actie",
    "ongedaan",
)
"""What the wedstrijdleider can decide; ``ongedaan`` undoes an earlier decision."""

PENALTY_CALLS: Final[tuple[str, ...]] = ("bijspelen", "voorspelen")
"""How a strafkaart is played: with the trick on the table, or led."""

ACCUSES: Final = "accuses"
DOUBTS: Final[tuple[str, ...]] = ("alike", "unseen", ACCUSES)
"""Why a card is to be confirmed: it may as well be another one (``alike``), it was never seen and more than
one card is left for its place (``unseen``), or a verzaking rests on it and it is not sure enough for that
(``accuses``)."""

BACK_FLAWS: Final[tuple[str, ...]] = ("mark", "fading", "print")
"""By what one card's back differs from the others of its pack: a mark, scratch, stain or spoilt corner
(``mark``), paler ink (``fading``), another print altogether (``print``)."""

ONE_WAY: Final = "one-way"
MIRROR_PRINTED: Final = "mirror-printed"
BACK_PRINTS: Final[tuple[str, ...]] = (ONE_WAY, MIRROR_PRINTED, "unknown")
"""Whether a pack's backs look the same upside down; ``unknown`` while too little was seen of them."""

PLAYED: Final = "played"
BROKEN_OFF: Final = "broken-off"

_MOST_DEALS: Final = 9999
_LONGEST_TURN_S: Final = 86_400.0
_MOST_POINTS: Final = 1000


def _check_range(name: str, value: float, least: float, most: float) -> None:
    """Refuse a number outside ``least`` to ``most``; NaN lies outside everything."""
    if not least <= value <= most:
        raise ValueError(f"{name} must lie from {least} to {most}, not {value!r}")


@dataclass(frozen=True, slots=True)
class VideoSpan:
    """Where to look: seconds on the source's own clock, from and to.

    Raises:
        ValueError: when a time is not finite, or ``to_s`` lies before ``from_s``.
    """

    from_s: float
    to_s: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.from_s) and math.isfinite(self.to_s) and self.from_s <= self.to_s):
            raise ValueError(
                f"video must run forward between finite times, not {self.from_s!r} to {self.to_s!r}"
            )


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
        _check_range("deal", self.deal, 1, _MOST_DEALS)
        if self.time_utc.tzinfo is None:
            raise ValueError(f"time_utc needs a time zone: {self.time_utc!r}")
        _check_range("confidence", self.confidence, 0.0, 1.0)
        self._check_own()

    def _check_own(self) -> None:
        """Check what one kind of event adds. A hook, since ``super()`` fails in a dataclass with slots."""


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
    """A player made trump.

    inferred: it was told from the play and not from the table.
    declarer_known: False when ``seat`` is only who would play if nobody else had spoken: to be asked.
    """

    seat: Seat
    trump: Suit
    inferred: bool = False
    declarer_known: bool = True


def _check_place(trick: int, position: int) -> None:
    _check_range("trick", trick, 1, 8)
    _check_range("position", position, 1, 4)


def _check_alternatives(alternatives: tuple[tuple[Card, float], ...]) -> None:
    for _, probability in alternatives:
        _check_range("alternatives", probability, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(Event):
    """A card was played.

    confidence: how probable ``card`` is at that place, with all that was seen of the deal.
    alternatives: other cards that it might be, with their probabilities, most probable first.
    """

    trick: int
    position: int
    seat: Seat
    card: Card
    alternatives: tuple[tuple[Card, float], ...] = ()

    def _check_own(self) -> None:
        _check_place(self.trick, self.position)
        _check_alternatives(self.alternatives)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDoubtful(Event):
    """A card that has to be confirmed by somebody who looks at its crop: the camera alone can't settle it.

    Told once for a place. ``card`` is the best reading and ``confidence`` how probable it is; ``video`` is
    where the card lies in view, absent when it was never seen. Settled by a :class:`Correction` of the same
    place by a person (with the same card to confirm it), or by the tracker's own when later cards leave no
    doubt; :func:`tracker.events.open_questions` tells which are still open.

    reason: one of :data:`DOUBTS`.
    alternatives: as in :class:`CardPlayed`.
    """

    trick: int
    position: int
    seat: Seat
    card: Card
    reason: str
    alternatives: tuple[tuple[Card, float], ...] = ()

    def _check_own(self) -> None:
        _check_place(self.trick, self.position)
        _check_alternatives(self.alternatives)
        if self.reason not in DOUBTS:
            raise ValueError(f"reason must be one of {', '.join(DOUBTS)}, not {self.reason!r}")


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

    def _check_own(self) -> None:
        _check_range("trick", self.trick, 1, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTakenBack(Event):
    """A card lay in the trick and was taken back before it was gedekt; another may have been laid for it.

    It has been shown, so it is a strafkaart until it is played (article 11).
    """

    seat: Seat
    card: Card
    trick: int

    def _check_own(self) -> None:
        _check_range("trick", self.trick, 1, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsPlayedTogether(Event):
    """A player laid more than one card at once: ``cards``, the one that counts as played first."""

    seat: Seat
    trick: int
    cards: tuple[Card, ...]

    def _check_own(self) -> None:
        _check_range("trick", self.trick, 1, 8)
        _check_range("cards", len(self.cards), 2, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignCardSeen(Event):
    """A face that is none of the 32 lies on the table: a card of another pack. ``seat``: before whom."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowPlay(Event):
    """A player thought longer than the reglement allows (article 10); told while the table still waits.

    seconds: how long the turn had lasted when this was told.
    """

    seat: Seat
    trick: int
    position: int
    seconds: float

    def _check_own(self) -> None:
        _check_place(self.trick, self.position)
        _check_range("seconds", self.seconds, 0.0, _LONGEST_TURN_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCardCalled(Event):
    """The left-hand neighbour said how a strafkaart is to be played (article 11).

    seat: who said it. card: the strafkaart. call: one of :data:`PENALTY_CALLS`.
    """

    seat: Seat
    card: Card
    call: str

    def _check_own(self) -> None:
        if self.call not in PENALTY_CALLS:
            raise ValueError(f"call must be one of {', '.join(PENALTY_CALLS)}, not {self.call!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickGatheredWrongly(Event):
    """The trick went to the pile of ``gathered_by``, though ``winner`` of the other side won it."""

    trick: int
    gathered_by: Team
    winner: Seat

    def _check_own(self) -> None:
        _check_range("trick", self.trick, 1, 8)
        if self.winner.team is self.gathered_by:
            raise ValueError(f"winner must be of the other side than gathered_by, not {self.winner!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoemCalled(Event):
    """Somebody called roem, in points, for a trick not yet covered."""

    seat: Seat
    trick: int
    points: int

    def _check_own(self) -> None:
        _check_range("trick", self.trick, 1, 8)
        _check_range("points", self.points, 0, _MOST_POINTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickCovered(Event):
    """The four cards were gathered and turned: gedekt. ``gathered_by`` is the side whose pile they joined."""

    trick: int
    gathered_by: Team | None = None

    def _check_own(self) -> None:
        _check_range("trick", self.trick, 1, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackFlagged(Event):
    """One card's back can be told from the others of its pack (article 1).

    ``reason`` is one of :data:`BACK_FLAWS` where a camera saw it, and in words where a person did.
    """

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PackBackJudged(Event):
    """What the backs of the pack in play turned out to be (article 1): one of :data:`BACK_PRINTS`."""

    printed: str

    def _check_own(self) -> None:
        if self.printed not in BACK_PRINTS:
            raise ValueError(f"printed must be one of {', '.join(BACK_PRINTS)}, not {self.printed!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCountWrong(Event):
    """A hand had too many or too few cards (article 5)."""

    seat: Seat | None
    seen: int
    expected: int

    def _check_own(self) -> None:
        _check_range("seen", self.seen, 0, 99)
        _check_range("expected", self.expected, 0, 32)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade(Event):
    """A player claimed or conceded the remaining tricks."""

    seat: Seat
    tricks: int
    statement: str = ""

    def _check_own(self) -> None:
        _check_range("tricks", self.tricks, 0, 8)


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
    """The deal is over: all eight tricks (:data:`PLAYED`), or ``reason`` says what ended it.

    The tracker tells :data:`BROKEN_OFF` when the cards were dealt again before the eight tricks were over.
    A deal broken off (``reason`` another than ``played``) and dealt again starts anew with another
    :class:`DealStarted` of the same number; what came before then counts nowhere.
    """

    reason: str = PLAYED


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction(Event):
    """The card at a place was another card, or came from another seat.

    by: :data:`TRACKER`, or the person who says so. What a person says outranks the tracker.
    alternatives: as in :class:`CardPlayed`.
    """

    trick: int
    position: int
    seat: Seat
    card: Card
    by: str
    reason: str
    alternatives: tuple[tuple[Card, float], ...] = ()

    def _check_own(self) -> None:
        _check_place(self.trick, self.position)
        _check_alternatives(self.alternatives)
        if not self.by:
            raise ValueError("by must name who made the correction")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Event):
    """The wedstrijdleider decided.

    decision: one of :data:`DECISIONS`.
    undoes: with ``ongedaan`` only: which ruling of this deal is undone, counted from 1 in the order in which
        the deal's rulings were made, undoings counted too.
    trick: what it is about. found_after_trick: the last trick covered before it was found, when that is not
        simply the last one covered before the ruling. card: the strafkaart.
    """

    decision: str
    by: str
    seat: Seat | None = None
    trick: int | None = None
    reason: str = ""
    undoes: int | None = None
    card: Card | None = None
    found_after_trick: int | None = None

    def _check_own(self) -> None:
        if self.decision not in DECISIONS:
            raise ValueError(f"decision must be one of {', '.join(DECISIONS)}, not {self.decision!r}")
        if not self.by:
            raise ValueError("by must name who decided")
        if self.trick is not None:
            _check_range("trick", self.trick, 1, 8)
        if self.found_after_trick is not None:
            _check_range("found_after_trick", self.found_after_trick, 0, 8)
        if (self.decision == "ongedaan") != (self.undoes is not None):
            raise ValueError(f"undoes must be given with 'ongedaan' and only then, not {self.undoes!r}")
        if self.undoes is not None:
            _check_range("undoes", self.undoes, 1, _MOST_DEALS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLost(Event):
    """The camera stopped giving pictures, or gives bad ones."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceBack(Event):
    """The camera gives pictures again after ``away_s`` seconds."""

    away_s: float = 0.0

    def _check_own(self) -> None:
        if not (math.isfinite(self.away_s) and self.away_s >= 0.0):
            raise ValueError(f"away_s must be 0 or more seconds, not {self.away_s!r}")


EVENT_TYPES: Final[dict[str, type[Event]]] = {
    kind.__name__: kind
    for kind in (
        DealStarted,
        PlayerPassed,
        TrumpDeclared,
        CardPlayed,
        CardDoubtful,
        CardExposed,
        CardPlayedOutOfTurn,
        CardTakenBack,
        CardsPlayedTogether,
        ForeignCardSeen,
        PenaltyCardCalled,
        SlowPlay,
        RoemCalled,
        TrickCovered,
        TrickGatheredWrongly,
        BackFlagged,
        PackBackJudged,
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
