"""Ten deals through the pixels, with seeds that no model was trained on: cards, seats, order and score."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from capture.simulator import Irregularity
from tests.whole.reading import DealReading, read_film

SEEDS = tuple(range(7001, 7011))
"""Films have seeds of their own; training stills use none of these decks' films."""

VERZAKEN_SEEDS = SEEDS[::5]

pytestmark = pytest.mark.pixels


def _read(seed: int) -> DealReading:
    irregularities = {1: Irregularity.VERZAKEN} if seed in VERZAKEN_SEEDS else {}
    return read_film(seed, 1, irregularities)[0]


@pytest.fixture(scope="module")
def readings() -> Iterator[tuple[DealReading, ...]]:
    """The ten deals, read on two cores."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield tuple(pool.map(_read, SEEDS))


def test_at_least_nine_of_ten_deals_are_exact(readings: tuple[DealReading, ...]) -> None:
    failed = {reading.seed: reading.wrong_cards for reading in readings if not reading.exact}
    assert len(failed) <= 1, failed


def test_a_verzaking_is_proven_with_both_tricks(readings: tuple[DealReading, ...]) -> None:
    for reading in readings:
        if reading.seed in VERZAKEN_SEEDS:
            assert reading.true_revokes, "the film has a verzaking"
            assert [_told(revoke) for revoke in reading.revokes] == [
                _told(revoke) for revoke in reading.true_revokes
            ]


def test_nobody_is_accused_who_played_by_the_rules(readings: tuple[DealReading, ...]) -> None:
    accused = {reading.seed: reading.revokes for reading in readings if reading.seed not in VERZAKEN_SEEDS}
    assert not any(accused.values()), accused


def _told(revoke: object) -> tuple[object, ...]:
    return tuple(getattr(revoke, name) for name in ("seat", "trick", "card", "proven_trick", "proven_card"))
