"""What the models make of real photos, none of which they were trained on."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from detector.card_detector import CardDetector
from models.training.evaluate_photos import evaluate_set
from models.training.labelled_photos import VALIDATION_SETS
from models.training.tally import Tally, report
from tests.shared_data import shared_path

pytestmark = pytest.mark.pixels


@pytest.fixture(scope="module")
def tallies() -> Mapping[str, Tally]:
    """Every validation set, read once."""
    photos = shared_path("photos")
    detector = CardDetector.load()
    return {name: evaluate_set(detector, photos, name) for name in VALIDATION_SETS}


def test_clear_cards_seen_from_above_are_named(tallies: Mapping[str, Tally]) -> None:
    tally = tallies["single-overhead"]
    assert tally.clear > 900
    assert tally.clear_right >= 0.995 * tally.clear, report("single-overhead", tally)


def test_cards_are_found_among_others(tallies: Mapping[str, Tally]) -> None:
    several = [tally for name, tally in tallies.items() if name.startswith("several")]
    cards, found = sum(tally.cards for tally in several), sum(tally.found for tally in several)
    assert cards > 150
    assert found >= 0.96 * cards, "\n".join(report(name, tally) for name, tally in tallies.items())


def test_cards_among_others_are_named(tallies: Mapping[str, Tally]) -> None:
    several = [tally for name, tally in tallies.items() if name.startswith("several")]
    reports = "\n".join(report(name, tally) for name, tally in tallies.items())
    clear, occluded = sum(tally.clear for tally in several), sum(tally.occluded for tally in several)
    assert clear > 130
    assert occluded > 30
    assert sum(tally.clear_right for tally in several) >= 0.98 * clear, reports
    assert sum(tally.occluded_right for tally in several) >= 0.8 * occluded, reports


def test_what_is_not_in_the_pack_is_not_named(tallies: Mapping[str, Tally]) -> None:
    foreign = sum(tally.foreign for tally in tallies.values())
    assert foreign > 100
    named = sum(tally.foreign_named for tally in tallies.values())
    assert named <= 0.01 * foreign, "\n".join(report(name, tally) for name, tally in tallies.items())


def test_hardly_a_card_is_seen_where_none_is(tallies: Mapping[str, Tally]) -> None:
    photos = sum(tally.pictures for tally in tallies.values())
    assert sum(tally.false_cards for tally in tallies.values()) <= photos / 20
