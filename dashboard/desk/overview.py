"""Every table at a glance: who is late, who waits for agreement, where sides differ, who is not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median_high

from dashboard.desk.matches import DeskMatch
from dashboard.desk.questions import Question, questions_of
from dashboard.desk.status import Case, cases_of
from dashboard.evening.paper import PaperDifference
from dashboard.presence import Presence, TablePresence
from dashboard.store.desk_log import DeskEntry
from dashboard.table_state import TableView, table_view
from tracker.events import DealRecord


@dataclass(frozen=True, slots=True)
class TableAtDesk:
    """One table with everything that the desk shows of it.

    behind: how many deals the middle table of the hall is further; 0 or less when this one is not late.
    waiting: finished deals to which not both sides said "klopt". disagreed: where one said "klopt niet".
    agreed: how many finished deals both sides agreed to.
    papers: the matches of the evening in which the players' own sheets say something else.
    """

    found: DeskMatch
    view: TableView
    presence: TablePresence
    behind: int
    waiting: tuple[int, ...]
    disagreed: tuple[int, ...]
    agreed: int
    cases: tuple[Case, ...]
    questions: tuple[Question, ...]
    papers: tuple[PaperDifference, ...]

    @property
    def match(self) -> str:
        """The key of the match."""
        return self.found.record.match

    @property
    def open_cases(self) -> int:
        """How many alerts need somebody."""
        return sum(case.is_open for case in self.cases)


def tables_at_desk(
    found: Sequence[DeskMatch],
    log: Mapping[str, Sequence[DeskEntry]],
    presence: Presence,
    papers: Sequence[PaperDifference] = (),
) -> list[TableAtDesk]:
    """The tables; ``log`` holds the lines about each match by its key."""
    numbers = [one.record.deals[-1].number for one in found if one.record.deals]
    middle = median_high(numbers) if numbers else 0
    return [
        _row(
            one,
            log.get(one.record.match, ()),
            presence.of(one.record.table),
            middle,
            tuple(paper for paper in papers if paper.table == one.record.table),
        )
        for one in found
    ]


def _row(
    found: DeskMatch,
    entries: Sequence[DeskEntry],
    presence: TablePresence,
    middle: int,
    papers: tuple[PaperDifference, ...],
) -> TableAtDesk:
    record = found.record
    finished = [deal for deal in record.deals if _is_finished(deal)]
    disagreed = [deal.number for deal in finished if False in deal.agreed.values()]
    agreed = [deal.number for deal in finished if list(deal.agreed.values()) == [True, True]]
    return TableAtDesk(
        found=found,
        view=table_view(record, found.deals_in_match, presence),
        presence=presence,
        behind=middle - record.deals[-1].number if record.deals else 0,
        waiting=tuple(deal.number for deal in finished if deal.number not in (*disagreed, *agreed)),
        disagreed=tuple(disagreed),
        agreed=len(agreed),
        cases=cases_of(record, entries, presence),
        questions=questions_of(record),
        papers=papers,
    )


def _is_finished(deal: DealRecord) -> bool:
    result = deal.deal.result()
    return result.complete and not result.replayed
