"""The keys with which tables deliver. A token belongs to one table and can be taken back."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from dashboard.store.database import Store, utc_text
from dashboard.store.schema import PAIRING_CODES, TABLE_TOKENS, TABLET_SESSIONS
from dashboard.store.secrets import hash_key, new_key


class TableTokens:
    """The table tokens in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(self, table: str) -> str:
        """A new token for ``table``; it is shown now and never again, since only its hash is kept."""
        token = new_key()
        with self._store.writing() as connection:
            connection.execute(
                insert(TABLE_TOKENS).values(
                    table_name=table, token_hash=hash_key(token), created_utc=utc_text()
                )
            )
        return token

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
            for keys in (PAIRING_CODES, TABLET_SESSIONS):
                connection.execute(delete(keys).where(keys.c.table_name == table))
            revoked = connection.execute(
                update(TABLE_TOKENS)
                .where(TABLE_TOKENS.c.table_name == table, TABLE_TOKENS.c.revoked_utc.is_(None))
                .values(revoked_utc=utc_text())
            )
        return revoked.rowcount

    def tables(self) -> list[str]:
        """The tables that hold a token in force."""
        query = select(TABLE_TOKENS.c.table_name).where(TABLE_TOKENS.c.revoked_utc.is_(None)).distinct()
        with self._store.reading() as connection:
            return list(connection.scalars(query))
