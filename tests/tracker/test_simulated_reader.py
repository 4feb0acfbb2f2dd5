"""The reader that no picture is drawn for: its faults are as large as asked for, and its doubt is honest."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from statistics import mean

import numpy as np
import pytest

from capture.simulator.camera import Pose
from capture.simulator.reader import ReadFrame, ReadingFaults, SimulatedReader, looks_like
from capture.simulator.script import Rest, Script
from detector.types import CARD_CODES, CLASS_NAMES, CardDetection, Side
from rules import FULL_DECK
from tests.tracker.simulated_tables import Table


@cache
def script() -> Script:
    table = Table(1)
    return table.script(table.deal())


def frames(faults: ReadingFaults, seed: int = 1) -> list[ReadFrame]:
    return list(SimulatedReader(script(), seed, faults))


PERFECT = ReadingFaults(
    accuracy=0.99999, lost_frames=0, missed=0, two_corners=0, false_cards=0, jitter=0, glare=0
)


def corners_of(card: CardDetection) -> tuple[float, ...]:
    return tuple(np.round(card.quad.ravel(), 1).tolist())


def named_surely(film: Script, seed: int) -> Iterator[tuple[tuple[float, ...], str]]:
    """Which card lies at which corners, as a reader without faults sees it."""
    (first, *_) = SimulatedReader(film, seed, PERFECT)
    for card in first.detections or ():
        yield corners_of(card), CLASS_NAMES[int(np.argmax(card.log_probs))]


def looks_at_cards_in_full_view(accuracy: float) -> Iterator[tuple[float, bool]]:
    """(probability of the name given, whether it is right) of faces that lie apart in plain light."""
    faults = replace(PERFECT, accuracy=accuracy)
    places = [(x, y) for x in (-180, -60, 60, 180) for y in (-110, 0, 110)]
    for seed in range(40):
        cards = random.Random(seed).sample(FULL_DECK, len(places))
        rests = tuple(Rest(card, Pose(x, y), True, 0.0) for card, (x, y) in zip(cards, places, strict=True))
        film = Script(rests, (), (), 1.0, (Pose(0, 0), Pose(0, 0)))
        truth = dict(named_surely(film, seed))
        (first, *_) = SimulatedReader(film, seed, faults)
        for seen in first.detections or ():
            code = CLASS_NAMES[int(np.argmax(seen.log_probs))]
            yield float(np.exp(seen.log_probs.max())), code == truth[corners_of(seen)]


def test_a_seed_gives_the_same_frames_and_another_seed_others() -> None:
    def places(seed: int) -> list[list[list[float]]]:
        seen = frames(ReadingFaults(), seed)[100:140]
        return [[card.quad.ravel().tolist() for card in frame.detections or ()] for frame in seen]

    assert places(3) == places(3)
    assert places(3) != places(4)


def test_frames_are_lost_as_often_as_was_asked_for() -> None:
    all_of_them = frames(ReadingFaults(lost_frames=0.2))
    assert mean(frame.detections is None for frame in all_of_them) == pytest.approx(0.2, abs=0.05)
    assert all(frame.detections is not None for frame in frames(ReadingFaults(lost_frames=0)))


def test_without_faults_every_card_that_lies_in_view_is_found_where_it_lies_and_named() -> None:
    seen: set[str] = set()
    for frame in frames(PERFECT):
        for card in frame.detections or ():
            if card.side is Side.FACE and np.exp(card.log_probs.max()) > 0.99:
                seen.add(CARD_CODES[int(np.argmax(card.log_probs[:32]))])
    assert seen == {card.code for card in FULL_DECK}


@pytest.mark.parametrize("accuracy", [0.8, 0.95])
def test_names_are_right_as_often_as_asked_for_and_as_sure_as_they_are_right(accuracy: float) -> None:
    looks = list(looks_at_cards_in_full_view(accuracy))
    right = mean(is_right for _, is_right in looks)
    assert right == pytest.approx(accuracy, abs=0.04)
    assert mean(sure for sure, _ in looks) == pytest.approx(right, abs=0.06)


def test_a_lookalike_is_mostly_of_the_other_suit_of_the_colour_or_a_near_rank() -> None:
    draw = random.Random(1)
    card = FULL_DECK[3]
    alike = [looks_like(draw, card) for _ in range(500)]
    assert card not in alike
    assert mean(other.rank is card.rank for other in alike) > 0.4
    assert mean(other.suit is card.suit for other in alike) > 0.3


def test_two_corners_and_false_cards_come_as_often_as_was_asked_for() -> None:
    def faces(faults: ReadingFaults) -> int:
        return sum(len(faced(frame.detections)) for frame in frames(faults))

    def faced(cards: tuple[CardDetection, ...] | None) -> list[CardDetection]:
        return [card for card in cards or () if card.side is Side.FACE]

    clean = faces(PERFECT)
    doubled = faces(ReadingFaults(0.99999, lost_frames=0, missed=0, two_corners=1, false_cards=0, glare=0))
    assert 1.6 * clean < doubled <= 2 * clean
