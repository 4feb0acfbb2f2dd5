"""The most probable deal behind what was seen of it.

    names   every card of the pack is in the deal once: the best joint assignment of names to the cards that
            were laid, and for each card the probability of its name given all the others
    seats   each trick has one card of each seat: the best joint assignment by where the cards lie
    order   clockwise from whoever led, the leader being the winner of the trick before; the times at which
            the cards came decide when they say otherwise clearly
    trump   as the table declared it, or the suit that best explains who led, what was followed and how
            people play

Legality is never assumed of a card: players do verzaken. Only trump is weighed by it, since the wrong trump
makes many plays illegal at once and a verzaking makes one.

All weights are natural logarithms of probabilities, so they can be compared and added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from detector.types import CARD_CODES
from rules import CLOCKWISE, FULL_DECK, Card, Play, Reglement, Seat, Suit, legal_cards, trick_winner
from tracker.name_evidence import FOREIGN_INDEX, LogProbs, normalised
from tracker.seat_evidence import Degrees, Floats, seat_weights, seating
from tracker.trump_evidence import habits_weight

Order = tuple[Seat, ...]

WINNER_LEADS: Final = 0.97
"""The chance that the seat which leads is the one we hold for the winner: misreadings and faults included."""

OUT_OF_TURN: Final = 3e-4
"""The chance of a trick that does not go clockwise."""

_SECONDS_TO_WEIGHT: Final = 4.0
_MOST_FOR_ONE_PAIR: Final = 16.0
_MISSING_PLACE: Final = 1.0
_EXPECTED_SEAT: Final = 1.0
_ILLEGAL_PLAY: Final = 3.0
_HABITS_SAY_AT_MOST: Final = 6.0
_LEAST_PROBABILITY: Final = 1e-13
_TINY: Final = 1e-30
_MESSAGE_ROUNDS: Final = 30
_ALTERNATIVES: Final = 3
_WORTH_TELLING: Final = 0.005

assert tuple(card.code for card in FULL_DECK) == CARD_CODES, "one order of cards in rules and detector"


@dataclass(frozen=True, slots=True, eq=False)
class LaidCard:
    """One card of a trick as it was seen.

    log_probs: (33,) natural logarithms over the names. degrees_off: for N, E, S, W how far from the seat's
    direction it lies, 0 to 180. laid_s: when it first lay still, seconds on the source's clock.
    way: the same degrees for where it came from; None when it was not seen coming.
    """

    log_probs: LogProbs
    degrees_off: Degrees
    laid_s: float
    way: Degrees | None = None


@dataclass(frozen=True, slots=True)
class DecodedCard:
    """One place of the deal.

    probability: of the card, its seat and its position together. alternatives: other cards it might be.
    laid: which of the trick's laid cards it is, by index; None when it follows by elimination.
    """

    trick: int
    position: int
    seat: Seat
    card: Card
    probability: float
    alternatives: tuple[tuple[Card, float], ...]
    laid: int | None


@dataclass(frozen=True, slots=True)
class DecodedDeal:
    """The most probable deal.

    cards: by trick and position. trump: declared, else the most probable.
    trump_probabilities: of the four suits, given what was seen; all of it on a declared one.
    """

    cards: tuple[DecodedCard, ...]
    trump: Suit
    trump_probabilities: Mapping[Suit, float]

    def trick(self, number: int) -> tuple[DecodedCard, ...]:
        """The cards of one trick, by position."""
        return tuple(card for card in self.cards if card.trick == number)


def decode_deal(
    tricks: Sequence[Sequence[LaidCard]],
    reglement: Reglement,
    first_leader: Seat,
    trump: Suit | None,
    *,
    maker: Seat | None = None,
    complete: bool = False,
) -> DecodedDeal:
    """Decode what was seen of a deal so far.

    Args:
        tricks: of each trick from the first, at most four cards; the last may be unfinished.
        first_leader: who leads the first trick.
        trump: as declared, or None to tell it from the play.
        maker: who made trump, None when that is not known; it helps to tell trump from the play.
        complete: all eight tricks are over: a card that was not seen is found by elimination.
    """
    named = _names(tricks)
    seated = [
        _Trick(number, laid, seats, names, _time_weights(laid, seats))
        for number, (laid, seats, names) in enumerate(
            zip(tricks, map(_seats, tricks), named.by_trick, strict=True), start=1
        )
    ]
    candidates = [trump] if trump is not None else list(Suit)
    read = [_ordered(seated, reglement, first_leader, candidate) for candidate in candidates]
    scores = normalised(np.array([reading.score for reading in read]) + _habits(read, candidates, maker))
    best = int(np.argmax(scores))
    cards = [card for trick in read[best].tricks for card in trick]
    if complete:
        cards += _by_elimination(seated, read[best], named)
    return DecodedDeal(
        cards=tuple(sorted(cards, key=lambda card: (card.trick, card.position))),
        trump=candidates[best],
        trump_probabilities=MappingProxyType(
            {suit: float(np.exp(score)) for suit, score in zip(candidates, scores, strict=True)}
        ),
    )


# ---------------------------------------------------------------------------------------------------- names


@dataclass(frozen=True, slots=True)
class _Name:
    card: Card
    probability: float
    alternatives: tuple[tuple[Card, float], ...]


@dataclass(frozen=True, slots=True)
class _Names:
    by_trick: list[list[_Name]]
    unseen: list[_Name]


def _names(tricks: Sequence[Sequence[LaidCard]]) -> _Names:
    """The best joint assignment of names; rows of cards that were not seen say nothing by themselves."""
    laid = [card for trick in tricks for card in trick]
    rows = np.zeros((len(FULL_DECK), len(FULL_DECK)))
    for row, card in enumerate(laid):
        rows[row] = card.log_probs[:FOREIGN_INDEX]
    rows = normalised(rows)
    _, columns = linear_sum_assignment(-rows)
    chances = assignment_chances(np.exp(rows), columns)
    names = [_name(chances[row], int(columns[row]), 1.0) for row in range(len(FULL_DECK))]
    for row, card in enumerate(laid):
        is_a_card = 1.0 - float(np.exp(card.log_probs[FOREIGN_INDEX]))
        names[row] = _name(chances[row], int(columns[row]), is_a_card)
    remaining = iter(names)
    return _Names([[next(remaining) for _ in trick] for trick in tricks], list(remaining))


def _name(chances: Floats, column: int, is_a_card: float) -> _Name:
    others = [index for index in np.argsort(-chances, kind="stable") if index != column]
    alternatives = [(FULL_DECK[index], float(chances[index]) * is_a_card) for index in others[:_ALTERNATIVES]]
    return _Name(
        FULL_DECK[column],
        float(chances[column]) * is_a_card,
        tuple((card, chance) for card, chance in alternatives if chance > _WORTH_TELLING),
    )


def assignment_chances(weights: Floats, assigned: npt.NDArray[np.intp]) -> Floats:
    """(n, n): how probable each column is for each row, when every row must have a column of its own.

    Two cards that both look like the same one share the doubt; the last place unknown gets the last card.
    The exact answer needs permanents, of n! terms each. This is belief propagation on the matching (Huang and
    Jebara 2009; Vontobel 2013), which comes within a tenth and mostly nearer; since it may be too sure, the
    chance of the assigned column is at most what it is when any two rows may have changed theirs.

    Args:
        weights: (n, n) probabilities of the columns for each row by itself, none needs to be exact.
        assigned: (n,) the column of each row in the best assignment.
    """
    weights = np.maximum(weights, _LEAST_PROBABILITY)
    to_rows = np.ones_like(weights)
    for _ in range(_MESSAGE_ROUNDS):
        arriving = weights * to_rows
        to_columns = weights / np.maximum(arriving.sum(axis=1, keepdims=True) - arriving, _TINY)
        answers = 1 / np.maximum(to_columns.sum(axis=0, keepdims=True) - to_columns, _TINY)
        to_rows = np.sqrt(to_rows * answers)
    odds = to_columns * to_rows
    chances = np.asarray(odds / (1 + odds))
    rows = np.arange(len(weights))
    chances[rows, assigned] = np.minimum(chances[rows, assigned], _unchanged(weights, assigned))
    return chances


def _unchanged(weights: Floats, assigned: npt.NDArray[np.intp]) -> Floats:
    """(n,): how probable each row's assigned column is when it may change columns with one other row."""
    taking = weights[:, assigned]
    ratios = taking / np.diagonal(taking)[:, np.newaxis]
    exchanges = ratios * ratios.T
    return np.asarray(1 / exchanges.sum(axis=1))


