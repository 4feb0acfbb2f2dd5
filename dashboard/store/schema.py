"""The tables of the store. The migrations make them; a test compares the two."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA: Final = MetaData()

_LongInteger = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows by INTEGER only.

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("id", _LongInteger, primary_key=True, autoincrement=True),
    Column("table_name", String(32), nullable=False),
    Column("epoch", String(64), nullable=False),
    Column("sequence", _LongInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("chain", String(64), nullable=False),
    Column("received_utc", String(32), nullable=False),
    UniqueConstraint("table_name", "epoch", "sequence", name="events_key"),
    Index("events_of_table", "table_name", "id"),
    sqlite_autoincrement=True,
)
"""Facts, never edited. ``body`` is canonical JSON; ``chain`` hashes it together with the chain before it."""

VENUE_WRITES: Final = Table(
    "venue_writes",
    METADATA,
    Column("event_id", _LongInteger, ForeignKey("events.id"), primary_key=True, autoincrement=False),
    Column("written_by", String(80), nullable=False),
)
"""Who wrote an event at the venue: an account, or the tablet of a table. Added to, never changed."""

TABLE_TOKENS: Final = Table(
    "table_tokens",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("table_name", String(32), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_utc", String(32), nullable=False),
    Column("revoked_utc", String(32)),
)

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("role", String(32), nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("created_utc", String(32), nullable=False),
)

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("key_hash", String(64), primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False),
    Column("expires_utc", String(32), nullable=False),
)

FIRST_RUN_CODES: Final = Table(
    "first_run_codes",
    METADATA,
    Column("code_hash", String(64), primary_key=True),
    Column("created_utc", String(32), nullable=False),
)
"""At most one row: the code that makes the first account. It goes when it is used."""

PAIRING_CODES: Final = Table(
    "pairing_codes",
    METADATA,
    Column("code_hash", String(64), primary_key=True),
    Column("table_name", String(32), nullable=False),
    Column("expires_utc", String(32), nullable=False),
)
"""Codes that turn a browser into a table's tablet. Each goes when it is used."""

TABLET_SESSIONS: Final = Table(
    "tablet_sessions",
    METADATA,
    Column("key_hash", String(64), primary_key=True),
    Column("table_name", String(32), nullable=False),
    Column("expires_utc", String(32), nullable=False),
)
"""The tablets that may write for a table; all of a table go when its tokens are taken back."""
