"""The cards of a trick as they lie on the table, and what is set of how they are watched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tracker.card_track import Sighting
from tracker.name_evidence import LogProbs, normalised
from tracker.quads import Point
from tracker.seat_evidence import Degrees

CARDS_IN_A_TRICK: Final = 4


@dataclass(frozen=True, slots=True)
class TrickSettings:
    """When a card counts and when a trick is over: times in seconds, lengths in card widths."""

    gone_s: float = 0.5
    gone_frames: int = 3
    mostly_gone_s: float = 1.0
    three_gone_s: float = 1.2
    two_gone_s: float = 2.5
    taken_back_s: float = 0.6
    shown_looks: float = 3.0
    lingering_s: float = 1.5
    least_lain: float = 1.5
    same_card: float = -0.9
    not_the_same: float = -4.5
    two_cards_apart: float = 1.2
    another_place: float = 0.25
    same_place: float = 0.6
    no_seat_left: float = 7.0
    gathered_from_centre: float = 1.5
    table_free_s: float = 1.0
    piles_gone_s: float = 0.5
    piles_ignored_after_s: float = 6.0


@dataclass(slots=True)
class LaidSlot:
    """One card of a trick. parts: the sightings that are this one card, by identifier.

    laid_at: (x, y) in pixels where it was laid; laid_s: when. way: how far it came from each seat's
    direction, None when it was not seen coming. taken_back: sightings of a card that lay here before and
    was taken back.
    """

    laid_at: Point
    laid_s: float
    parts: dict[int, Sighting]
    taken_back: list[Sighting] = field(default_factory=list)
    way: Degrees | None = None

    @property
    def log_probs(self) -> LogProbs:
        """(33,) natural logarithms over the names, of all parts together."""
        return normalised(np.sum([part.log_probs for part in self.parts.values()], axis=0))

    @property
    def lain(self) -> float:
        """For how many tenths of a second this card was seen lying."""
        return sum(part.lain for part in self.parts.values())

    @property
    def first_seen_s(self) -> float:
        """When the card came into view."""
        return min(part.first_seen_s for part in self.parts.values())

    @property
    def last_in_place_s(self) -> float:
        """When the card was last seen where it lay."""
        return max(part.last_in_place_s for part in self.parts.values())


@dataclass(slots=True)
class WatchedTrick:
    """The cards of one trick in the order in which they were laid.

    covered_s: when it was gathered. went_to: (x, y) in pixels where its cards were seen last, on their way.
    """

    slots: list[LaidSlot] = field(default_factory=list)
    covered_s: float | None = None
    went_to: list[Point] = field(default_factory=list)
