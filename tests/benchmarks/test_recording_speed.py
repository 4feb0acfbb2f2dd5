"""Reading while recording, as a ratio to reading without; the recording has a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from capture.motion_gate import MotionGate
from capture.recording import Recorder
from capture.simulator import Film
from detector.card_detector import CardDetector

PICTURES = 30


def test_recording_hardly_slows_reading(
    tmp_path: Path, record_testsuite_property: Callable[[str, object], None]
) -> None:
    """Each picture read with and without a recorder beside it, in turn, so that a busy machine hits both."""
    frames = iter(Film(9002, 1))
    pictures = [next(frames) for _ in range(PICTURES + 40)][40:]
    detector, gate = CardDetector.load(threads=1), MotionGate()
    recorder = Recorder(tmp_path, "epoch")
    times: dict[bool, list[float]] = {True: [], False: []}
    try:
        for frame in pictures:
            for is_recorded in (True, False):
                start = time.perf_counter()
                if is_recorded:
                    recorder.record(frame)
                gate.must_look(frame.image)
                detector.detect(frame.image)
                times[is_recorded].append(time.perf_counter() - start)
    finally:
        recorder.close()
    ratio = median(times[True]) / median(times[False])
    record_testsuite_property("reading_ms", round(1e3 * median(times[False]), 1))
    record_testsuite_property("reading_while_recording_ratio", round(ratio, 3))
    record_testsuite_property("recording_dropped", recorder.frames_dropped)
    assert ratio < 1.5
