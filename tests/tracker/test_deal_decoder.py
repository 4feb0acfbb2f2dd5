"""The most probable deal from cards laid: names, seats, order, trump."""

from __future__ import annotations

import math
import random
from itertools import permutations

import numpy as np
import pytest

from detector.types import CARD_CODES, CLASS_NAMES
from rules import CLOCKWISE, KLAVERJAS_DRIVE, Card, Deal, Seat, Suit, parse_card
from tests.tracker.fake_table import PlannedDeal, random_deal
from tracker.deal_decoder import VERZAKING_WEIGHT, DecodedDeal, LaidCard, decode_deal
from tracker.name_evidence import NameEvidence, softened, worth_in_looks
from tracker.naming import assignment_chances
from tracker.seat_evidence import Floats


def laid(seat: Seat, at_s: float, off: float = 5.0, **names: float) -> LaidCard:
    """A card before ``seat``, named by probabilities such as ``HT=0.9``; the rest is shared by all."""
    rest = (1 - sum(names.values())) / len(CLASS_NAMES)
    probabilities = np.full(len(CLASS_NAMES), rest)
    for code, chance in names.items():
        probabilities[CARD_CODES.index(code)] += chance
    degrees = [abs((90 * CLOCKWISE.index(seat) + off - 90 * place + 180) % 360 - 180) for place in range(4)]
    north, east, south, west = degrees
    return LaidCard(np.log(probabilities), (north, east, south, west), at_s)


def as_laid(deal: PlannedDeal, **changes: LaidCard) -> list[list[LaidCard]]:
    """All cards of a deal, seen well, one a second; ``changes`` by the code of the card."""
    tricks: list[list[LaidCard]] = [[] for _ in range(8)]
    for trick, position, seat, card in deal.plays:
        clear = laid(seat, 10.0 * trick + position, **{card.code: 0.97})
        tricks[trick - 1].append(changes.get(card.code, clear))
    return tricks


def decoded(tricks: list[list[LaidCard]], deal: PlannedDeal, trump: Suit | None) -> DecodedDeal:
    complete = len(tricks) == 8
    return decode_deal(tricks, KLAVERJAS_DRIVE, deal.dealer.left, trump, complete=complete)


def places(found: DecodedDeal) -> list[tuple[int, int, Seat, Card]]:
    return [(card.trick, card.position, card.seat, card.card) for card in found.cards]


@pytest.mark.parametrize("seed", range(10))
def test_a_deal_seen_well_is_decoded_with_and_without_trump(seed: int) -> None:
    deal = random_deal(random.Random(seed))
    for trump in (deal.trump, None):
        found = decoded(as_laid(deal), deal, trump)
        assert places(found) == deal.plays
        assert found.trump is deal.trump
        assert min(card.probability for card in found.cards) > 0.95
    assert sum(found.trump_probabilities.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(10))
def test_a_verzaking_is_not_explained_away_and_trump_still_found(seed: int) -> None:
    deal = random_deal(random.Random(100 + seed), verzaken=True)
    found = decoded(as_laid(deal), deal, None)
    assert places(found) == deal.plays
    assert found.trump is deal.trump


def two_that_make_a_verzaking(seed: int) -> tuple[PlannedDeal, str, str]:
    """A clean deal and two cards of one rank and colour which, taken for each other, prove a verzaking."""
    deal = random_deal(random.Random(seed))
    sibling = {"C": "S", "S": "C", "H": "D", "D": "H"}
    for *_, card in deal.plays:
        one, other = card.code, sibling[card.code[0]] + card.code[1]
        if illegal_plays(decoded_wrongly(deal, one, other, weight=0.0), deal):
            return deal, one, other
    raise AssertionError(f"no such pair in the deal of seed {seed}")


