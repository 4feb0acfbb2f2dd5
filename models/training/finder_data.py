"""The pictures that the finder learns from: random stills with their cards as oriented boxes.

``python -m models.training.finder_data --decks DIR --out DIR --stills N`` writes ``train`` and ``unseen``
(packs never trained on), each with ``images`` and ``labels`` in the form that ultralytics reads: a class
(0 face, 1 back) and four corners as shares of the picture. Below ``named`` the same pictures have other
labels, with each card's name as its class: what :mod:`models.training.one_stage` learns from.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from capture.simulator import TrueCard, random_still
from capture.simulator.decks import Deck
from detector.namer import BACK, NAMER_CLASSES
from detector.types import FOREIGN, FloatArray, Image
from models.training.deck_library import load_library

STILL_SIZE: Final = (416, 416)
LEAST_VISIBLE: Final = 0.2
"""Cards of which less is seen are not asked for: nobody could say where they end."""

CLASSES: Final = ("face", "back")
NAMED: Final = "named"
UNSEEN_SEED: Final = 1_000_000
"""Seeds from here on are never trained on."""


def clipped_corners(quad: FloatArray, size: tuple[int, int]) -> FloatArray | None:
    """The smallest oriented box around what of ``quad`` lies in a picture of ``size`` (height, width).

    (4, 2) float32 pixels within the picture, or nothing when less than a fifth of the card lies in it.
    """
    height, width = size
    picture = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    corners = np.asarray(quad, dtype=np.float32)
    area, inside = cv2.intersectConvexConvex(corners, picture)
    if area < LEAST_VISIBLE * cv2.contourArea(corners) or inside is None:
        return None
    whole = area > 0.995 * cv2.contourArea(corners)
    box = corners if whole else cv2.boxPoints(cv2.minAreaRect(np.asarray(inside, dtype=np.float32)))
    return np.clip(box, 0, [width, height]).astype(np.float32)


def side_class(card: TrueCard) -> int:
    """The class of a card for the finder."""
    return CLASSES.index(card.side)


def named_class(card: TrueCard) -> int:
    """The class of a card for a model that names it too; a face whose code isn't known counts as foreign."""
    return NAMER_CLASSES.index(BACK if card.side == "back" else card.code or FOREIGN)


def label_lines(
    cards: Sequence[TrueCard], size: tuple[int, int], class_of: Callable[[TrueCard], int] = side_class
) -> Iterator[str]:
    """One line a card: its class and its corners as shares of the picture's width and height."""
    for card in cards:
        corners = clipped_corners(card.quad, size) if card.visible_share >= LEAST_VISIBLE else None
        if corners is None:
            continue
        shares = (corners / [size[1], size[0]]).reshape(-1)
        yield " ".join([str(class_of(card)), *(f"{share:.5f}" for share in shares)])


def write_picture(folder: Path, name: str, image: Image, cards: Sequence[TrueCard]) -> None:
    """Write one picture and its labels below ``folder``."""
    cv2.imwrite(str(folder / "images" / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    size = (image.shape[0], image.shape[1])
    # A link for each picture: a linked folder would be resolved, and the labels beside the first be read.
    picture = folder / NAMED / "images" / f"{name}.jpg"
    picture.unlink(missing_ok=True)
    picture.symlink_to(Path("..") / ".." / "images" / f"{name}.jpg")
    for part, class_of in ((folder, side_class), (folder / NAMED, named_class)):
        (part / "labels" / f"{name}.txt").write_text("\n".join(label_lines(cards, size, class_of)) + "\n")


def make_folders(folder: Path) -> None:
    """Make the folders that :func:`write_picture` writes to."""
    for part in ("images", "labels", f"{NAMED}/images", f"{NAMED}/labels"):
        (folder / part).mkdir(parents=True, exist_ok=True)


def _write_still(seed: int, folder: Path, decks: Sequence[Deck]) -> None:
    still = random_still(np.random.default_rng(seed), decks, STILL_SIZE)
    write_picture(folder, f"{seed:07d}", still.image, still.cards)


def _write_share(folder: Path, decks: Sequence[Deck], seeds: range) -> None:
    for seed in seeds:
        _write_still(seed, folder, decks)


def write_stills(folder: Path, decks: Sequence[Deck], seeds: range, processes: int) -> None:
    """Draw one still a seed, in ``processes`` forks that share the memory of the packs.

    Raises:
        RuntimeError: when one of the processes failed.
    """
    make_folders(folder)
    context = get_context("fork")
    workers = [
        context.Process(target=_write_share, args=(folder, decks, seeds[number::processes]))
        for number in range(processes)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        raise RuntimeError("a process that draws stills failed; its message stands above")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--decks", type=Path, required=True, help="the library of models.training.deck_library"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stills", type=int, default=3000)
    parser.add_argument("--unseen-stills", type=int, default=120)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)  # before its first use: a pool of threads does not survive a fork
    train, unseen = load_library(arguments.decks)
    write_stills(arguments.out / "train", train, range(arguments.stills), arguments.processes)
    unseen_seeds = range(UNSEEN_SEED, UNSEEN_SEED + arguments.unseen_stills)
    write_stills(arguments.out / "unseen", unseen, unseen_seeds, arguments.processes)


if __name__ == "__main__":
    main()
