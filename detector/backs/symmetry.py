"""Is a pack's back point-symmetric (article 1, "niet in spiegeldruk"): its average against itself turned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.backs.alignment import laid_on_model
from detector.backs.lighting import between_blurs, toned_like
from detector.backs.pack import PackBack
from detector.backs.views import INNER_MASK
from detector.types import FloatArray

ONE_WAY_FROM: Final = 9.0
"""How many times the usual difference a back must differ from itself turned; chosen by the measured curve."""

_SCALES: Final = ((1.3, 6.5), (2.9, 12.0))
"""Sigmas in pixels of the blurs between which a difference shows; what counts is the mean of the two."""

_LIMIT: Final = 80.0
_FLOOR: Final = 1.5
"""Grey levels: an average is never better known than this."""

_EDGE: Final = 0.1
"""Pixels by which the average and itself turned may still lie off each other, where the print has edges."""

_PLACES: Final = 36
"""So many pixels must differ: about 2.5 mm across."""

_MAD: Final = 1.4826


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    """How a back differs from itself turned half round.

    score: by how many times what is usual. difference: (H, W, 3) float32 grey levels, the average minus
    itself turned.
    """

    score: float
    difference: FloatArray

    @property
    def is_symmetric(self) -> bool:
        """Whether it can't be told which end is up."""
        return self.score < ONE_WAY_FROM

    @property
    def certainty(self) -> float:
        """From 0.5 at the threshold to nearly 1 far from it."""
        return float(1 / (1 + np.exp(-4 * abs(np.log(max(self.score, 0.1) / ONE_WAY_FROM)))))


def judge_symmetry(pack: PackBack) -> Symmetry:
    """Lay the average, turned half round, on itself, and see what differs for sure."""
    both = _card_both_ways(pack)
    turned_average = toned_like(laid_on_model(pack.average, pack.turning), pack.average)
    difference = np.clip(pack.average - turned_average, -_LIMIT, _LIMIT)
    score = float(np.mean([_score(pack, difference, both, scale) for scale in _SCALES]))
    return Symmetry(score, difference)


def _card_both_ways(pack: PackBack) -> npt.NDArray[np.bool_]:
    """(H, W) bool: what is surely card, also when turned."""
    card = INNER_MASK.astype(np.float32)
    return np.asarray((card > 0) & (laid_on_model(card, pack.turning) > 0.99), dtype=np.bool_)


def _score(
    pack: PackBack, difference: FloatArray, both: npt.NDArray[np.bool_], scale: tuple[float, float]
) -> float:
    """By how many times what is usual the places differ that differ most, at one scale."""
    good = pack.well_laid
    residual = np.clip(pack.toned[good] - pack.average, -_LIMIT, _LIMIT)
    views = np.stack([between_blurs(one, scale) for one in residual])
    spread = np.median(np.abs(views - np.median(views, axis=0)), axis=0) * _MAD
    edges = _EDGE * steepness(pack.average, scale[0])
    noise = np.sqrt(4 * spread**2 / good.sum() + _FLOOR**2 + edges**2)
    ratio = (np.abs(between_blurs(difference, scale)) / noise).max(axis=2) * both
    return float(np.partition(ratio, -_PLACES, axis=None)[-_PLACES])


def steepness(average: FloatArray, sigma: float) -> FloatArray:
    """(H, W, 3) grey levels a pixel: how steep the print is, smoothed like what is compared."""
    smooth = cv2.GaussianBlur(average, (0, 0), 1.0)
    steep = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8)
    return np.asarray(cv2.GaussianBlur(steep, (0, 0), sigma), dtype=np.float32)
