"""Marks by which one card's back can be told from the others: from a dot of 2 mm to another pack's card.

Sizes are of the mark itself, in millimetres on a card 57 mm wide. A mark is made so that a player would see
it: where it changes the print by less than :data:`LEAST_CONTRAST` grey levels it is made in another ink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator._pixels import Floats, as_floats, as_pixels, smooth_noise
from detector.types import Image

LEAST_CONTRAST: Final = 45.0
"""Grey levels of 255, in the channel that changes most, on average over the mark."""

_CARD_MILLIMETRES: Final = 57.0
_INKS: Final = ((24, 20, 22), (120, 40, 20), (30, 24, 170), (245, 245, 245), (60, 120, 30))
"""Blue, green, red of a black, a blue, a red, a white (correction fluid) and a green pen."""


class MarkKind(Enum):
    """What was done to the card, or has happened to it."""

    DOT = "dot"
    LINE = "line"
    SCRATCH = "scratch"
    STAIN = "stain"
    BENT_CORNER = "bent corner"
    CLIPPED_CORNER = "clipped corner"
    FADED = "faded"
    OTHER_PRINT = "other print"


@dataclass(frozen=True, slots=True, eq=False)
class MarkedBack:
    """A back with a mark.

    image: (H, W, 4) uint8 BGRA. centre: (x, y) of the mark as shares of width and height.
    size: millimetres: the diameter of a dot or stain, the thickness of a line or scratch, the leg of a
        corner; for a card that is faded or of another print, the card's width.
    """

    image: Image
    kind: MarkKind
    centre: tuple[float, float]
    size: float


def random_mark(
    rng: np.random.Generator, back: Image, other: Image, *, size: float | None = None
) -> MarkedBack:
    """Mark ``back``, (H, W, 4) uint8 BGRA. ``other`` is another pack's back, the same size.

    size: millimetres; by default from 2 mm up, small ones as often as large ones.
    """
    kinds = [kind for kind in MarkKind if size is None or kind not in _WHOLE]
    kind = kinds[int(rng.integers(len(kinds)))]
    return mark(rng, back, other, kind, size=size)


def mark(
    rng: np.random.Generator, back: Image, other: Image, kind: MarkKind, *, size: float | None = None
) -> MarkedBack:
    """Put a mark of a given kind on ``back``; see :func:`random_mark`."""
    if kind is MarkKind.OTHER_PRINT:
        return MarkedBack(other.copy(), kind, (0.5, 0.5), _CARD_MILLIMETRES)
    if kind is MarkKind.FADED:
        return MarkedBack(_faded(rng, back), kind, (0.5, 0.5), _CARD_MILLIMETRES)
    chosen = float(np.exp(rng.uniform(np.log(2.0), np.log(5.0)))) if size is None else size
    draw = _DRAWN[kind]
    image, centre = draw(rng, back, chosen)
    return MarkedBack(image, kind, centre, chosen)


_Points = npt.NDArray[np.floating[Any]]
_Drawn = tuple[Image, tuple[float, float]]


def _dot(rng: np.random.Generator, back: Image, size: float) -> _Drawn:
    place = _random_place(rng, back)
    mask = _blank(back)
    _disc(mask, place, size * _pixels_per_millimetre(back) / 2)
    return _inked(rng, back, mask), _share(back, place)


def _line(rng: np.random.Generator, back: Image, size: float) -> _Drawn:
    """A stroke of a felt pen, three to eight times as long as it is thick."""
    return _stroke(rng, back, size, float(rng.uniform(3, 8)))


def _scratch(rng: np.random.Generator, back: Image, size: float) -> _Drawn:
    """The print is gone along a line: paper shows, with ragged edges."""
    place = _random_place(rng, back)
    mask = _blank(back)
    way = _direction(rng) * size * _pixels_per_millimetre(back) * float(rng.uniform(3, 8)) / 2
    points = np.array(place) + np.outer(np.linspace(-1, 1, 12), way)
    wobble = 0.12 * size * _pixels_per_millimetre(back)
    points = points + rng.normal(0, wobble, points.shape)
    _polyline(mask, points, size * _pixels_per_millimetre(back))
    paper = (235.0, 240.0, 242.0)
    changed = _mixed(back, mask, paper)
    if _contrast(back, changed, mask) < LEAST_CONTRAST:  # bare paper on a light print: dirt settles in it
        changed = _mixed(back, mask, (70.0, 80.0, 90.0))
    return changed, _share(back, place)


def _stain(rng: np.random.Generator, back: Image, size: float) -> _Drawn:
    """Coffee, beer, grease: an uneven blot, twice as wide as a dot of the same name, darker at its rim."""
    place = _random_place(rng, back)
    radius = size * _pixels_per_millimetre(back)
    angles = np.linspace(0, 2 * np.pi, 25)[:-1]
    radii = radius * (1 + 0.25 * rng.uniform(-1, 1, 24))
    radii = (radii + np.roll(radii, 1) + np.roll(radii, -1)) / 3
    outline = np.array(place) + np.column_stack([np.cos(angles), np.sin(angles)]) * radii[:, None]
    mask = _blank(back)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    tone = rng.choice(np.array([[30, 60, 95], [60, 110, 150], [40, 40, 40]]))
    strength = float(rng.uniform(0.5, 0.85))
    for share in (strength, 1.0):
        changed = _mixed(back, as_pixels(mask.astype(np.float32) * share), tuple(tone))
        if _contrast(back, changed, mask) >= LEAST_CONTRAST:
            return changed, _share(back, place)
    return _mixed(back, mask, (200.0, 225.0, 230.0)), _share(back, place)


def _bent_corner(rng: np.random.Generator, back: Image, size: float) -> _Drawn:
    """A corner folded once: a crease with a bright and a dark side, and the corner in another light."""
    size = max(size, 2.0) * 1.5
    corner, inward = _random_corner(rng, back)
    leg = (size + 2.0) * _pixels_per_millimetre(back)
    one, two = corner + inward * (leg, 0), corner + inward * (0, leg)
    mask = _blank(back)
    cv2.fillConvexPoly(mask, np.round(np.stack([corner, one, two])).astype(np.int32), 255, cv2.LINE_AA)
    lighter = bool(rng.random() < 0.5)
    grey = back[..., :3].mean()
    lighter = lighter if 60 < grey < 200 else grey <= 60
    shade = np.float32(rng.uniform(1.35, 1.6) if lighter else rng.uniform(0.4, 0.6))
    alpha = mask[..., None].astype(np.float32) / 255
    colours = back[..., :3].astype(np.float32) * (1 + (shade - 1) * alpha)
    image = np.dstack([as_pixels(colours), back[..., 3]])
    crease = _blank(back)
    _polyline(crease, np.stack([one, two]), 0.7 * _pixels_per_millimetre(back))
    image = _mixed(image, crease, (225.0, 230.0, 232.0) if not lighter else (60.0, 60.0, 60.0))
    return image, _share(back, corner + inward * leg / 3)


def _clipped_corner(rng: np.random.Generator, back: Image, size: float) -> _Drawn:
    """A corner cut off straight, ``size`` millimetres beyond what its rounding takes."""
    corner, inward = _random_corner(rng, back)
    leg = (size + 2.0) * _pixels_per_millimetre(back)
    one, two = corner + inward * (leg, 0), corner + inward * (0, leg)
    mask = _blank(back)
    outside = corner - inward * 2
    cv2.fillConvexPoly(
        mask,
        np.round(
            np.stack([outside, one - inward * (0, 2), one, two, two - inward * (2, 0)])
        ).astype(np.int32),
        255,
        cv2.LINE_AA,
    )  # fmt: skip
    image = back.copy()
    image[..., 3] = np.minimum(image[..., 3], 255 - mask)
    return image, _share(back, corner + inward * leg / 3)


def _stroke(rng: np.random.Generator, back: Image, size: float, times_longer: float) -> _Drawn:
    place = _random_place(rng, back)
    mask = _blank(back)
    thickness = size * _pixels_per_millimetre(back)
    way = _direction(rng) * thickness * times_longer / 2
    _polyline(mask, np.stack([np.array(place) - way, np.array(place) + way]), thickness)
    return _inked(rng, back, mask), _share(back, place)


_DRAWN: Final[dict[MarkKind, Callable[[np.random.Generator, Image, float], _Drawn]]] = {
    MarkKind.DOT: _dot,
    MarkKind.LINE: _line,
    MarkKind.SCRATCH: _scratch,
    MarkKind.STAIN: _stain,
    MarkKind.BENT_CORNER: _bent_corner,
    MarkKind.CLIPPED_CORNER: _clipped_corner,
}
_WHOLE: Final = (MarkKind.FADED, MarkKind.OTHER_PRINT)


def _faded(rng: np.random.Generator, back: Image) -> Image:
    """The ink has gone by a quarter to a half, everywhere and not quite evenly."""
    left = 1 - float(rng.uniform(0.25, 0.5))
    even = smooth_noise(rng, (back.shape[0], back.shape[1]), (3, 3))
    share = as_floats(left + 0.06 * even)[..., None]
    colours = back[..., :3].astype(np.float32)
    paper = np.array([225, 232, 236], dtype=np.float32)
    return np.dstack([as_pixels(paper + (colours - paper) * share), back[..., 3]])


def _inked(rng: np.random.Generator, back: Image, mask: Image) -> Image:
    """``back`` with ``mask`` filled in by a pen that shows on it."""
    for index in rng.permutation(len(_INKS)):
        changed = _mixed(back, mask, _INKS[index])
        if _contrast(back, changed, mask) >= LEAST_CONTRAST:
            break
    return changed


def _mixed(back: Image, mask: Image, colour: tuple[float, ...]) -> Image:
    alpha = as_floats(mask[..., None]) / 255
    colours = as_floats(back[..., :3]) * (1 - alpha) + as_floats(np.array(colour)) * alpha
    return np.dstack([as_pixels(np.rint(colours)), back[..., 3]])


def _contrast(back: Image, changed: Image, mask: Image) -> float:
    inside = mask > 127
    if not inside.any():
        return 0.0
    change = np.abs(back[inside][:, :3].astype(np.float32) - changed[inside][:, :3].astype(np.float32))
    return float(change.mean(axis=0).max())


def _blank(back: Image) -> Image:
    return np.zeros(back.shape[:2], dtype=np.uint8)


def _pixels_per_millimetre(back: Image) -> float:
    return float(back.shape[1] / _CARD_MILLIMETRES)


def _random_place(rng: np.random.Generator, back: Image) -> tuple[float, float]:
    """At least 4 mm from every edge."""
    height, width = back.shape[:2]
    inset = 4.0 * _pixels_per_millimetre(back)
    return float(rng.uniform(inset, width - inset)), float(rng.uniform(inset, height - inset))


def _random_corner(rng: np.random.Generator, back: Image) -> tuple[Floats, Floats]:
    """A corner, and the way (x, y) of 1 or -1 that leads from it into the card."""
    right, bottom = (int(value) for value in rng.integers(0, 2, 2))
    height, width = back.shape[:2]
    corner = np.array([right * (width - 1), bottom * (height - 1)], dtype=np.float32)
    return corner, np.array([1 - 2 * right, 1 - 2 * bottom], dtype=np.float32)


def _direction(rng: np.random.Generator) -> Floats:
    angle = float(rng.uniform(0, np.pi))
    return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)


def _share(back: Image, place: tuple[float, float] | _Points) -> tuple[float, float]:
    return float(place[0]) / back.shape[1], float(place[1]) / back.shape[0]


def _disc(mask: Image, place: tuple[float, float], radius: float) -> None:
    centre = (round(place[0] * 16), round(place[1] * 16))
    cv2.circle(mask, centre, round(radius * 16), 255, -1, cv2.LINE_AA, 4)


def _polyline(mask: Image, points: _Points, thickness: float) -> None:
    fixed = np.round(points * 16).astype(np.int32)
    cv2.polylines(mask, [fixed], False, 255, max(1, round(thickness)), cv2.LINE_AA, 4)
