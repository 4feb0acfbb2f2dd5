"""What a pack of cards is to the simulator: 32 faces, a few strangers and a back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.types import CARD_CODES, Image

SYMMETRIC: Final = 0.93
"""The correlation from which a back counts as the same when turned half round; see :func:`symmetry`."""

FLAT_TOLERANCE: Final = 2.5
"""Mean difference, in levels of 0 to 255, up to which two pictures count as equal whatever their
correlation.
"""

CORNER_RADIUS: Final = 0.055
"""The radius of a card's corner as a share of its width: 3 to 3.5 mm on a card of 57 to 63 mm."""


class DeckError(ValueError):
    """A pack of cards can't be used; the message says in one line what is missing and what to do."""


@dataclass(frozen=True, eq=False)
class Deck:
    """A pack as it is printed.

    name: tells the packs apart, such as ``own, mirror-printed blue``.
    faces: card code (``HT``) to its face, (H, W, 4) uint8 BGRA, upright; alpha rounds the corners off.
    foreign: faces that are not of the 32 (two to six, jokers), the same size; may be empty.
    back: the back, the same size.
    back_is_point_symmetric: whether the back is the same turned half round (mirror-printed).

    Raises:
        DeckError: when a card is missing, or a picture has another size or kind than the rest.
    """

    name: str
    faces: Mapping[str, Image]
    foreign: tuple[Image, ...]
    back: Image
    back_is_point_symmetric: bool

    def __post_init__(self) -> None:
        missing = [code for code in CARD_CODES if code not in self.faces]
        if missing:
            raise DeckError(f"pack {self.name!r} has no {', '.join(missing)}; a pack needs all 32 cards")
        shape = self.back.shape
        for image in (*self.faces.values(), *self.foreign, self.back):
            if image.shape != shape or image.shape[2:] != (4,) or image.dtype != np.uint8:
                raise DeckError(
                    f"pack {self.name!r}: all pictures must be {shape[:2]} BGRA uint8, "
                    f"not {image.shape} {image.dtype}"
                )


def rounded_corners(image: Image, radius: float = CORNER_RADIUS) -> Image:
    """A copy of ``image``, (H, W, 4) uint8 BGRA, with its corners cut round; ``radius`` is a share of the
    width.
    """
    height, width = image.shape[:2]
    pixels = radius * width
    across = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - pixels)
    down = np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - pixels)
    distance = np.hypot(np.maximum(across, 0)[None, :], np.maximum(down, 0)[:, None])
    inside = np.clip(pixels - distance + 0.5, 0.0, 1.0)
    result = image.copy()
    result[:, :, 3] = np.rint(image[:, :, 3] * inside).astype(np.uint8)
    return result


def resized(image: Image, width: int, height: int) -> Image:
    """``image``, (H, W, 4) uint8 BGRA, at another size; colours don't bleed out of what is transparent."""
    if image.shape[:2] == (height, width):
        return image.copy()
    method = cv2.INTER_AREA if width < image.shape[1] else cv2.INTER_CUBIC
    alpha = image[:, :, 3:].astype(np.float32) / 255
    premultiplied = np.concatenate([image[:, :, :3] * alpha, alpha * 255], axis=2).astype(np.float32)
    scaled = np.asarray(cv2.resize(premultiplied, (width, height), interpolation=method), dtype=np.float32)
    # Divide before clipping: where the interpolation overshoots, colour and alpha do so together.
    scaled[:, :, :3] /= np.maximum(scaled[:, :, 3:] / 255, 1e-3)
    return np.rint(np.clip(scaled, 0, 255)).astype(np.uint8)


def symmetry(back: Image) -> float:
    """How much ``back``, (H, W, 4) uint8 BGRA, looks the same turned half round: 1 fully, 0 or less not at
    all.

    The correlation of the picture with itself turned, where the turned one may lie a few pixels off, for
    small art is often drawn off-centre. A back that is all but one colour counts as the same.
    """
    small = cv2.cvtColor(resized(back, 80, 120), cv2.COLOR_BGRA2BGR).astype(np.float32)
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.2), dtype=np.float32)
    turned = small[::-1, ::-1]
    reach = 3
    middle = small[reach:-reach, reach:-reach]
    height, width = middle.shape[:2]
    windows = [
        turned[down : down + height, across : across + width]
        for down in range(2 * reach + 1)
        for across in range(2 * reach + 1)
    ]
    if min(float(np.abs(middle - window).mean()) for window in windows) <= FLAT_TOLERANCE:
        return 1.0
    return max(_correlation(middle, window) for window in windows)


def _correlation(first: npt.NDArray[np.float32], second: npt.NDArray[np.float32]) -> float:
    """The correlation of two pictures, (H, W, 3), each channel about its own mean."""
    one, two = (picture - picture.mean(axis=(0, 1)) for picture in (first, second))
    return float((one * two).sum() / np.sqrt((one**2).sum() * (two**2).sum() + 1e-6))


def is_point_symmetric(back: Image) -> bool:
    """Whether ``back``, (H, W, 4) uint8 BGRA, looks the same when turned half round."""
    return symmetry(back) >= SYMMETRIC
