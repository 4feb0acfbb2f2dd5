"""How a refusal looks: one JSON shape for programs, one calm page for people, never a traceback.

{"error": {"code": "malformed", "status": 400, "message": "epoch must be text of …"}}
"""

from __future__ import annotations

import logging
from http import HTTPStatus

from flask import Flask, Request, Response, jsonify, make_response, render_template, request
from gunicorn.http.errors import ParseException
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException

from dashboard.errors import DashboardError

_log = logging.getLogger(__name__)


def answer_failures(app: Flask) -> None:
    """Register the answers to everything that can go wrong in a request."""
    app.register_error_handler(DashboardError, _answer_own)
    app.register_error_handler(HTTPException, _answer_http)
    # The server reads a body only when it is asked for, and then tells its complaint in its own way.
    app.register_error_handler(ParseException, _answer_unreadable)
    app.register_error_handler(OperationalError, _answer_not_stored)


def _answer_own(error: DashboardError) -> Response:
    response = _answer(error.status, error.code, str(error))
    if error.retry_after_s is not None:
        response.headers["Retry-After"] = str(error.retry_after_s)
    return response


def _answer_unreadable(error: Exception) -> Response:
    return _answer(HTTPStatus.BAD_REQUEST, "malformed", f"the body cannot be read: {error}")


def _answer_not_stored(error: Exception) -> Response:
    """The database could not be written or read: nothing of the request was kept."""
    reason = str(getattr(error, "orig", error)).splitlines()[0]
    _log.error("not stored: %s %s: %s", request.method, request.path, reason)
    if "full" in reason or "No space" in reason:
        return _answer(HTTPStatus.INSUFFICIENT_STORAGE, "disk_full", "the venue's disk is full; make room")
    return _answer(HTTPStatus.SERVICE_UNAVAILABLE, "not_stored", "the database cannot be reached; try again")


def _answer_http(error: HTTPException) -> Response:
    status = error.code or 500
    if error.response is not None or 300 <= status < 400:
        return make_response(error.get_response())
    code = HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")
    response = _answer(status, code, error.description or HTTPStatus(status).phrase)
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        response.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    return response


def _answer(status: int, code: str, message: str) -> Response:
    if wants_page(request):
        return make_response(render_template("failure.html", status=status), status)
    response = jsonify(error={"code": code, "status": status, "message": message})
    response.status_code = status
    return response


def wants_page(incoming: Request) -> bool:
    """Whether a person's browser asks; a program that takes anything gets JSON.

    Not whether ``text/html`` comes first: browsers wish for other things as well, and just as much.
    """
    liked = incoming.accept_mimetypes.best_match(("application/json", "text/html"))
    return liked == "text/html" and not incoming.path.startswith("/api/")
