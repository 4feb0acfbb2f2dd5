"""Which card it is: a small network that reads one rectified face."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from detector.geometry import card_height, card_width, rectify
from detector.model_files import find_model, open_model
from detector.types import CLASS_NAMES, FloatArray, Image

_NEARLY_SQUARE = 1.15
"""Below this ratio of long to short side a slanted view may have swapped them: both are tried."""


class Namer:
    """Names the faces of cards, with calibrated probabilities."""

    def __init__(self, models_folder: Path | None = None, threads: int = 2) -> None:
        """Open the model.

        Raises:
            ModelError: when the model is missing or damaged.
        """
        model = find_model("namer", models_folder)
        self._session = open_model(model, threads)
        self._input_name = self._session.get_inputs()[0].name
        self._size = (int(model.settings["width"]), int(model.settings["height"]))
        self._margin = float(model.settings["margin"])
        self._temperature = float(model.settings["temperature"])

    def name(self, image: Image, quads: Sequence[FloatArray]) -> FloatArray:
        """Name the card in each quad of ``image``.

        Returns (N, 33) float32: natural logarithms of the probabilities over ``CLASS_NAMES``.
        """
        if not quads:
            return np.zeros((0, len(CLASS_NAMES)), dtype=np.float32)
        views = [(index, quad) for index, quad in enumerate(quads)]
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
        return best

    def _read(self, crops: Sequence[Image]) -> FloatArray:
        """Run the network on crops, (N, 33) log-probabilities, each crop read both ways up and averaged."""
        both_ways = [*crops, *(np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops)]
        batch = cv2.dnn.blobFromImages(both_ways, scalefactor=1 / 255, swapRB=True)
        logits = np.asarray(self._session.run(None, {self._input_name: batch})[0], dtype=np.float32)
        mean = (logits[: len(crops)] + logits[len(crops) :]) / (2 * self._temperature)
        mean -= mean.max(axis=1, keepdims=True)
        log_probs: FloatArray = mean - np.log(np.exp(mean).sum(axis=1, keepdims=True))
        return log_probs.astype(np.float32)
