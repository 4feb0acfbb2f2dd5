"""Everything at a table that asks for the wedstrijdleider, found in its events and in what they add up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from dashboard.books import TableRecord
from dashboard.desk.alerts import ABOUT_BACKS, Alert, AlertKind, EvidenceCard, EvidenceTrick
from dashboard.presence import NEVER_HEARD, Lamp, TablePresence, TableStatus
from dashboard.table_state import SURE_FROM
from dashboard.tellijst import sheet_row
from rules import Card, Fault, FaultKind, Reason, Revoke
from rules.articles import Topic, article
from tracker.events import (
    ONE_WAY,
    BackFlagged,
    CardCountWrong,
    CardExposed,
    CardPlayedOutOfTurn,
    CardsPlayedTogether,
    CardTakenBack,
    ClaimMade,
    DealAgreed,
    DealRecord,
    DirectorCalled,
    Event,
    ForeignCardSeen,
    PackBackJudged,
    RevokeAccused,
    SeenCard,
    SlowPlay,
    SourceLost,
    TrickCovered,
    TrickGatheredWrongly,
    revoke_certainty,
    trump_instead,
)


def alerts_of(record: TableRecord, presence: TablePresence = NEVER_HEARD) -> tuple[Alert, ...]:
    """Everything at one table for the wedstrijdleider, newest first; what is over comes last."""
    media_ids = record.media_ids
    alerts = [alert for deal in record.deals for alert in _alerts_of_deal(record.table, deal, media_ids)]
    alerts += _source_alerts(record, presence)
    return tuple(sorted(alerts, key=lambda alert: (alert.over, -alert.time_utc.timestamp())))


def _alerts_of_deal(table: str, record: DealRecord, media_ids: Mapping[int, str]) -> Iterator[Alert]:
    for revoke in record.deal.revokes:
        yield _revoke_alert(table, record, revoke)
    for place, event in enumerate(record.events):
        alert = _event_alert(event)
        if alert is not None:
            covered = _covered_before(record.events[:place])
            if alert.kind in ABOUT_BACKS:
                # It is about the cards themselves: no trick is the evidence, a picture is.
                alert = _with_picture(alert, record, media_ids.get(id(event), ""))
            else:
                alert = replace(alert, trick=alert.trick or _trick_at(record, event.time_utc))
            yield replace(alert, found_after_trick=covered)
    yield from _disagreements(table, record)
    for fault in record.deal.faults:
        if not _is_told_otherwise(record, fault):
            yield _fault_alert(table, record, fault)


def _with_picture(alert: Alert, record: DealRecord, media_id: str) -> Alert:
    basis = record.deal.reglement.basis
    return replace(alert, article=article(basis, Topic.CARD_BACKS), basis=basis, media_id=media_id)


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
        trump_instead=trump_instead(record.deal),
        trick=revoke.trick,
        found_after_trick=revoke.proven_trick - 1,
        tricks=tricks,
        reason=revoke.reason,
        article=revoke.article,
        basis=record.deal.reglement.basis,
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
        trick=fault.trick or None,
        found_after_trick=max(0, fault.trick - 1),
        reason=fault.reason,
        article=fault.reason.article,
        basis=record.deal.reglement.basis,
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
            told = replace(_seen(event, AlertKind.OUT_OF_TURN), seat=event.seat, card=event.card)
            return replace(told, trick=event.trick)
        case BackFlagged():
            return replace(_seen(event, AlertKind.BACK_FLAGGED), detail=event.reason)
        case PackBackJudged(printed=printed) if printed == ONE_WAY:
            return _seen(event, AlertKind.ONE_WAY_PACK)
        case CardCountWrong():
            counted = replace(_seen(event, AlertKind.CARD_COUNT), seat=event.seat)
            return replace(counted, seen=event.seen, expected=event.expected)
        case RevokeAccused():
            return replace(_said(event, AlertKind.REVOKE_ACCUSED), seat=event.by, other_seat=event.accused)
        case DirectorCalled():
            return replace(_said(event, AlertKind.DIRECTOR_CALLED), seat=event.seat, detail=event.reason)
        case ClaimMade():
            claimed = replace(_said(event, AlertKind.CLAIM), seat=event.seat, detail=event.statement)
            return replace(claimed, seen=event.tricks)
        case _:
            return _seen_at_the_table(event)


def _seen_at_the_table(event: Event) -> Alert | None:
    """What the camera alone saw, and no rule can tell from the cards."""
    match event:
        case CardTakenBack():
            taken = replace(_seen(event, AlertKind.TAKEN_BACK), seat=event.seat, card=event.card)
            return replace(taken, trick=event.trick)
        case CardsPlayedTogether():
            together = replace(_seen(event, AlertKind.CARDS_TOGETHER), seat=event.seat, trick=event.trick)
            return replace(together, cards=event.cards)
        case ForeignCardSeen():
            return replace(_seen(event, AlertKind.FOREIGN_CARD), seat=event.seat)
        case TrickGatheredWrongly():
            gathered = replace(_seen(event, AlertKind.GATHERED_WRONGLY), seat=event.winner)
            return replace(gathered, team=event.gathered_by, trick=event.trick)
        case SlowPlay():
            slow = replace(_seen(event, AlertKind.SLOW_PLAY), seat=event.seat, trick=event.trick)
            return replace(slow, seen=round(event.seconds))
        case _:
            return None


def _covered_before(events: Sequence[Event]) -> int:
    return max((event.trick for event in events if isinstance(event, TrickCovered)), default=0)


def _trick_at(record: DealRecord, moment: datetime) -> int | None:
    """The trick that was being played at a moment; the first one before it began."""
    before = [seen.trick for seen in record.cards if seen.time_utc <= moment]
    return max(before) if before else min((seen.trick for seen in record.cards), default=None)


def _disagreements(table: str, record: DealRecord) -> Iterator[Alert]:
    """A side that said "klopt niet"; over once it agrees after all."""
    for team, agreed in record.agreed.items():
        said = [event for event in record.events if isinstance(event, DealAgreed) and event.team is team]
        objections = [event for event in said if not event.agreed]
        if objections:
            yield replace(
                _said(objections[-1], AlertKind.DISAGREED),
                team=team,
                trump=record.deal.trump,
                counted=sheet_row(record.number, record),
                unsure=tuple(_evidence(seen, set()) for seen in record.cards if seen.confidence < SURE_FROM),
                over=agreed,
            )


def _said(event: Event, kind: AlertKind) -> Alert:
    return Alert(kind=kind, table=event.table, deal=event.deal, time_utc=event.time_utc)


def _seen(event: Event, kind: AlertKind) -> Alert:
    return replace(_said(event, kind), certainty=event.confidence)


_OF_LAMP: Final = {Lamp.SILENT: AlertKind.TABLE_SILENT, Lamp.TWICE: AlertKind.TABLE_TWICE}


def _source_alerts(record: TableRecord, presence: TablePresence) -> Iterator[Alert]:
    """The camera that does not see its table, or the table that says nothing any more.

    What the table says of itself goes first; else the last event about the camera counts.
    """
    status = presence.status
    if status is None or presence.lamp is Lamp.UNKNOWN:
        if isinstance(record.source, SourceLost):
            yield replace(_said(record.source, AlertKind.SOURCE_LOST), detail=record.source.reason)
    elif presence.lamp.is_trouble:
        kind = _OF_LAMP.get(presence.lamp, AlertKind.SOURCE_LOST)
        is_of_camera = kind is AlertKind.SOURCE_LOST
        since = status.camera_since_utc or status.sent_utc if is_of_camera else status.sent_utc
        last = record.last_event
        yield Alert(
            kind=kind,
            table=record.table,
            deal=last.deal if last else 1,
            time_utc=since or datetime.now(UTC),
            reason=_camera_reason(status) if is_of_camera else None,
        )


def _camera_reason(status: TableStatus) -> Reason | None:
    if status.camera_message_nl is None or status.camera_message_en is None:
        return None
    return Reason(status.camera_fault or "", status.camera_message_nl, status.camera_message_en)
