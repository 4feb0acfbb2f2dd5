"""Quads: four corners of a card in a picture, clockwise, short side first."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from detector.types import FloatArray, Image


def order_corners(corners: npt.ArrayLike) -> FloatArray:
    """Put four corners clockwise (as seen, y down) with a short side first.

    The first corner is the one of the two possible that lies higher in the picture, so the answer does
    not depend on the order in which the corners come. ``corners`` is (4, 2); so is the answer, float32.
    """
    points = np.asarray(corners, dtype=np.float32).reshape(4, 2)
    middle = points.mean(axis=0)
    angles = np.arctan2(points[:, 1] - middle[1], points[:, 0] - middle[0])
    points = points[np.argsort(angles, kind="stable")]
    sides = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        points = np.roll(points, -1, axis=0)
    top, bottom = points[:2].mean(axis=0), points[2:].mean(axis=0)
    if (top[1], top[0]) > (bottom[1], bottom[0]):
        points = np.roll(points, 2, axis=0)
    return np.ascontiguousarray(points)


def card_width(quad: FloatArray) -> float:
    """The mean length in pixels of the two short sides of an ordered quad."""
    return float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2


def card_height(quad: FloatArray) -> float:
    """The mean length in pixels of the two long sides of an ordered quad."""
    return float(np.linalg.norm(quad[2] - quad[1]) + np.linalg.norm(quad[3] - quad[0])) / 2


def bounding_box(quad: FloatArray) -> tuple[float, float, float, float]:
    """The upright box around a quad: left, top, right, bottom in pixels."""
    left, top = quad.min(axis=0)
    right, bottom = quad.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def rectify(image: Image, quad: npt.ArrayLike, size: tuple[int, int], margin: float) -> Image:
    """Cut a card out of a picture, as if seen from straight above.

    quad: (4, 2) pixels, the card's corners, its own top left first.
    size: width and height of the answer in pixels. margin: how much of the table around the card stays
    in view, as a share of the answer's width (and of its height), on each side.

    Returns (height, width, 3) uint8. A card that is much larger in the picture than in the answer is
    averaged, not sampled: fine print would otherwise turn into noise.
    """
    width, height = size
    corners = np.asarray(quad, dtype=np.float32)
    target = np.array(
        [
            [margin * width, margin * height],
            [(1 - margin) * width, margin * height],
            [(1 - margin) * width, (1 - margin) * height],
            [margin * width, (1 - margin) * height],
        ],
        dtype=np.float32,
    )
    shrink = int(card_width(corners) / ((1 - 2 * margin) * width) + 0.25)
    if shrink <= 1:
        matrix = cv2.getPerspectiveTransform(corners, target)
        warped = cv2.warpPerspective(
            image, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(warped, dtype=np.uint8)
    matrix = cv2.getPerspectiveTransform(corners, target * shrink)
    large = cv2.warpPerspective(
        image,
        matrix,
        (width * shrink, height * shrink),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def suppress_overlapping(
    quads: Sequence[FloatArray], scores: Sequence[float], max_overlap: float
) -> list[int]:
    """Non-maximum suppression on rotated rectangles: the indices that stay, surest first.

    Two quads whose intersection over union exceeds ``max_overlap`` are taken for the same card.
    """
    if not quads:
        return []
    rectangles = [cv2.minAreaRect(quad) for quad in quads]
    kept = cv2.dnn.NMSBoxesRotated(rectangles, list(scores), 0.0, max_overlap)
    return [int(index) for index in np.asarray(kept).reshape(-1)]
