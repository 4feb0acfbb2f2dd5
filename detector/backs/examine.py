"""What can be said of a pack by its backs (article 1), with the pictures that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from detector.backs.flaw_finder import FlawFinder
from detector.backs.flaws import deviations, is_laid_well
from detector.backs.pack import PackBack, learn_pack
from detector.backs.symmetry import judge_symmetry
from detector.backs.views import BackView
from detector.types import BackFlaw, FloatArray, Image


@dataclass(frozen=True, slots=True, eq=False)
class OddBack:
    """A back by which a card can be told from the others.

    view: which of the views it is, from 0. flaw: what and where, and how sure. crop, average, difference:
    (H, W, 3) uint8 BGR, the view as it lies on the average, the average, and their difference around grey.
    """

    view: int
    flaw: BackFlaw
    crop: Image
    average: Image
    difference: Image


@dataclass(frozen=True, slots=True, eq=False)
class PackReport:
    """What was found on a pack's backs.

    average: (H, W, 3) uint8 BGR. is_symmetric: whether it can't be told which end is up, and how sure,
    0.5 to 1, that is. turned_difference: (H, W, 3) uint8 BGR, around grey. odd: surest first.
    """

    average: Image
    is_symmetric: bool
    certainty: float
    turned_difference: Image
    odd: tuple[OddBack, ...]


def examine(views: Sequence[BackView], finder: FlawFinder) -> PackReport | None:
    """Judge a pack by ``views`` of its backs; None while they are too few or too unlike to tell."""
    pack = learn_pack(views)
    if pack is None or not is_laid_well(pack):
        return None
    symmetry = judge_symmetry(pack)
    return PackReport(
        average=as_picture(pack.average),
        is_symmetric=symmetry.is_symmetric,
        certainty=symmetry.certainty,
        turned_difference=as_picture(128 + symmetry.difference),
        odd=_odd_backs(pack, finder),
    )


def _odd_backs(pack: PackBack, finder: FlawFinder) -> tuple[OddBack, ...]:
    odd = [
        OddBack(
            view=view,
            flaw=BackFlaw(found.kind, found.centre, found.certainty),
            crop=as_picture(pack.laid[view]),
            average=as_picture(pack.average),
            difference=as_picture(128 + pack.toned[view] - pack.average),
        )
        for view, found in enumerate(deviations(pack, finder))
        if found.kind is not None
    ]
    return tuple(sorted(odd, key=lambda one: -one.flaw.score))


def as_picture(image: FloatArray) -> Image:
    """(H, W, 3) float32 grey levels as uint8."""
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)
