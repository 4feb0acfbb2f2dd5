"""What is known of a table at one moment: its deal so far, and what all events told now share."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypedDict

from rules import Bidding, Card, Reglement, Seat, Suit
from tracker.deal_decoder import DecodedCard, DecodedDeal, LaidCard, decode_deal
from tracker.events.types import VideoSpan
from tracker.irregularities import FaceWatch, ToldPlay
from tracker.laid_cards import LaidSlot
from tracker.seat_evidence import degrees_off
from tracker.settings import TrackerSettings
from tracker.table_view import TableView
from tracker.trick_watch import TrickWatch

TRICKS_IN_A_DEAL: Final = 8

SUREST_BY_CAMERA: Final = 0.9999

Place = tuple[int, int]
"""Trick 1 to 8 and position 1 to 4."""


def rounded(probability: float) -> float:
    """Four decimals, and never 1: what a camera saw is not certain."""
    return min(round(probability, 4), SUREST_BY_CAMERA)


def rounded_alternatives(card: DecodedCard) -> tuple[tuple[Card, float], ...]:
    """The other cards that it might be, as they are told: three decimals."""
    return tuple((other, round(chance, 3)) for other, chance in card.alternatives)


@dataclass(frozen=True, slots=True)
class Moment:
    """The frame being looked at, by both clocks."""

    time_s: float
    wall_utc: datetime | None

    def at(self, time_s: float) -> datetime:
        """The wall clock at another time of the source's clock."""
        assert self.wall_utc is not None, "no frame has been seen"
        return self.wall_utc - timedelta(seconds=self.time_s - time_s)


@dataclass(slots=True)
class ToldCard:
    """What was told of one place. otherwise: how many decodings running have read it differently."""

    seat: Seat
    card: Card
    confidence: float
    otherwise: int = 0


@dataclass(slots=True)
class DealProgress:
    """One deal as it goes on.

    number_is_next: the table is free for it, and its first card has yet to come.
    finished: its eight tricks are over. closed: that was told. to_cover: tricks gathered and not told so yet.
    slow_told: for which places it was told that the table waits. asked: which cards are to be confirmed.
    turns_told: where it was told that a card came out of turn. dealt: its dealing was seen.
    counts_told: of whom it was told that their hand had too many or too few cards.
    """

    number: int
    dealer: Seat
    trump: Suit | None
    declarer: Seat | None
    watch: TrickWatch
    faces: FaceWatch
    dealt: bool = False
    started: bool = False
    number_is_next: bool = False
    finished: bool = False
    closed: bool = False
    told: dict[Place, ToldCard] = field(default_factory=dict)
    to_cover: list[int] = field(default_factory=list)
    trump_told: tuple[Suit, float] | None = None
    slow_told: set[Place] = field(default_factory=set)
    asked: set[Place] = field(default_factory=set)
    turns_told: set[Place] = field(default_factory=set)
    counts_told: set[Seat] = field(default_factory=set)

    def has_untold(self) -> bool:
        """Whether a card of the trick that lies open was not told yet."""
        number = len(self.watch.tricks)
        told = sum(1 for trick, _ in self.told if trick == number)
        return told < len(self.watch.current.slots)

    def slot_of(self, card: DecodedCard) -> LaidSlot | None:
        """The card of the trick that this is as it was seen; None when it follows by elimination."""
        return None if card.laid is None else self.watch.tricks[card.trick - 1].slots[card.laid]

    def told_tricks(self, until: int) -> list[dict[int, ToldPlay]]:
        """What was told of the tricks 1 to ``until``, by position."""
        tricks: list[dict[int, ToldPlay]] = [{} for _ in range(until)]
        for (trick, position), told in self.told.items():
            if trick <= until:
                tricks[trick - 1][position] = ToldPlay(told.seat, told.card, told.confidence)
        return tricks


class Facts(TypedDict):
    """What all events share; see :class:`tracker.events.Event`."""

    table: str
    deal: int
    time_utc: datetime
    confidence: float
    video: VideoSpan | None


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at one moment; card_width in pixels."""

    table: str
    reglement: Reglement
    settings: TrackerSettings
    view: TableView
    deal: DealProgress
    now: Moment
    card_width: float

    def facts(self, confidence: float, at_s: float, from_s: float | None = None) -> Facts:
        """What an event of ``at_s`` shares with all others; its video runs from ``from_s`` until now."""
        return {
            "table": self.table,
            "deal": self.deal.number,
            "time_utc": self.now.at(at_s),
            "confidence": rounded(confidence),
            "video": VideoSpan(at_s if from_s is None else from_s, self.now.time_s),
        }

    def sure_trump(self) -> Suit | None:
        """Trump as the table declared it, or inferred and sure by now."""
        told = self.deal.trump_told
        inferred = told[0] if told is not None and told[1] >= self.settings.telling.sure_of_trump else None
        return self.deal.trump or inferred

    def maker(self) -> Seat | None:
        """Who made trump: as the table said, or as the reglement obliges."""
        obliged = self.reglement.bidding is Bidding.OBLIGED
        return self.deal.declarer or (self.first_speaker() if obliged else None)

    def first_speaker(self) -> Seat:
        """Who passed or named trump first."""
        return self.reglement.speaks_first(self.deal.dealer)

    def laid_card(self, slot: LaidSlot) -> LaidCard:
        """A card of a trick as the decoder wants it."""
        view = self.deal.watch.centre.view
        degrees = degrees_off(view, slot.laid_at)
        return LaidCard(slot.log_probs, degrees, slot.laid_s, slot.way, slot.first_seen_s)

    def decoded(self, *, complete: bool, verzaking_weight: float | None = None) -> DecodedDeal:
        """The most probable deal by all that was seen.

        Args:
            complete: its eight tricks are over.
            verzaking_weight: another one than the settings have, to see what that makes of it.
        """
        weight = self.settings.telling.verzaking_weight if verzaking_weight is None else verzaking_weight
        tricks = [
            [self.laid_card(slot) for slot in trick.slots]
            for trick in self.deal.watch.tricks[:TRICKS_IN_A_DEAL]
        ]
        return decode_deal(
            tricks,
            self.reglement,
            self.deal.dealer.left,
            self.deal.trump,
            maker=self.maker(),
            complete=complete,
            verzaking_weight=weight,
        )
