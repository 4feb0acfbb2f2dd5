"""Measures the models on real photos: found, named, confusions and calibration, and the worst crops.

``python -m models.training.evaluate --shared DIR [--out DIR]`` prints each set's figures and, with ``--out``,
draws every miss. Needs nothing of what training needs.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from detector.card_detector import CardDetector
from detector.geometry import bounding_box
from detector.types import CARD_CODES, FOREIGN, CardDetection, Image, Side

_log = logging.getLogger(__name__)

VALIDATION_SETS: Final = ("single-overhead", "several-indoor", "several-dark-table", "several-leather")
FOUND_OVERLAP: Final = 0.5
_CALIBRATION_BINS: Final = 10

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class LabelledCard:
    """A card that a person marked: its code (or ``foreign``, or nothing), rank and upright box."""

    code: str | None
    rank: str
    box: Box
    occluded: bool


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """A photo with its cards."""

    path: Path
    cards: tuple[LabelledCard, ...]


@dataclass(slots=True)
class Tally:
    """What came out on one set of photos."""

    photos: int = 0
    cards: int = 0
    found: int = 0
    clear: int = 0
    clear_right: int = 0
    occluded: int = 0
    occluded_right: int = 0
    foreign: int = 0
    foreign_named: int = 0
    false_cards: int = 0
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    certainties: list[tuple[float, bool]] = field(default_factory=list)

    def expected_calibration_error(self) -> float:
        """How far certainty and share of right answers lie apart, weighted over ten bins."""
        if not self.certainties:
            return 0.0
        sure = np.array([certainty for certainty, _ in self.certainties])
        right = np.array([hit for _, hit in self.certainties], dtype=float)
        bins = np.minimum((sure * _CALIBRATION_BINS).astype(int), _CALIBRATION_BINS - 1)
        return float(
            sum(
                abs(sure[bins == number].mean() - right[bins == number].mean()) * (bins == number).mean()
                for number in np.unique(bins)
            )
        )


def read_labels(photos: Path, photo_set: str) -> Iterator[LabelledPhoto]:
    """The photos of one set, from ``labels.jsonl`` in the folder ``photos``."""
    for line in (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["set"] == photo_set:
            yield LabelledPhoto(photos / row["image"], tuple(_labelled(card) for card in row["cards"]))


def _labelled(card: dict[str, Any]) -> LabelledCard:
    if "quad" in card:
        box = bounding_box(np.array(card["quad"], dtype=np.float32))
    else:
        left, top, right, bottom = card["box"]
        box = (left, top, right, bottom)
    rank, suit = card["card"][:-1], card["card"][-1]
    code = suit + rank
    known = code if code in CARD_CODES else FOREIGN
    return LabelledCard(None if suit == "?" else known, rank, box, bool(card.get("occluded")))


def overlap(first: Box, second: Box) -> float:
    """Intersection over union of two upright boxes."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return width * height / (areas - width * height)


def box_in_view(face: CardDetection, faces: Sequence[CardDetection]) -> Box:
    """The upright box of what is left of a card under those that the finder is surer of.

    A detection is the whole card, hidden part too; people mark what they see. A card under another is the
    less sure of the two, so the surer ones are taken to lie on top.
    """
    left, top, right, bottom = bounding_box(face.quad)
    shape = (max(int(bottom - top), 1), max(int(right - left), 1))
    mask = np.zeros(shape, dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(face.quad - [left, top]).astype(np.int32), (255,))
    for other in faces:
        if other.score > face.score:
            cv2.fillConvexPoly(mask, np.round(other.quad - [left, top]).astype(np.int32), (0,))
    rows, columns = np.nonzero(mask)
    if rows.size == 0:
        return left, top, right, bottom
    return left + columns.min(), top + rows.min(), left + columns.max() + 1.0, top + rows.max() + 1.0


def matches(
    cards: Sequence[LabelledCard], faces: Sequence[CardDetection]
) -> tuple[dict[int, int], npt.NDArray[np.float64]]:
    """Pair cards with detections, the best overlaps first; also (cards, detections) of all overlaps.

    A detection's box is that of the whole card or of what is in view of it, whichever fits better.
    """
    boxes = [(bounding_box(face.quad), box_in_view(face, faces)) for face in faces]
    overlaps = np.array(
        [[max(overlap(card.box, box) for box in pair) for pair in boxes] for card in cards], dtype=np.float64
    ).reshape(len(cards), len(boxes))
    paired: dict[int, int] = {}
    for flat in np.argsort(-overlaps, axis=None):
        card, box = divmod(int(flat), max(len(boxes), 1))
        if overlaps[card, box] < FOUND_OVERLAP:
            break
        if card not in paired and box not in paired.values():
            paired[card] = box
    return paired, overlaps


