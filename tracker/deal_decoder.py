"""The most probable deal behind what was seen of it.

    names   every card of the pack is in the deal once: the best joint assignment of names to the cards that
            were laid, and for each card the probability of its name given all the others
    seats   each trick has one card of each seat: the best joint assignment by where the cards lie
    order   clockwise from whoever led, the leader being the winner of the trick before; the times at which
            the cards came decide when they say otherwise clearly
    trump   as the table declared it, or the suit that best explains who led, what was followed and how
            people play

Legality is never assumed of a card: players do verzaken, once in a hundred deals. It weighs where the looks
leave two readings open: the wrong trump makes many plays illegal at once, and two cards taken for each other
make a verzaking that nobody committed. A reading chosen for that is ``contested``: a person is to look at it.

All weights are natural logarithms of probabilities, so they can be compared and added.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations
from types import MappingProxyType
from typing import Final

import numpy as np

from detector.types import CARD_CODES
from rules import CLOCKWISE, FULL_DECK, Card, Play, Reglement, Seat, Suit, legal_cards, trick_winner
from tracker.name_evidence import LogProbs, normalised
from tracker.naming import Exchange, Name, Naming, named
from tracker.seat_evidence import Degrees, Floats, seat_weights, seating_in_turn
from tracker.trump_evidence import habits_weight

Order = tuple[Seat, ...]
Leads = tuple[float, float, float, float]
"""For N, E, S, W how probable it is that this seat leads a trick."""

WINNER_LEADS: Final = 0.97
"""The chance that the seat which leads is the one we hold for the winner: misreadings and faults included."""

OUT_OF_TURN: Final = 2e-3
"""The chance of a trick that does not go clockwise."""

VERZAKING_WEIGHT: Final = 4.5
"""How improbable a verzaking is: one deal in a hundred has one. See the curve in the README."""

_MOST_EXCHANGES: Final = 3
_CONTESTED_AT_MOST: Final = 0.94
"""So little that a person is always asked."""

_SECONDS_TO_WEIGHT: Final = 24.0
_SLACK_S: Final = 0.15
"""Two cards that come nearly at once may be seen in either order."""

_MOST_FOR_ONE_PAIR: Final = 16.0
_MISSING_PLACE: Final = 1.0
_ILLEGAL_PLAY: Final = 3.0
_HABITS_SAY_AT_MOST: Final = 6.0

assert tuple(card.code for card in FULL_DECK) == CARD_CODES, "one order of cards in rules and detector"


@dataclass(frozen=True, slots=True, eq=False)
class LaidCard:
    """One card of a trick as it was seen.

    log_probs: (33,) natural logarithms over the names. degrees_off: for N, E, S, W how far from the seat's
    direction it lies, 0 to 180. laid_s: when it first lay still, seconds on the source's clock.
    way: the same degrees for where it came from; None when it was not seen coming. first_seen_s: when it came
    into view; None when that is not known.
    """

    log_probs: LogProbs
    degrees_off: Degrees
    laid_s: float
    way: Degrees | None = None
    first_seen_s: float | None = None


@dataclass(frozen=True, slots=True)
class DecodedCard:
    """One place of the deal.

    probability: of the card, its seat and its position together. alternatives: other cards it might be.
    laid: which of the trick's laid cards it is, by index; None when it follows by elimination.
    contested: by its looks alone it is another card; the play decided.
    """

    trick: int
    position: int
    seat: Seat
    card: Card
    probability: float
    alternatives: tuple[tuple[Card, float], ...]
    laid: int | None
    contested: bool = False


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
    verzaking_weight: float = VERZAKING_WEIGHT,
) -> DecodedDeal:
    """Decode what was seen of a deal so far.

    Args:
        tricks: of each trick from the first, at most four cards; the last may be unfinished.
        first_leader: who leads the first trick.
        trump: as declared, or None to tell it from the play.
        maker: who made trump, None when that is not known; it helps to tell trump from the play.
        complete: all eight tricks are over: a card that was not seen is found by elimination.
        verzaking_weight: how improbable a verzaking is, a natural logarithm, against two cards exchanged that
            look alike. 0 lets the looks decide alone; a very high one explains true verzakingen away.
    """
    naming = named([[card.log_probs for card in trick] for trick in tricks], complete=complete)
    seated = [
        _Trick(number, laid, names)
        for number, (laid, names) in enumerate(zip(tricks, naming.by_trick, strict=True), start=1)
    ]
    candidates = [trump] if trump is not None else list(Suit)
    read = [_ordered(seated, reglement, first_leader, candidate) for candidate in candidates]
    scores = normalised(np.array([reading.score for reading in read]) + _habits(read, candidates, maker))
    best = int(np.argmax(scores))
    naming, reading = _fitting_the_play(
        seated, naming, read[best], reglement, first_leader, candidates[best], verzaking_weight
    )
    cards = [card for trick in reading.tricks for card in trick]
    if complete:
        cards += _by_elimination(seated, reading, naming)
    return DecodedDeal(
        cards=tuple(sorted(cards, key=lambda card: (card.trick, card.position))),
        trump=candidates[best],
        trump_probabilities=MappingProxyType(
            {suit: float(np.exp(score)) for suit, score in zip(candidates, scores, strict=True)}
        ),
    )


# ---------------------------------------------------------------------------------------------------- order


@dataclass(frozen=True, slots=True)
class _Trick:
    """One trick with the names of its cards. seated: by who leads it, kept as it is asked for often."""

    number: int
    laid: Sequence[LaidCard]
    names: Sequence[Name]
    seated: dict[Leads, _Seated] = field(default_factory=dict)

    def seated_by(self, leads: Leads) -> _Seated:
        """Whose cards these are, when each seat leads the trick with a chance of ``leads``."""
        if leads not in self.seated:
            self.seated[leads] = _seated(self.laid, leads)
        return self.seated[leads]


@dataclass(frozen=True, slots=True)
class _Seated:
    """A seat for each card of a trick, with its chance; time_weights: (24,) how well each order fits then."""

    seats: Sequence[Seat]
    chances: Sequence[float]
    time_weights: Floats


def _seated(laid: Sequence[LaidCard], leads: Leads) -> _Seated:
    if not laid:
        return _Seated((), (), np.zeros(len(_ORDERS)))
    by_time = sorted(range(len(laid)), key=lambda index: laid[index].laid_s)
    weights = np.array([seat_weights(laid[index].degrees_off, laid[index].way) for index in by_time])
    found, sure = seating_in_turn(weights, np.log(leads))
    seats = [CLOCKWISE[found[by_time.index(index)]] for index in range(len(laid))]
    chances = [sure[by_time.index(index)] for index in range(len(laid))]
    return _Seated(seats, chances, _time_weights(laid, seats))


@dataclass(frozen=True, slots=True)
class _Reading:
    """All tricks in order under one trump.

    score: how well it all fits, less for plays that are ``illegal`` (how many there are). orders: who sat at
    each position, for seats without a card too. seats: those with a card, of each trick.
    """

    score: float
    illegal: int
    tricks: list[list[DecodedCard]]
    orders: list[Order]
    seats: list[Sequence[Seat]]


_ORDERS: Final[tuple[Order, ...]] = tuple(permutations(CLOCKWISE))
_CLOCKWISE: Final = frozenset(
    order for order in _ORDERS if all(one.left is other for one, other in pairwise(order))
)
_OUT_OF_TURN_EACH: Final = OUT_OF_TURN / (len(_ORDERS) // len(CLOCKWISE) - 1)
_ANYBODY: Final[Leads] = (0.25, 0.25, 0.25, 0.25)


def _ordered(tricks: Sequence[_Trick], reglement: Reglement, first_leader: Seat, trump: Suit) -> _Reading:
    leads = _probably(first_leader, WINNER_LEADS)
    score = 0.0
    decoded: list[list[DecodedCard]] = []
    orders: list[Order] = []
    seats: list[Sequence[Seat]] = []
    for trick in tricks:
        seated = trick.seated_by(leads)
        weights = seated.time_weights + [_turn_weight(order, leads) for order in _ORDERS]
        best = int(np.argmax(weights))
        score += float(weights[best]) if trick.laid else 0.0
        orders.append(_ORDERS[best])
        seats.append(seated.seats)
        decoded.append(_placed(trick, seated, _ORDERS[best], np.exp(normalised(weights))))
        leads = _next_leader(decoded[-1], trump)
    illegal = _illegal_plays(decoded, reglement, trump)
    return _Reading(score - _ILLEGAL_PLAY * illegal, illegal, decoded, orders, seats)


def _fitting_the_play(
    tricks: Sequence[_Trick],
    naming: Naming,
    reading: _Reading,
    reglement: Reglement,
    first_leader: Seat,
    trump: Suit,
    verzaking_weight: float,
) -> tuple[Naming, _Reading]:
    """Exchange cards that look alike where the play speaks for that more than the looks speak against it."""

    def fits(one: _Reading) -> float:
        return one.score - (verzaking_weight - _ILLEGAL_PLAY) * one.illegal

    for _ in range(_MOST_EXCHANGES):
        best: tuple[float, Exchange] | None = None
        for rival in naming.rivals:
            renamed = _renamed(tricks, naming.exchanged(rival, 0.5))
            other = _ordered(renamed, reglement, first_leader, trump)
            gain = rival.weight + fits(other) - fits(reading)
            if gain > (0.0 if best is None else best[0]):
                best = gain, rival
        if best is None:
            break
        gain, rival = best
        naming = naming.exchanged(rival, min(_CONTESTED_AT_MOST, 1 / (1 + math.exp(-gain))))
        tricks = _renamed(tricks, naming)
        reading = _ordered(tricks, reglement, first_leader, trump)
    return naming, reading


def _renamed(tricks: Sequence[_Trick], naming: Naming) -> list[_Trick]:
    return [replace(trick, names=names) for trick, names in zip(tricks, naming.by_trick, strict=True)]


def _habits(read: Sequence[_Reading], candidates: Sequence[Suit], maker: Seat | None) -> Floats:
    """(n,): what the players' habits say of each trump, never so much that it outweighs who leads."""
    weights = np.array(
        [
            habits_weight([[Play(c.seat, c.card) for c in trick] for trick in reading.tricks], trump, maker)
            for reading, trump in zip(read, candidates, strict=True)
        ]
    )
    return np.asarray(np.maximum(weights - weights.max(), -_HABITS_SAY_AT_MOST))


