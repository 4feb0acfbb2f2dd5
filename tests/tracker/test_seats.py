"""Where the middle of the tricks turns out to be, and whose cards they are then."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tracker.centre_of_play import CentreOfPlay
from tracker.quads import Point
from tracker.seat_evidence import degrees_off, seat_weights, seating_in_turn
from tracker.table_view import TableView

VIEW = TableView.of_picture(1280, 720)
CARD_WIDTH = 80.0
ANYBODY = np.log(np.full(4, 0.25))
NORTH_LEADS = np.log([0.97, 0.01, 0.01, 0.01])


def laid(off: Point, reach: float = 100.0) -> list[Point]:
    """A card of each seat, N, E, S, W, round a middle that lies ``off`` pixels from where it should."""
    x, y = VIEW.centre[0] + off[0], VIEW.centre[1] + off[1]
    return [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]


def after(tricks: int, off: Point) -> CentreOfPlay:
    centre = CentreOfPlay.of(VIEW)
    for _ in range(tricks):
        centre = centre.with_trick(laid(off), CARD_WIDTH)
    return centre


def test_before_a_trick_was_played_the_middle_is_where_the_camera_was_told_it_is() -> None:
    assert CentreOfPlay.of(VIEW).view == VIEW


def test_the_middle_is_learnt_from_whole_tricks_and_what_was_told_counts_as_one() -> None:
    x, y = after(3, (40.0, -24.0)).centre
    assert (x - VIEW.centre[0], y - VIEW.centre[1]) == pytest.approx((30.0, -18.0))


def test_a_trick_of_which_a_card_was_not_seen_says_nothing_of_the_middle() -> None:
    centre = CentreOfPlay.of(VIEW)
    assert centre.with_trick(laid((40.0, 0.0))[:3], CARD_WIDTH) == centre


def test_the_middle_never_wanders_further_than_a_card_from_where_it_was_told() -> None:
    x, y = after(50, (500.0, 0.0)).centre
    assert 0.5 * CARD_WIDTH < x - VIEW.centre[0] < CARD_WIDTH
    assert y == VIEW.centre[1]


def test_a_table_that_was_moved_is_followed_however_long_was_played_before() -> None:
    centre = after(200, (0.0, 0.0))
    for _ in range(40):
        centre = centre.with_trick(laid((50.0, 0.0)), CARD_WIDTH)
    assert centre.centre[0] - VIEW.centre[0] > 40.0


def test_a_card_near_the_middle_lies_before_its_own_seat_once_the_middle_is_known() -> None:
    """North lays it just above the true middle; seen from the middle as told it seems to be East's."""
    off = (60.0, 0.0)
    card = (VIEW.centre[0] + off[0], VIEW.centre[1] - 40.0)
    told = seat_weights(degrees_off(VIEW, card), None)
    learnt = seat_weights(degrees_off(after(12, off).view, card), None)
    assert (int(np.argmax(told)), int(np.argmax(learnt))) == (1, 0)


def test_a_card_between_two_seats_is_of_the_one_whose_turn_it_was() -> None:
    between_east_and_south = np.array([[0.0, -20.0, -20.0, -20.0], [-20.0, -2.0, -2.0, -20.0]])
    seats, sure = seating_in_turn(between_east_and_south, NORTH_LEADS)
    assert seats == [0, 1]
    assert sure[0] == pytest.approx(1.0, abs=0.01)
    assert sure[1] == pytest.approx(1 / (1 + math.exp(-1.0)), abs=0.01), "it is not sure"


def test_a_card_that_lies_clearly_before_a_seat_is_of_that_seat_whoever_leads() -> None:
    clearly = np.full((4, 4), -20.0)
    clearly[[0, 1, 2, 3], [2, 0, 3, 1]] = 0.0
    for leads in (ANYBODY, NORTH_LEADS):
        seats, sure = seating_in_turn(clearly, leads)
        assert seats == [2, 0, 3, 1]
        assert min(sure) > 0.99


def test_two_cards_are_never_of_one_seat() -> None:
    both_of_north = np.array([[0.0, -9.0, -9.0, -9.0], [-1.0, -3.0, -9.0, -9.0]])
    seats, _ = seating_in_turn(both_of_north, ANYBODY)
    assert seats == [0, 1]
