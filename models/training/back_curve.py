"""How well a pack's back is judged (article 1): packs drawn, one deal each, held against the thresholds.

    python -m models.training.back_curve draw 97 backs-97.jsonl --clean 100 --marked 104
    python -m models.training.back_curve tell backs-97.jsonl --plot models/back_curve.png

The thresholds were chosen on families 44, 91, 95, 96 and 301, so that hardly any clean deal is reported: a
report accuses somebody. Family 97 was drawn for the figures. ``draw`` takes seconds a pack and goes on where
it was broken off; ``tell`` holds what was drawn against the thresholds as they are.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator.back_views import BackCamera, SeenBack, Stack, backs_of_a_deal, stacks_of_a_deal
from capture.simulator.decks.back_designs import random_back
from capture.simulator.marks import MarkKind, mark
from detector.backs.flaw_finder import FlawFinder
from detector.backs.flaws import FADED_FROM, MARKED_FROM, OTHER_FROM, deviations, is_laid_well
from detector.backs.pack import learn_pack
from detector.backs.symmetry import ONE_WAY_FROM, judge_symmetry
from detector.backs.views import BackView, cut_back, view_of
from models.training.back_plot import draw_curves

_KINDS: Final = tuple(MarkKind)
_MARKED_CARD: Final = 7
LOOKS: Final = 7
"""How often a camera sees a back that lies for a moment: fewer, and a hand that passes stays in the view."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What one deal of one pack gave.

    mark, size: what was done to one card, and how large in millimetres; None for a clean pack.
    is_judged: whether the views could be laid at all. turned: the score against itself turned.
    clean, marked: the largest mark, fading and other print (as in ``Deviation``) among the views of the
    clean cards and of the marked one.
    """

    seed: int
    one_way: bool
    mark: str | None
    size: float | None
    card_width: float
    is_judged: bool
    turned: float = 0.0
    clean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    marked: tuple[float, float, float] = (0.0, 0.0, 0.0)


def judge_pack(family: int, seed: int, kind: MarkKind | None) -> Judged:
    """Draw one pack and one deal of it, with one card marked or none, and judge what is seen.

    The marked card lies on top at least once: a card that is never seen cannot be found.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng([family, seed])
    one_way = bool(seed % 2)
    pack_back, other = (random_back(rng, one_way=one_way) for _ in range(2))
    backs = [pack_back.image] * 32
    marked = None if kind is None else mark(rng, pack_back.image, other.image, kind)
    if marked is not None:
        backs[_MARKED_CARD] = marked.image
    stacks = _stacks(rng, needed=None if kind is None else _MARKED_CARD)
    camera = BackCamera.random(rng)
    truth = Judged(
        seed=seed,
        one_way=one_way,
        mark=None if kind is None else kind.value,
        size=None if marked is None else marked.size,
        card_width=camera.card_width,
        is_judged=False,
    )
    return _judged(backs_of_a_deal(rng, backs, camera, looks=LOOKS, stacks=stacks), truth)


def _stacks(rng: np.random.Generator, needed: int | None) -> tuple[Stack, ...]:
    while True:
        stacks = stacks_of_a_deal(rng)
        if needed is None or any(cards[-1] == needed for _, cards in stacks):
            return stacks


def _judged(seen: Sequence[SeenBack], truth: Judged) -> Judged:
    pack = learn_pack([view_of_seen(one) for one in seen])
    if pack is None or not is_laid_well(pack):
        return truth
    found = np.array([(one.marked, one.faded, one.other) for one in deviations(pack, _finder())])
    is_marked = np.array([truth.mark is not None and one.card == _MARKED_CARD for one in seen])
    return replace(
        truth,
        is_judged=True,
        turned=judge_symmetry(pack).score,
        clean=_largest(found[~is_marked]),
        marked=_largest(found[is_marked]),
    )


