"""The matches of a table out of its book."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.books import Books, TableRecord
from dashboard.evening.matches import TableMatch
from dashboard.live import LiveHub


class BookMatches:
    """What each table played, as the books have it."""

    def __init__(self, books: Books, hub: LiveHub) -> None:
        self._books = books
        self._hub = hub

    def matches(self, table: str) -> Sequence[TableMatch]:
        """Every match of ``table`` of which anything was told, in the order in which they began."""
        records = self._books.book(table).matches(self._hub.last_id(table))
        return tuple(_table_match(record) for record in records if record.events)


def _table_match(record: TableRecord) -> TableMatch:
    return TableMatch(
        key=record.match,
        events=record.events,
        last_id=record.last_id,
        last_received_utc=record.last_received_utc,
        records=record.deals,
    )
