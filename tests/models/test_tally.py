"""Counting what was found and named right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.training.tally import Mistake, Tally, corner_error, report
from models.training.worst_crops import write_page

QUAD = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], dtype=np.float32)


def test_corners_are_measured_in_card_widths_whichever_way_up() -> None:
    assert corner_error(QUAD, QUAD) == 0.0
    assert corner_error(QUAD, np.roll(QUAD, 2, axis=0)) == 0.0
    assert corner_error(QUAD, QUAD + np.array([6, 0], dtype=np.float32)) == pytest.approx(0.1)


def test_the_worst_card_and_the_mean_of_the_cards_do_not_count_cards_by_how_often_they_were_seen() -> None:
    tally = Tally()
    for _ in range(9):
        tally.count_named("SA", right=True, clear=True)
    tally.count_named("HT", right=False, clear=True)
    tally.count_named("HT", right=True, clear=False)
    assert (tally.clear, tally.clear_right, tally.occluded, tally.occluded_right) == (10, 9, 1, 1)
    assert tally.worst_class() == ("HT", 0.0)
    assert tally.mean_class() == 0.5


def test_certainty_that_says_too_much_is_an_error_of_calibration() -> None:
    honest, boasting = Tally(), Tally()
    honest.certainties = [(0.75, True), (0.75, True), (0.75, True), (0.75, False)]
    boasting.certainties = [(0.95, True), (0.95, False)]
    assert honest.expected_calibration_error() == pytest.approx(0.0)
    assert boasting.expected_calibration_error() == pytest.approx(0.45)


def test_a_report_of_nothing_says_so() -> None:
    text = report("empty", Tally())
    assert "found none" in text
    assert "confusions none" in text


def test_the_page_shows_the_surest_mistake_first(tmp_path: Path) -> None:
    crop = np.full((288, 192, 3), 200, dtype=np.uint8)
    tally = Tally()
    tally.mistakes = [Mistake("<b>one", "SA", "CA", 0.4, crop), Mistake("two", "HT", "DT", 0.9, crop)]
    write_page(tmp_path / "page.html", {"photos": tally}, {"photos": report("photos", tally)})
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.index("HT read as DT, 90%") < page.index("SA read as CA, 40%")
    assert "<b>one" not in page
