"""Quads as shapes: size, distance and overlap, in card widths so that no picture size matters.

A quad is (4, 2) float pixels, clockwise in the picture, the short side first.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Quad = npt.NDArray[np.floating[Any]]
Point = tuple[float, float]


def width_of(quad: Quad) -> float:
    """The mean length in pixels of the two sides that are the shorter."""
    first, second, third, fourth = _points(quad)
    across = distance(first, second) + distance(third, fourth)
    along = distance(second, third) + distance(fourth, first)
    return min(across, along) / 2


def centre_of(quad: Quad) -> Point:
    """The middle of the quad, in pixels."""
    x, y = quad.mean(axis=0)
    return float(x), float(y)


def distance(one: Point, other: Point) -> float:
    """How far two points lie apart, in pixels."""
    return math.hypot(one[0] - other[0], one[1] - other[1])


def area_of(points: list[Point]) -> float:
    """The area of a polygon in square pixels, whichever way round it runs."""
    total = 0.0
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True):
        total += x1 * y2 - x2 * y1
    return abs(total) / 2


def covered_share(quad: Quad, by: Quad) -> float:
    """Which share of ``quad`` lies under ``by``, 0 to 1."""
    if _boxes_are_apart(quad, by):
        return 0.0
    corners = _clockwise(quad)
    whole = area_of(corners)
    return area_of(_clipped(corners, _clockwise(by))) / whole if whole > 0 else 0.0


def overlap(one: Quad, other: Quad) -> float:
    """The common area as a share of the smaller quad, 0 to 1: near 1 when one lies within the other."""
    if _boxes_are_apart(one, other):
        return 0.0
    first, second = _clockwise(one), _clockwise(other)
    smaller = min(area_of(first), area_of(second))
    return area_of(_clipped(first, second)) / smaller if smaller > 0 else 0.0


def may_be_one_card(one: Quad, other: Quad) -> bool:
    """Whether two quads can be detections of one card: turned alike and over one another, or a part of it.

    Two cards of a trick that are named alike in a frame lie across each other, or hardly over one another.
    """
    first, second = _points(one), _points(other)
    areas = sorted((area_of(first), area_of(second)))
    if overlap(one, other) < _PARTS_OF_ONE_OVERLAP:
        return False
    turned = abs(_direction(first) - _direction(second)) % math.pi
    return areas[0] < _PART_OF_A_CARD * areas[1] or min(turned, math.pi - turned) < _TURNED_ALIKE


def _direction(corners: list[Point]) -> float:
    """The direction of the long sides, in radians."""
    (x1, y1), (x2, y2), (x3, y3), _ = corners
    across, along = (x2 - x1, y2 - y1), (x3 - x2, y3 - y2)
    longer = max(across, along, key=lambda side: math.hypot(*side))
    return math.atan2(longer[1], longer[0])


_PARTS_OF_ONE_OVERLAP: Final = 0.2
_PART_OF_A_CARD: Final = 0.6
_TURNED_ALIKE: Final = math.radians(30)


def _points(quad: Quad) -> list[Point]:
    return [(x, y) for x, y in quad.tolist()]


def _boxes_are_apart(one: Quad, other: Quad) -> bool:
    """Whether the upright boxes around two quads do not even touch: most pairs need no closer look."""
    return bool((one.max(axis=0) < other.min(axis=0)).any() or (other.max(axis=0) < one.min(axis=0)).any())


def _clockwise(quad: Quad) -> list[Point]:
    """The corners clockwise as seen (y down)."""
    corners = _points(quad)
    turn = sum(
        x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True)
    )
    return corners if turn >= 0 else corners[::-1]


def _clipped(polygon: list[Point], window: list[Point]) -> list[Point]:
    """What of ``polygon`` lies within the convex ``window`` (Sutherland and Hodgman's clipping)."""
    for start, end in zip(window, window[1:] + window[:1], strict=True):
        if not polygon:
            break
        polygon = _clipped_by_side(polygon, start, end)
    return polygon


def _clipped_by_side(polygon: list[Point], start: Point, end: Point) -> list[Point]:
    kept: list[Point] = []
    sides = [_side(point, start, end) for point in polygon]
    for index, point in enumerate(polygon):
        before, before_side, side = polygon[index - 1], sides[index - 1], sides[index]
        if (side >= 0) != (before_side >= 0):
            share = before_side / (before_side - side)
            kept.append(
                (before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1]))
            )
        if side >= 0:
            kept.append(point)
    return kept


def _side(point: Point, start: Point, end: Point) -> float:
    """Positive on the inner side of a window that runs clockwise (y down)."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])
