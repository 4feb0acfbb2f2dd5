"""The whole detector reads a busy film many times as fast as a plain pipeline, and sees no less."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.benchmarks.plain_pipeline import compare, in_words

pytestmark = [pytest.mark.pixels, pytest.mark.filterwarnings("ignore")]
"""What the training library warns of is none of ours."""

CAMERA: float = 30.0
"""Pictures a second, as most cameras give them."""


def test_five_times_as_many_pictures_a_second_at_no_lower_accuracy(
    capsys: pytest.CaptureFixture[str], record_testsuite_property: Callable[[str, object], None]
) -> None:
    for library in ("ultralytics", "lap"):
        pytest.importorskip(library, reason=f"{library} is not installed: nothing to compare with")
    comparison = compare(CAMERA, length_s=4.0)
    with capsys.disabled():
        print(f"\n{in_words(CAMERA, comparison)}")  # noqa: T201  a benchmark is read by people
    record_testsuite_property("times_as_fast_as_plain", round(comparison.times_as_fast(comparison.plain), 1))
    assert comparison.plain.cards == comparison.ours.cards > 0
    assert comparison.ours.found >= comparison.plain.found
    assert comparison.ours.named >= comparison.plain.found
    assert comparison.times_as_fast(comparison.plain) >= 5
    assert comparison.times_as_fast(comparison.torch) >= 5