def tally_photo(tally: Tally, photo: LabelledPhoto, detections: Sequence[CardDetection]) -> list[str]:
    """Count one photo; returns what was wrong, in words."""
    faces = [detection for detection in detections if detection.side is Side.FACE]
    paired, overlaps = matches(photo.cards, faces)
    wrong = []
    tally.photos += 1
    for number, card in enumerate(photo.cards):
        tally.cards += 1
        if number not in paired:
            wrong.append(f"{card.code} not found")
        else:
            tally.found += 1
        name = faces[paired[number]].name if number in paired else "nothing"
        right = name == card.code
        if card.code == FOREIGN:
            tally.foreign += 1
            tally.foreign_named += name in CARD_CODES
        elif card.code is not None and card.occluded:
            tally.occluded += 1
            tally.occluded_right += right
        elif card.code is not None:
            tally.clear += 1
            tally.clear_right += right
        if card.code is not None and number in paired:
            tally.certainties.append((faces[paired[number]].name_probability, right))
        if card.code is not None and not right and number in paired:
            tally.confusions[(card.code, name)] += 1
            wrong.append(f"{card.code} read as {name}")
    for number, face in enumerate(faces):
        stray = not photo.cards or overlaps[:, number].max() < 0.3
        if stray and face.name != FOREIGN:
            tally.false_cards += 1
            wrong.append(f"false card {face.name}")
    return wrong


def evaluate_set(detector: CardDetector, photos: Path, photo_set: str, out: Path | None = None) -> Tally:
    """Measure one set of photos; with ``out``, draw each photo on which something is wrong."""
    tally = Tally()
    for photo in read_labels(photos, photo_set):
        image = cv2.imread(str(photo.path))
        if image is None:
            raise FileNotFoundError(f"cannot read the photo {photo.path}")
        detections = detector.detect(np.asarray(image, dtype=np.uint8))
        wrong = tally_photo(tally, photo, detections)
        if wrong and out is not None:
            drawn = _drawn(np.asarray(image, dtype=np.uint8), detections, wrong)
            cv2.imwrite(str(out / f"{photo.path.stem}.jpg"), drawn)
    return tally


def _drawn(image: Image, detections: Sequence[CardDetection], wrong: Sequence[str]) -> Image:
    for detection in detections:
        corners = np.round(detection.quad).astype(np.int32)
        cv2.polylines(image, [corners], True, (0, 200, 0), 2)
        text = f"{detection.name} {detection.name_probability:.2f} {detection.score:.2f}"
        cv2.putText(image, text, tuple(corners[0].tolist()), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 255), 1)
    for row, text in enumerate(wrong):
        cv2.putText(image, text, (4, 16 + 16 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 255, 255), 1)
    return image


def report(name: str, tally: Tally) -> str:
    """One set's figures, in a few lines."""

    def share(part: int, whole: int) -> str:
        return f"{part}/{whole} ({100 * part / whole:.1f} %)" if whole else "none"

    pairs = ", ".join(f"{true}>{read} {count}" for (true, read), count in tally.confusions.most_common(12))
    return (
        f"{name}: {tally.photos} photos\n"
        f"  found {share(tally.found, tally.cards)}\n"
        f"  named right, clear {share(tally.clear_right, tally.clear)},"
        f" occluded {share(tally.occluded_right, tally.occluded)}\n"
        f"  foreign named as one of the 32 {share(tally.foreign_named, tally.foreign)}\n"
        f"  false cards {tally.false_cards}, expected calibration error"
        f" {tally.expected_calibration_error():.3f}\n"
        f"  confusions {pairs or 'none'}"
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, required=True, help="folder that holds photos/")
    parser.add_argument(
        "--models", type=Path, help="folder with manifest.json; default: the committed models"
    )
    parser.add_argument("--out", type=Path, help="where photos with a fault are drawn")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
    detector = CardDetector.load(arguments.models)
    for photo_set in VALIDATION_SETS:
        tally = evaluate_set(detector, arguments.shared / "photos", photo_set, arguments.out)
        _log.info("%s", report(photo_set, tally))


if __name__ == "__main__":
    main()
