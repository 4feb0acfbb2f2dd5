"""Who may log in, and who has. There is no default account: a first-run code makes the first one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, update

from dashboard.store.database import Store, utc_text
from dashboard.store.desk_schema import PUSH_SUBSCRIPTIONS
from dashboard.store.schema import ACCOUNTS, FIRST_RUN_CODES, SESSIONS
from dashboard.store.secrets import hash_key, new_key, new_readable_code


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody with a password. ``role`` is a value of :class:`dashboard.access.Role`."""

    id: int
    name: str
    role: str
    password_hash: str


@dataclass(frozen=True, slots=True)
class KnownAccount:
    """An account as the organiser sees it: nothing that opens it."""

    name: str
    role: str
    created_utc: datetime


class Accounts:
    """The accounts, sessions and first-run code in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def new_first_run_code(self) -> str | None:
        """A new code for the first account, in place of an earlier one; None when an account exists."""
        code = new_readable_code()
        with self._store.writing() as connection:
            if _count(connection):
                return None
            connection.execute(delete(FIRST_RUN_CODES))
            connection.execute(
                insert(FIRST_RUN_CODES).values(code_hash=hash_key(code), created_utc=utc_text())
            )
        return code

    def create_first(self, code: str, name: str, role: str, password_hash: str) -> Account | None:
        """The first account, for whoever knows the code; None when the code is wrong or already used."""
        with self._store.writing() as connection:
            used = connection.execute(
                delete(FIRST_RUN_CODES).where(FIRST_RUN_CODES.c.code_hash == hash_key(code))
            )
            if used.rowcount != 1 or _count(connection):
                return None
            connection.execute(
                insert(ACCOUNTS).values(
                    name=name, role=role, password_hash=password_hash, created_utc=utc_text()
                )
            )
        return self.by_name(name)

    def create(self, name: str, role: str, password_hash: str) -> Account | None:
        """An account for somebody else; None when the name is taken."""
        with self._store.writing() as connection:
            if not insert_account(connection, name, role, password_hash):
                return None
        return self.by_name(name)

    def all(self) -> tuple[KnownAccount, ...]:
        """Every account, the oldest first."""
        query = select(ACCOUNTS.c.name, ACCOUNTS.c.role, ACCOUNTS.c.created_utc).order_by(ACCOUNTS.c.id)
        with self._store.reading() as connection:
            rows = list(connection.execute(query))
        return tuple(
            KnownAccount(name, role, datetime.fromisoformat(created)) for name, role, created in rows
        )

    def exist(self) -> bool:
        """Whether anybody has an account."""
        with self._store.reading() as connection:
            return _count(connection) > 0

    def by_name(self, name: str) -> Account | None:
        """The account of that name."""
        query = select(ACCOUNTS.c.id, ACCOUNTS.c.name, ACCOUNTS.c.role, ACCOUNTS.c.password_hash)
        with self._store.reading() as connection:
            row = connection.execute(query.where(ACCOUNTS.c.name == name)).first()
        return Account(*row) if row else None

    def start_session(self, account: Account, lasts: timedelta) -> str:
        """The key of a new session, for the cookie. Sessions that ran out are swept away."""
        key, now = new_key(), datetime.now(UTC)
        with self._store.writing() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.expires_utc <= utc_text(now)))
            connection.execute(
                insert(SESSIONS).values(
                    key_hash=hash_key(key), account_id=account.id, expires_utc=utc_text(now + lasts)
                )
            )
        return key

    def of_session(self, key: str) -> Account | None:
        """Who is logged in with this key; None when it is unknown or ran out."""
        query = (
            select(ACCOUNTS.c.id, ACCOUNTS.c.name, ACCOUNTS.c.role, ACCOUNTS.c.password_hash)
            .join(SESSIONS, SESSIONS.c.account_id == ACCOUNTS.c.id)
            .where(SESSIONS.c.key_hash == hash_key(key), SESSIONS.c.expires_utc > utc_text())
        )
        with self._store.reading() as connection:
            row = connection.execute(query).first()
        return Account(*row) if row else None

    def end_session(self, key: str) -> None:
        """Log out; an unknown key is no fault."""
        with self._store.writing() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.key_hash == hash_key(key)))


def insert_account(connection: Connection, name: str, role: str, password_hash: str) -> bool:
    """Write an account within a transaction that does more; False when the name is taken."""
    if connection.scalar(select(ACCOUNTS.c.id).where(ACCOUNTS.c.name == name)) is not None:
        return False
    values = {"name": name, "role": role, "password_hash": password_hash, "created_utc": utc_text()}
    connection.execute(insert(ACCOUNTS).values(values))
    return True


def change_password(connection: Connection, name: str, password_hash: str) -> bool:
    """Another password, and whoever was logged in is no more; False when nobody is called that."""
    found = connection.execute(
        update(ACCOUNTS).where(ACCOUNTS.c.name == name).values(password_hash=password_hash)
    )
    mine = select(ACCOUNTS.c.id).where(ACCOUNTS.c.name == name).scalar_subquery()
    connection.execute(delete(SESSIONS).where(SESSIONS.c.account_id == mine))
    return found.rowcount == 1


def delete_account(connection: Connection, name: str, role: str) -> bool:
    """Take away the account of that name and role, with its sessions and phones; False when there is none."""
    mine = select(ACCOUNTS.c.id).where(ACCOUNTS.c.name == name, ACCOUNTS.c.role == role)
    account_id = connection.scalar(mine)
    if account_id is None:
        return False
    for belonging in (SESSIONS, PUSH_SUBSCRIPTIONS):
        connection.execute(delete(belonging).where(belonging.c.account_id == account_id))
    connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.id == account_id))
    return True


def _count(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(ACCOUNTS)) or 0
