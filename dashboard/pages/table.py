"""The display at a table: what every player may see, and nothing else."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from dashboard.books import TableRecord
from dashboard.evening.shown import ShownTable, shown_tables
from dashboard.language import current_language
from dashboard.services import services
from dashboard.streams import LivePicture, live_page
from dashboard.table_state import table_view

blueprint = Blueprint("table", __name__)


@blueprint.get("/tafel/<table>")
def show(table: str) -> ResponseReturnValue:
    """The table display with its tellijst."""
    _check_known(table)
    return render_template("table.html", table=table, picture=_picture(table))


@blueprint.get("/tafel/<table>/stroom")
@live_page
def stream(table: str) -> LivePicture:
    """The table display, live."""
    _check_known(table)
    return LivePicture(table, lambda: _picture(table))


@blueprint.get("/api/tafels/<table>")
def state(table: str) -> ResponseReturnValue:
    """The same as JSON."""
    _check_known(table)
    venue = services()
    shown = _shown(venue.books.book(table).record(venue.hub.last_id(table)))
    return table_view(shown.record, shown.deals_in_match, venue.presence.of(table)).as_json()


def _check_known(table: str) -> None:
    if services().hub.last_id(table) == 0 and table not in services().books.tables():
        abort(404)


def _picture(table: str) -> str:
    venue = services()

    def draw(record: TableRecord) -> str:
        shown = _shown(record)
        view = table_view(shown.record, shown.deals_in_match, venue.presence.of(table))
        return render_template("pictures/table.html", view=view, place=shown.place)

    version, at_least_id = venue.hub.version(table), venue.hub.last_id(table)
    return venue.books.book(table).picture(f"table-{current_language()}", at_least_id, draw, version)


def _shown(record: TableRecord) -> ShownTable:
    venue = services()
    (shown,) = shown_tables(venue.evenings, [record], venue.config.deals_in_match)
    return shown
