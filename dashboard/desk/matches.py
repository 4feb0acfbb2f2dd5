"""The matches of the tables as the desk reads and writes them, with who sits there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dashboard.books import Books, TableRecord
from dashboard.evening.matches import SeatedMatch
from dashboard.evening.model import Seating
from dashboard.evening.service import EveningBook
from dashboard.store.database import utc_text
from dashboard.venue_writer import VenueWriter
from tracker.events import Event


@dataclass(frozen=True, slots=True)
class DeskMatch:
    """One match at one table. ``seating`` is None outside an evening: then nobody is known by name."""

    record: TableRecord
    deals_in_match: int
    seating: Seating | None = None


class DeskMatches:
    """Reads matches, and writes events of the venue's own.

    deals_in_match: of a match outside an evening.
    """

    def __init__(self, books: Books, writer: VenueWriter, evenings: EveningBook, deals_in_match: int) -> None:
        self._books = books
        self._writer = writer
        self._evenings = evenings
        self._deals_in_match = deals_in_match

    def current(self, table: str) -> str:
        """The key of the match that a table is playing."""
        return self._books.current(table).match

    def find(self, table: str, match: str) -> DeskMatch | None:
        """A match of a table; None when it has none of that key."""
        record = self._books.match(table, match)
        return self._seated([record])[0] if record is not None else None

    def now(self) -> list[DeskMatch]:
        """What every table is playing."""
        return self._seated(self._books.records())

    def earlier(self, since: datetime) -> list[DeskMatch]:
        """What every table played before, as far as it came in after ``since`` and can still be decided."""
        since_utc = utc_text(since)
        records = [one for table in self._books.tables() for one in self._books.earlier(table, since_utc)]
        return self._seated(one for one in records if not self._evenings.is_frozen(one.match))

    def write(
        self, table: str, match: str, events: Sequence[Event], by: str, expected_last_id: int | None = None
    ) -> None:
        """Write events, and wake everybody who shows the table; see :meth:`VenueWriter.write`."""
        self._writer.write(table, match, events, by, expected_last_id)

    def _seated(self, records: Iterable[TableRecord]) -> list[DeskMatch]:
        wanted = list(records)
        evening = self._evenings.evenings.current()
        if evening is None:
            return [DeskMatch(record, self._deals_in_match) for record in wanted]
        matches = self._evenings.matches(evening, {record.table for record in wanted})
        by_key = {(table, seated.key): seated for (_, table), seated in matches.items() if seated.key}
        deals = evening.reglement.deals_per_match
        return [self._match(record, by_key.get((record.table, record.match)), deals) for record in wanted]

    def _match(self, record: TableRecord, seated: SeatedMatch | None, deals_per_match: int) -> DeskMatch:
        if seated is None:
            return DeskMatch(record, self._deals_in_match)
        return DeskMatch(replace(record, deals=seated.records), deals_per_match, seated.seating)
