"""What stands on the players' own sheets, typed in, and compared line by line with what was counted.

Each side keeps a sheet (article 4). A line is never overwritten: the last one counts, the first stays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import insert, select

from dashboard.errors import EveningError
from dashboard.store import Store
from dashboard.store.database import utc_text
from dashboard.store.evening_schema import PAPER_FIGURES
from dashboard.tellijst import SheetRow, Tellijst
from rules import Team

_MOST: Final = 9_999


@dataclass(frozen=True, slots=True)
class PaperLine:
    """One deal as a sheet has it: points and roem of both sides."""

    points: Mapping[Team, int]
    roem: Mapping[Team, int]

    def as_text(self) -> str:
        """As the store keeps it: NS points, NS roem, EW points, EW roem."""
        return json.dumps([number for team in Team for number in (self.points[team], self.roem[team])])


@dataclass(frozen=True, slots=True)
class PaperDifference:
    """Where the sheets of a match do not agree: its place in the evening, and the numbers of the deals."""

    evening_id: int
    round: int
    table: str
    deals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One deal: what was counted, and what each side wrote.

    counted: None as long as the deal is not added up. written: by whose sheet it is; absent when nothing is.
    """

    deal: int
    counted: PaperLine | None
    written: Mapping[Team, PaperLine]

    @property
    def differs(self) -> bool:
        """Whether two of the sheets that say anything say different things."""
        said = [line for line in (self.counted, *self.written.values()) if line is not None]
        return any(line != said[0] for line in said[1:])

    def cell_differs(self, writer: Team, team: Team, what: str) -> bool:
        """Whether one written figure is not the counted one; ``what`` is ``points`` or ``roem``."""
        line = self.written.get(writer)
        if line is None or self.counted is None:
            return False
        return bool(getattr(line, what)[team] != getattr(self.counted, what)[team])


def paper_line(numbers: Sequence[int]) -> PaperLine:
    """A line from four numbers: NS points, NS roem, EW points, EW roem.

    Raises:
        EveningError: when there are not four, or one is no number that a sheet can hold.
    """
    if len(numbers) != 4 or any(not 0 <= number <= _MOST for number in numbers):
        raise EveningError("figures", " ".join(map(str, numbers)))
    ns_points, ns_roem, ew_points, ew_roem = numbers
    north_south, east_west = Team
    return PaperLine(
        {north_south: ns_points, east_west: ew_points}, {north_south: ns_roem, east_west: ew_roem}
    )


PaperByPlace = dict[tuple[int, str], dict[Team, dict[int, PaperLine]]]
"""By match and table, by whose sheet it is, by deal."""


class PaperSheets:
    """The players' sheets in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._written = 0
        self._read: dict[int, tuple[int, PaperByPlace]] = {}

    def write(
        self,
        place: tuple[int, int, str],
        writer: Team,
        lines: Mapping[int, PaperLine],
        by: str,
        now: datetime,
    ) -> None:
        """Add lines, by deal, of the sheet of ``writer``; ``place`` is evening, match and table."""
        evening_id, number, table = place
        rows = [
            {
                "evening_id": evening_id,
                "round": number,
                "table_name": table,
                "writer": writer.value,
                "deal": deal,
                "figures": line.as_text(),
                "by": by,
                "time_utc": utc_text(now),
            }
            for deal, line in lines.items()
        ]
        if rows:
            with self._store.writing() as connection:
                connection.execute(insert(PAPER_FIGURES), rows)
            self._written += 1

    def of(self, evening_id: int) -> PaperByPlace:
        """What counts of an evening's sheets. Read once for all who ask until something is written."""
        written = self._written  # Asked before reading: what is written meanwhile is read again.
        known = self._read.get(evening_id)
        if known is None or known[0] != written:
            known = self._read[evening_id] = (written, self._read_all(evening_id))
        return known[1]

    def _read_all(self, evening_id: int) -> PaperByPlace:
        query = (
            select(PAPER_FIGURES).where(PAPER_FIGURES.c.evening_id == evening_id).order_by(PAPER_FIGURES.c.id)
        )
        found: PaperByPlace = {}
        with self._store.reading() as connection:
            for row in connection.execute(query):
                sheets = found.setdefault((row.round, row.table_name), {})
                line = paper_line(json.loads(row.figures))
                sheets.setdefault(Team(row.writer), {})[row.deal] = line
        return found


def compared(sheet: Tellijst, sheets: Mapping[Team, Mapping[int, PaperLine]]) -> tuple[ComparedLine, ...]:
    """Every deal of a match, line by line."""
    return tuple(
        ComparedLine(
            row.number,
            _counted(row),
            {team: lines[row.number] for team, lines in sheets.items() if row.number in lines},
        )
        for row in sheet.rows
    )


def differing_deals(sheet: Tellijst, sheets: Mapping[Team, Mapping[int, PaperLine]]) -> tuple[int, ...]:
    """The numbers of the deals on which the sheets do not agree."""
    return tuple(line.deal for line in compared(sheet, sheets) if line.differs)


def _counted(row: SheetRow) -> PaperLine | None:
    if not row.sides:
        return None
    return PaperLine(
        {team: side.points for team, side in row.sides.items()},
        {team: side.roem for team, side in row.sides.items()},
    )
