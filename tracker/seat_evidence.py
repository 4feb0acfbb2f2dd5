"""Whose card it is: by where it lies, and by where it came from.

A card that is laid near the middle, or far to one side, may lie nearer to another seat's direction than to
its own player's. The hand that brings it comes from its player's side all the same, so the way of a card
counts as much as its place. All weights are natural logarithms of probabilities, but for a constant.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from rules import CLOCKWISE
from tracker.quads import Point, distance
from tracker.table_view import TableView

Floats = npt.NDArray[np.float64]
Degrees = tuple[float, float, float, float]
"""For N, E, S, W how far a direction is from the seat's, 0 to 180."""

FAR_ENOUGH: Final = 1.2
"""Card widths that a card must have been seen to move for its way to say where it came from."""

_PLACE_SPREAD: Final = 20.0
_WAY_SPREAD: Final = 25.0
_WAY_SAYS_AT_MOST: Final = 6.0
_EXPECTED_SEAT: Final = 1.0
"""How much better a card fits the seat whose turn it was when it came."""


def degrees_off(view: TableView, point: Point) -> Degrees:
    """How far ``point`` (pixels) lies from the direction of each seat."""
    north, east, south, west = (view.degrees_off(point, seat) for seat in CLOCKWISE)
    return north, east, south, west


def way_degrees_off(view: TableView, came_from: Point, laid_at: Point, card_width: float) -> Degrees | None:
    """The same for where a card came from; None when it was hardly seen moving.

    Judged by the way itself, moved to the centre: a hand comes straight from its player.
    """
    if distance(came_from, laid_at) < FAR_ENOUGH * card_width:
        return None
    x, y = view.centre
    return degrees_off(view, (x + came_from[0] - laid_at[0], y + came_from[1] - laid_at[1]))


def seat_weights(place: Degrees, way: Degrees | None) -> Floats:
    """(4,): how well a card fits each seat, N, E, S, W."""
    weights = -0.5 * (np.array(place) / _PLACE_SPREAD) ** 2
    if way is not None:
        weights = weights + np.maximum(-0.5 * (np.array(way) / _WAY_SPREAD) ** 2, -_WAY_SAYS_AT_MOST)
    return np.asarray(weights)


def seating(weights: Floats) -> tuple[list[int], float]:
    """The best seat for each card, no seat twice, and how much worse that is than each one's own best.

    Args:
        weights: (n, 4) :func:`seat_weights` of at most four cards.
    """
    rows, columns = linear_sum_assignment(-weights)
    loss = float((weights.max(axis=1) - weights[rows, columns]).sum())
    return [int(column) for column in columns], loss


def seating_in_turn(weights: Floats, leads: Floats) -> tuple[list[int], list[float]]:
    """The most probable seat for each card, no seat twice, and how probable each of these is.

    A card that lies between two seats is more probably of the one whose turn it was.

    Args:
        weights: (n, 4) :func:`seat_weights` of one to four cards, in the order in which they came.
        leads: (4,) natural logarithms of how probable it is that each seat leads this trick.
    """
    ways = _ways_to_seat(len(weights))
    turns = (np.arange(4)[:, np.newaxis] + np.arange(len(weights))) % 4
    in_turn = (ways[:, np.newaxis, :] == turns).sum(axis=2)
    scores = weights[np.arange(len(weights)), ways].sum(axis=1)[:, np.newaxis]
    scores = scores + _EXPECTED_SEAT * in_turn + leads
    chances = np.exp(scores - scores.max()).sum(axis=1)
    best = ways[int(np.argmax(chances))]
    sure = [float(chances[ways[:, card] == seat].sum() / chances.sum()) for card, seat in enumerate(best)]
    return [int(seat) for seat in best], sure


@cache
def _ways_to_seat(cards: int) -> npt.NDArray[np.intp]:
    """(m, cards): all ways to give each of so many cards a seat of its own."""
    return np.array(list(permutations(range(4), cards)), dtype=np.intp)
