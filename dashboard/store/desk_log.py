"""Who did what at the wedstrijdleider's desk, when and why. It is added to, never changed."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select

from dashboard.store.database import Store, utc_text
from dashboard.store.desk_schema import DESK_LOG

MOST_ENTRIES: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskEntry:
    """One thing that was done.

    what: ``acknowledged``, ``released``, ``ruled``, ``undone``, ``corrected``, ``declared``, ``dealer`` or
        ``warned``; of the organiser ``account_made``, ``account_taken``, ``password_renewed``,
        ``token_made`` or ``tokens_revoked``, which are about no match, and may be about no table.
    alert: the alert that it answers; may be empty. detail: words and numbers that belong to it.
    """

    time_utc: datetime
    by: str
    table: str
    match: str
    what: str
    deal: int | None = None
    alert: str = ""
    reason: str = ""
    detail: Mapping[str, str] = field(default_factory=dict)
    id: int = 0


class DeskLog:
    """The log in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, entry: DeskEntry) -> None:
        """Write one line; on the disk when this returns."""
        with self._store.writing() as connection:
            write_entry(connection, entry)

    def of_match(self, table: str, match: str) -> tuple[DeskEntry, ...]:
        """Everything about one match, oldest first."""
        query = select(DESK_LOG).where(DESK_LOG.c.table_name == table, DESK_LOG.c.match_key == match)
        with self._store.reading() as connection:
            return tuple(_entry(row) for row in connection.execute(query.order_by(DESK_LOG.c.id)))

    def of_matches(self, keys: Collection[str]) -> dict[str, list[DeskEntry]]:
        """Everything about each of these matches, oldest first."""
        query = select(DESK_LOG).where(DESK_LOG.c.match_key.in_(keys)).order_by(DESK_LOG.c.id)
        found: dict[str, list[DeskEntry]] = {}
        with self._store.reading() as connection:
            for row in connection.execute(query):
                found.setdefault(row.match_key, []).append(_entry(row))
        return found

    def latest(self, table: str | None = None, most: int = MOST_ENTRIES) -> tuple[DeskEntry, ...]:
        """The last ``most`` lines, of one table or of all, newest first."""
        query = select(DESK_LOG).order_by(DESK_LOG.c.id.desc()).limit(most)
        if table is not None:
            query = query.where(DESK_LOG.c.table_name == table)
        with self._store.reading() as connection:
            return tuple(_entry(row) for row in connection.execute(query))

    def of_kind(self, what: str) -> tuple[DeskEntry, ...]:
        """Every line of one kind, oldest first."""
        query = select(DESK_LOG).where(DESK_LOG.c.what == what).order_by(DESK_LOG.c.id)
        with self._store.reading() as connection:
            return tuple(_entry(row) for row in connection.execute(query))


def write_entry(connection: Connection, entry: DeskEntry) -> None:
    """Write one line within a transaction that does more."""
    connection.execute(
        insert(DESK_LOG).values(
            time_utc=utc_text(entry.time_utc),
            by=entry.by,
            table_name=entry.table,
            match_key=entry.match,
            deal=entry.deal,
            what=entry.what,
            alert_key=entry.alert,
            reason=entry.reason,
            detail=json.dumps(dict(entry.detail), ensure_ascii=False, sort_keys=True),
        )
    )


def _entry(row: Row[Any]) -> DeskEntry:
    return DeskEntry(
        id=row.id,
        time_utc=datetime.fromisoformat(row.time_utc),
        by=row.by,
        table=row.table_name,
        match=row.match_key,
        deal=row.deal,
        what=row.what,
        alert=row.alert_key,
        reason=row.reason,
        detail=json.loads(row.detail),
    )
