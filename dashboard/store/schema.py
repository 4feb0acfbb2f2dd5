"""The tables of the store. The migrations make them; a test compares the two."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
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
    sqlite_autoincrement=True,
)
"""Facts, never edited. ``body`` is canonical JSON; ``chain`` hashes it together with the chain before it."""

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
