"""Laying one view of a back exactly on another, to a tenth of a pixel and better.

A few turns, sizes and shifts are tried coarsely; the best are followed up by Gauss-Newton steps over all
eight numbers of a perspective (inverse compositional: Baker and Matthews 2004). Light that differs smoothly
is left out of every step, and single places that differ, such as a hand or a mark, count for little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.backs.views import CARD_MASK, CARD_SIZE, CORNERS, MARGIN, VIEW_SIZE
from detector.types import FloatArray

Matrix = npt.NDArray[np.float64]
"""(3, 3), from the pixels of the model to those of a view."""

Mask = npt.NDArray[np.bool_]

HALF_ROUND: Final[Matrix] = np.array([[-1.0, 0, VIEW_SIZE[0] - 1], [0, -1.0, VIEW_SIZE[1] - 1], [0, 0, 1.0]])
"""Turns a view half round."""

COARSE: Final = 4
MIDDLE: Final = 2
FINE: Final = 1
"""By how much pictures are shrunk for the first guess, for most steps, and for the last ones."""

_ANGLES: Final = (-12.0, -9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0, 12.0)
_SCALES: Final = (0.93, 1.0, 1.07)
_GUESSES: Final = 5
"""How many of the coarse guesses are followed up: on a lattice the best may lie one lozenge off."""

_STRAYING: Final = 2.0
"""What a guess that lies a card's width off costs in correlation; a lozenge off must not pay."""

_FARTHEST: Final = 0.3
"""Of the card's width: no box has its corners farther from the card's."""

_PRIOR: Final = 0.09
_PRIOR_PERSPECTIVE: Final = 0.03
"""How far, in half card widths, a step goes where the print hardly tells: a card is small and far away, so
what is left of its perspective, once its box was cut out, is a few per cent."""

_PRIORS: Final = np.array([_PRIOR] * 6 + [_PRIOR_PERSPECTIVE] * 2)

_TRAPEZIUM: Final = 0.12
"""Of the card's width: how much farther apart the corners of one end may lie than those of the other."""

_CLIPPED: Final = 2.5
"""Times the median error from which a place counts for less."""

NOT_LAID: Final = 9.0
"""The error of a view that can't be laid on the model."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How a view lies on the model: ``matrix`` (3, 3) from model to view.

    error: the mean difference as a share of the model's contrast, 0 for the same picture.
    """

    matrix: Matrix
    error: float


