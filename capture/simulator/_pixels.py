"""Small helpers on arrays of pixels that all drawing shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
"""(H, W, 3) blue-green-red, (H, W, 4) with alpha, or (H, W) one channel."""

Floats = npt.NDArray[np.float32]
"""An array of 32-bit floats."""

Colour = tuple[float, float, float]
"""Blue, green, red, from 0 to 255."""


def as_pixels(array: npt.NDArray[Any]) -> Pixels:
    """The array as bytes: the same one where it is, else clipped to 0 … 255 and converted."""
    if array.dtype == np.uint8:
        return np.asarray(array, dtype=np.uint8)
    return np.asarray(np.clip(array, 0, 255), dtype=np.uint8)


def as_floats(array: npt.NDArray[Any]) -> Floats:
    """The array as float32, without a copy where it already is."""
    return np.asarray(array, dtype=np.float32)


def premultiplied(art: Pixels) -> Pixels:
    """(H, W, 4): the colours of ``art`` scaled by its alpha, so that resizing leaves no fringe."""
    alpha = np.ascontiguousarray(art[..., 3])
    colours = cv2.multiply(
        np.ascontiguousarray(art[..., :3]), cv2.merge([alpha, alpha, alpha]), scale=1 / 255
    )
    return as_pixels(cv2.merge([*cv2.split(colours), alpha]))


def smooth_noise(
    rng: np.random.Generator, size: tuple[int, int], cells: tuple[float, float], octaves: int = 1
) -> Floats:
    """(height, width) float32 from about -1 to 1: soft clouds, ``cells`` (down, across) of them."""
    height, width = size
    total = np.zeros(size, dtype=np.float32)
    weight = 0.0
    for octave in range(octaves):
        down = int(np.clip(round(cells[0] * 2**octave), 2, height))
        across = int(np.clip(round(cells[1] * 2**octave), 2, width))
        coarse = rng.uniform(-1, 1, (down, across)).astype(np.float32)
        total += as_floats(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)) * 0.55**octave
        weight += 0.55**octave
    return total / np.float32(weight)


def toned(colour: Sequence[float], tone: Floats) -> Pixels:
    """(H, W, 3): one colour, lighter and darker as ``tone`` (H, W) says (1 leaves it as it is)."""
    return as_pixels(cv2.merge([as_pixels(tone * np.float32(channel)) for channel in colour]))


def colour_from_hsv(hue: float, saturation: float, value: float) -> Colour:
    """Blue, green, red of a hue in degrees and a saturation and value from 0 to 1."""
    pixel = np.array([[[hue % 360, saturation, value]]], dtype=np.float32)
    blue, green, red = (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255).tolist()
    return blue, green, red


def scale_tone(image: Pixels, tone: Floats) -> Pixels:
    """``image`` (H, W, 3) times ``tone``, (H, W) or (H, W, 3), clipped."""
    factor = tone if tone.ndim == 3 else cv2.merge([tone, tone, tone])
    return as_pixels(cv2.multiply(image, factor, dtype=cv2.CV_8U))
