"""Events in: tables deliver their batches here, as often as they need to."""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from dashboard.batches import parse_batch, parse_json
from dashboard.services import services

blueprint = Blueprint("ingest", __name__)


@blueprint.post("/api/tafels/<table>/events")
def receive(table: str) -> ResponseReturnValue:
    """Store a batch; answered when it is on the disk, with the highest sequence up to which all are there."""
    venue = services()
    batch = parse_json(request.get_data(cache=False))
    epoch, events = parse_batch(batch, table, venue.config.maximum_batch_events)
    appended = venue.log.append(table, epoch, events)
    return {"acknowledged": appended.acknowledged, "stored": appended.stored}
