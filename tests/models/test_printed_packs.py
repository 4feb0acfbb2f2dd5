"""Packs drawn with the signs and letters of installed fonts."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from capture.simulator.decks.suits import SUIT_OUTLINES
from models.training import printed_packs
from models.training.printed_packs import distinct_signs, has_letters, random_style

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")


@pytest.fixture
def font() -> Path:
    if not DEJAVU.is_file():
        pytest.skip("the font DejaVu is not installed (Debian: fonts-dejavu-core)")
    return DEJAVU


def test_signs_are_traced_from_a_font(font: Path) -> None:
    (signs,) = distinct_signs([font])
    assert set(signs) == {"C", "D", "H", "S"}
    for outlines in signs.values():
        points = np.vstack(outlines)
        assert points[:, 1].min() == pytest.approx(-0.5, abs=0.02)
        assert points[:, 1].max() == pytest.approx(0.5, abs=0.02)


def test_a_shape_counts_once(font: Path) -> None:
    assert len(distinct_signs([font, font])) == 1


def test_a_font_that_changes_clubs_and_spades_over_is_refused(
    font: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed_over = {"C": "♠", "D": "♦", "H": "♥", "S": "♣"}
    monkeypatch.setattr(printed_packs, "_SUIT_SIGNS", changed_over)
    assert distinct_signs([font]) == []


def test_a_file_that_is_no_font_has_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"no font")
    assert distinct_signs([broken]) == []
    assert not has_letters(broken)


def test_one_seed_gives_one_style(font: Path) -> None:
    styles = [
        random_style(np.random.default_rng(3), distinct_signs([font]), [font], own_signs=False)
        for _ in range(2)
    ]
    assert styles[0].index == styles[1].index
    assert styles[0].pips == styles[1].pips
    assert styles[0].signs is not None
    assert styles[0].signs.keys() == SUIT_OUTLINES.keys()


def test_unseen_packs_take_fonts_that_are_never_trained_on(
    font: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printed_packs, "_font_files", lambda: [font])
    assert list(islice(printed_packs.printed_packs(1, seed=1, unseen=True), 1)) == []
    assert [deck.name for deck in printed_packs.printed_packs(1, seed=1)] == ["printed-train-000"]
