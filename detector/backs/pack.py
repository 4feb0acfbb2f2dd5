"""The back of a pack, from many views of its cards: their robust average and how they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.backs.alignment import (
    HALF_ROUND,
    NOT_LAID,
    Fit,
    Mask,
    Matrix,
    Model,
    is_plausible,
    laid_on_model,
)
from detector.backs.ends import ends_as, ends_of
from detector.backs.lighting import toned_like
from detector.backs.views import CARD_MASK, CORNERS, PRINT_MASK, BackView, turned
from detector.types import FloatArray

LEAST_VIEWS: Final = 6
"""With fewer views a pack's back is not known well enough to say anything of it."""

_LAID_BADLY: Final = 0.08
_BETTER: Final = 0.7
"""The usual error from which the print alone is tried, and how much better it must do."""

_TRIED_FIRST: Final = 5
_LAID_AT_ONCE: Final = 0.12
"""The usual error with which a view is a model good enough to begin with."""

_ROUNDS: Final = 2
_STRAY: Final = 1.5
"""A view whose error is so many times the usual one may lie one lozenge off."""

_OFF_CENTRE: Final = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""Pixels that itself turned may lie off: the print need not be in the middle of the card, and a fine pattern
lies on itself in many ways."""

_LITTLE: Final = 0.02
"""An error that needs no second try."""


@dataclass(frozen=True, slots=True, eq=False)
class PackBack:
    """What a pack's back looks like.

    average: (H, W, 3) float32, the median of the views laid on one another, of ``VIEW_SIZE``.
    laid: (N, H, W, 3) float32, the views laid on it. toned: the same, each lit as the average is.
    unrest: (N, H, W). errors: (N,), how far each is from the average, as a share of its contrast.
    matrices: (N, 3, 3), from the average to each view. turning: (3, 3), from the average to itself turned
    half round about the middle of its print. contrast: of the average, in grey levels.
    """

    average: FloatArray
    laid: FloatArray
    toned: FloatArray
    unrest: FloatArray
    errors: FloatArray
    matrices: npt.NDArray[np.float64]
    turning: Matrix
    contrast: float

    @property
    def well_laid(self) -> npt.NDArray[np.bool_]:
        """(N,) the views that lie about as well on the average as most do."""
        return np.asarray(self.errors <= _bound(self.errors), dtype=np.bool_)


def learn_pack(views: Sequence[BackView]) -> PackBack | None:
    """Lay the views on one another; None while there are fewer than :data:`LEAST_VIEWS`.

    Of a plain back only the outline tells how it lies; of others the outline may mislead, where cards lie on
    cards and boxes are too large. Where the views lie badly by the whole card, the print alone is tried.
    """
    if len(views) < LEAST_VIEWS:
        return None
    pack = _learnt(views, CARD_MASK)
    if np.median(pack.errors) <= _LAID_BADLY:
        return pack
    by_print = _learnt(views, PRINT_MASK)
    return by_print if np.median(by_print.errors) < _BETTER * np.median(pack.errors) else pack


def _learnt(views: Sequence[BackView], within: Mask) -> PackBack:
    images = [view.image for view in views]
    fits = _laid_on_one_of_them(views, within)
    for _ in range(_ROUNDS):
        fits = _centred(fits)
        model = Model(_mean(images, fits), within)
        fits = [_bettered(model, image, fit) for image, fit in zip(images, fits, strict=True)]
        fits = _strays_laid_anew(model, images, fits)
    fits = _centred(fits)
    average = _mean(images, fits)
    turning = half_turn(average, within)
    fits = _same_end_up(images, fits, average, turning)
    model = Model(_mean(images, fits), within)
    fits = [
        min(
            model.refine(image, fit.matrix, finely=True),
            model.refine(image, fit.matrix @ turning),
            key=lambda one: one.error,
        )
        for image, fit in zip(images, fits, strict=True)
    ]
    fits = _strays_laid_anew(model, images, fits)
    for _ in range(_ROUNDS):
        fits = _ends_as_most(images, fits)
    return _put_together(views, fits, within)


def half_turn(average: FloatArray, within: Mask = CARD_MASK) -> Matrix:
    """From the pixels of ``average`` to those of itself turned half round about the middle of its print."""
    model, other = Model(average, within), turned(average)
    starts = (np.array([[1.0, 0, x], [0, 1.0, y], [0, 0, 1.0]]) for x in _OFF_CENTRE for y in _OFF_CENTRE)
    best = min((model.refine(other, start) for start in starts), key=lambda fit: fit.error)
    fit = model.refine(other, best.matrix, finely=True)
    return np.asarray(HALF_ROUND @ fit.matrix if fit.error < NOT_LAID else HALF_ROUND)


def _put_together(views: Sequence[BackView], fits: Sequence[Fit], within: Mask) -> PackBack:
    laid = np.stack([laid_on_model(view.image, fit.matrix) for view, fit in zip(views, fits, strict=True)])
    errors = np.array([fit.error for fit in fits], dtype=np.float32)
    good = errors <= _bound(errors)
    toned = _toned_alike(laid, good)
    average = np.asarray(np.median(toned[good], axis=0), dtype=np.float32)
    return PackBack(
        average=average,
        laid=laid,
        toned=np.stack([toned_like(one, average) for one in laid]),
        unrest=np.stack(
            [laid_on_model(view.unrest, fit.matrix) for view, fit in zip(views, fits, strict=True)]
        ),
        errors=errors,
        matrices=np.stack([fit.matrix for fit in fits]),
        turning=half_turn(average, within),
        contrast=Model(average).contrast,
    )


def _toned_alike(laid: FloatArray, good: npt.NDArray[np.bool_]) -> FloatArray:
    """(N, H, W, 3) all views in the light that the ``good`` ones have in common."""
    middle = np.asarray(laid[good].mean(axis=0), dtype=np.float32)
    return np.stack([toned_like(one, middle) for one in laid])


def _bound(errors: FloatArray) -> float:
    return float(np.median(errors)) * _STRAY + _LITTLE


def _laid_on_one_of_them(views: Sequence[BackView], within: Mask) -> list[Fit]:
    """All views laid on the one of a few clear ones on which they lie best.

    A box that is askew, or a lamp's reflection, makes a poor model: a fine lattice is then laid a lozenge
    off, and no average ever comes of it.
    """
    clearest = np.argsort([view.unrest[CARD_MASK].mean() for view in views], kind="stable")
    best: list[Fit] = []
    lowest = np.inf
    for first in clearest[:_TRIED_FIRST]:
        model = Model(views[first].image, within)
        fits = [_laid_either_way(model, view.image) for view in views]
        usual = float(np.median([fit.error for fit in fits]))
        if usual < lowest:
            best, lowest = fits, usual
        if lowest <= _LAID_AT_ONCE:
            break
    return best


def _laid_either_way(model: Model, image: FloatArray) -> Fit:
    upright, upside_down = model.lay(image), model.lay(turned(image))
    if upright.error <= upside_down.error:
        return upright
    return Fit(np.asarray(HALF_ROUND @ upside_down.matrix), upside_down.error)


def _bettered(model: Model, image: FloatArray, fit: Fit) -> Fit:
    """Laid on a better average, the way up that fits better."""
    tried = [model.refine(image, fit.matrix), model.refine(image, fit.matrix @ HALF_ROUND)]
    return min(tried, key=lambda one: one.error)


def _strays_laid_anew(model: Model, images: Sequence[FloatArray], fits: Sequence[Fit]) -> list[Fit]:
    """Those that lie badly tried anew on the average, which is clearer than the first view was."""
    bound = _bound(np.array([fit.error for fit in fits], dtype=np.float32))
    return [
        fit if fit.error <= bound else min(fit, _laid_either_way(model, image), key=lambda one: one.error)
        for image, fit in zip(images, fits, strict=True)
    ]


def _same_end_up(
    images: Sequence[FloatArray], fits: Sequence[Fit], average: FloatArray, turning: Matrix
) -> list[Fit]:
    """The views with the same end up, where only little tells the ends apart."""
    laid = [
        toned_like(laid_on_model(image, fit.matrix), average) for image, fit in zip(images, fits, strict=True)
    ]
    return _turned_by(ends_of(laid, average, turning), fits, turning)


def _ends_as_most(images: Sequence[FloatArray], fits: Sequence[Fit]) -> list[Fit]:
    """The views turned round that agree better with what most have at either end when they are.

    A few signs on a print are a small part of how badly a view lies: they alone are compared here.
    """
    errors = np.array([fit.error for fit in fits], dtype=np.float32)
    good = errors <= _bound(errors)
    laid = np.stack([laid_on_model(image, fit.matrix) for image, fit in zip(images, fits, strict=True)])
    toned = _toned_alike(laid, good)
    most = np.asarray(np.median(toned[good], axis=0), dtype=np.float32)
    turning = half_turn(most, PRINT_MASK)
    return _turned_by(ends_as(list(toned), most, turning), fits, turning)


def _turned_by(signs: npt.NDArray[np.float64], fits: Sequence[Fit], turning: Matrix) -> list[Fit]:
    """The fits, turned half round where the sign is negative and the card then lies where it was cut."""
    turned_fits = (Fit(np.asarray(fit.matrix @ turning), fit.error) for fit in fits)
    return [
        other if sign < 0 and is_plausible(other.matrix) else fit
        for fit, other, sign in zip(fits, turned_fits, signs, strict=True)
    ]


def _mean(images: Sequence[FloatArray], fits: Sequence[Fit]) -> FloatArray:
    """What the views that lie well have in common, in one light."""
    bound = _bound(np.array([fit.error for fit in fits], dtype=np.float32))
    laid = [
        laid_on_model(image, fit.matrix)
        for image, fit in zip(images, fits, strict=True)
        if fit.error <= bound
    ]
    middle = np.asarray(np.mean(laid, axis=0), dtype=np.float32)
    return np.asarray(np.mean([toned_like(one, middle) for one in laid], axis=0), dtype=np.float32)


def _centred(fits: Sequence[Fit]) -> list[Fit]:
    """The views moved so that the model's card lies where, by all views together, the card is."""
    bound = _bound(np.array([fit.error for fit in fits], dtype=np.float32))
    corners = [_box_on_model(fit.matrix) for fit in fits if fit.error <= bound]
    middle = np.median(corners, axis=0).astype(np.float32)
    move = cv2.getPerspectiveTransform(CORNERS, middle)
    return [Fit(fit.matrix @ move, fit.error) for fit in fits]


def _box_on_model(matrix: Matrix) -> FloatArray:
    """(4, 2) where the corners of a view's box lie on the model, in the order in which the model has them."""
    there = cv2.perspectiveTransform(CORNERS[None], np.linalg.inv(matrix))[0]
    other = np.roll(there, 2, axis=0)
    is_upright = np.abs(there - CORNERS).sum() <= np.abs(other - CORNERS).sum()
    return np.asarray(there if is_upright else other, dtype=np.float32)
