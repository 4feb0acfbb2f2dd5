"""Simulated deals read with all faults at once; ``python -m tests.tracker.measure`` does 200 of each sort.

The decks, tables and seeds are those that the command begins with, so that a failure here is seen there too.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from statistics import quantiles
from typing import Final

from capture.simulator import simulate_match
from capture.simulator.reader import ReadingFaults
from capture.simulator.script import Happening
from rules import CLOCKWISE, KLAVERJAS_DRIVE, Suit
from tests.tracker.measure import Measured, measure_all, tables, trumps_possible, wrongly_flagged
from tests.tracker.simulated_tables import (
    Table,
    match_script,
    places,
    read,
    score,
    told_to_rules,
    tracked_match,
)
from tracker.events import BROKEN_OFF, PLAYED, DealClosed, DealStarted, fold_deals

EACH: Final = 8
_MATCH_DEALS: Final = 16


@cache
def clean() -> list[Measured]:
    return measure_all(tables(EACH), processes=1)


@cache
def badly_named() -> list[Measured]:
    return measure_all(tables(EACH, 0.95), processes=1)


@cache
def with_a_verzaking() -> list[Measured]:
    return measure_all(tables(EACH, verzaken=True), processes=1)


@cache
def without_trump() -> list[Measured]:
    return measure_all(tables(EACH, trump_given=False), processes=1)


def test_deals_are_exact_and_their_scores_right_and_nobody_is_accused() -> None:
    assert [(one.seed, one.exact, one.score_right, one.flagged) for one in clean()] == [
        (one.seed, True, True, False) for one in clean()
    ]


def test_a_namer_that_is_wrong_in_one_frame_of_twenty_costs_hardly_a_deal() -> None:
    assert sum(one.exact for one in badly_named()) >= EACH - 1
    assert not any(one.flagged for one in badly_named())


def test_a_verzaking_is_proven_with_its_trick_card_and_seat_and_no_other_is() -> None:
    assert [(one.seed, one.verzaking_right, one.flagged) for one in with_a_verzaking()] == [
        (one.seed, True, False) for one in with_a_verzaking()
    ]


def test_trump_left_out_is_told_from_the_play() -> None:
    assert sum(one.by_trick_3 is True for one in without_trump()) >= EACH - 1
    assert all(one.by_the_end is not False for one in without_trump())


def test_cards_are_told_within_half_a_second_and_nearly_all_within_one() -> None:
    late = [each for one in clean() for each in one.late_s]
    in_twentieths = quantiles(late, n=20)
    assert in_twentieths[9] <= 0.5
    assert in_twentieths[18] <= 1.0


def test_a_match_of_sixteen_deals_in_one_film_that_nobody_touches() -> None:
    """Trump is left out, nobody says when a deal begins: 16 scores, dealers and numbers."""
    played = simulate_match(77, _MATCH_DEALS)
    events = tracked_match(played, 77)
    records = fold_deals(events)
    assert [record.number for record in records] == list(range(1, _MATCH_DEALS + 1))
    dealers = [CLOCKWISE[(CLOCKWISE.index(played[0].dealer) + step) % 4] for step in range(_MATCH_DEALS)]
    assert [record.deal.dealer for record in records] == dealers == [deal.dealer for deal in played]
    assert sum(isinstance(event, DealClosed) for event in events) == _MATCH_DEALS
    for deal, record in zip(played, records, strict=True):
        assert record.closed
        assert [(card.trick, card.position, card.seat, card.card) for card in record.cards] == places(deal)
        assert score(record.deal) == score(told_to_rules(deal))


def test_a_dealing_is_seen_and_one_in_vain_breaks_off_a_deal_of_the_same_dealer() -> None:
    """Before the second deal all lay their hands down again: no card was played of what was dealt first."""
    played = simulate_match(78, 3)
    script = match_script(played, 78, dealt_in_vain={1})
    events = tracked_match(played, 78, script)
    started = [event for event in events if isinstance(event, DealStarted)]
    assert [(event.deal, event.dealer) for event in started] == [
        (1, played[0].dealer),
        (2, played[1].dealer),
        (2, played[1].dealer),
        (3, played[2].dealer),
    ]
    dealing = {event.deal: event.video for event in started if event.video is not None}
    first_cards = {
        moment.deal + 1: moment.time_s
        for moment in reversed(script.moments)
        if moment.happening is Happening.CARD_PLAYED
    }
    assert sorted(dealing) == [2, 3]
    for number, video in dealing.items():
        assert video.to_s < first_cards[number] - 1.0
        assert 0.5 < video.to_s - video.from_s < 9.0
    closed = [(event.deal, event.reason) for event in events if isinstance(event, DealClosed)]
    assert closed == [(1, PLAYED), (2, BROKEN_OFF), (2, PLAYED), (3, PLAYED)]
    for deal, record in zip(played, fold_deals(events), strict=True):
        assert [(card.trick, card.position, card.seat, card.card) for card in record.cards] == places(deal)


def test_a_reader_that_is_fooled_by_some_cards_accuses_nobody_surely() -> None:
    """One card in fifty is named as another one surely in every frame: no vote over frames helps."""
    faults = replace(ReadingFaults(), fooled=0.02)
    read_tables = [read(Table(31_000 + index, faults=faults)) for index in range(4)]
    assert not any(wrongly_flagged(found, at_the_end=False) for found in read_tables)


def test_which_trumps_explain_a_deal_is_judged_by_the_whole_play() -> None:
    deal = Table(1).deal()
    assert deal.reglement is KLAVERJAS_DRIVE
    assert deal.trump in trumps_possible(deal)
    assert len(trumps_possible(deal)) < len(Suit)
