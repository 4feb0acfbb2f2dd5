"""What is drawn on a photo lies where the card lies, and the photo itself is left as it was."""

from __future__ import annotations

import numpy as np

from capture.annotate import BACK_COLOUR, FACE_COLOUR, UNSURE_COLOUR, annotate, dutch_name
from detector.types import CLASS_NAMES, FOREIGN, CardDetection, Side, uniform_log_probs


def detection(name: str | None, probability: float = 0.99) -> CardDetection:
    log_probs = uniform_log_probs().copy()
    if name is not None:
        log_probs[:] = np.log((1 - probability) / 32)
        log_probs[CLASS_NAMES.index(name)] = np.log(probability)
    quad = np.array([[100, 100], [200, 100], [200, 250], [100, 250]], np.float32)
    return CardDetection(quad, Side.BACK if name is None else Side.FACE, log_probs, 0.9)


def test_names_are_those_that_dutch_players_use() -> None:
    names = [dutch_name(detection(name)) for name in ("HT", "CJ", "DQ", "SK", "HA", FOREIGN, None)]
    assert names == ["H10", "KB", "RV", "SH", "HA", "vreemd", "rug"]


def test_the_outline_lies_on_the_cards_edge_in_the_colour_of_what_it_is() -> None:
    image = np.full((400, 400, 3), 128, np.uint8)
    for seen, colour in [
        (detection("HT"), FACE_COLOUR),
        (detection("HT", 0.5), UNSURE_COLOUR),
        (detection(None), BACK_COLOUR),
    ]:
        drawn = annotate(image, [seen])
        assert tuple(drawn[100, 150]) == colour
        assert tuple(drawn[180, 200]) == colour
        assert (drawn[:90] == 128).all()
        assert (drawn[260:] == 128).all()
    assert (image == 128).all()


def test_nothing_is_drawn_where_nothing_was_seen() -> None:
    image = np.full((40, 40, 3), 128, np.uint8)
    assert np.array_equal(annotate(image, []), image)
