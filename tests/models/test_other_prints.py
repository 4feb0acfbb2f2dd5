"""Cards changed for the namer's training stay the cards that they are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from capture.simulator.decks import Deck, own_deck
from detector.types import CARD_CODES, Image
from models.training import other_prints
from models.training.other_prints import printed_otherwise, with_strange_court


@pytest.fixture(scope="module")
def deck() -> Deck:
    return own_deck()


def drawn_always(
    monkeypatch: pytest.MonkeyPatch, card: Image, code: str, *, ink: float, slant: float
) -> Image:
    monkeypatch.setattr(other_prints, "_OTHER_INK_SHARE", ink)
    monkeypatch.setattr(other_prints, "_SLANTED_SHARE", slant)
    return printed_otherwise(np.random.default_rng(3), card, code)


def inked(card: Image) -> Image:
    """Where there is ink on the paper, (H, W) uint8."""
    grey = cv2.cvtColor(card[..., :3], cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)[1], dtype=np.uint8)


@pytest.mark.parametrize("code", ["S7", "H9", "DT", "CA"])
def test_another_ink_leaves_every_pip_where_it_was(
    deck: Deck, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    card = deck.faces[code]
    other = drawn_always(monkeypatch, card, code, ink=1, slant=0)
    assert not np.array_equal(other, card)
    both = np.count_nonzero(inked(other) & inked(card))
    assert both > 0.85 * np.count_nonzero(inked(other) | inked(card))


def test_another_ink_leaves_the_picture_of_a_court(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    card = deck.faces["SQ"]
    other = drawn_always(monkeypatch, card, "SQ", ink=1, slant=0)
    rows, columns = card.shape[:2]
    middle = (slice(None), slice(round(0.25 * columns), round(0.75 * columns)))
    assert np.array_equal(other[middle], card[middle])
    corner = (slice(round(0.25 * rows)), slice(round(0.18 * columns)))
    assert not np.array_equal(other[corner], card[corner])


@pytest.mark.parametrize("code", ["S7", "HK"])
def test_indices_slant_alike_and_nothing_else_moves(
    deck: Deck, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    card = deck.faces[code].copy()
    card[::-1, ::-1][: card.shape[0] // 2] = card[: card.shape[0] // 2]  # Quite the same upside down.
    other = drawn_always(monkeypatch, card, code, ink=0, slant=1)
    assert not np.array_equal(other, card)
    assert np.array_equal(other, other[::-1, ::-1])
    columns = card.shape[1]
    middle = (slice(None), slice(round(0.21 * columns), round(0.79 * columns)))
    assert np.array_equal(other[middle], card[middle])


def test_a_strange_court_keeps_its_index(deck: Deck) -> None:
    rng = np.random.default_rng(1)
    for code in (code for code in CARD_CODES if code[1] in "JQK"):
        card = deck.faces[code]
        strange = with_strange_court(rng, card, deck)
        index = (slice(None), slice(round(0.25 * card.shape[1])))
        assert np.array_equal(strange[index], card[index])
        assert strange.shape == card.shape


def test_a_card_not_chosen_stays_itself(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn_always(monkeypatch, deck.faces["S7"], "S7", ink=0, slant=0) is deck.faces["S7"]
