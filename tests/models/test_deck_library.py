"""The library of packs to train with: new corners on old art, and what is written is read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from capture.simulator.decks import Deck, own_deck
from capture.simulator.decks.deck import resized
from capture.simulator.decks.indices import DUTCH, IndexStyle
from capture.simulator.decks.own_deck import OwnStyle, draw_face
from detector.types import CARD_CODES, Image
from models.training import deck_sources
from models.training.deck_library import TRAIN, UNSEEN, load_library, save_deck
from models.training.own_styles import ENGLISH
from models.training.relettering import (
    Lettering,
    pips_kept,
    relettered,
    train_letterings,
    unseen_letterings,
)

WIDTH = 200


def english_pictures() -> dict[str, Image]:
    """The own pack with English letters, by code, with its twos and threes."""
    style = OwnStyle(index=IndexStyle(ENGLISH, height=29))
    codes = (*CARD_CODES, *(suit + rank for suit in "CDHS" for rank in "23"))
    return {code: draw_face(code, style, WIDTH) for code in codes}


def corner(image: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """The index's corner at a quarter of the size, so that half a pixel's shift doesn't count."""
    return resized(image, WIDTH // 4, 77)[:25, :9, :3].astype(np.int16)


@pytest.fixture(scope="module")
def pictures() -> dict[str, Image]:
    return english_pictures()


def test_english_letters_become_dutch_ones_and_nothing_else_changes(pictures: dict[str, Image]) -> None:
    changed = relettered(pictures, Lettering("dutch", IndexStyle(DUTCH, height=29)))
    dutch = OwnStyle(index=IndexStyle(DUTCH, height=29))
    for code in CARD_CODES:
        wanted, old = draw_face(code, dutch, WIDTH), pictures[code]
        difference = np.abs(corner(changed[code]) - corner(wanted)).mean()
        assert difference < 5.0, code
        if code[1] in "JQK":
            assert difference < 0.5 * np.abs(corner(old) - corner(wanted)).mean(), code
        middle = (slice(40, -40), slice(50, -50))
        assert np.array_equal(changed[code][middle], old[middle]), code


def test_new_corners_stand_at_both_ends(pictures: dict[str, Image]) -> None:
    changed = relettered(pictures, Lettering("dutch", IndexStyle(DUTCH)))
    turned = changed["HQ"][::-1, ::-1]
    assert np.abs(corner(turned) - corner(changed["HQ"])).mean() < 2.0


@pytest.mark.parametrize("lettering", [*train_letterings(), *unseen_letterings()], ids=lambda each: each.name)
def test_no_lettering_takes_pips_off(pictures: dict[str, Image], lettering: Lettering) -> None:
    assert pips_kept(pictures, relettered(pictures, lettering)) > 0.96


def test_a_card_that_lost_a_pip_is_noticed(pictures: dict[str, Image]) -> None:
    damaged = dict(pictures)
    damaged["H7"] = pictures["H7"].copy()
    damaged["H7"][20:80, 50:85] = pictures["H7"][154, 100]
    assert pips_kept(pictures, damaged) < 0.96


def test_no_french_letters_are_put_on_for_a_french_v_is_a_jack_and_a_dutch_v_a_queen() -> None:
    for lettering in (*train_letterings(), *unseen_letterings()):
        letters = lettering.style.letters
        assert letters.get("J", "J") != "V", lettering.name
        assert len({letters.get(rank, rank) for rank in "JQKA"}) == 4, lettering.name


def test_fonts_to_measure_with_are_not_trained_on() -> None:
    trained = {lettering.style.font for lettering in train_letterings()} - {None}
    measured = {lettering.style.font for lettering in unseen_letterings()} - {None}
    assert not trained & measured


def test_families_are_held_out_as_a_whole_and_every_held_out_family_exists() -> None:
    sources = (*deck_sources.CARDART, *deck_sources.AISLERIOT, *deck_sources.KDE, *deck_sources.NPM)
    assert {deck_sources.family_of(source) for source in sources} >= deck_sources.UNSEEN_FAMILIES
    assert len({source.name for source in sources}) == len(sources)
    assert 6 <= sum(deck_sources.is_unseen(source) for source in sources) <= 10


def test_outline_of_computer_art_is_cut_off() -> None:
    card = np.full((90, 60, 4), 255, dtype=np.uint8)
    card[[0, -1]] = card[:, [0, -1]] = (0, 0, 0, 255)
    cut = deck_sources.without_outline(card)
    assert cut.shape == (88, 58, 4)
    assert cut[44, [0, -1], :3].min() == 255
    assert cut[0, 0, 3] == 0


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    deck = own_deck(width=60)
    save_deck(deck, tmp_path / TRAIN / "own")
    save_deck(
        Deck("other", deck.faces, (), deck.back, back_is_point_symmetric=False), tmp_path / UNSEEN / "other"
    )
    (train,), (unseen,) = load_library(tmp_path)
    assert train.name == deck.name
    assert train.back_is_point_symmetric
    assert not unseen.back_is_point_symmetric
    assert len(train.foreign) == len(deck.foreign)
    assert all(np.array_equal(train.faces[code], deck.faces[code]) for code in CARD_CODES)
