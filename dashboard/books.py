"""What each table's events add up to: the folds of its matches, kept in memory and read on when asked.

The store is the truth and this is only a shortcut: a book thrown away is read again from the store. The match
that is being played is at hand; earlier ones are read when asked for, and the last ones asked for are kept.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from dashboard.match_split import LoggedEvent, MatchSpan, MatchSplitter, in_order, named_match, venue_epoch
from dashboard.store import EventLog, StoredEvent, TableTokens
from tracker.events import (
    DealRecord,
    Event,
    Ruling,
    SourceBack,
    SourceLost,
    event_from_json,
    fold_deals,
)

_EARLIER_MATCHES_KEPT: Final = 6
"""For each table; an evening has three or four."""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """All that is known of one match at a table; mostly of the one that is being played.

    last_id: the id of the last stored event of the table (of an earlier match: of the match); 0 before any.
    deals: those of the match, by number.
    source: the last word on the camera; None when nothing was ever said of it.
    last_event: the last event of any kind that the table itself told.
    match: the key of the match, ``<table>.<number>``; it fits in an address.
    number: 1 for the first match that was ever played at the table.
    logged: the events in the order in which they were folded, each with its place in the store.
    last_received_utc: when the last of them came in, as the store writes it; empty before any.
    """

    table: str
    last_id: int
    deals: tuple[DealRecord, ...]
    source: SourceLost | SourceBack | None
    last_event: Event | None
    match: str = ""
    number: int = 1
    logged: tuple[LoggedEvent, ...] = ()
    last_received_utc: str = ""

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the match, as they were folded."""
        return tuple(one.event for one in self.logged)

    @property
    def media_ids(self) -> dict[int, str]:
        """By ``id(event)``, of each event the table told: ``<epoch>-<sequence>``, as its crop is named."""
        return {
            id(one.event): f"{one.epoch}-{one.sequence}" for one in self.logged if not one.is_written_at_venue
        }

    def last_ruling_id(self, deal: int) -> int:
        """The id of the last ruling on a deal, an undoing too; 0 when there is none."""
        return max(
            (one.id for one in self.logged if isinstance(one.event, Ruling) and one.event.deal == deal),
            default=0,
        )


class TableBook:
    """One table's matches. Safe to ask from many threads: one reads, the others wait for it."""

    def __init__(self, table: str, log: EventLog) -> None:
        self._table = table
        self._log = log
        self._lock = threading.RLock()  # Drawing a picture may ask for the table's other matches.
        self._splitter: MatchSplitter | None = None
        self._split_to_id = 0
        self._logged: list[LoggedEvent] = []
        self._received = ""
        self._record = TableRecord(table, 0, (), None, None, match=f"{table}.1")
        self._earlier: OrderedDict[str, TableRecord] = OrderedDict()
        self._pictures: dict[str, tuple[object, str]] = {}

    def record(self, at_least_id: int) -> TableRecord:
        """The match being played; read from the store when it knows less than ``at_least_id``."""
        with self._lock:
            return self._current(at_least_id)

    def spans(self, at_least_id: int) -> tuple[MatchSpan, ...]:
        """Every match of the table, the first one first; nothing of them is read."""
        with self._lock:
            self._current(at_least_id)
            return tuple(self._splitter.spans) if self._splitter else ()

    def match(self, key: str, at_least_id: int) -> TableRecord | None:
        """One match, also an earlier one; None when the table has none of that key."""
        with self._lock:
            current = self._current(at_least_id)
            return current if key == current.match else self._earlier_match(key)

    def matches(self, at_least_id: int) -> tuple[TableRecord, ...]:
        """Every match of the table, the first one first."""
        with self._lock:
            current = self._current(at_least_id)
            spans = self._splitter.spans[:-1] if self._splitter else []
            earlier = (self._earlier_match(span.key) for span in spans)
            return (*(record for record in earlier if record is not None), current)

    def earlier(self, at_least_id: int, since_utc: str) -> tuple[TableRecord, ...]:
        """The last matches before the one being played, the newest first, that came in since then."""
        with self._lock:
            self._current(at_least_id)
            found: list[TableRecord] = []
            spans = self._splitter.spans[:-1] if self._splitter else []
            for span in spans[: -_EARLIER_MATCHES_KEPT - 1 : -1]:
                record = self._earlier_match(span.key)
                if record is None or record.last_received_utc < since_utc:
                    break
                found.append(record)
            return tuple(found)

    def picture(
        self, name: str, at_least_id: int, draw: Callable[[TableRecord], str], beside: object = None
    ) -> str:
        """``draw(record)``, once for all who show the same; ``name`` tells kinds and languages apart.

        beside: what else the picture shows; it is drawn anew when that is another.
        """
        with self._lock:
            record = self._current(at_least_id)
            drawn, text = self._pictures.get(name, (None, ""))
            if drawn != (record.last_id, beside):
                text = draw(record)
                self._pictures[name] = ((record.last_id, beside), text)
            return text

    def _current(self, at_least_id: int) -> TableRecord:
        if self._record.last_id < at_least_id:
            self._read_on()
        return self._record

    def _read_on(self) -> None:
        if self._splitter is None:
            self._splitter, fresh = self._open()
        else:
            fresh = self._log.after(self._table, self._record.last_id)
        for stored in fresh:
            self._take(self._splitter, stored)
        if fresh:
            span = self._splitter.current
            self._record = _record(self._table, span, self._logged, fresh[-1].id, self._received)

    def _open(self) -> tuple[MatchSplitter, list[StoredEvent]]:
        """Find the matches by the starts of their deals, and read only the one that is being played."""
        splitter = MatchSplitter(self._table)
        for count, start in enumerate(self._log.deal_starts(self._table)):
            if count == 0 and self._log.has_cards_before(self._table, start.id):
                splitter.played_before()
            splitter.start_deal(start.id, start.epoch, event_from_json(json.loads(start.body)).deal)
            self._split_to_id = start.id
        span = splitter.current
        return splitter, self._log.of_match(self._table, span.first_id, None, venue_epoch(span.key))

    def _take(self, splitter: MatchSplitter, stored: StoredEvent) -> None:
        """Put one event into its match."""
        logged = _read(stored)
        key = named_match(stored.epoch)
        if key is None:
            if stored.id > self._split_to_id and self._begins_match(splitter, logged):
                self._logged = []
        elif key != splitter.current.key:
            self._earlier.pop(key, None)
            return
        self._logged.append(logged)
        self._received = stored.received_utc

    def _begins_match(self, splitter: MatchSplitter, logged: LoggedEvent) -> bool:
        before = splitter.current
        return splitter.take(logged.id, logged.epoch, logged.event) != before

    def _earlier_match(self, key: str) -> TableRecord | None:
        if key in self._earlier:
            self._earlier.move_to_end(key)
            return self._earlier[key]
        spans = self._splitter.spans if self._splitter else []
        place = next((place for place, span in enumerate(spans[:-1]) if span.key == key), None)
        if place is None:
            return None
        span, following = spans[place], spans[place + 1]
        stored = self._log.of_match(self._table, span.first_id, following.first_id, venue_epoch(key))
        logged = [_read(one) for one in stored]
        received = stored[-1].received_utc if stored else ""
        record = _record(self._table, span, logged, logged[-1].id if logged else 0, received)
        self._earlier[key] = record
        while len(self._earlier) > _EARLIER_MATCHES_KEPT:
            self._earlier.popitem(last=False)
        return record


