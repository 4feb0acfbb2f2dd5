"""Server-sent events: the whole picture each time, by the id of the last stored event.

A stream sends what a page shows, as HTML made by the same template as the page itself. Whoever comes back
gets the whole picture again. What a viewer may see is drawn once for all who see it.

A browser keeps only six connections to one server, so its tabs share one stream, with a channel for each
address that they show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, Final

from flask import Response, current_app, request
from flask.ctx import RequestContext
from flask_babel import force_locale
from werkzeug.exceptions import HTTPException

from dashboard.access import Role, may_call
from dashboard.errors import MalformedRequestError
from dashboard.language import LANGUAGES, current_language
from dashboard.security import current_identity
from dashboard.services import Services, services

MOST_CHANNELS: Final = 40
_RECONNECT_MS: Final = 2_000
_HEARTBEAT: Final = b": ping\nevent: heartbeat\ndata: .\n\n"
"""A comment for whatever lies between, and an event that lets the page notice silence."""


@dataclass(frozen=True, slots=True)
class LivePicture:
    """What an address shows live: ``picture()`` for each change of ``topic``, until ``allowed()`` says no."""

    topic: str
    picture: Callable[[], str]
    allowed: Callable[[], bool] = lambda: True


Maker = Callable[..., LivePicture]


def live_page(maker: Maker) -> Callable[..., Response]:
    """A view that streams what ``maker`` gives, and that tabs may have together with others in one stream.

    Raises:
        TooManyStreamsError: from the view, when every place is taken.
    """

    @wraps(maker)
    def view(**arguments: Any) -> Response:
        channel = _Channel("picture", request.path, maker(**arguments), _is_public(request.endpoint))
        return _response([channel], nullcontext)

    view.__dict__["maker"] = maker
    return view


def stream_together(addresses: Sequence[str], language: str) -> Response:
    """One stream for all tabs of a browser: each event's name ends with the address that it is for.

    An address that this browser may not see, or see no more, gets an event ``closed``.

    Raises:
        MalformedRequestError: for no addresses, too many, one that is no stream, or an unknown language.
        TooManyStreamsError: when every place is taken.
    """
    if not 1 <= len(addresses) <= MOST_CHANNELS:
        raise MalformedRequestError(f"deel must be given 1 to {MOST_CHANNELS} times")
    if language not in LANGUAGES:
        raise MalformedRequestError(f"spreekt must be one of {', '.join(LANGUAGES)}")
    channels = [_channel(address) for address in dict.fromkeys(addresses)]
    return _response(channels, lambda: force_locale(language))


@dataclass(slots=True)
class _Channel:
    """One address in a stream. ``shown`` is None when this browser may not see it."""

    event: str
    address: str
    shown: LivePicture | None
    is_public: bool = False
    known_version: int = field(default=-1)

    def is_allowed(self) -> bool:
        return self.shown is not None and self.shown.allowed()

    def fresh(self, venue: Services) -> bytes | None:
        """The message with the picture of now; None when it was sent already."""
        assert self.shown is not None
        # Asked before drawing: what changes meanwhile is drawn again rather than missed.
        version, last_id = venue.hub.version(self.shown.topic), venue.hub.last_id(self.shown.topic)
        if version <= self.known_version:
            return None
        picture = self.shown.picture

        def draw() -> bytes:
            return message(self.event, last_id, picture())

        if not self.is_public:
            self.known_version = version
            return draw()
        # It depends on the address and the language alone, never on who asks.
        key = f"{self.event} of {self.address}"
        self.known_version, content = venue.pictures.picture(key, current_language(), version, draw)
        return content


def _channel(address: str) -> _Channel:
    """The channel of an address, as if its own stream had been asked for."""
    adapter = current_app.url_map.bind_to_environ(request.environ)
    try:
        endpoint, arguments = adapter.match(address, method="GET")
    except HTTPException:
        raise MalformedRequestError("deel must be the address of a stream") from None
    maker: Maker | None = getattr(current_app.view_functions[endpoint], "maker", None)
    if maker is None:
        raise MalformedRequestError("deel must be the address of a stream")
    shown = None
    if may_call(current_identity().role, endpoint):
        with suppress(HTTPException):  # No such table, or another one's: it is closed.
            shown = maker(**arguments)
    return _Channel(f"picture {address}", address, shown, _is_public(endpoint))


def _is_public(endpoint: str | None) -> bool:
    return may_call(Role.VIEWER, endpoint or "")


def _response(channels: list[_Channel], speaking: Callable[[], AbstractContextManager[None]]) -> Response:
    hub = services().hub
    hub.take_place()
    contexts = partial(current_app.request_context, request.environ)
    response = Response(_messages(services(), contexts, speaking, channels), mimetype="text/event-stream")
    response.call_on_close(hub.leave)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def message(event: str, event_id: int, data: str) -> bytes:
    """One server-sent event; each line of ``data`` stands on a line of its own."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines())
    return f"id: {event_id}\nevent: {event}\n{lines}\n".encode()


def _messages(
    venue: Services,
    contexts: Callable[[], RequestContext],
    speaking: Callable[[], AbstractContextManager[None]],
    channels: list[_Channel],
) -> Iterator[bytes]:
    """The messages of one stream. While it waits it holds only its place."""
    yield f"retry: {_RECONNECT_MS}\n".encode() + _HEARTBEAT
    is_shared = len(channels) > 1 or channels[0].event != "picture"
    while channels:
        with contexts(), speaking():
            closed = [channel for channel in channels if not channel.is_allowed()]
            channels = [channel for channel in channels if channel not in closed]
            fresh = [channel.fresh(venue) for channel in channels]
        if is_shared:
            yield from (f"event: closed {channel.address}\ndata: .\n\n".encode() for channel in closed)
        sent = [part for part in fresh if part is not None] if channels else []
        yield from sent or ([_HEARTBEAT] if channels else [])
        del fresh, sent
        known: dict[str, int] = {}
        for channel in channels:
            if channel.shown is not None:
                topic = channel.shown.topic
                known[topic] = min(channel.known_version, known.get(topic, channel.known_version))
        if known:
            venue.hub.wait_changes(known, venue.config.ping_seconds)
