"""What goes wrong at a table, each thing played out once, and told once."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final, TypeVar

import pytest

from rules import AMSTERDAMS_MET_PASSEN, Seat, Suit, Team, parse_card
from tests.tracker.fake_table import (
    HEIGHT,
    VIEW,
    WIDTH,
    FakeEye,
    FakeFilm,
    Shown,
    card_quad,
    random_deal,
    tracked,
)
from tests.tracker.test_table_tracker import FakeStranger, face, told_of
from tracker.events import (
    CardCountWrong,
    CardDoubtful,
    CardExposed,
    CardPlayed,
    CardPlayedOutOfTurn,
    CardsPlayedTogether,
    DealClosed,
    DealStarted,
    Event,
    ForeignCardSeen,
    SlowPlay,
    TrickGatheredWrongly,
    fold_deals,
    open_questions,
)
from tracker.irregularities import ToldPlay, came_before_its_turn, turn, wrong_pile

Span = tuple[float, float, Shown]
_PLACES: Final = {"W": (-1.2, 0.0), "N": (0.0, -1.2), "E": (1.2, 0.0), "S": (0.0, 1.2)}
Kind = TypeVar("Kind", bound=Event)


def played(seat: str, code: str, from_s: float, until_s: float) -> Span:
    return from_s, until_s, face(parse_card(code), *_PLACES[seat])


def back(across: float, down: float, from_s: float, until_s: float = 99.0) -> Span:
    """A card with its back up, in card widths from the middle."""
    quad = card_quad(WIDTH / 2 + across * 85, HEIGHT / 2 + down * 85, 0.1, 85)
    return from_s, until_s, Shown(None, quad, layer=400)


def trick(leader_code: str = "HA", from_s: float = 1.0, until_s: float = 6.0) -> list[Span]:
    """West leads and wins; South dealt."""
    return [
        played("W", leader_code, from_s, until_s),
        played("N", "H7", from_s + 1, until_s),
        played("E", "H9", from_s + 2, until_s),
        played("S", "H8", from_s + 3, until_s),
    ]


def of_kind(events: list[Event], kind: type[Kind]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


def irregular(events: list[Event]) -> list[str]:
    kinds = (
        CardCountWrong,
        CardExposed,
        CardPlayedOutOfTurn,
        CardsPlayedTogether,
        ForeignCardSeen,
        SlowPlay,
        TrickGatheredWrongly,
    )
    return [type(event).__name__ for event in events if isinstance(event, kinds)]


def test_a_trick_as_it_should_be_tells_nothing_else() -> None:
    events = told_of([*trick(), back(5.0, 0.9, 6.6)], 12.0)
    assert irregular(events) == []


def test_a_card_clearly_before_its_turn_is_told_with_its_seat() -> None:
    spans = [
        played("W", "H7", 1.0, 30.0),
        played("S", "H8", 3.0, 30.0),
        played("N", "H9", 8.0, 30.0),
        played("E", "HT", 13.0, 30.0),
    ]
    (event,) = of_kind(told_of(spans, 20.0), CardPlayedOutOfTurn)
    assert (event.seat, event.card.code, event.trick) == (Seat.SOUTH, "H8", 1)


def test_two_cards_of_one_player_at_once_are_told_together_the_first_as_played() -> None:
    spans = [
        played("W", "H7", 1.0, 12.0),
        (1.4, 12.0, face(parse_card("SA"), -2.3, 0.1)),
        played("N", "H8", 3.0, 12.0),
    ]
    events = told_of(spans, 12.0)
    (event,) = of_kind(events, CardsPlayedTogether)
    assert (event.seat, event.trick) == (Seat.WEST, 1)
    assert [card.code for card in event.cards] == ["H7", "SA"]
    assert [event.card.code for event in of_kind(events, CardPlayed)] == ["H7", "H8"]


def test_a_face_that_lies_outside_the_trick_is_exposed_with_the_nearest_seat_once() -> None:
    spans = [*trick(), (2.0, 9.0, face(parse_card("CA"), 4.5, 1.0))]
    (event,) = of_kind(told_of(spans, 10.0), CardExposed)
    assert (event.card.code, event.seat) == ("CA", Seat.EAST)


def test_a_hand_laid_open_is_not_eight_exposed_cards() -> None:
    hand = [
        (2.0, 9.0, face(parse_card(code), 3.6 + 1.2 * (index % 3), -1.6 + 1.6 * (index // 3)))
        for index, code in enumerate(("CA", "CT", "CK", "CQ", "D7", "D8"))
    ]
    assert of_kind(told_of([*trick(), *hand], 10.0), CardExposed) == []


def laid_open(seat_side: float, codes: str, from_s: float, until_s: float) -> list[Span]:
    """A hand open on the table, at the right (1) or the left (-1) of it."""
    return [
        (from_s, until_s, face(parse_card(code), seat_side * (3.6 + 1.2 * (i % 3)), -1.7 + 1.7 * (i // 3)))
        for i, code in enumerate(codes.split())
    ]


def test_a_hand_laid_open_with_a_card_too_many_is_told_with_its_player() -> None:
    """After one trick East still holds eight (article 5)."""
    eight = laid_open(1, "CA CT CK CQ D7 D8 D9 DT", 7.0, 14.0)
    events = told_of([*trick(), back(-5.0, 0.9, 6.6), *eight], 13.0)
    (event,) = of_kind(events, CardCountWrong)
    assert (event.seat, event.seen, event.expected) == (Seat.EAST, 9, 8)
    seven = eight[:-1]
    assert of_kind(told_of([*trick(), back(-5.0, 0.9, 6.6), *seven], 13.0), CardCountWrong) == []


@pytest.mark.parametrize("place", [(0.3, -3.4), (0.2, -1.3)], ids=["shown before North", "led by North"])
def test_a_card_left_after_the_last_trick_is_told_and_whose_hand_was_short(
    place: tuple[float, float],
) -> None:
    """East was dealt seven cards and North nine: the eighth trick has three, and North keeps one."""
    rng = random.Random(6)
    deal = random_deal(rng)
    (short,) = [play for play in deal.tricks[7] if play.seat is Seat.EAST]
    others = tuple(play for play in deal.tricks[7] if play.seat is not Seat.EAST)
    film = FakeFilm(rng, [replace(deal, tricks=(*deal.tricks[:7], others))])
    gathered_s = max(rest.until_s for rest in film.rests if rest.card in {play.card for play in others})
    from_s = gathered_s + 0.9 if place == (0.2, -1.3) else gathered_s - 1.0
    left = [(from_s, film.length_s, face(short.card, *place))]
    events = tracked(film, FakeEye(rng), extra=left)
    told = [(event.seat, event.seen, event.expected) for event in of_kind(events, CardCountWrong)]
    assert told == [(Seat.NORTH, 9, 8), (Seat.EAST, 7, 8)]
    (record,) = fold_deals(events)
    assert record.closed
    assert short.card not in {card.card for card in record.cards}


def test_a_card_of_another_pack_is_told_once_however_long_it_lies() -> None:
    rng = random.Random(33)
    film = FakeFilm(rng, [random_deal(rng)])
    assert len(of_kind(tracked(film, FakeStranger(rng)), ForeignCardSeen)) == 1


def test_a_trick_on_the_pile_of_the_side_that_lost_it_is_told_with_its_winner() -> None:
    """Before South, at the table's near edge: not West's side, which won."""
    (event,) = of_kind(told_of([*trick(), back(1.0, 3.3, 6.6)], 12.0), TrickGatheredWrongly)
    assert (event.trick, event.gathered_by, event.winner) == (1, Team.NORTH_SOUTH, Seat.WEST)


def test_a_player_who_lets_the_table_wait_is_told_once_for_a_turn() -> None:
    limit = AMSTERDAMS_MET_PASSEN.thinking_seconds
    spans = [played("W", "H7", 1.0, 99.0)]
    assert of_kind(told_of(spans, limit), SlowPlay) == []
    (event,) = of_kind(told_of(spans, 2.0 * limit), SlowPlay)
    assert (event.seat, event.trick, event.position) == (Seat.NORTH, 1, 2)
    assert limit < event.seconds < limit + 1


def test_the_winner_is_who_lets_the_table_wait_after_a_trick() -> None:
    limit = AMSTERDAMS_MET_PASSEN.thinking_seconds
    (event,) = of_kind(told_of(trick(), limit + 10.0), SlowPlay)
    assert (event.seat, event.trick, event.position) == (Seat.WEST, 2, 1)


def test_cards_dealt_while_a_deal_goes_on_break_it_off_and_it_begins_anew() -> None:
    packets = [
        back(*place, 12.0 + 0.5 * index, 17.0)
        for index, place in enumerate(((-4.5, 0.0), (0.0, -3.0), (4.5, 0.0), (0.0, 3.0)))
    ]
    again = [played("W", "C7", 20.0, 30.0), played("N", "C8", 21.0, 30.0)]
    events = told_of([*trick(), back(5.0, 0.9, 6.6, 10.0), *packets, *again], 26.0)
    (closed,) = of_kind(events, DealClosed)
    assert closed.reason == "broken-off"
    assert [event.dealer for event in of_kind(events, DealStarted)] == [Seat.SOUTH, Seat.SOUTH]
    (record,) = fold_deals(events)
    assert [card.card.code for card in record.cards] == ["C7", "C8"]


def test_two_cards_never_seen_are_asked_about() -> None:
    rng = random.Random(22)
    deal = random_deal(rng)
    film = FakeFilm(rng, [deal])
    unseen = {deal.plays[9][3], deal.plays[22][3]}
    (record,) = fold_deals(tracked(film, FakeEye(rng, blind_to=frozenset(unseen))))
    asked = open_questions(record)
    assert {question.card for question in asked} == unseen
    assert {question.reason for question in asked} == {"unseen"}


def test_a_card_read_surely_is_not_asked_about() -> None:
    rng = random.Random(5)
    film = FakeFilm(rng, [random_deal(rng)])
    assert of_kind(tracked(film, FakeEye(rng)), CardDoubtful) == []


def told(seat: Seat, code: str, confidence: float = 0.99) -> ToldPlay:
    return ToldPlay(seat, parse_card(code), confidence)


FULL: Final = {
    1: told(Seat.WEST, "HA"),
    2: told(Seat.NORTH, "H7"),
    3: told(Seat.EAST, "H9"),
    4: told(Seat.SOUTH, "H8"),
}


def test_whose_turn_it_is_follows_from_the_trick_or_from_the_one_before() -> None:
    assert turn([{}], Seat.WEST, None) == (1, 1, Seat.WEST)
    assert turn([{1: FULL[1]}], Seat.WEST, None) == (1, 2, Seat.NORTH)
    assert turn([FULL, {}], Seat.WEST, Suit.CLUBS) == (2, 1, Seat.WEST)
    assert turn([FULL, {}], Seat.WEST, None) is None
    assert turn([{2: FULL[2]}], Seat.WEST, Suit.CLUBS) is None


def test_a_lead_by_another_than_the_winner_is_out_of_turn_when_all_is_sure() -> None:
    wrong = [FULL, {1: told(Seat.NORTH, "C7")}]
    assert came_before_its_turn(wrong, 1, Seat.WEST, Suit.CLUBS, 0.9)
    assert not came_before_its_turn(wrong, 1, Seat.WEST, None, 0.9)
    unsure = [FULL | {3: told(Seat.EAST, "H9", 0.6)}, {1: told(Seat.NORTH, "C7")}]
    assert not came_before_its_turn(unsure, 1, Seat.WEST, Suit.CLUBS, 0.9)


def test_a_pile_is_wrong_only_when_the_trick_was_read_surely() -> None:
    assert wrong_pile(FULL, Suit.CLUBS, Team.EAST_WEST, 0.9) is None
    assert wrong_pile(FULL, Suit.CLUBS, None, 0.9) is None
    found = wrong_pile(FULL, Suit.CLUBS, Team.NORTH_SOUTH, 0.9)
    assert found is not None
    assert found[0] is Seat.WEST
    assert wrong_pile(FULL | {2: told(Seat.NORTH, "H7", 0.5)}, Suit.CLUBS, Team.NORTH_SOUTH, 0.9) is None


def test_the_view_of_these_tables_has_the_seats_where_the_spans_lay_them() -> None:
    for code, (across, down) in _PLACES.items():
        assert VIEW.seat_of(face(parse_card("H7"), across, down).quad).value == code


def test_the_dealing_of_a_deal_known_to_begin_breaks_nothing_off() -> None:
    """The first deal is told started, with its trump, before a card is played: its own dealing comes then."""
    packets = [
        back(*place, 1.0 + 0.5 * index, 6.0)
        for index, place in enumerate(((-4.5, 0.0), (0.0, -3.0), (4.5, 0.0), (0.0, 3.0)))
    ]
    events = told_of([*packets, *trick(from_s=8.0, until_s=14.0)], 13.0)
    assert of_kind(events, DealClosed) == []
    assert len(of_kind(events, DealStarted)) == 1
    (record,) = fold_deals(events)
    assert record.deal.trump is Suit.CLUBS
