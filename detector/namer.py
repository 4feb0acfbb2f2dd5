"""Which card it is: a small network that reads one rectified card, face or back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from detector.geometry import card_height, card_width, rectify
from detector.model_files import find_model, open_model, require_outputs
from detector.types import CLASS_NAMES, FloatArray, Image, Side, uniform_log_probs

BACK: Final = "back"
NAMER_CLASSES: Final = (*CLASS_NAMES, BACK)
"""What the network tells apart: the 32 cards, a foreign face, and a back."""

_NEARLY_SQUARE: Final = 1.15
"""Below this ratio of long to short side a slanted view may have swapped them: both are tried."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedCard:
    """Which side is up, and (33,) float32 natural logarithms over ``CLASS_NAMES`` given that side."""

    side: Side
    log_probs: FloatArray


class Namer:
    """Names the faces of cards, with calibrated probabilities."""

    def __init__(self, models_folder: Path | None = None, threads: int = 2) -> None:
        """Open the model.

        Raises:
            ModelError: when the model is missing, damaged or of another version.
        """
        model = find_model("namer", models_folder)
        self._session = open_model(model, threads)
        require_outputs(self._session, model, axis=1, expected=len(NAMER_CLASSES))
        self._input_name = self._session.get_inputs()[0].name
        self._size = (int(model.settings["width"]), int(model.settings["height"]))
        self._margin = float(model.settings["margin"])
        self._temperature = float(model.settings["temperature"])

    def name(self, image: Image, quads: Sequence[FloatArray]) -> tuple[NamedCard, ...]:
        """Name the card in each quad of ``image``, (H, W, 3) uint8 BGR."""
        if not quads:
            return ()
        views = list(enumerate(quads))
        views += [
            (index, np.roll(quad, -1, axis=0))
            for index, quad in enumerate(quads)
            if card_height(quad) < _NEARLY_SQUARE * card_width(quad)
        ]
        log_probs = self._read([rectify(image, quad, self._size, self._margin) for _, quad in views])
        best = log_probs[: len(quads)].copy()
        for row, (index, _) in enumerate(views[len(quads) :], start=len(quads)):
            if log_probs[row].max() > best[index].max():
                best[index] = log_probs[row]
        return tuple(_named(row) for row in best)

    def _read(self, crops: Sequence[Image]) -> FloatArray:
        """Run the network on crops, (N, 34) log-probabilities, each crop read both ways up and averaged."""
        both_ways = [*crops, *(np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops)]
        batch = cv2.dnn.blobFromImages(both_ways, scalefactor=1 / 255, swapRB=True)
        logits = np.asarray(self._session.run(None, {self._input_name: batch})[0], dtype=np.float32)
        return _normalised((logits[: len(crops)] + logits[len(crops) :]) / (2 * self._temperature))


def _named(log_probs: FloatArray) -> NamedCard:
    """The side that is the more probable, and the names given that side."""
    back = NAMER_CLASSES.index(BACK)
    if log_probs[back] > np.log(0.5):
        return NamedCard(Side.BACK, uniform_log_probs())
    return NamedCard(Side.FACE, _normalised(log_probs[None, :back])[0])


def _normalised(logits: FloatArray) -> FloatArray:
    """Logarithms of probabilities that add up to 1 in each row."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_probs: FloatArray = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return log_probs.astype(np.float32)