class _Level:
    """The model at one size, with what a Gauss-Newton step needs worked out once."""

    def __init__(self, grey: FloatArray, shrink: int, within: Mask) -> None:
        small = shrunk(grey, shrink)
        mask = shrunk(within.astype(np.float32), shrink) > 0.99
        self._places = np.flatnonzero(mask)
        self._size = (small.shape[1], small.shape[0])
        self._resize = _resizing(shrink)
        rows, columns = np.divmod(self._places, small.shape[1])
        self._radius = CARD_SIZE[0] / 2 / shrink
        middle_x, middle_y = ((side / 2) / shrink - 0.5 for side in VIEW_SIZE)
        self._units = np.array(
            [
                [1 / self._radius, 0, -middle_x / self._radius],
                [0, 1 / self._radius, -middle_y / self._radius],
                [0, 0, 1.0],
            ]
        )
        x = ((columns - middle_x) / self._radius).astype(np.float32)
        y = ((rows - middle_y) / self._radius).astype(np.float32)
        self._model = small.ravel()[self._places]
        self._light = _smooth_light(self._model, x, y)
        self._slopes = self._without_light(self._slopes_of(small, x, y))
        self.contrast = float(self._model.std()) + 1e-3

    def _slopes_of(self, small: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """(N, 8) by how much each place changes with each number of the perspective."""
        across, down = (
            cv2.Sobel(small, cv2.CV_32F, *way, scale=1 / 8).ravel()[self._places] * self._radius
            for way in ((1, 0), (0, 1))
        )
        outward = across * x + down * y
        columns = (across, across * x, across * y, down, down * x, down * y, -outward * x, -outward * y)
        return np.stack(columns, axis=1).astype(np.float32)

    def _without_light(self, values: FloatArray) -> FloatArray:
        return np.asarray(values - self._light @ (self._light.T @ values), dtype=np.float32)

    def fit(self, grey: FloatArray, start: Matrix, rounds: int) -> Fit:
        """Lay ``grey``, a view shrunk to this level, on the model, from a good guess on."""
        warp = np.linalg.inv(self._resize) @ start @ self._resize
        back = np.linalg.inv(self._units)
        for _ in range(rounds):
            error = self._error(grey, warp)
            step = self._step(error)
            perspective = np.append(step, 1.0).reshape(3, 3) + np.diag([1.0, 1.0, 0.0])
            warp = warp @ np.linalg.inv(back @ perspective @ self._units)
            warp /= warp[2, 2]
            if np.abs(step).max() * self._radius < 0.02:
                break
        apart = np.minimum(np.abs(self._error(grey, warp)), 3 * self.contrast + 5).mean()
        return Fit(self._resize @ warp @ np.linalg.inv(self._resize), float(apart) / self.contrast)

    def _error(self, grey: FloatArray, warp: Matrix) -> FloatArray:
        """(N,) what of the view, laid like this, differs from the model, light left out."""
        laid = cv2.warpPerspective(
            grey,
            warp,
            self._size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return self._without_light(np.asarray(laid.ravel()[self._places] - self._model, dtype=np.float32))

    def _step(self, error: FloatArray) -> npt.NDArray[np.float64]:
        """(8,) by how much to change the perspective: p1 to p8 in the order of its matrix's rows."""
        size = np.abs(error)
        limit = np.float32(_CLIPPED * float(np.median(size)) + 1)
        weighted = self._slopes * np.minimum(1, limit / np.maximum(size, 1e-3))[:, None]
        variance = float(np.square(np.minimum(size, limit)).mean()) + 1
        curvature = weighted.T @ self._slopes + np.diag(variance / _PRIORS**2)
        step = np.linalg.solve(curvature.astype(np.float64), (weighted.T @ error).astype(np.float64))
        # Columns: shift, stretch, shear of x; shift, shear, stretch of y; the two of the perspective.
        return step[[1, 2, 0, 4, 5, 3, 6, 7]]


class Model:
    """A picture of a back that views are laid on; made once, used for many views."""

    def __init__(self, image: FloatArray, within: Mask = CARD_MASK) -> None:
        """``image``: (H, W, 3) float32 of ``VIEW_SIZE``. within: (H, W) the places that are compared."""
        self._axis = _colour_axis(image)
        grey = self.grey(image)
        # The frame of a fine lattice is all that tells roughly where it lies.
        self._levels = {
            shrink: _Level(grey, shrink, CARD_MASK if shrink == COARSE else within)
            for shrink in (COARSE, MIDDLE, FINE)
        }
        self._left = self._top = MARGIN // COARSE + 1
        inner = shrunk(grey, COARSE)[self._top : -self._top, self._left : -self._left]
        self._inner = np.ascontiguousarray(inner)

    @property
    def contrast(self) -> float:
        """Grey levels: the standard deviation of the print in its most telling mixture of colours."""
        return self._levels[MIDDLE].contrast

    def grey(self, image: FloatArray) -> FloatArray:
        """(H, W) float32: the mixture of the three colours in which this back has the most contrast."""
        return np.asarray(image @ self._axis, dtype=np.float32)

    def lay(self, image: FloatArray) -> Fit:
        """Lay ``image``, (H, W, 3) float32 of ``VIEW_SIZE`` and this way up, on the model."""
        grey = self.grey(image)
        coarse, middle = shrunk(grey, COARSE), shrunk(grey, MIDDLE)
        best, best_cost = Fit(np.eye(3), NOT_LAID), np.inf
        for guess in self._guesses(coarse):
            fit = self._levels[COARSE].fit(coarse, guess, 6)
            if not is_plausible(fit.matrix):
                continue
            fit = self._levels[MIDDLE].fit(middle, fit.matrix, 8)
            cost = fit.error + _STRAYING * _straying(fit.matrix) ** 2
            if is_plausible(fit.matrix) and cost < best_cost:
                best, best_cost = fit, cost
        return best

    def refine(self, image: FloatArray, start: Matrix, *, finely: bool = False) -> Fit:
        """Lay ``image`` on the model from a good guess on; where that fails the guess is kept."""
        grey = self.grey(image)
        fit = self._levels[MIDDLE].fit(shrunk(grey, MIDDLE), start, 6)
        if finely and is_plausible(fit.matrix):
            fit = self._levels[FINE].fit(grey, fit.matrix, 4)
        return fit if is_plausible(fit.matrix) else Fit(start, NOT_LAID)

    def _guesses(self, coarse: FloatArray) -> list[Matrix]:
        """The best few of many turns, sizes and shifts."""
        height, width = coarse.shape
        resize, pad = _resizing(COARSE), 4
        padded = cv2.copyMakeBorder(coarse, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
        tried = []
        for angle in _ANGLES:
            for scale in _SCALES:
                middle = ((width - 1) / 2 + pad, (height - 1) / 2 + pad)
                around = np.vstack([cv2.getRotationMatrix2D(middle, angle, scale), (0.0, 0.0, 1.0)])
                seen = cv2.warpAffine(
                    padded,
                    around[:2],
                    (width + 2 * pad, height + 2 * pad),
                    flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                    borderMode=cv2.BORDER_REPLICATE,
                )
                worth, across, down = self._best_shift(np.asarray(seen, dtype=np.float32), pad)
                small = _moved(-pad, -pad) @ around @ _moved(across + pad, down + pad)
                tried.append((worth, resize @ small @ np.linalg.inv(resize)))
        tried.sort(key=lambda one: -one[0])
        return [matrix for _, matrix in tried[:_GUESSES]]

    def _best_shift(self, seen: FloatArray, pad: int) -> tuple[float, int, int]:
        """How well the model's inner part correlates at its best place, and how far that lies off."""
        scores = cv2.matchTemplate(seen, self._inner, cv2.TM_CCOEFF_NORMED)
        rows, columns = np.mgrid[: scores.shape[0], : scores.shape[1]]
        squared = (rows - self._top - pad) ** 2 + (columns - self._left - pad) ** 2
        scores = scores - _STRAYING * squared / (CARD_SIZE[0] / COARSE) ** 2
        row, column = np.unravel_index(int(np.argmax(scores)), scores.shape)
        return float(scores[row, column]), int(column) - self._left - pad, int(row) - self._top - pad


def laid_on_model(image: FloatArray, matrix: Matrix) -> FloatArray:
    """``image`` as the model sees it, the same size; ``matrix`` as in :class:`Fit`."""
    laid = cv2.warpPerspective(
        image,
        matrix,
        VIEW_SIZE,
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(laid, dtype=np.float32)


def is_plausible(matrix: Matrix) -> bool:
    """Whether a card lies about where it was cut out, either way up."""
    card = np.column_stack([CORNERS, np.ones(4)]) @ matrix.T
    if not np.isfinite(card).all() or (card[:, 2] < 0.3).any():
        return False
    there = card[:, :2] / card[:, 2:]
    if np.hypot(*(there[0] - there[1] + there[2] - there[3])) > _TRAPEZIUM * CARD_SIZE[0]:
        return False
    return any(
        np.hypot(*(there - np.roll(CORNERS, turn, axis=0)).T).max() < _FARTHEST * CARD_SIZE[0]
        for turn in (0, 2)
    )


def _straying(matrix: Matrix) -> float:
    """How far the card's corners lie from the box's, on average, in card widths."""
    there = cv2.perspectiveTransform(CORNERS[None], matrix)[0]
    return float(np.hypot(*(there - CORNERS).T).mean()) / CARD_SIZE[0]


def shrunk(grey: FloatArray, shrink: int) -> FloatArray:
    """``grey``, (H, W), averaged over squares of ``shrink`` pixels."""
    if shrink == 1:
        return grey
    height, width = grey.shape[0] // shrink, grey.shape[1] // shrink
    cut = grey[: height * shrink, : width * shrink]
    return np.asarray(cv2.resize(cut, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)


def _smooth_light(model: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """(N, 9) orthonormal: what differs only by a smooth light, added or by which it is multiplied."""
    print_only = model - model.mean()
    one = np.ones_like(x)
    parts = (one, x, y, x * x, x * y, y * y, print_only, print_only * x, print_only * y)
    light = np.stack(parts, axis=1)
    orthonormal, _ = np.linalg.qr(light / (np.linalg.norm(light, axis=0) + 1e-6))
    return np.asarray(orthonormal, dtype=np.float32)


def _colour_axis(image: FloatArray) -> FloatArray:
    """(3,) the mixture of colours along which the card itself varies most."""
    inner = image[CARD_MASK]
    _, axes = np.linalg.eigh(np.cov(inner.T))
    axis = axes[:, -1]
    return np.asarray(axis if axis.sum() >= 0 else -axis, dtype=np.float32)


def _moved(across: float, down: float) -> Matrix:
    return np.array([[1.0, 0.0, across], [0.0, 1.0, down], [0.0, 0.0, 1.0]])


def _resizing(shrink: int) -> Matrix:
    """From pixels of a shrunk picture to those of the whole one; whole numbers are the middles of pixels."""
    offset = (shrink - 1) / 2
    return np.array([[shrink, 0.0, offset], [0.0, shrink, offset], [0.0, 0.0, 1.0]])
