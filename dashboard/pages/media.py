"""Crops and clips: tables send them, and only the wedstrijdleider sees them."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request, send_file
from flask.typing import ResponseReturnValue

from dashboard.errors import MediaRefusedError
from dashboard.media import MediaKind
from dashboard.services import services

blueprint = Blueprint("media", __name__)

_KIND = "<any(crop,clip):kind>"


@blueprint.put(f"/api/tafels/<table>/media/{_KIND}/<media_id>")
def receive(table: str, kind: str, media_id: str) -> ResponseReturnValue:
    """Keep a picture or a clip; sent twice it is kept once."""
    wanted = MediaKind(kind)
    request.max_content_length = wanted.maximum_bytes
    if request.mimetype != wanted.content_type:
        raise MediaRefusedError(f"a {kind} must be {wanted.content_type}", 415)
    if request.content_length is None:
        raise MediaRefusedError("Content-Length must be given", 411)
    if request.content_length > wanted.maximum_bytes:
        raise MediaRefusedError(f"a {kind} is at most {wanted.maximum_bytes} bytes", 413)
    is_new = services().media.put(table, wanted, media_id, request.stream)
    if is_new:
        services().hub.refresh(table)
    return {"kept": True}, 201 if is_new else 200


@blueprint.delete("/api/tafels/<table>/media/clip/<media_id>")
def withdraw(table: str, media_id: str) -> ResponseReturnValue:
    """The table cannot give this clip any more: it is not asked for again."""
    services().media.withdraw(table, media_id)
    services().hub.refresh(table)
    return "", 204


@blueprint.get(f"/wedstrijdleider/beeld/<table>/{_KIND}/<media_id>")
def show(table: str, kind: str, media_id: str) -> Response:
    """A picture or a clip, for the wedstrijdleider; a browser may ask for parts of a clip."""
    found = services().media.find(table, MediaKind(kind), media_id)
    if found is None:
        abort(404)
    return send_file(found.absolute(), mimetype=MediaKind(kind).content_type, conditional=True)
