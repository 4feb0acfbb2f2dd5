"""A venue in the test's own process that a real browser can open; for what a test must be able to set."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - the library's name
        pass


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address at which ``app`` can be opened, as long as the block lasts."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    server.daemon_threads = True  # type: ignore[attr-defined] # Of the mixin that threaded=True takes.
    server.block_on_close = False  # type: ignore[attr-defined] # Open pages hold theirs.
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5.0)
