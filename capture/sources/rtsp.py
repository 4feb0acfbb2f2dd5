"""A network camera that speaks RTSP."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import av
from av.container import InputContainer

from capture.errors import (
    SourceError,
    SourceLostError,
    SourceRefusedError,
    SourceSilentError,
    SourceUnreadableError,
)
from capture.frame import Frame
from capture.sources.clock_watch import clock_jumped
from capture.sources.frame_queue import FrameQueue
from capture.sources.source import Source
from capture.sources.video_file import upright

OPEN_TIMEOUT_S: Final = 3.0
"""How long a camera may take to answer."""

READ_TIMEOUT_S: Final = 3.0
"""How long a camera may be silent."""

SLACK_S: Final = 2.0
"""How much later than the camera's own time-out the reading side gives up, should that one fail."""

QUEUE_LENGTH: Final = 64
"""Pictures that may wait: six seconds at ten a second, 180 MB at 1280x720."""

JOIN_TIMEOUT_S: Final = 5.0
"""How long closing waits for the reading thread."""

CLOCK_SLIP_S: Final = 1.0
"""When the camera's stamps and our own clock drift further apart than this, the camera's clock was set."""

_OPTIONS: Final = {
    # Over UDP a burst loses packets, and each lost packet a second of pictures; over TCP none.
    "rtsp_transport": "tcp",
    # Cameras say what they send in their description; looking longer would only hold up the first picture.
    "analyzeduration": "1000000",
}


class RtspCamera(Source):
    """The pictures of a network camera, taken in by a thread of its own.

    As long as reading keeps up no picture is lost; the oldest give way, counted, when it does not. The end
    of the stream that the camera announces is a proper end.

    Raises:
        SourceRefusedError: when the camera cannot be reached, does not answer, or wants a password.
        SourceUnreadableError: when what it sends has no pictures.
    """

    is_live = True

    def __init__(self, url: str, queue_length: int = QUEUE_LENGTH) -> None:
        self._name = without_password(url)
        self._container = _open_stream(url, self._name)
        self._queue: FrameQueue[Frame] = FrameQueue(queue_length)
        self._stop = threading.Event()
        self._clock = CameraClock()
        self._garbled = 0
        self._thread = threading.Thread(target=self._take_in, name=f"rtsp {self._name}", daemon=True)
        self._thread.start()

    def describe(self) -> str:
        """The address without its password."""
        return self._name

    @property
    def frames_dropped(self) -> int:
        """How many pictures gave way because reading was behind."""
        return self._queue.dropped

    @property
    def frames_garbled(self) -> int:
        """How many packets or pictures a bad connection, or the camera, spoiled."""
        return self._garbled

    @property
    def clock_jumps(self) -> int:
        """How often the camera's clock was set."""
        return self._clock.jumps

    def read(self) -> Frame | None:
        """The next picture.

        Raises:
            SourceLostError: when the camera is silent, hangs up or sends what cannot be read.
        """
        try:
            return self._queue.get(READ_TIMEOUT_S + OPEN_TIMEOUT_S + SLACK_S)
        except TimeoutError as error:
            raise self._silent() from error

    def close(self) -> None:
        """Hang up."""
        self._stop.set()
        self._thread.join(JOIN_TIMEOUT_S)
        if not self._thread.is_alive():
            self._container.close()

    def _take_in(self) -> None:
        error: SourceError | None = None
        try:
            for sequence, picture in enumerate(self._pictures()):
                monotonic_s, wall_utc = self._clock.times_of(
                    picture.time, time.monotonic(), datetime.now(UTC)
                )
                self._queue.put(Frame(upright(picture), monotonic_s, wall_utc, sequence))
        except SourceError as lost:
            error = lost
        finally:
            self._queue.end(error)

    def _pictures(self) -> Iterator[av.VideoFrame]:
        stream = self._container.streams.video[0]
        packets = self._container.demux(stream)
        while not self._stop.is_set():
            asked_s = time.monotonic()
            try:
                packet = next(packets, None)
            except av.FFmpegError as error:
                raise self._lost(error, time.monotonic() - asked_s) from error
            if packet is None:
                return
            try:
                pictures = packet.decode()
            except av.FFmpegError:
                # Garbled by a bad connection; from the next whole picture on all is good again.
                self._garbled += 1
                continue
            for picture in pictures:
                if isinstance(picture, av.VideoFrame) and not picture.is_corrupt:
                    yield picture
                else:
                    self._garbled += 1

    def _lost(self, error: av.FFmpegError, waited_s: float) -> SourceLostError:
        # A stall is reported as "immediate exit requested", not as a time-out.
        if waited_s > READ_TIMEOUT_S / 2:
            return self._silent()
        return SourceLostError(
            f"De camera {self._name} viel weg. Controleer stroom en netwerk, en start opnieuw.",
            f"the camera went away ({error.strerror}). Check its power and network, and start again.",
        )

    def _silent(self) -> SourceSilentError:
        return SourceSilentError(
            f"De camera {self._name} zwijgt al {READ_TIMEOUT_S:g} s. Controleer stroom en netwerk.",
            f"the camera has been silent for {READ_TIMEOUT_S:g} s. Check its power and network.",
        )


