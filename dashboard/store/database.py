"""One database, one writer.

PostgreSQL numbers events as they are written, not as they are committed: there too one process writes, and
says so by a lock, so that no reader ever sees a later event before an earlier one.

SQLite runs in WAL mode with ``synchronous=FULL``: what was acknowledged is on the disk. One connection writes
and checkpoints; the others only read (before 3.51.3 SQLite can lose a WAL reset when two checkpoint).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

_BUSY_TIMEOUT_MS: Final = 10_000
_POOL_TIMEOUT_S: Final = 30
_READERS: Final = 8
_ONE_WRITER: Final = "SELECT pg_advisory_xact_lock(7205759403)"
"""Held until the commit; the number is ours alone."""


class Store:
    """A migrated database: ``writing()`` for the one writer at a time, ``reading()`` for everybody else."""

    def __init__(self, writer: Engine, reader: Engine) -> None:
        self._writer = writer
        self._reader = reader

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on the disk when the block ends, and never happened when it raises."""
        with self._writer.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view of what is stored."""
        with self._reader.begin() as connection:
            yield connection

    def free_bytes(self) -> int | None:
        """What is left on the disk of the database's file; None where it is no file of this machine."""
        database = self._reader.url.database
        if self._reader.dialect.name != "sqlite" or not database:
            return None
        return shutil.disk_usage(Path(database).absolute().parent).free

    def close(self) -> None:
        """Close every connection. The store can be opened again."""
        self._reader.dispose()
        self._writer.dispose()


def open_store(url: str) -> Store:
    """Open the database at an SQLAlchemy URL, and bring its tables up to date.

    Raises:
        sqlalchemy.exc.OperationalError: when it cannot be opened.
    """
    address = _address(url)
    writer = create_engine(address, pool_size=1, max_overflow=0, pool_timeout=_POOL_TIMEOUT_S)
    if writer.dialect.name == "sqlite":
        _prepare_sqlite(writer, "BEGIN IMMEDIATE", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL")
    elif writer.dialect.name == "postgresql":
        _prepare_postgresql(writer, "SET LOCAL synchronous_commit = on", _ONE_WRITER)
    reader = _reader(address)
    store = Store(writer, reader)
    with store.writing() as connection:
        command.upgrade(_migrations(connection), "head")
    return store


def open_store_to_read(url: str) -> Store:
    """Open a database as it is: no table is made or brought up to date, and nothing can be written.

    Raises:
        FileNotFoundError: when it is an SQLite file that is not there.
    """
    address = _address(url)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").is_file():
        raise FileNotFoundError(f"there is no database {address.database}")
    reader = _reader(address)
    return Store(reader, reader)


def utc_text(moment: datetime | None = None) -> str:
    """A moment (default: now) as the store writes it: ISO 8601 in UTC, which sorts as text."""
    return (moment or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="microseconds")


def _address(url: str) -> URL:
    """The URL with the driver that we bring along: ``postgresql://`` alone would ask for another."""
    address = make_url(url)
    is_plain = address.drivername in ("postgresql", "postgres")
    return address.set(drivername="postgresql+psycopg") if is_plain else address


def _reader(address: URL) -> Engine:
    engine = create_engine(address, pool_size=_READERS, max_overflow=0, pool_timeout=_POOL_TIMEOUT_S)
    if engine.dialect.name == "sqlite":
        _prepare_sqlite(engine, "BEGIN", "PRAGMA query_only=ON", "PRAGMA wal_autocheckpoint=0")
    elif engine.dialect.name == "postgresql":
        _prepare_postgresql(engine, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    return engine


def _prepare_postgresql(engine: Engine, *begin: str) -> None:
    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        for statement in begin:
            connection.exec_driver_sql(statement)


def _prepare_sqlite(engine: Engine, begin: str, *pragmas: str) -> None:
    """Take the transactions out of the driver's hands: it would begin them late, and not IMMEDIATE."""

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}", "PRAGMA foreign_keys=ON", *pragmas):
            connection.execute(pragma).close()

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def _migrations(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config
