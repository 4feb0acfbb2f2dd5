"""A deal looked back at: its tricks, what was seen of each card, what was allowed, what was best."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.books import TableRecord
from dashboard.desk.best_play import SearchState
from dashboard.desk.effects import DealScore, deal_of, score_of
from dashboard.desk.matches import DeskMatch
from dashboard.desk.pictures import Film, ask_for, film_of
from dashboard.desk.questions import questions_in
from dashboard.desk.replay import Moment, Replay, replay_of
from dashboard.desk.rulings import made_rulings
from dashboard.desk.sources import match_of
from dashboard.desk.status import Case, cases_of
from dashboard.services import services
from dashboard.store.desk_log import DeskEntry
from tracker.events import DealRecord, SeenCard

blueprint = Blueprint("replay", __name__)


@dataclass(frozen=True, slots=True)
class Found:
    """A deal that was asked for, with all of its match around it."""

    desk: DeskMatch
    deal: DealRecord
    entries: tuple[DeskEntry, ...]

    @property
    def record(self) -> TableRecord:
        """The match."""
        return self.desk.record

    @property
    def match(self) -> str:
        """The key of the match."""
        return self.desk.record.match

    @property
    def cases(self) -> tuple[Case, ...]:
        """The alerts of this deal."""
        cases = cases_of(self.record, self.entries)
        return tuple(case for case in cases if case.alert.deal == self.deal.number)

    @property
    def score(self) -> DealScore:
        """What the deal brings now."""
        return score_of(self.record, self.deal.number, self.desk.deals_in_match)

    @property
    def log(self) -> tuple[DeskEntry, ...]:
        """What was done about this deal."""
        return tuple(entry for entry in self.entries if entry.deal == self.deal.number)


def found_or_404(table: str, match: str, number: int) -> Found:
    """The deal at an address."""
    desk = match_of(table, match)
    deal = deal_of(desk.record, number) if desk is not None else None
    if desk is None or deal is None:
        abort(404)
    return Found(desk, deal, services().desk_log.of_match(table, match))


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


@blueprint.get("/terugkijken/<table>/<match>/<int:deal>/film/<int:trick>/<int:position>")
def film(table: str, match: str, deal: int, trick: int, position: int) -> ResponseReturnValue:
    """The film of a card, from ten seconds before; asked again until it is there."""
    found = found_or_404(table, match, deal)
    seen, shown = _film_or_404(found, (trick, position))
    template = "desk/film_state.html" if "deel" in request.args else "desk/film.html"
    return render_template(template, found=found, seen=seen, film=shown)


@blueprint.post("/terugkijken/<table>/<match>/<int:deal>/film/<int:trick>/<int:position>")
def ask_film(table: str, match: str, deal: int, trick: int, position: int) -> ResponseReturnValue:
    """Ask the table for the film."""
    found = found_or_404(table, match, deal)
    _, shown = _film_or_404(found, (trick, position))
    ask_for(found.record, shown, services().media)
    return redirect(
        url_for("replay.film", table=table, match=match, deal=deal, trick=trick, position=position)
    )


def _film_or_404(found: Found, place: tuple[int, int]) -> tuple[SeenCard, Film]:
    seen = next((one for one in found.deal.cards if (one.trick, one.position) == place), None)
    shown = film_of(found.record, found.deal.number, seen, services().media) if seen else None
    if seen is None or shown is None:
        abort(404)
    return seen, shown


def _asked_moment(replay: Replay) -> Moment | None:
    trick = request.args.get("slag", type=int)
    position = request.args.get("kaart", type=int)
    return replay.moment((trick, position)) if trick and position else None


def _best(deal: DealRecord) -> SearchState:
    return services().best_plays.ask(deal.deal)
