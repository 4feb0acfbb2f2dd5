"""Shapes of cards in a picture, and the seats around them."""

from __future__ import annotations

import math

import pytest

from rules import Seat, Team
from tests.tracker.fake_table import ASPECT, card_quad
from tracker.quads import centre_of, covered_share, overlap, width_of
from tracker.table_view import TableView

VIEW = TableView.of_picture(1280, 720)


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.6, 3.0])
def test_width_and_centre_whichever_way_a_card_lies(turn: float) -> None:
    quad = card_quad(300, 200, turn, 80)
    assert width_of(quad) == pytest.approx(80, rel=1e-4)
    assert centre_of(quad) == pytest.approx((300, 200), abs=0.01)


def test_the_share_of_a_card_under_another() -> None:
    card = card_quad(300, 200, 0.0, 80)
    assert covered_share(card, card) == pytest.approx(1.0)
    assert covered_share(card, card_quad(340, 200, 0.0, 80)) == pytest.approx(0.5, rel=1e-4)
    assert covered_share(card, card_quad(300, 200, math.pi / 2, 80)) == pytest.approx(1 / ASPECT, rel=1e-4)
    assert covered_share(card, card_quad(500, 200, 0.0, 80)) == 0.0
    assert covered_share(card, card[::-1]) == pytest.approx(1.0)


def test_a_small_quad_within_a_card_overlaps_wholly() -> None:
    card, corner = card_quad(300, 200, 0.2, 80), card_quad(300, 210, 0.2, 30)
    assert overlap(card, corner) == overlap(corner, card) == pytest.approx(1.0)


def test_seats_by_direction_from_the_centre() -> None:
    places = {Seat.NORTH: (640, 250), Seat.EAST: (760, 360), Seat.SOUTH: (640, 470), Seat.WEST: (520, 360)}
    for seat, (x, y) in places.items():
        assert VIEW.seat_of(card_quad(x, y, 0.3, 80)) is seat
    turned = TableView(VIEW.centre, rotation_degrees=180)
    assert turned.seat_of(card_quad(640, 250, 0.0, 80)) is Seat.SOUTH


def test_only_the_middle_of_the_table_is_in_play() -> None:
    assert VIEW.is_in_play((640, 360 - 2.0 * 80), 80)
    assert not VIEW.is_in_play((640 + 5 * 80, 360), 80)


def test_a_pile_belongs_to_the_nearer_edge_of_the_table() -> None:
    assert VIEW.side_of((640 + 230, 360 + 240)) is Team.NORTH_SOUTH
    assert VIEW.side_of((640 - 420, 360 - 140)) is Team.EAST_WEST
    assert VIEW.side_of((640 + 320, 360 + 180)) is None


def test_a_view_without_size_is_refused() -> None:
    with pytest.raises(ValueError, match="play_radius must be more than 0"):
        TableView((0, 0), play_radius=0)
    with pytest.raises(ValueError, match="half_size must be more than 0"):
        TableView((0, 0), half_size=(1, 0))
