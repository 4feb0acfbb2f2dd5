"""The players' own sheets: their figures typed in, and compared line by line with what was counted."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.errors import EveningError
from dashboard.evening.forms import number_of
from dashboard.evening.model import Evening
from dashboard.evening.paper import PaperLine, compared, differing_deals, paper_line
from dashboard.evening.words import refusal
from dashboard.live import ALL_TABLES
from dashboard.members import member_of
from dashboard.pages.chosen_evening import evening_or_404
from dashboard.pages.tellijst import sheet_of
from dashboard.security import current_identity
from dashboard.services import services
from rules import Team

blueprint = Blueprint("paper", __name__, url_prefix="/wedstrijdleider/avonden/<int:evening_id>/papier")

COLUMNS = ("wij-punten", "wij-roem", "zij-punten", "zij-roem")


@blueprint.get("/<int:number>/<table>")
def show(evening_id: int, number: int, table: str) -> ResponseReturnValue:
    """Both sides' sheets beside what was counted; what differs is marked."""
    return _page(evening_or_404(evening_id), number, table, None)


@blueprint.post("/<int:number>/<table>")
def write(evening_id: int, number: int, table: str) -> ResponseReturnValue:
    """Lines of one side's sheet; a line left empty says nothing."""
    evening, book = evening_or_404(evening_id), services().evenings
    if book.seated(evening, number, table) is None:
        abort(404)
    try:
        if not evening.takes_changes(book.evenings.now()):
            raise EveningError("frozen", evening.title)
        writer = member_of(Team, request.form.get("schrijver"))
        if writer is None:
            abort(400)
        lines = _lines(evening.reglement.deals_per_match)
    except EveningError as error:
        return _page(evening, number, table, refusal(error)), error.status
    place = (evening_id, number, table)
    book.paper.write(place, writer, lines, current_identity().name or "", book.evenings.now())
    services().hub.refresh(ALL_TABLES)  # The desk marks what differs.
    return redirect(url_for("paper.show", evening_id=evening_id, number=number, table=table))


def _lines(deals: int) -> Mapping[int, PaperLine]:
    return {
        deal: paper_line([number_of(request.form, f"{column}-{deal}") for column in COLUMNS])
        for deal in range(1, deals + 1)
        if any(request.form.get(f"{column}-{deal}", "").strip() for column in COLUMNS)
    }


def _page(evening: Evening, number: int, table: str, fault: str | None) -> str:
    book = services().evenings
    seated = book.seated(evening, number, table) or abort(404)
    counted, written = sheet_of(seated), book.paper.of(evening.id).get((number, table), {})
    return render_template(
        "evening/paper.html",
        evening=evening,
        seated=seated,
        lines=compared(counted, written),
        columns=COLUMNS,
        differing=differing_deals(counted, written),
        is_open=evening.takes_changes(book.evenings.now()),
        fault=fault,
    )
