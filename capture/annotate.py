"""Drawing on a photo what was read in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.types import FOREIGN, CardDetection, Side
from rules import parse_card

FACE_COLOUR: Final = (60, 200, 60)
BACK_COLOUR: Final = (220, 140, 40)
UNSURE_COLOUR: Final = (40, 160, 255)
"""Blue-green-red."""

UNSURE_BELOW: Final = 0.9


def annotate(image: npt.NDArray[np.uint8], detections: Iterable[CardDetection]) -> npt.NDArray[np.uint8]:
    """A copy of ``image``, (H, W, 3) uint8 BGR, with each card outlined and named in Dutch notation."""
    drawn = image.copy()
    thickness = max(2, round(max(image.shape[:2]) / 600))
    for detection in detections:
        colour = _colour(detection)
        corners = detection.quad.round().astype(np.int32)
        cv2.polylines(
            drawn, [corners], isClosed=True, color=colour, thickness=thickness, lineType=cv2.LINE_AA
        )
        # The dot is at the card's own top left.
        cv2.circle(drawn, (int(corners[0][0]), int(corners[0][1])), 2 * thickness, colour, cv2.FILLED)
        _write(drawn, _label(detection), detection.centre, thickness, colour)
    return drawn


def dutch_name(detection: CardDetection) -> str:
    """``H10``, ``KB``; ``vreemd`` for a foreign card and ``rug`` for a back."""
    if detection.side is Side.BACK:
        return "rug"
    return "vreemd" if detection.name == FOREIGN else parse_card(detection.name).dutch


def _label(detection: CardDetection) -> str:
    if detection.side is Side.BACK:
        return dutch_name(detection)
    return f"{dutch_name(detection)} {detection.name_probability:.0%}"


def _colour(detection: CardDetection) -> tuple[int, int, int]:
    if detection.side is Side.BACK:
        return BACK_COLOUR
    return FACE_COLOUR if detection.name_probability >= UNSURE_BELOW else UNSURE_COLOUR


def _write(
    image: npt.NDArray[np.uint8],
    text: str,
    centre: tuple[float, float],
    thickness: int,
    colour: tuple[int, int, int],
) -> None:
    scale = thickness * 0.4
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thickness)
    place = (round(centre[0] - width / 2), round(centre[1] + height / 2))
    # A dark edge keeps the letters readable on a white card.
    for drawn_colour, drawn_thickness in (((0, 0, 0), thickness * 3), (colour, thickness)):
        cv2.putText(
            image, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, drawn_colour, drawn_thickness, cv2.LINE_AA
        )
