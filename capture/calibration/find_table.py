"""Finds the table in a picture: by the printed sheet, by the edge of its cloth, or as all that is seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.calibration.calibration import Calibration, Matrix, mapped
from capture.calibration.move_watch import reference_of
from capture.calibration.sheet import SHEET_MM, SeenSheet, find_sheet
from rules import CLOCKWISE, Seat

Pixels = npt.NDArray[np.uint8]

USUAL_TABLE_MM: Final = (800.0, 800.0)
"""A card table; --table-mm says otherwise."""

_SMALL: Final = 480
_LEAST_SHARE, _MOST_SHARE = 0.15, 0.97
_LEAST_FILLED: Final = 0.88
_BELIEVABLE_MM: Final = (350.0, 2_500.0)


@dataclass(frozen=True, slots=True, eq=False)
class FoundTable:
    """Where the table lies in a picture.

    sheet: (4, 2) pixels, the corners of the sheet; None where it was not seen.
    """

    calibration: Calibration
    sheet: Matrix | None = None


def find_table(
    image: Pixels, *, table_mm: tuple[float, float] = USUAL_TABLE_MM, north: Seat = Seat.NORTH
) -> FoundTable:
    """The table in a picture, (H, W, 3) uint8, by the best means that it offers.

    table_mm: how long the table is from West to East and from North to South, where it can't be measured.
    north: the side of the picture (North is its top, East its right …) where North sits; the sheet tells it
        by itself.
    """
    sheet, edge = find_sheet(image), find_edge(image)
    if sheet is not None:
        matrix = _homography(sheet)
        if matrix is not None:
            return _by_sheet(image, matrix, edge, table_mm)
    half = (table_mm[0] / 2, table_mm[1] / 2)
    corners = edge if edge is not None else _whole(image, table_mm, north)
    return FoundTable(
        _calibration(image, _by_corners(corners, half, north), half, "picture" if edge is None else "edge")
    )


def find_edge(image: Pixels) -> Matrix | None:
    """(4, 2) pixels: the corners of a table top that stands out from the floor, clockwise from the top left.

    None when no four-sided table is seen whole.
    """
    height, width = image.shape[:2]
    shrink = _SMALL / max(height, width)
    resized = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    small = np.asarray(resized, np.uint8)
    mask = _like_the_middle(small)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea)) if contours else None
    if hull is None or not _LEAST_SHARE < cv2.contourArea(hull) / mask.size < _MOST_SHARE:
        return None
    corners = _four_corners(np.asarray(hull, np.int32))
    if corners is None or _touches_border(corners, small.shape[1], small.shape[0]):
        return None
    filled = np.zeros_like(mask)
    cv2.fillConvexPoly(filled, corners.astype(np.int32), (255,))
    if np.count_nonzero(mask & filled) < _LEAST_FILLED * np.count_nonzero(filled):
        return None
    return _clockwise(corners / shrink)


def _like_the_middle(small: Pixels) -> Pixels:
    """(H, W) 255 where the colour is that of what fills the middle of the picture."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 2.0), cv2.COLOR_BGR2LAB).astype(np.float32)
    height, width = lab.shape[:2]
    middle = lab[height // 4 : -height // 4, width // 4 : -width // 4].reshape(-1, 3)
    # Light is uneven over a table; its colour is less so.
    away = np.linalg.norm((lab - np.median(middle, axis=0)) * (0.5, 1.0, 1.0), axis=2)
    _, mask = cv2.threshold(
        np.clip(away * 3, 0, 255).astype(np.uint8), 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU
    )
    whole = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return _holes_filled(np.asarray(whole, np.uint8))


def _holes_filled(mask: Pixels) -> Pixels:
    """What lies on the table belongs to it."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(mask)
    if contours:
        cv2.drawContours(filled, [max(contours, key=cv2.contourArea)], -1, (255,), cv2.FILLED)
    return filled


def _four_corners(hull: npt.NDArray[np.int32]) -> Matrix | None:
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            return np.asarray(corners, np.float64).reshape(4, 2)
    return None


def _touches_border(corners: Matrix, width: int, height: int) -> bool:
    """A table that runs out of the picture has no corner there."""
    at_side = (corners[:, 0] < 2) | (corners[:, 0] > width - 3)
    at_end = (corners[:, 1] < 2) | (corners[:, 1] > height - 3)
    return bool((at_side | at_end).any())


def _clockwise(corners: Matrix) -> Matrix:
    """The same corners, clockwise from the one nearest to the top left of the picture."""
    away = corners - corners.mean(axis=0)
    ordered = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    first = int(np.argmin(ordered.sum(axis=1)))
    return np.asarray(np.roll(ordered, -first, axis=0), np.float64)


def _whole(image: Pixels, table_mm: tuple[float, float], north: Seat) -> Matrix:
    """The largest rectangle of the table's shape in the middle of the picture."""
    height, width = image.shape[:2]
    across, down = table_mm if north in (Seat.NORTH, Seat.SOUTH) else table_mm[::-1]
    scale = min(width / across, height / down)
    half = np.array([across, down]) * scale / 2
    corners = np.array([width / 2, height / 2]) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return np.asarray(corners, np.float64)


def _by_corners(corners: Matrix, half: tuple[float, float], north: Seat) -> Matrix:
    """(3, 3) from pixels to the table, whose corners in the picture go clockwise from the top left."""
    places = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(half)
    turned = np.roll(places, CLOCKWISE.index(north), axis=0)
    return np.asarray(
        cv2.getPerspectiveTransform(corners.astype(np.float32), turned.astype(np.float32)), np.float64
    )


def _homography(sheet: SeenSheet) -> Matrix | None:
    matrix, _ = cv2.findHomography(sheet.pixels, sheet.millimetres, 0)
    return None if matrix is None else np.asarray(matrix, np.float64)


def _by_sheet(
    image: Pixels, matrix: Matrix, edge: Matrix | None, table_mm: tuple[float, float]
) -> FoundTable:
    half = (table_mm[0] / 2, table_mm[1] / 2)
    outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(SHEET_MM) / 2
    paper = mapped(np.asarray(np.linalg.inv(matrix), np.float64), outline)
    if edge is not None:
        # Nobody lays a sheet exactly in the middle: the edge tells better where that is.
        corners = mapped(matrix, edge)
        sides = np.ptp(corners, axis=0)
        if _BELIEVABLE_MM[0] < sides.min() and sides.max() < _BELIEVABLE_MM[1]:
            middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
            shift = np.array([[1.0, 0.0, -middle[0]], [0.0, 1.0, -middle[1]], [0.0, 0.0, 1.0]])
            matrix, half = shift @ matrix, (float(sides[0] / 2), float(sides[1] / 2))
    return FoundTable(_calibration(image, matrix, half, "sheet"), paper)


def _calibration(image: Pixels, matrix: Matrix, half: tuple[float, float], method: str) -> Calibration:
    return Calibration(
        picture_size=(image.shape[1], image.shape[0]),
        to_table=matrix,
        half_size_mm=half,
        method=method,
        made_utc=datetime.now(UTC).replace(microsecond=0),
        reference=reference_of(image),
    )
