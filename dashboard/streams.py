"""Server-sent events: the whole picture each time, by the id of the last stored event.

A stream sends what a page shows, as HTML made by the same template as the page itself. Whoever comes back
gets the whole picture again. What a viewer may see is drawn once for all who see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from flask import Response, current_app, request
from flask.ctx import RequestContext

from dashboard.access import Role, may_call
from dashboard.language import current_language
from dashboard.services import Services, services

_RECONNECT_MS: Final = 2_000
_HEARTBEAT: Final = b": ping\nevent: heartbeat\ndata: .\n\n"
"""A comment for whatever lies between, and an event that lets the page notice silence."""

Draw = Callable[[int, int], tuple[int, bytes]]
"""A version of the topic and the id of its last event, to the version that is shown and the bytes of it."""


def live_response(topic: str, picture: Callable[[], str], allowed: Callable[[], bool]) -> Response:
    """A stream of ``picture()`` for each change of ``topic``, until ``allowed()`` says no.

    Raises:
        TooManyStreamsError: when every place is taken.
    """
    hub = services().hub
    hub.take_place()
    contexts = partial(current_app.request_context, request.environ)
    is_public = may_call(Role.VIEWER, request.endpoint or "")
    draw = _shared(request.path, picture) if is_public else _own(picture)
    messages = _messages(services(), contexts, topic, draw, allowed)
    response = Response(messages, mimetype="text/event-stream")
    response.call_on_close(hub.leave)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _shared(address: str, picture: Callable[[], str]) -> Draw:
    """A public picture: it depends on the address and the language alone, never on who asks."""
    pictures = services().pictures

    def draw(version: int, last_id: int) -> tuple[int, bytes]:
        return pictures.picture(
            address, current_language(), version, lambda: message("picture", last_id, picture())
        )

    return draw


def _own(picture: Callable[[], str]) -> Draw:
    """A picture for one person."""
    return lambda version, last_id: (version, message("picture", last_id, picture()))


def message(event: str, event_id: int, data: str) -> bytes:
    """One server-sent event; each line of ``data`` stands on a line of its own."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines())
    return f"id: {event_id}\nevent: {event}\n{lines}\n".encode()


def _messages(
    venue: Services,
    contexts: Callable[[], RequestContext],
    topic: str,
    draw: Draw,
    allowed: Callable[[], bool],
) -> Iterator[bytes]:
    """The messages of one stream. While it waits it holds only its place."""
    yield f"retry: {_RECONNECT_MS}\n".encode() + _HEARTBEAT
    known_version = -1
    while True:
        # Asked before drawing: what changes meanwhile is drawn again rather than missed.
        version, last_id = venue.hub.version(topic), venue.hub.last_id(topic)
        with contexts():
            if not allowed():
                return
            if version > known_version:
                known_version, content = draw(version, last_id)
            else:
                content = _HEARTBEAT
        yield content
        del content
        venue.hub.wait_change(topic, known_version, venue.config.ping_seconds)
