"""Server-sent events: the whole picture each time, by the id of the last stored event.

A stream sends what a page shows, as HTML made by the same template as the page itself. Whoever comes back
with a ``Last-Event-ID`` gets the whole picture again when anything happened since, and nothing when it did not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from flask import Response, request, stream_with_context

from dashboard.services import services

_RECONNECT_MS: Final = 2_000
_HEARTBEAT: Final = ": ping\nevent: heartbeat\ndata: .\n\n"
"""A comment for whatever lies between, and an event that lets the page notice silence."""


def live_response(topic: str, picture: Callable[[], str], allowed: Callable[[], bool]) -> Response:
    """A stream of ``picture()`` for each change of ``topic``, until ``allowed()`` says no.

    Raises:
        TooManyStreamsError: when every place is taken.
    """
    hub = services().hub
    hub.take_place()
    known_id = _last_event_id()
    response = Response(
        stream_with_context(_messages(topic, known_id, picture, allowed)), mimetype="text/event-stream"
    )
    response.call_on_close(hub.leave)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def message(event: str, event_id: int, data: str) -> str:
    """One server-sent event; each line of ``data`` stands on a line of its own."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines())
    return f"id: {event_id}\nevent: {event}\n{lines}\n"


def _messages(
    topic: str, known_id: int, picture: Callable[[], str], allowed: Callable[[], bool]
) -> Iterator[str]:
    hub, ping_s = services().hub, services().config.ping_seconds
    yield f"retry: {_RECONNECT_MS}\n{_HEARTBEAT}"
    current_id = hub.last_id(topic)
    while allowed():
        if current_id != known_id:
            known_id = current_id
            yield message("picture", current_id, picture())
        current_id = hub.wait_beyond(topic, known_id, ping_s)
        if current_id == known_id:
            yield _HEARTBEAT


def _last_event_id() -> int:
    """What the browser says it saw last; -1 when it saw nothing, which is no id at all."""
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1
