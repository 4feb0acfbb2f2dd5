"""How likely a verzaking is when cards are not certain."""

from __future__ import annotations

import random
from itertools import product
from math import inf, nan

import pytest

from rules import KLAVERJAS_DRIVE, Card, Deal, RulesError, Seat, Suit, likely_revokes, parse_card
from tests.rules.generators import Injection, play_out
from tests.rules.positions import begun, cards, with_tricks


def misread() -> Deal:
    """East's seven of spades on clubs is a verzaking once its club shows; it may have been that of clubs."""
    return with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["CT CA S7 CK", "DA C8 D8 D9"])


def test_a_certain_deal_gives_certain_verzaken() -> None:
    (likely,) = likely_revokes(misread(), {})
    assert likely.probability == 1.0
    assert likely.revoke == misread().revokes[0]


def test_a_misread_suit_makes_it_as_likely_as_the_card() -> None:
    alternatives = {(1, 3): [(parse_card("S7"), 0.3), (parse_card("C7"), 0.1)]}
    (likely,) = likely_revokes(misread(), alternatives)
    assert likely.probability == pytest.approx(0.75)
    assert likely.revoke.seat is Seat.EAST


def test_a_card_that_lies_elsewhere_cannot_be_the_other() -> None:
    """The ace of clubs was played by north, so east's card can only be the spade."""
    alternatives = {(1, 3): [(parse_card("S7"), 0.1), (parse_card("CA"), 0.9)]}
    (likely,) = likely_revokes(misread(), alternatives)
    assert likely.probability == pytest.approx(1.0)


def test_what_reads_as_clean_may_still_be_one() -> None:
    clean = misread().corrected(1, 3, Seat.EAST, parse_card("C7"))
    assert clean.revokes == ()
    (likely,) = likely_revokes(clean, {(1, 3): [(parse_card("C7"), 0.8), (parse_card("S7"), 0.2)]})
    assert likely.probability == pytest.approx(0.2)
    assert likely.revoke.card == parse_card("S7")


def test_all_ways_together_by_hand() -> None:
    chance = random.Random(8)
    deal = play_out(KLAVERJAS_DRIVE, chance, Injection(KLAVERJAS_DRIVE, "not-following", chance)).deal
    (revoke,) = deal.revokes
    places = [(trick, 1 + chance.randrange(4)) for trick in (1, 3, 5)]
    alternatives: dict[tuple[int, int], list[tuple[Card, float]]] = {}
    for trick, position in places:
        card = deal.tricks[trick - 1].plays[position - 1].card
        alternatives[trick, position] = [(card, 0.6), (chance.choice(cards("C7 D7 H7 S7")), 0.4)]
    expected = total = 0.0
    for choice in product(*alternatives.values()):
        world = deal
        for (trick, position), (card, _) in zip(places, choice, strict=True):
            world = world.corrected(trick, position, deal.tricks[trick - 1].plays[position - 1].seat, card)
        if len({play.card for play in world.plays}) < 32:
            continue
        weight = choice[0][1] * choice[1][1] * choice[2][1]
        total += weight
        expected += weight * any(
            (one.trick, one.seat) == (revoke.trick, revoke.seat) for one in world.revokes
        )
    found = {
        (one.revoke.trick, one.revoke.seat): one.probability for one in likely_revokes(deal, alternatives)
    }
    assert found[revoke.trick, revoke.seat] == pytest.approx(expected / total)


def test_many_uncertain_places_stay_affordable() -> None:
    deal = play_out(KLAVERJAS_DRIVE, random.Random(2)).deal
    alternatives = {
        (trick.number, position): [(play.card, 0.9), (parse_card("C7"), 0.05), (parse_card("D7"), 0.05)]
        for trick in deal.tricks
        for position, play in enumerate(trick.plays, 1)
    }
    assert all(0 < one.probability <= 1 for one in likely_revokes(deal, alternatives))


def test_a_card_certain_twice_leaves_the_deal_as_it_stands() -> None:
    deal = with_tricks(misread(), ["S7"])
    (likely,) = likely_revokes(deal, {(2, 4): [(parse_card("S7"), 1.0)]})
    assert likely.revoke == deal.revokes[0]


def test_a_place_of_which_nothing_is_likely_leaves_its_card_as_it_stands() -> None:
    (likely,) = likely_revokes(misread(), {(1, 3): [(parse_card("C7"), 0.0), (parse_card("S7"), 0.0)]})
    assert likely.probability == 1.0
    assert likely.revoke == misread().revokes[0]


@pytest.mark.parametrize(
    ("alternatives", "message"),
    [
        ({(9, 1): [(parse_card("S7"), 1.0)]}, "there is no card at trick 9, position 1"),
        ({(1, 3): [(parse_card("S7"), -0.1)]}, "the probability of S7 cannot be -0.1"),
        ({(1, 3): [(parse_card("S7"), inf)]}, "the probability of S7 cannot be inf"),
        ({(1, 3): [(parse_card("S7"), nan)]}, "the probability of S7 cannot be nan"),
    ],
)
def test_what_cannot_be_weighed_is_named(
    alternatives: dict[tuple[int, int], list[tuple[Card, float]]], message: str
) -> None:
    with pytest.raises(RulesError, match=message):
        likely_revokes(misread(), alternatives)


def test_very_small_probabilities_are_weighed_as_others_are() -> None:
    alternatives = {
        (1, 3): [(parse_card("S7"), 3e-300), (parse_card("C7"), 1e-300)],
        (2, 2): [(parse_card("C8"), 1e-300)],
    }
    (likely,) = likely_revokes(misread(), alternatives)
    assert likely.probability == pytest.approx(0.75)
