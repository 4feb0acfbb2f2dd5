"""The hall: every table at a glance."""

from __future__ import annotations

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from dashboard.evening.shown import shown_tables
from dashboard.live import ALL_TABLES
from dashboard.services import services
from dashboard.streams import live_response
from dashboard.table_state import table_view

blueprint = Blueprint("hall", __name__)


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """The list of tables."""
    last_id = services().hub.last_id(ALL_TABLES)
    return render_template("hall.html", picture=_picture(), last_id=last_id)


@blueprint.get("/stroom")
def stream() -> Response:
    """The list of tables, live."""
    return live_response(ALL_TABLES, _picture, allowed=lambda: True)


def _picture() -> str:
    venue = services()
    shown = shown_tables(venue.evenings, venue.books.records(), venue.config.deals_in_match)
    tables = [
        (table_view(one.record, one.deals_in_match, venue.presence.of(one.record.table)), one.place)
        for one in shown
    ]
    return render_template("pictures/hall.html", tables=tables, evening=venue.evenings.evenings.current())
