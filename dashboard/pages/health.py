"""Whether the venue is up: for a supervisor, and for the command that waits for it."""

from __future__ import annotations

from typing import Final

from flask import Blueprint
from flask.typing import ResponseReturnValue

from dashboard.services import services

blueprint = Blueprint("health", __name__)

_LEAST_FREE_BYTES: Final = 20_000_000
"""With less than this the disk is as good as full."""


@blueprint.get("/gezond")
def show() -> ResponseReturnValue:
    """``{"ok": true}`` once the store can be read; 507 when its disk has hardly room for another evening."""
    services().log.last_ids()
    free = services().log.free_bytes()
    if free is not None and free < _LEAST_FREE_BYTES:
        return {"ok": False, "reason": "the disk is nearly full", "free_bytes": free}, 507
    return {"ok": True}
