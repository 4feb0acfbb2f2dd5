"""Which pictures are looked at: ten a second, whatever the camera gives, and never fewer than there are."""

from __future__ import annotations

from itertools import pairwise

import pytest

from capture.look_pace import LookPace


def looked_at(times_s: list[float], looks_per_second: float = 10.0) -> list[float]:
    pace = LookPace(looks_per_second)
    return [time_s for time_s in times_s if pace.is_due(time_s)]


@pytest.mark.parametrize("rate", [2, 5, 8, 10])
def test_a_slow_camera_is_looked_at_always(rate: int) -> None:
    times_s = [number / rate for number in range(60)]
    assert looked_at(times_s) == times_s


@pytest.mark.parametrize("rate", [15, 24, 25, 29.97, 30, 60])
def test_of_a_fast_camera_ten_pictures_a_second_are_looked_at(rate: float) -> None:
    times_s = [number / rate for number in range(round(20 * rate))]
    looked = looked_at(times_s)
    assert len(looked) == pytest.approx(200, abs=2)
    assert max(later - earlier for earlier, later in pairwise(looked)) < 0.15


def test_pictures_that_come_a_little_early_or_late_are_looked_at() -> None:
    times_s = [number / 10 + (0.02 if number % 3 else -0.005) for number in range(100)]
    assert looked_at(times_s) == times_s


def test_after_a_pause_nothing_is_caught_up_with() -> None:
    before, after = [number / 30 for number in range(30)], [60 + number / 30 for number in range(30)]
    assert len(looked_at(before + after)) == 2 * len(looked_at(before))


def test_a_clock_that_goes_back_does_not_stop_the_looking() -> None:
    times_s = [1000 + number / 30 for number in range(30)] + [number / 30 for number in range(30)]
    assert len(looked_at(times_s)) == 20
