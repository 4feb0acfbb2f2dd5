"""How one film looks: its table, light, camera, players' arms and what stands about. All chosen by a seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator._pixels import Floats, Pixels, as_floats, as_pixels, smooth_noise
from capture.simulator.camera import Pose, camera_homography, project
from capture.simulator.clutter import Thing, coaster, glass, paper, pencil, phone, score_pad
from capture.simulator.hands import Hand, random_hand
from capture.simulator.layouts import CARD_WIDTH
from capture.simulator.light import lamp_colour
from capture.simulator.table import felt, leather, plain, striped, wood, woven
from rules import CLOCKWISE, Seat

NEUTRAL_LIGHT: Final = 128
"""The value in :attr:`Look.light` that leaves a pixel as it is."""

_CARD_PIXELS: Final = (76.0, 94.0)
"""Width of a card in the middle of a picture 1280 wide."""

_STEEPEST_TILT: Final = float(np.deg2rad(13))


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """A thing that stays where it is all through the film."""

    thing: Thing
    pose: Pose


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Everything about a film that doesn't change.

    homography: (3, 3), millimetres on the table to pixels. scale: pixels per millimetre in the middle.
    cloth: (H, W, 3), the empty table. light: (H, W, 3) uint8 gains, :data:`NEUTRAL_LIGHT` is 1.
    glare: (H, W, 3) uint8, what cards reflect on top.
    shadow: (x, y) pixels by which a thing on the table throws its shadow aside.
    paper: how the white of the cards has aged, factors for blue, green, red.
    grippers, flat_hands: each player's arm. noise: grey levels. softness: sigma of the lens in pixels.
    jpeg_quality: None for none. exposure_s: how long the shutter is open.
    """

    homography: npt.NDArray[np.float64]
    scale: float
    cloth: Pixels
    light: Pixels
    glare: Pixels | None
    shadow: tuple[float, float]
    paper: tuple[float, float, float]
    standing: tuple[Standing, ...]
    grippers: dict[Seat, Hand]
    flat_hands: dict[Seat, Hand]
    noise: float
    softness: float
    jpeg_quality: int | None
    exposure_s: float


def random_look(rng: np.random.Generator, size: tuple[int, int], taken: tuple[Pose, Pose]) -> Look:
    """A look for pictures of ``size`` (width, height); things keep away from the piles at ``taken``."""
    scale = float(rng.uniform(*_CARD_PIXELS)) / CARD_WIDTH * size[0] / 1280
    homography = camera_homography(
        size,
        scale,
        tilt=float(rng.uniform(0, _STEEPEST_TILT)),
        direction=float(rng.uniform(0, 2 * np.pi)),
        roll=float(rng.normal(0, 0.02)),
        aim=(float(rng.normal(0, 8)), float(rng.normal(0, 6))),
    )
    aging = float(rng.uniform(0, 0.06))
    bright = float(rng.uniform(0.92, 1.0))
    grippers, flat_hands = _arms(rng, scale)
    return Look(
        homography=homography,
        scale=scale,
        cloth=_cloth(rng, homography, scale, size),
        light=_light(rng, size),
        glare=_glare(rng, size) if rng.random() < 0.5 else None,
        shadow=(float(rng.uniform(-2, 2)), float(rng.uniform(-2, 2))),
        paper=(bright * (1 - aging), bright * (1 - aging / 3), bright),
        standing=_standing(rng, scale, taken),
        grippers=grippers,
        flat_hands=flat_hands,
        noise=float(rng.uniform(1.0, 4.5)),
        softness=float(rng.uniform(0.4, 0.8)),
        jpeg_quality=int(rng.integers(80, 96)) if rng.random() < 0.5 else None,
        exposure_s=float(rng.uniform(0.004, 0.02)),
    )


