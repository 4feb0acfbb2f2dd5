"""The other way to do it, to compare with: one YOLO that finds and names cards at once.

``python -m models.training.one_stage --data DIR --weights FILE --out DIR`` trains it on the stills that the
finder learns from, with the same settings, and leaves ``finder.onnx`` in ``--out``; with ``--measure SHARED``
it is then measured as ``evaluate`` measures the models of the product. Nothing of it is part of the product.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import numpy as np
import onnxruntime

from detector.finder import corners_of_box, picture_blob
from detector.geometry import suppress_overlapping
from detector.namer import BACK, NAMER_CLASSES
from detector.types import CLASS_NAMES, CardDetection, Detector, FloatArray, Image, Side
from models.training.evaluate_photos import evaluate_set
from models.training.finder import add_arguments, describe_data, train_boxes
from models.training.finder_data import NAMED
from models.training.labelled_photos import VALIDATION_SETS
from models.training.tally import report

_log = logging.getLogger(__name__)

_LONG_SIDES = (640, 320)
"""As the finder, which looks twice where cards are large."""

_MIN_SCORE = 0.25
_MAX_OVERLAP = 0.7


class OneStageDetector(Detector):
    """Finds and names cards by one network."""

    def __init__(self, model: Path) -> None:
        """Open the exported network."""
        self._session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
        self._input_name = self._session.get_inputs()[0].name

    def detect(self, image: Image) -> tuple[CardDetection, ...]:
        """Find and name the cards in ``image``, (H, W, 3) uint8 BGR, surest first."""
        looks = [self._look(image, long_side) for long_side in _LONG_SIDES]
        quads = [quad for look in looks for quad, _ in look]
        scores = [named for look in looks for _, named in look]
        best = [float(min(named.max(), 1.0)) for named in scores]
        kept = suppress_overlapping(quads, best, _MAX_OVERLAP)
        return tuple(_detection(quads[index], scores[index], best[index]) for index in kept)

    def _look(self, image: Image, long_side: int) -> list[tuple[FloatArray, FloatArray]]:
        """Quads and the scores of all classes, with the picture's long side set to ``long_side`` pixels."""
        batch, scale = picture_blob(image, long_side)
        output = self._session.run(None, {self._input_name: batch})[0][0]
        scores = output[4 : 4 + len(NAMER_CLASSES)]
        return [
            (corners_of_box(output[:4, column] / scale, float(output[-1, column])), scores[:, column])
            for column in np.flatnonzero(scores.max(axis=0) >= _MIN_SCORE)
        ]


def _detection(quad: FloatArray, scores: FloatArray, score: float) -> CardDetection:
    named = np.clip(scores[: len(CLASS_NAMES)], 1e-6, 1.0)
    back = scores[NAMER_CLASSES.index(BACK)] >= named.max()
    log_probs = np.log(named / named.sum()).astype(np.float32)
    return CardDetection(quad=quad, side=Side.BACK if back else Side.FACE, log_probs=log_probs, score=score)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--measure", type=Path, help="folder that holds photos/, to measure on afterwards")
    parser.add_argument("--only-measure", action="store_true", help="take the network in --out")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if not arguments.only_measure:
        pictures = [folder / "train" / NAMED / "images" for folder in arguments.data]
        measured = arguments.data[0] / "unseen" / NAMED / "images"
        train_boxes(arguments, describe_data(pictures, measured, NAMER_CLASSES))
    if arguments.measure is not None:
        detector = OneStageDetector(arguments.out / "finder.onnx")
        for name in VALIDATION_SETS:
            _log.info("%s", report(name, evaluate_set(detector, arguments.measure / "photos", name)))


if __name__ == "__main__":
    main()
