"""A camera that fails on command, in each of the ways in which cameras fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from capture.errors import SourceLostError, SourceRefusedError, SourceSilentError
from capture.frame import Frame
from capture.sources import Fault, Source

WIDTH, HEIGHT = 320, 180
_BACKGROUNDS = 16


class Trouble(Enum):
    """What is wrong with the camera at the moment; the value is the fault that must be told."""

    REFUSED = (1, Fault.REFUSED)
    UNANSWERED = (2, Fault.SILENT)
    SILENT = (3, Fault.SILENT)
    ENDED = (4, Fault.ENDED)
    RESET = (5, Fault.GONE)
    GARBAGE = (6, Fault.GARBAGE)
    SIZE = (7, Fault.SIZE)
    FROZEN = (8, Fault.FROZEN)
    BLACK = (9, Fault.BLACK)
    REPEATING = (10, Fault.REPEATING)
    CLOCK = (11, Fault.CLOCK)

    @property
    def told_as(self) -> Fault:
        """The fault by which it must be known."""
        return self.value[1]


class FaultyCamera:
    """The camera itself, which any number of connections may be made to.

    Set ``trouble`` to let it fail, and to None to mend it. answer_s: how long it takes to refuse a connection
    that it does not answer.
    """

    def __init__(self, frames_per_second: float = 25.0, answer_s: float = 3.0) -> None:
        self.trouble: Trouble | None = None
        self.step_s = 1.0 / frames_per_second
        self.answer_s = answer_s
        self.clock_offset_s = 0.0
        self.connections = 0
        self._random = np.random.default_rng(1)
        self._backgrounds = [_background(number) for number in range(_BACKGROUNDS)]
        self._loop = [self.picture() for _ in range(10)]
        self._lock = threading.Lock()

    def connect(self) -> Source:
        """A new connection.

        Raises:
            SourceRefusedError: when it is refused, or not answered in time.
        """
        if self.trouble is Trouble.UNANSWERED:
            time.sleep(self.answer_s)
        if self.trouble in (Trouble.REFUSED, Trouble.UNANSWERED):
            raise SourceRefusedError("De camera weigert.", "the camera refuses.")
        self.connections += 1
        return _Connected(self)

    @contextmanager
    def failing(self, trouble: Trouble) -> Iterator[None]:
        """Fail in this way for as long as the block lasts."""
        self.trouble = trouble
        if trouble is Trouble.CLOCK:
            self.clock_offset_s += 3600.0 if self.clock_offset_s <= 0 else -7200.0
        try:
            yield
        finally:
            self.trouble = None

    def picture(self) -> npt.NDArray[np.uint8]:
        """(180, 320, 3) uint8: never the same one twice, as behind any sensor."""
        background = self._backgrounds[int(self._random.integers(_BACKGROUNDS))]
        noise = self._random.integers(0, 6, (HEIGHT, WIDTH, 1), dtype=np.uint8)
        return np.asarray(cv2.add(background, np.repeat(noise, 3, axis=2)), np.uint8)

    def shown(self, number: int) -> npt.NDArray[np.uint8]:
        """What the camera sends as its picture ``number``, in the trouble that it is in."""
        with self._lock:
            match self.trouble:
                case Trouble.GARBAGE:
                    return self._random.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
                case Trouble.SIZE:
                    return np.ascontiguousarray(np.rot90(self.picture()))
                case Trouble.FROZEN:
                    return self._loop[0]
                case Trouble.BLACK:
                    return self._random.integers(0, 4, (HEIGHT, WIDTH, 3), dtype=np.uint8)
                case Trouble.REPEATING:
                    return self._loop[number % len(self._loop)]
                case _:
                    return self.picture()


class _Connected(Source):
    """One connection."""

    is_live = True

    def __init__(self, camera: FaultyCamera) -> None:
        self._camera = camera
        self._number = -1
        self._offset_s = camera.clock_offset_s
        self._pipe = open("/dev/null", "rb")  # noqa: SIM115, PTH123 - so that a connection left open is noticed

    def describe(self) -> str:
        return "camera 0"

    def read(self) -> Frame | None:
        time.sleep(self._camera.step_s)
        match self._camera.trouble:
            case Trouble.SILENT | Trouble.UNANSWERED:
                return self._when_it_speaks()
            case Trouble.ENDED:
                return None
            case Trouble.RESET | Trouble.REFUSED:
                raise SourceLostError("De verbinding brak af.", "the connection broke.")
        self._number += 1
        image = self._camera.shown(self._number)
        offset_s = self._camera.clock_offset_s - self._offset_s
        now_utc = datetime.now(UTC) + timedelta(seconds=self._camera.clock_offset_s)
        return Frame(image, time.monotonic() + offset_s, now_utc, self._number)

    def _when_it_speaks(self) -> Frame | None:
        silent_since_s = time.monotonic()
        while self._camera.trouble in (Trouble.SILENT, Trouble.UNANSWERED):
            time.sleep(self._camera.step_s)
            if time.monotonic() - silent_since_s > self._camera.answer_s:
                raise SourceSilentError("De camera zwijgt.", "the camera is silent.")
        return self.read()

    def close(self) -> None:
        self._pipe.close()


def _background(number: int) -> npt.NDArray[np.uint8]:
    """A lit table with some things on it."""
    image = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    image[:] += np.linspace(0, 60, WIDTH, dtype=np.uint8)[None, :, None]
    cv2.rectangle(image, (40 + 8 * number, 60), (80 + 8 * number, 120), (230, 235, 240), -1)
    return image
