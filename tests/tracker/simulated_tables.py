"""Deals of the simulated table, read by a reader with known faults and told by the tracker."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import numpy as np

from capture.simulator import BEGINNING, Irregularity, PlayedDeal, simulate_deal
from capture.simulator.choreography import Neatness, make_script
from capture.simulator.reader import ReadFrame, ReadingFaults, SimulatedReader
from capture.simulator.script import Script
from rules import CLOCKWISE, KLAVERJAS_DRIVE, Card, Deal, Reglement, Seat, Suit, Team
from tracker.events import DealRecord, Event, fold_deals
from tracker.table_tracker import TableTracker
from tracker.table_view import TableView

SIZE: Final = (1280, 720)


@dataclass(frozen=True, slots=True)
class Table:
    """What is played at a table, how neatly, and how well it is read."""

    seed: int
    verzaken: bool = False
    out_of_turn: bool = False
    trump_given: bool = True
    faults: ReadingFaults = field(default_factory=ReadingFaults)
    reglement: Reglement = KLAVERJAS_DRIVE

    def deal(self) -> PlayedDeal:
        """The one deal that is played."""
        dealer = CLOCKWISE[self.seed % 4]
        fault = Irregularity.VERZAKEN if self.verzaken else None
        fault = Irregularity.OUT_OF_TURN if self.out_of_turn else fault
        return simulate_deal(np.random.default_rng([self.seed, 1]), self.reglement, dealer, fault)

    def script(self, deal: PlayedDeal) -> Script:
        """How the deal goes on the table: some play neatly, others with cards up to 60 % over one another."""
        neatness = Neatness(most_covered=0.6, reach=random.Random(self.seed).uniform(0.5, 1.0))
        return make_script(np.random.default_rng([self.seed, 2]), [deal], neatness)


@dataclass(frozen=True, slots=True)
class Read:
    """A deal as it was played and as it was read."""

    table: Table
    deal: PlayedDeal
    script: Script
    events: tuple[Event, ...]

    @property
    def record(self) -> DealRecord:
        """The deal as it was read."""
        (record,) = fold_deals(self.events)
        return record

    @property
    def is_exact(self) -> bool:
        """All 32 cards, their seats and order, trump, and the end."""
        record = self.record
        read = [(card.trick, card.position, card.seat, card.card) for card in record.cards]
        return read == places(self.deal) and record.deal.trump is self.deal.trump and record.closed

    @property
    def score_is_right(self) -> bool:
        """Points and roem of both sides."""
        return score(self.record.deal) == score(told_to_rules(self.deal))


def places(deal: PlayedDeal) -> list[tuple[int, int, Seat, Card]]:
    """(trick, position, seat, card) of all 32 cards."""
    return [
        (number, position, play.seat, play.card)
        for number, trick in enumerate(deal.tricks, start=1)
        for position, play in enumerate(trick, start=1)
    ]


def told_to_rules(played: PlayedDeal) -> Deal:
    """What was played, as the rules know it."""
    deal = Deal(reglement=played.reglement, dealer=played.dealer)
    for seat in played.passes:
        deal = deal.passed(seat)
    deal = deal.declared(played.declarer, played.trump)
    for trick in played.tricks:
        for play in trick:
            deal = deal.played(play.seat, play.card)
        deal = deal.trick_covered()
    return deal


def score(deal: Deal) -> list[tuple[int, int]]:
    """Points and roem of each side."""
    result = deal.result()
    return [(result.score_points[team], result.score_roem[team]) for team in Team]


def read(table: Table) -> Read:
    """Play the table's deal, look at it and track it."""
    deal = table.deal()
    script = table.script(deal)
    trump = deal.trump if table.trump_given else None
    events = tracked(script, table, deal.dealer, trump, deal.declarer)
    return Read(table, deal, script, tuple(events))


def tracked(
    script: Script, table: Table, dealer: Seat, trump: Suit | None, declarer: Seat | None = None
) -> list[Event]:
    """What the tracker tells of a script as this table's reader sees it."""
    reader = SimulatedReader(script, table.seed, table.faults, size=SIZE)
    tracker = TableTracker(
        "1", table.reglement, dealer, trump, view=TableView.of_picture(*SIZE), declarer=declarer
    )
    return told_by(tracker, reader)


def told_by(tracker: TableTracker, frames: Iterable[ReadFrame]) -> list[Event]:
    """All that a tracker tells of these frames, and at their end."""
    events: list[Event] = []
    for frame in frames:
        events += told_by_frame(tracker, frame)
    return [*events, *tracker.finish()]


def told_by_frame(tracker: TableTracker, frame: ReadFrame) -> tuple[Event, ...]:
    """All that a tracker tells of one frame; nothing of one that was lost."""
    if frame.detections is None:
        return ()
    return tracker.update(frame.time_s, BEGINNING + timedelta(seconds=frame.time_s), frame.detections)


def match_script(deals: Sequence[PlayedDeal], seed: int, dealt_in_vain: Collection[int] = ()) -> Script:
    """One film of several deals; before those of ``dealt_in_vain``, from 0, a deal of which nothing came."""
    return make_script(np.random.default_rng([seed, 2]), deals, Neatness(most_covered=0.6), dealt_in_vain)


def tracked_match(deals: Sequence[PlayedDeal], seed: int, script: Script | None = None) -> list[Event]:
    """What is told of a match in one film, of which only the first dealer is known."""
    film = script or match_script(deals, seed)
    return tracked(film, Table(seed, reglement=deals[0].reglement), deals[0].dealer, None)
