"""Stills: is the truth about them true of their pixels?"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from capture.simulator import FOREIGN_CODE, LEAST_SHARE, Still, TrueCard, random_still
from capture.simulator.decks import own_deck
from detector.types import CARD_CODES
from tests.capture.cut_out_cards import rectified, small_grey

SEED = 20
COUNT = 60


@pytest.fixture(scope="module")
def stills() -> list[Still]:
    decks = [own_deck()]
    return [random_still(np.random.default_rng([SEED, number]), decks) for number in range(COUNT)]


def whole_faces(stills: list[Still]) -> list[tuple[Still, TrueCard]]:
    return [
        (still, card)
        for still in stills
        for card in still.cards
        if card.side == "face" and card.code != FOREIGN_CODE and card.visible_share > 0.97
    ]


def test_pictures_and_truth_have_their_declared_form(stills: list[Still]) -> None:
    for still in stills:
        assert still.image.shape == (416, 416, 3)
        assert still.image.dtype == np.uint8
        for card in still.cards:
            assert card.quad.shape == (4, 2)
            assert card.quad.dtype == np.float32
            assert LEAST_SHARE <= card.visible_share <= 1
            assert card.code is None if card.side == "back" else card.code in (*CARD_CODES, FOREIGN_CODE)


def test_no_card_is_mirrored(stills: list[Still]) -> None:
    """Corners run clockwise in the picture, as on the card: y grows downwards, so the area is above 0."""
    for still in stills:
        for card in still.cards:
            assert cv2.contourArea(card.quad, oriented=True) > 0


def test_quads_and_codes_agree_with_the_pixels(stills: list[Still]) -> None:
    """Cut out by its quad, a whole card looks more like its own face than a face of another suit or rank."""
    faces = {code: small_grey(art[..., :3]) for code, art in own_deck().faces.items()}
    right = 0
    clear = [(still, card) for still, card in whole_faces(stills) if card_width(card) > 45]
    assert len(clear) > 25
    for still, card in clear:
        cut = small_grey(rectified(still.image, card.quad))
        best = max(faces, key=lambda code: float((cut * faces[code]).mean()))
        right += best == card.code
    assert right / len(clear) > 0.8


def test_about_half_of_the_faces_are_whole(stills: list[Still]) -> None:
    faces = [card for still in stills for card in still.cards if card.side == "face"]
    assert 0.3 < len(whole_faces(stills)) / len(faces) < 0.7


def test_cards_come_in_all_sizes(stills: list[Still]) -> None:
    widths = [card_width(card) for still in stills for card in still.cards]
    assert min(widths) < 40
    assert max(widths) > 150


def test_the_same_generator_state_gives_the_same_still(stills: list[Still]) -> None:
    again = random_still(np.random.default_rng([SEED, 3]), [own_deck()])
    assert np.array_equal(again.image, stills[3].image)
    assert not np.array_equal(again.image, stills[4].image)


def test_other_sizes_can_be_asked_for() -> None:
    still = random_still(np.random.default_rng(1), [own_deck()], size=(320, 480))
    assert still.image.shape == (320, 480, 3)


def test_without_a_deck_there_is_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="deck"):
        random_still(np.random.default_rng(1), [])


def card_width(card: TrueCard) -> float:
    return float(np.hypot(*(card.quad[1] - card.quad[0])))
