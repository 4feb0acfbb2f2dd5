"""Draws the model card's picture of failures: cards of the project's own pack that the models read wrongly.

``python -m models.training.failure_pictures`` plays films with seeds of their own and writes the surest
mistakes to ``models/failures.jpg``. Only the own pack is used, for it is the only art that is the project's.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from capture.simulator.decks import own_deck
from detector.card_detector import CardDetector
from detector.model_files import default_models_folder
from detector.types import Detector, Image
from models.training.evaluate_films import FIRST_SEED, evaluate_deck
from models.training.tally import Mistake

_COLUMNS: Final = 8
_ROWS: Final = 2
_CROP: Final = (120, 180)
_CAPTION_HEIGHT: Final = 22


def worst_mistakes(detector: Detector, films: int) -> list[Mistake]:
    """The mistakes of so many films of one deal each, the surest first."""
    deck = own_deck()
    tallies = [evaluate_deck(detector, deck, FIRST_SEED + 50_000 + number) for number in range(films)]
    mistakes = [mistake for tally in tallies for mistake in tally.frames.mistakes]
    return sorted(mistakes, key=lambda mistake: -mistake.certainty)


def contact_sheet(mistakes: list[Mistake]) -> Image:
    """The first mistakes in rows, (H, W, 3) uint8 BGR; below each what it is, what was read, how surely."""
    places = _COLUMNS * _ROWS
    tiles = [_tile(mistake) for mistake in mistakes[:places]]
    empty = np.full((_CROP[1] + _CAPTION_HEIGHT, _CROP[0], 3), 255, dtype=np.uint8)
    tiles += [empty] * (-len(tiles) % _COLUMNS)
    rows = [np.hstack(tiles[start : start + _COLUMNS]) for start in range(0, len(tiles), _COLUMNS)]
    return np.asarray(np.vstack(rows), dtype=np.uint8)


def _tile(mistake: Mistake) -> Image:
    crop = cv2.resize(mistake.crop, _CROP, interpolation=cv2.INTER_AREA)
    tile = cv2.copyMakeBorder(crop, 0, _CAPTION_HEIGHT, 0, 0, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    text = f"{mistake.true}: {mistake.read} {mistake.certainty:.0%}"
    where = (3, _CROP[1] + _CAPTION_HEIGHT - 7)
    cv2.putText(tile, text, where, cv2.FONT_HERSHEY_SIMPLEX, 0.36, (0, 0, 0), 1, cv2.LINE_AA)
    return np.asarray(tile, dtype=np.uint8)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--films", type=int, default=6)
    parser.add_argument("--out", type=Path, default=default_models_folder() / "failures.jpg")
    arguments = parser.parse_args()
    mistakes = worst_mistakes(CardDetector.load(), arguments.films)
    if not mistakes:
        parser.error("no mistakes in these films: ask for more with --films")
    cv2.imwrite(str(arguments.out), contact_sheet(mistakes), [cv2.IMWRITE_JPEG_QUALITY, 85])


if __name__ == "__main__":
    main()
