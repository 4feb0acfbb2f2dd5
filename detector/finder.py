"""Where the cards lie: a YOLO with oriented boxes, face or back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from detector.geometry import card_width, order_corners, suppress_overlapping
from detector.model_files import find_model, open_model, require_outputs
from detector.types import FloatArray, Image

_CLASSES = 2
"""Face and back."""

_STRIDE = 32
_PADDING_GREY = 114
_LARGE = 80.0
"""Width in pixels, at the finer look, from which a card may be too large for the model."""

_SURE = 0.5
"""A score from which a card tells how large cards are on this table."""


_PIECE = 4.0
"""So many times as large as another no card on one table is, however the camera stands."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A place where a card lies: ``quad`` (4, 2) float32 pixels, a score from 0 to 1, and the side up.

    The namer tells the side better; here it only tells whether a face was found at all.
    """

    quad: FloatArray
    score: float
    is_face: bool


class Finder:
    """Finds cards in a picture; knows nothing of which card it is."""

    def __init__(self, models_folder: Path | None = None, threads: int = 2) -> None:
        """Open the model.

        Raises:
            ModelError: when the model is missing, damaged or of another version.
        """
        model = find_model("finder", models_folder)
        self._session = open_model(model, threads)
        require_outputs(self._session, model, axis=1, expected=4 + _CLASSES + 1)
        self._input_name = self._session.get_inputs()[0].name
        self._long_side = int(model.settings["long_side"])
        self._coarse_side = int(model.settings["coarse_side"])
        self._min_score = float(model.settings["min_score"])
        self.max_overlap = float(model.settings["max_overlap"])

    def find(self, image: Image, region: tuple[int, int, int, int] | None = None) -> tuple[FoundCard, ...]:
        """Find the cards in ``image``, (H, W, 3) uint8 BGR, surest first.

        region: left, top, right, bottom in pixels, to look only there, at the scale of the whole; all by
        default.

        Cards on one table are about equally large. So a second, coarser look for cards larger than those that
        the model learnt on is only taken where the first finds a large card, or no face for sure: the pips of
        a large card can look like small backs. For the same reason no card lies inside a much larger one.
        """
        fine_scale = self._long_side / max(image.shape[:2])
        candidates = self._look(image, self._long_side, region)
        widths = [
            card_width(card.quad) * fine_scale for card in candidates if card.is_face and card.score >= _SURE
        ]
        if max(widths, default=_LARGE) >= _LARGE:
            coarse = self._look(image, self._coarse_side, region)
            candidates += [card for card in coarse if card_width(card.quad) * fine_scale >= _LARGE]
        cards = without_pieces(candidates)
        kept = suppress_overlapping(
            [card.quad for card in cards], [card.score for card in cards], self.max_overlap
        )
        return tuple(cards[index] for index in kept)

    def _look(
        self, image: Image, long_side: int, region: tuple[int, int, int, int] | None
    ) -> list[FoundCard]:
        """What the model finds when the picture's long side is ``long_side`` pixels, doubles and all."""
        left, top, right, bottom = region or (0, 0, image.shape[1], image.shape[0])
        part = image[top:bottom, left:right]
        batch, scale = picture_blob(part, round(long_side * max(part.shape[:2]) / max(image.shape[:2])))
        offset = np.array([left, top], dtype=np.float32)
        output = self._session.run(None, {self._input_name: batch})[0][0]
        # Rows: centre x, centre y, width, height, one score a class, angle in radians.
        scores = output[4 : 4 + _CLASSES]
        best = scores.max(axis=0)
        return [
            FoundCard(
                quad=corners_of_box(output[:4, column] / scale, float(output[-1, column])) + offset,
                score=float(min(best[column], 1.0)),
                is_face=bool(scores[0, column] >= scores[1, column]),
            )
            for column in np.flatnonzero(best >= self._min_score)
        ]


def without_pieces(candidates: list[FoundCard]) -> list[FoundCard]:
    """Leave out what lies within a sure card of at least ``_PIECE`` times its size: pips, indices, courts."""
    areas = [float(cv2.contourArea(card.quad)) for card in candidates]
    wholes = [(card.quad, area) for card, area in zip(candidates, areas, strict=True) if card.score >= _SURE]

    def is_piece(card: FoundCard, area: float) -> bool:
        middle = (float(card.quad[:, 0].mean()), float(card.quad[:, 1].mean()))
        return any(
            whole_area >= _PIECE * area and cv2.pointPolygonTest(whole, middle, False) > 0
            for whole, whole_area in wholes
        )

    return [card for card, area in zip(candidates, areas, strict=True) if not is_piece(card, area)]


def picture_blob(image: Image, long_side: int) -> tuple[FloatArray, float]:
    """Scale a picture to a long side and pad it to whole strides.

    Returns (1, 3, H, W) float32 RGB from 0 to 1, and the scale.
    """
    height, width = image.shape[:2]
    scale = long_side / max(height, width)
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=interpolation)
    padded = cv2.copyMakeBorder(
        small,
        0,
        -small.shape[0] % _STRIDE,
        0,
        -small.shape[1] % _STRIDE,
        cv2.BORDER_CONSTANT,
        value=(_PADDING_GREY,) * 3,
    )
    blob = cv2.dnn.blobFromImage(padded, scalefactor=1 / 255, swapRB=True)
    return np.asarray(blob, dtype=np.float32), scale


def corners_of_box(box: FloatArray, angle: float) -> FloatArray:
    """The ordered corners of an oriented box: centre x, y, width and height, and its turn in radians."""
    x, y, width, height = (float(value) for value in box)
    along = np.array([np.cos(angle), np.sin(angle)]) * width / 2
    across = np.array([-np.sin(angle), np.cos(angle)]) * height / 2
    middle = np.array([x, y])
    return order_corners(
        [middle - along - across, middle + along - across, middle + along + across, middle - along + across]
    )
