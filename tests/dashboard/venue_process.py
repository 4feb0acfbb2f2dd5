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

_START_TIMEOUT_S: Final = 20.0
_ANSWER_TIMEOUT_S: Final = 10.0
_ROOT: Final = Path(__file__).parents[2]


class VenueProcess:
    """Start it, deliver to it, kill it, start it again on the same database."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / "venue.sqlite"
        self.token = create_table_token(DashboardConfig(database=str(self._database)), "1")
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
                command, cwd=_ROOT, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
        end_s = time.monotonic() + _START_TIMEOUT_S
        while not self._answers():
            assert time.monotonic() < end_s, self.output()
            time.sleep(0.05)

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
        """Deliver events with the sequences from ``first``; gives what is acknowledged.

        Raises:
            OSError, http.client.HTTPException: when it is not there, or is killed meanwhile.
        """
        items = [
            {"sequence": first + place, "event": event_to_json(event)} for place, event in enumerate(events)
        ]
        answer = self._call("POST", "/api/tafels/1/events", {"epoch": "journal-1", "events": items})
        return int(answer["acknowledged"])

    def state(self) -> dict[str, Any]:
        """The table's state."""
        return self._call("GET", "/api/tafels/1", None)

    def _call(self, method: str, path: str, document: object) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_ANSWER_TIMEOUT_S)
        try:
            headers = {"Authorization": f"Bearer {self.token}"}
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
