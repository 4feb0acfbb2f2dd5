"""Deals that play themselves: legal ones, and ones with a chosen fault."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from rules import (
    CLOCKWISE,
    FULL_DECK,
    REGLEMENTEN,
    Bidding,
    Card,
    Deal,
    Play,
    Reglement,
    Seat,
    Suit,
    illegal_reason,
    legal_cards,
    roem_in_trick,
    trick_winner,
)

Hands = Mapping[Seat, tuple[Card, ...]]
Choose = Callable[[int, Seat, Sequence[Card], Sequence[Card], Sequence[Play], Suit], Card]
"""(trick number, seat, hand, legal cards, trick so far, trump) -> the card to play."""


@dataclass(frozen=True)
class PlayedOut:
    """A whole deal with the hands as they were dealt."""

    deal: Deal
    hands: Hands

    @property
    def tricks(self) -> list[list[tuple[str, str]]]:
        """Seats and card codes, as the naive engine wants them."""
        return [[(play.seat.value, play.card.code) for play in trick.plays] for trick in self.deal.tricks]


def dealt(chance: random.Random) -> dict[Seat, tuple[Card, ...]]:
    """Four hands of eight."""
    pack = list(FULL_DECK)
    chance.shuffle(pack)
    return {seat: tuple(pack[8 * place : 8 * place + 8]) for place, seat in enumerate(CLOCKWISE)}


def bid(reglement: Reglement, dealer: Seat, chance: random.Random) -> Deal:
    """A deal up to its trump: some passes where they are allowed, then somebody plays."""
    deal = Deal(reglement, dealer)
    passes = chance.randrange(5) if reglement.bidding is Bidding.PASSING else 0
    for _ in range(passes):
        assert deal.speaker is not None
        deal = deal.passed(deal.speaker)
    assert deal.speaker is not None
    return deal.declared(deal.speaker, chance.choice(list(Suit)))


def play_out(reglement: Reglement, chance: random.Random, choose: Choose | None = None) -> PlayedOut:
    """A deal by chance, all roem called, all covered; cards are legal unless ``choose`` picks others."""
    hands = dealt(chance)
    deal = bid(reglement, chance.choice(CLOCKWISE), chance)
    trump = deal.trump
    assert trump is not None
    held = {seat: list(hand) for seat, hand in hands.items()}
    leader = deal.first_leader
    for number in range(1, 9):
        plays: list[Play] = []
        seat = leader
        for _ in CLOCKWISE:
            legal = legal_cards(reglement, held[seat], plays, trump, seat)
            card = choose(number, seat, held[seat], legal, plays, trump) if choose else chance.choice(legal)
            held[seat].remove(card)
            plays.append(Play(seat, card))
            seat = seat.left
        deal = deal.after(*plays)
        lying = roem_in_trick([play.card for play in plays], trump, reglement).total
        if lying:
            deal = deal.roem_called(chance.choice(CLOCKWISE), number, lying)
        deal = deal.trick_covered()
        leader = trick_winner(plays, trump)
    return PlayedOut(deal, hands)


@dataclass
class Injection:
    """A chooser that once plays a card that is illegal for ``duty`` (a reason's code), as soon as it can."""

    reglement: Reglement
    duty: str
    chance: random.Random
    done: tuple[int, Seat, Card] | None = None

    def __call__(
        self,
        number: int,
        seat: Seat,
        hand: Sequence[Card],
        legal: Sequence[Card],
        trick: Sequence[Play],
        trump: Suit,
    ) -> Card:
        wrong = [] if self.done else self._wrong(seat, hand, trick, trump)
        if not wrong:
            return self.chance.choice(legal)
        card = self.chance.choice(wrong)
        self.done = (number, seat, card)
        return card

    def _wrong(self, seat: Seat, hand: Sequence[Card], trick: Sequence[Play], trump: Suit) -> list[Card]:
        reasons = {card: illegal_reason(self.reglement, hand, trick, trump, seat, card) for card in hand}
        return [card for card, reason in reasons.items() if reason and reason.code == self.duty]


reglementen = st.sampled_from(tuple(REGLEMENTEN.values()))
seeds = st.integers(min_value=0, max_value=2**32 - 1)


@st.composite
def played_out_deals(draw: st.DrawFn) -> PlayedOut:
    """Whole legal deals under any of the three reglementen."""
    return play_out(draw(reglementen), random.Random(draw(seeds)))
