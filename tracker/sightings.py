"""From the detections of single frames to cards that lie on the table.

Each frame's detections are joined to the cards already followed, by place and by name together, and the best
joint pairing is taken. A card *settles* once it has lain still for a moment; only then does it count, and
only looks at it while it lies still say what it is. A card that is covered by a hand, or missed by the
detector, keeps its place; a card that slides stays the same card. Two detections on one card are one.

Identifiers are counted from 0 within one :class:`Sightings`: the same detections give the same sightings,
whatever ran before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from detector.types import CardDetection, Side
from tracker.card_track import NEVER, CardTrack, Seen, Sighting, SightingSettings
from tracker.name_evidence import agreement
from tracker.quads import Point, covered_share, distance, may_be_one_card, overlap, width_of


class Sightings:
    """Follows the cards of one film; feed it each frame's detections in order of time."""

    def __init__(self, settings: SightingSettings | None = None) -> None:
        """Start with an empty table."""
        self._settings = settings or SightingSettings()
        self._tracks: list[CardTrack] = []
        self._next_identifier = 0
        self._widths: deque[float] = deque(maxlen=200)

    @property
    def card_width(self) -> float:
        """The usual width of a card in this film, in pixels; 0 while no card has been seen."""
        return float(np.median(self._widths)) if self._widths else 0.0

    def update(self, time_s: float, detections: Sequence[CardDetection]) -> tuple[Sighting, ...]:
        """Take in one frame and give every card followed, in the order of their identifiers."""
        seen = [Seen.of(card) for card in detections if card.score >= self._settings.least_score]
        self._widths.extend(width_of(card.quad) for card in seen)
        width = self.card_width
        seen, doubles = _parted(seen, width, self._settings)
        seen, matched = self._matched(time_s, seen, doubles, width)
        weights = self._look_weights(seen, matched, width)
        for index, card in enumerate(seen):
            track = matched.get(index)
            if track is None:
                track = self._new_track(card, time_s)
            track.see(time_s, card, width, weights[index], self._settings)
        self._forget_old(time_s)
        return tuple(track.sighting() for track in self._tracks)

    def forget(self, identifiers: set[int]) -> None:
        """Stop following these cards: they were gathered."""
        self._tracks = [track for track in self._tracks if track.identifier not in identifiers]

    def _new_track(self, card: Seen, time_s: float) -> CardTrack:
        track = CardTrack(self._next_identifier, card.side, time_s, self._came_from(card, time_s))
        self._next_identifier += 1
        self._tracks.append(track)
        return track

    def _came_from(self, card: Seen, time_s: float) -> Point:
        """Where a card that comes into view was just before, when it moves too fast to be followed."""
        for track in self._tracks if card.side is Side.FACE else ():
            lost_s = time_s - track.last_seen_s
            lost = track.settled_s is None and 0 < lost_s <= self._settings.lost_on_its_way_s
            if lost and track.side is Side.FACE and agreement(track.name_so_far(), card.name) > _SAME_CORNERS:
                return track.came_from
        return card.centre

    def _forget_old(self, time_s: float) -> None:
        settings = self._settings
        self._tracks = [
            track
            for track in self._tracks
            if time_s - track.last_seen_s
            <= (settings.forget_unsettled_s if track.settled_s is None else settings.forget_settled_s)
        ]

    def _matched(
        self, time_s: float, seen: list[Seen], doubles: list[Seen], width: float
    ) -> tuple[list[Seen], dict[int, CardTrack]]:
        """Which card each detection is, by the cheapest joint pairing: the detections, and cards by index.

        Of the ``doubles`` only those are given that are a card followed before: two cards that overlap, one
        of which is named as the other in this frame, stay two.
        """
        if not seen or not self._tracks:
            return seen, {}
        every = seen + doubles
        costs = np.full((len(every), len(self._tracks) + len(every)), NEVER)
        # A detection may be a new card: else two would change places to make room for it.
        costs[: len(seen), len(self._tracks) :] = _NEW_CARD
        costs[len(seen) :, len(self._tracks) :] = _DOUBLE_AFTER_ALL
        for column, track in enumerate(self._tracks):
            name = track.name_so_far()
            for row, card in enumerate(every):
                if card.side is track.side:
                    costs[row, column] = track.cost(time_s, card, name, width, self._settings)
        _, columns = linear_sum_assignment(costs)
        kept = [row for row in range(len(every)) if row < len(seen) or columns[row] < len(self._tracks)]
        cards = {
            index: self._tracks[columns[row]]
            for index, row in enumerate(kept)
            if columns[row] < len(self._tracks)
        }
        return [every[row] for row in kept], cards

    def _look_weights(self, seen: Sequence[Seen], matched: dict[int, CardTrack], width: float) -> list[float]:
        """How much each detection's name is worth: less where a card that came later lies over it."""
        ages = [matched[i].identifier if i in matched else self._next_identifier for i in range(len(seen))]
        return [
            1.0 - _COVERED_LOSES * _covered(card, age, seen, ages, width)
            for card, age in zip(seen, ages, strict=True)
        ]


def _covered(card: Seen, age: int, seen: Sequence[Seen], ages: Sequence[int], width: float) -> float:
    """The largest share of ``card`` that lies under one that came later."""
    return max(
        (
            covered_share(card.quad, other.quad)
            for other, other_age in zip(seen, ages, strict=True)
            if other_age > age and distance(card.centre, other.centre) < _CARD_DIAGONAL * width
        ),
        default=0.0,
    )


_NEW_CARD: Final = 2.6
"""What it costs to take a detection for a card not seen before, in card widths of another's way."""

_DOUBLE_AFTER_ALL: Final = 0.7
"""The same for taking one of two detections on one card for nothing else."""

_COVERED_LOSES: Final = 0.8
_CARD_DIAGONAL: Final = 1.9


def _parted(seen: Sequence[Seen], width: float, settings: SightingSettings) -> tuple[list[Seen], list[Seen]]:
    """The surest of the detections that lie on one another or show one card's corners, and the others."""
    kept: list[Seen] = []
    doubles: list[Seen] = []
    for card in sorted(seen, key=lambda card: -card.score):
        is_double = any(_is_same_card(card, other, width, settings) for other in kept)
        (doubles if is_double else kept).append(card)
    return kept, doubles


def _is_same_card(card: Seen, other: Seen, width: float, settings: SightingSettings) -> bool:
    away = distance(card.centre, other.centre) / width
    if card.side is not other.side or away > _CARD_DIAGONAL:
        return False
    if card.side is Side.FACE and agreement(card.name, other.name) > _SAME_CORNERS:
        return may_be_one_card(card.quad, other.quad)
    return away < 1.0 and overlap(card.quad, other.quad) > settings.same_card_overlap


_SAME_CORNERS: Final = float(np.log(0.6))
