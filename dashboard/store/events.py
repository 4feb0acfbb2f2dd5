"""The events of all tables, in the order in which they were stored. They are added to, never changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, insert, select

from dashboard.errors import EventConflictError
from dashboard.store.database import Store, utc_text
from dashboard.store.schema import EVENTS

_START_OF_CHAIN: Final = "0" * 64


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

    def append(self, table: str, epoch: str, events: Sequence[IncomingEvent]) -> Appended:
        """Store what is new and follows without a gap; on the disk when this returns.

        Sequences of one (table, epoch) start at 1. What is known already is compared; what comes after a gap
        is left out, so that the sender goes on from ``acknowledged + 1``.

        Raises:
            EventConflictError: when a key is stored with other content; then nothing of the batch is stored.
        """
        with self._store.writing() as connection:
            known = _highest_sequence(connection, table, epoch)
            _refuse_other_content(connection, table, epoch, events, known)
            fresh = _contiguous(events, known)
            last_id = _insert(connection, table, epoch, fresh) if fresh else None
        return Appended(known + len(fresh), len(fresh), last_id)

    def after(self, table: str, last_id: int = 0) -> list[StoredEvent]:
        """The events of a table with an id above ``last_id``, in the order in which they were stored."""
        query = (
            select(EVENTS.c.id, EVENTS.c.epoch, EVENTS.c.sequence, EVENTS.c.body)
            .where(EVENTS.c.table_name == table, EVENTS.c.id > last_id)
            .order_by(EVENTS.c.id)
        )
        with self._store.reading() as connection:
            return [StoredEvent(*row) for row in connection.execute(query)]

    def last_ids(self) -> dict[str, int]:
        """For each table that has events: the id of its last one."""
        query = select(EVENTS.c.table_name, func.max(EVENTS.c.id)).group_by(EVENTS.c.table_name)
        with self._store.reading() as connection:
            return {str(table): int(last_id) for table, last_id in connection.execute(query)}

    def first_broken_link(self) -> int | None:
        """The id of the first event whose hash does not follow from those before it; None when all do."""
        chain = _START_OF_CHAIN
        with self._store.reading() as connection:
            for row in connection.execute(select(EVENTS).order_by(EVENTS.c.id)):
                chain = _next_in_chain(chain, row.table_name, row.epoch, row.sequence, row.body)
                if chain != row.chain:
                    return int(row.id)
        return None


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


def _insert(connection: Connection, table: str, epoch: str, events: Sequence[IncomingEvent]) -> int:
    last = _last_event(connection)
    chain = last[1] if last else _START_OF_CHAIN
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
    stored = _last_event(connection)
    assert stored is not None
    return stored[0]


def _last_event(connection: Connection) -> tuple[int, str] | None:
    """The id and the chain of the last event of all."""
    query = select(EVENTS.c.id, EVENTS.c.chain).order_by(EVENTS.c.id.desc()).limit(1)
    row = connection.execute(query).first()
    return (int(row.id), str(row.chain)) if row else None


def _next_in_chain(chain: str, table: str, epoch: str, sequence: int, body: str) -> str:
    link = "\n".join((chain, table, epoch, str(sequence), body))
    return hashlib.sha256(link.encode()).hexdigest()