# ---------------------------------------------------------------------------------------------------- seats


def _seats(laid: Sequence[LaidCard]) -> list[Seat]:
    """A seat for each card: by where it lies, and a little by whose turn it was when two seats are near."""
    if not laid:
        return []
    weights = np.array([seat_weights(card.degrees_off, card.way) for card in laid])
    by_time = sorted(range(len(laid)), key=lambda index: laid[index].laid_s)
    first = int(np.argmax(weights[by_time[0]]))
    for turn, index in enumerate(by_time):
        weights[index, (first + turn) % 4] += _EXPECTED_SEAT
    seats, _ = seating(weights)
    return [CLOCKWISE[seat] for seat in seats]


# ---------------------------------------------------------------------------------------------------- order


@dataclass(frozen=True, slots=True)
class _Trick:
    number: int
    laid: Sequence[LaidCard]
    seats: Sequence[Seat]
    names: Sequence[_Name]
    time_weights: Floats


@dataclass(frozen=True, slots=True)
class _Reading:
    """All tricks in order under one trump. orders: who sat at each position, for seats without a card too."""

    score: float
    tricks: list[list[DecodedCard]]
    orders: list[Order]


_ORDERS: Final[tuple[Order, ...]] = tuple(permutations(CLOCKWISE))
_CLOCKWISE_FROM: Final[dict[Order, Seat]] = {
    order: order[0] for order in _ORDERS if all(one.left is other for one, other in pairwise(order))
}
_NOT_CLOCKWISE: Final = math.log(OUT_OF_TURN / (len(_ORDERS) - len(_CLOCKWISE_FROM)))
_ANYBODY: Final[Mapping[Seat, float]] = MappingProxyType(dict.fromkeys(CLOCKWISE, 0.25))


