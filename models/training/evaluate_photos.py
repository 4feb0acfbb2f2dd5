"""Measures the models on the real photos."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from detector.geometry import rectify
from detector.types import CARD_CODES, FOREIGN, CardDetection, Detector, FloatArray, Image, Side
from models.training.labelled_photos import LabelledPhoto, matches, read_labels
from models.training.tally import Mistake, Tally

CROP_SIZE = (192, 288)
"""Width and height of the crops that are kept to look at."""


def evaluate_set(detector: Detector, photos: Path, photo_set: str) -> Tally:
    """Measure one set of photos.

    Raises:
        FileNotFoundError: when a photo can't be read.
    """
    tally = Tally()
    for photo in read_labels(photos, photo_set):
        image = cv2.imread(str(photo.path))
        if image is None:
            raise FileNotFoundError(f"cannot read the photo {photo.path}")
        picture = np.asarray(image, dtype=np.uint8)
        tally_photo(tally, photo, picture, detector.detect(picture))
    return tally


def tally_photo(
    tally: Tally, photo: LabelledPhoto, image: Image, detections: Sequence[CardDetection]
) -> None:
    """Count one photo, (H, W, 3) uint8 BGR."""
    faces = [detection for detection in detections if detection.side is Side.FACE]
    paired, overlaps = matches(photo.cards, faces)
    tally.pictures += 1
    for number, card in enumerate(photo.cards):
        face = faces[paired[number]] if number in paired else None
        tally.cards += 1
        tally.found += face is not None
        name = face.name if face is not None else "nothing"
        right = name == card.code
        if card.code == FOREIGN:
            tally.foreign += 1
            tally.foreign_named += name in CARD_CODES
        elif card.code is not None:
            tally.count_named(card.code, right=right, clear=not card.occluded)
        if card.code is None or right:
            tally.certainties += [(face.name_probability, right)] if face is not None and card.code else []
            continue
        if face is not None:
            tally.certainties.append((face.name_probability, False))
            tally.confusions[(card.code, name)] += 1
        left, top, right_side, bottom = card.box
        marked = np.array(
            [[left, top], [right_side, top], [right_side, bottom], [left, bottom]], dtype=np.float32
        )
        quad = face.quad if face is not None else marked
        certainty = face.name_probability if face is not None else 0.0
        kind = " (occluded)" if card.occluded else ""
        tally.mistakes.append(
            Mistake(photo.path.stem + kind, card.code, name, certainty, crop_of(image, quad))
        )
    taken = set(paired.values())
    for number, face in enumerate(faces):
        if number in taken or face.name == FOREIGN:
            continue
        stray = not photo.cards or overlaps[:, number].max() < 0.3
        tally.false_cards += stray
        tally.second_faces += not stray
        kind = "no card" if stray else "a second one"
        tally.mistakes.append(
            Mistake(photo.path.stem, kind, face.name, face.name_probability, crop_of(image, face.quad))
        )


def crop_of(image: Image, quad: FloatArray) -> Image:
    """A piece of a picture to look at, with a little of what lies around."""
    return rectify(image, quad, CROP_SIZE, 0.12)
