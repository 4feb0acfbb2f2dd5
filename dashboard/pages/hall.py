"""The hall: every table at a glance."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from dashboard.evening.service import TablePlace
from dashboard.evening.shown import shown_tables
from dashboard.evening.standing import evening_rows
from dashboard.live import ALL_TABLES
from dashboard.services import services
from dashboard.streams import LivePicture, live_page
from dashboard.table_state import TableView, table_view

blueprint = Blueprint("hall", __name__)


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """The list of tables."""
    last_id = services().hub.last_id(ALL_TABLES)
    return render_template("hall.html", picture=_picture(), last_id=last_id)


@blueprint.get("/stroom")
@live_page
def stream() -> LivePicture:
    """The list of tables, live."""
    return LivePicture(ALL_TABLES, _picture)


@blueprint.get("/scherm")
def screen() -> ResponseReturnValue:
    """The standings and every table on one large screen in the hall, with nothing to press."""
    return render_template("screen.html", picture=_screen_picture())


@blueprint.get("/scherm/stroom")
@live_page
def screen_stream() -> LivePicture:
    """The same, live."""
    return LivePicture(ALL_TABLES, _screen_picture)


def _screen_picture() -> str:
    book = services().evenings
    evening = book.evenings.current()
    rows = evening_rows(evening, book.matches(evening)) if evening is not None else ()
    return render_template("pictures/screen.html", tables=_tables(), evening=evening, rows=rows)


def _picture() -> str:
    evening = services().evenings.evenings.current()
    return render_template("pictures/hall.html", tables=_tables(), evening=evening)


def _tables() -> list[tuple[TableView, TablePlace | None]]:
    """Every table as everybody may see it, with who sits there."""
    venue = services()
    shown = shown_tables(venue.evenings, venue.books.records(), venue.config.deals_in_match)
    return [
        (table_view(one.record, one.deals_in_match, venue.presence.of(one.record.table)), one.place)
        for one in shown
    ]
