"""The page on which a volunteer sets up a camera: what it sees, the seats, what to change, and a button.

    the camera ──► CalibrationDesk (the newest picture, what was found in it) ──► the page, each second anew

It listens on this machine only unless told otherwise, and knows nothing but the camera and one file.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt
from flask import Flask, Response, abort, jsonify, render_template, request
from werkzeug.serving import WSGIRequestHandler, make_server

from capture.calibration.calibration import Calibration
from capture.calibration.draw_seats import draw_seats
from capture.calibration.find_table import USUAL_TABLE_MM, FoundTable, find_table
from capture.calibration.judge import Judgement, judge
from capture.errors import CalibrationError, CaptureError, SettingsError
from rules import Seat

Pixels = npt.NDArray[np.uint8]

WIDEST: Final = 1280
"""The page's picture is made no wider than this."""

QUALITY: Final = 80
_JOIN_TIMEOUT_S: Final = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One picture of the camera, (H, W, 3) uint8, with what was found in it and thought of it."""

    image: Pixels
    found: FoundTable
    judgements: tuple[Judgement, ...]

    @property
    def is_well(self) -> bool:
        """Whether nothing need be changed."""
        return all(judgement.is_well for judgement in self.judgements)

    @property
    def can_be_kept(self) -> bool:
        """Whether the table was found."""
        return self.found.calibration.method != "picture"


def look_at(
    image: Pixels, *, table_mm: tuple[float, float] = USUAL_TABLE_MM, north: Seat = Seat.NORTH
) -> Look:
    """Find the table in a picture, (H, W, 3) uint8, and judge it; the others as for ``find_table``."""
    found = find_table(image, table_mm=table_mm, north=north)
    return Look(image, found, judge(image, found))


class CalibrationDesk:
    """Holds the newest look for whoever asks, and keeps it when told to.

    keep: writes a calibration; raises a ``CalibrationError`` when that fails.
    """

    def __init__(self, keep: Callable[[Calibration], None]) -> None:
        self._keep = keep
        self._lock = threading.Lock()
        self._look: Look | None = None
        self._problem: CaptureError | None = None
        self._kept = False

    def show(self, look: Look) -> None:
        """The camera gave another picture."""
        with self._lock:
            self._look, self._problem = look, None

    def tell(self, problem: CaptureError | None) -> None:
        """The camera gives nothing, for this reason; None: it does again."""
        with self._lock:
            self._problem = problem

    @property
    def look(self) -> Look | None:
        """The newest look; None before the first."""
        with self._lock:
            return self._look

    def keep(self) -> None:
        """Keep what was found in the newest picture.

        Raises:
            CalibrationError: when there is none, no table was found in it, or it can't be written.
        """
        look = self.look
        if look is None or not look.can_be_kept:
            raise CalibrationError(
                "De tafel is nog niet gevonden. Leg het ijkblad in het midden.",
                "the table was not found yet; lay the calibration sheet in the middle.",
            )
        self._keep(look.found.calibration)
        with self._lock:
            self._kept = True

    def state(self) -> dict[str, Any]:
        """What the page shows beside the picture."""
        look = self.look
        with self._lock:
            problem, kept = self._problem, self._kept
        judgements = () if look is None else look.judgements
        return {
            "judgements": [
                {"matter": one.matter.value, "well": one.is_well, "nl": one.dutch, "en": one.english}
                for one in judgements
            ],
            "well": look is not None and look.is_well,
            "can_be_kept": look is not None and look.can_be_kept,
            "kept": kept,
            "problem": None if problem is None else {"nl": problem.dutch, "en": problem.english},
        }

    def picture(self) -> bytes | None:
        """The newest picture with the seats drawn in it, as JPEG."""
        look = self.look
        if look is None:
            return None
        drawn = draw_seats(look.image, look.found.calibration)
        shrink = min(1.0, WIDEST / drawn.shape[1])
        small = cv2.resize(drawn, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def make_page(desk: CalibrationDesk, name: str, file: str) -> Flask:
    """The page for the camera called ``name``, whose calibration is kept in ``file``."""
    app = Flask("capture.calibration")

    @app.get("/")
    def page() -> str:
        return render_template("calibrate.html", name=name, file=file)

    @app.get("/stand.json")
    def state() -> Response:
        return jsonify(desk.state())

    @app.get("/beeld.jpg")
    def picture() -> Response:
        data = desk.picture()
        if data is None:
            abort(404)
        return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @app.post("/bewaar")
    def keep() -> tuple[Response, int]:
        # A page of another site must not be able to press the button.
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            abort(403)
        try:
            desk.keep()
        except CalibrationError as error:
            return jsonify(nl=error.dutch, en=error.english), 409
        return jsonify(desk.state()), 200

    return app


class _Quiet(WSGIRequestHandler):
    """Writes no line for each request: the page asks every second."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing."""


@contextmanager
def served(app: Flask, host: str, port: int) -> Iterator[str]:
    """Serve the page for as long as the block lasts; gives its address. Port 0 takes a free one.

    Raises:
        SettingsError: when nothing can be served there.
    """
    try:
        # Not left to the server, which would write its own complaint and end the program.
        listener = socket.create_server((host, port))
    except OSError as error:
        raise SettingsError(
            f"Op {host}, poort {port}, kan de pagina niet staan. Kies met --port of --host iets anders.",
            f"the page can't be served there ({error.strerror}); choose another --port or --host.",
        ) from error
    address = f"http://{host}:{listener.getsockname()[1]}"
    with listener:
        # The server has a copy of the listener of its own.
        server = make_server(host, port, app, threaded=True, request_handler=_Quiet, fd=listener.fileno())
    thread = threading.Thread(target=server.serve_forever, name="calibration page", daemon=True)
    thread.start()
    try:
        yield address
    finally:
        server.shutdown()
        thread.join(_JOIN_TIMEOUT_S)
        server.server_close()
