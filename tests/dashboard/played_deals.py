"""Events of deals that were really played: random hands, legal cards, and on request a verzaking.

The play comes from ``rules``, card by card, so that the dashboard can be held against their result.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from rules import FULL_DECK, KLAVERJAS_DRIVE, Card, Deal, Seat, Suit, legal_cards
from tracker.events import CardPlayed, DealClosed, DealStarted, Event, RoemCalled, TrickCovered, TrumpDeclared

START = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)


def deal_hands(generator: random.Random) -> dict[Seat, list[Card]]:
    """Eight cards for each seat."""
    pack = list(FULL_DECK)
    generator.shuffle(pack)
    return {seat: pack[8 * place : 8 * place + 8] for place, seat in enumerate(Seat)}


def played_deal(
    seed: int,
    number: int = 1,
    table: str = "1",
    dealer: Seat = Seat.SOUTH,
    revoking: bool = False,
    confidence: float = 0.99,
) -> list[Event]:
    """All events of one deal, from the dealing to the closing.

    revoking: somebody verzaakt so that a later card proves it; other seeds are tried until that is so.
    """
    for attempt in range(200):
        events = list(
            _play(random.Random(seed * 1000 + attempt), number, table, dealer, revoking, confidence)
        )
        if bool(replayed(events).revokes) is revoking:
            return events
    raise AssertionError(f"no deal with seed {seed} has a proven verzaking")


def replayed(events: Sequence[Event]) -> Deal:
    """The deal as the rules see it: the oracle for what the pages show."""
    started = next(event for event in events if isinstance(event, DealStarted))
    deal = Deal(reglement=KLAVERJAS_DRIVE, dealer=started.dealer, number=started.deal)
    for event in events:
        match event:
            case TrumpDeclared():
                deal = deal.declared(event.seat, event.trump)
            case CardPlayed():
                deal = deal.played(event.seat, event.card)
            case RoemCalled():
                deal = deal.roem_called(event.seat, event.trick, event.points)
            case TrickCovered():
                deal = deal.trick_covered()
            case _:
                pass
    return deal


def _play(
    generator: random.Random, number: int, table: str, dealer: Seat, revoking: bool, confidence: float
) -> Iterator[Event]:
    hands = deal_hands(generator)
    trump = generator.choice(list(Suit))
    clock = _Clock(number)
    start = DealStarted(
        table=table, deal=number, time_utc=clock.tick(), dealer=dealer, reglement=KLAVERJAS_DRIVE.name
    )
    yield start
    yield TrumpDeclared(table=table, deal=number, time_utc=clock.tick(), seat=dealer.left, trump=trump)
    deal = Deal(reglement=KLAVERJAS_DRIVE, dealer=dealer, number=number).declared(dealer.left, trump)
    may_revoke = revoking
    for trick in range(1, 9):
        for position in range(1, 5):
            seat = deal.turn
            assert seat is not None
            card, revoked = _choose(generator, deal, seat, hands[seat], may_revoke and trick < 6)
            may_revoke = may_revoke and not revoked
            hands[seat].remove(card)
            deal = deal.played(seat, card)
            yield CardPlayed(
                table=table,
                deal=number,
                time_utc=clock.tick(),
                confidence=confidence,
                trick=trick,
                position=position,
                seat=seat,
                card=card,
            )
        yield TrickCovered(table=table, deal=number, time_utc=clock.tick(), trick=trick)
        deal = deal.trick_covered()
    yield DealClosed(table=table, deal=number, time_utc=clock.tick())


def _choose(
    generator: random.Random, deal: Deal, seat: Seat, hand: list[Card], revoking: bool
) -> tuple[Card, bool]:
    assert deal.trump is not None
    lying = deal.tricks[-1].plays if deal.tricks and not deal.tricks[-1].is_full else ()
    legal = legal_cards(deal.reglement, hand, lying, deal.trump, seat)
    illegal = [card for card in hand if card not in legal]
    if revoking and illegal:
        return generator.choice(illegal), True
    return generator.choice(list(legal)), False


class _Clock:
    """Two seconds a card, ten minutes a deal."""

    def __init__(self, number: int) -> None:
        self._now = START + timedelta(minutes=10 * (number - 1))

    def tick(self) -> datetime:
        self._now += timedelta(seconds=2)
        return self._now


def with_confidence(events: Sequence[Event], card: Card, confidence: float) -> list[Event]:
    """The same events, with one card read less surely."""
    return [
        replace(event, confidence=confidence)
        if isinstance(event, CardPlayed) and event.card == card
        else event
        for event in events
    ]
