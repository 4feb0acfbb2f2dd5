"""The wedstrijdleider's desk: every table, and what asks for attention."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.access import Role
from dashboard.desk.overview import tables_at_desk
from dashboard.desk.sources import tables_now
from dashboard.desk.status import in_order
from dashboard.identity import identify
from dashboard.live import ALL_TABLES
from dashboard.security import current_identity
from dashboard.services import services
from dashboard.streams import live_response

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
    rows = tables_at_desk(tables_now(), services().config.deals_in_match)
    return render_template(
        "pictures/director.html",
        rows=rows,
        cases=in_order(case for row in rows for case in row.cases),
        questions=[(row.match, question) for row in rows for question in row.questions],
    )
