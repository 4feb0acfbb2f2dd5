"""How far an alert is: told by the log and by the rulings in force, never kept as a state of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from dashboard.books import TableRecord
from dashboard.desk.alerts import Alert
from dashboard.desk.effects import deal_of
from dashboard.desk.finding import alerts_of
from dashboard.desk.rulings import MadeRuling, made_rulings
from dashboard.presence import NEVER_HEARD, TablePresence
from dashboard.store.desk_log import DeskEntry

CALL_FROM: Final = 0.5
"""A flag less sure than this waits silently on the desk: its cards are asked about there."""


class AlertState(Enum):
    """How far an alert is; the value is also the name of its wording."""

    NEW = "new"
    ACKNOWLEDGED = "acknowledged"
    DECIDED = "decided"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Case:
    """An alert with what became of it.

    last: the last line of the log about it. ruling: the decision on it, also when it was undone.
    """

    alert: Alert
    match: str
    state: AlertState
    last: DeskEntry | None = None
    ruling: MadeRuling | None = None

    @property
    def is_open(self) -> bool:
        """Whether somebody has to look at it."""
        return not self.alert.over and self.state is not AlertState.DECIDED

    @property
    def is_fresh(self) -> bool:
        """Whether nobody has said to be at it."""
        return self.is_open and self.state is not AlertState.ACKNOWLEDGED

    @property
    def is_worth_calling_for(self) -> bool:
        """Whether somebody is called for it by sound or by phone; what is more likely a misreading is not."""
        return self.alert.certainty is None or self.alert.certainty >= CALL_FROM


_ORDER = {AlertState.NEW: 0, AlertState.UNDONE: 0, AlertState.ACKNOWLEDGED: 1, AlertState.DECIDED: 2}


def cases_of(
    record: TableRecord, entries: Sequence[DeskEntry], presence: TablePresence = NEVER_HEARD
) -> tuple[Case, ...]:
    """Every alert of a match with what became of it; ``entries`` are the lines of the log about the match."""
    return tuple(_case(record, alert, entries) for alert in alerts_of(record, presence))


def in_order(cases: Iterable[Case]) -> list[Case]:
    """What nobody is at comes first, what needs nobody last; the newest first within each."""
    return sorted(
        cases, key=lambda case: (case.alert.over, _ORDER[case.state], -case.alert.time_utc.timestamp())
    )


def _case(record: TableRecord, alert: Alert, entries: Sequence[DeskEntry]) -> Case:
    about = [entry for entry in entries if entry.alert == alert.key]
    ruled = [entry for entry in about if entry.what == "ruled"]
    rulings = made_rulings(deal_of(record, alert.deal))
    ruling = _ruling_of(rulings, ruled[-1]) if ruled else None
    last = about[-1] if about else None
    return Case(alert, record.match, _state(last, ruling), last, ruling)


def _state(last: DeskEntry | None, ruling: MadeRuling | None) -> AlertState:
    if ruling is not None and ruling.in_force:
        return AlertState.DECIDED
    if last is not None and last.what == "acknowledged":
        return AlertState.ACKNOWLEDGED
    return AlertState.UNDONE if ruling is not None else AlertState.NEW


def _ruling_of(rulings: Sequence[MadeRuling], entry: DeskEntry) -> MadeRuling | None:
    number = entry.detail.get("ruling", "")
    return next((ruling for ruling in rulings if str(ruling.number) == number), None)
