"""A browser becomes a table's tablet, with a code from the wedstrijdleider or with the table's own token."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.errors import TooManyAttemptsError
from dashboard.identity import TABLET_COOKIE, drop_session_cookie, set_session_cookie
from dashboard.services import services
from dashboard.store.tablets import CODE_LASTS
from dashboard.translate import gettext

blueprint = Blueprint("tablet", __name__)


@blueprint.get("/tafel/<table>/aanmelden")
def form(table: str) -> ResponseReturnValue:
    """Where the code is typed in."""
    _check_known(table)
    return render_template("tablet.html", table=table, fault=None)


@blueprint.post("/tafel/<table>/aanmelden")
def submit(table: str) -> ResponseReturnValue:
    """The code or the token; from then on this browser writes for this table, and for no other."""
    _check_known(table)
    venue = services()
    try:
        venue.attempts_by_address.count(f"tablet {request.remote_addr}")
    except TooManyAttemptsError as many:
        minutes = ((many.retry_after_s or 60) + 59) // 60
        fault = gettext("Te vaak geprobeerd. Probeer het over %(minutes)d min. opnieuw.", minutes=minutes)
        page = render_template("tablet.html", table=table, fault=fault)
        return page, many.status, {"Retry-After": str(many.retry_after_s)}
    code = request.form.get("code", "").strip()
    if not (venue.tablets.use_code(table, code.upper()) or venue.tokens.table_of(code) == table):
        fault = gettext("Deze code klopt niet, of is al gebruikt. Vraag de wedstrijdleider om een nieuwe.")
        return render_template("tablet.html", table=table, fault=fault), 403
    venue.attempts_by_address.clear(f"tablet {request.remote_addr}")
    key = venue.tablets.start_session(table, timedelta(hours=venue.config.session_hours))
    response = redirect(url_for("table_input.show", table=table))
    set_session_cookie(response, key, venue.config, TABLET_COOKIE)
    return response


@blueprint.post("/tafel/<table>/tablet-afmelden")
def leave(table: str) -> ResponseReturnValue:
    """This browser is no tablet any more."""
    services().tablets.end_session(request.cookies.get(TABLET_COOKIE, ""))
    response = redirect(url_for("table.show", table=table))
    drop_session_cookie(response, services().config, TABLET_COOKIE)
    return response


@blueprint.post("/wedstrijdleider/tafels/<table>/koppelen")
def pair(table: str) -> ResponseReturnValue:
    """A code for the tablet of a table, shown once."""
    _check_known(table)
    code = services().tablets.new_code(table)
    minutes = int(CODE_LASTS.total_seconds() // 60)
    return render_template("tablet_code.html", table=table, code=code, minutes=minutes)


def _check_known(table: str) -> None:
    if table not in services().books.tables():
        abort(404)