def _ordered(tricks: Sequence[_Trick], reglement: Reglement, first_leader: Seat, trump: Suit) -> _Reading:
    leads: Mapping[Seat, float] = _probably(first_leader, WINNER_LEADS)
    score = 0.0
    decoded: list[list[DecodedCard]] = []
    orders: list[Order] = []
    for trick in tricks:
        weights = trick.time_weights + [_turn_weight(order, leads) for order in _ORDERS]
        best = int(np.argmax(weights))
        score += float(weights[best]) if trick.laid else 0.0
        orders.append(_ORDERS[best])
        decoded.append(_placed(trick, _ORDERS[best], np.exp(normalised(weights))))
        leads = _next_leader(decoded[-1], trump)
    score -= _ILLEGAL_PLAY * _illegal_plays(decoded, reglement, trump)
    return _Reading(score, decoded, orders)


def _habits(read: Sequence[_Reading], candidates: Sequence[Suit], maker: Seat | None) -> Floats:
    """(n,): what the players' habits say of each trump, never so much that it outweighs who leads."""
    weights = np.array(
        [
            habits_weight([[Play(c.seat, c.card) for c in trick] for trick in reading.tricks], trump, maker)
            for reading, trump in zip(read, candidates, strict=True)
        ]
    )
    return np.asarray(np.maximum(weights - weights.max(), -_HABITS_SAY_AT_MOST))


