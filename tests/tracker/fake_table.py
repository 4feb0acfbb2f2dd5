"""A table that exists only as detections: what a camera with known faults would make of a played deal.

Two halves. :func:`random_deal` and :class:`FakeFilm` say where each card truly is at each moment;
:class:`FakeEye` turns that into detections with all that goes wrong with them: jitter, cards missed, hands in
the way, frames lost, wrong names, two detections on one card, things that are no card. Any seed gives the
same again.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from detector.types import CARD_CODES, CLASS_NAMES, CardDetection, FloatArray, Side, uniform_log_probs
from rules import (
    CLOCKWISE,
    FULL_DECK,
    KLAVERJAS_DRIVE,
    Card,
    Play,
    Reglement,
    Seat,
    Suit,
    illegal_reason,
    legal_cards,
    trick_winner,
)
from tracker.events import Event
from tracker.quads import covered_share
from tracker.table_tracker import TableTracker
from tracker.table_view import TableView

WIDTH: Final = 1280
HEIGHT: Final = 720
START: Final = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)
VIEW: Final = TableView.of_picture(WIDTH, HEIGHT)
ASPECT: Final = 88 / 63

_OUTWARDS: Final = {Seat.NORTH: (0, -1), Seat.EAST: (1, 0), Seat.SOUTH: (0, 1), Seat.WEST: (-1, 0)}


@dataclass(frozen=True)
class PlannedDeal:
    """What is played, in order. revoke: (trick, seat, card) of the verzaking put in, if any."""

    reglement: Reglement
    dealer: Seat
    trump: Suit
    tricks: tuple[tuple[Play, ...], ...]
    revoke: tuple[int, Seat, Card] | None = None

    @property
    def plays(self) -> list[tuple[int, int, Seat, Card]]:
        """(trick, position, seat, card) of all 32 cards."""
        return [
            (number, position, play.seat, play.card)
            for number, trick in enumerate(self.tricks, start=1)
            for position, play in enumerate(trick, start=1)
        ]


def random_deal(
    rng: random.Random,
    dealer: Seat = Seat.SOUTH,
    reglement: Reglement = KLAVERJAS_DRIVE,
    *,
    verzaken: bool = False,
) -> PlannedDeal:
    """Cards dealt and played at random, but legally; asked for, with one verzaking that the cards prove."""
    while True:
        deal = _played(rng, dealer, reglement, verzaken)
        if not verzaken or deal.revoke is not None:
            return deal


def _played(rng: random.Random, dealer: Seat, reglement: Reglement, verzaken: bool) -> PlannedDeal:
    pack = list(FULL_DECK)
    rng.shuffle(pack)
    hands = {seat: pack[8 * place : 8 * place + 8] for place, seat in enumerate(CLOCKWISE)}
    trump = rng.choice(list(Suit))
    leader, tricks = dealer.left, []
    revoke: tuple[int, Seat, Card] | None = None
    revoke_from = rng.randint(1, 6) if verzaken else 99
    for number in range(1, 9):
        plays: list[Play] = []
        seat = leader
        for _ in range(4):
            hand = hands[seat]
            wrong = [c for c in hand if illegal_reason(reglement, hand, plays, trump, seat, c) is not None]
            if wrong and revoke is None and number >= revoke_from:
                card = rng.choice(wrong)
                revoke = (number, seat, card)
            else:
                card = rng.choice(legal_cards(reglement, hand, plays, trump, seat))
            hand.remove(card)
            plays.append(Play(seat, card))
            seat = seat.left
        tricks.append(tuple(plays))
        leader = trick_winner(plays, trump)
    return PlannedDeal(reglement, dealer, trump, tuple(tricks), revoke)


@dataclass(frozen=True)
class Shown:
    """One card as it truly is in a frame. layer: higher lies on top. moving: in somebody's hand."""

    card: Card | None
    quad: FloatArray
    layer: int
    moving: bool = False

    @property
    def face_up(self) -> bool:
        """A card that is not named lies with its back up."""
        return self.card is not None


