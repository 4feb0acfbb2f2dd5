"""The backs that a table shows, from pictures and boxes to events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from capture.backs import BackCollector, BackFinding, BackWatch, CollectedBack, DealEnd, FindingLog
from capture.backs.collector import LOOKS, MOST_BACKS
from capture.simulator.back_views import BackCamera, SeenBack, backs_of_a_deal, stacks_of_a_deal
from capture.simulator.decks.back_designs import random_back
from capture.simulator.marks import MarkKind, mark
from detector.backs.examine import OddBack, PackReport
from detector.types import BackFlaw, CardDetection, Image, Side, uniform_log_probs
from tracker.events import MIRROR_PRINTED, ONE_WAY, BackFlagged, PackBackJudged

CARD = 7
CAMERA = BackCamera(card_width=110, tilt=0.1, softness=0.6, noise=2.0, jpeg_quality=90, glare=0.0)
END = DealEnd("3", 5, datetime(2026, 1, 9, 20, 0, tzinfo=UTC), 100.0)
PICTURE = np.full((300, 300, 3), 90, np.uint8)


def back_at(x: float, y: float, width: float = 60.0, score: float = 0.9) -> CardDetection:
    corners = np.array([[0, 0], [1, 0], [1, 88 / 57], [0, 88 / 57]]) * width + np.array([x, y])
    return CardDetection(corners.astype(np.float32), Side.BACK, uniform_log_probs(), score)


def noisy(seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2, PICTURE.shape)
    return np.clip(PICTURE + noise, 0, 255).astype(np.uint8)


def see_for(collector: BackCollector, from_s: float, looks: int, *backs: CardDetection) -> float:
    """``looks`` pictures in which ``backs`` lie still; gives the time after them."""
    for look in range(looks):
        collector.see(from_s + look / 10, noisy(look), backs)
    return from_s + looks / 10


def test_a_back_that_lies_still_is_kept_with_a_few_looks_and_one_that_passes_is_not() -> None:
    collector = BackCollector()
    now_s = see_for(collector, 0.0, 30, back_at(50, 50))
    for step in range(8):
        collector.see(now_s + step / 10, PICTURE, [back_at(50 + 12 * step, 150)])
    (back,) = collector.seen()
    assert len(back.looks) == LOOKS
    assert back.from_s == 0.0
    assert back.to_s == pytest.approx(2.9)
    assert back.width == pytest.approx(60)


def test_the_same_card_seen_again_is_kept_once_and_another_on_top_of_it_too() -> None:
    collector = BackCollector()
    now_s = see_for(collector, 0.0, 8, back_at(50, 50))
    now_s = see_for(collector, now_s + 1, 8, back_at(50.5, 49.5))
    assert len(collector.seen()) == 1
    another = PICTURE.copy()
    another[60:80, 60:90] = 200
    for look in range(8):
        collector.see(now_s + 1 + look / 10, another, [back_at(50, 50)])
    assert len(collector.seen()) == 2


@pytest.mark.parametrize(
    "other", [back_at(150, 50, width=30), back_at(250, 50), back_at(150, 50, score=0.3), back_at(150, 50, 75)]
)
def test_what_is_too_small_cut_off_doubtful_or_of_another_size_is_no_back(other: CardDetection) -> None:
    collector = BackCollector()
    see_for(collector, 0.0, 8, back_at(20, 50), back_at(90, 180), other)
    assert {round(back.width) for back in collector.seen()} == {60}


def test_memory_is_bounded() -> None:
    collector, now_s = BackCollector(), 0.0
    for place in range(MOST_BACKS + 5):
        now_s = see_for(collector, now_s + 1, 4, back_at(10 + 3 * place, 10 + 2 * (place % 50)))
    assert len(collector.seen()) == MOST_BACKS


def report(*, symmetric: bool = True, odd: tuple[tuple[int, BackFlaw], ...] = ()) -> PackReport:
    picture = np.zeros((20, 10, 3), np.uint8)
    return PackReport(
        average=picture,
        is_symmetric=symmetric,
        certainty=0.97,
        turned_difference=picture,
        odd=tuple(OddBack(view, flaw, picture, picture, picture) for view, flaw in odd),
    )


BACKS = [
    CollectedBack((PICTURE,), back_at(0, 0).quad, from_s=10.0 * place, to_s=10.0 * place + 1)
    for place in range(10)
]
DOT = BackFlaw("mark", (0.2, 0.3), 0.9)


def test_a_finding_says_which_deal_when_how_sure_and_where_in_the_film() -> None:
    judged, flagged = FindingLog().take(report(symmetric=False, odd=((4, DOT),)), BACKS, END)
    assert judged.event == PackBackJudged(
        table="3", deal=5, time_utc=END.time_utc, confidence=0.97, printed=ONE_WAY
    )
    assert isinstance(flagged.event, BackFlagged)
    assert (flagged.event.deal, flagged.event.confidence, flagged.event.reason) == (5, 0.9, "mark")
    assert flagged.event.video is not None
    assert flagged.event.video.from_s == 40.0
    assert (END.time_utc - flagged.event.time_utc).total_seconds() == 60.0
    assert flagged.picture is not None
    assert flagged.picture.shape == (20, 42, 3)


def test_what_was_told_is_not_told_again_not_even_when_the_card_lies_the_other_way_up() -> None:
    log = FindingLog()
    log.take(report(odd=((4, DOT),)), BACKS, END)
    assert log.take(report(odd=((4, replace(DOT, centre=(0.78, 0.69))),)), BACKS, END) == ()
    assert len(log.take(report(odd=((4, replace(DOT, centre=(0.5, 0.9))),)), BACKS, END)) == 1


def test_a_pack_that_cannot_be_told_is_said_once_and_told_when_it_can() -> None:
    log = FindingLog()
    printed = [
        [finding.event.printed for finding in log.take(one, BACKS, END) if hasattr(finding.event, "printed")]
        for one in (None, None, report(), None, report(symmetric=False))
    ]
    assert printed == [["unknown"], [], [MIRROR_PRINTED], [], [ONE_WAY]]
    assert FindingLog().take(None, [], END) == ()


def test_many_odd_backs_are_another_pack_and_accuse_no_card() -> None:
    odd = tuple((view, replace(DOT, centre=(0.2, view / 10))) for view in range(4))
    (judged,) = FindingLog().take(report(odd=odd), BACKS, END)
    assert isinstance(judged.event, PackBackJudged)


def shown(seen: SeenBack, start_s: float) -> Iterator[tuple[float, Image, tuple[CardDetection, ...]]]:
    detection = CardDetection(seen.quads[0], Side.BACK, uniform_log_probs(), 0.95)
    for look, picture in enumerate(seen.pictures):
        yield start_s + look / 10, picture, (detection,)


def test_a_marked_card_is_found_while_the_deal_is_played_and_told_with_its_picture() -> None:
    rng = np.random.default_rng(3)
    back, other = (random_back(rng, one_way=False).image for _ in range(2))
    backs = [back] * 32
    backs[CARD] = mark(rng, back, other, MarkKind.DOT, size=3.0).image
    stacks = stacks_of_a_deal(rng)[:10]
    while not any(cards[-1] == CARD for _, cards in stacks):
        stacks = stacks_of_a_deal(rng)[:10]
    seen = backs_of_a_deal(rng, backs, CAMERA, looks=7, stacks=stacks)
    watch = BackWatch()
    for number, one in enumerate(seen):
        for time_s, image, detections in shown(one, 2.0 * number):
            watch.see(time_s, image, detections)
    assert watch.found() == ()
    watch.deal_over(replace(END, time_s=2.0 * len(seen)))
    found: tuple[BackFinding, ...] = watch.close()
    judged = [one.event for one in found if isinstance(one.event, PackBackJudged)]
    flagged = [one.event for one in found if isinstance(one.event, BackFlagged)]
    assert [event.printed for event in judged] == [MIRROR_PRINTED]
    assert {event.reason for event in flagged} == {"mark"}
    places = {event.video.from_s for event in flagged if event.video is not None}
    assert places <= {2.0 * number for number, one in enumerate(seen) if one.card == CARD}
    assert all(one.picture is not None for one in found)
