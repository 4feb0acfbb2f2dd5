"""Records pictures in a thread of its own, at a low priority, and never holds up whoever reads them."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import av

from capture.errors import RecordingError
from capture.frame import Frame
from capture.recording.segment_writer import SegmentWriter
from capture.recording.segments import LONGEST_SEGMENT_S, KeepingRules, clear_old, segment_path

QUEUE_LENGTH: Final = 16
"""Pictures that may wait to be written: 44 MB at 1280x720. More are dropped, and counted."""

TRY_AGAIN_S: Final = 30.0
"""How long to wait after a disk that is full or gone."""

CLOSE_TIMEOUT_S: Final = 5.0
"""How long closing waits for what is still to be written."""

_LOWER_PRIORITY: Final = 3
_SLACK_S: Final = 0.002
"""Pictures that come evenly must not miss their turn by a rounding."""


class Recorder:
    """Keeps the pictures of one epoch below the folder ``recordings``.

    frames_per_second: pictures that come faster are left out evenly.
    """

    def __init__(
        self,
        recordings: Path,
        epoch: str,
        rules: KeepingRules | None = None,
        frames_per_second: float = 15.0,
    ) -> None:
        self._recordings = recordings
        self._epoch = epoch
        self._rules = rules or KeepingRules()
        self._step_s = 1.0 / frames_per_second
        self._due_s: float | None = None
        self._waiting: deque[Frame] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._dropped = 0
        self._recorded_until_s: float | None = None
        self._problem: RecordingError | None = None
        self._rest_until_s = 0.0
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def frames_dropped(self) -> int:
        """How many pictures should have been kept and were not, because writing was behind."""
        return self._dropped

    @property
    def problem(self) -> RecordingError | None:
        """Why nothing is being kept at the moment; None when all is well."""
        return self._problem

    @property
    def recorded_until_s(self) -> float | None:
        """The time, on the source's clock, of the last picture written."""
        return self._recorded_until_s

    def record(self, frame: Frame) -> None:
        """Keep the picture, if its turn has come and there is room. Never waits."""
        if not self._has_turn(frame.monotonic_s):
            return
        with self._changed:
            if len(self._waiting) >= QUEUE_LENGTH:
                self._dropped += 1
                return
            self._waiting.append(frame)
            self._changed.notify()

    def _has_turn(self, time_s: float) -> bool:
        due_s = self._due_s
        if due_s is not None and due_s - 2 * self._step_s < time_s < due_s - _SLACK_S:
            return False
        is_on_time = due_s is not None and abs(time_s - due_s) < self._step_s
        self._due_s = (due_s if due_s is not None and is_on_time else time_s) + self._step_s
        return True

    def close(self) -> None:
        """Write what waits, and stop; a disk that hangs is left behind."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(CLOSE_TIMEOUT_S)

    def _run(self) -> None:
        # Reading the cards goes before: on a busy machine recording gets what is left.
        with contextlib.suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWER_PRIORITY)
        writer: SegmentWriter | None = None
        while (frame := self._next()) is not None:
            if time.monotonic() < self._rest_until_s:
                self._dropped += 1
                continue
            try:
                writer = self._written(writer, frame)
                self._problem = None
            except (OSError, av.FFmpegError) as error:
                self._fail(error)
                _let_go(writer)
                writer = None
        _let_go(writer)

    def _next(self) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            return self._waiting.popleft() if self._waiting else None

    def _written(self, writer: SegmentWriter | None, frame: Frame) -> SegmentWriter:
        """Write the picture, in a segment begun for it when it is time for another."""
        time_s = frame.monotonic_s
        # Times only go back where a source begins anew.
        went_back = self._recorded_until_s is not None and time_s < self._recorded_until_s - _SLACK_S
        if writer is not None and (went_back or time_s - writer.first_s >= LONGEST_SEGMENT_S):
            writer.close()
            writer = None
        if writer is None:
            path = segment_path(self._recordings, self._epoch, frame.wall_utc, time_s)
            clear_old(self._recordings, self._rules, datetime.now(UTC))
            writer = SegmentWriter(path, time_s, frame.image.shape[:2])
        writer.write(frame.image, time_s)
        self._recorded_until_s = time_s
        return writer

    def _fail(self, error: OSError | av.FFmpegError) -> None:
        self._rest_until_s = time.monotonic() + TRY_AGAIN_S
        self._dropped += 1
        self._problem = RecordingError(
            f"Er wordt niet opgenomen: {self._recordings} kan niet worden beschreven. "
            "Maak ruimte of kies een andere map.",
            f"nothing is being recorded: cannot write there ({error.strerror or error}). "
            "Free some space or choose another folder.",
        )


def _let_go(writer: SegmentWriter | None) -> None:
    """Close a segment as well as can be; what is in it stays."""
    if writer is not None:
        with contextlib.suppress(OSError, av.FFmpegError):
            writer.close()