def _probably(seat: Seat, chance: float) -> Leads:
    north, east, south, west = (chance if other is seat else (1 - chance) / 3 for other in CLOCKWISE)
    return north, east, south, west


def _next_leader(trick: Sequence[DecodedCard], trump: Suit) -> Leads:
    """Who leads the next trick: the winner, or perhaps a player whose card was not seen."""
    if not trick:
        return _ANYBODY
    winner = trick_winner([Play(card.seat, card.card) for card in trick], trump)
    return _probably(winner, WINNER_LEADS if len(trick) == 4 else 0.7)


def _turn_weight(order: Order, leads: Leads) -> float:
    """How probable an order is before anything is known of the times."""
    chance = leads[CLOCKWISE.index(order[0])]
    return math.log(chance if order in _CLOCKWISE else chance * _OUT_OF_TURN_EACH)


def _time_weights(laid: Sequence[LaidCard], seats: Sequence[Seat]) -> Floats:
    """(24,): how well each order fits the times at which the cards came; it does not depend on trump."""
    by_seat = dict(zip(seats, laid, strict=True))
    before = {
        (one, other): _seconds_before(by_seat[other], by_seat[one]) for one, other in permutations(by_seat, 2)
    }
    return np.array([_time_weight(order, by_seat.keys(), before) for order in _ORDERS])


