"""Whether the venue is up: for a supervisor, and for the command that waits for it."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from dashboard.services import services

blueprint = Blueprint("health", __name__)


@blueprint.get("/gezond")
def show() -> ResponseReturnValue:
    """``{"ok": true}`` once the store can be read."""
    services().log.last_ids()
    return {"ok": True}