def _probably(seat: Seat, chance: float) -> dict[Seat, float]:
    return {other: chance if other is seat else (1 - chance) / 3 for other in CLOCKWISE}


def _next_leader(trick: Sequence[DecodedCard], trump: Suit) -> Mapping[Seat, float]:
    """Who leads the next trick: the winner, or perhaps a player whose card was not seen."""
    if not trick:
        return _ANYBODY
    winner = trick_winner([Play(card.seat, card.card) for card in trick], trump)
    return _probably(winner, WINNER_LEADS if len(trick) == 4 else 0.7)


def _turn_weight(order: Order, leads: Mapping[Seat, float]) -> float:
    """How probable an order is before anything is known of the times."""
    leader = _CLOCKWISE_FROM.get(order)
    return math.log(leads[leader]) if leader is not None else _NOT_CLOCKWISE


def _time_weights(laid: Sequence[LaidCard], seats: Sequence[Seat]) -> Floats:
    """(24,): how well each order fits the times at which the cards came; it does not depend on trump."""
    times = {seat: card.laid_s for seat, card in zip(seats, laid, strict=True)}
    return np.array([_time_weight(order, times) for order in _ORDERS])


def _time_weight(order: Order, times: Mapping[Seat, float]) -> float:
    present = [seat for seat in order if seat in times]
    if not present:
        return 0.0
    weight = -_MISSING_PLACE * (order.index(present[-1]) + 1 - len(present))
    for index, seat in enumerate(present):
        for later in present[index + 1 :]:
            if times[seat] > times[later]:
                weight -= min(_SECONDS_TO_WEIGHT * (times[seat] - times[later]), _MOST_FOR_ONE_PAIR)
    return weight


def _placed(trick: _Trick, order: Order, chances: Floats) -> list[DecodedCard]:
    cards: list[DecodedCard] = []
    for index, (seat, name) in enumerate(zip(trick.seats, trick.names, strict=True)):
        position = order.index(seat)
        place_chance = sum(
            float(chance) for other, chance in zip(_ORDERS, chances, strict=True) if other[position] is seat
        )
        cards.append(
            DecodedCard(
                trick=trick.number,
                position=position + 1,
                seat=seat,
                card=name.card,
                probability=min(1.0, name.probability * place_chance),
                alternatives=name.alternatives,
                laid=index,
            )
        )
    return sorted(cards, key=lambda card: card.position)


def _illegal_plays(tricks: Sequence[Sequence[DecodedCard]], reglement: Reglement, trump: Suit) -> int:
    """How many cards were not legal under this trump, given what each player turned out to hold."""
    later: dict[Seat, list[Card]] = {seat: [] for seat in CLOCKWISE}
    illegal = 0
    for trick in reversed(tricks):
        plays = [Play(card.seat, card.card) for card in trick]
        for index in range(len(plays) - 1, -1, -1):
            seat, card = plays[index].seat, plays[index].card
            hand = (*later[seat], card)
            if len(trick) == 4 and card not in legal_cards(reglement, hand, plays[:index], trump, seat):
                illegal += 1
            later[seat].append(card)
    return illegal


# ---------------------------------------------------------------------------------------------- elimination


def _by_elimination(tricks: Sequence[_Trick], reading: _Reading, names: _Names) -> list[DecodedCard]:
    """The cards of the eight tricks that were never seen: the cards of the pack that are left."""
    unseen = iter(names.unseen)
    found: list[DecodedCard] = []
    for trick, order in zip(tricks, reading.orders, strict=True):
        for position, seat in enumerate(order, start=1):
            name = next(unseen, None) if seat not in trick.seats else None
            if name is not None:
                found.append(
                    DecodedCard(
                        trick.number, position, seat, name.card, name.probability, name.alternatives, None
                    )
                )
    return found