def _seconds_before(early: LaidCard, late: LaidCard) -> float:
    """How long ``early`` came before ``late``, by when it was seen and by when it lay; 0 for nearly at once.

    A card under a hand is seen late, or lies late.
    """
    between_s = late.laid_s - early.laid_s
    if early.first_seen_s is not None and late.first_seen_s is not None:
        between_s = min(between_s, late.first_seen_s - early.first_seen_s)
    return max(0.0, between_s - _SLACK_S)


def _time_weight(order: Order, seats: Collection[Seat], before: Mapping[tuple[Seat, Seat], float]) -> float:
    """How well an order fits; ``before[one, other]`` is by how many seconds ``other`` came before ``one``."""
    present = [seat for seat in order if seat in seats]
    if not present:
        return 0.0
    weight = -_MISSING_PLACE * (order.index(present[-1]) + 1 - len(present))
    for index, seat in enumerate(present):
        for later in present[index + 1 :]:
            weight -= min(_SECONDS_TO_WEIGHT * before[seat, later], _MOST_FOR_ONE_PAIR)
    return weight


def _placed(trick: _Trick, seated: _Seated, order: Order, chances: Floats) -> list[DecodedCard]:
    cards: list[DecodedCard] = []
    for index, (seat, sure, name) in enumerate(zip(seated.seats, seated.chances, trick.names, strict=True)):
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
                probability=min(1.0, name.probability * sure * place_chance),
                alternatives=name.alternatives,
                laid=index,
                contested=name.contested,
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


def _by_elimination(tricks: Sequence[_Trick], reading: _Reading, names: Naming) -> list[DecodedCard]:
    """The cards of the eight tricks that were never seen: the cards of the pack that are left."""
    unseen = iter(names.unseen)
    found: list[DecodedCard] = []
    for trick, order, seats in zip(tricks, reading.orders, reading.seats, strict=True):
        for position, seat in enumerate(order, start=1):
            name = next(unseen, None) if seat not in seats else None
            if name is not None:
                found.append(
                    DecodedCard(
                        trick=trick.number,
                        position=position,
                        seat=seat,
                        card=name.card,
                        probability=name.probability,
                        alternatives=name.alternatives,
                        laid=None,
                        contested=name.contested,
                    )
                )
    return found
