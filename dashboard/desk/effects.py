"""What an event that is not written yet would do: the events of the match folded with it, held against now.

Nothing here is guessed or kept: what is shown before a button is pressed is computed the same way as what is
shown after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dashboard.books import TableRecord
from dashboard.desk.alerts import Alert, AlertKind
from dashboard.desk.finding import alerts_of
from dashboard.tellijst import RowState, SheetRow, tellijst_of
from rules import Reason, Reglement, Seat, Team
from tracker.events import DealRecord, Event, Ruling, fold_deals

_FROM_THE_CARDS = frozenset({AlertKind.REVOKE, AlertKind.FAULT, AlertKind.OUT_OF_TURN})


@dataclass(frozen=True, slots=True)
class DealScore:
    """What a deal brings and what the match stands at.

    row: the deal's row of the tellijst; its ``sides`` are empty while it counts for nothing.
    running: points and roem so far of a deal that is not on the sheet yet.
    totals: points and roem of the whole match. penalties: what single players lose after the match.
    """

    row: SheetRow
    running: Mapping[Team, int]
    totals: Mapping[Team, int]
    penalties: Mapping[Seat, int]
    reasons: tuple[Reason, ...]

    @property
    def figures(self) -> str:
        """All of it in one line, to tell whether two are the same."""
        sides = [
            f"{team.value}:{side.points}+{side.roem}x{side.kruizen}" for team, side in self.row.sides.items()
        ]
        totals = [f"{team.value}={total}" for team, total in self.totals.items()]
        lost = [f"{seat.value}{points}" for seat, points in self.penalties.items() if points]
        return " ".join((self.row.state.value, *sides, *totals, *lost))

    @property
    def counts(self) -> bool:
        """Whether the deal is on the sheet."""
        return self.row.state is RowState.SETTLED


@dataclass(frozen=True, slots=True)
class Effect:
    """A deal before and after; what the cards say of faults that they no longer or only then say."""

    before: DealScore
    after: DealScore
    gone: tuple[Alert, ...] = ()
    new: tuple[Alert, ...] = ()

    @property
    def changes_score(self) -> bool:
        """Whether anything on the sheet becomes another."""
        return self.before.figures != self.after.figures


def effect_of(record: TableRecord, deal: int, added: Sequence[Event], deals_in_match: int) -> Effect:
    """What the match of ``record`` becomes when ``added`` is written, seen from ``deal``."""
    after = with_events(record, added)
    alerts_before, alerts_after = _by_key(record), _by_key(after)
    return Effect(
        before=score_of(record, deal, deals_in_match),
        after=score_of(after, deal, deals_in_match),
        gone=tuple(alert for key, alert in alerts_before.items() if key not in alerts_after),
        new=tuple(alert for key, alert in alerts_after.items() if key not in alerts_before),
    )


def with_events(record: TableRecord, added: Sequence[Event]) -> TableRecord:
    """The record as it would be after ``added``; the store knows nothing of it."""
    events = [event for deal in record.deals for event in deal.events]
    return replace(record, deals=fold_deals([*events, *added], _one_reglement(record)))


def _one_reglement(record: TableRecord) -> Reglement | None:
    """The rules of the whole match; None leaves it to what each deal names."""
    found = {deal.deal.reglement.name: deal.deal.reglement for deal in record.deals}
    return next(iter(found.values())) if len(found) == 1 else None


def score_of(record: TableRecord, deal: int, deals_in_match: int) -> DealScore:
    """What ``deal`` brings now. A deal of which nothing is known has an empty row."""
    sheet = tellijst_of(record.deals, max(deals_in_match, deal))
    known = deal_of(record, deal)
    result = known.deal.result() if known else None
    return DealScore(
        row=sheet.rows[deal - 1],
        running={team: result.points[team] + result.roem[team] if result else 0 for team in Team},
        totals={team: sheet.totals[team].all_together for team in Team},
        penalties=_penalties(record),
        reasons=result.reasons if result else (),
    )


def deal_of(record: TableRecord, number: int) -> DealRecord | None:
    """Deal ``number`` of the match."""
    return next((deal for deal in record.deals if deal.number == number), None)


def _penalties(record: TableRecord) -> Mapping[Seat, int]:
    """Individueel kaarten: what each player loses after the match.

    Told from the rulings, since the deal itself is played again and its first playing is forgotten.
    """
    lost = dict.fromkeys(Seat, 0)
    for deal in record.deals:
        for seat in (_punished_alone(ruling) for ruling in deal.rulings):
            if seat is not None:
                lost[seat] -= deal.deal.reglement.individual_revoke_points
    return lost


def _punished_alone(ruling: Ruling) -> Seat | None:
    return ruling.seat if ruling.decision == "verzaakt-individueel" else None


def _by_key(record: TableRecord) -> dict[str, Alert]:
    return {alert.key: alert for alert in alerts_of(record) if alert.kind in _FROM_THE_CARDS}
