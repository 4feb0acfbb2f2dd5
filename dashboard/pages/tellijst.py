"""The tellijst of one match: on the screen, and on one page of paper from the same template."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, Response, abort, make_response, render_template
from flask.typing import ResponseReturnValue

from dashboard.evening.matches import SeatedMatch
from dashboard.evening.model import Evening, EveningRound
from dashboard.evening.pdf import pdf_of
from dashboard.pages.chosen_evening import evening_or_404
from dashboard.services import services
from dashboard.tellijst import Tellijst, tellijst_of

blueprint = Blueprint("tellijst", __name__, url_prefix="/tellijst/<int:evening_id>/<int:number>")


@blueprint.get("/<table>")
def show(evening_id: int, number: int, table: str) -> ResponseReturnValue:
    """The sheet of one table in one match."""
    evening, one = _round(evening_id, number)
    seated = _seated(evening, one, table)
    return render_template(
        "evening/sheet_page.html", evening=evening, seated=seated, sheet=sheet_of(seated), now=_now()
    )


@blueprint.get("/<table>/pdf")
def paper(evening_id: int, number: int, table: str) -> ResponseReturnValue:
    """The same on one page to print."""
    evening, one = _round(evening_id, number)
    return _printed(evening, [_seated(evening, one, table)], f"tellijst-{number}-{table}.pdf")


@blueprint.get("/pdf")
def round_paper(evening_id: int, number: int) -> ResponseReturnValue:
    """Every sheet of one match, a page each."""
    evening, one = _round(evening_id, number)
    matches = services().evenings.matches(evening)
    seated = [matches[number, seating.table] for seating in one.seatings]
    return _printed(evening, seated, f"tellijsten-{number}.pdf")


def sheet_of(seated: SeatedMatch) -> Tellijst:
    """The tellijst of a match."""
    return tellijst_of(seated.records, seated.match.reglement.deals_per_match)


def _printed(evening: Evening, all_seated: list[SeatedMatch], name: str) -> Response:
    sheets = [(seated, sheet_of(seated)) for seated in all_seated]
    text = render_template("evening/sheet_paper.html", evening=evening, sheets=sheets, now=_now())
    response = make_response(pdf_of(text))
    response.mimetype = "application/pdf"
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _round(evening_id: int, number: int) -> tuple[Evening, EveningRound]:
    evening = evening_or_404(evening_id)
    one = evening.round(number)
    if one is None or one.started_utc is None:
        abort(404)
    return evening, one


def _seated(evening: Evening, one: EveningRound, table: str) -> SeatedMatch:
    return services().evenings.seated(evening, one.number, table) or abort(404)


def _now() -> datetime:
    return services().evenings.evenings.now()
