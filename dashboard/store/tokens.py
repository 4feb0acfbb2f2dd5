"""The keys with which tables deliver. A token belongs to one table and can be taken back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from dashboard.store.database import Store, utc_text
from dashboard.store.schema import PAIRING_CODES, TABLE_TOKENS, TABLET_SESSIONS
from dashboard.store.secrets import hash_key, new_key

_TABLE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", re.ASCII)


def is_table_name(text: str) -> bool:
    """Whether a table can be called so: 1 to 32 letters, figures, ``-`` or ``_``."""
    return _TABLE_NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class KnownToken:
    """A token as the organiser sees it: of which table, since when, and until when it was in force."""

    table: str
    created_utc: datetime
    revoked_utc: datetime | None


class TableTokens:
    """The table tokens in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(self, table: str) -> str:
        """A new token for ``table``; it is shown now and never again, since only its hash is kept."""
        with self._store.writing() as connection:
            return insert_token(connection, table)

    def table_of(self, token: str) -> str | None:
        """The table that ``token`` may write for; None when it is unknown or taken back."""
        query = select(TABLE_TOKENS.c.table_name).where(
            TABLE_TOKENS.c.token_hash == hash_key(token), TABLE_TOKENS.c.revoked_utc.is_(None)
        )
        with self._store.reading() as connection:
            return connection.scalar(query)

    def revoke_all(self, table: str) -> int:
        """Take back every token of ``table``, and send its tablets away; how many tokens there were."""
        with self._store.writing() as connection:
            return revoke_tokens(connection, table)

    def all(self) -> tuple[KnownToken, ...]:
        """Every token there ever was, the oldest first."""
        columns = (TABLE_TOKENS.c.table_name, TABLE_TOKENS.c.created_utc, TABLE_TOKENS.c.revoked_utc)
        with self._store.reading() as connection:
            rows = list(connection.execute(select(*columns).order_by(TABLE_TOKENS.c.id)))
        return tuple(
            KnownToken(table, datetime.fromisoformat(made), datetime.fromisoformat(back) if back else None)
            for table, made, back in rows
        )

    def tables(self) -> list[str]:
        """The tables that hold a token in force."""
        query = select(TABLE_TOKENS.c.table_name).where(TABLE_TOKENS.c.revoked_utc.is_(None)).distinct()
        with self._store.reading() as connection:
            return list(connection.scalars(query))


def insert_token(connection: Connection, table: str) -> str:
    """A new token, within a transaction that does more."""
    token = new_key()
    connection.execute(
        insert(TABLE_TOKENS).values(table_name=table, token_hash=hash_key(token), created_utc=utc_text())
    )
    return token


def revoke_tokens(connection: Connection, table: str) -> int:
    """Take back every token of ``table`` and send its tablets away, within a transaction that does more."""
    for keys in (PAIRING_CODES, TABLET_SESSIONS):
        connection.execute(delete(keys).where(keys.c.table_name == table))
    revoked = connection.execute(
        update(TABLE_TOKENS)
        .where(TABLE_TOKENS.c.table_name == table, TABLE_TOKENS.c.revoked_utc.is_(None))
        .values(revoked_utc=utc_text())
    )
    return revoked.rowcount