def _largest(found: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    marked, faded, other = found.max(axis=0, initial=0.0).tolist()
    return marked, faded, other


@cache
def _finder() -> FlawFinder:
    return FlawFinder()


def view_of_seen(seen: SeenBack) -> BackView:
    """The looks at one back, cut out at the box of the first.

    A detector that looks again at a card that lies still makes the same error again: the middle of seven
    independent boxes would be better than what a table gives.
    """
    return view_of([cut_back(picture, seen.quads[0]) for picture in seen.pictures])


def draw_packs(family: int, output: Path, clean: int, marked: int, processes: int) -> None:
    """Judge ``clean`` packs without a mark, half of them one-way, and ``marked`` with each kind in turn.

    Each becomes a line of ``output``; those that are there already are not drawn again.
    """
    jobs: dict[int, MarkKind | None] = dict.fromkeys(range(clean))
    jobs |= {10_000 + seed: _KINDS[(seed + seed // len(_KINDS)) % len(_KINDS)] for seed in range(marked)}
    done = {one.seed for one in read_judged(output)} if output.exists() else set()
    with ProcessPoolExecutor(processes) as pool, output.open("a", encoding="utf-8") as lines:
        waiting = [
            pool.submit(judge_pack, family, seed, kind) for seed, kind in jobs.items() if seed not in done
        ]
        for judged in as_completed(waiting):
            lines.write(json.dumps(asdict(judged.result())) + "\n")
            lines.flush()


def read_judged(path: Path) -> list[Judged]:
    """What :func:`draw_packs` wrote."""
    return [Judged(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def strength(found: Sequence[float]) -> float:
    """The largest of mark, fading and other print, each as a share of its threshold."""
    marked, faded, other = found
    return max(marked / MARKED_FROM, faded / FADED_FROM, other / OTHER_FROM)


def figures(judged: Sequence[Judged]) -> list[str]:
    """Lines that tell how well the thresholds did."""
    clean = [one for one in judged if one.mark is None]
    marked = [one for one in judged if one.mark is not None]
    verdicts = [one.is_judged and (one.turned >= ONE_WAY_FROM) is one.one_way for one in clean]
    false = sum(strength(one.clean) >= 1 for one in clean)
    found = [one for one in marked if strength(one.marked) >= 1]
    kinds, total = Counter(one.mark for one in found), Counter(one.mark for one in marked)
    lines = [
        f"pack verdict right: {sum(verdicts)} of {len(verdicts)}"
        f" (not judged: {sum(not one.is_judged for one in clean)})",
        f"false reports: in {false} of {len(clean)} clean deals",
        f"marked backs found within one deal: {len(found)} of {len(marked)}"
        f" (not judged: {sum(not one.is_judged for one in marked)})",
    ]
    return lines + [f"  {kind}: {kinds[kind]} of {count}" for kind, count in total.items()]


def curve(judged: Sequence[Judged]) -> list[tuple[float, float, float]]:
    """(threshold as a share of the one in use, share of marks found, false reports a clean deal)."""
    clean = np.array([strength(one.clean) for one in judged if one.mark is None])
    marked = np.array([strength(one.marked) for one in judged if one.mark is not None])
    return [
        (float(share), float((marked >= share).mean()), float((clean >= share).mean()))
        for share in np.arange(0.4, 2.01, 0.05)
    ]


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw", help="draw and judge packs")
    draw.add_argument("family", type=int, help="packs of two families have nothing in common")
    draw.add_argument("output", type=Path)
    draw.add_argument("--clean", type=int, default=200)
    draw.add_argument("--marked", type=int, default=200)
    draw.add_argument("--processes", type=int, default=2)
    tell = commands.add_parser("tell", help="hold them against the thresholds")
    tell.add_argument("judged", type=Path)
    tell.add_argument("--plot", type=Path)
    given = parser.parse_args()
    if given.command == "draw":
        draw_packs(given.family, given.output, given.clean, given.marked, given.processes)
        return
    judged = read_judged(given.judged)
    points = curve(judged)
    lines = [
        f"threshold x {share:.2f}: found {found:.3f}, false {false:.3f}" for share, found, false in points
    ]
    print("\n".join([*figures(judged), *lines]))  # noqa: T201  a command for people
    if given.plot is not None:
        draw_curves(given.plot, points)


if __name__ == "__main__":
    main()
