"""Which match of a table was which match of an evening, once that is fixed."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from dashboard.store import Store
from dashboard.store.evening_schema import MATCH_BINDINGS

Place = tuple[int, int, str]
"""Evening, match of the evening, table."""


class Bindings:
    """The fixed places of matches in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> dict[Place, str]:
        """The key of the match at each place."""
        query = select(MATCH_BINDINGS)
        with self._store.reading() as connection:
            return {
                (row.evening_id, row.round, row.table_name): row.match_key
                for row in connection.execute(query)
            }

    def fix(self, evening_id: int, keys: Mapping[tuple[int, str], str]) -> None:
        """Write down places that are not fixed yet; those that are stay."""
        with self._store.writing() as connection:
            known = select(MATCH_BINDINGS.c.round, MATCH_BINDINGS.c.table_name).where(
                MATCH_BINDINGS.c.evening_id == evening_id
            )
            fixed = {(row.round, row.table_name) for row in connection.execute(known)}
            for (number, table), key in keys.items():
                if (number, table) not in fixed:
                    _insert(connection, (evening_id, number, table), key)

    def choose(self, evening_id: int, number: int, table: str, key: str) -> None:
        """This match belongs here and nowhere else."""
        here = (
            (MATCH_BINDINGS.c.evening_id == evening_id)
            & (MATCH_BINDINGS.c.round == number)
            & (MATCH_BINDINGS.c.table_name == table)
        )
        with self._store.writing() as connection:
            connection.execute(delete(MATCH_BINDINGS).where(here | (MATCH_BINDINGS.c.match_key == key)))
            _insert(connection, (evening_id, number, table), key)

    def evening_of(self, match_key: str) -> int | None:
        """The evening to which a match belongs."""
        query = select(MATCH_BINDINGS.c.evening_id).where(MATCH_BINDINGS.c.match_key == match_key)
        with self._store.reading() as connection:
            return connection.scalar(query)


def _insert(connection: Connection, place: Place, key: str) -> None:
    evening_id, number, table = place
    connection.execute(
        insert(MATCH_BINDINGS).values(evening_id=evening_id, round=number, table_name=table, match_key=key)
    )
