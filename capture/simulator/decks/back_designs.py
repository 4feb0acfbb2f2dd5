"""Backs of packs that exist nowhere, as many as wanted: each mirror-printed or one-way, some only just so.

A design is drawn, then its upper half is put turned round on its lower half: that is what a mirror-printed
back is. What makes a back one-way comes on top: an advertisement, a small logo, a line of text, a border
that has one line more at one end, an ornament that one corner lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from PIL import Image as PillowImage

from capture.simulator._pixels import as_floats, colour_from_hsv, smooth_noise
from capture.simulator.decks.backs import made_symmetric
from capture.simulator.decks.deck import rounded_corners
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

_HALF_TURN: Final = PillowImage.Transpose.ROTATE_180

_UNIT: Final = CARD_WIDTH / 57.0
"""Units of a drawing in a millimetre."""

_WORDS: Final = (
    "CAFE HET ANKER", "DE KLAVER", "Jansen & Zn", "BROUWERIJ", "Slagerij Pot", "1898", "VAN DIJK",
    "Bar Botje", "TEXTIEL", "Hotel Zon", "KV DE BOER", "TABAK", "Groeten", "RADIO 5", "SPORTHAL",
)  # fmt: skip
_ONE_WAY_SIGNS: Final = "AVTJBFKPR47"
_TURNABLE_SIGNS: Final = "SZNHXO8"
"""Signs that look much the same upside down: in the middle of a mirror-printed back the hardest case."""


@dataclass(frozen=True, slots=True, eq=False)
class PrintedBack:
    """A pack's back.

    image: (H, W, 4) uint8 BGRA. one_way: whether it can be told which end is up.
    design: a word for what it shows; difference: what makes it one-way, or how it was made symmetric.
    """

    image: Image
    one_way: bool
    design: str
    difference: str


@dataclass(frozen=True, slots=True)
class _Inks:
    dark: Colour
    light: Colour
    accent: Colour
    paper: Colour


_Draw = Callable[[np.random.Generator, Canvas, _Inks], None]


def random_back(rng: np.random.Generator, *, one_way: bool, width: int = 240) -> PrintedBack:
    """Draw a back, ``width`` pixels wide; the same generator state gives the same back."""
    inks = _random_inks(rng)
    name, draw = _DESIGNS[int(rng.integers(len(_DESIGNS)))]
    canvas = Canvas(width, inks.paper)
    draw(rng, canvas, inks)
    _frame(rng, canvas, inks, name)
    whole_picture = one_way and name in ("photo", "curls") and rng.random() < 0.5
    image = canvas.finished()
    if not whole_picture:
        image = made_symmetric(image)
    if whole_picture:
        difference = "the whole picture"
    else:
        difference, adding = _addition(rng, one_way=one_way)
        image = _printed_over(rng, image, inks, adding)
    return PrintedBack(_off_centre(rng, image), one_way, name, difference)


def _random_inks(rng: np.random.Generator) -> _Inks:
    hue = float(rng.uniform(0, 360))
    other = hue + float(rng.choice([0, 30, 120, 180, 210])) + float(rng.normal(0, 10))
    dark = colour_from_hsv(hue, float(rng.uniform(0.4, 1)), float(rng.uniform(0.2, 0.75)))
    light = colour_from_hsv(hue, float(rng.uniform(0.05, 0.5)), float(rng.uniform(0.7, 1)))
    accent = colour_from_hsv(other, float(rng.uniform(0.3, 1)), float(rng.uniform(0.4, 1)))
    white = float(rng.uniform(232, 255))
    return _Inks(_rgb(dark), _rgb(light), _rgb(accent), (round(white), round(white), 244))


def _rgb(colour: tuple[float, float, float]) -> Colour:
    blue, green, red = colour
    return round(red), round(green), round(blue)


# What the whole back shows


def _lattice(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    _flood(canvas, inks.dark if rng.random() < 0.6 else inks.light)
    step = float(rng.uniform(1.8, 8)) * _UNIT
    steepness = float(rng.uniform(0.5, 2))
    ink = inks.light if rng.random() < 0.6 else inks.paper
    for offset in np.arange(-60, 61) * step:
        for slope in (-1, 1):
            middle = CARD_WIDTH / 2 + offset
            reach = CARD_HEIGHT / 2 / steepness
            line = np.array([[middle - reach * slope, 0.0], [middle + reach * slope, float(CARD_HEIGHT)]])
            canvas.stroke(line, ink, max(0.7, step * 0.16))


def _stripes(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    _flood(canvas, inks.light)
    step = float(rng.uniform(2, 9)) * _UNIT
    angle = float(rng.uniform(0, np.pi))
    along = np.array([np.cos(angle), np.sin(angle)]) * 400
    across = np.array([-np.sin(angle), np.cos(angle)])
    middle = np.array([CARD_WIDTH, CARD_HEIGHT]) / 2
    for index in range(-60, 61):
        at = middle + across * step * index
        canvas.stroke(
            np.array([at - along, at + along]), inks.dark if index % 2 else inks.accent, step * 0.45
        )


def _scattered(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    _flood(canvas, inks.dark if rng.random() < 0.7 else inks.paper)
    ink = inks.light if rng.random() < 0.7 else inks.accent
    step = float(rng.uniform(3, 9)) * _UNIT
    suit = str(rng.choice(list("CDHS")))
    round_ones = bool(rng.random() < 0.4)
    for row in range(-40, 41):
        for column in range(-40, 41):
            x = CARD_WIDTH / 2 + (column + 0.5 * (row % 2)) * step
            y = CARD_HEIGHT / 2 + row * step * 0.8
            if not (0 < x < CARD_WIDTH and 0 < y < CARD_HEIGHT):
                continue
            if round_ones:
                canvas.fill(circle(x, y, step * 0.22), ink)
            else:
                draw_suit(canvas, suit, x, y, step * 0.6, ink)


def _solid(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    _flood(canvas, inks.dark if rng.random() < 0.7 else inks.accent)


def _curls(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    _flood(canvas, inks.dark)
    for _ in range(int(rng.integers(25, 70))):
        x, y = rng.uniform(0, CARD_WIDTH), rng.uniform(0, CARD_HEIGHT)
        points = [f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in rng.normal(0, 30, (3, 2))]
        ink = inks.light if rng.random() < 0.7 else inks.accent
        canvas.stroke(path(f"M {x:.1f},{y:.1f} C {' '.join(points)}"), ink, float(rng.uniform(1, 5)))
        if rng.random() < 0.4:
            canvas.fill(circle(x, y, float(rng.uniform(2, 8))), ink)


def _photo(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    size = (canvas.picture.height, canvas.picture.width)
    first, second, third = (np.array(ink, dtype=np.float32) for ink in (inks.dark, inks.light, inks.accent))
    clouds = [smooth_noise(rng, size, (float(rng.uniform(2, 9)),) * 2, 5) for _ in range(2)]
    one, two = (1 / (1 + np.exp(-cloud[..., None] * 6)) for cloud in clouds)
    picture = as_floats((first * one + second * (1 - one)) * two + third * (1 - two))
    canvas.picture.paste(PillowImage.fromarray(picture.astype(np.uint8)))


def _rosette(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    _flood(canvas, inks.light if rng.random() < 0.5 else inks.dark)
    petals = 2 * int(rng.integers(4, 16))
    for ring in range(int(rng.integers(4, 12)), 0, -1):
        radius = ring * float(rng.uniform(14, 24))
        ink = (inks.dark, inks.light, inks.accent, inks.paper)[ring % 4]
        angles = np.linspace(0, 2 * np.pi, 241)[:-1]
        waves = radius * (1 + 0.12 * np.cos(petals * angles))
        outline = np.column_stack(
            [CARD_WIDTH / 2 + waves * np.cos(angles), CARD_HEIGHT / 2 + 1.3 * waves * np.sin(angles)]
        )
        canvas.fill(outline, ink)


def _checks(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    _flood(canvas, inks.light)
    step = float(rng.uniform(2.5, 9)) * _UNIT
    for row in range(-50, 50):
        for column in range(-30, 30):
            if (row + column) % 2 == 0:
                x, y = CARD_WIDTH / 2 + column * step, CARD_HEIGHT / 2 + row * step
                if -step < x < CARD_WIDTH and -step < y < CARD_HEIGHT:
                    canvas.fill(rectangle(x, y, x + step, y + step), inks.dark)


_DESIGNS: Final[tuple[tuple[str, _Draw], ...]] = (
    ("lattice", _lattice),
    ("stripes", _stripes),
    ("scattered", _scattered),
    ("solid", _solid),
    ("curls", _curls),
    ("photo", _photo),
    ("rosette", _rosette),
    ("checks", _checks),
)


def _flood(canvas: Canvas, colour: Colour) -> None:
    canvas.fill(rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT), colour)


def _frame(rng: np.random.Generator, canvas: Canvas, inks: _Inks, design: str) -> None:
    """A border of bare paper around the print, as nearly every pack has, and lines along it."""
    if design != "solid" and rng.random() < 0.12:
        return
    border = float(rng.uniform(2, 5)) * _UNIT
    sheet = Canvas(canvas.width, inks.paper)
    field = rectangle(border, border, CARD_WIDTH - border, CARD_HEIGHT - border, float(rng.uniform(0, 9)))
    sheet.paste(canvas, sheet.within(field))
    for _ in range(int(rng.integers(0, 3))):
        inset = border + float(rng.uniform(0, 3)) * _UNIT
        edge = rectangle(inset, inset, CARD_WIDTH - inset, CARD_HEIGHT - inset, 5)
        ink = inks.accent if rng.random() < 0.5 else inks.paper
        sheet.stroke(np.vstack([edge, edge[:2]]), ink, float(rng.uniform(1, 4)))
    canvas.paste(sheet, sheet.within(rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT)))


# What makes it one-way, or is printed both ways

_Addition = Callable[[np.random.Generator, Canvas, _Inks], None]


def _addition(rng: np.random.Generator, *, one_way: bool) -> tuple[str, tuple[_Addition, ...] | _Addition]:
    """What is printed over the pattern: on a one-way back once, on another twice or so that turning shows
    nothing.
    """
    if one_way:
        name, draw = _ONCE[int(rng.integers(len(_ONCE)))]
        return name, draw
    drawn = float(rng.random())
    if drawn < 0.3:
        return "nothing over it", ()
    if drawn < 0.5:
        return "a sign that looks the same turned", _turnable_sign
    name, draw = _ONCE[int(rng.integers(len(_ONCE)))]
    return f"{name}, and the same turned", (draw,)


def _printed_over(
    rng: np.random.Generator, image: Image, inks: _Inks, adding: tuple[_Addition, ...] | _Addition
) -> Image:
    """A tuple is printed upright and turned, a function once."""
    if not isinstance(adding, tuple):
        return _overprint(rng, image, inks, adding)
    for draw in adding:
        image = made_symmetric(_overprint(rng, image, inks, draw)[::-1, ::-1])
    return image


def _overprint(rng: np.random.Generator, image: Image, inks: _Inks, draw: _Addition) -> Image:
    canvas = Canvas(image.shape[1], inks.paper)
    large = cv2.resize(image, canvas.picture.size, interpolation=cv2.INTER_LINEAR)
    canvas.picture.paste(PillowImage.fromarray(cv2.cvtColor(large, cv2.COLOR_BGRA2RGB)))
    draw(rng, canvas, inks)
    return canvas.finished()


def _advertisement(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    """A large plate below the middle with a sign and a name."""
    canvas.fill(rectangle(34, 195, CARD_WIDTH - 34, 318, 10), inks.paper, 2.0, inks.dark)
    draw_text(canvas, str(rng.choice(list(_ONE_WAY_SIGNS))), (90, 205, 150, 262), inks.dark, boldness=0.05)
    draw_text(canvas, str(rng.choice(_WORDS)), (46, 274, 194, 302), inks.dark, boldness=0.02)


def _line_of_text(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    """One line of letters, 4 mm high and more, on a strip below the middle."""
    top = float(rng.uniform(200, 310))
    height = float(rng.uniform(4, 7)) * _UNIT
    canvas.fill(rectangle(36, top - 4, CARD_WIDTH - 36, top + height + 4), inks.paper)
    draw_text(
        canvas, str(rng.choice(_WORDS)), (40, top, CARD_WIDTH - 40, top + height), inks.dark, boldness=0.03
    )


def _small_logo(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    """A disc of 9 mm and more with one sign in it, somewhere in the lower half."""
    radius = float(rng.uniform(4.5, 9)) * _UNIT
    x = float(rng.uniform(radius + 24, CARD_WIDTH - radius - 24))
    y = float(rng.uniform(CARD_HEIGHT / 2 + radius, CARD_HEIGHT - radius - 24))
    canvas.fill(circle(x, y, radius), inks.paper, 1.5, inks.dark)
    box = (x - radius * 0.55, y - radius * 0.6, x + radius * 0.55, y + radius * 0.6)
    draw_text(canvas, str(rng.choice(list(_ONE_WAY_SIGNS))), box, inks.dark, boldness=0.06)


def _middle_sign(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    """One sign in a round field in the middle, which alone says which end is up."""
    _medallion(canvas, inks, str(rng.choice(list(_ONE_WAY_SIGNS))), float(rng.uniform(7, 14)) * _UNIT)


def _turnable_sign(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    """A sign in the middle that is the same upside down; made exactly so."""
    _medallion(canvas, inks, str(rng.choice(list(_TURNABLE_SIGNS))), float(rng.uniform(7, 14)) * _UNIT)
    size = canvas.picture.size
    upper = canvas.picture.crop((0, 0, size[0], size[1] // 2))
    canvas.picture.paste(upper.transpose(_HALF_TURN), (0, size[1] - size[1] // 2))


def _medallion(canvas: Canvas, inks: _Inks, sign: str, radius: float) -> None:
    x, y = CARD_WIDTH / 2, CARD_HEIGHT / 2
    canvas.fill(circle(x, y, radius), inks.paper, 2.0, inks.dark)
    box = (x - radius * 0.6, y - radius * 0.65, x + radius * 0.6, y + radius * 0.65)
    draw_text(canvas, sign, box, inks.dark, boldness=0.06)


def _line_at_one_end(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    """The border has a bar of 1.5 mm and more at one end."""
    thick = float(rng.uniform(1.5, 3)) * _UNIT
    inset = float(rng.uniform(6, 9)) * _UNIT
    at = CARD_HEIGHT - inset
    ends = float(rng.uniform(24, 60))
    canvas.fill(rectangle(ends, at - thick / 2, CARD_WIDTH - ends, at + thick / 2), inks.paper)
    canvas.fill(rectangle(ends + 2, at - thick / 3, CARD_WIDTH - ends - 2, at + thick / 3), inks.dark)


def _odd_corner(rng: np.random.Generator, canvas: Canvas, inks: _Inks) -> None:
    """Ornaments of 5 mm and more in the corners; at one end they are others."""
    radius = float(rng.uniform(2.5, 4.5)) * _UNIT
    inset = radius + float(rng.uniform(5, 7)) * _UNIT
    for x in (inset, CARD_WIDTH - inset):
        canvas.fill(circle(x, inset, radius), inks.accent, 1.5, inks.paper)
        bottom = CARD_HEIGHT - inset
        canvas.fill(
            rectangle(x - radius, bottom - radius, x + radius, bottom + radius), inks.paper, 1.5, inks.dark
        )


_ONCE: Final[tuple[tuple[str, _Addition], ...]] = (
    ("an advertisement", _advertisement),
    ("a line of text", _line_of_text),
    ("a small logo", _small_logo),
    ("a sign in the middle", _middle_sign),
    ("a line at one end", _line_at_one_end),
    ("other corners at one end", _odd_corner),
)


def _off_centre(rng: np.random.Generator, image: Image) -> Image:
    """The sheet was not cut exactly: the print lies up to 0.6 mm off. That is no matter of article 1."""
    across, down = rng.uniform(-0.6, 0.6, 2) * image.shape[1] / 57.0
    move = np.array([[1, 0, across], [0, 1, down]], dtype=np.float64)
    size = (image.shape[1], image.shape[0])
    moved = cv2.warpAffine(image[..., :3], move, size, borderMode=cv2.BORDER_REPLICATE)
    opaque = np.dstack([moved, np.full(image.shape[:2], 255, np.uint8)])
    return rounded_corners(np.asarray(opaque, dtype=np.uint8))
