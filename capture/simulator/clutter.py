"""Things on the table that are no cards: some look like one, some cover one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from capture.simulator._pixels import Colour, Pixels, as_pixels, colour_from_hsv
from capture.simulator.camera import Extent
from capture.simulator.scene import Sprite
from capture.simulator.table import cloth_colour, random_surface


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A thing to lay on the table.

    height: how high it stands in millimetres, for its shadow.
    hides: False when cards under it can still be seen through it.
    """

    sprite: Sprite
    height: float
    hides: bool = True


def _sheet(width: float, height: float, scale: float, colour: Colour, radius: float = 0.0) -> Pixels:
    """BGRA art of a rectangle (mm) of one colour with round corners."""
    across, down = max(4, round(width * scale)), max(4, round(height * scale))
    art = np.zeros((down, across, 4), dtype=np.uint8)
    art[..., :3] = np.clip(np.array(colour), 0, 255)
    if radius <= 0:
        art[..., 3] = 255
        return art
    corner = max(1, round(radius * scale))
    mask = np.zeros((down, across), dtype=np.uint8)
    cv2.rectangle(mask, (corner, 0), (across - 1 - corner, down - 1), (255,), -1)
    cv2.rectangle(mask, (0, corner), (across - 1, down - 1 - corner), (255,), -1)
    for x in (corner, across - 1 - corner):
        for y in (corner, down - 1 - corner):
            cv2.circle(mask, (x, y), corner, (255,), -1, cv2.LINE_AA)
    art[..., 3] = mask
    return art


def _paper_colour(rng: np.random.Generator) -> Colour:
    return colour_from_hsv(
        float(rng.uniform(20, 240)), float(rng.uniform(0, 0.12)), float(rng.uniform(0.85, 1))
    )


def _write_lines(rng: np.random.Generator, art: Pixels, ink: Colour, line: float, fill: float) -> None:
    """Scribble: rows of short strokes, ``line`` pixels apart, each row up to ``fill`` of the width."""
    height, width = art.shape[:2]
    thickness = max(1, round(line / 9))
    for row in np.arange(line * 1.5, height - line, line):
        x = width * 0.08
        while x < width * fill * float(rng.uniform(0.8, 1.0)):
            word = line * float(rng.uniform(0.4, 2.0))
            steps = max(2, int(word / (line * 0.22)))
            xs = np.linspace(x, x + word, steps)
            ys = row - np.abs(rng.normal(0, line * 0.2, steps))
            points = np.column_stack([xs, ys]).astype(np.int32)
            cv2.polylines(art, [points], False, (*ink, 255.0), thickness, cv2.LINE_AA)
            x += word + line * 0.4


def _ink(rng: np.random.Generator) -> Colour:
    inks: tuple[Colour, ...] = ((20, 20, 20), (130, 50, 20), (40, 40, 160), (90, 90, 90))
    return inks[int(rng.integers(len(inks)))]


def score_pad(rng: np.random.Generator, scale: float) -> Thing:
    """A tellijst: ruled in columns, with figures written down part of it."""
    width, height = float(rng.uniform(90, 150)), float(rng.uniform(140, 215))
    art = _sheet(width, height, scale, _paper_colour(rng))
    line = 8 * scale
    grey = (150.0, 140.0, 130.0, 255.0)
    for row in np.arange(line * 2, art.shape[0], line):
        cv2.line(art, (0, int(row)), (art.shape[1], int(row)), grey, 1)
    for column in np.linspace(0, art.shape[1], 6)[1:-1]:
        cv2.line(art, (int(column), int(line)), (int(column), art.shape[0]), grey, 1)
    ink = _ink(rng)
    for row in range(int(rng.integers(1, 14))):
        for column in range(5):
            if rng.random() < 0.7:
                place = (int((column + 0.15) * art.shape[1] / 5), int((row + 2.85) * line))
                number = str(int(rng.integers(0, 163)))
                cv2.putText(art, number, place, 0, line / 32, (*ink, 255.0), 1, cv2.LINE_AA)
    return Thing(Sprite.of(art, Extent.centred(width, height)), 2.0)


def paper(rng: np.random.Generator, scale: float) -> Thing:
    """A sheet or note, blank, printed or written on; often about as large as a card."""
    width = float(np.exp(rng.uniform(np.log(45), np.log(210))))
    height = width * float(rng.uniform(0.6, 1.6))
    art = _sheet(width, height, scale, _paper_colour(rng))
    if rng.random() < 0.75:
        _write_lines(
            rng, art, _ink(rng), max(3.0, float(rng.uniform(4, 11)) * scale), float(rng.uniform(0.5, 0.95))
        )
    return Thing(Sprite.of(art, Extent.centred(width, height)), 0.5)


