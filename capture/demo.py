"""The demonstration: a simulated table read by its pixels, with the hall's dashboard beside it.

    simulator's pictures -> detector -> tracker -> journal -> HTTP -> dashboard (a process of its own)

What was really played only the simulator knows; :mod:`capture.demo_check` alone looks at it, afterwards.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from http.cookiejar import CookieJar
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, ProxyHandler, build_opener

from capture.errors import DeliveryError, SettingsError
from capture.frame import Frame
from capture.sources import Source

HOST: Final = "127.0.0.1"
TABLE: Final = "1"

START_TIMEOUT_S: Final = 30.0
"""How long the dashboard may take to start."""

ANSWER_TIMEOUT_S: Final = 10.0
"""How long the dashboard may take to answer."""

STOP_TIMEOUT_S: Final = 5.0
"""How long the dashboard may take to stop before it is killed."""

_POLL_S: Final = 0.1
_CODE_LINE: Final = re.compile(r"Code .*: (\S+)")


class HappeningNow(Source):
    """A film shown as if it happens at this moment, so that the pages tell the time of the room they are in.

    Only the clock of the wall is another; the pictures come when they came before.
    """

    def __init__(self, film: Source) -> None:
        self._film = film

    def describe(self) -> str:
        """What the film says of itself."""
        return self._film.describe()

    def read(self) -> Frame | None:
        """The next picture, taken now.

        Raises:
            SourceError: when the film breaks off or is damaged.
        """
        frame = self._film.read()
        return None if frame is None else replace(frame, wall_utc=datetime.now(UTC))

    def close(self) -> None:
        """Close the film."""
        self._film.close()


class DemoVenue:
    """The dashboard in a process of its own, reachable from this machine only, with an empty database.

    folder: where its database and log go. port: where it listens; 0 takes a free one.

    Raises:
        SettingsError: when the port is taken.
        DeliveryError: when it does not start.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self._port = _free_port(port)
        self._database = folder / "dashboard.sqlite"
        self.token = self._make_token()
        self._log = (folder / "dashboard.log").open("w", encoding="utf-8")
        self._process = self._start()
        self._lines: list[str] = []
        self._thread = threading.Thread(target=self._listen, name="dashboard output", daemon=True)
        self._thread.start()
        try:
            self._wait_until_up()
        except BaseException:
            self.close()
            raise

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://{HOST}:{self._port}"

    @property
    def first_run_code(self) -> str:
        """The code with which the first wedstrijdleider makes an account."""
        codes = [match.group(1) for line in self._lines if (match := _CODE_LINE.search(line))]
        return codes[0] if codes else ""

    @property
    def is_running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    def close(self) -> None:
        """Stop it, in the end by force."""
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(STOP_TIMEOUT_S)
        self._thread.join(STOP_TIMEOUT_S)
        self._output.close()
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def _output(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _make_token(self) -> str:
        from dashboard.config import DashboardConfig
        from dashboard.server import create_table_token

        return create_table_token(DashboardConfig(database=str(self._database)), TABLE)

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "dashboard", "--database", str(self._database)]
        command += ["--host", HOST, "--port", str(self._port)]
        # In a session of its own: Ctrl-C is for the demonstration, which stops the dashboard after itself.
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._log, text=True, start_new_session=True
        )

    def _listen(self) -> None:
        for line in self._output:
            self._lines.append(line.strip())

    def _wait_until_up(self) -> None:
        end_s = time.monotonic() + START_TIMEOUT_S
        while self.is_running and time.monotonic() < end_s:
            if self._is_healthy():
                return
            time.sleep(_POLL_S)
        raise DeliveryError(
            "Het dashboard start niet. Probeer het met: klaveroog venue.",
            "the dashboard does not start. Try it with: klaveroog venue.",
        )

    def _is_healthy(self) -> bool:
        try:
            VenueReader(self.address).json("/gezond")
        except DeliveryError:
            return False
        return True


class VenueReader:
    """Reads the dashboard as a browser does, and signs in as its first wedstrijdleider."""

    def __init__(self, address: str) -> None:
        self._address = address
        # No proxy: the dashboard is on this machine.
        self._opener: OpenerDirector = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))

    def page(self, path: str) -> str:
        """The text of a page, tags and all.

        Raises:
            DeliveryError: when the dashboard does not give it.
        """
        return self._fetch(path, None)

    def json(self, path: str) -> Any:
        """What the JSON at ``path`` says.

        Raises:
            DeliveryError: when the dashboard does not give it.
        """
        try:
            return json.loads(self._fetch(path, None))
        except ValueError as error:
            raise self._failed(path, error) from error

    def sign_in_first(self, code: str, name: str, password: str) -> None:
        """Make the first wedstrijdleider's account and stay signed in.

        Raises:
            DeliveryError: when the dashboard does not take it.
        """
        form = {"code": code, "name": name, "password": password}
        self._fetch("/eerste-keer", urlencode(form).encode())

    def _fetch(self, path: str, form: bytes | None) -> str:
        try:
            with self._opener.open(self._address + path, form, ANSWER_TIMEOUT_S) as response:
                body: bytes = response.read()
        except (URLError, OSError, http.client.HTTPException) as error:
            raise self._failed(path, error) from error
        return body.decode("utf-8", "replace")

    def _failed(self, path: str, error: Exception) -> DeliveryError:
        return DeliveryError(
            f"Het dashboard geeft {path} niet. Kijk of het nog loopt.",
            f"the dashboard does not give it ({error}). See whether it still runs.",
        )


def _free_port(port: int) -> int:
    try:
        with socket.create_server((HOST, port)) as listener:
            return int(listener.getsockname()[1])
    except OSError as error:
        raise SettingsError(
            f"Poort {port} is bezet. Kies met --port een andere.",
            "the port is taken. Choose another with --port.",
        ) from error
