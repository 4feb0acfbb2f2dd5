"""The tablets of tables: a browser that a code or a token made one, and that writes for that table only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import delete, insert, select

from dashboard.store.database import Store, utc_text
from dashboard.store.schema import PAIRING_CODES, TABLET_SESSIONS
from dashboard.store.secrets import hash_key, new_key, new_short_code

CODE_LASTS: Final = timedelta(minutes=15)


class Tablets:
    """The pairing codes and tablet sessions in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def new_code(self, table: str) -> str:
        """A code that makes one browser the tablet of ``table``, once, within a quarter of an hour."""
        code, now = new_short_code(), datetime.now(UTC)
        with self._store.writing() as connection:
            old = PAIRING_CODES.c.expires_utc <= utc_text(now)
            connection.execute(delete(PAIRING_CODES).where(old | (PAIRING_CODES.c.table_name == table)))
            connection.execute(
                insert(PAIRING_CODES).values(
                    code_hash=hash_key(code), table_name=table, expires_utc=utc_text(now + CODE_LASTS)
                )
            )
        return code

    def use_code(self, table: str, code: str) -> bool:
        """Whether ``code`` is one of ``table`` now; it is used up by asking."""
        fits = (PAIRING_CODES.c.code_hash == hash_key(code)) & (PAIRING_CODES.c.table_name == table)
        with self._store.writing() as connection:
            used = connection.execute(
                delete(PAIRING_CODES).where(fits & (PAIRING_CODES.c.expires_utc > utc_text()))
            )
        return used.rowcount == 1

    def start_session(self, table: str, lasts: timedelta) -> str:
        """The key of a new session, for the cookie. Sessions that ran out are swept away."""
        key, now = new_key(), datetime.now(UTC)
        with self._store.writing() as connection:
            connection.execute(delete(TABLET_SESSIONS).where(TABLET_SESSIONS.c.expires_utc <= utc_text(now)))
            connection.execute(
                insert(TABLET_SESSIONS).values(
                    key_hash=hash_key(key), table_name=table, expires_utc=utc_text(now + lasts)
                )
            )
        return key

    def of_session(self, key: str) -> str | None:
        """The table whose tablet this key belongs to; None when it is unknown or ran out."""
        query = select(TABLET_SESSIONS.c.table_name).where(
            TABLET_SESSIONS.c.key_hash == hash_key(key), TABLET_SESSIONS.c.expires_utc > utc_text()
        )
        with self._store.reading() as connection:
            return connection.scalar(query)

    def end_session(self, key: str) -> None:
        """This browser is no table's tablet any more; an unknown key is no fault."""
        with self._store.writing() as connection:
            connection.execute(delete(TABLET_SESSIONS).where(TABLET_SESSIONS.c.key_hash == hash_key(key)))
