"""Second boxes about one card go, cards that lie over one another stay."""

from __future__ import annotations

import numpy as np

from detector.second_boxes import without_second_boxes
from detector.types import CLASS_NAMES, FOREIGN, CardDetection, FloatArray, Side, uniform_log_probs

WIDTH, HEIGHT = 100.0, 140.0


def quad_at(x: float, y: float = 0.0, degrees: float = 0.0) -> FloatArray:
    """A card of 100 by 140 pixels with its middle at (x, y)."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [WIDTH / 2, HEIGHT / 2]
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(corners @ np.array([[cosine, sine], [-sine, cosine]]) + [x, y], dtype=np.float32)


def face(name: str, quad: FloatArray, probability: float = 0.99, score: float = 0.9) -> CardDetection:
    rest = (1 - probability) / (len(CLASS_NAMES) - 1)
    probabilities = np.full(len(CLASS_NAMES), rest, dtype=np.float32)
    probabilities[CLASS_NAMES.index(name)] = probability
    return CardDetection(quad, Side.FACE, np.log(probabilities), score)


def back(quad: FloatArray, score: float) -> CardDetection:
    return CardDetection(quad, Side.BACK, uniform_log_probs(), score)


def names_left(*detections: CardDetection) -> list[str]:
    return [one.name if one.side is Side.FACE else "back" for one in without_second_boxes(list(detections))]


def test_one_name_twice_on_one_spot_is_one_card() -> None:
    assert names_left(face("HA", quad_at(0)), face("HA", quad_at(20, 10, 30), score=0.4)) == ["HA"]


def test_the_box_that_reads_better_stays_wherever_it_stands() -> None:
    worse, better = face("HA", quad_at(20, 10, 30), 0.6, 0.5), face("HA", quad_at(0))
    assert without_second_boxes([worse, better]) == (better,)


def test_cards_of_two_names_stay_however_far_one_lies_over_the_other() -> None:
    assert names_left(face("HA", quad_at(0)), face("HK", quad_at(25), score=0.7)) == ["HA", "HK"]


def test_a_box_askew_over_a_card_in_which_nothing_sure_is_read_goes() -> None:
    card = face("HA", quad_at(0))
    askew = quad_at(0, 0, 35)
    assert names_left(card, face("CJ", askew, 0.5, 0.74)) == ["HA"]
    assert names_left(card, face(FOREIGN, askew, 0.97, 0.4)) == ["HA"]
    assert names_left(card, back(askew, 0.8)) == ["HA"]


def test_an_unsure_card_of_which_half_is_in_view_stays() -> None:
    assert names_left(face("HA", quad_at(0)), face("CJ", quad_at(50), 0.5)) == ["HA", "CJ"]


def test_a_foreign_card_is_no_second_box_of_an_unsure_one() -> None:
    foreign = face(FOREIGN, quad_at(0))
    assert FOREIGN in names_left(foreign, face("CJ", quad_at(0, 0, 35), 0.5, 0.4))


def test_a_back_that_surely_lies_over_a_face_stays() -> None:
    assert names_left(face("HA", quad_at(0), score=0.5), back(quad_at(25), 0.9)) == ["HA", "back"]


def test_two_cards_of_one_name_apart_both_stay() -> None:
    """Two packs on one table; which of them is played the tracker decides."""
    assert names_left(face("HA", quad_at(0)), face("HA", quad_at(90))) == ["HA", "HA"]


def test_nothing_is_nothing() -> None:
    assert without_second_boxes([]) == ()
