"""Pips and courts of a large card are not cards of their own."""

from __future__ import annotations

import numpy as np

from detector.finder import FoundCard, without_pieces
from detector.types import FloatArray


def upright(left: float, top: float, width: float) -> FloatArray:
    """A card of the usual shape, three wide and four and a half high."""
    height = 1.5 * width
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    return np.array(corners, dtype=np.float32)


def found(quad: FloatArray, score: float, *, is_face: bool = True) -> FoundCard:
    return FoundCard(quad=quad, score=score, is_face=is_face)


def test_pips_taken_for_small_backs_are_left_out() -> None:
    whole = found(upright(100, 100, 240), 0.8)
    pips = [found(upright(130 + 90 * place, 150, 45), 0.75, is_face=False) for place in range(2)]
    assert without_pieces([*pips, whole]) == [whole]


def test_a_card_on_another_of_its_size_stays() -> None:
    cards = [found(upright(100, 100, 100), 0.8), found(upright(130, 120, 90), 0.7)]
    assert without_pieces(cards) == cards


def test_a_small_card_beside_a_large_one_stays() -> None:
    cards = [found(upright(100, 100, 240), 0.8), found(upright(400, 100, 60), 0.7)]
    assert without_pieces(cards) == cards


def test_a_doubtful_large_box_takes_nothing_away() -> None:
    cards = [found(upright(100, 100, 400), 0.3), found(upright(150, 150, 90), 0.9)]
    assert without_pieces(cards) == cards
