"""Corners in order, cards cut out straight, one answer a card."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detector.geometry import (
    bounding_box,
    card_height,
    card_width,
    order_corners,
    rectify,
    suppress_overlapping,
)
from detector.types import FloatArray


def card_at(x: float, y: float, turn: float, width: float = 60, height: float = 90) -> FloatArray:
    """The corners of a card lying at (x, y), turned by so many radians."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    cosine, sine = np.cos(turn), np.sin(turn)
    return np.asarray(corners @ np.array([[cosine, sine], [-sine, cosine]]) + [x, y], dtype=np.float32)


@given(st.floats(-3.1, 3.1), st.permutations(range(4)))
def test_the_order_of_corners_does_not_depend_on_how_they_come(turn: float, order: list[int]) -> None:
    quad = card_at(100, 100, turn)
    ordered = order_corners(quad[order])
    assert card_width(ordered) == pytest.approx(60, abs=0.01)
    assert card_height(ordered) == pytest.approx(90, abs=0.01)
    assert cv2.contourArea(ordered, oriented=True) > 0, "clockwise as seen"
    assert ordered[:2, 1].mean() <= ordered[2:, 1].mean() + 0.01, "the upper short side comes first"


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_a_card_is_cut_out_as_it_was_laid_down(scale: float) -> None:
    rng = np.random.default_rng(4)
    art = cv2.resize(rng.integers(0, 256, (9, 6, 3), dtype=np.uint8), (60, 90), interpolation=cv2.INTER_CUBIC)
    quad = card_at(200, 200, 0.6, 60 * scale, 90 * scale)
    source = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], dtype=np.float32)
    picture = cv2.warpPerspective(art, cv2.getPerspectiveTransform(source, quad), (420, 420))
    crop = rectify(np.asarray(picture, dtype=np.uint8), quad, (60, 90), 0.0)
    assert np.abs(crop.astype(float) - art)[4:-4, 4:-4].mean() < 8


def test_a_margin_shows_the_table_around_the_card() -> None:
    picture = np.zeros((200, 200, 3), dtype=np.uint8)
    cv2.fillConvexPoly(picture, card_at(100, 100, 0).astype(np.int32), (255, 255, 255))
    crop = rectify(picture, card_at(100, 100, 0), (100, 150), 0.1)
    assert crop[2, 50].max() == 0
    assert crop[75, 50].min() == 255


def test_two_answers_for_one_card_become_one_and_neighbours_stay() -> None:
    same, shifted, neighbour = card_at(50, 80, 0.1), card_at(53, 82, 0.12), card_at(85, 95, 0.3)
    assert suppress_overlapping([shifted, same, neighbour], [0.7, 0.9, 0.8], 0.6) == [1, 2]
    assert suppress_overlapping([], [], 0.6) == []


def test_the_box_around_a_quad() -> None:
    assert bounding_box(card_at(50, 60, 0)) == (20, 15, 80, 105)
