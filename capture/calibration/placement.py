"""A calibration at work: detections as from straight above, and whether the camera still hangs so."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from capture.calibration.calibration import Calibration, mapped
from capture.calibration.move_watch import MoveWatch
from capture.frame import Frame
from capture.sources import Fault, SourceChange
from detector.types import CardDetection

LOOK_EACH_S: Final = 4.0
"""How often it is looked at whether the camera was moved."""


class CalibratedPlacement:
    """The table of ``calibration`` in the pictures of the camera called ``name``."""

    def __init__(self, calibration: Calibration, name: str) -> None:
        self._calibration = calibration
        self._name = name
        self._watch = MoveWatch(calibration)
        self._look_at_s: float | None = None
        self._moved_at_s: float | None = None

    def on_table(
        self, detections: tuple[CardDetection, ...], size: tuple[int, int]
    ) -> tuple[CardDetection, ...]:
        """The same detections with their quads as seen from straight above, North at the top.

        size: (width, height) of the picture that they were found in.

        Raises:
            CalibrationError: when the pictures have another shape than those that were measured.
        """
        matrix = self._calibration.to_view(*size)
        return tuple(
            replace(found, quad=mapped(matrix, found.quad).astype(np.float32)) for found in detections
        )

    def look(self, frame: Frame) -> SourceChange | None:
        """Whether the camera was moved since it was calibrated, or is back; None while nothing changed."""
        now_s = frame.monotonic_s
        if self._look_at_s is not None and now_s < self._look_at_s:
            return None
        self._look_at_s = now_s + LOOK_EACH_S
        moved = self._watch.moved(frame.image)
        if moved and self._moved_at_s is None:
            self._moved_at_s = now_s
            return SourceChange.lost(Fault.MOVED, self._name)
        if moved is False and self._moved_at_s is not None:
            away_s, self._moved_at_s = now_s - self._moved_at_s, None
            return SourceChange.back(away_s, self._name)
        return None
