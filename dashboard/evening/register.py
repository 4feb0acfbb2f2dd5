"""The evenings in the store. Every change is one transaction that also writes who made it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, insert, select

from dashboard.errors import EveningError
from dashboard.evening.model import Evening, LogEntry
from dashboard.evening.rows import EveningSettings, columns_of, read_evening, read_log
from dashboard.store import Store
from dashboard.store.database import utc_text
from dashboard.store.evening_schema import EVENING_LOG, EVENINGS

_READ_FOR_S: Final = 1.0

LogLine = tuple[str, Mapping[str, str]]
"""What was changed, and its names and numbers."""

Change = Callable[[Connection, Evening, datetime], Iterable[LogLine]]
"""Changes an evening at a moment, in a transaction that is open, and tells what it did."""


class Evenings:
    """All evenings of a venue. Whoever changes one is named; what cannot be is an :class:`EveningError`."""

    def __init__(self, store: Store, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._clock = clock
        self._listeners: list[Callable[[Evening], None]] = []
        self._read: tuple[float, tuple[Evening, ...]] | None = None

    def when_changed(self, listener: Callable[[Evening], None]) -> None:
        """Call ``listener`` with every evening that was changed, once it is on the disk."""
        self._listeners.append(listener)

    def now(self) -> datetime:
        """The time by which evenings begin and freeze."""
        return self._clock()

    def get(self, evening_id: int) -> Evening | None:
        """The evening with this id."""
        with self._store.reading() as connection:
            return read_evening(connection, evening_id)

    def all(self) -> tuple[Evening, ...]:
        """Every evening, the latest first. Read once for all who ask within a second, and after a change."""
        read = self._read
        if read is None or time.monotonic() - read[0] > _READ_FOR_S:
            self._read = read = (time.monotonic(), self._read_all())
        return read[1]

    def forget(self) -> None:
        """Something else changed an evening: read them anew."""
        self._read = None

    def _read_all(self) -> tuple[Evening, ...]:
        query = select(EVENINGS.c.id).order_by(EVENINGS.c.day.desc(), EVENINGS.c.id.desc())
        with self._store.reading() as connection:
            read = (read_evening(connection, number) for number in connection.scalars(query).all())
            return tuple(one for one in read if one is not None)

    def current(self) -> Evening | None:
        """The evening that is going on, else the one that ended last, else the one that is prepared."""
        live = [one for one in self.all() if not one.is_archived]
        running = [one for one in live if one.started_rounds and one.ended_utc is None]
        ended = sorted(
            (one for one in live if one.ended_utc), key=lambda one: str(one.ended_utc), reverse=True
        )
        return next(iter([*running, *ended, *live]), None)

    def log(self, evening_id: int) -> tuple[LogEntry, ...]:
        """Who changed what, oldest first."""
        with self._store.reading() as connection:
            return read_log(connection, evening_id)

    def create(self, settings: EveningSettings, by: str) -> Evening:
        """A new evening with nobody in it."""
        with self._store.writing() as connection:
            created = connection.execute(
                insert(EVENINGS).values(created_utc=utc_text(self._clock()), **columns_of(settings))
            )
            assert created.inserted_primary_key is not None
            evening_id = int(created.inserted_primary_key[0])
            self._write_log(connection, evening_id, by, [("created", {"title": settings.title})])
        return self._tell(evening_id)

    def change(self, evening_id: int, by: str, change: Change) -> Evening:
        """Change an evening that is not frozen; all of it happens, or nothing.

        Raises:
            EveningError: when it is not there, frozen, or ``change`` cannot be.
        """
        now = self._clock()
        with self._store.writing() as connection:
            evening = read_evening(connection, evening_id)
            if evening is None:
                raise EveningError("unknown")
            if not evening.takes_changes(now):
                raise EveningError("frozen", evening.title)
            self._write_log(connection, evening_id, by, change(connection, evening, now))
        return self._tell(evening_id)

    def _write_log(self, connection: Connection, evening_id: int, by: str, lines: Iterable[LogLine]) -> None:
        rows = [
            {
                "evening_id": evening_id,
                "time_utc": utc_text(self._clock()),
                "by": by,
                "what": what,
                "detail": json.dumps(detail, ensure_ascii=False),
            }
            for what, detail in lines
        ]
        if rows:
            connection.execute(insert(EVENING_LOG), rows)

    def _tell(self, evening_id: int) -> Evening:
        self.forget()
        evening = self.get(evening_id)
        assert evening is not None
        for listener in self._listeners:
            listener(evening)
        return evening
