"""The backs that a camera sees in one deal: packets as they are dealt, tricks as they are gathered.

Only what lies on top is seen whole. Of a deal that is twelve packets (3-2-3) and eight tricks; the same card
can be on top twice, and many are never. Each is drawn as a small picture of the cards around it, which is
many times faster than a film of the whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from capture.simulator._pixels import Floats, Pixels, as_floats, as_pixels, scale_tone, smooth_noise
from capture.simulator.camera import Extent, Pose, camera_homography, compressed
from capture.simulator.light import lamp_colour
from capture.simulator.scene import Canvas, Shadow, Sprite
from capture.simulator.table import random_surface
from detector.types import Image

CARD_MILLIMETRES: Final = (57.0, 88.0)
PACKETS: Final = (3, 2, 3)
CARDS: Final = 32
_GRAIN_MARGIN: Final = 48


@dataclass(frozen=True, slots=True)
class BackCamera:
    """How a table is seen: the width of a card in pixels, and what the camera does to a picture.

    tilt: radians off the vertical. softness: sigma of the lens in pixels. noise: grey levels.
    jpeg_quality: None for none. glare: the share of places that reflect a lamp.
    """

    card_width: float
    tilt: float
    softness: float
    noise: float
    jpeg_quality: int | None
    glare: float

    @classmethod
    def random(cls, rng: np.random.Generator, card_width: float | None = None) -> BackCamera:
        """A camera as halls have them; ``card_width`` in pixels, by default from 60 to 250."""
        width = float(np.exp(rng.uniform(np.log(60), np.log(250)))) if card_width is None else card_width
        return cls(
            width,
            tilt=float(rng.uniform(0, np.deg2rad(20))),
            softness=float(rng.uniform(0.4, 0.8)) * (1.0 if width < 120 else 1.3),
            noise=float(rng.uniform(1.0, 5.0)),
            jpeg_quality=int(rng.integers(75, 96)) if rng.random() < 0.6 else None,
            glare=0.25 if rng.random() < 0.5 else 0.0,
        )


@dataclass(frozen=True, slots=True, eq=False)
class SeenBack:
    """One back lying on top for a while.

    pictures: looks at it, each (H, W, 3) uint8 BGR. quads: (4, 2) float32 pixels, the corners as a detector
    would give them, a few per cent of a card's width off. true_quad: where they are.
    card: 0 to 31, which card lies on top. trick: 0 while the deal is dealt, then 1 to 8.
    """

    pictures: tuple[Image, ...]
    quads: tuple[Floats, ...]
    true_quad: Floats
    card: int
    trick: int


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """What is the same all through a deal; ``places`` are in millimetres, the seats' and the two piles'."""

    surface: Image
    scale: float
    light: tuple[float, float]
    grain: Floats
    colour: Floats
    curl: float


Stack = tuple[int, tuple[int, ...]]
"""In which trick it is seen (0 while dealing), and which cards (0 to 31) lie there, the top one last."""


def backs_of_a_deal(
    rng: np.random.Generator,
    backs: Sequence[Image],
    camera: BackCamera,
    *,
    looks: int = 5,
    stacks: Sequence[Stack] | None = None,
) -> tuple[SeenBack, ...]:
    """Deal and play ``backs``, 32 of (H, W, 4) uint8 BGRA, once, and give what is seen of them.

    Each card lies either way up. The same generator state gives the same pictures. ``stacks``: which cards
    come to lie where, as :func:`stacks_of_a_deal` gives them.
    """
    if len(backs) != CARDS:
        raise ValueError(f"a pack has 32 backs, not {len(backs)}")
    scale = camera.card_width / CARD_MILLIMETRES[0]
    side = round(2.6 * camera.card_width)
    table = _Table(
        surface=random_surface(rng, (side + 80, side + 80)),
        scale=scale,
        light=(float(rng.uniform(-0.2, 0.2)), float(rng.uniform(-0.2, 0.2))),
        grain=_grain(rng, side + _GRAIN_MARGIN, camera.noise),
        colour=lamp_colour(rng),
        curl=float(rng.uniform(0, 0.06)),
    )
    sprites = [Sprite.of(_near(back, camera.card_width), Extent.centred(*CARD_MILLIMETRES)) for back in backs]
    return tuple(
        _view(rng, table, camera, [sprites[card] for card in cards], cards[-1], trick, looks)
        for trick, cards in stacks or stacks_of_a_deal(rng)
    )


def _grain(rng: np.random.Generator, side: int, strength: float) -> Floats:
    """The sensor's noise, drawn once: each look takes another window of it."""
    return rng.standard_normal((side, side, 3), dtype=np.float32) * np.float32(strength)


def _near(back: Image, card_width: float) -> Image:
    """``back`` brought down once to about the size at which it will be seen."""
    width = round(card_width * 1.3)
    if width >= back.shape[1]:
        return back
    size = (width, round(width * back.shape[0] / back.shape[1]))
    return as_pixels(cv2.resize(back, size, interpolation=cv2.INTER_AREA))


def stacks_of_a_deal(rng: np.random.Generator) -> tuple[Stack, ...]:
    """What is seen of one deal, at random: twelve packets, then eight tricks on two piles."""
    order = [int(card) for card in rng.permutation(CARDS)]
    stacks: list[Stack] = []
    hands: list[list[int]] = [[], [], [], []]
    for size in PACKETS:
        for hand in hands:
            hand += [order.pop() for _ in range(size)]
            stacks.append((0, tuple(hand[-4:])))
    order = [int(card) for card in rng.permutation(CARDS)]
    piles: tuple[list[int], list[int]] = ([], [])
    for trick in range(1, 9):
        pile = piles[int(rng.integers(2))]
        pile += [order.pop() for _ in range(4)]
        stacks.append((trick, tuple(pile[-6:])))
    return tuple(stacks)


