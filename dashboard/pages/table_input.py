"""The tablet at a table: what the players say, with one or two presses."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.books import TableRecord
from dashboard.errors import ChangedMeanwhileError, DashboardError, EveningError
from dashboard.evening.shown import ShownTable, shown_tables
from dashboard.identity import identify
from dashboard.language import current_language
from dashboard.security import current_identity
from dashboard.services import services
from dashboard.streams import LivePicture, live_page
from dashboard.table_input import ROEM_VALUES, said, sayable
from dashboard.table_state import table_view
from tracker.events import DealAgreed, Event

blueprint = Blueprint("table_input", __name__)


@blueprint.get("/tafel/<table>/invoer")
def show(table: str) -> ResponseReturnValue:
    """What can be said now."""
    if current_identity().table != table:
        abort(403)
    return _page(table, "")


@blueprint.get("/tafel/<table>/invoer/stroom")
@live_page
def stream(table: str) -> LivePicture:
    """The same, live, as long as this browser is the table's tablet."""
    if current_identity().table != table:
        abort(403)
    return LivePicture(table, lambda: _picture(table), lambda: identify(request, services()).table == table)


@blueprint.post("/tafel/<table>/invoer")
def say(table: str) -> ResponseReturnValue:
    """One press. Pressed twice it is said once."""
    try:
        _say(table)
    except (ChangedMeanwhileError, EveningError) as error:
        return _page(table, "frozen" if isinstance(error, EveningError) else "changed"), error.status
    except DashboardError as error:
        return _page(table, "incomplete"), error.status
    return redirect(url_for("table_input.show", table=table))


def _say(table: str) -> None:
    venue = services()
    shown = _shown(venue.books.current(table))
    if not shown.is_open:
        raise ChangedMeanwhileError
    can = sayable(table_view(shown.record, shown.deals_in_match), shown.record.deals)
    event = said(request.form, can, table, datetime.now(UTC))
    if not _is_said_already(event, shown.record):
        venue.writer.write(table, shown.record.match, [event], f"tafel {table}")


def _is_said_already(event: Event, record: TableRecord) -> bool:
    """Whether the last thing that was said of this deal is the same, but for the moment."""
    if isinstance(event, DealAgreed):
        deal = next(deal for deal in record.deals if deal.number == event.deal)
        return deal.agreed.get(event.team) is event.agreed
    same = [one.event for one in record.logged if one.is_written_at_venue and one.event.deal == event.deal]
    if not same or type(same[-1]) is not type(event):
        return False
    age_s = (event.time_utc - same[-1].time_utc).total_seconds()
    return age_s < _TWICE_WITHIN_S and _without_time(same[-1]) == _without_time(event)


_TWICE_WITHIN_S = 3.0


def _without_time(event: Event) -> dict[str, object]:
    return {name: getattr(event, name) for name in type(event).__dataclass_fields__ if name != "time_utc"}


def _page(table: str, fault: str) -> str:
    return render_template("table_input.html", table=table, picture=_picture(table), fault=fault)


def _picture(table: str) -> str:
    venue = services()

    def draw(record: TableRecord) -> str:
        shown = _shown(record)
        view = table_view(shown.record, shown.deals_in_match, venue.presence.of(table))
        return render_template(
            "pictures/table_input.html",
            view=view,
            place=shown.place,
            can=sayable(view, shown.record.deals),
            roem_values=ROEM_VALUES,
            reglement=shown.record.deals[-1].deal.reglement if shown.record.deals else None,
        )

    version, at_least_id = venue.hub.version(table), venue.hub.last_id(table)
    return venue.books.book(table).picture(f"input-{current_language()}", at_least_id, draw, version)


def _shown(record: TableRecord) -> ShownTable:
    venue = services()
    (shown,) = shown_tables(venue.evenings, [record], venue.config.deals_in_match)
    return shown
