"""What each table's events add up to: the fold, kept in memory and brought up to date when asked.

The store is the truth and this is only a shortcut: a book thrown away is read again from the first event.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from dashboard.store import EventLog, StoredEvent, TableTokens
from tracker.events import (
    DealRecord,
    DealStarted,
    Event,
    SourceBack,
    SourceLost,
    event_from_json,
    fold_deals,
)

Picture = TypeVar("Picture")


@dataclass(frozen=True, slots=True)
class TableRecord:
    """All that is known of one table now.

    last_id: the id of the last stored event; 0 before the first.
    deals: those of the match that is being played, by number.
    source: the last word on the camera; None when nothing was ever said of it.
    last_event: the last event of any kind.
    """

    table: str
    last_id: int
    deals: tuple[DealRecord, ...]
    source: SourceLost | SourceBack | None
    last_event: Event | None


class TableBook:
    """One table's events and their fold. Safe to ask from many threads: one reads, the others wait for it."""

    def __init__(self, table: str, log: EventLog) -> None:
        self._table = table
        self._log = log
        self._lock = threading.Lock()
        self._match = MatchEvents()
        self._record = TableRecord(table, 0, (), None, None)
        self._pictures: dict[str, tuple[int, str]] = {}

    def record(self, at_least_id: int) -> TableRecord:
        """The table as it is now; read from the store when it knows less than ``at_least_id``."""
        with self._lock:
            return self._current(at_least_id)

    def picture(self, name: str, at_least_id: int, draw: Callable[[TableRecord], str]) -> str:
        """``draw(record)``, once for all who show the same; ``name`` tells kinds and languages apart."""
        with self._lock:
            record = self._current(at_least_id)
            drawn_id, text = self._pictures.get(name, (-1, ""))
            if drawn_id != record.last_id:
                text = draw(record)
                self._pictures[name] = (record.last_id, text)
            return text

    def _current(self, at_least_id: int) -> TableRecord:
        if self._record.last_id < at_least_id:
            self._read_on()
        return self._record

    def _read_on(self) -> None:
        fresh = self._log.after(self._table, self._record.last_id)
        if not fresh:
            return
        source = self._record.source
        for stored in fresh:
            event = self._match.add(stored)
            source = event if isinstance(event, SourceLost | SourceBack) else source
        self._record = TableRecord(
            table=self._table,
            last_id=fresh[-1].id,
            deals=fold_deals(self._match.events),
            source=source,
            last_event=self._match.events[-1],
        )


class MatchEvents:
    """The events of the match that a table is playing.

    A deal 1 that starts after later deals, or in a new epoch (another journal), begins a new match. A deal 1
    that starts again within the first deal is that deal dealt again.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._epoch_of_start = ""
        self._highest_deal = 0

    def add(self, stored: StoredEvent) -> Event:
        """Take in the next stored event; gives it back read."""
        event = event_from_json(json.loads(stored.body))
        if isinstance(event, DealStarted):
            self._begin_when_first(event, stored.epoch)
        self.events.append(event)
        return event

    def _begin_when_first(self, event: DealStarted, epoch: str) -> None:
        if event.deal == 1 and (self._highest_deal > 1 or epoch != self._epoch_of_start):
            self.events.clear()
            self._highest_deal = 0
            self._epoch_of_start = epoch
        self._highest_deal = max(self._highest_deal, event.deal)


class Books:
    """The books of all tables that have a token or ever told something."""

    def __init__(self, log: EventLog, tokens: TableTokens) -> None:
        self._log = log
        self._tokens = tokens
        self._lock = threading.Lock()
        self._books: dict[str, TableBook] = {}

    def tables(self) -> list[str]:
        """The names of all tables, numbers in their own order and before words."""
        return sorted({*self._tokens.tables(), *self._log.last_ids()}, key=_natural_order)

    def book(self, table: str) -> TableBook:
        """The book of one table."""
        with self._lock:
            if table not in self._books:
                self._books[table] = TableBook(table, self._log)
            return self._books[table]

    def records(self) -> tuple[TableRecord, ...]:
        """Every table as it is now."""
        last_ids = self._log.last_ids()
        tables: Iterable[str] = self.tables()
        return tuple(self.book(table).record(last_ids.get(table, 0)) for table in tables)


def _natural_order(table: str) -> tuple[int, int, str]:
    return (0, int(table), table) if table.isdigit() else (1, 0, table)
