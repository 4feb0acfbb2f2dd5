"""A deal looked back at: its tricks with what was seen of each card, the hands, and what was allowed when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from rules import (
    CLOCKWISE,
    FULL_DECK,
    Card,
    Play,
    Reason,
    Revoke,
    Roem,
    Seat,
    Suit,
    card_points,
    illegal_reason,
    legal_cards,
    roem_in_trick,
    trick_winner,
)
from tracker.events import DealRecord, RoemCalled, SeenCard, TrickCovered

Place = tuple[int, int]
"""Trick 1 to 8 and position 1 to 4."""


@dataclass(frozen=True, slots=True)
class ReplayCard:
    """A card at its place.

    is_revoke: a verzaking is proven of it; proves: it is the card that proved one. wins: it took the trick.
    """

    seen: SeenCard
    is_revoke: bool
    proves: bool
    wins: bool

    @property
    def is_deciding(self) -> bool:
        """Whether a verzaking rests on it."""
        return self.is_revoke or self.proves


@dataclass(frozen=True, slots=True)
class ReplayTrick:
    """One trick.

    cards: in order of play. missing: positions with no card though the deal went on.
    winner, points: None and 0 while not four cards are known, or trump is not; ``points`` holds the last ten.
    roem: what lies on the table. called: who called how much for it. covered_utc: when it was gathered.
    """

    number: int
    cards: tuple[ReplayCard, ...]
    missing: tuple[int, ...]
    winner: Seat | None
    points: int
    roem: Roem
    called: tuple[RoemCalled, ...]
    covered_utc: datetime | None

    @property
    def is_deciding(self) -> bool:
        """Whether a verzaking happened or showed here."""
        return any(card.is_deciding for card in self.cards)

    @property
    def has_roem(self) -> bool:
        """Whether roem lies here or was called."""
        return bool(self.roem.total or self.called)

    @property
    def first_utc(self) -> datetime | None:
        """When its first card was played."""
        return min((card.seen.time_utc for card in self.cards), default=None)

    def of_seat(self, seat: Seat) -> ReplayCard | None:
        """The card that a seat played."""
        return next((card for card in self.cards if card.seen.seat is seat), None)


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of a hand rebuilt from play, and the trick in which it went."""

    card: Card
    trick: int


@dataclass(frozen=True, slots=True)
class Moment:
    """One turn: what was in the hand and what was allowed.

    hand: what the seat is known to have held then. is_whole_hand: all eight of its cards are known.
    forbidden: the cards of the hand that were not allowed, with why.
    """

    card: ReplayCard
    before: tuple[SeenCard, ...]
    hand: tuple[Card, ...]
    allowed: tuple[Card, ...]
    forbidden: tuple[tuple[Card, Reason], ...]
    is_whole_hand: bool


@dataclass(frozen=True, slots=True)
class Replay:
    """A deal as it can be looked back at. ``hands``: each seat's known cards in the order of the pack."""

    record: DealRecord
    tricks: tuple[ReplayTrick, ...]
    hands: Mapping[Seat, tuple[HeldCard, ...]]
    unseen: tuple[Card, ...]

    @property
    def revokes(self) -> tuple[Revoke, ...]:
        """The verzakingen that the cards prove."""
        return self.record.deal.revokes

    @property
    def is_whole(self) -> bool:
        """Whether all 32 cards are known."""
        return not self.unseen

    def moment(self, place: Place) -> Moment | None:
        """The turn at ``place``; None where no card is known."""
        return _moment(self, place)


def replay_of(record: DealRecord) -> Replay:
    """The deal, trick by trick."""
    last = max((seen.trick for seen in record.cards), default=0)
    seen_cards = {seen.card for seen in record.cards}
    return Replay(
        record=record,
        tricks=tuple(_trick(record, number) for number in range(1, last + 1)),
        hands={seat: _hand(record, seat) for seat in CLOCKWISE},
        unseen=tuple(card for card in FULL_DECK if card not in seen_cards),
    )


def _trick(record: DealRecord, number: int) -> ReplayTrick:
    seen = [card for card in record.cards if card.trick == number]
    trump = record.deal.trump
    plays = [Play(card.seat, card.card) for card in seen]
    winner = trick_winner(plays, trump) if trump is not None and len(plays) == 4 else None
    covered = [event for event in record.events if isinstance(event, TrickCovered) and event.trick == number]
    return ReplayTrick(
        number=number,
        cards=tuple(_card(record, card, winner) for card in seen),
        missing=tuple(position for trick, position in record.missing if trick == number),
        winner=winner,
        points=_points(plays, trump, number) if winner is not None else 0,
        roem=roem_in_trick([play.card for play in plays], trump, record.deal.reglement),
        called=tuple(
            event for event in record.events if isinstance(event, RoemCalled) and event.trick == number
        ),
        covered_utc=covered[-1].time_utc if covered else None,
    )


def _points(plays: Sequence[Play], trump: Suit | None, number: int) -> int:
    assert trump is not None
    return sum(card_points(play.card, trump) for play in plays) + (10 if number == 8 else 0)


def _card(record: DealRecord, seen: SeenCard, winner: Seat | None) -> ReplayCard:
    place = (seen.trick, seen.card)
    revokes = record.deal.revokes
    return ReplayCard(
        seen=seen,
        is_revoke=any(place == (revoke.trick, revoke.card) for revoke in revokes),
        proves=any(place == (revoke.proven_trick, revoke.proven_card) for revoke in revokes),
        wins=seen.seat is winner,
    )


def _hand(record: DealRecord, seat: Seat) -> tuple[HeldCard, ...]:
    held = [HeldCard(seen.card, seen.trick) for seen in record.cards if seen.seat is seat]
    return tuple(sorted(held, key=lambda one: one.card.index))


def _moment(replay: Replay, place: Place) -> Moment | None:
    trick = next((trick for trick in replay.tricks if trick.number == place[0]), None)
    cards = trick.cards if trick else ()
    card = next((card for card in cards if card.seen.position == place[1]), None)
    if card is None:
        return None
    deal, seat = replay.record.deal, card.seen.seat
    before = tuple(other.seen for other in cards if other.seen.position < place[1])
    plays = [Play(seen.seat, seen.card) for seen in before]
    hand = tuple(held.card for held in replay.hands[seat] if held.trick >= place[0])
    allowed = legal_cards(deal.reglement, hand, plays, deal.trump, seat)
    reasons = [
        (other, illegal_reason(deal.reglement, hand, plays, deal.trump, seat, other)) for other in hand
    ]
    return Moment(
        card=card,
        before=before,
        hand=hand,
        allowed=allowed,
        forbidden=tuple((other, reason) for other, reason in reasons if reason is not None),
        is_whole_hand=len(replay.hands[seat]) == 8,
    )
