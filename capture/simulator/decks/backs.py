"""The backs of the project's own pack: one mirror-printed, one with an advertisement."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Final

import numpy as np

from capture.simulator.decks.indices import draw_text
from capture.simulator.decks.suits import draw_suit
from capture.simulator.decks.vector import (
    CARD_HEIGHT,
    CARD_WIDTH,
    Canvas,
    Colour,
    circle,
    path,
    rectangle,
)
from detector.types import Image

_PAPER: Final[Colour] = (250, 249, 244)


class OwnBack(Enum):
    """What is on the back of the own pack."""

    MIRROR_PRINTED = "mirror-printed"
    ONE_WAY = "one-way"


class BackColour(Enum):
    """The ink of an own back."""

    BLUE = "blue"
    RED = "red"
    GREEN = "green"


_INKS: Final[dict[BackColour, tuple[Colour, Colour, Colour]]] = {
    BackColour.BLUE: ((28, 62, 140), (120, 158, 214), (236, 196, 92)),
    BackColour.RED: ((168, 26, 40), (230, 138, 130), (244, 206, 110)),
    BackColour.GREEN: ((20, 92, 66), (128, 186, 146), (238, 214, 128)),
}
"""Dark, light and accent of each."""


@lru_cache(maxsize=32)
def draw_back(back: OwnBack, colour: BackColour = BackColour.BLUE, width: int = 240) -> Image:
    """Draw a back, (H, W, 4) uint8 BGRA, read-only. The mirror-printed one is the same turned half round, to
    the bit.
    """
    canvas = Canvas(width, _PAPER)
    if back is OwnBack.MIRROR_PRINTED:
        _draw_lattice(canvas, *_INKS[colour])
        image = made_symmetric(canvas.finished())
    else:
        _draw_advertisement(canvas, *_INKS[colour])
        image = canvas.finished()
    image.flags.writeable = False
    return image


def made_symmetric(image: Image) -> Image:
    """``image``, (H, W, C), with its lower half replaced by the upper half turned round."""
    height, width = image.shape[:2]
    result = image.copy()
    result[height - height // 2 :] = image[: height // 2][::-1, ::-1]
    if height % 2:
        middle = height // 2
        result[middle, width - width // 2 :] = image[middle, : width // 2][::-1]
    return result


def _draw_lattice(canvas: Canvas, dark: Colour, light: Colour, accent: Colour) -> None:
    """A lattice of lozenges with clovers in them, a border, and a medallion in the middle."""
    field = rectangle(15, 15, CARD_WIDTH - 15, CARD_HEIGHT - 15, 8)
    pattern = Canvas(canvas.width, dark)
    step = 30.0
    for offset in np.arange(-16, 17) * step:
        for slope in (-1, 1):
            x = CARD_WIDTH / 2 + offset
            line = np.array([[x - 185 * slope, 0.0], [x + 185 * slope, float(CARD_HEIGHT)]])
            pattern.stroke(line, light, 3.2)
            pattern.stroke(line, dark, 1.0)
    for row in range(-13, 14):
        for column in range(-9, 10):
            if (row + column) % 2:
                x, y = CARD_WIDTH / 2 + column * step / 2, CARD_HEIGHT / 2 + row * step / 2
                draw_suit(pattern, "C", x, y, 11, _PAPER, turned=row > 0)
    canvas.paste(pattern, canvas.within(field))
    for inset, width, ink in ((15.0, 5.0, dark), (20.5, 2.0, _PAPER), (24.0, 3.0, accent)):
        edge = rectangle(inset, inset, CARD_WIDTH - inset, CARD_HEIGHT - inset, 7)
        canvas.stroke(np.vstack([edge, edge[:2]]), ink, width)
    _draw_medallion(canvas, dark, light, accent)


def _draw_medallion(canvas: Canvas, dark: Colour, light: Colour, accent: Colour) -> None:
    """An eye in a rosette with a clover above and below it."""
    x, y = CARD_WIDTH / 2, CARD_HEIGHT / 2
    for angle in np.arange(12) * np.pi / 6:
        canvas.fill(circle(x + 50 * np.cos(angle), y + 50 * np.sin(angle), 16), _PAPER, 2.2, dark)
    canvas.fill(circle(x, y, 54), _PAPER)
    canvas.fill(circle(x, y, 48), dark)
    canvas.fill(circle(x, y, 44), light)
    canvas.fill(circle(x, y, 42), _PAPER)
    eye = path(f"M {x - 36},{y} C {x - 18},{y - 25} {x + 18},{y - 25} {x + 36},{y}"
               f" C {x + 18},{y + 25} {x - 18},{y + 25} {x - 36},{y}")  # fmt: skip
    canvas.fill(eye, light, 2.6, dark)
    canvas.fill(circle(x, y, 16), dark)
    canvas.fill(circle(x, y, 11.5), accent)
    canvas.fill(circle(x, y, 6.5), dark)
    draw_suit(canvas, "C", x, y - 29, 17, dark)
    draw_suit(canvas, "C", x, y + 29, 17, dark, turned=True)


def _draw_advertisement(canvas: Canvas, dark: Colour, light: Colour, accent: Colour) -> None:
    """The card of a café that exists nowhere: its sign, its name, and when one plays there."""
    field = rectangle(13, 13, CARD_WIDTH - 13, CARD_HEIGHT - 13, 9)
    canvas.fill(field, dark)
    edge = rectangle(19, 19, CARD_WIDTH - 19, CARD_HEIGHT - 19, 6)
    canvas.stroke(np.vstack([edge, edge[:2]]), accent, 2.0)
    _draw_house_sign(canvas, dark, light, accent)
    # Pillow's own font has no É: the accent is a stroke.
    draw_text(canvas, "CAFE", (80, 208, 160, 226), accent, boldness=0.01)
    canvas.stroke(np.array([[141.0, 205.5], [147.0, 201.0]]), accent, 2.6)
    draw_text(canvas, "'t Scheve", (38, 234, 202, 262), _PAPER, boldness=0.02)
    draw_text(canvas, "Aasje", (62, 267, 178, 303), _PAPER, boldness=0.02)
    canvas.stroke(np.array([[52.0, 313.0], [188.0, 313.0]]), accent, 1.6)
    draw_text(canvas, "klaverjassen op dinsdag", (36, 320, 204, 332), light)
    for x in (34.0, CARD_WIDTH - 34.0):
        draw_suit(canvas, "C", x, 36, 16, accent)


def _draw_house_sign(canvas: Canvas, dark: Colour, light: Colour, accent: Colour) -> None:
    """A glass of beer with a leaning ace of hearts behind it, on a round board."""
    canvas.fill(circle(120, 116, 78), accent)
    canvas.fill(circle(120, 116, 73), _PAPER)
    canvas.fill(circle(120, 116, 69), light)
    angle = np.deg2rad(17)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    ace = (rectangle(-31, -47, 31, 47, 5)) @ turn + np.array([142.0, 112.0])
    canvas.fill(ace, _PAPER, 2.0, dark)
    draw_suit(canvas, "H", 148, 112, 32, (196, 30, 44))
    glass = path("M 72,92 L 124,92 L 118,170 L 78,170")
    canvas.fill(glass, (238, 178, 58), 2.6, dark)
    for x in (86.0, 98.0, 110.0):
        canvas.stroke(np.array([[x, 104.0], [98 + (x - 98) * 0.8, 164.0]]), (250, 214, 120), 3.0)
    for x, y, radius in ((76, 90, 10), (90, 84, 12), (106, 83, 12), (120, 90, 10), (98, 92, 12)):
        canvas.fill(circle(x, y, radius), _PAPER)
    canvas.stroke(path("M 120,108 C 140,106 140,146 117,146"), dark, 6.0)