def _read(stored: StoredEvent) -> LoggedEvent:
    event = event_from_json(json.loads(stored.body))
    return LoggedEvent(stored.id, stored.epoch, stored.sequence, event)


def _record(
    table: str, span: MatchSpan, logged: Sequence[LoggedEvent], last_id: int, received: str
) -> TableRecord:
    told = [one.event for one in logged if not one.is_written_at_venue]
    sources = [event for event in told if isinstance(event, SourceLost | SourceBack)]
    ordered = in_order(logged)
    return TableRecord(
        table=table,
        last_id=last_id,
        deals=fold_deals(one.event for one in ordered),
        source=sources[-1] if sources else None,
        last_event=told[-1] if told else None,
        match=span.key,
        number=span.number,
        logged=ordered,
        last_received_utc=received,
    )


class Books:
    """The books of all tables that have a token or ever told something."""

    def __init__(self, log: EventLog, tokens: TableTokens) -> None:
        self._log = log
        self._tokens = tokens
        self._lock = threading.Lock()
        self._books: dict[str, TableBook] = {}

    def tables(self) -> list[str]:
        """The names of all tables, in order."""
        return self.in_order({*self._tokens.tables(), *self._log.last_ids()})

    @staticmethod
    def in_order(tables: Iterable[str]) -> list[str]:
        """Names of tables as the hall has them: numbers in their own order and before words."""
        return sorted(tables, key=_natural_order)

    def book(self, table: str) -> TableBook:
        """The book of one table."""
        with self._lock:
            if table not in self._books:
                self._books[table] = TableBook(table, self._log)
            return self._books[table]

    def current(self, table: str) -> TableRecord:
        """The match that ``table`` is playing."""
        return self.book(table).record(self._log.last_id_of(table))

    def matches(self, table: str) -> tuple[TableRecord, ...]:
        """Every match of ``table``, the first one first."""
        return self.book(table).matches(self._log.last_id_of(table))

    def earlier(self, table: str, since_utc: str) -> tuple[TableRecord, ...]:
        """The last matches of ``table`` before the one it plays; see :meth:`TableBook.earlier`."""
        return self.book(table).earlier(self._log.last_id_of(table), since_utc)

    def match(self, table: str, key: str) -> TableRecord | None:
        """One match as it is now; None when ``table`` has none of that key."""
        return self.book(table).match(key, self._log.last_id_of(table))

    def records(self) -> tuple[TableRecord, ...]:
        """What every table plays now."""
        last_ids = self._log.last_ids()
        tables: Iterable[str] = self.tables()
        return tuple(self.book(table).record(last_ids.get(table, 0)) for table in tables)


def _natural_order(table: str) -> tuple[int, int, str]:
    return (0, int(table), table) if table.isdigit() else (1, 0, table)
