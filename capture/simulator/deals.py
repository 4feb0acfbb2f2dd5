"""What is played at the simulated table: who sits with which cards and plays them when.

Players follow a plain strategy: trump in a suit that the declarer is long in, ace and boer led early,
points given to a partner who wins, the cheapest card that wins, else the least one. All choices are legal,
except for the one irregularity that may be asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import numpy as np

from rules import (
    CLOCKWISE,
    FULL_DECK,
    KLAVERJAS_DRIVE,
    Bidding,
    Card,
    Play,
    Rank,
    Reglement,
    Seat,
    Suit,
    card_points,
    illegal_reason,
    legal_cards,
    trick_winner,
)

CARDS_EACH: Final = 8


class Irregularity(Enum):
    """What goes wrong in a deal."""

    VERZAKEN = "verzaken"
    OUT_OF_TURN = "out of turn"


class SimulationError(RuntimeError):
    """No deal with the irregularity that was asked for could be made."""


@dataclass(frozen=True, slots=True)
class Mishap:
    """Where the irregularity is: the card that ``seat`` shouldn't have played in ``trick`` (1 to 8)."""

    irregularity: Irregularity
    trick: int
    seat: Seat
    card: Card


@dataclass(frozen=True)
class PlayedDeal:
    """One deal from beginning to end.

    passes: who passed before ``declarer`` made ``trump``.
    hands: the eight cards that each seat was dealt.
    tricks: eight tricks of four plays, in the order in which they came on the table.
    winners: who won each trick.
    mishap: what went wrong, None in a deal without fault.
    """

    reglement: Reglement
    dealer: Seat
    passes: tuple[Seat, ...]
    declarer: Seat
    trump: Suit
    hands: Mapping[Seat, tuple[Card, ...]]
    tricks: tuple[tuple[Play, ...], ...]
    winners: tuple[Seat, ...]
    mishap: Mishap | None = None

    @property
    def plays(self) -> tuple[Play, ...]:
        """All 32 plays in the order in which they came on the table."""
        return tuple(play for trick in self.tricks for play in trick)


def simulate_deal(
    rng: np.random.Generator | int,
    reglement: Reglement = KLAVERJAS_DRIVE,
    dealer: Seat = Seat.SOUTH,
    irregularity: Irregularity | None = None,
) -> PlayedDeal:
    """Deal, make trump and play eight tricks; a seed or generator state gives the same deal again.

    Raises:
        SimulationError: when none of 200 deals gave a chance for the irregularity.
    """
    generator = np.random.default_rng(rng) if isinstance(rng, int) else rng
    for _ in range(200):
        deal = _Table(generator, reglement, dealer, irregularity).play()
        if irregularity is None or deal.mishap is not None:
            return deal
    raise SimulationError(f"no deal with {irregularity} came up; try another seed")


def simulate_match(
    seed: int,
    deals: int,
    reglement: Reglement = KLAVERJAS_DRIVE,
    first_dealer: Seat = Seat.SOUTH,
    irregularities: Mapping[int, Irregularity] | None = None,
) -> tuple[PlayedDeal, ...]:
    """``deals`` deals with the dealer going round; ``irregularities`` by the deal's number, from 1."""
    chosen = irregularities or {}
    played = []
    dealer = first_dealer
    for number in range(1, deals + 1):
        rng = np.random.default_rng([seed, number])
        played.append(simulate_deal(rng, reglement, dealer, chosen.get(number)))
        dealer = dealer.left
    return tuple(played)


_TRUMP_WORTH: Final = {
    Rank.JACK: 5.0,
    Rank.NINE: 3.5,
    Rank.ACE: 2.4,
    Rank.TEN: 2.0,
    Rank.KING: 1.5,
    Rank.QUEEN: 1.5,
    Rank.EIGHT: 1.2,
    Rank.SEVEN: 1.2,
}
_WORTH_PLAYING: Final = 9.5
"""How strong a hand must be, in :data:`_TRUMP_WORTH` and aces beside, for its holder not to pass."""


def _worth(hand: Collection[Card], trump: Suit) -> float:
    trumps = sum(_TRUMP_WORTH[card.rank] for card in hand if card.suit is trump)
    aces = sum(card.rank is Rank.ACE for card in hand if card.suit is not trump)
    return trumps + 1.5 * aces


def _best_trump(hand: Collection[Card]) -> Suit:
    return max(Suit, key=lambda suit: _worth(hand, suit))