class CameraClock:
    """Puts the camera's own stamps, which are even, on the machine's clock, on which it is late by turns.

    The first stamped picture is taken to have come in at once; later ones follow by their stamps, as long as
    those stay within :data:`CLOCK_SLIP_S` of when the pictures come in. ``jumps`` counts how often the
    camera's clock was set, which pictures held up on their way do not count for.
    """

    def __init__(self) -> None:
        self.jumps = 0
        self._offset_s: float | None = None
        self._stamped: tuple[float, float] | None = None
        self._last_s = 0.0
        self._step_s = 1e-6

    def times_of(
        self, stamp_s: float | None, arrived_s: float, arrived_utc: datetime
    ) -> tuple[float, datetime]:
        """When the picture with this stamp was taken: (monotonic seconds, UTC)."""
        if stamp_s is None:
            taken_s = arrived_s if self._offset_s is None else self._last_s + self._step_s
        else:
            taken_s = stamp_s + self._offset_for(stamp_s, arrived_s)
        taken_s = max(taken_s, self._last_s + 1e-6)
        self._step_s, self._last_s = min(taken_s - self._last_s, CLOCK_SLIP_S), taken_s
        return self._last_s, arrived_utc + timedelta(seconds=self._last_s - arrived_s)

    def _offset_for(self, stamp_s: float, arrived_s: float) -> float:
        before, self._stamped = self._stamped, (stamp_s, arrived_s)
        if before is not None and clock_jumped(stamp_s - before[0], arrived_s - before[1]):
            self.jumps += 1
        if self._offset_s is None or abs(stamp_s + self._offset_s - arrived_s) > CLOCK_SLIP_S:
            self._offset_s = arrived_s - stamp_s
        return self._offset_s


def without_password(url: str) -> str:
    """The address with its password, if any, as ``***``; of one that cannot be taken apart only the kind."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return f"{url.partition('://')[0]}://***"
    if parts.password is None:
        return url
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{parts.username}:***@{host}"))


def _open_stream(url: str, name: str) -> InputContainer:
    try:
        container = av.open(url, mode="r", options=_OPTIONS, timeout=(OPEN_TIMEOUT_S, READ_TIMEOUT_S))
    except (av.FFmpegError, OSError) as error:
        raise SourceRefusedError(
            f"De camera {name} is niet te bereiken. Controleer adres, wachtwoord, stroom en netwerk.",
            f"cannot reach the camera ({error.strerror}). Check address, password, power and network.",
        ) from error
    if not container.streams.video:
        container.close()
        raise SourceUnreadableError(
            f"De camera {name} stuurt geen beeld. Controleer het adres van de videostroom.",
            "the camera sends no pictures. Check the address of its video stream.",
        )
    return container
