"""What the organiser does: who may lead, and which table may deliver. Each with its line in the log."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection

from dashboard.store.accounts import change_password, delete_account, insert_account
from dashboard.store.database import Store
from dashboard.store.desk_log import DeskEntry, write_entry
from dashboard.store.tokens import insert_token, revoke_tokens


class Organising:
    """Accounts and tokens in a store, changed by somebody: the change and who made it are written at once."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add_account(self, name: str, role: str, password_hash: str, by: str) -> bool:
        """An account for somebody; False when the name is taken."""
        with self._store.writing() as connection:
            made = insert_account(connection, name, role, password_hash)
            return made and _noted(connection, by, "account_made", name=name)

    def renew_password(self, name: str, password_hash: str, by: str) -> bool:
        """Another password for who forgot it; False when nobody is called that."""
        with self._store.writing() as connection:
            changed = change_password(connection, name, password_hash)
            return changed and _noted(connection, by, "password_renewed", name=name)

    def take_account(self, name: str, role: str, by: str) -> bool:
        """Somebody with that role may not log in any more; False when there is nobody of that name."""
        with self._store.writing() as connection:
            taken = delete_account(connection, name, role)
            return taken and _noted(connection, by, "account_taken", name=name)

    def new_token(self, table: str, by: str) -> str:
        """A new token for ``table``; it is shown now and never again."""
        with self._store.writing() as connection:
            token = insert_token(connection, table)
            _noted(connection, by, "token_made", table)
        return token

    def revoke_tokens(self, table: str, by: str) -> int:
        """Take back every token of ``table``, and send its tablets away; how many tokens there were."""
        with self._store.writing() as connection:
            revoked = revoke_tokens(connection, table)
            _noted(connection, by, "tokens_revoked", table, count=str(revoked))
        return revoked


def _noted(connection: Connection, by: str, what: str, table: str = "", **detail: str) -> bool:
    """Write the line of the log; always True, so that it can end what did happen."""
    write_entry(
        connection,
        DeskEntry(time_utc=datetime.now(UTC), by=by, table=table, match="", what=what, detail=detail),
    )
    return True
