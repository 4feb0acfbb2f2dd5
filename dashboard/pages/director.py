"""The wedstrijdleider's desk: every table, and what asks for attention."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.access import Role
from dashboard.desk.finding import alerts_of
from dashboard.identity import identify
from dashboard.live import ALL_TABLES
from dashboard.security import current_identity
from dashboard.services import services
from dashboard.streams import live_response
from dashboard.table_state import table_view

blueprint = Blueprint("director", __name__)


@blueprint.get("/wedstrijdleider")
def show() -> ResponseReturnValue:
    """The desk."""
    return render_template("director.html", picture=_picture(), name=current_identity().name)


@blueprint.get("/wedstrijdleider/stroom")
def stream() -> Response:
    """The desk, live; it ends when the login does."""
    return live_response(ALL_TABLES, _picture, allowed=_is_still_director)


def _is_still_director() -> bool:
    return identify(request, services().accounts, services().tokens).role is Role.DIRECTOR


def _picture() -> str:
    records = services().books.records()
    views = [table_view(record, services().config.deals_in_match) for record in records]
    alerts = sorted(
        (alert for record in records for alert in alerts_of(record)),
        key=lambda alert: (alert.over, -alert.time_utc.timestamp()),
    )
    return render_template("pictures/director.html", tables=views, alerts=alerts)
