"""Tables say that they live, and are told which clips are wanted."""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from dashboard.batches import parse_json
from dashboard.presence import parse_status
from dashboard.services import services

blueprint = Blueprint("status", __name__)


@blueprint.post("/api/tafels/<table>/status")
def receive(table: str) -> ResponseReturnValue:
    """How a table is; answered with the clips that somebody wants to see."""
    venue = services()
    venue.presence.heard(table, parse_status(parse_json(request.get_data(cache=False))))
    wanted = venue.media.wanted(table)
    return {"wanted": [{"id": clip.id, "from_s": clip.from_s, "to_s": clip.to_s} for clip in wanted]}
