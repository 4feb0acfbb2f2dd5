"""A small venue: takes events, statuses and media by HTTP, and can be away, slow, or refuse."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class VenueServer:
    """Keeps the events of each (table, epoch) in order, and acknowledges the last one that it has.

    token: the only one that it takes. status: what it answers in place of taking a batch, unless None.
    answer: what it answers in place of the acknowledgement, unless None. silent: it never answers.
    refused_epochs: runs in whose batches it finds fault. knows_statuses: False for a venue of long ago.
    wanted: the clips that it asks for. media_status: what it answers to pictures and clips, unless None.
    statuses, media, withdrawn: what it was sent: in order; by (kind, id); clips that can't be had.
    """

    def __init__(self, port: int = 0, token: str = "sesam") -> None:
        self.token = token
        self.status: int | None = None
        self.answer: bytes | None = None
        self.silent = False
        self.refused_epochs: set[str] = set()
        self.knows_statuses = True
        self.wanted: object = []
        self.media_status: int | None = None
        self.statuses: list[dict[str, Any]] = []
        self.media: dict[tuple[str, str], tuple[str, bytes]] = {}
        self.withdrawn: list[str] = []
        self.requests = 0
        self.events: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self._released = threading.Event()
        self._server = _Server(("127.0.0.1", port), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def address(self) -> str:
        """What ``--venue`` takes."""
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        """Go away."""
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def take(self, table: str, batch: dict[str, Any]) -> int:
        """Store what is new; gives the last sequence that is there."""
        kept = self.events.setdefault((table, batch["epoch"]), [])
        for item in batch["events"]:
            if item["sequence"] == len(kept) + 1:
                kept.append(item["event"])
        return len(kept)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        venue = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self._answer(venue._answer)

            def do_PUT(self) -> None:
                kind = str(self.headers["Content-Type"])
                self._answer(lambda path, key, body: venue._take_media(path, key, kind, body))

            def do_DELETE(self) -> None:
                self._answer(venue._withdraw)

            def _answer(self, take: Callable[[str, str | None, bytes], tuple[int, bytes]]) -> None:
                venue.requests += 1
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if venue.silent:
                    venue._released.wait(30)
                    return
                status, answer = take(self.path, self.headers["Authorization"], body)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the library's name
                pass

        return Handler

    def _answer(self, path: str, authorization: str | None, body: bytes) -> tuple[int, bytes]:
        if self.status is not None:
            return self.status, b"{}"
        if authorization != f"Bearer {self.token}":
            return 401, b"{}"
        if path.endswith("/status"):
            return self._take_status(json.loads(body))
        start, end = "/api/tafels/", "/events"
        if not (path.startswith(start) and path.endswith(end)):
            return 404, b"{}"
        batch = json.loads(body)
        if batch["epoch"] in self.refused_epochs:
            return 400, b"{}"
        acknowledged = self.take(path[len(start) : -len(end)], batch)
        return 200, self.answer or json.dumps({"acknowledged": acknowledged}).encode()

    def _take_status(self, status: dict[str, Any]) -> tuple[int, bytes]:
        if not self.knows_statuses:
            return 404, b"{}"
        self.statuses.append(status)
        return 200, json.dumps({"wanted": self.wanted}).encode()

    def _take_media(self, path: str, key: str | None, kind: str, body: bytes) -> tuple[int, bytes]:
        if key != f"Bearer {self.token}":
            return 401, b"{}"
        if self.media_status is not None:
            return self.media_status, b"{}"
        *_, media, name, identifier = path.split("/")
        assert media == "media"
        self.media[name, identifier] = kind, body
        return 201, b"{}"

    def _withdraw(self, path: str, key: str | None, body: bytes) -> tuple[int, bytes]:
        self.withdrawn.append(path.rpartition("/")[2])
        return 204, b""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A table that hangs up is no news."""
