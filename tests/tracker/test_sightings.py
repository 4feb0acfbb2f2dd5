"""Detections to cards: what is one card, what lies still, what is only passing."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from detector.types import CARD_CODES, CLASS_NAMES, CardDetection, Side, uniform_log_probs
from tests.tracker.fake_table import card_quad
from tracker.card_track import Sighting
from tracker.sightings import Sightings

WIDTH = 80.0


def seen(
    x: float, y: float, code: str | None = "HT", sure: float = 0.95, turn: float = 0.3, score: float = 0.9
) -> CardDetection:
    """One detection around (x, y), in card widths; without a code it is a back."""
    quad = card_quad(x * WIDTH, y * WIDTH, turn, WIDTH)
    if code is None:
        return CardDetection(quad, Side.BACK, uniform_log_probs(), score)
    probabilities = np.full(len(CLASS_NAMES), (1 - sure) / (len(CLASS_NAMES) - 1))
    probabilities[CARD_CODES.index(code)] = sure
    return CardDetection(quad, Side.FACE, np.log(probabilities), score)


def followed(
    frames: Iterable[Iterable[CardDetection]], rate: float = 10.0, *, looked_at_again: bool = True
) -> list[tuple[Sighting, ...]]:
    """Each frame is looked at anew unless ``looked_at_again`` is False: then the same object is one look."""
    sightings = Sightings()
    return [
        sightings.update(index / rate, tuple(replace(card) if looked_at_again else card for card in frame))
        for index, frame in enumerate(frames)
    ]


def name_of(sighting: Sighting) -> str:
    return CLASS_NAMES[int(np.argmax(sighting.log_probs))]


def settled(sightings: Iterable[Sighting]) -> list[Sighting]:
    return [sighting for sighting in sightings if sighting.settled_s is not None]


def test_a_card_settles_after_it_lay_still_for_a_moment_and_not_before() -> None:
    history = followed([[seen(5, 5)]] * 6)
    assert [len(settled(sightings)) for sightings in history] == [0, 0, 0, 1, 1, 1]
    (card,) = history[-1]
    assert card.settled_s == 0.0
    assert card.looks == pytest.approx(6.0)
    assert name_of(card) == "HT"


def test_a_moving_card_does_not_settle_and_stays_one_card_until_it_lies() -> None:
    path = [seen(5 + max(0, 6 - step) * 0.6, 5) for step in range(12)]
    history = followed([[card] for card in path])
    assert {sighting.identifier for sightings in history for sighting in sightings} == {0}
    assert not any(settled(sightings) for sightings in history[:8])
    (card,) = settled(history[-1])
    assert card.settled_s == pytest.approx(0.6)
    assert card.settled_at == pytest.approx((5 * WIDTH, 5 * WIDTH))


def test_a_card_that_slides_stays_the_same_card_and_keeps_where_it_was_laid() -> None:
    path = [seen(5, 5)] * 6 + [seen(5 + 0.3 * step, 5) for step in range(1, 6)] + [seen(6.5, 5)] * 6
    (card,) = followed([[card] for card in path])[-1]
    assert card.settled_at == pytest.approx((5 * WIDTH, 5 * WIDTH))
    assert card.place == pytest.approx((6.5 * WIDTH, 5 * WIDTH))


def test_a_card_slid_under_a_hand_is_the_same_card_by_its_name() -> None:
    frames = [[seen(5, 5)]] * 6 + [[]] * 8 + [[seen(6.8, 5.5)]] * 5
    (card,) = followed(frames)[-1]
    assert card.identifier == 0


def test_a_card_covered_by_a_hand_is_not_lost() -> None:
    frames = [[seen(5, 5)]] * 6 + [[]] * 20 + [[seen(5, 5)]] * 2
    (card,) = followed(frames)[-1]
    assert card.identifier == 0
    assert card.looks == pytest.approx(8.0)


def test_another_card_in_the_same_place_after_a_gap_is_another_card() -> None:
    frames = [[seen(5, 5, "HT")]] * 6 + [[]] * 8 + [[seen(5, 5, "C9")]] * 5
    cards = followed(frames)[-1]
    assert [name_of(card) for card in cards] == ["HT", "C9"]


def test_one_misnamed_frame_in_between_is_the_same_card() -> None:
    frames = [[seen(5, 5)]] * 6 + [[seen(5, 5, "DT")]] + [[seen(5, 5)]] * 3
    (card,) = followed(frames)[-1]
    assert name_of(card) == "HT"


def test_two_detections_on_one_card_are_one_card() -> None:
    frames = [[seen(5, 5), seen(5.15, 5.1, score=0.4)]] * 6
    assert len(followed(frames)[-1]) == 1


def test_two_corners_of_one_card_are_one_card() -> None:
    frames = [[seen(5, 4.6), seen(5, 5.6, score=0.4)]] * 6
    assert len(followed(frames)[-1]) == 1


def test_two_cards_that_overlap_are_two_cards() -> None:
    frames = [[seen(5, 5, "HT"), seen(5.5, 5.4, "C9")]] * 6
    assert [name_of(card) for card in followed(frames)[-1]] == ["HT", "C9"]


def test_two_crossed_cards_stay_two_while_one_is_named_as_the_other() -> None:
    """A card misread as its neighbour was dropped as that card's other corner, and never told."""
    both = [seen(5, 5, "HT"), seen(5.6, 5.9, "DT", turn=1.8)]
    misread = [seen(5, 5, "HT"), seen(5.6, 5.9, "HT", turn=1.8, score=0.6)]
    cards = followed([misread, both] * 4)[-1]
    assert len(settled(cards)) == 2
    assert [card.lain for card in cards] == pytest.approx([8.0, 8.0])


