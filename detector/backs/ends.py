"""Which end of a back is up, where only little tells: by what all views together have of the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from detector.backs.alignment import MIDDLE, Matrix, laid_on_model, shrunk
from detector.backs.lighting import between_blurs
from detector.backs.views import CARD_MASK
from detector.types import FloatArray

_SCALE: Final = (1.2, 8.0)
"""Sigmas in pixels of the blurs between which the ends are compared."""

_WITHIN: Final = shrunk(CARD_MASK.astype(np.float32), MIDDLE) > 0.99
"""(H / 2, W / 2) bool: what of a view at half the size is surely card."""

_FLOOR: Final = 2.0
"""Grey levels: what any camera's picture differs by."""

_TELLS: Final = 8.0
"""Grey levels: by less an average that differs from itself turned may be noise."""

_LIMIT: Final = 40.0
"""Grey levels: one place, such as a mark, counts for no more."""

_MOST: Final = 6.0
"""Times the noise: more difference at one place counts for no more."""


def ends_of(laid: Sequence[FloatArray], average: FloatArray, turning: Matrix) -> npt.NDArray[np.float64]:
    """(N,) 1 or -1 for each of the views, (H, W, 3), laid on ``average`` and lit as it: which end is up.

    Each view minus itself turned is the same print difference, or minus it, and noise. Which of the two is
    the sign in the strongest component that these differences share (their first principal axis). Where a
    back is point-symmetric the signs mean nothing.
    """
    differences, sums = [], []
    for one in laid:
        residual = one - average
        there = laid_on_model(one, turning)
        differences.append(_telling(one - there))
        sums.append(_telling(residual + laid_on_model(residual, turning)))
    noise = np.median(np.abs(np.stack(sums) - np.median(sums, axis=0)), axis=0) * 1.4826 + _FLOOR
    scaled = np.clip(np.stack(differences) / noise, -_MOST, _MOST)
    gram = scaled @ scaled.T
    np.fill_diagonal(gram, 0.0)
    _, axes = np.linalg.eigh(gram.astype(np.float64))
    return np.where(axes[:, -1] >= 0, 1.0, -1.0)


def ends_as(laid: Sequence[FloatArray], average: FloatArray, turning: Matrix) -> npt.NDArray[np.float64]:
    """(N,) -1 for each of the views that has the other end up than ``average``, else 1."""
    wanted = _telling(average - laid_on_model(average, turning))
    wanted[np.abs(wanted) < _TELLS] = 0
    agree = [
        float(np.clip(_telling(one - laid_on_model(one, turning)), -_LIMIT, _LIMIT) @ wanted) for one in laid
    ]
    return np.where(np.array(agree) < 0, -1.0, 1.0)


def _telling(difference: FloatArray) -> FloatArray:
    """(M,) what of a difference is neither noise nor light, at half the size, colour after colour."""
    fine = between_blurs(difference, _SCALE)
    small = [shrunk(np.ascontiguousarray(fine[..., channel]), MIDDLE)[_WITHIN] for channel in range(3)]
    return np.concatenate(small).astype(np.float32)
