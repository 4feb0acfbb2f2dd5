"""How likely a verzaking is when the cards themselves are not certain.

Each uncertain place has several cards with their probabilities. All ways to fill the places with different
cards are weighed, and a verzaking is as likely as the ways in which the cards prove it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, prod
from typing import Final

from rules.cards import Card, Seat
from rules.deal import Deal
from rules.errors import RulesError
from rules.revokes import Revoke, proven_revokes_in
from rules.trick import Play, Trick

MOST_PLACES: Final = 10
"""How many places are weighed; of more, the most certain are taken as they are."""

Alternatives = Mapping[tuple[int, int], Sequence[tuple[Card, float]]]
"""For a place (trick and position, both from 1) the cards that it may be, each with its probability."""

_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LikelyRevoke:
    """A verzaking, proven with ``probability`` (above 0, up to 1), as it reads in the likeliest such case."""

    revoke: Revoke
    probability: float


def likely_revokes(deal: Deal, alternatives: Alternatives) -> tuple[LikelyRevoke, ...]:
    """Every verzaking that may be proven, by trick and then in order of probability.

    ``alternatives`` replace the card that the deal has at a place; places without any are certain.
    Probabilities need not add up to 1; only their ratios matter.

    Raises:
        RulesError: when a place has no play, or a probability is negative or no number.
    """
    places = _uncertain_places(deal, alternatives)
    total = 0.0
    found: dict[tuple[int, Seat], tuple[float, float, Revoke]] = {}
    for weight, tricks in _worlds(deal, {place: _shares(alternatives[place]) for place in places}):
        total += weight
        for revoke in proven_revokes_in(deal.reglement, deal.trump, tricks):
            so_far, likeliest, as_read = found.get((revoke.trick, revoke.seat), (0.0, 0.0, revoke))
            best = (weight, revoke) if weight > likeliest else (likeliest, as_read)
            found[revoke.trick, revoke.seat] = (so_far + weight, *best)
    if not total > 0:
        # What is left is too unlikely to be told apart; the deal as it stands is as good as any.
        return tuple(LikelyRevoke(revoke, 1.0) for revoke in deal.revokes)
    likely = [LikelyRevoke(revoke, weight / total) for weight, _, revoke in found.values()]
    return tuple(sorted(likely, key=lambda one: (one.revoke.trick, -one.probability)))


def _uncertain_places(deal: Deal, alternatives: Alternatives) -> list[_Place]:
    """The places to weigh, the least certain when there are too many."""
    for (trick, position), cards in alternatives.items():
        if not (1 <= trick <= len(deal.tricks) and 1 <= position <= len(deal.tricks[trick - 1].plays)):
            raise RulesError(f"there is no card at trick {trick}, position {position}")
        for card, probability in cards:
            if not 0 <= probability < inf:
                raise RulesError(f"the probability of {card.code} cannot be {probability!r}")
    usable = [place for place, cards in alternatives.items() if sum(weight for _, weight in cards) > 0]
    return sorted(usable, key=lambda place: _certainty(alternatives[place]))[:MOST_PLACES]


def _shares(cards: Sequence[tuple[Card, float]]) -> list[tuple[Card, float]]:
    """The cards with their weights beside the likeliest, so that many small ones multiplied stay numbers."""
    most = max(weight for _, weight in cards)
    return [(card, weight / most) for card, weight in cards]


def _certainty(cards: Sequence[tuple[Card, float]]) -> float:
    weights = [weight for _, weight in cards]
    return max(weights) / sum(weights)


def _worlds(deal: Deal, alternatives: Alternatives) -> Iterator[tuple[float, tuple[Trick, ...]]]:
    """Every way to fill the uncertain places with cards that are all different, with its weight.

    Where no way has all cards different (a card certain twice), the deal as it stands is the only one.
    """
    certain = {
        play.card
        for trick in deal.tricks
        for position, play in enumerate(trick.plays, 1)
        if (trick.number, position) not in alternatives
    }
    fillings = list(_fillings(list(alternatives), alternatives, certain))
    if not fillings:
        yield 1.0, deal.tricks
    for filling in fillings:
        weight = prod(weight for _, weight in filling.values())
        yield weight, tuple(_filled(trick, filling) for trick in deal.tricks)


_Filling = dict[_Place, tuple[Card, float]]


def _fillings(places: Sequence[_Place], alternatives: Alternatives, taken: set[Card]) -> Iterator[_Filling]:
    if not places:
        yield {}
        return
    for card, weight in alternatives[places[0]]:
        if weight > 0 and card not in taken:
            for rest in _fillings(places[1:], alternatives, taken | {card}):
                yield {places[0]: (card, weight), **rest}


def _filled(trick: Trick, filling: _Filling) -> Trick:
    plays = tuple(
        Play(play.seat, filling[trick.number, position][0]) if (trick.number, position) in filling else play
        for position, play in enumerate(trick.plays, 1)
    )
    return replace(trick, plays=plays)
