"""Sets the finder's corners right: a small network looks at each card at the camera's own resolution.

The finder sees a scaled picture and gives rectangles, so its corners are a few per cent of a card off; seen
from the side a card is no rectangle at all. The refiner reads the card cut out with some table around it and
says how far each corner lies off.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from detector.geometry import rectify
from detector.model_files import find_model, open_model, require_outputs
from detector.types import FloatArray, Image

_CORNERS = 4


class CornerRefiner:
    """Moves the corners of cards to where they are."""

    def __init__(self, models_folder: Path | None = None, threads: int = 2) -> None:
        """Open the model.

        Raises:
            ModelError: when the model is missing, damaged or of another version.
        """
        model = find_model("corners", models_folder)
        self._session = open_model(model, threads)
        require_outputs(self._session, model, axis=1, expected=2 * _CORNERS)
        self._input_name = self._session.get_inputs()[0].name
        self._size = (int(model.settings["width"]), int(model.settings["height"]))
        self._margin = float(model.settings["margin"])
        self._rounds = int(model.settings["rounds"])
        self._targets = crop_targets(self._size, self._margin)
        self._most = self._margin * self._size[0] / (self._targets[1, 0] - self._targets[0, 0])

    def refine(self, image: Image, quads: Sequence[FloatArray]) -> list[FloatArray]:
        """The quads, (4, 2) pixels of ``image`` (H, W, 3) uint8 BGR, with better corners, as they came."""
        refined = [np.asarray(quad, dtype=np.float32) for quad in quads]
        for _ in range(self._rounds if quads else 0):
            crops = [rectify(image, quad, self._size, self._margin) for quad in refined]
            batch = cv2.dnn.blobFromImages(crops, scalefactor=1 / 255, swapRB=True)
            answer = np.asarray(self._session.run(None, {self._input_name: batch})[0], dtype=np.float32)
            offsets = np.clip(answer.reshape(-1, _CORNERS, 2), -self._most, self._most)
            refined = [self._moved(quad, one) for quad, one in zip(refined, offsets, strict=True)]
        return refined

    def _moved(self, quad: FloatArray, offsets: FloatArray) -> FloatArray:
        width = self._targets[1, 0] - self._targets[0, 0]
        matrix = cv2.getPerspectiveTransform(self._targets, quad)
        moved = cv2.perspectiveTransform((self._targets + offsets * width)[None].astype(np.float32), matrix)[
            0
        ]
        convex = np.isfinite(moved).all() and cv2.isContourConvex(moved)
        return np.asarray(moved if convex else quad, dtype=np.float32)


def crop_targets(size: tuple[int, int], margin: float) -> FloatArray:
    """(4, 2): where a card's corners lie in its crop of ``size`` (width, height), as ``rectify`` cuts it."""
    width, height = size
    across, down = (margin * width, (1 - margin) * width), (margin * height, (1 - margin) * height)
    corners = [(across[0], down[0]), (across[1], down[0]), (across[1], down[1]), (across[0], down[1])]
    return np.array(corners, dtype=np.float32)