def _cloth(
    rng: np.random.Generator, homography: npt.NDArray[np.float64], scale: float, size: tuple[int, int]
) -> Pixels:
    makers = (felt, felt, woven, wood, wood, plain, leather, striped)
    across, down = round(size[0] * 1.3), round(size[1] * 1.3)
    texture = makers[int(rng.integers(len(makers)))](rng, (down, across))
    reach = np.array([across, down]) / scale / 2
    corners = project(homography, np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * reach)
    source = as_floats(np.array([[0, 0], [across, 0], [across, down], [0, down]]))
    matrix = cv2.getPerspectiveTransform(source, corners)
    return as_pixels(
        cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    )


def _light(rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    grid = (36, 64)
    rows, columns = (values.astype(np.float32) / 64 - 0.5 for values in np.mgrid[: grid[0], : grid[1]])
    angle = float(rng.uniform(0, 2 * np.pi))
    tone = 1 + float(rng.uniform(0, 0.35)) * (np.cos(angle) * columns + np.sin(angle) * rows)
    tone = tone + float(rng.uniform(0, 0.12)) * smooth_noise(rng, grid, (2, 3))
    colour: Floats = 1 + (lamp_colour(rng) - 1) * 0.6
    exposure = float(rng.uniform(0.82, 1.08))
    gains = cv2.merge([as_floats(tone * exposure * float(gain)) for gain in colour])
    return as_pixels(cv2.resize(gains, size, interpolation=cv2.INTER_LINEAR) * NEUTRAL_LIGHT)


def _glare(rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """One or two soft reflections of a lamp."""
    glow = np.zeros((size[1], size[0]), dtype=np.uint8)
    for _ in range(int(rng.integers(1, 3))):
        centre = (int(rng.uniform(0.2, 0.8) * size[0]), int(rng.uniform(0.2, 0.8) * size[1]))
        axes = (int(rng.uniform(0.02, 0.07) * size[0]), int(rng.uniform(0.01, 0.04) * size[0]))
        strength = int(rng.integers(40, 130))
        cv2.ellipse(glow, centre, axes, float(rng.uniform(0, 180)), 0, 360, (strength,), -1)
    soft = cv2.GaussianBlur(glow, (0, 0), 0.014 * size[0])
    return as_pixels(cv2.merge([soft, soft, soft]))


def _arms(rng: np.random.Generator, scale: float) -> tuple[dict[Seat, Hand], dict[Seat, Hand]]:
    grippers: dict[Seat, Hand] = {}
    flat_hands: dict[Seat, Hand] = {}
    for seat in CLOCKWISE:
        state = int(rng.integers(2**31))
        # The same state twice: the same person's skin and sleeve, the hand held in another way.
        grippers[seat] = random_hand(np.random.default_rng(state), scale, flat=False)
        flat_hands[seat] = random_hand(np.random.default_rng(state), scale, flat=True)
    return grippers, flat_hands


def _standing(rng: np.random.Generator, scale: float, taken: tuple[Pose, Pose]) -> tuple[Standing, ...]:
    """Score pad, glasses, pencil and the like in the corners of the table, clear of the play."""
    corners = [(x, y) for x in (-385.0, 385.0) for y in (-195.0, 195.0)]
    free = [corner for corner in corners if _clear(corner, taken, 190.0)]
    free = [free[int(index)] for index in rng.permutation(len(free))]
    makers = [score_pad, glass, coaster if rng.random() < 0.5 else phone, paper]
    detail = scale * 1.15
    standing = []
    for corner, maker in zip(free, makers, strict=False):
        pose = Pose(
            corner[0] + float(rng.normal(0, 12)),
            corner[1] + float(rng.normal(0, 8)),
            float(rng.normal(0, 0.35)) + np.pi / 2 * int(rng.integers(4)),
        )
        standing.append(Standing(maker(rng, detail), pose))
        if maker is score_pad:
            beside = Pose(
                pose.x + float(rng.normal(0, 20)), pose.y + float(rng.normal(0, 20)), pose.turn + 0.8
            )
            standing.append(Standing(pencil(rng, detail), beside))
    return tuple(standing)


def _clear(corner: tuple[float, float], taken: tuple[Pose, Pose], distance: float) -> bool:
    return all(np.hypot(corner[0] - pose.x, corner[1] - pose.y) > distance for pose in taken)
