"""Light: lamps, windows, dusk, the shadows of things out of the picture, and glare."""

from __future__ import annotations

import cv2
import numpy as np

from capture.simulator._pixels import Floats, Pixels, as_floats, as_pixels, scale_tone, smooth_noise

_COARSE = 64
"""Light changes slowly over a picture: it is worked out on a grid this wide, then enlarged."""


def lamp_colour(rng: np.random.Generator) -> Floats:
    """(3,) gains of blue, green, red, about 1: candle to sky, with a little green or purple."""
    warmth = float(rng.normal(0.05, 0.15 if rng.random() < 0.35 else 0.06))
    tint = float(rng.normal(0, 0.04))
    return as_floats(np.clip([1 - 1.4 * warmth, 1 + tint, 1 + warmth], 0.45, 1.5))


def random_light(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """(height, width, 3) float32 gains for a picture of ``size`` (height, width): from dusk to glare."""
    rows, columns = np.mgrid[:_COARSE, :_COARSE].astype(np.float32) / _COARSE - 0.5
    angle = float(rng.uniform(0, 2 * np.pi))
    slope = float(rng.uniform(0, 0.7))
    tone = 1 + slope * (np.cos(angle) * columns + np.sin(angle) * rows)
    if rng.random() < 0.4:
        tone = tone * _one_lamp(rng, rows, columns)
    if rng.random() < 0.15:
        tone = tone * _window_bars(rng, rows, columns)
    for _ in range(int(rng.integers(0, 3))):
        tone = tone * _cast_shadow(rng)
    colour = lamp_colour(rng)
    if rng.random() < 0.08:  # coloured lamps, or a camera that is out of tune
        colour = as_floats(colour * np.exp(rng.normal(0, 0.15, 3)))
    coarse = cv2.merge([tone.astype(np.float32) * gain for gain in colour])
    if rng.random() < 0.25:
        coarse = coarse * (1 + 0.12 * smooth_noise(rng, (_COARSE, _COARSE), (2, 2)))[..., None]
    exposure = float(np.exp(rng.normal(0.05, 0.25)))
    if rng.random() < 0.1:
        exposure *= float(rng.uniform(0.25, 0.6))
    elif rng.random() < 0.1:
        exposure *= float(rng.uniform(1.2, 1.8))
    enlarged = cv2.resize(coarse * exposure, (size[1], size[0]), interpolation=cv2.INTER_LINEAR)
    return as_floats(enlarged)


def _one_lamp(rng: np.random.Generator, rows: Floats, columns: Floats) -> Floats:
    across, down = rng.uniform(-0.6, 0.6, 2)
    reach = float(rng.uniform(0.35, 1.0))
    falloff = np.exp(-((columns - across) ** 2 + (rows - down) ** 2) / (2 * reach**2))
    return as_floats(0.45 + 0.75 * falloff)


def _window_bars(rng: np.random.Generator, rows: Floats, columns: Floats) -> Floats:
    angle = float(rng.uniform(0, np.pi))
    along = np.cos(angle) * columns + np.sin(angle) * rows
    bars = np.tanh(np.sin(along * rng.uniform(4, 16) + rng.uniform(0, 6)) * rng.uniform(1, 8))
    return as_floats(1 + float(rng.uniform(0.05, 0.3)) * bars)


def _cast_shadow(rng: np.random.Generator) -> Floats:
    mask = np.zeros((_COARSE, _COARSE), dtype=np.uint8)
    centre = rng.uniform(0, _COARSE, 2)
    angles = np.sort(rng.uniform(0, 2 * np.pi, 7))
    radii = rng.uniform(0.1, 0.45, 7) * _COARSE
    points = centre + np.column_stack([np.cos(angles), np.sin(angles)]) * radii[:, None]
    cv2.fillPoly(mask, [points.astype(np.int32)], (255,))
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.8, 7)))
    return as_floats(1 - float(rng.uniform(0.1, 0.5)) * soft.astype(np.float32) / 255)


def lit(image: Pixels, gains: Floats, rng: np.random.Generator) -> Pixels:
    """``image`` under the light ``gains``, with a camera's own contrast and saturation."""
    bright = scale_tone(image, gains)
    gamma, contrast = float(np.exp(rng.normal(0, 0.15))), float(rng.uniform(0.8, 1.15))
    levels = np.arange(256, dtype=np.float32) / 255
    curve = (levels**gamma - 0.45) * contrast + 0.45 + float(rng.normal(0, 0.02))
    toned = as_pixels(cv2.LUT(bright, as_pixels(curve * 255)))
    if rng.random() < 0.5:
        grey = cv2.cvtColor(cv2.cvtColor(toned, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        saturation = float(rng.uniform(0.55, 1.35))
        toned = as_pixels(cv2.addWeighted(toned, saturation, grey, 1 - saturation, 0))
    return toned


def add_glare(image: Pixels, shiny: Pixels, rng: np.random.Generator, card_size: float) -> None:
    """Put a few bright reflections on what is ``shiny`` (height, width; not 0 where it is), in place.

    card_size: pixels, gives the reflections their scale.
    """
    height, width = shiny.shape
    glow = np.zeros((height, width), dtype=np.uint8)
    places = np.argwhere(shiny[::8, ::8])
    if len(places) == 0:
        return
    for _ in range(int(rng.integers(1, 4))):
        row, column = places[int(rng.integers(len(places)))] * 8
        axes = np.maximum(1, rng.uniform(0.08, 0.6, 2) * card_size).astype(int)
        cv2.ellipse(
            glow,
            (int(column), int(row)),
            (int(axes[0]), int(axes[1])),
            float(rng.uniform(0, 180)),
            0,
            360,
            (int(rng.integers(70, 256)),),
            -1,
        )
    soft = as_pixels(cv2.GaussianBlur(glow, (0, 0), max(1.0, float(rng.uniform(0.04, 0.25)) * card_size)))
    soft[shiny == 0] //= 5
    image[:] = as_pixels(cv2.add(image, cv2.cvtColor(soft, cv2.COLOR_GRAY2BGR)))
