"""How a refusal looks: one JSON shape for programs, one calm page for people, never a traceback.

{"error": {"code": "malformed", "status": 400, "message": "epoch must be text of …"}}
"""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from dashboard.errors import DashboardError


def answer_failures(app: Flask) -> None:
    """Register the answers to everything that can go wrong in a request."""
    app.register_error_handler(DashboardError, _answer_own)
    app.register_error_handler(HTTPException, _answer_http)


def _answer_own(error: DashboardError) -> Response:
    response = _answer(error.status, error.code, str(error))
    if error.retry_after_s is not None:
        response.headers["Retry-After"] = str(error.retry_after_s)
    return response


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
    if _wants_page():
        return make_response(render_template("failure.html", status=status), status)
    response = jsonify(error={"code": code, "status": status, "message": message})
    response.status_code = status
    return response


def _wants_page() -> bool:
    accepted = request.accept_mimetypes
    return not request.path.startswith("/api/") and accepted.best == "text/html"
