"""Does one back differ from the others of its pack (article 1): each view against the pack's own average.

A network proposes where a view is marked, by what it differs in from the average and by how much the views
differ there as a rule. Two things it can't see, for they are evened out before it looks, are measured: that
all of a back is paler, or of other colours. A report needs one of the three to be beyond its threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from detector.backs.flaw_finder import AROUND, STRIDE, FlawFinder
from detector.backs.lighting import between_blurs, local_light
from detector.backs.pack import PackBack
from detector.backs.views import CARD_MASK, CARD_SIZE, INNER_MASK, MARGIN
from detector.types import FloatArray

MARKED_FROM: Final = 4.0
"""The network's logit from which a place is a mark; chosen by ``models.training.back_curve``."""

FADED_FROM: Final = 0.26
"""By which share a back must have less contrast than the others of its pack; chosen likewise."""

OTHER_FROM: Final = 0.24
"""By which share the colours of a view must differ from the others', brightness left out; chosen likewise."""

LAID_WELL: Final = 0.2
"""A pack whose views lie worse than this on their average, as a share of its contrast, is not judged."""

_ALL_SCALES: Final = (1.3, 12.0)
_ALL_MOST: Final = 30.0
"""Grey levels: one place counts for no more where a whole view is judged."""

_WHITE: Final = 250.0
_LEAST_UNLIKE: Final = 0.6
"""Grey levels: views that lie better than this on average are all laid well."""

_ASTRAY: Final = 5.5
"""A view that differs so many times more than usual all over was not laid: it tells nothing of its ink."""

_ANOTHER: Final = 16.0
"""So much more than usual differs only another print that has the colours of this one."""

_NOT_LAID: Final = 2.0
"""The error from which nothing at all could be laid: a hand, or what is no back."""

_LAID_ILL: Final = 0.35
"""The error, as a share of the pack's contrast, of a view that does not lie there: no mark makes as much."""

_UNMARKED: Final = -9.0
"""The logit of a place of which nothing is said."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Deviation:
    """How one view of a pack differs from the others.

    marked: the network's logit where the view is most likely marked. centre: where that is, (x, y) as
    shares of the card's width and height, as the average lies. faded: which share of its ink it lacks.
    other: by which share its colours differ more than the others', brightness left out.
    """

    marked: float
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
        return "fading" if self.faded >= FADED_FROM else "mark"

    @property
    def strength(self) -> float:
        """The largest of the three as a share of its threshold."""
        return max(self.marked / MARKED_FROM, self.faded / FADED_FROM, self.other / OTHER_FROM)

    @property
    def certainty(self) -> float:
        """From 0 to 1: a half at the threshold, nearly 1 at twice it."""
        return float(1 / (1 + np.exp(-4 * (min(self.strength, 10.0) - 1))))


def is_laid_well(pack: PackBack) -> bool:
    """Whether the views lie well enough on one another to say anything of the pack."""
    return float(np.median(pack.errors)) <= LAID_WELL


def deviations(pack: PackBack, finder: FlawFinder) -> tuple[Deviation, ...]:
    """One a view, in their order."""
    unlike = _unlike(pack)
    pale = np.array([_paleness(pack, one) for one in pack.laid])
    pale[unlike > _ASTRAY] = 0
    colour = np.array([_colour(pack, one) for one in pack.laid])
    is_another = (unlike > _ANOTHER) & (pack.errors < _NOT_LAID)
    colour[is_another] += OTHER_FROM * unlike[is_another] / _ANOTHER
    cells = finder.marked(pack)
    cells[pack.errors > _LAID_ILL] = _UNMARKED
    return tuple(
        Deviation(float(one.max()), _centre(one), faded=faded, other=other)
        for one, faded, other in zip(
            cells, (pale - np.median(pale)).tolist(), (colour - np.median(colour)).tolist(), strict=True
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


def _unsaturated(one: FloatArray) -> FloatArray:
    """(H, W, 3) 1, or 0 where a lamp's reflection left nothing to be seen of the print."""
    white = cv2.dilate((one >= _WHITE).astype(np.uint8), np.ones((5, 5), np.uint8))
    return np.asarray(1 - white, dtype=np.float32)


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
        inside = seen[rows, columns]
        if inside.sum() < _LEAST_SEEN * CARD_MASK[rows, columns].sum():
            return 0.0
        usual = np.median(ratio[rows, columns][inside], axis=0)
        parts.append(float(usual.max() - usual.min()))
    return sorted(parts)[1]


def _overexposed(pack: PackBack, one: FloatArray) -> float:
    """Which share of the card is white from a lamp, where the others of the pack are not."""
    lost = (_unsaturated(pack.average) - _unsaturated(one)).max(axis=2)
    return float(np.mean(lost[CARD_MASK] > 0))


def _centre(cells: FloatArray) -> tuple[float, float]:
    """Where a view is most likely marked, by ``cells``, (54, 36), of what the network saw."""
    row, column = np.unravel_index(int(np.argmax(cells)), cells.shape)
    x = (column + 0.5) * STRIDE - AROUND
    y = (row + 0.5) * STRIDE - AROUND - 1
    return float(np.clip(x / CARD_SIZE[0], 0, 1)), float(np.clip(y / CARD_SIZE[1], 0, 1))