def _view(
    rng: np.random.Generator,
    table: _Table,
    camera: BackCamera,
    stack: Sequence[Sprite],
    card: int,
    trick: int,
    looks: int,
) -> SeenBack:
    side = round(2.6 * camera.card_width)
    homography = camera_homography(
        (side, side),
        table.scale,
        tilt=camera.tilt,
        direction=float(rng.uniform(0, 2 * np.pi)),
        focal_length=max(900.0, 12 * camera.card_width),
    )
    homography = np.asarray(
        np.array([[1, 0, rng.uniform(-0.5, 0.5)], [0, 1, rng.uniform(-0.5, 0.5)], [0, 0, 1]]) @ homography
    )
    left, top = (int(value) for value in rng.integers(0, 80, 2))
    canvas = Canvas.on(table.surface[top : top + side, left : left + side].copy())
    turn = float(rng.uniform(0, 2 * np.pi))
    quad = np.zeros((4, 2), np.float32)
    for sprite in stack:
        across, down = (float(value) for value in rng.normal(0, 2.5, 2))
        pose = Pose(
            across,
            down,
            turn + float(rng.normal(0, 0.06)) + np.pi * int(rng.integers(2)),
        )
        quad = sprite.quad(homography, pose)
        bend = table.curl * float(rng.uniform(-1, 1))
        shadows = (Shadow(0.5, 0.7), Shadow(0.3, 2.0, (1.0, 1.0)))
        canvas.lay(sprite, quad, number=1, shadows=shadows, shading=(1 + bend, 1 - bend))
    assert canvas.image is not None
    lit = _lit(rng, canvas.image, table, camera)
    pictures = tuple(_taken(rng, lit, table, camera) for _ in range(looks))
    quads = tuple(_as_detected(rng, quad, camera.card_width) for _ in range(looks))
    return SeenBack(pictures, quads, quad, card, trick)


def _lit(rng: np.random.Generator, image: Pixels, table: _Table, camera: BackCamera) -> Pixels:
    """The light at this place of the table: a slope, soft shade, and perhaps a lamp's reflection."""
    side = image.shape[0]
    rows, columns = (values.astype(np.float32) / 24 - 0.5 for values in np.mgrid[:24, :24])
    tone = float(rng.uniform(0.75, 1.05)) * (1 + table.light[0] * columns + table.light[1] * rows)
    tone = tone + 0.05 * smooth_noise(rng, (24, 24), (2, 2))
    colour: Floats = 1 + (table.colour - 1) * 0.6
    gains = cv2.resize(
        as_floats(np.dstack([tone * gain for gain in colour])), (side, side), interpolation=cv2.INTER_LINEAR
    )
    lit = scale_tone(image, as_floats(gains))
    if rng.random() < camera.glare:
        glow = np.zeros((side, side), np.uint8)
        centre = tuple(int(value) for value in rng.uniform(0.3, 0.7, 2) * side)
        axes = tuple(int(value) for value in rng.uniform(0.15, 0.5, 2) * camera.card_width)
        cv2.ellipse(glow, centre, axes, float(rng.uniform(0, 180)), 0, 360, (int(rng.integers(30, 110)),), -1)
        soft = cv2.GaussianBlur(glow, (0, 0), 0.16 * camera.card_width)
        lit = as_pixels(cv2.add(lit, cv2.merge([soft, soft, soft])))
    return lit


def _taken(rng: np.random.Generator, lit: Pixels, table: _Table, camera: BackCamera) -> Pixels:
    """One look: lens, at times a hand in the way or a shake, noise, compression."""
    image = as_pixels(cv2.GaussianBlur(lit, (0, 0), camera.softness))
    if rng.random() < 0.12:
        _finger(rng, image, camera.card_width)
    down, across = (int(value) for value in rng.integers(0, _GRAIN_MARGIN, 2))
    side = image.shape[0]
    window = table.grain[down : down + side, across : across + side]
    image = as_pixels(cv2.add(image, window, dtype=cv2.CV_8U))
    return image if camera.jpeg_quality is None else compressed(image, camera.jpeg_quality)


def _finger(rng: np.random.Generator, image: Pixels, card_width: float) -> None:
    side = image.shape[0]
    tip = rng.uniform(0.3, 0.7, 2) * side
    angle = float(rng.uniform(0, 2 * np.pi))
    end = tip + np.array([np.cos(angle), np.sin(angle)]) * side
    skin = tuple(float(value) for value in np.array([110, 140, 200]) * rng.uniform(0.4, 1.1))
    cv2.line(
        image,
        tip.astype(int).tolist(),
        end.astype(int).tolist(),
        skin,
        round(card_width * 0.3),
        cv2.LINE_AA,
    )


def _as_detected(rng: np.random.Generator, quad: Floats, card_width: float) -> Floats:
    """A box as a finder gives it: turned by some degrees, a few per cent off and too large."""
    centre, size, angle = cv2.minAreaRect(quad)
    spread = 0.03 * card_width
    centre = (centre[0] + float(rng.normal(0, spread)), centre[1] + float(rng.normal(0, spread)))
    size = (size[0] * float(rng.normal(1.03, 0.03)), size[1] * float(rng.normal(1.03, 0.03)))
    box = cv2.boxPoints((centre, size, angle + float(rng.normal(0, 4))))
    return as_floats(box)


def corner_error(one: Floats, other: Floats) -> float:
    """The largest distance between corresponding corners of two quads, whichever corner comes first."""
    return min(float(np.linalg.norm(np.roll(one, turn, axis=0) - other, axis=1).max()) for turn in range(4))
