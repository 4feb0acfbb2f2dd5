"""What a table shows: its match of the evening with who sits there, or its own where there is no evening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dashboard.books import TableRecord
from dashboard.evening.model import Phase
from dashboard.evening.service import EveningBook, TablePlace


@dataclass(frozen=True, slots=True)
class ShownTable:
    """The match that a table shows. ``place`` is None outside an evening; then nobody is known by name.

    is_open: people may still say something of this match. record: of another match than is seated here, it
    is empty: the last one is over and the next one has not begun.
    """

    record: TableRecord
    place: TablePlace | None
    deals_in_match: int
    is_open: bool


def shown_tables(
    book: EveningBook, records: Iterable[TableRecord], deals_in_match: int
) -> tuple[ShownTable, ...]:
    """Each of ``records`` as its table shows it; ``deals_in_match`` where no reglement says so."""
    evening = book.evenings.current()
    if evening is None or evening.phase(book.evenings.now()) is Phase.FROZEN:
        return tuple(ShownTable(record, None, deals_in_match, True) for record in records)
    records = tuple(records)
    matches = book.matches(evening, {record.table for record in records})
    shown = []
    for record in records:
        place = book.place_in(evening, record.table)
        if place is None:
            shown.append(ShownTable(record, None, deals_in_match, True))
            continue
        seated = matches.get((place.round.number, record.table))
        is_this = seated is not None and seated.key == record.match
        if seated is not None and is_this and seated.records is not record.deals:
            record = replace(record, deals=seated.records)
        shown.append(
            ShownTable(
                record if is_this else _between_matches(record),
                place,
                evening.reglement.deals_per_match,
                is_this,
            )
        )
    return tuple(shown)


def _between_matches(record: TableRecord) -> TableRecord:
    """The table without the match that it played before."""
    return replace(record, deals=(), logged=())
