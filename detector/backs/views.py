"""One back that lay on top for a while, brought to a fixed size and freed of what passed over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.geometry import card_width, order_corners
from detector.types import FloatArray, Image

CARD_SIZE: Final = (128, 198)
"""Width and height in pixels of a back at its fixed size: 2.25 pixels for a millimetre."""

MARGIN: Final = 22
"""Pixels of a view around the card on each side: a box may lie a tenth of a card's width off."""

VIEW_SIZE: Final = (CARD_SIZE[0] + 2 * MARGIN, CARD_SIZE[1] + 2 * MARGIN)
"""Width and height in pixels of a view."""

CORNERS: Final = (
    np.array(
        [
            [MARGIN, MARGIN],
            [MARGIN + CARD_SIZE[0], MARGIN],
            [MARGIN + CARD_SIZE[0], MARGIN + CARD_SIZE[1]],
            [MARGIN, MARGIN + CARD_SIZE[1]],
        ],
        dtype=np.float32,
    )
    - 0.5
)
"""(4, 2): where the corners of the box lie in a view; whole numbers are the middles of pixels."""

MILLIMETRE: Final = CARD_SIZE[0] / 57.0
"""Pixels of a view in a millimetre of a card 57 mm wide."""

_MAD: Final = 1.4826
"""From the median absolute deviation to the standard deviation of normal noise."""

_SMOOTHED: Final = 0.45
"""Sigma in pixels of a view: a larger card is smoothed first, else fine print would come out as noise."""


@dataclass(frozen=True, slots=True, eq=False)
class BackView:
    """A back as it lay: the median of several looks.

    image: (H, W, 3) float32 grey levels, of :data:`VIEW_SIZE`; which end is up is not known.
    unrest: (H, W) float32, by how many grey levels the looks differ: high where a hand passed.
    looks: of how many pictures it is the median.
    """

    image: FloatArray
    unrest: FloatArray
    looks: int


def cut_back(picture: Image, quad: FloatArray) -> Image:
    """Cut the back at ``quad``, (4, 2) pixels, out of a picture, (H, W, 3) uint8, with what lies around it.

    Returns a picture of :data:`VIEW_SIZE`, uint8.
    """
    corners = order_corners(quad)
    width = card_width(corners)
    if width > 1.15 * CARD_SIZE[0]:
        picture, corners = _smoothed_part(picture, corners, width)
    matrix = cv2.getPerspectiveTransform(corners, CORNERS)
    cut = cv2.warpPerspective(
        picture, matrix, VIEW_SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, dtype=np.uint8)


def _smoothed_part(picture: Image, corners: FloatArray, width: float) -> tuple[Image, FloatArray]:
    """The part of ``picture`` around a card, no finer than a view shows it, and the corners in it."""
    around = width / 4
    left, top = (max(0, int(value - around)) for value in corners.min(axis=0))
    right, bottom = (int(value + around) + 1 for value in corners.max(axis=0))
    part = cv2.GaussianBlur(picture[top:bottom, left:right], (0, 0), _SMOOTHED * width / CARD_SIZE[0])
    return np.asarray(part, dtype=np.uint8), corners - np.array([left, top], dtype=np.float32)


def view_of(crops: Sequence[Image]) -> BackView:
    """The view that several looks at one lying card give together; all cut out at the same quad."""
    looks = np.stack(crops)
    image = _median(looks)
    apart = np.abs(looks.astype(np.int16) - image).max(axis=3)
    unrest = cv2.GaussianBlur(_median(apart).astype(np.float32) * _MAD, (0, 0), 1.5)
    return BackView(image.astype(np.float32), np.asarray(unrest, dtype=np.float32), len(crops))


def _median(looks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The median over the first axis; of an even number the upper of the middle two."""
    middle = len(looks) // 2
    return np.asarray(np.partition(looks, middle, axis=0)[middle])


def turned(image: FloatArray) -> FloatArray:
    """``image`` turned half round."""
    return np.ascontiguousarray(image[::-1, ::-1])


def _card_mask(inset: int) -> npt.NDArray[np.bool_]:
    """(H, W) bool: what is card in a view whose box fits, ``inset`` pixels less, with rounded corners."""
    mask = np.zeros((VIEW_SIZE[1], VIEW_SIZE[0]), dtype=np.uint8)
    radius, low = round(3.3 * MILLIMETRE), MARGIN + inset
    right, bottom = VIEW_SIZE[0] - 1 - low, VIEW_SIZE[1] - 1 - low
    cv2.rectangle(mask, (low + radius, low), (right - radius, bottom), 1, -1)
    cv2.rectangle(mask, (low, low + radius), (right, bottom - radius), 1, -1)
    for across in (low + radius, right - radius):
        for down in (low + radius, bottom - radius):
            cv2.circle(mask, (across, down), radius, 1, -1)
    return mask.astype(np.bool_)


CARD_MASK: Final = _card_mask(3)
"""(H, W) bool: what is surely card in a view that lies as the average does."""

INNER_MASK: Final = _card_mask(8)
"""(H, W) bool: where marks are looked for; nearer to the edge the table or the card below may show."""

PRINT_MASK: Final = _card_mask(7)
"""(H, W) bool: the print without the card's edge: boxes too large show the card below along it."""
