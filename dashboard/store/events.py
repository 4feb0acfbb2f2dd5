"""The events of all tables, in the order in which they were stored. They are added to, never changed."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, Select, and_, func, insert, or_, select

from dashboard.errors import EventConflictError
from dashboard.store.database import Store, utc_text
from dashboard.store.schema import EVENTS, VENUE_WRITES

_START_OF_CHAIN: Final = "0" * 64
_ROWS_AT_ONCE: Final = 1_000
_VENUE_WRITTEN: Final = "venue.%"


@dataclass(frozen=True, slots=True)
class IncomingEvent:
    """An event as a table delivers it; ``body`` is canonical JSON."""

    sequence: int
    body: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it stands in the store; ``id`` numbers the events of all tables together."""

    id: int
    epoch: str
    sequence: int
    body: str
    received_utc: str = ""


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """The first event whose hash does not follow from those before it; ``count`` events are whole."""

    id: int
    table: str
    epoch: str
    sequence: int
    received_utc: str
    count: int


@dataclass(frozen=True, slots=True)
class Chain:
    """What checking the events gave: how many are whole, the hash of the last of those, and where it breaks.

    link: 64 hexadecimal figures; zeros before the first event. Whoever noted it down can ask later whether
        the events up to it are still the same.
    """

    count: int
    link: str
    broken: BrokenLink | None
    has_expected: bool


Listener = Callable[[str, Sequence[int]], None]
"""Told of a table and the ids of its events that are on the disk now."""

