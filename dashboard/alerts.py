"""What asks for the wedstrijdleider. A flag goes to the desk only, and never scores by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from dashboard.books import TableRecord
from dashboard.table_state import SURE_FROM
from rules import Card, Fault, FaultKind, Reason, Revoke, Seat, Suit
from tracker.events import (
    BackFlagged,
    CardCountWrong,
    CardExposed,
    CardPlayedOutOfTurn,
    DealRecord,
    DirectorCalled,
    Event,
    RevokeAccused,
    SeenCard,
    SourceLost,
    revoke_certainty,
)


class AlertKind(Enum):
    """What happened; the value is also the name of its wording."""

    REVOKE = "revoke"
    REVOKE_ACCUSED = "revoke_accused"
    DIRECTOR_CALLED = "director_called"
    OUT_OF_TURN = "out_of_turn"
    CARD_EXPOSED = "card_exposed"
    BACK_FLAGGED = "back_flagged"
    CARD_COUNT = "card_count"
    FAULT = "fault"
    SOURCE_LOST = "source_lost"


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """A card in an alert's evidence.

    is_marked: this is the card that it is about. confidence: 0 to 1, how sure it was read.
    """

    seat: Seat
    card: Card
    confidence: float
    is_marked: bool

    @property
    def is_unsure(self) -> bool:
        """Whether the card deserves a second look."""
        return self.confidence < SURE_FROM


@dataclass(frozen=True, slots=True)
class EvidenceTrick:
    """One of the deciding tricks, its cards in order of play."""

    number: int
    cards: tuple[EvidenceCard, ...]


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing at one table.

    certainty: 0 to 1; None where a person said it and there is nothing to doubt.
    card: the card it is about, and should_have_played: those that the rules asked for.
    tricks: for a verzaking both tricks: where it happened and where it showed.
    unsure: the cards among the evidence that deserve a second look. over: it needs nobody any more.
    """

    kind: AlertKind
    table: str
    deal: int
    time_utc: datetime
    seat: Seat | None = None
    other_seat: Seat | None = None
    card: Card | None = None
    should_have_played: tuple[Card, ...] = ()
    trump: Suit | None = None
    tricks: tuple[EvidenceTrick, ...] = ()
    reason: Reason | None = None
    article: str = ""
    detail: str = ""
    seen: int | None = None
    expected: int | None = None
    certainty: float | None = None
    unsure: tuple[EvidenceCard, ...] = ()
    over: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether the cards were read well enough to call it shown, not possible."""
        return self.certainty is None or self.certainty >= SURE_FROM


def alerts_of(record: TableRecord) -> tuple[Alert, ...]:
    """Everything at one table for the wedstrijdleider, newest first; what is over comes last."""
    alerts = [alert for deal in record.deals for alert in _alerts_of_deal(record.table, deal)]
    alerts += _source_alerts(record)
    return tuple(sorted(alerts, key=lambda alert: (alert.over, -alert.time_utc.timestamp())))


def _alerts_of_deal(table: str, record: DealRecord) -> Iterator[Alert]:
    for revoke in record.deal.revokes:
        yield _revoke_alert(table, record, revoke)
    for event in record.events:
        alert = _event_alert(event)
        if alert is not None:
            yield alert
    for fault in record.deal.faults:
        if not _is_told_otherwise(record, fault):
            yield _fault_alert(table, record, fault)


def _revoke_alert(table: str, record: DealRecord, revoke: Revoke) -> Alert:
    certainty, rests_on = revoke_certainty(record, revoke)
    tricks = tuple(
        EvidenceTrick(
            number,
            tuple(
                _evidence(seen, {(revoke.trick, revoke.card), (revoke.proven_trick, revoke.proven_card)})
                for seen in record.cards
                if seen.trick == number
            ),
        )
        for number in (revoke.trick, revoke.proven_trick)
    )
    return Alert(
        kind=AlertKind.REVOKE,
        table=table,
        deal=record.number,
        time_utc=_time_of(record, revoke.proven_trick, revoke.proven_card),
        seat=revoke.seat,
        card=revoke.card,
        should_have_played=revoke.should_have_played,
        trump=record.deal.trump,
        tricks=tricks,
        reason=revoke.reason,
        article=revoke.article,
        certainty=certainty,
        unsure=tuple(_evidence(seen, set()) for seen in rests_on if seen.confidence < SURE_FROM),
    )


def _evidence(seen: SeenCard, marked: set[tuple[int, Card]]) -> EvidenceCard:
    return EvidenceCard(seen.seat, seen.card, seen.confidence, (seen.trick, seen.card) in marked)


def _time_of(record: DealRecord, trick: int, card: Card) -> datetime:
    times = [seen.time_utc for seen in record.cards if (seen.trick, seen.card) == (trick, card)]
    return times[0] if times else record.events[-1].time_utc


def _fault_alert(table: str, record: DealRecord, fault: Fault) -> Alert:
    cards = [seen for seen in record.cards if seen.trick == fault.trick]
    about = [seen for seen in cards if (seen.seat, seen.card) == (fault.seat, fault.card)]
    seen_cards = about or cards
    out_of_turn = fault.kind is FaultKind.OUT_OF_TURN
    return Alert(
        kind=AlertKind.OUT_OF_TURN if out_of_turn else AlertKind.FAULT,
        table=table,
        deal=record.number,
        time_utc=seen_cards[0].time_utc if seen_cards else record.events[-1].time_utc,
        seat=fault.seat,
        card=fault.card,
        reason=fault.reason,
        article=fault.reason.article,
        certainty=about[0].confidence if about else None,
        unsure=tuple(_evidence(seen, set()) for seen in about if seen.confidence < SURE_FROM),
    )


def _is_told_otherwise(record: DealRecord, fault: Fault) -> bool:
    """Whether an event already says what the rules found: a card out of turn is told by both."""
    return any(
        (event.seat, event.card) == (fault.seat, fault.card)
        for event in record.events
        if isinstance(event, CardPlayedOutOfTurn)
    )


def _event_alert(event: Event) -> Alert | None:
    """The alert for an event that asks for one by itself. What a camera saw is as sure as the event says."""
    match event:
        case CardExposed():
            return replace(_seen(event, AlertKind.CARD_EXPOSED), seat=event.seat, card=event.card)
        case CardPlayedOutOfTurn():
            return replace(_seen(event, AlertKind.OUT_OF_TURN), seat=event.seat, card=event.card)
        case BackFlagged():
            return replace(_seen(event, AlertKind.BACK_FLAGGED), detail=event.reason)
        case CardCountWrong():
            counted = replace(_seen(event, AlertKind.CARD_COUNT), seat=event.seat)
            return replace(counted, seen=event.seen, expected=event.expected)
        case RevokeAccused():
            return replace(_said(event, AlertKind.REVOKE_ACCUSED), seat=event.by, other_seat=event.accused)
        case DirectorCalled():
            return replace(_said(event, AlertKind.DIRECTOR_CALLED), seat=event.seat, detail=event.reason)
        case _:
            return None


def _said(event: Event, kind: AlertKind) -> Alert:
    return Alert(kind=kind, table=event.table, deal=event.deal, time_utc=event.time_utc)


def _seen(event: Event, kind: AlertKind) -> Alert:
    return replace(_said(event, kind), certainty=event.confidence)


def _source_alerts(record: TableRecord) -> list[Alert]:
    """The camera, when it lost the table last and did not come back."""
    if not isinstance(record.source, SourceLost):
        return []
    return [replace(_said(record.source, AlertKind.SOURCE_LOST), detail=record.source.reason)]
