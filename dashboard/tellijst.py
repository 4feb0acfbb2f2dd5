"""The tellijst of a match: sixteen rows as on paper, each computed from its deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from rules import Team
from tracker.events import DealRecord


class RowState(Enum):
    """How far a row is; the value is what the JSON says."""

    EMPTY = "empty"
    RUNNING = "running"
    SETTLED = "settled"
    UNCLEAR = "unclear"
    REPLAYED = "replayed"


@dataclass(frozen=True, slots=True)
class SheetSide:
    """What one team gets in one row: points and roem as they are added up.

    nat: this team played and did not make it. pit: the opponents took every trick, so a P stands here.
    """

    points: int
    roem: int
    kruizen: int
    is_playing: bool
    nat: bool
    pit: bool


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One deal. ``sides`` is empty until there is something to add up."""

    number: int
    state: RowState
    sides: Mapping[Team, SheetSide]


@dataclass(frozen=True, slots=True)
class SheetTotal:
    """One team's totals so far."""

    points: int
    roem: int
    kruizen: int

    @property
    def all_together(self) -> int:
        """Points and roem together."""
        return self.points + self.roem


@dataclass(frozen=True, slots=True)
class Tellijst:
    """The rows, one for each deal of the match and for any played beyond it, and the totals."""

    rows: tuple[SheetRow, ...]
    totals: Mapping[Team, SheetTotal]


def tellijst_of(deals: Iterable[DealRecord], deals_in_match: int) -> Tellijst:
    """The sheet of a match of ``deals_in_match`` deals."""
    by_number = {record.number: record for record in deals}
    last = max(deals_in_match, *by_number, 0)
    rows = tuple(sheet_row(number, by_number.get(number)) for number in range(1, last + 1))
    settled = [row for row in rows if row.state is RowState.SETTLED]
    return Tellijst(rows, {team: _total(settled, team) for team in Team})


def sheet_row(number: int, record: DealRecord | None) -> SheetRow:
    """The line of one deal; an empty one when there is no such deal yet."""
    if record is None or not (record.deal.plays or record.closed):
        return SheetRow(number, RowState.EMPTY, {})
    result = record.deal.result()
    if not result.complete:
        return SheetRow(number, RowState.UNCLEAR if record.closed else RowState.RUNNING, {})
    if result.replayed:
        return SheetRow(number, RowState.REPLAYED, {})
    return SheetRow(number, RowState.SETTLED, {team: _side(record, team) for team in Team})


def _side(record: DealRecord, team: Team) -> SheetSide:
    result, playing = record.deal.result(), record.deal.playing_team
    return SheetSide(
        points=result.score_points[team],
        roem=result.score_roem[team],
        kruizen=result.kruizen[team],
        is_playing=team is playing,
        nat=result.nat and team is playing,
        pit=result.pit_team is team.opponents,
    )


def _total(rows: Iterable[SheetRow], team: Team) -> SheetTotal:
    sides = [row.sides[team] for row in rows]
    return SheetTotal(
        points=sum(side.points for side in sides),
        roem=sum(side.roem for side in sides),
        kruizen=sum(side.kruizen for side in sides),
    )
