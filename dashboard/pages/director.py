"""The wedstrijdleider's desk: every table, and what asks for attention."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.access import Role
from dashboard.desk.sources import left_open, rows_now
from dashboard.desk.status import in_order
from dashboard.identity import identify
from dashboard.live import ALL_TABLES
from dashboard.notify.phones import push_is_possible
from dashboard.security import current_identity
from dashboard.services import services
from dashboard.streams import LivePicture, live_page

blueprint = Blueprint("director", __name__)


@blueprint.get("/wedstrijdleider")
def show() -> ResponseReturnValue:
    """The desk."""
    return render_template(
        "director.html",
        picture=_picture(),
        name=current_identity().name,
        is_organiser=current_identity().role is Role.ORGANISER,
        tables=services().books.tables(),
        push_is_possible=push_is_possible(services().config),
    )


@blueprint.get("/wedstrijdleider/stroom")
@live_page
def stream() -> LivePicture:
    """The desk, live; it ends when the login does."""
    return LivePicture(ALL_TABLES, _picture, _is_still_director)


def _is_still_director() -> bool:
    return identify(request, services()).is_director


def _picture() -> str:
    rows = rows_now()
    return render_template(
        "pictures/director.html",
        rows=rows,
        cases=in_order(case for row in rows for case in row.cases),
        left_open=in_order(left_open()),
        questions=[(row.match, row.found.record, question) for row in rows for question in row.questions],
    )
