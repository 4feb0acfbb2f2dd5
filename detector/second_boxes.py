"""Tells second boxes about one card from cards that lie over one another.

The finder's own suppression must let cards stay that cover each other by two thirds, so a box set askew over
a card stays too. What is read in it tells it: the same card once more, or nothing sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2

from detector.types import FOREIGN, CardDetection, FloatArray, Side

_SURE: Final = 0.95
"""How probable its name must be for a card to take others' boxes for its own."""

_SAME_CARD_OVERLAP: Final = 0.3
"""No pack has a card twice: two boxes of one name with this intersection over union are one."""

_UNSURE_OVERLAP: Final = 0.55
_WITHIN: Final = 0.95
"""A box in which nothing sure is read is a second one beyond this overlap, or with so much of it within."""


def without_second_boxes(detections: Sequence[CardDetection]) -> tuple[CardDetection, ...]:
    """The detections, in their order, without boxes that are about a card which another one reads better."""
    kept: list[CardDetection] = []
    for detection in sorted(detections, key=_clearness, reverse=True):
        if not any(_is_second(detection, one) for one in kept):
            kept.append(detection)
    return tuple(detection for detection in detections if any(detection is one for one in kept))


def _clearness(detection: CardDetection) -> float:
    """How sure it is that there is a card and which; a back is less than any face that is read surely."""
    return detection.score * detection.name_probability


def _is_second(detection: CardDetection, clearer: CardDetection) -> bool:
    if clearer.side is not Side.FACE or clearer.name == FOREIGN:
        return False
    if detection.score > clearer.score and detection.side is Side.BACK:
        return False
    overlap, within = _overlaps(detection.quad, clearer.quad)
    if detection.side is Side.FACE and detection.name == clearer.name:
        return overlap > _SAME_CARD_OVERLAP
    if clearer.name_probability < _SURE or (_reads_surely(detection) and detection.name != FOREIGN):
        return False
    return overlap > _UNSURE_OVERLAP or within > _WITHIN


def _reads_surely(detection: CardDetection) -> bool:
    return detection.side is Side.FACE and detection.name_probability >= _SURE


def _overlaps(one: FloatArray, other: FloatArray) -> tuple[float, float]:
    """Intersection over union of two quads, and the intersection as a share of ``one``."""
    area, _ = cv2.intersectConvexConvex(one, other)
    mine, others = cv2.contourArea(one), cv2.contourArea(other)
    if area <= 0 or mine <= 0:
        return 0.0, 0.0
    return area / (mine + others - area), area / mine
