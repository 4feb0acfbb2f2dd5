"""A film in a file, read picture by picture as fast as one can."""

from __future__ import annotations

import math
import os
from collections.abc import Generator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from av.container import InputContainer
from av.video.stream import VideoStream

from capture.errors import SourceDamagedError, SourceMissingError, SourceUnreadableError
from capture.frame import Frame
from capture.sources.source import Source

SHORT_BY_S = 0.5
"""A film that ends this many seconds before the length it claims was cut off."""

SHORT_BY_WITH_SOUND_S = 2.0
"""The same where only the length of the whole is known, and the sound may be longer than the pictures."""


class VideoFile(Source):
    """Every picture of a film, in order.

    What is damaged is stepped over; after the last readable picture ``read`` says how much was lost.

    Raises:
        SourceMissingError: when there is no such file.
        SourceUnreadableError: when it is not a film.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._container = _open_film(path)
        self._stream = self._container.streams.video[0]
        self._stream.thread_type = "AUTO"
        self._taken_utc = _taken_utc(path, self._container)
        self._clock = FilmClock(float(self._stream.average_rate or 0) or 25.0)
        self._damaged = 0
        self._given = 0
        self._frames = self._decode()

    def describe(self) -> str:
        """The file's name and the size and speed of its pictures."""
        size = f"{self._stream.width}x{self._stream.height}"
        return f"{self._path} ({size}, {float(self._stream.average_rate or 0):g} fps)"

    def read(self) -> Frame | None:
        """The next picture; ``monotonic_s`` is the time within the film.

        Raises:
            SourceDamagedError: after the last picture, when some could not be read or the end is missing.
        """
        return next(self._frames, None)

    def close(self) -> None:
        """Close the file."""
        self._frames.close()
        self._container.close()

    def _decode(self) -> Generator[Frame, None, None]:
        for picture in self._pictures():
            time_s = self._clock.time_of(picture.time)
            wall_utc = self._taken_utc + timedelta(seconds=time_s)
            yield Frame(upright(picture), time_s, wall_utc, self._given)
            self._given += 1
        self._complain_of_damage()

    def _pictures(self) -> Iterator[av.VideoFrame]:
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets, None)
            except av.FFmpegError:
                self._damaged += 1
                packet = None
            if packet is None:
                return
            # Some containers give the part of a picture before the cut as if it were whole.
            self._damaged += packet.is_corrupt
            try:
                pictures = packet.decode()
            except av.FFmpegError:
                self._damaged += 1
                continue
            for picture in pictures:
                if isinstance(picture, av.VideoFrame):
                    self._damaged += picture.is_corrupt
                    yield picture

    def _complain_of_damage(self) -> None:
        missing_s = self._claimed_length_s() - self._clock.end_s
        margin_s = SHORT_BY_WITH_SOUND_S if self._container.streams.audio else SHORT_BY_S
        if missing_s > margin_s:
            raise SourceDamagedError(
                f"{self._path} is afgebroken: {self._given} beelden gelezen, de laatste {missing_s:.1f} s "
                "ontbreken. Kopieer het bestand opnieuw.",
                f"the film is cut off: {self._given} pictures were read, the last {missing_s:.1f} s are "
                "missing. Copy the file again.",
            )
        if self._damaged:
            raise SourceDamagedError(
                f"{self._path} is beschadigd: {self._given} beelden gelezen, "
                f"{self._damaged} plekken onleesbaar. Kopieer het bestand opnieuw.",
                f"the film is damaged: {self._given} pictures were read, "
                f"{self._damaged} places could not be. Copy the file again.",
            )

    def _claimed_length_s(self) -> float:
        if self._stream.duration is not None and self._stream.time_base is not None:
            return float(self._stream.duration * self._stream.time_base)
        return (self._container.duration or 0) / av.time_base


class FilmClock:
    """Seconds from the first picture on, from the times that a film gives, never going back."""

    def __init__(self, frames_per_second: float) -> None:
        self._step_s = 1.0 / frames_per_second
        self._first_s: float | None = None
        self._last_s = -self._step_s

    @property
    def end_s(self) -> float:
        """When the last picture so far ends."""
        return self._last_s + self._step_s

    def time_of(self, stamp_s: float | None) -> float:
        """The time of the next picture, whose own stamp is ``stamp_s`` (None where the film gives none)."""
        if stamp_s is None or not math.isfinite(stamp_s):
            self._last_s += self._step_s
            return self._last_s
        if self._first_s is None:
            self._first_s = stamp_s
        self._last_s = max(stamp_s - self._first_s, self._last_s + 1e-6, 0.0)
        return self._last_s


def upright(picture: av.VideoFrame) -> npt.NDArray[np.uint8]:
    """The picture as (H, W, 3) uint8 BGR, turned the way the camera was held."""
    image = np.asarray(picture.to_ndarray(format="bgr24"), np.uint8)
    quarter_turns = round(picture.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, quarter_turns)) if quarter_turns else image


def _open_film(path: Path) -> InputContainer:
    # Not path.exists(): that raises for a name that no disk can hold.
    if not os.path.exists(path):  # noqa: PTH110
        raise SourceMissingError(
            f"Er is geen bestand {path}. Controleer de naam.",
            "there is no such file. Check its name.",
        )
    try:
        container = av.open(str(path), mode="r")
    except (av.FFmpegError, OSError) as error:
        raise _no_film(path, str(error.strerror or error)) from error
    if not container.streams.video or not _has_size(container.streams.video[0]):
        container.close()
        raise _no_film(path, "no pictures in it")
    return container


def _has_size(stream: VideoStream) -> bool:
    return bool(stream.codec_context) and stream.width > 0 and stream.height > 0


def _no_film(path: Path, reason: str) -> SourceUnreadableError:
    return SourceUnreadableError(
        f"{path} is geen film die gelezen kan worden, of hij is afgebroken. Kies een ander bestand.",
        f"not a readable film, or one that was cut off ({reason}). Choose another file.",
    )


def _taken_utc(path: Path, container: InputContainer) -> datetime:
    """When the film was taken: what it says itself, else when the file was written."""
    try:
        taken = datetime.fromisoformat(container.metadata.get("creation_time", ""))
    except ValueError:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return taken if taken.tzinfo is not None else taken.replace(tzinfo=UTC)
