"""Every table at a glance: who is late, who waits for agreement, where sides differ, which camera is blind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_high

from dashboard.books import TableRecord
from dashboard.desk.questions import Question, questions_of
from dashboard.desk.status import Case, cases_of
from dashboard.store.desk_log import DeskEntry
from dashboard.table_state import TableView, table_view
from tracker.events import DealRecord


@dataclass(frozen=True, slots=True)
class TableAtDesk:
    """One table with everything that the desk shows of it.

    behind: how many deals the middle table of the hall is further; 0 or less when this one is not late.
    waiting: finished deals to which not both sides said "klopt". disagreed: where one said "klopt niet".
    agreed: how many finished deals both sides agreed to.
    """

    view: TableView
    match: str
    behind: int
    waiting: tuple[int, ...]
    disagreed: tuple[int, ...]
    agreed: int
    cases: tuple[Case, ...]
    questions: tuple[Question, ...]
    health: str = ""

    @property
    def open_cases(self) -> int:
        """How many alerts need somebody."""
        return sum(case.is_open for case in self.cases)


def tables_at_desk(
    found: Sequence[tuple[str, TableRecord, Sequence[DeskEntry]]], deals_in_match: int
) -> list[TableAtDesk]:
    """The tables, each given with the key of its match and the lines of the log about it."""
    numbers = [record.deals[-1].number for _, record, _ in found if record.deals]
    middle = median_high(numbers) if numbers else 0
    return [_row(match, record, entries, middle, deals_in_match) for match, record, entries in found]


def _row(
    match: str, record: TableRecord, entries: Sequence[DeskEntry], middle: int, deals_in_match: int
) -> TableAtDesk:
    finished = [deal for deal in record.deals if _is_finished(deal)]
    disagreed = [deal.number for deal in finished if False in deal.agreed.values()]
    agreed = [deal.number for deal in finished if list(deal.agreed.values()) == [True, True]]
    return TableAtDesk(
        view=table_view(record, deals_in_match),
        match=match,
        behind=middle - record.deals[-1].number if record.deals else 0,
        waiting=tuple(deal.number for deal in finished if deal.number not in (*disagreed, *agreed)),
        disagreed=tuple(disagreed),
        agreed=len(agreed),
        cases=cases_of(record, match, entries),
        questions=questions_of(record),
    )


def _is_finished(deal: DealRecord) -> bool:
    result = deal.deal.result()
    return result.complete and not result.replayed
