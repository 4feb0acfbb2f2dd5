"""How a table is: what its process knows of itself, and the JSON in which its venue hears of it."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from capture.errors import CaptureError
from capture.frame import Frame
from capture.sources import Fault, SourceChange

STATUS_VERSION: Final = 1

_PICTURES_TIMED: Final = 60
_RECENTLY_S: Final = 5.0


def program_version() -> str:
    """The version of Klaveroog that runs."""
    try:
        return version("klaveroog")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """The camera at one moment; the fields are those of ``camera`` in the status."""

    state: str
    fault: str | None
    message: tuple[str, str] | None
    since_utc: datetime
    picture_age_s: float | None
    frames_per_second: float
    frames_read: int
    size: tuple[int, int] | None
    calibrated: bool

    def as_json(self, frames_dropped: int) -> dict[str, Any]:
        """The JSON object of the contract."""
        dutch, english = self.message or (None, None)
        width, height = self.size or (None, None)
        age_s = self.picture_age_s
        return {
            "state": self.state,
            "fault": self.fault,
            "message_nl": dutch,
            "message_en": english,
            "since_utc": self.since_utc.isoformat(),
            "picture_age_s": None if age_s is None else round(age_s, 3),
            "frames_per_second": round(self.frames_per_second, 1),
            "frames_read": self.frames_read,
            "frames_dropped": frames_dropped,
            "width": width,
            "height": height,
            "calibrated": self.calibrated,
        }


@dataclass(frozen=True, slots=True)
class TableStatus:
    """What a table says of itself every few seconds.

    undelivered: how many events the venue does not have yet; undelivered_media: the same of crops and clips.
    """

    epoch: str
    started_utc: datetime
    stopped: bool
    deal: int
    camera: CameraStatus
    frames_dropped: int
    recording: bool
    recording_problem: CaptureError | None
    recording_dropped: int
    undelivered: int
    undelivered_media: int

    def as_json(self, sequence: int) -> dict[str, Any]:
        """The status ``sequence`` of the epoch, as it is posted now."""
        problem = self.recording_problem
        return {
            "version": STATUS_VERSION,
            "program": program_version(),
            "epoch": self.epoch,
            "sequence": sequence,
            "sent_utc": datetime.now(UTC).isoformat(),
            "started_utc": self.started_utc.isoformat(),
            "state": "stopped" if self.stopped else "running",
            "deal": self.deal,
            "camera": self.camera.as_json(self.frames_dropped),
            "recording": {
                "on": self.recording and problem is None and not self.stopped,
                "problem_nl": None if problem is None else problem.dutch,
                "problem_en": None if problem is None else problem.english,
                "frames_dropped": self.recording_dropped,
            },
            "undelivered_events": self.undelivered,
            "undelivered_media": self.undelivered_media,
        }


class CameraHealth:
    """What is known of the camera, kept by the thread that reads and asked by the one that reports.

    is_live: whether the times of its pictures are on the machine's own clock. calibrated: whether where the
    table lies was measured, or only assumed.
    """

    def __init__(self, is_live: bool, calibrated: bool) -> None:
        self._is_live = is_live
        self._calibrated = calibrated
        self._lock = threading.Lock()
        self._state = "ok"
        self._change: SourceChange | None = None
        self._since_utc = datetime.now(UTC)
        self._taken_s: float | None = None
        self._size: tuple[int, int] | None = None
        self._frames_read = 0
        self._read_at: deque[float] = deque(maxlen=_PICTURES_TIMED)

    def picture(self, frame: Frame) -> None:
        """A picture was read."""
        now_s = time.monotonic()
        with self._lock:
            self._taken_s = frame.monotonic_s if self._is_live else now_s
            self._size = (frame.image.shape[1], frame.image.shape[0])
            self._frames_read += 1
            self._read_at.append(now_s)

    def changed(self, change: SourceChange) -> None:
        """The camera was lost, moved, or is back."""
        state = "ok" if change.fault is None else "moved" if change.fault is Fault.MOVED else "lost"
        with self._lock:
            self._state, self._change = state, change if change.fault is not None else None
            self._since_utc = datetime.now(UTC)

    def ended(self) -> None:
        """There are no more pictures."""
        with self._lock:
            self._state, self._since_utc = "ended", datetime.now(UTC)

    def status(self) -> CameraStatus:
        """How the camera is now."""
        now_s = time.monotonic()
        with self._lock:
            change = self._change
            recent = [read_s for read_s in self._read_at if now_s - read_s <= _RECENTLY_S]
            span_s = recent[-1] - recent[0] if len(recent) > 1 else 0.0
            return CameraStatus(
                state=self._state,
                fault=None if change is None or change.fault is None else change.fault.value,
                message=None if change is None else (change.dutch, change.english),
                since_utc=self._since_utc,
                picture_age_s=None if self._taken_s is None else max(0.0, now_s - self._taken_s),
                frames_per_second=(len(recent) - 1) / span_s if span_s > 0 else 0.0,
                frames_read=self._frames_read,
                size=self._size,
                calibrated=self._calibrated,
            )
