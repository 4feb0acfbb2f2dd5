"""Which match of a table each of its events belongs to, and in which order the events of one are folded.

A table's own events are split as they were stored. What is written at the venue (a ruling, a correction, what
players say on their tablet) names its match in its epoch, so that it finds an earlier match too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tracker.events import CardPlayed, DealStarted, Event

VENUE_EPOCH: Final = "venue."
"""How the epoch of venue-written events begins; the match's key follows. No table may send one."""


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event with its place in the store: crops and clips of it are named ``<epoch>-<sequence>``."""

    id: int
    epoch: str
    sequence: int
    event: Event

    @property
    def is_written_at_venue(self) -> bool:
        """Whether a person at the venue wrote it, and not the table's own process."""
        return self.epoch.startswith(VENUE_EPOCH)


@dataclass(frozen=True, slots=True)
class MatchSpan:
    """Where a match lies in its table's log.

    key: ``<table>.<number>``, unique in the venue and fit for an address. number: 1, 2, … at this table.
    first_id: the id from which the table's own events belong to it.
    """

    key: str
    number: int
    first_id: int


def venue_epoch(match: str) -> str:
    """The epoch under which the venue writes events of ``match``."""
    return f"{VENUE_EPOCH}{match}"


def named_match(epoch: str) -> str | None:
    """The match that a venue-written epoch names; None for a table's own epoch."""
    return epoch.removeprefix(VENUE_EPOCH) if epoch.startswith(VENUE_EPOCH) else None


class MatchSplitter:
    """Splits a table's own events, told in the order in which they were stored, into matches.

    A deal 1 that starts after later deals, or in a new epoch (another journal), begins a new match. A deal 1
    that starts again within the first deal is that deal dealt again. What comes before anything is played
    (a camera that comes up) belongs to the match that follows it.
    """

    def __init__(self, table: str) -> None:
        self._table = table
        self._epoch_of_start = ""
        self._highest_deal = 0
        self._is_played = False
        self.spans: list[MatchSpan] = [MatchSpan(f"{table}.1", 1, 0)]

    @property
    def current(self) -> MatchSpan:
        """The match that is being played."""
        return self.spans[-1]

    def take(self, event_id: int, epoch: str, event: Event) -> MatchSpan:
        """The match that the next event belongs to."""
        if isinstance(event, DealStarted):
            self.start_deal(event_id, epoch, event.deal)
        elif isinstance(event, CardPlayed):
            self._is_played = True
        return self.current

    def played_before(self) -> None:
        """Cards were played whose deal nobody saw start."""
        self._is_played = True

    def start_deal(self, event_id: int, epoch: str, deal: int) -> None:
        """A deal starts; the first of a new match begins another span."""
        if deal == 1 and (self._highest_deal > 1 or epoch != self._epoch_of_start):
            if self._is_played:
                number = self.current.number + 1
                self.spans.append(MatchSpan(f"{self._table}.{number}", number, event_id))
            self._highest_deal = 0
            self._epoch_of_start = epoch
        self._is_played = True
        self._highest_deal = max(self._highest_deal, deal)


def in_order(logged: Sequence[LoggedEvent]) -> tuple[LoggedEvent, ...]:
    """The events of one match in the order in which they are folded.

    A table's own events stay in the order in which it told them. What was written at the venue stands where
    it was written, behind those events that had happened by then and only arrived later; never behind a deal
    that starts, since that may be the deal dealt again because of it.
    """
    if not any(one.is_written_at_venue for one in logged):
        return tuple(logged)
    ordered: list[LoggedEvent] = []
    waiting: list[LoggedEvent] = []
    for one in logged:
        if one.is_written_at_venue:
            waiting.append(one)
            continue
        passed = 0
        while passed < len(waiting) and not _happened_before(one.event, waiting[passed].event):
            passed += 1
        ordered += waiting[:passed]
        del waiting[:passed]
        ordered.append(one)
    return tuple(ordered + waiting)


def _happened_before(late: Event, written: Event) -> bool:
    return not isinstance(late, DealStarted) and late.time_utc <= written.time_utc
