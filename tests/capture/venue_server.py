"""A small venue: takes batches by HTTP as the real one does, and can be away, slow, or refuse."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class VenueServer:
    """Keeps the events of each (table, epoch) in order, and acknowledges the last one that it has.

    token: the only one that it takes. status: what it answers in place of taking a batch, unless None.
    answer: what it answers in place of the acknowledgement, unless None. silent: it never answers.
    refused_epochs: runs in whose batches it finds fault.
    """

    def __init__(self, port: int = 0, token: str = "sesam") -> None:
        self.token = token
        self.status: int | None = None
        self.answer: bytes | None = None
        self.silent = False
        self.refused_epochs: set[str] = set()
        self.requests = 0
        self.events: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self._released = threading.Event()
        self._server = _Server(("127.0.0.1", port), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
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
                venue.requests += 1
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if venue.silent:
                    venue._released.wait(30)
                    return
                status, answer = venue._answer(self.path, self.headers["Authorization"], body)
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
        start, end = "/api/tafels/", "/events"
        if not (path.startswith(start) and path.endswith(end)):
            return 404, b"{}"
        batch = json.loads(body)
        if batch["epoch"] in self.refused_epochs:
            return 400, b"{}"
        acknowledged = self.take(path[len(start) : -len(end)], batch)
        return 200, self.answer or json.dumps({"acknowledged": acknowledged}).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A table that hangs up is no news."""
