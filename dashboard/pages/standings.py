"""The standings of an evening and of a season, for everybody."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.evening.standing import evening_rows, not_yet_in_season, season_ranking
from dashboard.pages.chosen_evening import chosen_evening
from dashboard.services import services

blueprint = Blueprint("standings", __name__)


@blueprint.get("/stand")
def show() -> ResponseReturnValue:
    """The standings of the evening that is going on, or of ``?avond=``."""
    book = services().evenings
    evening = chosen_evening()
    if evening is None:
        return render_template("evening/standings.html", evening=None)
    matches = book.matches(evening)
    return render_template(
        "evening/standings.html",
        evening=evening,
        phase=evening.phase(book.evenings.now()).value,
        rows=evening_rows(evening, matches),
        matches=matches,
        evenings=book.evenings.all(),
    )


@blueprint.get("/stand/seizoen")
def season() -> ResponseReturnValue:
    """The standings of ``?seizoen=``, or of the season of the evening that is going on."""
    book = services().evenings
    current = book.evenings.current()
    name = request.args.get("seizoen", current.season if current else "")
    evenings = book.season(name)
    if not evenings:
        abort(404)
    reglement = evenings[-1][0].reglement
    standings = [one for _, one in evenings]
    return render_template(
        "evening/season.html",
        name=name,
        evenings=[one for one, _ in evenings],
        standings=standings,
        reglement=reglement,
        ranked=season_ranking(reglement, standings),
        not_yet=not_yet_in_season(reglement, standings),
    )