StillSo = Callable[[Sequence[StoredEvent]], None]
"""Looks at what the venue has written of a match so far; raises when nothing more may be written."""


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of a batch.

    acknowledged: every sequence up to here is on the disk (0: none).
    stored: how many events were new. last_id: the id of the last one, None when none was new.
    """

    acknowledged: int
    stored: int
    last_id: int | None


class EventLog:
    """The append-only log in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one_at_a_time = threading.Lock()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` after each batch, in the order of the ids; it holds up the next batch."""
        self._listeners.append(listener)

    def append(self, table: str, epoch: str, events: Sequence[IncomingEvent]) -> Appended:
        """Store what is new and follows without a gap; on the disk when this returns.

        Sequences of one (table, epoch) start at 1. What is known already is compared; what comes after a gap
        is left out, so that the sender goes on from ``acknowledged + 1``.

        Raises:
            EventConflictError: when a key is stored with other content; then nothing of the batch is stored.
        """
        with self._one_at_a_time:
            with self._store.writing() as connection:
                known = _highest_sequence(connection, table, epoch)
                _refuse_other_content(connection, table, epoch, events, known)
                fresh = _contiguous(events, known)
                ids = _insert(connection, table, epoch, fresh)
            self._tell(table, ids)
        return Appended(known + len(fresh), len(fresh), ids[-1] if ids else None)

    def write(
        self, table: str, epoch: str, bodies: Sequence[str], by: str, still_so: StillSo
    ) -> tuple[int, ...]:
        """Store events that the venue itself writes, numbered on from those of this epoch; gives their ids.

        by: who writes them. still_so: asked in the same transaction, with all that the epoch holds already;
        when it raises, nothing is stored.
        """
        with self._one_at_a_time:
            with self._store.writing() as connection:
                written = _rows(connection, _in_epoch(table, epoch))
                still_so(written)
                first = written[-1].sequence + 1 if written else 1
                events = [IncomingEvent(first + place, body) for place, body in enumerate(bodies)]
                ids = _insert(connection, table, epoch, events)
                rows = [{"event_id": event_id, "written_by": by} for event_id in ids]
                connection.execute(insert(VENUE_WRITES), rows)
            self._tell(table, ids)
        return ids

    def after(self, table: str, last_id: int = 0) -> list[StoredEvent]:
        """The events of a table with an id above ``last_id``, in the order in which they were stored."""
        with self._store.reading() as connection:
            return _rows(connection, and_(EVENTS.c.table_name == table, EVENTS.c.id > last_id))

    def of_match(
        self, table: str, first_id: int, before_id: int | None, venue_epoch: str
    ) -> list[StoredEvent]:
        """A table's own events from ``first_id`` up to ``before_id``, and all under ``venue_epoch``."""
        own = [EVENTS.c.table_name == table, EVENTS.c.id >= first_id, EVENTS.c.epoch.not_like(_VENUE_WRITTEN)]
        if before_id is not None:
            own.append(EVENTS.c.id < before_id)
        with self._store.reading() as connection:
            return _rows(connection, or_(and_(*own), _in_epoch(table, venue_epoch)))

    def deal_starts(self, table: str) -> list[StoredEvent]:
        """Every ``DealStarted`` that a table itself told."""
        return self._of_kind(table, "DealStarted")

    def has_cards_before(self, table: str, event_id: int) -> bool:
        """Whether a table told of a card before the event ``event_id``."""
        query = select(EVENTS.c.id).where(
            EVENTS.c.table_name == table, EVENTS.c.id < event_id, EVENTS.c.body.contains(_kind("CardPlayed"))
        )
        with self._store.reading() as connection:
            return connection.scalar(query.limit(1)) is not None

    def writers(self, ids: Sequence[int]) -> dict[int, str]:
        """Who wrote the events with these ids, of those that were written at the venue."""
        query = select(VENUE_WRITES.c.event_id, VENUE_WRITES.c.written_by)
        with self._store.reading() as connection:
            rows = connection.execute(query.where(VENUE_WRITES.c.event_id.in_(ids)))
            return {int(event_id): str(by) for event_id, by in rows}

    def ids_after(self, last_id: int, most: int) -> list[tuple[int, str]]:
        """The ids above ``last_id`` of all tables with their table, at most ``most`` of them."""
        query = select(EVENTS.c.id, EVENTS.c.table_name).where(EVENTS.c.id > last_id)
        with self._store.reading() as connection:
            rows = connection.execute(query.order_by(EVENTS.c.id).limit(most))
            return [(int(event_id), str(table)) for event_id, table in rows]

    def free_bytes(self) -> int | None:
        """As :meth:`Store.free_bytes`."""
        return self._store.free_bytes()

    def last_ids(self) -> dict[str, int]:
        """For each table that has events: the id of its last one."""
        query = select(EVENTS.c.table_name, func.max(EVENTS.c.id)).group_by(EVENTS.c.table_name)
        with self._store.reading() as connection:
            return {str(table): int(last_id) for table, last_id in connection.execute(query)}

    def last_id_of(self, table: str) -> int:
        """The id of the last event of a table; 0 before the first."""
        with self._store.reading() as connection:
            return connection.scalar(select(func.max(EVENTS.c.id)).where(EVENTS.c.table_name == table)) or 0

    def first_broken_link(self) -> BrokenLink | None:
        """The first event whose hash does not follow from those before it; None when all do."""
        return self.check_chain().broken

    def check_chain(self, expected: str = _START_OF_CHAIN) -> Chain:
        """Follow the hashes from the first event to the last, or to where they break.

        expected: a link that was noted down before; whether it is met says if the events up to it, taken away
            at the end too, are still those.
        """
        link, count, has_expected = _START_OF_CHAIN, 0, expected == _START_OF_CHAIN
        every = select(EVENTS).order_by(EVENTS.c.id).execution_options(yield_per=_ROWS_AT_ONCE)
        with self._store.reading() as connection, connection.execute(every) as rows:
            for row in rows:
                following = _next_in_chain(link, row.table_name, row.epoch, row.sequence, row.body)
                if following != row.chain:
                    broken = BrokenLink(
                        row.id, row.table_name, row.epoch, row.sequence, row.received_utc, count
                    )
                    return Chain(count, link, broken, has_expected)
                link, count = following, count + 1
                has_expected = has_expected or link == expected
        return Chain(count, link, None, has_expected)

    def count(self) -> int:
        """How many events there are."""
        with self._store.reading() as connection:
            return connection.scalar(select(func.count()).select_from(EVENTS)) or 0

    def _of_kind(self, table: str, kind: str) -> list[StoredEvent]:
        own = (EVENTS.c.table_name == table, EVENTS.c.epoch.not_like(_VENUE_WRITTEN))
        with self._store.reading() as connection:
            return _rows(connection, and_(*own, EVENTS.c.body.contains(_kind(kind))))

    def _tell(self, table: str, ids: Sequence[int]) -> None:
        if ids:
            for listener in self._listeners:
                listener(table, ids)


def _kind(name: str) -> str:
    """How the canonical JSON of an event of this kind says so; no text in it can look the same."""
    return f'"type":"{name}"'


def _in_epoch(table: str, epoch: str) -> ColumnElement[bool]:
    return and_(EVENTS.c.table_name == table, EVENTS.c.epoch == epoch)


def _rows(connection: Connection, where: ColumnElement[bool]) -> list[StoredEvent]:
    query: Select[tuple[int, str, int, str, str]] = select(
        EVENTS.c.id, EVENTS.c.epoch, EVENTS.c.sequence, EVENTS.c.body, EVENTS.c.received_utc
    )
    found = connection.execute(query.where(where).order_by(EVENTS.c.id))
    return [StoredEvent(row.id, row.epoch, row.sequence, row.body, row.received_utc) for row in found]


def _highest_sequence(connection: Connection, table: str, epoch: str) -> int:
    query = select(func.max(EVENTS.c.sequence)).where(EVENTS.c.table_name == table, EVENTS.c.epoch == epoch)
    return connection.scalar(query) or 0


def _refuse_other_content(
    connection: Connection, table: str, epoch: str, events: Sequence[IncomingEvent], known: int
) -> None:
    repeated = {event.sequence: event.body for event in events if event.sequence <= known}
    if not repeated:
        return
    query = select(EVENTS.c.sequence, EVENTS.c.body).where(
        EVENTS.c.table_name == table,
        EVENTS.c.epoch == epoch,
        EVENTS.c.sequence.between(min(repeated), max(repeated)),
    )
    for sequence, body in connection.execute(query):
        if repeated[sequence] != body:
            raise EventConflictError(table, epoch, sequence)


def _contiguous(events: Sequence[IncomingEvent], known: int) -> list[IncomingEvent]:
    """The new events that follow ``known`` one by one."""
    fresh: list[IncomingEvent] = []
    for event in events:
        if event.sequence == known + len(fresh) + 1:
            fresh.append(event)
    return fresh


def _insert(
    connection: Connection, table: str, epoch: str, events: Sequence[IncomingEvent]
) -> tuple[int, ...]:
    """Write the events; gives their ids in order."""
    if not events:
        return ()
    last = _last_event(connection)
    before_id, chain = last if last else (0, _START_OF_CHAIN)
    received = utc_text()
    rows = []
    for event in events:
        chain = _next_in_chain(chain, table, epoch, event.sequence, event.body)
        rows.append(
            {
                "table_name": table,
                "epoch": epoch,
                "sequence": event.sequence,
                "body": event.body,
                "chain": chain,
                "received_utc": received,
            }
        )
    connection.execute(insert(EVENTS), rows)
    query = select(EVENTS.c.id).where(EVENTS.c.id > before_id).order_by(EVENTS.c.id)
    return tuple(connection.scalars(query))


def _last_event(connection: Connection) -> tuple[int, str] | None:
    """The id and the chain of the last event of all."""
    query = select(EVENTS.c.id, EVENTS.c.chain).order_by(EVENTS.c.id.desc()).limit(1)
    row = connection.execute(query).first()
    return (int(row.id), str(row.chain)) if row else None


def _next_in_chain(chain: str, table: str, epoch: str, sequence: int, body: str) -> str:
    link = "\n".join((chain, table, epoch, str(sequence), body))
    return hashlib.sha256(link.encode()).hexdigest()
