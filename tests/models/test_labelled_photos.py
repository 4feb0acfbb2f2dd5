"""Which detection belongs to which mark of a person, who marks what is in view."""

from __future__ import annotations

import numpy as np

from detector.types import CARD_CODES, CardDetection, Side
from models.training.labelled_photos import LabelledCard, boxes_in_view, matches


def face(left: float, top: float, score: float, width: float = 100.0) -> CardDetection:
    """An upright card of 100 by 150 pixels."""
    corners = [(left, top), (left + width, top), (left + width, top + 150), (left, top + 150)]
    classes = len(CARD_CODES) + 1
    return CardDetection(
        quad=np.array(corners, dtype=np.float32),
        side=Side.FACE,
        log_probs=np.full(classes, -np.log(classes), dtype=np.float32),
        score=score,
    )


def test_the_part_in_view_is_what_was_marked() -> None:
    under, over = face(0, 0, 0.7), face(40, 0, 0.95)
    marked = LabelledCard("HA", "A", (0.0, 0.0, 40.0, 150.0), occluded=True)
    paired, _ = matches([marked], [over, under])
    assert paired == {0: 1}


def test_thin_strips_beside_the_covering_card_are_not_marked() -> None:
    # Six pixels of the lower card look out below the upper one, over its whole width.
    under, over = face(0, 6, 0.7), face(40, 0, 0.95)
    left, top, right, bottom = boxes_in_view(under, [over, under])[1]
    assert (left, top) == (0, 6)
    assert abs(right - 40) <= 1
    assert abs(bottom - 156) <= 1


def test_of_two_about_as_sure_either_can_lie_on_top() -> None:
    surer_but_under, over = face(0, 0, 0.95), face(40, 0, 0.92)
    marked = LabelledCard("HA", "A", (0.0, 0.0, 40.0, 150.0), occluded=True)
    paired, _ = matches([marked], [surer_but_under, over])
    assert paired == {0: 0}


def test_far_surer_cards_are_never_taken_to_lie_under() -> None:
    surer, doubtful = face(0, 0, 0.95), face(40, 0, 0.5)
    assert {round(box[2]) for box in boxes_in_view(surer, [surer, doubtful])} == {100}


def test_a_whole_card_is_its_own_box() -> None:
    assert set(boxes_in_view(face(10, 20, 0.9), [face(300, 20, 0.9)])) == {(10.0, 20.0, 110.0, 170.0)}
