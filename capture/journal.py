"""What a table saw, on its own disk: written and synced before it counts, and never changed after.

Each run of a table is an *epoch*; within it events are numbered 1, 2, 3, … The journal also remembers, per
epoch, for which venue the events are meant and how many of them that venue has acknowledged.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from capture.errors import JournalError
from tracker.events import Event, event_from_json, event_to_json

BUSY_TIMEOUT_S: Final = 5.0
"""How long to wait for another process that writes to the same journal."""

SCHEMA_VERSION: Final = 1

_SCHEMA: Final = """
CREATE TABLE epoch (
    epoch TEXT PRIMARY KEY, table_name TEXT NOT NULL, venue TEXT, source TEXT NOT NULL,
    opened_utc TEXT NOT NULL, acknowledged INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE event (
    epoch TEXT NOT NULL REFERENCES epoch (epoch), sequence INTEGER NOT NULL CHECK (sequence >= 1),
    document TEXT NOT NULL, PRIMARY KEY (epoch, sequence)
) WITHOUT ROWID;
CREATE TRIGGER event_never_changes BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_never_goes BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
"""


@dataclass(frozen=True, slots=True)
class Batch:
    """Events of one epoch that the venue does not have yet: (sequence, event as JSON), in order."""

    table: str
    epoch: str
    events: tuple[tuple[int, dict[str, Any]], ...]

    @property
    def last_sequence(self) -> int:
        """The number of the last event in the batch."""
        return self.events[-1][0]


class Journal:
    """An append-only SQLite file of events, shared by the threads of one table.

    path: the file, made when it is not there; None keeps everything in memory, for films that can be read
        again.

    Raises:
        JournalError: from any method, when the file cannot be opened, read or written.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._open()

    @property
    def path(self) -> Path | None:
        """The file, or None when the events are kept in memory."""
        return self._path

    def _open(self) -> None:
        if self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise self._failed(error) from error
        try:
            # One connection for all threads: two that checkpoint can lose pages before SQLite 3.51.3.
            self._database = sqlite3.connect(
                self._path or ":memory:",
                timeout=BUSY_TIMEOUT_S,
                isolation_level=None,
                check_same_thread=False,
            )
        except sqlite3.Error as error:
            raise self._failed(error) from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._database.close()
            raise self._failed(error) from error

    def _prepare(self) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("PRAGMA foreign_keys = ON")
        with _Transaction(self._database):
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _statements(_SCHEMA):
                    self._database.execute(statement)
                self._database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            elif version != SCHEMA_VERSION:
                raise sqlite3.DatabaseError(f"version {version}, this program knows {SCHEMA_VERSION}")

    def start_epoch(self, table: str, source: str, venue: str | None) -> str:
        """Begin a run of ``table``; gives the name under which its events are numbered."""
        opened_utc = datetime.now(UTC)
        epoch = f"{opened_utc:%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"
        self._execute(
            "INSERT INTO epoch (epoch, table_name, venue, source, opened_utc) VALUES (?, ?, ?, ?, ?)",
            (epoch, table, venue, source, opened_utc.isoformat()),
        )
        return epoch

    def append(self, epoch: str, events: Sequence[Event]) -> int:
        """Write events after those of the epoch; all or none are on the disk when this returns.

        Gives the number of the first of them.
        """
        documents = [json.dumps(event_to_json(event), separators=(",", ":")) for event in events]
        with self._lock:
            try:
                with _Transaction(self._database):
                    first = self._last_sequence(epoch) + 1
                    self._database.executemany(
                        "INSERT INTO event (epoch, sequence, document) VALUES (?, ?, ?)",
                        [(epoch, first + offset, document) for offset, document in enumerate(documents)],
                    )
            except sqlite3.Error as error:
                raise self._failed(error) from error
        return first

    def _last_sequence(self, epoch: str) -> int:
        query = "SELECT coalesce(max(sequence), 0) FROM event WHERE epoch = ?"
        (last,) = self._database.execute(query, (epoch,)).fetchone()
        return int(last)

    def events(self, epoch: str) -> tuple[Event, ...]:
        """All events of an epoch, in order."""
        rows = self._execute("SELECT document FROM event WHERE epoch = ? ORDER BY sequence", (epoch,))
        return tuple(event_from_json(json.loads(document)) for (document,) in rows)

    def next_batch(self, table: str, venue: str, limit: int, skip: Collection[str] = ()) -> Batch | None:
        """The oldest events of ``table`` that ``venue`` has not acknowledged; None when it has them all.

        skip: epochs to leave out.
        """
        rows = self._execute(
            "SELECT event.epoch, sequence, document FROM event JOIN epoch ON epoch.epoch = event.epoch"
            " WHERE table_name = ? AND venue = ? AND sequence > acknowledged"
            " AND event.epoch NOT IN (SELECT value FROM json_each(?))"
            " ORDER BY opened_utc, event.epoch, sequence LIMIT ?",
            (table, venue, json.dumps(sorted(skip)), limit),
        )
        if not rows:
            return None
        epoch = rows[0][0]
        mine = [(sequence, json.loads(document)) for owner, sequence, document in rows if owner == epoch]
        return Batch(table, epoch, tuple(mine))

    def acknowledge(self, epoch: str, sequence: int) -> None:
        """The venue has the events of ``epoch`` up to and with ``sequence`` on its disk."""
        self._execute("UPDATE epoch SET acknowledged = ? WHERE epoch = ?", (sequence, epoch))

    def count_undelivered(self, table: str, venue: str) -> int:
        """How many events of ``table`` the venue has not acknowledged."""
        ((count,),) = self._execute(
            "SELECT count(*) FROM event JOIN epoch ON epoch.epoch = event.epoch"
            " WHERE table_name = ? AND venue = ? AND sequence > acknowledged",
            (table, venue),
        )
        return int(count)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def _execute(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        with self._lock:
            try:
                return self._database.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise self._failed(error) from error

    def _failed(self, error: Exception) -> JournalError:
        return JournalError(
            f"Het journaal {self._path} kan niet worden gebruikt. Controleer schijfruimte en rechten, "
            "of kies met --journal een ander bestand.",
            f"cannot use the journal ({error}). Check disk space and rights, or choose another --journal.",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class _Transaction:
    """All or nothing. The write lock is taken at the start, so that a second writer waits and never fails."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.execute("BEGIN IMMEDIATE")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            self._database.execute("COMMIT")
        elif self._database.in_transaction:
            self._database.execute("ROLLBACK")


def _statements(script: str) -> list[str]:
    """The statements of a script, one by one: ``executescript`` would commit on its own."""
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
