"""What is pressed at the desk becomes an event and a line in the log, once, or not at all.

Two presses, two tabs or two directors: whoever comes second is told what the first one did. What was shown
before pressing must still be so when it is written; else it is shown anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from dashboard.books import TableRecord
from dashboard.desk.effects import deal_of, effect_of
from dashboard.desk.matches import DeskMatch
from dashboard.desk.rulings import MadeRuling, Proposal, made_rulings, stops_the_deal
from dashboard.errors import AlreadyDecidedError, ChangedMeanwhileError
from dashboard.store.desk_log import DeskEntry, DeskLog
from rules import Card, Decision, Seat, Suit
from tracker.events import Correction, DealStarted, Event, TrumpDeclared

MatchReader = Callable[[str, str], DeskMatch | None]
"""A table and a match to what is known of it now."""


class EventWriter(Protocol):
    """Writes events of a table and match as the venue's own."""

    def __call__(
        self, table: str, match: str, events: Sequence[Event], by: str, expected_last_id: int | None = None
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Where:
    """The deal that something is done about, by whom and when. ``player``: who it is held against."""

    table: str
    match: str
    deal: int
    by: str
    now: datetime
    alert: str = ""
    player: str = ""


@dataclass(frozen=True, slots=True)
class CorrectedCard:
    """What a place is to hold. ``was`` is what it held when it was looked at, as ``E HT``; empty: nothing."""

    trick: int
    position: int
    seat: Seat
    card: Card
    was: str


class Desk:
    """Decisions and corrections, one at a time."""

    def __init__(self, read: MatchReader, write: EventWriter, log: DeskLog) -> None:
        self._read = read
        self._write = write
        self._log = log
        self._lock = threading.Lock()

    def rule(self, where: Where, proposal: Proposal, known_ruling: int, shown: str) -> None:
        """Write a ruling.

        known_ruling: the id of the deal's last ruling when it was looked at, 0 for none. shown: ``figures``
        of the effect that stood beside the button.

        Raises:
            AlreadyDecidedError: when somebody decided about this deal meanwhile, or the same is in force.
            ChangedMeanwhileError: when it would bring something else than was shown, or cannot be made.
        """
        with self._lock:
            found, made = self._undecided(where, known_ruling)
            if proposal.lacks:
                raise ChangedMeanwhileError
            if proposal.is_in_force(made):
                raise AlreadyDecidedError(_words_of(made))
            event = proposal.event(where.table, where.deal, where.by, where.now)
            if stops_the_deal(proposal.decision):
                effect = effect_of(found.record, where.deal, [event], found.deals_in_match)
                if effect.after.figures != shown:
                    raise ChangedMeanwhileError
            self._write(where.table, where.match, [event], where.by, expected_last_id=known_ruling)
            self._log.add(_ruled(where, proposal, len(made) + 1))

    def undo(self, where: Where, number: int, known_ruling: int) -> None:
        """Undo ruling ``number`` of a deal.

        Raises:
            AlreadyDecidedError: when somebody decided about this deal meanwhile.
            ChangedMeanwhileError: when there is no such ruling in force.
        """
        with self._lock:
            _, made = self._undecided(where, known_ruling)
            undone = next((one for one in made if one.number == number and one.in_force), None)
            if undone is None:
                raise ChangedMeanwhileError
            event = Proposal(Decision.UNDO, undoes=number).event(where.table, where.deal, where.by, where.now)
            self._write(where.table, where.match, [event], where.by, expected_last_id=known_ruling)
            self._log.add(self._undone(where, undone))

    def _undecided(self, where: Where, known_ruling: int) -> tuple[DeskMatch, tuple[MadeRuling, ...]]:
        """The match, and the rulings on its deal, when nobody made one since ``known_ruling``."""
        found = self._read(where.table, where.match)
        if found is None:
            raise ChangedMeanwhileError
        made = made_rulings(deal_of(found.record, where.deal))
        if found.record.last_ruling_id(where.deal) != known_ruling:
            raise AlreadyDecidedError(_words_of(made))
        return found, made

    def _undone(self, where: Where, undone: MadeRuling) -> DeskEntry:
        ruled = [
            entry
            for entry in self._log.of_match(where.table, where.match)
            if entry.what == "ruled"
            and entry.deal == where.deal
            and entry.detail.get("ruling") == str(undone.number)
        ]
        detail = {"decision": undone.decision.value, "ruling": str(undone.number)}
        if undone.event.seat:
            detail["seat"] = undone.event.seat.value
        return _entry(where, "undone", "", detail, alert=ruled[-1].alert if ruled else "")

    def correct(self, where: Where, cards: Sequence[CorrectedCard], reason: str) -> None:
        """Write what cards really were, all at once; the same card again confirms it.

        Raises:
            ChangedMeanwhileError: when a place holds something else than when it was looked at.
        """
        with self._lock:
            found = self._read(where.table, where.match)
            if found is None or any(
                held_at(found.record, where.deal, card.trick, card.position) != card.was for card in cards
            ):
                raise ChangedMeanwhileError
            self._write(
                where.table, where.match, [correction(where, card, reason) for card in cards], where.by
            )
            for card in cards:
                self._log.add(_corrected(where, card, reason))

    def declare(self, where: Where, seat: Seat, trump: Suit, reason: str) -> None:
        """Write what the table says is trump, and who plays."""
        with self._lock:
            self._write(where.table, where.match, [declaration(where, seat, trump)], where.by)
            self._log.add(_entry(where, "declared", reason, {"seat": seat.value, "trump": trump.value}))

    def set_dealer(self, where: Where, dealer: Seat, reglement: str, reason: str) -> None:
        """Write who dealt."""
        with self._lock:
            self._write(where.table, where.match, [dealer_told(where, dealer, reglement)], where.by)
            self._log.add(_entry(where, "dealer", reason, {"seat": dealer.value}))

    def acknowledge(self, where: Where) -> None:
        """Somebody is at it; the alert no longer sounds."""
        self._log.add(_entry(where, "acknowledged", "", {}))

    def release(self, where: Where) -> None:
        """Nobody is at it after all."""
        self._log.add(_entry(where, "released", "", {}))


def held_at(record: TableRecord, deal: int, trick: int, position: int) -> str:
    """What a place holds now, as ``E HT``; empty when nothing."""
    known = deal_of(record, deal)
    for seen in known.cards if known else ():
        if (seen.trick, seen.position) == (trick, position):
            return f"{seen.seat.value} {seen.card.code}"
    return ""


def correction(where: Where, card: CorrectedCard, reason: str) -> Correction:
    """The event of a corrected card; what a person says outranks the tracker."""
    return Correction(
        table=where.table,
        deal=where.deal,
        time_utc=where.now,
        trick=card.trick,
        position=card.position,
        seat=card.seat,
        card=card.card,
        by=where.by,
        reason=reason,
    )


def declaration(where: Where, seat: Seat, trump: Suit) -> TrumpDeclared:
    """The event of trump told by a person."""
    return TrumpDeclared(table=where.table, deal=where.deal, time_utc=where.now, seat=seat, trump=trump)


def dealer_told(where: Where, dealer: Seat, reglement: str) -> DealStarted:
    """The event of another dealer: the same deal, started by another."""
    return DealStarted(
        table=where.table, deal=where.deal, time_utc=where.now, dealer=dealer, reglement=reglement
    )


def _words_of(made: Sequence[MadeRuling]) -> str:
    """Who decided last, for whoever came second; there may be none after all when a match went away."""
    return f"{made[-1].event.by}: {made[-1].decision.value}" if made else ""


def _ruled(where: Where, proposal: Proposal, number: int) -> DeskEntry:
    detail = {"decision": proposal.decision.value, "ruling": str(number)}
    if proposal.seat:
        detail["seat"] = proposal.seat.value
    if proposal.trick:
        detail["trick"] = str(proposal.trick)
    if where.player:
        detail["player"] = where.player
    return _entry(where, "ruled", proposal.reason, detail)


def _corrected(where: Where, card: CorrectedCard, reason: str) -> DeskEntry:
    now = f"{card.seat.value} {card.card.code}"
    detail = {"trick": str(card.trick), "position": str(card.position), "from": card.was, "to": now}
    return _entry(where, "confirmed" if card.was == now else "corrected", reason, detail)


def _entry(
    where: Where, what: str, reason: str, detail: Mapping[str, str], alert: str | None = None
) -> DeskEntry:
    return DeskEntry(
        time_utc=where.now,
        by=where.by,
        table=where.table,
        match=where.match,
        what=what,
        deal=where.deal,
        alert=where.alert if alert is None else alert,
        reason=reason,
        detail=detail,
    )