def phone(rng: np.random.Generator, scale: float) -> Thing:
    """A telephone, dark or with a lit screen."""
    width, height = float(rng.uniform(64, 79)), float(rng.uniform(130, 165))
    edge = colour_from_hsv(
        float(rng.uniform(0, 360)), float(rng.uniform(0, 0.5)), float(rng.uniform(0.03, 0.9))
    )
    art = _sheet(width, height, scale, edge, 9)
    margin = max(1, round(3 * scale))
    inside = art[margin:-margin, margin:-margin, :3]
    if rng.random() < 0.5:
        inside[:] = np.clip(rng.uniform(5, 40, 3), 0, 255)
    else:
        screen = random_surface(rng, (inside.shape[0], inside.shape[1]))
        _icons(rng, screen)
        inside[:] = screen
    return Thing(Sprite.of(art, Extent.centred(width, height)), 8.0)


def _icons(rng: np.random.Generator, screen: Pixels) -> None:
    cell = max(4, screen.shape[1] // 4)
    for row in range(screen.shape[0] // cell):
        for column in range(4):
            if rng.random() < 0.6:
                corner = (column * cell + cell // 5, row * cell + cell // 5)
                far = (corner[0] + cell * 3 // 5, corner[1] + cell * 3 // 5)
                cv2.rectangle(screen, corner, far, cloth_colour(rng), -1)


def coaster(rng: np.random.Generator, scale: float) -> Thing:
    """A beer mat, round or square, with a printed ring or word."""
    side = float(rng.uniform(85, 105))
    round_one = bool(rng.random() < 0.5)
    base = _paper_colour(rng) if rng.random() < 0.5 else cloth_colour(rng)
    art = _sheet(side, side, scale, base, side / 2 - 1 if round_one else 6)
    middle = art.shape[0] // 2
    ring = (*cloth_colour(rng), 255.0)
    cv2.circle(
        art, (middle, middle), round(middle * float(rng.uniform(0.5, 0.9))), ring, max(1, middle // 12)
    )
    word = "".join(rng.choice(list("ABDEHIKLNORST"), 5))
    place = (round(middle * 0.35), round(middle * 1.12))
    cv2.putText(art, word, place, 2, middle / 55, (*cloth_colour(rng), 255.0), 1 + middle // 40, cv2.LINE_AA)
    return Thing(Sprite.of(art, Extent.centred(side, side)), 1.5)


def bank_card(rng: np.random.Generator, scale: float) -> Thing:
    """A bank, club or membership card: the shape of a playing card, another print."""
    art = _sheet(85.6, 54, scale, cloth_colour(rng), 3.2)
    height, width = art.shape[:2]
    if rng.random() < 0.5:
        other = np.array(cloth_colour(rng))
        ramp = np.linspace(0, 1, width)[None, :, None]
        art[..., :3] = as_pixels(art[..., :3] * (1 - ramp) + other * ramp)
    if rng.random() < 0.6:
        chip = (90.0, 180.0, 205.0, 255.0)
        cv2.rectangle(art, (width // 9, height // 3), (width // 4, height * 5 // 9), chip, -1)
    digits = " ".join(str(int(group)) for group in rng.integers(1000, 9999, 3))
    light = (235.0, 235.0, 235.0, 255.0)
    cv2.putText(art, digits, (width // 9, height * 3 // 4), 0, width / 330, light, 1, cv2.LINE_AA)
    return Thing(Sprite.of(art, Extent.centred(85.6, 54)), 1.0)


def book(rng: np.random.Generator, scale: float) -> Thing:
    """A book, box or magazine: a picture, a title, a coloured rim."""
    width, height = float(rng.uniform(100, 190)), float(rng.uniform(130, 250))
    art = _sheet(width, height, scale, cloth_colour(rng))
    rows, columns = art.shape[:2]
    top, left = int(rows * rng.uniform(0.05, 0.3)), int(columns * rng.uniform(0.05, 0.25))
    inner = art[top : rows - top, left : columns - left, :3]
    inner[:] = random_surface(rng, (inner.shape[0], inner.shape[1]))
    word = "".join(rng.choice(list("ABDEGHIKLNORSTUVW"), int(rng.integers(3, 8))))
    place = (left, max(8, top - 2))
    cv2.putText(
        art, word, place, 3, columns / 130, (*cloth_colour(rng), 255.0), 1 + columns // 90, cv2.LINE_AA
    )
    return Thing(Sprite.of(art, Extent.centred(width, height)), float(rng.uniform(4, 25)))


def glass(rng: np.random.Generator, scale: float) -> Thing:
    """A glass or cup from above: a rim, a drink, a highlight; a glass can be seen through."""
    across = float(rng.uniform(60, 95))
    side = max(8, round(across * scale))
    art = np.zeros((side, side, 4), dtype=np.uint8)
    middle, outer = (side // 2, side // 2), side // 2 - 1
    is_cup = bool(rng.random() < 0.5)
    body = cloth_colour(rng) if is_cup else (225.0, 228.0, 225.0)
    cv2.circle(art, middle, outer, (*body, 255.0 if is_cup else 110.0), -1, cv2.LINE_AA)
    drinks: tuple[Colour, ...] = (
        (30, 45, 70),
        (40, 150, 210),
        (235, 240, 240),
        (40, 30, 110),
        (70, 120, 170),
    )
    drink = drinks[int(rng.integers(len(drinks)))]
    cv2.circle(art, middle, round(outer * 0.86), (*drink, 255.0 if is_cup else 150.0), -1, cv2.LINE_AA)
    rim = tuple(min(255.0, channel * 1.15 + 15) for channel in body)
    cv2.circle(art, middle, outer - max(1, side // 40), (*rim, 255.0), max(1, side // 30), cv2.LINE_AA)
    start = int(rng.integers(0, 360))
    cv2.ellipse(
        art, middle, (round(outer * 0.7),) * 2, start, 0, 60, (255, 255, 255, 255), max(1, side // 28)
    )
    return Thing(Sprite.of(art, Extent.centred(across, across)), float(rng.uniform(25, 60)), hides=is_cup)


def pencil(rng: np.random.Generator, scale: float) -> Thing:
    """A pencil or pen."""
    width, height = float(rng.uniform(6, 11)), float(rng.uniform(110, 180))
    across, down = max(3, round(width * scale)), max(20, round(height * scale))
    art = np.zeros((down, across, 4), dtype=np.uint8)
    barrel = np.array(cloth_colour(rng))
    roundness = 0.6 + 0.5 * np.sin(np.linspace(0.2, np.pi - 0.2, across))
    art[..., :3] = as_pixels(roundness[None, :, None] * barrel)
    tip = max(2, round(22 * scale))
    art[tip:, :, 3] = 255
    cone = np.array([[0, tip], [across - 1, tip], [across // 2, 0]])
    cv2.fillConvexPoly(art, cone, (150.0, 190.0, 225.0, 255.0), cv2.LINE_AA)
    cv2.circle(art, (across // 2, tip // 6), max(1, across // 5), (30.0, 30.0, 30.0, 255.0), -1)
    return Thing(Sprite.of(art, Extent.centred(width, height)), 7.0)


def coin(rng: np.random.Generator, scale: float) -> Thing:
    """A coin or token."""
    across = float(rng.uniform(16, 27))
    side = max(6, round(across * scale))
    art = np.zeros((side, side, 4), dtype=np.uint8)
    metals: tuple[Colour, ...] = ((70, 110, 160), (90, 170, 205), (180, 185, 190))
    metal = metals[int(rng.integers(len(metals)))]
    middle = (side // 2, side // 2)
    cv2.circle(art, middle, side // 2 - 1, (*metal, 255.0), -1, cv2.LINE_AA)
    inner = tuple(channel * float(rng.uniform(0.75, 1.2)) for channel in metal)
    cv2.circle(art, middle, round(side * 0.35), (*inner, 255.0), -1, cv2.LINE_AA)
    return Thing(Sprite.of(art, Extent.centred(across, across)), 2.0)


THINGS: Final[tuple[tuple[Callable[[np.random.Generator, float], Thing], float], ...]] = (
    (score_pad, 2.0),
    (paper, 3.0),
    (phone, 1.5),
    (coaster, 1.5),
    (bank_card, 1.5),
    (book, 1.0),
    (glass, 1.5),
    (pencil, 1.5),
    (coin, 1.0),
)
"""Every kind of thing, with how often it is chosen."""


def random_thing(rng: np.random.Generator, pixels_per_millimetre: float) -> Thing:
    """Anything that may lie on a card table, drawn for a picture of that scale."""
    weights = np.array([weight for _, weight in THINGS])
    maker = THINGS[int(rng.choice(len(THINGS), p=weights / weights.sum()))][0]
    return maker(rng, float(np.clip(pixels_per_millimetre * 1.1, 0.3, 3.0)))
