"""The whole reading of one picture: find the cards, set their corners right, then name them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from detector.corners import CornerRefiner
from detector.errors import PictureError
from detector.finder import Finder
from detector.geometry import suppress_overlapping
from detector.namer import Namer
from detector.second_boxes import without_second_boxes
from detector.types import CardDetection, Image


class CardDetector:
    """The detector that the product uses; it carries nothing over from one picture to the next."""

    def __init__(self, finder: Finder, refiner: CornerRefiner, namer: Namer) -> None:
        """Put the three models together."""
        self._finder = finder
        self._refiner = refiner
        self._namer = namer

    @classmethod
    def load(cls, models_folder: Path | None = None, threads: int = 2) -> CardDetector:
        """Open the models that come with this version, or those in ``models_folder``.

        Raises:
            ModelError: when a model is missing or damaged.
        """
        return cls(
            Finder(models_folder, threads),
            CornerRefiner(models_folder, threads),
            Namer(models_folder, threads),
        )

    def detect(self, image: Image) -> tuple[CardDetection, ...]:
        """Find and name the cards in ``image``, (H, W, 3) uint8 BGR, surest first.

        Raises:
            PictureError: when ``image`` has another shape or dtype.
        """
        _check(image)
        return self._detect(image, None)

    def detect_within(self, image: Image, box: tuple[int, int, int, int]) -> tuple[CardDetection, ...]:
        """The same for a part: ``box`` is left, top, right, bottom in pixels; quads are in the whole picture.

        Raises:
            PictureError: when ``image`` has another shape or dtype, or ``box`` is empty or not within it.
        """
        _check(image)
        left, top, right, bottom = box
        if not (0 <= left < right <= image.shape[1] and 0 <= top < bottom <= image.shape[0]):
            raise PictureError(f"a box must lie within the picture {image.shape}, not {box!r}")
        return self._detect(image, box)

    def _detect(self, image: Image, box: tuple[int, int, int, int] | None) -> tuple[CardDetection, ...]:
        found = self._finder.find(image, box)
        quads = self._refiner.refine(image, [card.quad for card in found])
        # Two boxes about one card come together when their corners are set right.
        kept = suppress_overlapping(quads, [card.score for card in found], self._finder.max_overlap)
        named = self._namer.name(image, [quads[index] for index in kept])
        return without_second_boxes(
            [
                CardDetection(
                    quad=quads[index], side=name.side, log_probs=name.log_probs, score=found[index].score
                )
                for index, name in zip(kept, named, strict=True)
            ]
        )


def _check(image: Image) -> None:
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or 0 in image.shape:
        raise PictureError(f"a picture must be (H, W, 3) uint8, not {image.shape} {image.dtype}")
