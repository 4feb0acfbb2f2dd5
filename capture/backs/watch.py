"""Watches the backs of one table: collects them as they lie, examines them when a deal is over.

Examining takes some seconds of processor. It is done in a thread of its own that yields to everything else,
and that drops what it cannot keep up with: a deal whose backs are not examined is followed by another one.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from capture.backs.collector import BackCollector, CollectedBack
from capture.backs.findings import BackFinding, DealEnd, FindingLog, is_mixed
from detector.backs.examine import PackReport, examine
from detector.backs.flaw_finder import FlawFinder
from detector.types import CardDetection, Image

CLOSE_TIMEOUT_S: Final = 120.0
"""How long the end of a run waits for the last deal's backs to be examined."""

_YIELDING: Final = 10
_Job = tuple[tuple[CollectedBack, ...], DealEnd]


class BackWatch:
    """The backs of one table, from its pictures to what is to be told of them."""

    def __init__(self, models_folder: Path | None = None) -> None:
        """Open the model that looks for marks.

        Raises:
            ModelError: when it is missing, damaged or no model.
        """
        self._finder = FlawFinder(models_folder)
        self._collector = BackCollector()
        self._log = FindingLog()
        self._jobs: queue.Queue[_Job | None] = queue.Queue(maxsize=1)
        self._found: queue.SimpleQueue[BackFinding] = queue.SimpleQueue()
        self._mixed_before_s: float | None = None
        self.deals_dropped = 0
        """How many deals went by unexamined, because the one before was still being examined."""
        self._thread = threading.Thread(target=self._run, name="backs", daemon=True)
        self._thread.start()

    def see(self, time_s: float, image: Image, detections: Iterable[CardDetection]) -> None:
        """Take in a picture, (H, W, 3) uint8, and what was found in it; ``time_s`` on the source's clock."""
        self._collector.see(time_s, image, detections)

    def deal_over(self, end: DealEnd) -> None:
        """Have the backs seen last examined."""
        if self._mixed_before_s is not None:
            self._collector.forget(self._mixed_before_s)
            self._mixed_before_s = None
        try:
            self._jobs.put_nowait((self._collector.seen(), end))
        except queue.Full:
            self.deals_dropped += 1

    def found(self) -> tuple[BackFinding, ...]:
        """What was found since the last time; does not wait."""
        return tuple(self._found.get() for _ in range(self._found.qsize()))

    def close(self, timeout_s: float = CLOSE_TIMEOUT_S) -> tuple[BackFinding, ...]:
        """Examine what still waits, for ``timeout_s`` at most, and stop; gives what was found."""
        try:
            self._jobs.put(None, timeout=timeout_s)
        except queue.Full:
            return self.found()
        self._thread.join(timeout_s)
        return self.found()

    # ------------------------------------------------------------------------------- the thread's own

    def _run(self) -> None:
        _yield_to_others()
        while (job := self._jobs.get()) is not None:
            backs, end = job
            report = _examined(backs, self._finder)
            if report is not None and is_mixed(report, backs):
                # Probably a new pack: the next deal is judged by itself.
                self._mixed_before_s = end.time_s
            for finding in self._log.take(report, backs, end):
                self._found.put(finding)


def _examined(backs: tuple[CollectedBack, ...], finder: FlawFinder) -> PackReport | None:
    try:
        return examine([back.view() for back in backs], finder)
    except (cv2.error, np.linalg.LinAlgError):
        # Backs that show next to nothing, all white in a lamp: no picture can be laid on another.
        return None


def _yield_to_others() -> None:
    """Let this thread have the processor only when nobody else wants it, where the system knows how."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _YIELDING)
