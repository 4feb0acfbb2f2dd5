"""How long the tracker takes for a frame and for a decoding, measured against a fixed piece of work.

The piece of work is a thousand best assignments of a 32 by 32 matrix, in the same run on the same machine, so
that a slow or busy machine does not matter. The figures are printed, and written with ``--junit-xml=FILE``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import quantiles

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from rules import KLAVERJAS_DRIVE
from tests.tracker.fake_table import VIEW, FakeEye, FakeFilm, random_deal, wall_clock
from tests.tracker.test_deal_decoder import as_laid
from tracker.deal_decoder import decode_deal
from tracker.table_tracker import TableTracker


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def unit_of_work_s() -> float:
    """The median time of a thousand assignments of 32 names to 32 cards: about 4 ms on a desktop machine."""
    costs = np.random.default_rng(1).random((32, 32))

    def assign() -> None:
        for _ in range(1000):
            linear_sum_assignment(costs)

    return sorted(seconds(assign) for _ in range(9))[4]


def told_in(capsys: pytest.CaptureFixture[str], what: str, median_ms: float, p95_ms: float) -> None:
    with capsys.disabled():
        print(f"\n{what}: median {median_ms:.2f} ms, p95 {p95_ms:.2f} ms")  # noqa: T201  people read a benchmark


def test_a_frame_with_its_decoding(
    capsys: pytest.CaptureFixture[str], record_testsuite_property: Callable[[str, object], None]
) -> None:
    """Trump unknown, the dearest case: all frames of one deal."""
    rng = random.Random(8)
    deal = random_deal(rng)
    eye = FakeEye(rng)
    frames = [(time_s, eye.look(shown, hands)) for time_s, shown, hands in FakeFilm(rng, [deal]).frames()]
    tracker = TableTracker("1", KLAVERJAS_DRIVE, deal.dealer, view=VIEW)
    unit = unit_of_work_s()
    times = []
    for time_s, seen in frames:
        if seen is not None:
            start = time.perf_counter()
            tracker.update(time_s, wall_clock(time_s), seen)
            times.append(time.perf_counter() - start)
    in_twentieths = quantiles(times, n=20)
    told_in(capsys, "the tracker's update", 1e3 * in_twentieths[9], 1e3 * in_twentieths[18])
    record_testsuite_property("frame_median_ms", round(1e3 * in_twentieths[9], 2))
    record_testsuite_property("frame_p95_ms", round(1e3 * in_twentieths[18], 2))
    record_testsuite_property("frame_p95_in_units", round(in_twentieths[18] / unit, 2))
    assert in_twentieths[18] < 2.5 * unit


def test_decoding_a_whole_deal(
    capsys: pytest.CaptureFixture[str], record_testsuite_property: Callable[[str, object], None]
) -> None:
    deal = random_deal(random.Random(9))
    tricks = as_laid(deal)
    unit = unit_of_work_s()
    times = sorted(
        seconds(lambda: decode_deal(tricks, KLAVERJAS_DRIVE, deal.dealer.left, None, complete=True))
        for _ in range(40)
    )
    told_in(capsys, "decoding a whole deal", 1e3 * times[20], 1e3 * times[38])
    record_testsuite_property("decode_median_ms", round(1e3 * times[20], 2))
    record_testsuite_property("decode_p95_ms", round(1e3 * times[38], 2))
    record_testsuite_property("decode_p95_in_units", round(times[38] / unit, 2))
    assert times[38] < 3 * unit
