"""Arms with sleeves and hands, seen from above.

A hand's own origin is where its fingertips meet; the arm runs from there towards +y. It is drawn as two
sprites, fingers and thumb, so that a card can be held between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from capture.simulator._pixels import Colour, Pixels, as_floats, as_pixels, smooth_noise
from capture.simulator.camera import Extent
from capture.simulator.scene import Sprite
from capture.simulator.table import cloth_colour

SKINS: Final[tuple[Colour, ...]] = (
    (178, 198, 236),
    (160, 186, 228),
    (140, 170, 215),
    (120, 150, 200),
    (95, 130, 185),
    (70, 100, 155),
    (55, 78, 120),
    (40, 55, 88),
    (30, 40, 62),
)
"""Skin colours, blue-green-red, pale to dark."""

_EXTENT: Final = Extent(-105, -40, 210, 760)
"""What a hand with its arm may fill, in millimetres."""


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """One arm: ``fingers`` (with palm, forearm and sleeve) lies under a held card, ``thumb`` over it."""

    fingers: Sprite
    thumb: Sprite


@dataclass(slots=True, eq=False)
class _Brush:
    """Draws rounded limbs into one BGRA picture, each shaded from its edge to its middle."""

    art: Pixels
    scale: float
    mirrored: bool

    def limb(self, points: list[tuple[float, float]], widths: list[float], colour: Colour) -> None:
        """A chain through ``points`` (mm) with the thickness ``widths`` (mm) at each."""
        mask = np.zeros(self.art.shape[:2], dtype=np.uint8)
        placed = [self._pixel(x, y) for x, y in points]
        radii = [width * self.scale / 2 for width in widths]
        for (start, first), (end, second) in pairwise(zip(placed, radii, strict=True)):
            cv2.fillConvexPoly(mask, _tapered(start, end, first, second), (255,), cv2.LINE_AA, 4)
        self.fill(mask, max(radii), colour)

    def band(self, along: tuple[float, float], widths: tuple[float, float], colour: Colour) -> None:
        """A piece of sleeve, ``along`` from one to another mm down the arm, ``widths`` wide at its ends."""
        mask = np.zeros(self.art.shape[:2], dtype=np.uint8)
        (top, bottom), (narrow, wide) = along, widths
        outline = [
            (-narrow / 2, top),
            (0, top + 5),
            (narrow / 2, top),
            (wide / 2, bottom),
            (-wide / 2, bottom),
        ]
        points = np.array([self._pixel(x + 4, y) for x, y in outline])
        cv2.fillPoly(mask, [(points * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
        self.fill(mask, max(widths) * self.scale / 2, colour)

    def fill(self, mask: Pixels, radius: float, colour: Colour) -> None:
        """Lay one rounded part of one colour where ``mask`` is."""
        left, top, width, height = cv2.boundingRect(mask)
        if width == 0:
            return
        box = (slice(top, top + height), slice(left, left + width))
        part = np.ascontiguousarray(mask[box])
        inward = as_floats(cv2.distanceTransform(part, cv2.DIST_L2, 3)) / max(radius, 1.0)
        roundness = np.float32(0.6) + np.float32(0.4) * np.sqrt(np.clip(inward, 0, 1))
        alpha = part.astype(np.float32)[..., None] / 255
        shaded = roundness[..., None] * np.array(colour, dtype=np.float32)
        old = self.art[box].astype(np.float32)
        self.art[box][..., :3] = as_pixels(old[..., :3] * (1 - alpha) + shaded * alpha)
        self.art[box][..., 3] = np.maximum(self.art[box][..., 3], part)

    def nail(self, x: float, y: float, width: float, colour: Colour) -> None:
        """A finger nail around a point."""
        across, down = self._pixel(x, y)
        axes = (max(1, round(width * 0.3 * self.scale)), max(1, round(width * 0.42 * self.scale)))
        bright = tuple(min(255.0, channel * 1.08 + 14) for channel in colour)
        opaque = (*bright, 255.0)
        cv2.ellipse(self.art, (round(across), round(down)), axes, 0, 0, 360, opaque, -1, cv2.LINE_AA)

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        side = -x if self.mirrored else x
        return (side - _EXTENT.left) * self.scale, (y - _EXTENT.top) * self.scale


def _tapered(
    start: tuple[float, float], end: tuple[float, float], first: float, second: float
) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """The outline of two discs and what lies between them, in sixteenths of a pixel."""
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.concatenate([np.array(start) + circle * first, np.array(end) + circle * second])
    hull = cv2.convexHull((points * 16).astype(np.int32))
    return np.asarray(hull, dtype=np.int32)


def random_hand(
    rng: np.random.Generator,
    pixels_per_millimetre: float = 1.0,
    *,
    flat: bool | None = None,
    skin: Colour | None = None,
    sleeve: Colour | None = None,
) -> Hand:
    """A hand of a random person: skin, sleeve, left or right, gripping or (``flat``) lying open."""
    scale = float(np.clip(pixels_per_millimetre, 0.3, 1.5))
    shape = (round(_EXTENT.height * scale), round(_EXTENT.width * scale), 4)
    colour = skin if skin is not None else _skin(rng)
    spread = bool(rng.random() < 0.3) if flat is None else flat
    mirrored = bool(rng.random() < 0.35)
    below = _Brush(np.zeros(shape, dtype=np.uint8), scale, mirrored)
    above = _Brush(np.zeros(shape, dtype=np.uint8), scale, mirrored)
    _draw_arm(rng, below, colour)
    _draw_fingers(rng, below, colour, spread)
    _draw_sleeve(rng, below, sleeve if sleeve is not None else cloth_colour(rng))
    _draw_thumb(rng, above, colour, spread)
    _texture(rng, below.art)
    return Hand(_cropped(below.art, scale), _cropped(above.art, scale))


def _cropped(art: Pixels, scale: float) -> Sprite:
    """The sprite without what is transparent all around: most of a hand's picture is."""
    left, top, width, height = cv2.boundingRect(np.ascontiguousarray(art[..., 3]))
    extent = Extent(_EXTENT.left + left / scale, _EXTENT.top + top / scale, width / scale, height / scale)
    return Sprite.of(np.ascontiguousarray(art[top : top + height, left : left + width]), extent)


