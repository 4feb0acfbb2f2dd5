"""Real photos for training: the set ``rank-only-indoor``, whose labels give rank and upright box alone.

The corners and the suit are read off by models already trained on drawings, and taken only where they agree
with what the person marked: a box that fits, a suit that is clear among the four of the marked rank. A photo
in which a box does not fit is left out whole, for an unmarked card would teach the finder to overlook cards.

``python -m models.training.real_photos --shared DIR --models DIR --out DIR`` writes the photos as finder data
and ``cards.npz`` for the namer.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from capture.simulator import TrueCard
from detector.card_detector import CardDetector
from detector.geometry import bounding_box, card_width
from detector.types import CARD_CODES, CardDetection, FloatArray, Image, Side
from models.training.finder_data import make_folders, write_picture
from models.training.labelled_photos import LabelledCard, overlap, read_labels
from models.training.namer_data import RealCard

_log = logging.getLogger(__name__)

TRAINING_SET: Final = "rank-only-indoor"
_LEAST_FIT: Final = 0.72
_CLEAR_SUIT: Final = 0.9
_PATCH_WIDTH: Final = 130.0
"""Cards are kept no wider than this: the network reads less."""


def fitting(cards: Sequence[LabelledCard], detections: Sequence[CardDetection]) -> list[CardDetection] | None:
    """For each marked card the detection that fits it; nothing when one is missing or one is too many."""
    faces = [detection for detection in detections if detection.side is Side.FACE]
    if len(faces) != len(cards) or not cards:
        return None
    chosen = [max(faces, key=lambda face: overlap(bounding_box(face.quad), card.box)) for card in cards]
    fits = all(
        overlap(bounding_box(face.quad), card.box) >= _LEAST_FIT
        for face, card in zip(chosen, cards, strict=True)
    )
    return chosen if fits and len({id(face) for face in chosen}) == len(cards) else None


def suit_given_rank(detection: CardDetection, rank: str) -> str | None:
    """The code of the card of this rank whose suit is clear, or nothing."""
    codes = [suit + rank for suit in "CDHS"]
    if codes[0] not in CARD_CODES:
        return None
    log_probs = np.array([detection.log_probs[CARD_CODES.index(code)] for code in codes])
    shares = np.exp(log_probs - log_probs.max())
    best = int(shares.argmax())
    return codes[best] if shares[best] >= _CLEAR_SUIT * shares.sum() else None


def cut_patch(image: Image, quad: FloatArray, label: int) -> RealCard:
    """The surroundings of one card, at no more than the size that the network can use."""
    left, top, right, bottom = bounding_box(quad)
    border = 0.15 * card_width(quad)
    x, y = max(int(left - border), 0), max(int(top - border), 0)
    patch = image[y : int(bottom + border), x : int(right + border)]
    scale = min(1.0, _PATCH_WIDTH / card_width(quad))
    small = cv2.resize(patch, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners = ((quad - [x, y]) * scale).astype(np.float32)
    return RealCard(np.asarray(small, dtype=np.uint8), corners, label)


def collect(photos: Path, detector: CardDetector, out: Path) -> list[RealCard]:
    """Write the photos that fit as finder data below ``out`` and return their cards."""
    found: list[RealCard] = []
    make_folders(out / "train")
    for photo in read_labels(photos, TRAINING_SET):
        image = np.asarray(cv2.imread(str(photo.path)), dtype=np.uint8)
        chosen = fitting(photo.cards, detector.detect(image))
        if chosen is None:
            continue
        truth = [TrueCard(np.array(face.quad), "face", None, 1.0) for face in chosen]
        write_picture(out / "train", photo.path.stem, image, truth)
        for face, card in zip(chosen, photo.cards, strict=True):
            code = suit_given_rank(face, card.rank)
            if code is not None:
                found.append(cut_patch(image, face.quad, CARD_CODES.index(code)))
    return found


def save_cards(cards: Sequence[RealCard], file: Path) -> None:
    """Write cards as one NPZ file."""
    arrays = {f"patch{number}": card.patch for number, card in enumerate(cards)}
    quads = np.array([card.quad for card in cards], dtype=np.float32)
    labels = np.array([card.label for card in cards])
    np.savez_compressed(file, allow_pickle=False, quads=quads, labels=labels, **arrays)


def load_cards(file: Path) -> list[RealCard]:
    """Read what :func:`save_cards` wrote."""
    with np.load(file) as stored:
        return [
            RealCard(stored[f"patch{number}"], quad, int(label))
            for number, (quad, label) in enumerate(zip(stored["quads"], stored["labels"], strict=True))
        ]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, required=True, help="folder that holds photos/")
    parser.add_argument(
        "--models", type=Path, help="folder with manifest.json; default: the committed models"
    )
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cards = collect(arguments.shared / "photos", CardDetector.load(arguments.models), arguments.out)
    save_cards(cards, arguments.out / "cards.npz")
    _log.info("%d cards of real photos", len(cards))


if __name__ == "__main__":
    main()
