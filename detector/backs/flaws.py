"""Does one back differ from the others of its pack (article 1): each view against the pack's own average.

A place on a view is held against how much that place differs among all the views, how restless it was while
the card lay there, and how much everything around it differs, so that a lamp, a hand or a view laid badly is
no mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.backs.lighting import between_blurs, local_light
from detector.backs.pack import PackBack
from detector.backs.symmetry import steepness
from detector.backs.views import CARD_MASK, CARD_SIZE, INNER_MASK, MARGIN, MILLIMETRE
from detector.types import FloatArray

MARKED_FROM: Final = 12.0
"""How many times the usual difference a place must differ; chosen by ``models.training.back_curve``."""

FADED_FROM: Final = 0.22
"""By which share a back must have less contrast than the others of its pack; chosen likewise."""

OTHER_FROM: Final = 0.24
"""By which share the colours of a view must differ from the others', brightness left out; chosen likewise."""

LAID_WELL: Final = 0.2
"""A pack whose views lie worse than this on their average, as a share of its contrast, is not judged."""

_SCALES: Final = ((1.3, 6.5), (2.9, 12.0))
"""Sigmas in pixels of the finer and the coarser blur between which a mark shows."""

_ALL_SCALES: Final = (1.3, 12.0)
_ALL_MOST: Final = 30.0
"""Grey levels: one place counts for no more where a whole view is judged."""

_FLOOR: Final = 2.0
"""Grey levels: what any camera's picture differs by."""

_EDGE: Final = 0.15
"""Pixels by which a view may still lie off, where the print has edges."""

_MAD: Final = 1.4826
_LIMIT: Final = 80.0
"""Grey levels: more difference than this says no more."""

_AROUND: Final = (8.0, 19.0)
"""Sigmas in pixels of the ring whose differences are the surroundings' own."""

_AROUND_WEIGHT: Final = 0.5
_AROUND_MOST: Final = 4.0
"""Times the view's usual difference: a mark's own other end is no noise of its surroundings."""

_USUAL: Final = 0.9
_ALL_BUT_FEW: Final = 0.85
"""The share of the views among which a marked card is hardly ever: it is seen once or twice in a deal."""

_UNSURE: Final = 5
"""Pixels: how far around a place near the edge the views are asked."""


_WHITE: Final = 250.0
_MOST_OF_AN_EDGE: Final = 0.95
_EDGE_USUAL: Final = 2.0
"""Times the usual difference: what the edges may differ without counting against the corners."""

_LEAST_UNLIKE: Final = 0.6
"""Grey levels: views that lie better than this on average are all laid well."""

_STRAY: Final = 3.5
"""A view that all over differs so many times more than usual was not laid well: its places tell nothing."""

_ASTRAY: Final = 5.5
"""Nor does it tell from here on how much ink there is."""

_MOST_OVEREXPOSED: Final = 0.25
_LEAST_SEEN: Final = 0.3
"""Of a part of the card: where a lamp leaves less of it to be seen, nothing is said of its colours."""