def decoded_wrongly(deal: PlannedDeal, one: str, other: str, *, weight: float) -> DecodedDeal:
    """Both cards look a little more like the other."""
    seats = {card.code: (seat, 10.0 * trick + position) for trick, position, seat, card in deal.plays}
    swapped = {
        code: laid(seats[code][0], seats[code][1], **{code: 0.3, taken_for: 0.65})
        for code, taken_for in ((one, other), (other, one))
    }
    return decode_deal(
        as_laid(deal, **swapped),
        KLAVERJAS_DRIVE,
        deal.dealer.left,
        deal.trump,
        complete=True,
        verzaking_weight=weight,
    )


def illegal_plays(found: DecodedDeal, deal: PlannedDeal) -> int:
    told = Deal(KLAVERJAS_DRIVE, deal.dealer).declared(deal.dealer.left, deal.trump)
    for card in found.cards:
        told = told.played(card.seat, card.card)
    return len(told.revokes)


@pytest.mark.parametrize("seed", range(5))
def test_two_cards_that_look_alike_are_not_taken_for_each_other_where_that_accuses_somebody(
    seed: int,
) -> None:
    """By their looks alone they were, and a verzaking was proven that nobody had committed."""
    deal, one, other = two_that_make_a_verzaking(seed)
    assert places(decoded_wrongly(deal, one, other, weight=0.0)) != deal.plays
    found = decoded_wrongly(deal, one, other, weight=VERZAKING_WEIGHT)
    assert places(found) == deal.plays
    contested = [card for card in found.cards if card.contested]
    assert {card.card.code for card in contested} == {one, other}
    for card in contested:
        assert card.probability < 0.95
        assert card.alternatives[0][0].code in {one, other} - {card.card.code}


@pytest.mark.parametrize("seed", range(5))
def test_a_verzaking_with_a_card_that_might_be_its_likeness_is_not_explained_away(seed: int) -> None:
    deal = random_deal(random.Random(300 + seed), verzaken=True)
    assert deal.revoke is not None
    _, seat, card = deal.revoke
    at_s = next(10.0 * trick + position for trick, position, _, c in deal.plays if c == card)
    sibling = {"C": "S", "S": "C", "H": "D", "D": "H"}[card.code[0]] + card.code[1]
    tricks = as_laid(deal, **{card.code: laid(seat, at_s, **{card.code: 0.85, sibling: 0.1})})
    assert places(decoded(tricks, deal, deal.trump)) == deal.plays


def test_trump_is_told_apart_only_as_far_as_the_play_tells() -> None:
    deal = random_deal(random.Random(1))
    nothing = decoded([[]], deal, None)
    assert list(nothing.trump_probabilities.values()) == pytest.approx([0.25] * 4)


def test_two_cards_that_look_the_same_share_the_doubt_and_each_card_is_used_once() -> None:
    first = laid(Seat.NORTH, 1.0, CT=0.5, ST=0.45)
    second = laid(Seat.EAST, 2.0, CT=0.5, ST=0.45)
    found = decode_deal([[first, second]], KLAVERJAS_DRIVE, Seat.NORTH, Suit.HEARTS)
    assert {card.card.code for card in found.cards} == {"CT", "ST"}
    for card in found.cards:
        assert card.probability == pytest.approx(0.5, abs=0.1)
        assert card.alternatives[0][0].code in {"CT", "ST"} - {card.card.code}


def test_a_card_is_surer_once_its_likeness_has_been_seen() -> None:
    doubtful = laid(Seat.NORTH, 1.0, CT=0.6, ST=0.35)
    clear = laid(Seat.EAST, 2.0, ST=0.97)
    (alone,) = decode_deal([[doubtful]], KLAVERJAS_DRIVE, Seat.NORTH, None).cards
    beside = decode_deal([[doubtful, clear]], KLAVERJAS_DRIVE, Seat.NORTH, None).cards[0]
    assert alone.probability < 0.7
    assert beside.probability > 0.9