@dataclass(slots=True)
class _Table:
    rng: np.random.Generator
    reglement: Reglement
    dealer: Seat
    irregularity: Irregularity | None
    hands: dict[Seat, list[Card]] = field(init=False)
    trump: Suit = field(init=False)
    declarer: Seat = field(init=False)
    mishap_trick: int = field(init=False)
    mishap: Mishap | None = None

    def __post_init__(self) -> None:
        order = self.rng.permutation(len(FULL_DECK))
        cards = [FULL_DECK[int(index)] for index in order]
        self.hands = {seat: cards[8 * place : 8 * place + 8] for place, seat in enumerate(CLOCKWISE)}
        self.mishap_trick = int(self.rng.integers(1, 6))

    def play(self) -> PlayedDeal:
        dealt = {seat: tuple(hand) for seat, hand in self.hands.items()}
        passes = self._make_trump()
        tricks: list[tuple[Play, ...]] = []
        winners: list[Seat] = []
        leader = self.dealer.left
        for number in range(1, CARDS_EACH + 1):
            tricks.append(self._play_trick(number, leader))
            leader = trick_winner(tricks[-1], self.trump)
            winners.append(leader)
        return PlayedDeal(
            self.reglement,
            self.dealer,
            passes,
            self.declarer,
            self.trump,
            dealt,
            tuple(tricks),
            tuple(winners),
            self.mishap,
        )

    def _make_trump(self) -> tuple[Seat, ...]:
        """The first who is strong enough plays; when none is, or where it is obliged, the first speaker."""
        first = self.reglement.speaks_first(self.dealer)
        speakers = [CLOCKWISE[(CLOCKWISE.index(first) + step) % 4] for step in range(4)]
        passes: tuple[Seat, ...] = ()
        self.declarer = first
        if self.reglement.bidding is Bidding.PASSING:
            strong = [
                s for s in speakers if _worth(self.hands[s], _best_trump(self.hands[s])) >= _WORTH_PLAYING
            ]
            passes = tuple(speakers[: speakers.index(strong[0])]) if strong else tuple(speakers)
            self.declarer = strong[0] if strong else first
        self.trump = _best_trump(self.hands[self.declarer])
        return passes

    def _play_trick(self, number: int, leader: Seat) -> tuple[Play, ...]:
        seats = [CLOCKWISE[(CLOCKWISE.index(leader) + step) % 4] for step in range(4)]
        hasty = self._hasty(number, seats)
        plays: list[Play] = []
        for seat in hasty or seats:
            card = self._revoking_card(number, seat, plays) or self._choose(seat, plays)
            if hasty and self.mishap is None and seat is hasty[1]:
                self.mishap = Mishap(Irregularity.OUT_OF_TURN, number, seat, card)
            self.hands[seat].remove(card)
            plays.append(Play(seat, card))
        return tuple(plays)

    def _hasty(self, number: int, seats: Sequence[Seat]) -> list[Seat] | None:
        """The order of a trick in which the third hand plays before the second."""
        if self.irregularity is not Irregularity.OUT_OF_TURN or self.mishap is not None:
            return None
        if number != self.mishap_trick:
            return None
        return [seats[0], seats[2], seats[1], seats[3]]

    def _revoking_card(self, number: int, seat: Seat, plays: Sequence[Play]) -> Card | None:
        """A card that must not be played here, where the time for one has come.

        All cards come on the table in the end, so the ones that should have been played prove it later.
        """
        if self.irregularity is not Irregularity.VERZAKEN or self.mishap is not None:
            return None
        if number < self.mishap_trick or number > CARDS_EACH - 2 or not plays:
            return None
        hand = self.hands[seat]
        wrong = [
            card
            for card in hand
            if illegal_reason(self.reglement, hand, plays, self.trump, seat, card) is not None
        ]
        if not wrong or self.rng.random() < 0.4:
            return None
        card = wrong[int(self.rng.integers(len(wrong)))]
        self.mishap = Mishap(Irregularity.VERZAKEN, number, seat, card)
        return card

    def _choose(self, seat: Seat, plays: Sequence[Play]) -> Card:
        legal = legal_cards(self.reglement, self.hands[seat], plays, self.trump, seat)
        if not plays:
            return self._lead(seat, legal)
        if trick_winner(plays, self.trump) is seat.partner and len(plays) >= 2:
            return max(legal, key=self._generosity())
        winning = [card for card in legal if trick_winner([*plays, Play(seat, card)], self.trump) is seat]
        if winning:
            return min(winning, key=self._cost())
        return min(legal, key=self._cost())

    def _lead(self, seat: Seat, legal: Sequence[Card]) -> Card:
        if seat.team is self.declarer.team:
            boer = Card(self.trump, Rank.JACK)
            if boer in legal:
                return boer
        aces = [card for card in legal if card.rank is Rank.ACE and card.suit is not self.trump]
        if aces:
            return aces[int(self.rng.integers(len(aces)))]
        return min(legal, key=self._cost())

    def _cost(self) -> Callable[[Card], tuple[bool, int, int]]:
        """Trumps cost most, then points, then rank."""
        trump = self.trump
        return lambda card: (card.suit is trump, card_points(card, trump), card.rank.natural_order)

    def _generosity(self) -> Callable[[Card], tuple[bool, int, int]]:
        trump = self.trump
        return lambda card: (card.suit is not trump, card_points(card, trump), card.rank.natural_order)