def test_a_card_followed_before_is_no_double_of_one_over_it_that_looks_alike() -> None:
    """Two cards that lie the same way, half over one another, with one name between them in some frames."""
    apart = [seen(5, 5, "HT"), seen(5, 5.8, "DT", turn=0.3)]
    alike = [seen(5, 5, "DT", score=0.6), seen(5, 5.8, "DT", turn=0.3)]
    cards = followed([apart] * 4 + [alike, apart] * 3)[-1]
    assert [name_of(card) for card in cards] == ["HT", "DT"]
    assert min(card.lain for card in cards) > 6


def test_a_card_laid_beside_another_does_not_change_places_with_it() -> None:
    """A card lost on its way (identifier 0) was given the one that lies, and that one the next card."""
    lost, lies, comes = seen(7, 5, "SA"), seen(5, 5, "SA"), seen(4, 6, "S7", turn=1.8)
    cards = followed([[lost]] + [[lies]] * 5 + [[lies, comes]] * 6)[-1]
    first = next(card for card in cards if name_of(card) == "SA" and card.settled_s is not None)
    assert first.place == pytest.approx((5 * WIDTH, 5 * WIDTH))
    assert first.lain == pytest.approx(11.0)


def test_a_card_laid_half_over_another_is_not_a_look_at_the_one_below() -> None:
    below, over = seen(5, 5, "ST"), seen(5.35, 5.3, "SK", turn=1.8)
    cards = followed([[below]] * 6 + [[over]] + [[below, over]] * 6)[-1]
    assert [name_of(card) for card in cards] == ["ST", "SK"]
    assert [card.lain for card in cards] == pytest.approx([12.0, 7.0])


def test_a_face_and_a_back_are_never_the_same_card() -> None:
    frames = [[seen(5, 5)]] * 5 + [[seen(5, 5, None)]] * 5
    cards = followed(frames)[-1]
    assert [card.side for card in cards] == [Side.FACE, Side.BACK]


def test_a_thing_seen_only_in_passing_is_forgotten() -> None:
    frames = [[seen(5, 5)]] * 2 + [[]] * 10
    assert followed(frames)[-1] == ()


def test_looks_count_by_time_and_not_by_frames() -> None:
    slow = followed([[seen(5, 5)]] * 10, rate=10.0)[-1][0]
    fast = followed([[seen(5, 5)]] * 100, rate=100.0)[-1][0]
    assert fast.looks == pytest.approx(slow.looks, rel=0.15)


def test_looks_at_a_covered_card_count_for_less() -> None:
    frames = [[seen(5, 5, "HT")]] * 6 + [[seen(5, 5, "HT"), seen(5.4, 5.2, "C9")]] * 10
    under, over = followed(frames)[-1]
    assert under.looks < 12
    assert over.looks == pytest.approx(10.0)


def test_identifiers_depend_on_the_detections_alone() -> None:
    rng = random.Random(1)
    frames = [[seen(5 + rng.gauss(0, 0.03), 5), seen(8, 8, "C9")] for _ in range(8)]

    def identifiers() -> list[int]:
        return [card.identifier for card in followed(frames)[-1]]

    assert identifiers() == identifiers() == [0, 1]


def test_cards_gathered_are_not_followed_any_more() -> None:
    sightings = Sightings()
    for index in range(6):
        sightings.update(index / 10, (seen(5, 5), seen(8, 8, "C9")))
    sightings.forget({0})
    cards = sightings.update(0.6, (seen(8, 8, "C9"),))
    assert [card.identifier for card in cards] == [1]


def test_a_detection_given_again_because_nothing_moved_is_no_new_look() -> None:
    """One wrong look must not be repeated into certainty by a reader that skips frames without motion."""
    wrong, right = seen(5, 5, "DT"), [seen(5, 5, "HT") for _ in range(3)]
    frames = [[wrong]] * 10 + [[right[0]]] * 10 + [[right[1]]] * 10 + [[right[2]]] * 10
    (card,) = followed(frames, looked_at_again=False)[-1]
    assert card.looks == pytest.approx(4.0)
    assert card.lain == pytest.approx(40.0)
    assert name_of(card) == "HT"