def test_the_one_card_that_was_not_seen_is_the_one_that_is_left() -> None:
    deal = random_deal(random.Random(5))
    tricks = as_laid(deal)
    del tricks[3][2]
    found = decoded(tricks, deal, deal.trump)
    assert places(found) == deal.plays
    (card,) = [card for card in found.cards if card.laid is None]
    assert (card.trick, card.position) == (4, 3)


def test_the_leader_is_the_winner_even_when_two_cards_came_into_view_in_the_wrong_order() -> None:
    cards = [laid(Seat.EAST, 1.0, H7=0.97), laid(Seat.NORTH, 1.4, H8=0.97)]
    found = decode_deal([cards], KLAVERJAS_DRIVE, Seat.NORTH, Suit.CLUBS)
    assert [card.seat for card in found.cards] == [Seat.NORTH, Seat.EAST]


def test_a_clear_order_in_time_outweighs_the_turn() -> None:
    seats = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
    cards = [
        laid(seat, 5.0 * index, **{code: 0.97})
        for index, (seat, code) in enumerate(zip(seats, ("H7", "H8", "H9", "HT"), strict=True))
    ]
    found = decode_deal([cards], KLAVERJAS_DRIVE, Seat.NORTH, Suit.CLUBS)
    assert [card.seat for card in found.cards] == list(seats)


def test_four_cards_take_four_seats_even_when_one_lies_near_its_neighbours_place() -> None:
    cards = [
        laid(Seat.NORTH, 1.0, off=0, H7=0.97),
        laid(Seat.EAST, 2.0, off=-50, H8=0.97),
        laid(Seat.SOUTH, 3.0, off=0, H9=0.97),
        laid(Seat.WEST, 4.0, off=0, HT=0.97),
    ]
    found = decode_deal([cards], KLAVERJAS_DRIVE, Seat.NORTH, Suit.CLUBS)
    assert [(card.seat, card.card) for card in found.cards] == [
        (Seat.NORTH, parse_card("H7")),
        (Seat.EAST, parse_card("H8")),
        (Seat.SOUTH, parse_card("H9")),
        (Seat.WEST, parse_card("HT")),
    ]


def exact_chances(weights: Floats) -> Floats:
    """By counting every permutation."""
    size = len(weights)
    chances, total = np.zeros_like(weights), 0.0
    for order in permutations(range(size)):
        weight = math.prod(float(weights[row, column]) for row, column in enumerate(order))
        total += weight
        for row, column in enumerate(order):
            chances[row, column] += weight
    return chances / total


@pytest.mark.parametrize("seed", range(20))
def test_chances_of_names_come_near_those_by_counting_all_permutations(seed: int) -> None:
    """Cards mostly sure, some unseen, two alike: what a deal looks like."""
    rng = np.random.default_rng(seed)
    weights = 0.03 * rng.random((6, 6)) ** 2
    weights[range(6), range(6)] += 0.97
    weights[0] = weights[1] = 1 / 6
    weights[2, 2:4] = 0.2, 0.8
    exact = exact_chances(weights)
    found = assignment_chances(weights, np.arange(6))
    assert np.abs(found - exact).max() < 0.12


def test_many_looks_are_worth_a_few_and_none_makes_a_name_certain() -> None:
    assert worth_in_looks(1.0) == 1.0
    assert worth_in_looks(5.0) < 4.0
    assert worth_in_looks(10_000.0) < 7.0
    evidence = NameEvidence()
    look = np.full(len(CLASS_NAMES), 0.1 / 32, dtype=np.float32)
    look[3] = 0.9
    for _ in range(10_000):
        evidence.add(softened(np.log(look)), 1.0)
    surest = float(np.exp(evidence.log_probs().max()))
    assert 0.97 < surest < 0.999


def test_no_single_frame_rules_a_card_out() -> None:
    never = np.full(len(CLASS_NAMES), -50.0, dtype=np.float32)
    never[3] = 0.0
    assert softened(never).min() > -7