def card_quad(x: float, y: float, turn: float, width: float) -> FloatArray:
    """(4, 2) pixels: a card around (x, y), turned clockwise by ``turn`` radians."""
    half = np.array([[-1, -ASPECT], [1, -ASPECT], [1, ASPECT], [-1, ASPECT]]) * width / 2
    cosine, sine = math.cos(turn), math.sin(turn)
    return np.asarray(half @ np.array([[cosine, sine], [-sine, cosine]]) + [x, y], dtype=np.float32)


@dataclass
class FakeFilm:
    """The places of all cards over time, for deals played one after another.

    card_width: in pixels. rate: frames a second. pace: how long players take, 1 is brisk.
    """

    rng: random.Random
    deals: Sequence[PlannedDeal]
    card_width: float = 85.0
    rate: float = 10.0
    pace: float = 1.0
    length_s: float = 0.0
    rests: list[_Rest] = field(default_factory=list)
    moves: list[_Move] = field(default_factory=list)
    hands: list[_Hand] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._clock = 1.0
        self._layer = 0
        for deal in self.deals:
            self._film(deal)
        self.length_s = self._clock + 2.5

    def frames(self) -> Iterator[tuple[float, list[Shown], list[tuple[float, float, float]]]]:
        """(time, cards in view, hands in view as x, y, radius) for each frame."""
        for index in range(int(self.length_s * self.rate)):
            time_s = index / self.rate
            shown = [
                Shown(rest.card, rest.quad, rest.layer)
                for rest in self.rests
                if rest.from_s <= time_s < rest.until_s
            ]
            shown += [move.at(time_s) for move in self.moves if move.from_s <= time_s < move.until_s]
            hands = [hand.at(time_s) for hand in self.hands if hand.from_s <= time_s < hand.until_s]
            yield time_s, shown, hands

    def _film(self, deal: PlannedDeal) -> None:
        width = self.card_width
        piles: dict[bool, list[_Rest]] = {True: [], False: []}
        for plays in deal.tricks:
            lying = [self._lay(play) for play in plays]
            self._clock += self.rng.uniform(0.6, 1.2) * self.pace
            vertical = trick_winner(plays, deal.trump) in (Seat.NORTH, Seat.SOUTH)
            x, y = (WIDTH / 2 + 2.5 * width, HEIGHT / 2 + 2.9 * width)
            if not vertical:
                x, y = (WIDTH / 2 + 5.0 * width, HEIGHT / 2 + 1.5 * width)
            piles[vertical].append(self._gather(lying, x, y))
            self._clock += self.rng.uniform(0.2, 0.6) * self.pace
        self._clock += 1.0
        for pile in (*piles[True], *piles[False]):
            pile.until_s = self._clock
        self._clock += 3.0

    def _place(self, seat: Seat) -> tuple[float, float, float]:
        out = _OUTWARDS[seat]
        reach = self.card_width * self.rng.uniform(0.95, 1.6)
        aside = self.card_width * self.rng.gauss(0, 0.12)
        x = WIDTH / 2 + out[0] * reach - out[1] * aside
        y = HEIGHT / 2 + out[1] * reach + out[0] * aside
        straight = math.atan2(-out[0], out[1])
        return x, y, straight + self.rng.gauss(0, 0.2) + math.pi * self.rng.randint(0, 1)

    def _lay(self, play: Play) -> _Rest:
        """A hand brings the card from the seat, lets go and leaves, covering the card for a while."""
        x, y, turn = self._place(play.seat)
        out = _OUTWARDS[play.seat]
        start = self._clock
        arrived = start + self.rng.uniform(0.35, 0.6)
        self._layer += 1
        far = 4.5 * self.card_width
        self.moves.append(
            _Move(
                play.card,
                start,
                arrived,
                (x + out[0] * far, y + out[1] * far),
                (x, y),
                turn,
                self.card_width,
                self._layer,
            )
        )
        self.hands.append(
            _Hand(arrived - 0.1, arrived + 0.35, (x, y), (x + 300 * out[0], y + 300 * out[1]), 40)
        )
        rest = _Rest(play.card, card_quad(x, y, turn, self.card_width), self._layer, arrived)
        self.rests.append(rest)
        self._clock = arrived + self.rng.uniform(0.3, 1.1) * self.pace
        if self.rng.random() < 0.15:
            self._reach_across(arrived)
        return rest

    def _reach_across(self, after: float) -> None:
        """Somebody's arm passes over the middle: to a glass, or to point at a card."""
        x = WIDTH / 2 + self.rng.uniform(-150, 150)
        y = HEIGHT / 2 + self.rng.uniform(-150, 150)
        start = after + self.rng.uniform(0.2, 0.6)
        self.hands.append(_Hand(start, start + self.rng.uniform(0.3, 0.9), (x, y), (x + 30, y + 30), 75))

    def _gather(self, lying: list[_Rest], x: float, y: float) -> _Rest:
        touch = self._clock
        for rest in lying:
            touch += 0.15
            rest.until_s = touch
            centre = rest.quad.mean(axis=0)
            self.moves.append(
                _Move(
                    rest.card,
                    touch,
                    touch + 0.8,
                    (float(centre[0]), float(centre[1])),
                    (x, y),
                    0.0,
                    self.card_width,
                    rest.layer,
                )
            )
        self._clock = touch + 0.85
        pile = _Rest(
            None,
            card_quad(x + self.rng.gauss(0, 3), y, self.rng.gauss(0, 0.1), self.card_width),
            0,
            self._clock,
        )
        self.rests.append(pile)
        return pile


