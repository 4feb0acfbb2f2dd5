"""A venue in a process of its own, as it runs in a hall: gunicorn, and a port of this machine."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from dashboard import DashboardConfig, create_table_token
from tracker.events import Event, event_to_json

_START_TIMEOUT_S: Final = 90.0
_ANSWER_TIMEOUT_S: Final = 10.0
_ROOT: Final = Path(__file__).parents[2]


class VenueProcess:
    """Start it, deliver to it, kill it, start it again on the same database.

    tables: those that get a token. settings: of :class:`DashboardConfig`, beside the database and the port.
    """

    def __init__(self, folder: Path, tables: Sequence[str] = ("1",), **settings: object) -> None:
        self._database = folder / "venue.sqlite"
        config = DashboardConfig(database=str(self._database))
        self.tokens = {table: create_table_token(config, table) for table in tables}
        self.token = self.tokens[tables[0]]
        self._environment = {f"KLAVEROOG_{name.upper()}": str(value) for name, value in settings.items()}
        self._output = folder / "output.txt"
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [sys.executable, "-m", "dashboard", "--database", str(self._database)]
        command += ["--port", str(self.port)]
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                command,
                cwd=_ROOT,
                env=os.environ | self._environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        end_s = time.monotonic() + _START_TIMEOUT_S
        while not self._answers():
            if time.monotonic() > end_s:
                self.kill()
                raise AssertionError(f"the venue did not start: {self.output()}")
            time.sleep(0.05)

    @property
    def database_url(self) -> str:
        """Its database, to be looked into when it has stopped."""
        return f"sqlite:///{self._database}"

    @property
    def pid(self) -> int:
        """The first of its processes; the one that serves is its child."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Every process of it, at once, with no chance to tidy up."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(_ANSWER_TIMEOUT_S)

    def stop(self) -> int:
        """Ask it to stop; its exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
        return self._process.wait(_ANSWER_TIMEOUT_S)

    def output(self) -> str:
        """What it printed."""
        return self._output.read_text(encoding="utf-8", errors="replace")

    def first_run_code(self) -> str:
        """The code that it printed."""
        found = re.search(r"Code .*: (\S+)", self.output())
        assert found is not None, self.output()
        return found.group(1)

    def deliver(self, first: int, events: Sequence[Event]) -> int:
        """Deliver events of one table with the sequences from ``first``; gives what is acknowledged.

        Raises:
            OSError, http.client.HTTPException: when it is not there, or is killed meanwhile.
        """
        items = [
            {"sequence": first + place, "event": event_to_json(event)} for place, event in enumerate(events)
        ]
        table = events[0].table
        document = {"epoch": "journal-1", "events": items}
        answer = self._call("POST", f"/api/tafels/{table}/events", document, self.tokens[table])
        return int(answer["acknowledged"])

    def state(self) -> dict[str, Any]:
        """The table's state."""
        return self._call("GET", "/api/tafels/1", None)

    def state_or_none(self) -> dict[str, Any] | None:
        """The table's state; None while the venue does not answer or knows of no such table."""
        try:
            return self.state()
        except (OSError, http.client.HTTPException, AssertionError):
            return None

    def _call(self, method: str, path: str, document: object, token: str = "") -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_ANSWER_TIMEOUT_S)
        try:
            headers = {"Authorization": f"Bearer {token or self.token}"}
            connection.request(method, path, json.dumps(document) if document else None, headers)
            response = connection.getresponse()
            answer: dict[str, Any] = json.loads(response.read())
            assert response.status == 200, answer
            return answer
        finally:
            connection.close()

    def _answers(self) -> bool:
        try:
            self._call("GET", "/gezond", None)
        except (OSError, http.client.HTTPException):
            return False
        return True


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
