"""The seam between reading pictures and following a deal."""

from __future__ import annotations

import numpy as np
import pytest

from detector.types import CARD_CODES, CLASS_NAMES, CardDetection, Side, uniform_log_probs
from rules import FULL_DECK

QUAD = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], dtype=np.float32)


def test_the_detector_and_the_rules_put_the_cards_in_the_same_order() -> None:
    assert tuple(card.code for card in FULL_DECK) == CARD_CODES


def test_a_detection_tells_its_most_probable_name() -> None:
    log_probs = np.full(33, np.log(0.1 / 32), dtype=np.float32)
    log_probs[CLASS_NAMES.index("HT")] = np.log(0.9)
    detection = CardDetection(QUAD, Side.FACE, log_probs, 0.8)
    assert detection.name == "HT"
    assert detection.name_probability == pytest.approx(0.9)
    assert detection.centre == (30.0, 45.0)


def test_a_detection_cannot_be_changed() -> None:
    detection = CardDetection(QUAD, Side.BACK, uniform_log_probs(), 0.8)
    with pytest.raises(ValueError, match="read-only"):
        detection.quad[0, 0] = 5


@pytest.mark.parametrize(
    ("quad", "log_probs", "score", "message"),
    [
        (np.zeros((3, 2)), uniform_log_probs(), 0.5, r"quad must have shape \(4, 2\), not \(3, 2\)"),
        (QUAD, np.zeros(32), 0.5, r"log_probs must have shape \(33,\), not \(32,\)"),
        (QUAD, uniform_log_probs(), 1.5, r"score must lie from 0 to 1, not 1.5"),
    ],
)
def test_a_wrong_shape_is_refused_with_what_was_found(
    quad: np.ndarray, log_probs: np.ndarray, score: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        CardDetection(quad, Side.FACE, log_probs, score)
