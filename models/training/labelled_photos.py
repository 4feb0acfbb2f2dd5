"""The real photos with what people marked in them, and which detection belongs to which mark."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.geometry import bounding_box, card_width
from detector.types import CARD_CODES, FOREIGN, CardDetection

VALIDATION_SETS: Final = ("single-overhead", "several-indoor", "several-dark-table", "several-leather")
"""None of these was trained on."""

FOUND_OVERLAP: Final = 0.5

_ABOUT_AS_SURE: Final = 0.1
"""Between scores nearer than this the finder does not know which card lies on top."""

_STRIP: Final = 0.15
"""What is narrower than this share of a card's width is not marked as a card in view."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""


@dataclass(frozen=True, slots=True)
class LabelledCard:
    """A card that a person marked: its code (or ``foreign``, or nothing), rank and upright box."""

    code: str | None
    rank: str
    box: Box
    occluded: bool


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """A photo with its cards."""

    path: Path
    cards: tuple[LabelledCard, ...]


def read_labels(photos: Path, photo_set: str) -> Iterator[LabelledPhoto]:
    """The photos of one set, from ``labels.jsonl`` in the folder ``photos``."""
    for line in (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["set"] == photo_set:
            yield LabelledPhoto(photos / row["image"], tuple(_labelled(card) for card in row["cards"]))


def _labelled(card: dict[str, Any]) -> LabelledCard:
    if "quad" in card:
        box = bounding_box(np.array(card["quad"], dtype=np.float32))
    else:
        left, top, right, bottom = card["box"]
        box = (left, top, right, bottom)
    rank, suit = card["card"][:-1], card["card"][-1]
    code = suit + rank
    known = code if code in CARD_CODES else FOREIGN
    return LabelledCard(None if suit == "?" else known, rank, box, bool(card.get("occluded")))


def overlap(first: Box, second: Box) -> float:
    """Intersection over union of two upright boxes."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return width * height / (areas - width * height)


def boxes_in_view(face: CardDetection, faces: Sequence[CardDetection]) -> tuple[Box, ...]:
    """The upright boxes that a person may have marked: the whole card, or what others leave of it in view.

    A detection is the whole card, hidden part too; people mark what they see. A card under another is mostly
    the less sure of the two. Of two that are about as sure either can lie on top: both are tried.
    """
    surer = [other for other in faces if other.score > face.score]
    as_sure = [other for other in faces if other is not face and other.score > face.score - _ABOUT_AS_SURE]
    return (
        bounding_box(face.quad),
        _largest_piece(face, surer),
        _largest_piece(face, as_sure),
    )


def _largest_piece(face: CardDetection, on_top: Sequence[CardDetection]) -> Box:
    """The box of the largest piece in view; the thin strips that a covering card leaves are not marked."""
    left, top, right, bottom = bounding_box(face.quad)
    shape = (max(int(bottom - top), 1), max(int(right - left), 1))
    mask = np.zeros(shape, dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(face.quad - [left, top]).astype(np.int32), (255,))
    for other in on_top:
        cv2.fillConvexPoly(mask, np.round(other.quad - [left, top]).astype(np.int32), (0,))
    strip = max(round(_STRIP * card_width(face.quad)), 1)
    kept = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((strip, strip), dtype=np.uint8))
    count, _, boxes, _ = cv2.connectedComponentsWithStats(kept)
    if count < 2:
        return left, top, right, bottom
    x, y, width, height, _ = boxes[1 + int(np.argmax(boxes[1:, cv2.CC_STAT_AREA]))]
    return left + float(x), top + float(y), left + float(x + width), top + float(y + height)


def matches(
    cards: Sequence[LabelledCard], faces: Sequence[CardDetection]
) -> tuple[dict[int, int], npt.NDArray[np.float64]]:
    """Pair cards with detections, the best overlaps first; also (cards, detections) of all overlaps.

    A detection's box is that of the whole card or of what is in view of it, whichever fits better.
    """
    boxes = [boxes_in_view(face, faces) for face in faces]
    overlaps = np.array(
        [[max(overlap(card.box, box) for box in views) for views in boxes] for card in cards],
        dtype=np.float64,
    ).reshape(len(cards), len(boxes))
    paired: dict[int, int] = {}
    for flat in np.argsort(-overlaps, axis=None):
        card, box = divmod(int(flat), max(len(boxes), 1))
        if overlaps[card, box] < FOUND_OVERLAP:
            break
        if card not in paired and box not in paired.values():
            paired[card] = box
    return paired, overlaps
