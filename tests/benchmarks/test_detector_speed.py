"""How long reading a picture of a film takes, as a ratio to drawing it; printed, and bounded only loosely."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from capture.motion_gate import MotionGate
from capture.simulator import Film
from detector.card_detector import CardDetector
from detector.types import Image

PICTURES = 40


def seconds(work: Callable[[Image], object], pictures: list[Image]) -> float:
    """The median time that ``work`` takes on one of the pictures."""
    times = []
    for picture in pictures:
        start = time.perf_counter()
        work(picture)
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def test_the_motion_gate_costs_little_beside_reading(capsys: pytest.CaptureFixture[str]) -> None:
    frames = iter(Film(9001, 1))
    pictures = [next(frames).image for _ in range(PICTURES + 80)][80:]
    start = time.perf_counter()
    for _ in range(PICTURES):
        next(frames)
    drawing = (time.perf_counter() - start) / PICTURES
    detector, gate = CardDetector.load(threads=1), MotionGate()
    reading, gating = seconds(detector.detect, pictures), seconds(gate.must_look, pictures)
    with capsys.disabled():
        print(  # noqa: T201  a benchmark is read by people
            f"\na picture: {1000 * reading:.1f} ms, {reading / drawing:.1f} times as long as drawing it;"
            f" the motion gate {100 * gating / reading:.1f} % of reading"
        )
    assert gating < 0.2 * reading
