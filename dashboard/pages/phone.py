"""Messages on the wedstrijdleider's phone: asking for them, stopping them, and the worker that shows them."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, abort, render_template, request, send_file
from flask.typing import ResponseReturnValue

from dashboard.batches import parse_json
from dashboard.errors import MalformedRequestError
from dashboard.language import current_language
from dashboard.notify.phones import push_is_possible
from dashboard.security import current_identity
from dashboard.services import services

blueprint = Blueprint("phone", __name__)

_WORKER = Path(__file__).parents[1] / "static" / "worker.js"


@blueprint.get("/wedstrijdleider/telefoon")
def show() -> ResponseReturnValue:
    """The page with the button; it says what is missing where phones cannot be reached."""
    possible = push_is_possible(services().config)
    key = services().phones.keys().public if possible else ""
    return render_template("desk/phone.html", possible=possible, key=key)


@blueprint.get("/wedstrijdleider/werker.js")
def worker() -> Response:
    """The script that a browser keeps to show messages while the page is closed."""
    return send_file(_WORKER, mimetype="text/javascript", max_age=0)


@blueprint.post("/wedstrijdleider/telefoon")
def subscribe() -> ResponseReturnValue:
    """Remember this browser."""
    if not push_is_possible(services().config):
        abort(404)
    account = services().accounts.by_name(current_identity().name or "")
    if account is None:
        abort(403)
    services().phones.add(account.id, parse_json(request.get_data(cache=False)), current_language())
    return {"ok": True}


@blueprint.post("/wedstrijdleider/telefoon/uit")
def unsubscribe() -> ResponseReturnValue:
    """Forget this browser."""
    asked = parse_json(request.get_data(cache=False))
    endpoint = asked.get("endpoint") if isinstance(asked, dict) else None
    if not isinstance(endpoint, str):
        raise MalformedRequestError("endpoint must be an address")
    services().phones.remove(endpoint)
    return {"ok": True}
