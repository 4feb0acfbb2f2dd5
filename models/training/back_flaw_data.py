"""Drawn packs with marked backs, laid on their average as the product does: what the flaw network sees.

    python -m models.training.back_flaw_data 300 DIR --packs 600

writes a file for each pack into ``DIR``; those that are there already are not drawn again. Families of packs
have nothing in common: the figures of the model card are of families that no network learnt from.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator.back_views import BackCamera, SeenBack, backs_of_a_deal, stacks_of_a_deal
from capture.simulator.decks.back_designs import random_back
from capture.simulator.marks import MarkKind, mark
from detector.backs.flaw_finder import SEEN, STRIDE, network_input
from detector.backs.flaws import is_laid_well
from detector.backs.pack import learn_pack
from detector.backs.views import CORNERS, VIEW_SIZE
from detector.geometry import order_corners
from detector.types import Image
from models.training.back_curve import LOOKS, view_of_seen

_KINDS: Final = tuple(MarkKind)
_CHANCES: Final = tuple(0.5 if kind in (MarkKind.FADED, MarkKind.OTHER_PRINT) else 1.0 for kind in _KINDS)
_MOST_MARKED: Final = 3
"""Cards of a pack: with more the average would no longer be that of clean backs."""

_CHANGED: Final = 12
"""Grey levels from which a place of a marked back counts as marked."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPack:
    """One pack as the network sees it, and the truth.

    inputs: (N, 8, H, W) int8, see ``network_input``. marked: (N, H / 4, W / 4) uint8, how much of each cell
    is marked, of 255.
    """

    inputs: npt.NDArray[np.int8]
    marked: npt.NDArray[np.uint8]


def draw_pack(family: int, seed: int) -> DrawnPack | None:
    """Draw one deal of one pack with up to three marked cards; None where its views can't be laid."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([family, seed])
    back, other = (random_back(rng, one_way=bool(seed % 2)) for _ in range(2))
    stacks = stacks_of_a_deal(rng)
    on_top = sorted({cards[-1] for _, cards in stacks})
    chosen = rng.choice(on_top, int(rng.integers(1, _MOST_MARKED + 1)), replace=False)
    backs = [back.image] * 32
    chances = np.array(_CHANCES) / sum(_CHANCES)
    for card in chosen.tolist():
        kind = _KINDS[int(rng.choice(len(_KINDS), p=chances))]
        backs[card] = mark(rng, back.image, other.image, kind).image
    seen = backs_of_a_deal(rng, backs, BackCamera.random(rng), looks=LOOKS, stacks=stacks)
    pack = learn_pack([view_of_seen(one) for one in seen])
    if pack is None or not is_laid_well(pack):
        return None
    changed = [_changed(back.image, backs[one.card]) for one in seen]
    return DrawnPack(
        inputs=network_input(pack),
        marked=np.stack([_on_average(*given) for given in zip(changed, seen, pack.matrices, strict=True)]),
    )


def _changed(clean: Image, marked: Image) -> Image:
    """(H, W) uint8: 255 where a back was marked."""
    apart = np.abs(clean.astype(np.int16) - marked.astype(np.int16)).max(axis=2)
    return np.asarray(np.where(apart >= _CHANGED, 255, 0), dtype=np.uint8)


def _on_average(changed: Image, seen: SeenBack, matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """``changed``, of the card itself, as it lies on the pack's average, in cells."""
    height, width = changed.shape
    card = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    to_picture = cv2.getPerspectiveTransform(card, seen.true_quad)
    to_view = cv2.getPerspectiveTransform(order_corners(seen.quads[0]), CORNERS)
    whole = np.linalg.inv(matrix) @ to_view @ to_picture
    laid = cv2.warpPerspective(changed, whole, VIEW_SIZE, flags=cv2.INTER_AREA)
    return cells_of(np.asarray(laid, dtype=np.uint8))


def cells_of(laid: Image) -> npt.NDArray[np.uint8]:
    """(H, W) uint8 of ``VIEW_SIZE`` cut and averaged to the cells for which the network answers."""
    part = laid[SEEN]
    size = (part.shape[1] // STRIDE, part.shape[0] // STRIDE)
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def draw_packs(family: int, output: Path, packs: int, processes: int) -> None:
    """Draw ``packs`` packs into ``output``, a file each."""
    output.mkdir(parents=True, exist_ok=True)
    waiting = [seed for seed in range(packs) if not _file(output, family, seed).exists()]
    with ProcessPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(_write, family, seed, output) for seed in waiting]):
            done.result()


def _write(family: int, seed: int, output: Path) -> None:
    drawn = draw_pack(family, seed)
    if drawn is None:
        return
    path = _file(output, family, seed)
    unfinished = path.with_suffix(".part.npz")
    np.savez_compressed(unfinished, inputs=drawn.inputs, marked=drawn.marked)
    unfinished.replace(path)


def _file(folder: Path, family: int, seed: int) -> Path:
    return folder / f"{family}-{seed:05d}.npz"


def read_packs(files: Sequence[Path]) -> list[DrawnPack]:
    """What :func:`draw_packs` wrote."""
    packs = []
    for path in files:
        with np.load(path) as kept:
            packs.append(DrawnPack(kept["inputs"], kept["marked"]))
    return packs


def main() -> None:
    """Draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("family", type=int)
    parser.add_argument("output", type=Path)
    parser.add_argument("--packs", type=int, default=600)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    draw_packs(given.family, given.output, given.packs, given.processes)


if __name__ == "__main__":
    main()
