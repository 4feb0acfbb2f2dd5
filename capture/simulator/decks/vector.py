"""Drawing with filled and stroked outlines at several times the size, then brought down for clean edges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from PIL import ImageChops, ImageDraw

from capture.simulator.decks.deck import rounded_corners
from detector.types import Image

Colour = tuple[int, int, int]
"""Red, green, blue, each 0 to 255."""

Outline = npt.NDArray[np.float64]
"""The corners of a closed or open line, (N, 2), in the units of the card."""

CARD_WIDTH: Final = 240
CARD_HEIGHT: Final = 370
"""The size of every drawing in its own units: 57 x 88 mm, the bridge size that Dutch packs have."""

OVERSAMPLING: Final = 3
"""How many drawn pixels go into a pixel of the finished card, along each side."""

INK: Final[Colour] = (28, 24, 30)

_TOKENS: Final = re.compile(r"[MLQCZ]|-?\d*\.?\d+")
_CURVE_STEPS: Final = 14


def path(text: str) -> Outline:
    """The outline that an SVG path means: ``M``, ``L``, ``Q``, ``C`` and ``Z`` with absolute coordinates.

    Raises:
        ValueError: for another command, or when it doesn't start with ``M``.
    """
    tokens = _TOKENS.findall(text)
    if not tokens or tokens[0] != "M":
        raise ValueError(f"a path starts with M, not {text[:20]!r}")
    points: list[npt.NDArray[np.float64]] = []
    numbers: list[float] = []
    command = "M"
    for token in tokens:
        if token.isalpha():
            command = token
            continue
        numbers.append(float(token))
        if len(numbers) == {"M": 2, "L": 2, "Q": 4, "C": 6}[command]:
            controls = np.array(numbers).reshape(-1, 2)
            points.extend(_curve(np.vstack([points[-1], controls])) if command in "QC" else controls)
            numbers = []
    return np.array(points)


def _curve(controls: Outline) -> Outline:
    """Points on a Bezier curve with 3 or 4 controls, (N, 2), without its first."""
    steps = np.linspace(0, 1, _CURVE_STEPS + 1)[1:, None, None]
    level = np.broadcast_to(controls, (_CURVE_STEPS, *controls.shape))
    while level.shape[1] > 1:
        level = level[:, :-1] * (1 - steps) + level[:, 1:] * steps
    return level[:, 0]


def circle(x: float, y: float, radius: float, radius_down: float | None = None) -> Outline:
    """A circle, or an ellipse when ``radius_down`` is given."""
    angles = np.linspace(0, 2 * np.pi, 49)[:-1]
    down = radius if radius_down is None else radius_down
    return np.stack([x + radius * np.cos(angles), y + down * np.sin(angles)], axis=1)


def rectangle(left: float, top: float, right: float, bottom: float, radius: float = 0.0) -> Outline:
    """A rectangle, with round corners when ``radius`` is given."""
    if radius <= 0:
        return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    corners = []
    centres = [(right, bottom, -1, -1), (left, bottom, 1, -1), (left, top, 1, 1), (right, top, -1, 1)]
    for quarter, (x, y, inward_x, inward_y) in enumerate(centres):
        angles = np.linspace(quarter, quarter + 1, 9) * np.pi / 2
        centre = np.array([x + inward_x * radius, y + inward_y * radius])
        corners.append(centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.vstack(corners)


def mirrored(half: Outline, about: float = 0.0) -> Outline:
    """A closed outline from its right half, which starts and ends on the upright line x = ``about``."""
    other = half[::-1].copy()
    other[:, 0] = 2 * about - other[:, 0]
    return np.vstack([half, other])


def placed(outline: Outline, x: float, y: float, size: float, *, turned: bool = False) -> Outline:
    """``outline`` (drawn about the origin, one unit high) at (x, y), ``size`` high, half round when
    ``turned``.
    """
    placed_outline: Outline = outline * (-size if turned else size) + np.array([x, y])
    return placed_outline


class Canvas:
    """A sheet the size of a card, drawn in the card's units."""

    def __init__(
        self, width: int, paper: Colour, signs: Mapping[str, tuple[Outline, ...]] | None = None
    ) -> None:
        """Start a sheet of ``paper`` that becomes ``width`` pixels wide.

        signs: by suit, the outlines of its sign on this sheet, where they aren't the project's own.
        """
        self.width = width
        self.signs: Mapping[str, tuple[Outline, ...]] = signs or {}
        self.height = round(width * CARD_HEIGHT / CARD_WIDTH)
        self.scale = OVERSAMPLING * width / CARD_WIDTH
        size = (self.width * OVERSAMPLING, self.height * OVERSAMPLING)
        self.picture = PillowImage.new("RGB", size, paper)
        self._draw = ImageDraw.Draw(self.picture)

    def fill(self, outline: Outline, colour: Colour, line: float = 0.0, line_colour: Colour = INK) -> None:
        """Fill an outline, and draw its edge when ``line`` (a width) is given."""
        points = [(float(x), float(y)) for x, y in outline * self.scale]
        self._draw.polygon(points, fill=colour)
        if line > 0:
            self.stroke(np.vstack([outline, outline[:2]]), line_colour, line)

    def stroke(self, outline: Outline, colour: Colour, width: float) -> None:
        """Draw an open line."""
        points = [(float(x), float(y)) for x, y in outline * self.scale]
        self._draw.line(points, fill=colour, width=max(1, round(width * self.scale)), joint="curve")

    def glyphs(self, mask: PillowImage.Image, box: tuple[float, float, float, float], colour: Colour) -> None:
        """Fill ``mask`` (mode L), stretched into ``box`` (left, top, right, bottom), with a colour."""
        left, top, right, bottom = (round(value * self.scale) for value in box)
        fitted = mask.resize((max(1, right - left), max(1, bottom - top)), PillowImage.Resampling.LANCZOS)
        self.picture.paste(colour, (left, top), fitted)

    def within(self, outline: Outline) -> PillowImage.Image:
        """A mask (mode L) of what lies inside an outline."""
        mask = PillowImage.new("L", self.picture.size, 0)
        points = [(float(x), float(y)) for x, y in outline * self.scale]
        ImageDraw.Draw(mask).polygon(points, fill=255)
        return mask

    def paste(self, other: Canvas, mask: PillowImage.Image) -> None:
        """Copy what ``other`` shows inside ``mask``."""
        self.picture.paste(other.picture, (0, 0), mask)

    def paste_both_ways(self, other: Canvas, upper: Outline) -> None:
        """Copy what ``other`` shows inside ``upper``, and the same turned half round."""
        half_round = PillowImage.Transpose.ROTATE_180
        mask = self.within(upper)
        self.picture.paste(other.picture, (0, 0), mask)
        turned_mask = ImageChops.subtract(mask.transpose(half_round), mask)
        self.picture.paste(other.picture.transpose(half_round), (0, 0), turned_mask)

    def finished(self) -> Image:
        """The card, (H, W, 4) uint8 BGRA, with round corners."""
        small = self.picture.resize((self.width, self.height), PillowImage.Resampling.BOX)
        bgra = cv2.cvtColor(np.asarray(small), cv2.COLOR_RGB2BGRA)
        return rounded_corners(np.asarray(bgra, dtype=np.uint8))
