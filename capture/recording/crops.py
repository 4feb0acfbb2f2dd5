"""For each card on the table the best look at it, kept until it is told which card that was."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.types import CLASS_NAMES, CardDetection, Side

Pixels = npt.NDArray[np.uint8]

CROP_HEIGHT: Final = 336
"""Pixels: a card is some 130 high in the picture, and people look at it large."""

_MARGIN: Final = 1.14
"""How much more than the card is shown, so that one sees what lies over it."""

_SAME_PLACE: Final = 0.5
_GONE_AFTER_S: Final = 1.5
_MOST_PLACES: Final = 160
_BETTER_BY: Final = 1.02
_SURELY: Final = 0.8
_LEAST_LIKELY: Final = math.log(0.02)
_SLACK_S: Final = 1.0


@dataclass(slots=True)
class _Place:
    """One card that lies, or lay, somewhere. width: of the card, in pixels."""

    centre: tuple[float, float]
    width: float
    first_s: float
    last_s: float
    quality: float
    crop: Pixels
    names: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(CLASS_NAMES)))
    looks: int = 0

    def holds(self, time_s: float, detection: CardDetection, centre: tuple[float, float]) -> bool:
        """Whether ``detection`` is this card, seen again."""
        if time_s - self.last_s > _GONE_AFTER_S:
            return False
        away = math.dist(self.centre, centre)
        return away <= _SAME_PLACE * self.width and not self._is_another(detection)

    def _is_another(self, detection: CardDetection) -> bool:
        usual = int(np.argmax(self.names))
        if CLASS_NAMES[usual] == detection.name:
            return False
        return bool(np.exp(self.names[usual] / self.looks) > _SURELY) and detection.name_probability > _SURELY


class CropKeeper:
    """Keeps the best look at each card, from detections and pictures alone; ask it when a card is told."""

    def __init__(self) -> None:
        self._places: list[_Place] = []

    def see(self, time_s: float, image: Pixels, detections: Iterable[CardDetection]) -> None:
        """Take in one picture, (H, W, 3), and what was found in it."""
        for detection in detections:
            if detection.side is Side.FACE:
                self._see_one(time_s, image, detection)
        self._places = self._places[-_MOST_PLACES:]

    def _see_one(self, time_s: float, image: Pixels, detection: CardDetection) -> None:
        centre = (float(detection.quad[:, 0].mean()), float(detection.quad[:, 1].mean()))
        quality = detection.score * detection.name_probability
        place = next((p for p in reversed(self._places) if p.holds(time_s, detection, centre)), None)
        if place is None:
            crop = upright_crop(image, detection.quad)
            place = _Place(centre, _width(detection), time_s, time_s, quality, crop)
            self._places.append(place)
        elif quality > place.quality * _BETTER_BY:
            place.quality, place.crop = quality, upright_crop(image, detection.quad)
        place.last_s = time_s
        place.names += detection.log_probs
        place.looks += 1

    def find(self, card: str, from_s: float, to_s: float) -> Pixels | None:
        """The best look at ``card`` (its code) between these times; None where nothing like it was seen."""
        index = CLASS_NAMES.index(card)
        near = [p for p in self._places if p.first_s <= to_s + _SLACK_S and p.last_s >= from_s - _SLACK_S]
        likeliest = max(near, key=lambda place: place.names[index] / place.looks, default=None)
        if likeliest is None or likeliest.names[index] / likeliest.looks < _LEAST_LIKELY:
            return None
        return likeliest.crop


def upright_crop(image: Pixels, quad: npt.NDArray[np.float32]) -> Pixels:
    """(:data:`CROP_HEIGHT`, W, 3): the card at ``quad``, (4, 2) pixels clockwise from its own top left."""
    middle = quad.mean(axis=0)
    corners = ((quad - middle) * _MARGIN + middle).astype(np.float32)
    across = math.dist(corners[0], corners[1]) + math.dist(corners[3], corners[2])
    down = math.dist(corners[1], corners[2]) + math.dist(corners[0], corners[3])
    width = min(max(round(CROP_HEIGHT * across / max(down, 1.0)), CROP_HEIGHT // 4), CROP_HEIGHT * 2)
    target = np.array([[0, 0], [width, 0], [width, CROP_HEIGHT], [0, CROP_HEIGHT]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, target)
    return np.asarray(cv2.warpPerspective(image, matrix, (width, CROP_HEIGHT)), np.uint8)


def _width(detection: CardDetection) -> float:
    top_left, top_right, bottom_right, bottom_left = detection.quad
    return (math.dist(top_left, top_right) + math.dist(bottom_left, bottom_right)) / 2
