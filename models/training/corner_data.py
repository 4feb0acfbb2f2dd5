"""What the corner refiner learns from: cards cut out with the finder's faults, and where their corners are.

The finder gives a rectangle: of a card seen from the side it is the one around it, and a few per cent off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from capture.simulator.decks import Deck
from detector.corners import crop_targets
from detector.geometry import card_width, order_corners, rectify
from detector.types import FloatArray, Image
from models.training.namer_data import draw_card

CORNER_CROP: Final = (80, 120)
"""Width and height of what the network reads, in pixels."""

CORNER_MARGIN: Final = 0.16
"""How much of the table around the card is in view: corners this far off can still be set right."""

_RECTANGLE_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class CornerSample:
    """A crop, (120, 80, 3) uint8 BGR, and how far its corners lie off, (4, 2), in card widths."""

    crop: Image
    offsets: FloatArray


def draw_corner_sample(rng: np.random.Generator, decks: Sequence[Deck], weights: FloatArray) -> CornerSample:
    """Draw one card cut out as the finder would, or as it is after a first correction."""
    drawn = draw_card(rng, decks, weights)
    guess = _as_found(rng, drawn.quad)
    crop = rectify(drawn.patch, guess, CORNER_CROP, CORNER_MARGIN)
    return CornerSample(crop, true_offsets(drawn.quad, guess))


def _as_found(rng: np.random.Generator, quad: FloatArray) -> FloatArray:
    """The corners with errors from nearly none to the finder's worst."""
    guess = np.array(quad, dtype=np.float64)
    if rng.random() < _RECTANGLE_SHARE:
        box = order_corners(cv2.boxPoints(cv2.minAreaRect(quad)))
        guess = _same_way_up(box, quad).astype(np.float64)
    width, size = card_width(quad), float(rng.uniform(0.1, 1.0))
    middle = guess.mean(axis=0)
    turn = float(rng.normal(0, 0.04 * size))
    cosine, sine = np.cos(turn), np.sin(turn)
    guess = (guess - middle) @ np.array([[cosine, sine], [-sine, cosine]])
    guess *= np.exp(rng.normal(0, 0.05 * size))
    guess += middle + rng.normal(0, 0.045 * size * width, 2) + rng.normal(0, 0.03 * size * width, (4, 2))
    return np.asarray(guess, dtype=np.float32)


def _same_way_up(box: FloatArray, quad: FloatArray) -> FloatArray:
    """``box`` with its corners in the order in which ``quad`` has them."""
    turns = [np.roll(box, turn, axis=0) for turn in range(4)]
    distances = [float(np.linalg.norm(turned - quad, axis=1).sum()) for turned in turns]
    return np.asarray(turns[int(np.argmin(distances))], dtype=np.float32)


def true_offsets(quad: FloatArray, guess: FloatArray) -> FloatArray:
    """Where the true corners lie in the crop of ``guess``, less where ``guess`` puts them, (4, 2) float32.

    In widths of the card in the crop.
    """
    targets = crop_targets(CORNER_CROP, CORNER_MARGIN)
    matrix = cv2.getPerspectiveTransform(np.asarray(guess, dtype=np.float32), targets)
    true = cv2.perspectiveTransform(np.asarray(quad, dtype=np.float32)[None], matrix)[0]
    return np.asarray((true - targets) / (targets[1, 0] - targets[0, 0]), dtype=np.float32)