def _skin(rng: np.random.Generator) -> Colour:
    place = float(rng.uniform(0, len(SKINS) - 1))
    low = int(place)
    mixed = np.array(SKINS[low]) * (1 - place + low) + np.array(SKINS[min(low + 1, len(SKINS) - 1)]) * (
        place - low
    )
    blue, green, red = (mixed * rng.uniform(0.9, 1.08, 3)).tolist()
    return blue, green, red


def _draw_arm(rng: np.random.Generator, brush: _Brush, skin: Colour) -> None:
    wrist = float(rng.uniform(50, 64))
    elbow = float(rng.uniform(72, 95))
    brush.limb([(0, 125), (4, 400), (6, 715)], [wrist, elbow, elbow], skin)
    brush.limb([(-4, 75), (0, 128)], [float(rng.uniform(74, 86)), wrist * 1.02], skin)


def _draw_fingers(rng: np.random.Generator, brush: _Brush, skin: Colour, spread: bool) -> None:
    knuckles = [(34.0, 52.0), (12.0, 42.0), (-11.0, 40.0), (-33.0, 48.0)]
    if spread:
        tips = [(58.0, 2.0), (20.0, -24.0), (-14.0, -28.0), (-46.0, -12.0)]
    else:
        tips = [(21.0, 14.0), (9.0, 2.0), (-7.0, -2.0), (-22.0, 4.0)]
    for (x, y), (tip_x, tip_y) in zip(knuckles, tips, strict=True):
        tip = (tip_x + float(rng.normal(0, 3)), tip_y + float(rng.normal(0, 5)))
        bend = 0 if spread else 3
        middle = ((x + tip[0]) / 2 * 1.12, (y + tip[1]) / 2 - bend)
        width = float(rng.uniform(16, 19))
        shade = float(rng.uniform(0.94, 1.03))
        colour = (skin[0] * shade, skin[1] * shade, skin[2] * shade)
        brush.limb([(x * 0.95, y + 16), middle, tip], [width * 1.15, width, width * 0.82], colour)
        brush.nail(tip[0], tip[1] - 1, width * 0.8, colour)


def _draw_thumb(rng: np.random.Generator, brush: _Brush, skin: Colour, spread: bool) -> None:
    tip = (-66.0, 28.0) if spread else (-9.0 + float(rng.normal(0, 4)), 20.0 + float(rng.normal(0, 4)))
    joint = (-50.0, 58.0) if spread else (-34.0, 46.0)
    width = float(rng.uniform(18, 22))
    brush.limb([(-26, 96), joint, tip], [width * 1.3, width, width * 0.85], skin)
    brush.nail(tip[0], tip[1], width * 0.85, skin)


def _draw_sleeve(rng: np.random.Generator, brush: _Brush, colour: Colour) -> None:
    start = float(rng.choice([rng.uniform(125, 165), rng.uniform(165, 330), 620.0], p=[0.6, 0.28, 0.12]))
    if start > 600:
        return
    wide = float(rng.uniform(78, 112))
    wider = min(190.0, wide * float(rng.uniform(1.1, 1.6)))
    brush.band((start, 735), (wide, wider), colour)
    if rng.random() < 0.5:
        shade = float(rng.uniform(0.7, 1.25))
        cuff = (min(255, colour[0] * shade), min(255, colour[1] * shade), min(255, colour[2] * shade))
        brush.band((start, start + float(rng.uniform(12, 30))), (wide * 1.02, wide * 1.03), cuff)


def _texture(rng: np.random.Generator, art: Pixels) -> None:
    """Folds of cloth and the unevenness of skin."""
    size = (art.shape[0], art.shape[1])
    folds = 1 + np.float32(0.16) * smooth_noise(
        rng, size, (float(rng.uniform(8, 26)), float(rng.uniform(2, 5))), 2
    )
    art[..., :3] = as_pixels(art[..., :3] * folds[..., None])