@dataclass
class _Rest:
    card: Card | None
    quad: FloatArray
    layer: int
    from_s: float
    until_s: float = math.inf


@dataclass
class _Move:
    card: Card | None
    from_s: float
    until_s: float
    start: tuple[float, float]
    end: tuple[float, float]
    turn: float
    width: float
    layer: int

    def at(self, time_s: float) -> Shown:
        share = (time_s - self.from_s) / (self.until_s - self.from_s)
        share = share * share * (3 - 2 * share)
        x = self.start[0] + share * (self.end[0] - self.start[0])
        y = self.start[1] + share * (self.end[1] - self.start[1])
        return Shown(self.card, card_quad(x, y, self.turn, self.width), self.layer, moving=True)


@dataclass
class _Hand:
    from_s: float
    until_s: float
    start: tuple[float, float]
    end: tuple[float, float]
    radius: float

    def at(self, time_s: float) -> tuple[float, float, float]:
        share = (time_s - self.from_s) / (self.until_s - self.from_s)
        x = self.start[0] + share * (self.end[0] - self.start[0])
        y = self.start[1] + share * (self.end[1] - self.start[1])
        return x, y, self.radius


@dataclass
class FakeEye:
    """What a detector with these faults makes of a frame.

    accuracy: how often a face that lies still and is seen well is named right in one frame.
    misreads: cards that are named as another one, always. blind_to: cards that are never found.
    """

    rng: random.Random
    accuracy: float = 0.99
    lost_frames: float = 0.03
    missed: float = 0.02
    duplicates: float = 0.03
    false_cards: float = 0.01
    jitter: float = 0.03
    misreads: dict[Card, Card] = field(default_factory=dict)
    blind_to: frozenset[Card] = frozenset()

    def look(
        self, shown: Sequence[Shown], hands: Sequence[tuple[float, float, float]] = ()
    ) -> tuple[CardDetection, ...] | None:
        """The detections in one frame, or None when the frame was lost."""
        if self.rng.random() < self.lost_frames:
            return None
        found: list[CardDetection] = []
        for card in shown:
            covered = max(
                (covered_share(card.quad, other.quad) for other in shown if other.layer > card.layer),
                default=0.0,
            )
            if card.card in self.blind_to or (card.face_up and self._is_missed(card, covered, hands)):
                continue
            found.append(self._detection(card, covered))
            if card.face_up and self.rng.random() < self.duplicates:
                found.append(self._detection(card, covered, shift=0.2))
        if self.rng.random() < self.false_cards:
            found.append(self._false_card())
        self.rng.shuffle(found)
        return tuple(found)

    def _is_missed(self, card: Shown, covered: float, hands: Sequence[tuple[float, float, float]]) -> bool:
        x, y = card.quad.mean(axis=0)
        if any(math.hypot(x - hand_x, y - hand_y) < radius for hand_x, hand_y, radius in hands):
            return True
        chance = self.missed + 0.5 * covered + (0.25 if card.moving else 0.0)
        return self.rng.random() < chance

    def _detection(self, card: Shown, covered: float, shift: float = 0.0) -> CardDetection:
        width = float(np.linalg.norm(card.quad[1] - card.quad[0]))
        spread = self.jitter * width * (1 + 2 * covered)
        noise = [[self.rng.gauss(0, spread / 2) for _ in range(2)] for _ in range(4)]
        whole = [self.rng.gauss(0, spread) + shift * width, self.rng.gauss(0, spread)]
        quad = (card.quad + np.array(noise) + whole).astype(np.float32)
        if card.card is None:
            return CardDetection(quad, Side.BACK, uniform_log_probs(), 0.9)
        accuracy = self.accuracy * (0.6 if card.moving else 1.0) * (1 - 0.3 * covered)
        return CardDetection(
            quad, Side.FACE, self._named(card.card, accuracy), self.rng.uniform(0.5, 0.95) - shift
        )

    def _named(self, card: Card, accuracy: float) -> FloatArray:
        """Log-probabilities: sure of the true name, or as sure of one that looks like it."""
        like = [c for c in FULL_DECK if c != card and (c.rank is card.rank or c.suit is card.suit)]
        right = self.rng.random() < accuracy and card not in self.misreads
        wrong = self.misreads.get(card) or self.rng.choice(like)
        first, second = (card, wrong) if right else (wrong, card)
        top = self.rng.uniform(0.75, 0.995) if right else self.rng.uniform(0.5, 0.95)
        probabilities = np.full(len(CLASS_NAMES), 0.2 * (1 - top) / (len(CLASS_NAMES) - 2))
        probabilities[CARD_CODES.index(first.code)] = top
        probabilities[CARD_CODES.index(second.code)] = 0.8 * (1 - top)
        return np.asarray(np.log(probabilities), dtype=np.float32)

    def _false_card(self) -> CardDetection:
        quad = card_quad(self.rng.uniform(0, WIDTH), self.rng.uniform(0, HEIGHT), self.rng.uniform(0, 3), 80)
        return CardDetection(
            quad, Side.FACE, self._named(self.rng.choice(FULL_DECK), 0.5), self.rng.uniform(0.2, 0.5)
        )


def tracked(
    film: FakeFilm,
    eye: FakeEye,
    *,
    trump_given: bool = True,
    until_s: float = math.inf,
    extra: Sequence[tuple[float, float, Shown]] = (),
) -> list[Event]:
    """What the tracker tells of the film as this eye sees it. extra: (from, until, card) lying there too."""
    first = film.deals[0]
    tracker = TableTracker(
        "1",
        first.reglement,
        first.dealer,
        first.trump if trump_given else None,
        view=VIEW,
        later_trumps=[deal.trump for deal in film.deals[1:]] if trump_given else (),
    )
    events: list[Event] = []
    for time_s, shown, hands in film.frames():
        if time_s >= until_s:
            break
        more = [card for from_s, to_s, card in extra if from_s <= time_s < to_s]
        seen = eye.look([*shown, *more], hands)
        if seen is not None:
            events += tracker.update(time_s, wall_clock(time_s), seen)
    return [*events, *tracker.finish()]


def wall_clock(time_s: float) -> datetime:
    """The time of day at ``time_s`` of the film."""
    return START + timedelta(seconds=time_s)
