"""One stream for all the tabs of a browser."""

from __future__ import annotations

from flask import Blueprint, Response, request

from dashboard.streams import stream_together

blueprint = Blueprint("together", __name__)


@blueprint.get("/stromen")
def stream() -> Response:
    """What each address given as ``deel`` shows, live, in the language ``spreekt``."""
    return stream_together(request.args.getlist("deel"), request.args.get("spreekt", ""))
