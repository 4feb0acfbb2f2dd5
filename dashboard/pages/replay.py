"""A deal looked back at: its tricks, what was seen of each card, what was allowed, what was best."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.books import TableRecord
from dashboard.desk.best_play import SearchState
from dashboard.desk.effects import DealScore, deal_of, score_of
from dashboard.desk.questions import questions_in
from dashboard.desk.replay import Moment, Replay, replay_of
from dashboard.desk.rulings import made_rulings
from dashboard.desk.sources import record_of
from dashboard.desk.status import Case, cases_of
from dashboard.services import services
from dashboard.store.desk_log import DeskEntry
from tracker.events import DealRecord

blueprint = Blueprint("replay", __name__)


@dataclass(frozen=True, slots=True)
class Found:
    """A deal that was asked for, with all of its match around it."""

    match: str
    record: TableRecord
    deal: DealRecord
    entries: tuple[DeskEntry, ...]

    @property
    def cases(self) -> tuple[Case, ...]:
        """The alerts of this deal."""
        cases = cases_of(self.record, self.match, self.entries)
        return tuple(case for case in cases if case.alert.deal == self.deal.number)

    @property
    def score(self) -> DealScore:
        """What the deal brings now."""
        return score_of(self.record, self.deal.number, services().config.deals_in_match)

    @property
    def log(self) -> tuple[DeskEntry, ...]:
        """What was done about this deal."""
        return tuple(entry for entry in self.entries if entry.deal == self.deal.number)


def found_or_404(table: str, match: str, number: int) -> Found:
    """The deal at an address."""
    record = record_of(table, match)
    deal = deal_of(record, number) if record is not None else None
    if record is None or deal is None:
        abort(404)
    return Found(match, record, deal, services().desk_log.of_match(table, match))


@blueprint.get("/terugkijken/<table>/<match>/<int:deal>")
def show(table: str, match: str, deal: int) -> ResponseReturnValue:
    """The whole deal; ``?slag=3&kaart=2`` shows what was allowed at that turn."""
    found = found_or_404(table, match, deal)
    replay = replay_of(found.deal)
    return render_template(
        "desk/replay.html",
        found=found,
        replay=replay,
        moment=_asked_moment(replay),
        rulings=made_rulings(found.deal),
        questions=list(questions_in(table, found.deal)),
        best=_best(found.deal) if "beste" in request.args else None,
    )


@blueprint.get("/terugkijken/<table>/<match>/<int:deal>/beste-spel")
def best_play(table: str, match: str, deal: int) -> ResponseReturnValue:
    """What best play would have brought, as far as it is known: asked again until it is."""
    found = found_or_404(table, match, deal)
    return render_template("desk/best_play.html", found=found, best=_best(found.deal))


@blueprint.get("/terugkijken/<table>/<match>/<int:deal>/protest")
def protest(table: str, match: str, deal: int) -> ResponseReturnValue:
    """The deal on one sheet of paper."""
    found = found_or_404(table, match, deal)
    return render_template(
        "desk/protest.html", found=found, replay=replay_of(found.deal), rulings=made_rulings(found.deal)
    )


def _asked_moment(replay: Replay) -> Moment | None:
    trick = request.args.get("slag", type=int)
    position = request.args.get("kaart", type=int)
    return replay.moment((trick, position)) if trick and position else None


def _best(deal: DealRecord) -> SearchState:
    return services().best_plays.ask(deal.deal)
