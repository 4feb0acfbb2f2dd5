"""A film at thirty pictures a second followed on one core: what each stage takes of a second of film."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import pytest

from capture.bench import STAGES, TableCost, at_rate, follow, keep_film
from capture.simulator import Film
from capture.sources.simulator_source import SimulatorSource

pytestmark = pytest.mark.pixels

CAMERA = 30.0
SEED = 9001
START_S = 14.0
"""The dealing is over and cards are played without a pause."""

PICTURES = 240


def test_a_fast_camera_is_followed_at_what_a_slow_one_costs(
    capsys: pytest.CaptureFixture[str], record_testsuite_property: Callable[[str, object], None]
) -> None:
    """In real time on one core, where the share of a core that is printed is under 100 %."""
    cv2.setNumThreads(1)
    source = SimulatorSource(Film(SEED, 1, frames_per_second=CAMERA), "film")
    film = keep_film(source, PICTURES, is_drawn=True, skip_s=START_S)
    fast, slow = follow(film), follow(at_rate(film, 10.0))
    with capsys.disabled():
        print(f"\n{in_words(fast)}\n{in_words(slow)}")  # noqa: T201  a benchmark is read by people
    record_testsuite_property("core_share_of_a_30_a_second_film", round(fast.cores, 3))
    for stage in STAGES:
        record_testsuite_property(f"{stage}_ms_of_a_second_of_film", round(of_a_second_ms(fast, stage), 1))
    assert fast.pictures == PICTURES
    assert fast.looked_at == slow.looked_at == PICTURES / 3
    # Twenty of the thirty pictures are only passed on; the rest of the difference is a busy machine's.
    assert fast.cores < 1.3 * slow.cores
    assert fast.stages_s["tracker"] < 0.5 * fast.processor_s
    assert fast.stages_s["gate"] < 0.2 * fast.processor_s


def of_a_second_ms(cost: TableCost, stage: str) -> float:
    """Milliseconds of processor for a second of film."""
    return 1000 * cost.stages_s[stage] / cost.film_s


def in_words(cost: TableCost) -> str:
    """One line: the whole, then each stage."""
    stages = ", ".join(
        f"{stage} {of_a_second_ms(cost, stage):.0f}" for stage in STAGES if cost.stages_s[stage]
    )
    return (
        f"a film at {cost.pictures_per_second:.0f} pictures a second takes {cost.cores:.1%} of a core;"
        f" in ms of each second: {stages}"
    )
