"""What lies under the cards: cloth, wood, leather, carpet, paper, tiles, printed oilcloth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from capture.simulator._pixels import (
    Colour,
    Floats,
    Pixels,
    as_floats,
    as_pixels,
    colour_from_hsv,
    scale_tone,
    smooth_noise,
    toned,
)

Size = tuple[int, int]
"""(height, width) in pixels."""


def cloth_colour(rng: np.random.Generator) -> Colour:
    """Any colour a table cloth has, with the green, red and blue of card tables more often."""
    drawn = rng.random()
    if drawn < 0.4:
        hue = float(rng.choice([140, 120, 160, 0, 350, 215, 225, 30]) + rng.normal(0, 10))
        return colour_from_hsv(hue, float(rng.uniform(0.35, 0.95)), float(rng.uniform(0.15, 0.7)))
    if drawn < 0.55:
        return colour_from_hsv(
            float(rng.uniform(0, 360)), float(rng.uniform(0, 0.15)), float(rng.uniform(0.04, 0.3))
        )
    if drawn < 0.7:
        return colour_from_hsv(
            float(rng.uniform(20, 60)), float(rng.uniform(0, 0.2)), float(rng.uniform(0.75, 1))
        )
    return colour_from_hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.9)), float(rng.uniform(0.1, 1)))


def wood_colour(rng: np.random.Generator) -> Colour:
    """From pale beech to nearly black oak."""
    return colour_from_hsv(
        float(rng.normal(24, 6)), float(rng.uniform(0.15, 0.75)), float(rng.uniform(0.12, 0.9))
    )


def _grain(rng: np.random.Generator, size: Size, strength: float) -> Floats:
    grain = rng.standard_normal(size, dtype=np.float32) * np.float32(strength)
    if rng.random() < 0.6:
        sigma = float(rng.uniform(0.5, 1.6))
        grain = as_floats(cv2.GaussianBlur(grain, (0, 0), sigma)) * np.float32(1 + 1.5 * sigma)
    return grain


def plain(rng: np.random.Generator, size: Size) -> Pixels:
    """One colour, a little uneven."""
    return toned(cloth_colour(rng), 1 + np.float32(0.05) * smooth_noise(rng, size, (3, 3), 2))


def felt(rng: np.random.Generator, size: Size) -> Pixels:
    """Baize: fine fibres on one colour, with worn and brushed spots."""
    tone = 1 + _grain(rng, size, float(rng.uniform(0.02, 0.12)))
    return toned(cloth_colour(rng), as_floats(tone + 0.1 * smooth_noise(rng, size, (4, 4), 3)))


def woven(rng: np.random.Generator, size: Size) -> Pixels:
    """Threads crossing, sometimes folds in the cloth."""
    rows, columns = (np.arange(length, dtype=np.float32) for length in size)
    step = float(rng.uniform(0.6, 2.6))
    depth = float(rng.uniform(0.03, 0.15))
    threads = np.sin(rows * step)[:, None] * np.sin(columns * step * float(rng.uniform(0.8, 1.25)))[None]
    tone = 1 + depth * threads + _grain(rng, size, 0.03)
    if rng.random() < 0.5:
        tone = tone + _folds(rng, size)
    return toned(cloth_colour(rng), as_floats(tone))


def _folds(rng: np.random.Generator, size: Size) -> Floats:
    angle = float(rng.uniform(0, np.pi))
    rows, columns = np.mgrid[: size[0], : size[1]].astype(np.float32) / max(size)
    along = np.cos(angle) * columns + np.sin(angle) * rows + 0.1 * smooth_noise(rng, size, (3, 3))
    waves = np.sin(along * float(rng.uniform(6, 30)))
    return as_floats(float(rng.uniform(0.05, 0.25)) * waves * (0.5 + smooth_noise(rng, size, (3, 3))))


def _bands(rng: np.random.Generator, length: int, colours: Floats) -> Floats:
    """(length, 3): stripes of the given colours, repeating."""
    widths = rng.integers(2, max(4, length // int(rng.integers(5, 40))), int(rng.integers(2, 7)))
    order = rng.integers(0, len(colours), len(widths))
    pattern = np.repeat(colours[order], widths, axis=0)
    return np.resize(pattern, (length, 3)).astype(np.float32) if len(pattern) else colours[:1]


def striped(rng: np.random.Generator, size: Size) -> Pixels:
    """Stripes one way, or both ways as on a checked table cloth."""
    colours = as_floats(np.array([cloth_colour(rng) for _ in range(int(rng.integers(2, 5)))]))
    pattern = as_floats(np.broadcast_to(_bands(rng, size[1], colours)[None], (*size, 3)))
    if rng.random() < 0.5:
        pattern = as_floats((pattern + _bands(rng, size[0], colours)[:, None]) / 2)
    return scale_tone(as_pixels(pattern), 1 + _grain(rng, size, float(rng.uniform(0.01, 0.15))))


def wood(rng: np.random.Generator, size: Size) -> Pixels:
    """Grain along one direction, with rings, and planks or not."""
    height = size[0]
    wave = smooth_noise(rng, size, (float(rng.uniform(2, 6)), float(rng.uniform(1, 3))), 2)
    rows = np.arange(height, dtype=np.float32)[:, None] / height
    rings = np.sin((rows + 0.12 * wave) * float(rng.uniform(20, 160)))
    streaks = smooth_noise(rng, size, (height / float(rng.uniform(1.2, 4)), float(rng.uniform(2, 12))))
    pores = smooth_noise(rng, size, (height / float(rng.uniform(1, 2)), float(rng.uniform(8, 40))))
    depth = float(rng.uniform(0.03, 0.3))
    tone = 1 + depth * (0.5 * rings + streaks) - float(rng.uniform(0, 0.5)) * np.maximum(pores - 0.35, 0)
    if rng.random() < 0.4:
        tone = tone * _planks(rng, size)
    return toned(wood_colour(rng), as_floats(tone + 0.08 * smooth_noise(rng, size, (3, 3), 2)))


def _planks(rng: np.random.Generator, size: Size) -> Floats:
    count = int(rng.integers(2, 9))
    edges = np.sort(rng.integers(0, size[0], count))
    tone = np.ones((size[0], 1), dtype=np.float32)
    for start in edges:
        tone[start:] *= np.float32(rng.uniform(0.85, 1.15))
    for start in edges:
        tone[start : start + int(rng.integers(1, 4))] *= 0.55
    return tone


def leather(rng: np.random.Generator, size: Size) -> Pixels:
    """Wrinkled and a little shiny, mostly dark."""
    bumps = smooth_noise(rng, size, (float(rng.uniform(40, 130)),) * 2, 2)
    relief = as_floats(cv2.Sobel(bumps, cv2.CV_32F, 1, 0)) + as_floats(cv2.Sobel(bumps, cv2.CV_32F, 0, 1))
    colour = cloth_colour(rng) if rng.random() < 0.3 else wood_colour(rng)
    darker = float(rng.uniform(0.3, 0.8))
    tone = 1 + float(rng.uniform(0.04, 0.15)) * relief + 0.12 * smooth_noise(rng, size, (4, 4), 2)
    return toned([channel * darker for channel in colour], as_floats(tone))


def carpet(rng: np.random.Generator, size: Size) -> Pixels:
    """Coarse loops of yarn in mixed shades."""
    loops = smooth_noise(rng, size, (size[0] / float(rng.uniform(2, 6)), size[1] / float(rng.uniform(2, 6))))
    tone = 1 + float(rng.uniform(0.15, 0.5)) * loops + _grain(rng, size, 0.1)
    return toned(cloth_colour(rng), as_floats(tone))


def white_paper(rng: np.random.Generator, size: Size) -> Pixels:
    """White or cream, nearly without texture: the hardest thing to see a card on."""
    colour = colour_from_hsv(
        float(rng.uniform(20, 70)), float(rng.uniform(0, 0.12)), float(rng.uniform(0.85, 1))
    )
    return toned(colour, 1 + np.float32(0.03) * smooth_noise(rng, size, (4, 4), 2) + _grain(rng, size, 0.008))


def tiles(rng: np.random.Generator, size: Size) -> Pixels:
    """Bricks, tiles or a mosaic with joints."""
    down, across = int(rng.integers(2, 12)), int(rng.integers(2, 12))
    base = np.array(wood_colour(rng) if rng.random() < 0.5 else cloth_colour(rng))
    shades = np.clip(base * rng.uniform(0.75, 1.25, (down, across, 1)), 0, 255).astype(np.uint8)
    flat = as_pixels(cv2.resize(shades, (size[1], size[0]), interpolation=cv2.INTER_NEAREST))
    joint = cloth_colour(rng)
    for index in range(down):
        cv2.line(flat, (0, index * size[0] // down), (size[1], index * size[0] // down), joint, 3)
    for index in range(across):
        cv2.line(flat, (index * size[1] // across, 0), (index * size[1] // across, size[0]), joint, 3)
    return scale_tone(flat, as_floats(1 + 0.18 * smooth_noise(rng, size, (20, 20), 3)))


def stone(rng: np.random.Generator, size: Size) -> Pixels:
    """Marble, granite, fur, a rough wall: two colours mingled at every scale."""
    cells = float(rng.uniform(2, 12))
    clouds = smooth_noise(rng, size, (cells, cells * float(rng.uniform(0.4, 2.5))), 6)
    share = 1 / (1 + np.exp(-clouds * float(rng.uniform(3, 14))))
    first = np.array(wood_colour(rng) if rng.random() < 0.6 else cloth_colour(rng))
    second = np.clip(first * rng.uniform(0.35, 1.7) + rng.normal(0, 18, 3), 0, 255)
    return as_pixels(first * share[..., None] + second * (1 - share[..., None]))


def printed_page(rng: np.random.Generator, size: Size) -> Pixels:
    """A newspaper or letter: columns of lines of words, a headline, a grey picture."""
    page = white_paper(rng, size)
    ink = float(rng.uniform(20, 110))
    line = float(rng.uniform(4, 14))
    columns = int(rng.integers(1, 4))
    words = rng.random((round(size[0] / line) + 1, round(size[1] / line * 1.6) + 1)) < 0.8
    rows = as_pixels(cv2.resize(words.astype(np.uint8), (size[1], size[0]), interpolation=cv2.INTER_NEAREST))
    strokes = rng.random(size, dtype=np.float32) < 0.6
    is_line = (np.arange(size[0]) % line < line * 0.55)[:, None]
    is_column = (np.arange(size[1]) % (size[1] / columns) < size[1] / columns * 0.88)[None]
    mask = (rows > 0) & strokes & is_line & is_column
    page[mask] = as_pixels(page[mask] * (ink / 255))
    height, width = (int(length * rng.uniform(0.15, 0.5)) for length in size)
    top, left = int(rng.uniform(0, size[0] - height)), int(rng.uniform(0, size[1] - width))
    page[top : top + height, left : left + width] = stone(rng, (height, width))
    return page


def collage(rng: np.random.Generator, size: Size) -> Pixels:
    """Several things beside and over one another: papers, cushions, boards, a tray."""
    image = _one_surface(rng, size)
    for _ in range(int(rng.integers(2, 6))):
        centre = rng.uniform(0, 1, 2) * (size[1], size[0])
        half = rng.uniform(0.1, 0.45, 2) * max(size)
        box = cv2.boxPoints(
            ((float(centre[0]), float(centre[1])), (half[0] * 2, half[1] * 2), rng.uniform(0, 90))
        )
        mask = np.zeros(size, dtype=np.uint8)
        cv2.fillPoly(mask, [box.astype(np.int32)], (255,), cv2.LINE_AA)
        shade = as_floats(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 8)))) / 255
        image = scale_tone(image, as_floats(1 - float(rng.uniform(0.2, 0.7)) * shade))
        image[mask > 127] = _one_surface(rng, size)[mask > 127]
    return image


def printed(rng: np.random.Generator, size: Size) -> Pixels:
    """An oilcloth or magazine: blots, leaves, frames and letters in a few colours."""
    flat = toned(cloth_colour(rng), np.ones(size, dtype=np.float32))
    colours = [cloth_colour(rng) for _ in range(3)]
    reach = max(6, int(rng.uniform(0.01, 0.12) * max(size)))
    for _ in range(int(rng.integers(15, 70))):
        centre = (int(rng.integers(size[1])), int(rng.integers(size[0])))
        _print_figure(rng, flat, centre, reach, colours[int(rng.integers(3))])
    return scale_tone(flat, 1 + _grain(rng, size, 0.03))


def _print_figure(
    rng: np.random.Generator, image: Pixels, centre: tuple[int, int], reach: int, colour: Colour
) -> None:
    kind = int(rng.integers(4))
    size = int(rng.integers(3, reach + 1))
    if kind == 0:
        axes = (size, max(1, size // int(rng.integers(1, 5))))
        cv2.ellipse(image, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
    elif kind == 1:
        other = (centre[0] + size * 2, centre[1] + int(size * rng.uniform(0.5, 3)))
        cv2.rectangle(image, centre, other, colour, int(rng.choice([-1, 1, 2])))
    elif kind == 2:
        points = np.array(centre) + rng.integers(-size, size + 1, (int(rng.integers(3, 7)), 2))
        cv2.fillPoly(image, [points.astype(np.int32)], colour, cv2.LINE_AA)
    else:
        text = "".join(rng.choice(list("ABEHKNVRSTaeinors 0123456789"), int(rng.integers(1, 9))))
        cv2.putText(
            image, text, centre, int(rng.integers(0, 5)), size / 20, colour, 1 + size // 12, cv2.LINE_AA
        )


SURFACES: Final[tuple[tuple[Callable[[np.random.Generator, Size], Pixels], float], ...]] = (
    (plain, 2.0),
    (felt, 4.0),
    (woven, 3.0),
    (striped, 1.5),
    (wood, 4.0),
    (leather, 1.5),
    (carpet, 1.5),
    (white_paper, 1.2),
    (tiles, 0.7),
    (printed, 1.0),
    (stone, 1.5),
    (printed_page, 0.7),
)
"""Every kind of surface, with how often it is chosen."""


def random_surface(rng: np.random.Generator, size: Size) -> Pixels:
    """(height, width, 3): any surface, turned by any quarter, at times several on one another."""
    return collage(rng, size) if rng.random() < 0.15 else _one_surface(rng, size)


def _one_surface(rng: np.random.Generator, size: Size) -> Pixels:
    weights = np.array([weight for _, weight in SURFACES])
    maker = SURFACES[int(rng.choice(len(SURFACES), p=weights / weights.sum()))][0]
    if rng.random() < 0.5:
        return maker(rng, size)
    return np.ascontiguousarray(np.rot90(maker(rng, (size[1], size[0]))))