_PARTS: Final = tuple(
    (
        slice(MARGIN + row * CARD_SIZE[1] // 3, MARGIN + (row + 1) * CARD_SIZE[1] // 3),
        slice(MARGIN + column * CARD_SIZE[0] // 2, MARGIN + (column + 1) * CARD_SIZE[0] // 2),
    )
    for row in range(3)
    for column in range(2)
)
"""(rows, columns) of the card in six parts."""

_CORNER_REACH: Final = round(9 * MILLIMETRE)


def _near_corners() -> npt.NDArray[np.bool_]:
    """(H, W) bool: the places up to 9 mm from two edges at once."""
    near = np.zeros(CARD_MASK.shape, dtype=np.bool_)
    reach = MARGIN + _CORNER_REACH
    for rows in (slice(0, reach), slice(-reach, None)):
        for columns in (slice(0, reach), slice(-reach, None)):
            near[rows, columns] = True
    return near


_CORNER_ENDS: Final = CARD_MASK & ~INNER_MASK & _near_corners()
_EDGES: Final = CARD_MASK & ~INNER_MASK & ~_near_corners()


@dataclass(frozen=True, slots=True, eq=False)
class Deviation:
    """How one view of a pack differs from the others.

    place: by how many times what is usual its most differing place differs. centre: where that is, (x, y) as
    shares of the card's width and height, as the average lies. faded: which share of its ink it lacks.
    other: by which share its colours differ more than the others', brightness left out.
    """

    place: float
    centre: tuple[float, float]
    faded: float
    other: float

    @property
    def kind(self) -> str | None:
        """``mark``, ``fading`` or ``print``, as in ``BackFlaw``; None where the back is like the others."""
        if self.strength < 1:
            return None
        if self.other >= OTHER_FROM:
            return "print"
        return "mark" if self.place >= MARKED_FROM else "fading"

    @property
    def strength(self) -> float:
        """The largest of the three as a share of its threshold."""
        return max(self.place / MARKED_FROM, self.faded / FADED_FROM, self.other / OTHER_FROM)

    @property
    def certainty(self) -> float:
        """From 0 to 1: a half at the threshold, nearly 1 at twice it."""
        return float(1 / (1 + np.exp(-4 * (min(self.strength, 10.0) - 1))))


def is_laid_well(pack: PackBack) -> bool:
    """Whether the views lie well enough on one another to say anything of the pack."""
    return float(np.median(pack.errors)) <= LAID_WELL


def deviations(pack: PackBack) -> tuple[Deviation, ...]:
    """One a view, in their order."""
    strongest = np.max([_differences(pack, scale) for scale in _SCALES], axis=0)
    unlike = _unlike(pack)
    strongest[unlike > _STRAY] = 0
    pale = np.array([_paleness(pack, one) for one in pack.laid])
    pale[unlike > _ASTRAY] = 0
    colour = np.array([_colour(pack, one) for one in pack.laid])
    return tuple(
        Deviation(float(one.max()), _centre(one), faded=faded, other=other)
        for one, faded, other in zip(
            strongest, (pale - np.median(pale)).tolist(), (colour - np.median(colour)).tolist(), strict=True
        )
    )


def _unlike(pack: PackBack) -> FloatArray:
    """(N,) by how many times what is usual each view differs from the average, all over, light left out."""
    mean = np.array(
        [
            _mean_difference(toned - pack.average, _unsaturated(laid))
            for toned, laid in zip(pack.toned, pack.laid, strict=True)
        ],
        dtype=np.float32,
    )
    return np.asarray(mean / max(float(np.median(mean)), _LEAST_UNLIKE), dtype=np.float32)


def _mean_difference(residual: FloatArray, sure: FloatArray) -> float:
    """The mean over the card of what of ``residual``, (H, W, 3), is no light, where ``sure`` is not 0."""
    fine = (np.abs(between_blurs(residual, _ALL_SCALES)) * sure).max(axis=2)
    weight = float(sure.max(axis=2)[INNER_MASK].sum())
    return float(np.minimum(fine[INNER_MASK], _ALL_MOST).sum()) / max(weight, 1.0)


def _differences(pack: PackBack, scale: tuple[float, float]) -> FloatArray:
    """(N, H, W): by how many times what is usual each place of each view differs, at one scale."""
    residual = np.clip(pack.toned - pack.average, -_LIMIT, _LIMIT)
    smooth = np.stack([between_blurs(one, scale) for one in residual])
    middle = np.median(smooth[pack.well_laid], axis=0)
    apart = smooth - middle
    spread = np.asarray(np.median(np.abs(apart[pack.well_laid]), axis=0) * _MAD, dtype=np.float32)
    spread = np.maximum(spread, cv2.GaussianBlur(spread, (0, 0), 3.0))
    spread = np.maximum(spread, _edge_spread(np.abs(apart[pack.well_laid])))
    edges = _EDGE * steepness(pack.average, scale[0])
    unrest = np.maximum(pack.unrest - 2 * np.median(pack.unrest, axis=(1, 2), keepdims=True), 0)
    noise = spread**2 + edges**2 + _FLOOR**2 + unrest[..., None] ** 2
    around = np.stack([_around(one) for one in apart])
    sure = np.stack([_unsaturated(one) for one in pack.laid])
    ratio = (sure * np.abs(apart) / np.sqrt(noise + _AROUND_WEIGHT * around)).max(axis=3)
    ratio = np.stack([_corners_for_themselves(one) for one in ratio])
    usual = np.maximum(1.0, np.median(ratio[:, INNER_MASK], axis=1) / _USUAL)
    return np.asarray(ratio / usual[:, None, None], dtype=np.float32)


def _unsaturated(one: FloatArray) -> FloatArray:
    """(H, W, 3) 1, or 0 where a lamp's reflection left nothing to be seen of the print."""
    white = cv2.dilate((one >= _WHITE).astype(np.uint8), np.ones((5, 5), np.uint8))
    return np.asarray(1 - white, dtype=np.float32)


def _corners_for_themselves(ratio: FloatArray) -> FloatArray:
    """``ratio``, (H, W), without the card's edges; its corners as far as they differ more than the edges.

    A card cut or laid a little otherwise differs along a whole edge; a bent or clipped corner does not.
    """
    along = float(np.quantile(ratio[_EDGES], _MOST_OF_AN_EDGE))
    kept = ratio * INNER_MASK
    kept[_CORNER_ENDS] = ratio[_CORNER_ENDS] / max(1.0, along / _EDGE_USUAL)
    return np.asarray(kept, dtype=np.float32)


def _edge_spread(apart: FloatArray) -> FloatArray:
    """(H, W, 3): by how much several views differ, (N, H, W, 3), near the edge of the card; 0 farther in.

    Prints that lie off their card's middle are cut differently at their two ends, and boxes tell only roughly
    where the cards end: there a place must differ from what it is on all but a few views.
    """
    usual = np.quantile(apart, _ALL_BUT_FEW, axis=0).astype(np.float32)
    most = cv2.dilate(usual, np.ones((_UNSURE, _UNSURE), np.uint8))
    return np.asarray(most * ~INNER_MASK[..., None], dtype=np.float32)


def _around(apart: FloatArray) -> FloatArray:
    """The mean square of ``apart``, (H, W, 3), in a ring around each place, over what is card."""
    within = CARD_MASK.astype(np.float32)
    inner, outer = _AROUND
    share = (inner / outer) ** 2
    usual = np.median(np.abs(apart[CARD_MASK]), axis=0) * _MAD
    squared = np.minimum(np.square(apart), (_AROUND_MOST * usual) ** 2 + 4)

    def ring(image: FloatArray) -> FloatArray:
        wide, narrow = (cv2.GaussianBlur(image, (0, 0), sigma) for sigma in (outer, inner))
        return np.asarray(wide - share * narrow, dtype=np.float32)

    weight = np.maximum(ring(within), 0.1)[..., None]
    summed = ring(np.asarray(squared * within[..., None], dtype=np.float32))
    return np.asarray(np.maximum(summed, 0) / weight, dtype=np.float32)


def _paleness(pack: PackBack, one: FloatArray) -> float:
    """Which share of the ink a view lacks, 0 to 1, by the usual place of the card where the print varies.

    A view is the average times its light plus what a lamp adds. Faded print is nearer to the paper: it varies
    less, and what it has more is in proportion to what it lacks, which no lamp does all over a card. Where
    the lamp left nothing to be seen on much of the card, nothing is said.
    """
    if _overexposed(pack, one) > _MOST_OVEREXPOSED:
        return 0.0
    slope, offset, variance = local_light(pack.average, one)
    paper = float(np.percentile(pack.average[CARD_MASK], 98))
    kept = slope / np.maximum(slope + offset / paper, 0.1)
    order = np.argsort(kept, axis=None)
    weight = np.cumsum(np.sqrt(np.maximum(variance, 0)).ravel()[order])
    usual = kept.ravel()[order][int(np.searchsorted(weight, weight[-1] / 2))]
    return float(1 - usual)


def _colour(pack: PackBack, one: FloatArray) -> float:
    """By how much a view's colours differ from the average's, brightness left out: 0.1 is a tenth.

    Another print differs all over the card, a lamp's reflection most in one place: what counts is the second
    least of six parts of the card.
    """
    ratio = np.log((np.maximum(one, 0) + 8) / (np.maximum(pack.average, 0) + 8))
    sure = np.minimum(_unsaturated(one), _unsaturated(pack.average)).min(axis=2)
    seen = np.asarray(np.logical_and(sure > 0, CARD_MASK), dtype=np.bool_)
    parts = []
    for rows, columns in _PARTS:
        inside = (CARD_MASK & seen)[rows, columns]
        if inside.sum() < _LEAST_SEEN * CARD_MASK[rows, columns].sum():
            return 0.0
        usual = np.median(ratio[rows, columns][inside], axis=0)
        parts.append(float(usual.max() - usual.min()))
    return sorted(parts)[1]


def _overexposed(pack: PackBack, one: FloatArray) -> float:
    """Which share of the card is white from a lamp, where the others of the pack are not."""
    lost = (_unsaturated(pack.average) - _unsaturated(one)).max(axis=2)
    return float(np.mean(lost[CARD_MASK] > 0))


def _centre(differences: FloatArray) -> tuple[float, float]:
    row, column = np.unravel_index(int(np.argmax(differences)), differences.shape)
    return (
        float(np.clip((column - MARGIN) / CARD_SIZE[0], 0, 1)),
        float(np.clip((row - MARGIN) / CARD_SIZE[1], 0, 1)),
    )
