"""Reads a film picture after picture, and looks only at what moved.

picture ──► MotionGate ──► where it changed ──► parts that hold whole cards ──► the detector
                                                                                  │
cards that lay still, as they were read before  ─────────────────────────────────►┴──► all cards
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, runtime_checkable

import cv2
import numpy as np
import numpy.typing as npt

from capture.motion_gate import MotionGate
from detector.geometry import bounding_box, card_width
from detector.types import CardDetection, Detector, Image

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

AROUND: Final = 0.35
"""Of a card's width: how much is looked at around what changed: surroundings tell a card too."""

LEAST_SIDE: Final = 2.2
"""Of a card's width: no part is smaller, for a new card must fit."""

MOST_SHARE: Final = 0.6
"""From this share of the picture on, looking at the whole costs hardly more."""

USUAL_WIDTH: Final = 0.08
"""Of the picture's long side: how wide a card is taken to be before one was seen."""

_SAME_CARD: Final = 0.55
"""Of the smaller of two quads: a part's cut-off view of a card that was read before overlaps it so far."""


@runtime_checkable
class PartDetector(Detector, Protocol):
    """A detector that can also look at a part of a picture, as ``CardDetector`` can."""

    def detect_within(self, image: Image, box: Box) -> tuple[CardDetection, ...]:
        """Find and name the cards in ``box`` of ``image``; quads in pixels of the whole picture."""
        ...


@dataclass(slots=True)
class ReadingCost:
    """What reading cost so far. pixels_share: of all pixels of the pictures read, how many were looked at."""

    pictures: int = 0
    looks: int = 0
    pixels_share: float = 0.0
    gate_s: float = 0.0
    detector_s: float = 0.0


@dataclass(slots=True)
class LiveReader:
    """Gives for each picture the cards that lie there; the same pictures always give the same cards.

    A detector that can't look at parts looks at whole pictures, when something moved.
    """

    detector: Detector
    gate: MotionGate = field(default_factory=MotionGate)
    cost: ReadingCost = field(default_factory=ReadingCost)
    _seen: tuple[CardDetection, ...] = ()
    _width: float | None = None

    @property
    def reused(self) -> int:
        """In how many pictures nothing had moved, so that the last look still held."""
        return self.gate.reused

    @property
    def seen(self) -> tuple[CardDetection, ...]:
        """The cards in the last picture; those that did not move are the very same objects as before."""
        return self._seen

    def read(self, image: Image) -> tuple[CardDetection, ...] | None:
        """The cards in ``image``, (H, W, 3) uint8 BGR, the next picture; None when nothing moved at all."""
        started = time.perf_counter()
        changed = self.gate.changed_cells(image)
        looking = time.perf_counter()
        self.cost.pictures += 1
        self.cost.gate_s += looking - started
        if changed is None:
            return None
        self._look(image, changed)
        self.cost.looks += 1
        self.cost.detector_s += time.perf_counter() - looking
        if self._seen:
            self._width = float(np.median([card_width(card.quad) for card in self._seen]))
        return self._seen

    def _look(self, image: Image, changed: npt.NDArray[np.bool_]) -> None:
        boxes = [] if changed.all() else self._parts(image, changed)
        whole = image.shape[0] * image.shape[1]
        share = sum(_area(box) for box in boxes) / whole
        if not isinstance(self.detector, PartDetector) or not boxes or share > MOST_SHARE:
            self.cost.pixels_share += 1.0
            self._seen = self.detector.detect(image)
            return
        self.cost.pixels_share += share
        kept = [card for card in self._seen if not _touches(card, changed, image)]
        fresh = [card for box in boxes for card in self.detector.detect_within(image, box)]
        new = [card for card in fresh if not any(_is_same(card, other) for other in kept)]
        self._seen = tuple(sorted((*kept, *_without_doubles(new)), key=lambda card: -card.score))

    def _parts(self, image: Image, changed: npt.NDArray[np.bool_]) -> list[Box]:
        """Boxes around what changed and around each card that it touches."""
        height, width = image.shape[:2]
        card = self._width or USUAL_WIDTH * max(width, height)
        touched = [_box_of(one) for one in self._seen if _touches(one, changed, image)]
        boxes = [*_changed_boxes(changed, image), *touched]
        return _merged([_grown(box, AROUND * card, LEAST_SIDE * card, (width, height)) for box in boxes])


def _changed_boxes(changed: npt.NDArray[np.bool_], image: Image) -> list[Box]:
    """In pixels, around each group of cells that hang together."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)
    across, down = image.shape[1] / changed.shape[1], image.shape[0] / changed.shape[0]
    boxes = []
    for left, top, width, height, _ in stats[1:]:
        boxes.append(
            (
                int(left * across),
                int(top * down),
                int(np.ceil((left + width) * across)),
                int(np.ceil((top + height) * down)),
            )
        )
    return boxes


def _touches(card: CardDetection, changed: npt.NDArray[np.bool_], image: Image) -> bool:
    """Whether something changed on the card or at its edge."""
    scale = np.array([changed.shape[1] / image.shape[1], changed.shape[0] / image.shape[0]])
    cells = np.zeros(changed.shape, dtype=np.uint8)
    corners = np.round((card.quad * scale - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(cells, corners, 1, cv2.LINE_8, 4)
    cells = np.asarray(cv2.dilate(cells, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    return bool((cells.astype(np.bool_) & changed).any())


def _box_of(card: CardDetection) -> Box:
    left, top, right, bottom = bounding_box(card.quad)
    return math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)


def _grown(box: Box, margin: float, least: float, size: tuple[int, int]) -> Box:
    """``box`` with a margin, at least so large, kept within a picture of ``size`` (width, height)."""
    edges = []
    for low, high, most in ((box[0], box[2], size[0]), (box[1], box[3], size[1])):
        spare = max(margin, (least - (high - low)) / 2)
        edges.append((max(0, int(low - spare)), min(most, int(np.ceil(high + spare)))))
    (left, right), (top, bottom) = edges
    return left, top, right, bottom


def _merged(boxes: Sequence[Box]) -> list[Box]:
    """The boxes with those that overlap made one."""
    parts: list[Box] = []
    for box in boxes:
        current = box
        while True:
            apart = [other for other in parts if not _overlap(current, other)]
            if len(apart) == len(parts):
                break
            for other in parts:
                if _overlap(current, other):
                    current = (
                        min(current[0], other[0]),
                        min(current[1], other[1]),
                        max(current[2], other[2]),
                        max(current[3], other[3]),
                    )
            parts = apart
        parts.append(current)
    return parts


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _without_doubles(cards: Sequence[CardDetection]) -> list[CardDetection]:
    kept: list[CardDetection] = []
    for card in sorted(cards, key=lambda card: -card.score):
        if not any(_is_nearly_equal(card, other) for other in kept):
            kept.append(card)
    return kept


def _is_nearly_equal(card: CardDetection, other: CardDetection) -> bool:
    """Whether two parts that were looked at show the same card: parts are disjoint, so hardly ever."""
    return bool(np.abs(card.quad - other.quad).max() < 0.2 * card_width(other.quad))


def _is_same(card: CardDetection, other: CardDetection) -> bool:
    """Whether ``card`` is a cut-off view of ``other``."""
    common, _ = cv2.intersectConvexConvex(card.quad, other.quad)
    smaller = min(cv2.contourArea(card.quad), cv2.contourArea(other.quad))
    return card.side is other.side and common > _SAME_CARD * smaller
