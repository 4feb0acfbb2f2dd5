"""The venue as it runs: gunicorn, one process with many threads, started from Python.

One process, since the live pages are woken in memory and SQLite has one writer; many threads, since each open
page holds one.
"""

from __future__ import annotations

import gc
import socket
from typing import Any, Final

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.http.errors import InvalidHeader, UnsupportedTransferCoding
from gunicorn.workers.gthread import ThreadWorker

from dashboard.app import create_app
from dashboard.config import DashboardConfig
from dashboard.passwords import hash_password, new_password
from dashboard.store import Accounts, Organising, is_table_name, open_store, open_store_to_read

_GRACEFUL_S: Final = 2
"""Open pages never end by themselves; they come back when the venue does."""
_KEEP_ALIVE_S: Final = 5
_AT_THE_CONSOLE: Final = "console"
"""Who does what is done on the machine itself, in the log."""


def run_dashboard(config: DashboardConfig) -> None:
    """Serve the venue at ``config.host`` and ``config.port`` until it is told to stop. Blocks.

    Prints the address, and the code for the first account as long as there is none.

    Raises:
        sqlalchemy.exc.OperationalError: when the database cannot be opened.
        OSError: when the address is taken, or not one of this machine.
        SystemExit: at the end, with 0.
    """
    # First: announcing makes a new code, and one that a venue already running printed would no longer work.
    _check_address(config.host, config.port)
    _announce(config)
    _Gunicorn(config).run()


def serve(config: DashboardConfig, host: str, port: int) -> None:
    """The same as :func:`run_dashboard` at another address."""
    run_dashboard(config.model_copy(update={"host": host, "port": port}))


def create_table_token(config: DashboardConfig, table: str) -> str:
    """A new token with which ``table`` may deliver its events. Only its hash is kept, so keep it well.

    Raises:
        ValueError: when ``table`` is no name of 1 to 32 letters, figures, ``-`` or ``_``.
    """
    if not is_table_name(table):
        raise ValueError(f"a table's name is 1 to 32 letters, figures, - or _, not {table!r}")
    store = open_store(config.database_url)
    try:
        return Organising(store).new_token(table, _AT_THE_CONSOLE)
    finally:
        store.close()


def renew_password(config: DashboardConfig, name: str) -> str | None:
    """A new password for an account, for an organiser who forgot it; None when nobody is called ``name``.

    Raises:
        FileNotFoundError: when there is no database yet, and so nobody.
    """
    open_store_to_read(config.database_url).close()
    store, password = open_store(config.database_url), new_password()
    try:
        changed = Organising(store).renew_password(name, hash_password(password), _AT_THE_CONSOLE)
    finally:
        store.close()
    return password if changed else None


def gunicorn_settings(config: DashboardConfig) -> dict[str, Any]:
    """What gunicorn is told."""
    threads = config.maximum_streams + config.spare_threads
    return {
        "bind": f"{config.host}:{config.port}",
        "worker_class": _Worker,
        "workers": 1,
        "threads": threads,
        "worker_connections": threads + 256,
        "timeout": 60,
        "graceful_timeout": _GRACEFUL_S,
        "keepalive": _KEEP_ALIVE_S,
        "loglevel": "warning",
        "proc_name": "klaveroog",
        "control_socket_disable": True,
        "when_ready": _share_memory,
    }


def _share_memory(_arbiter: object) -> None:
    """What is loaded by now stays shared with the process that serves: the collector never writes in it."""
    gc.collect()
    gc.freeze()


class _Worker(ThreadWorker):  # type: ignore[misc] # gunicorn ships no types.
    """gunicorn's worker with threads; what a client sends wrongly is never called a fault of the server."""

    def handle_error(self, req: object, client: object, addr: object, exc: Exception) -> None:
        """Answer what is not even a request: 400 for a transfer coding that nobody knows, in place of 501."""
        is_unknown_coding = isinstance(exc, UnsupportedTransferCoding)
        super().handle_error(req, client, addr, InvalidHeader(str(exc)) if is_unknown_coding else exc)


class _Gunicorn(BaseApplication):  # type: ignore[misc] # gunicorn ships no types.
    """gunicorn with our settings in place of a command line; the app is made in the worker."""

    def __init__(self, config: DashboardConfig) -> None:
        self._config = config
        super().__init__()

    def load_config(self) -> None:
        for name, value in gunicorn_settings(self._config).items():
            if name in self.cfg.settings:  # Older versions know fewer.
                self.cfg.set(name, value)

    def load(self) -> Flask:
        return create_app(self._config)


def _check_address(host: str, port: int) -> None:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, protocol) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()


def _announce(config: DashboardConfig) -> None:
    store = open_store(config.database_url)
    code = Accounts(store).new_first_run_code()
    store.close()
    address = f"{'https' if config.https else 'http'}://{config.host}:{config.port}"
    lines = [f"Klaveroog: {address}/"]
    if code is not None:
        lines += [
            f"Eerste wedstrijdleider aanmaken: {address}/eerste-keer",
            f"Code (eenmalig): {code}",
        ]
    print("\n".join(lines), flush=True)  # noqa: T201 - the console is where a first-run code belongs.
