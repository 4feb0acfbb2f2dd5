"""One card being followed: where it lies, and what it is by the looks at it while it lay still."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

import numpy as np

from detector.types import CardDetection, FloatArray, Side
from tracker.name_evidence import LogProbs, NameEvidence, agreement, softened
from tracker.quads import Point, distance


@dataclass(frozen=True, slots=True)
class SightingSettings:
    """What counts as lying still and as the same card: lengths in card widths, times in seconds."""

    least_score: float = 0.25
    settle_s: float = 0.29
    settle_sightings: int = 3
    still_radius: float = 0.22
    same_place: float = 0.5
    exact_place: float = 0.3
    left_its_place: float = 1.0
    still_reach: float = 0.6
    fastest: float = 9.0
    longest_reach: float = 2.5
    slide_under_a_hand: float = 3.0
    conflict: float = -4.5
    momentary_s: float = 0.35
    same_card_overlap: float = 0.75
    forget_unsettled_s: float = 0.7
    forget_settled_s: float = 120.0
    look_interval_s: float = 0.1
    lost_on_its_way_s: float = 0.5


@dataclass(frozen=True, slots=True)
class Sighting:
    """One card as followed so far.

    identifier: from 0, in the order in which cards came into view.
    side: face or back.
    log_probs: (33,) natural logarithms over the names, from all looks while it lay still.
    looks: how many looks there were, weighted: one each tenth of a second at most, less when partly covered,
        none for a detection given again for a frame in which nothing moved.
    lain: the same without regard to what each is worth: for how many tenths of a second it was seen lying.
    first_seen_s: when it came into view, moving or not.
    settled_s: when it first lay still; None while it has not.
    settled_at: (x, y) in pixels where it first lay still; None while it has not.
    place: (x, y) in pixels where it lies now, or lay last.
    last_seen_s, last_in_place_s: when it was last seen at all, and last seen near where it first settled.
    first_point, last_point: (x, y) in pixels where it was seen first and last, moving or not.
    came_from: (x, y) in pixels where this card was seen first on its way; a card that moves fast is lost
        between frames, and is then known again by its name.
    quad: (4, 2) pixels, as seen last.
    """

    identifier: int
    side: Side
    log_probs: LogProbs
    looks: float
    lain: float
    first_seen_s: float
    settled_s: float | None
    settled_at: Point | None
    place: Point
    last_seen_s: float
    last_in_place_s: float
    first_point: Point
    last_point: Point
    came_from: Point
    quad: FloatArray


@dataclass(frozen=True, slots=True)
class Seen:
    """One detection with what is needed of it more than once. name: (33,), softened."""

    side: Side
    quad: FloatArray
    centre: Point
    score: float
    name: LogProbs
    detection: CardDetection

    @classmethod
    def of(cls, card: CardDetection) -> Seen:
        return cls(card.side, card.quad, card.centre, card.score, softened(card.log_probs), card)


NEVER: Final = 1e6
"""The cost of a pairing that cannot be."""

_LEAVING: Final = 1.5
"""What it costs to take a card that lay in its place for one elsewhere, in card widths of another's way."""

_MOMENTS_KEPT: Final = 40


@dataclass(frozen=True, slots=True)
class _Moment:
    time_s: float
    centre: Point


@dataclass(frozen=True, slots=True)
class _Look:
    """A detection of a card, to be used once it is known to have lain still. share: of a look interval."""

    time_s: float
    centre: Point
    name: LogProbs
    weight: float
    share: float


@dataclass(slots=True)
class CardTrack:
    """One card being followed."""

    identifier: int
    side: Side
    first_seen_s: float
    came_from: Point
    first_point: Point | None = None
    last_seen_s: float = 0.0
    last_in_place_s: float = 0.0
    lay_there_s: float = 0.0
    settled_s: float | None = None
    settled_at: Point | None = None
    place: Point | None = None
    evidence: NameEvidence = field(default_factory=NameEvidence)
    moments: deque[_Moment] = field(default_factory=lambda: deque(maxlen=_MOMENTS_KEPT))
    waiting: list[_Look] = field(default_factory=list)
    lain: float = 0.0
    detection: CardDetection | None = None
    quad: FloatArray = field(default_factory=lambda: np.zeros((4, 2), dtype=np.float32))

    def cost(
        self, time_s: float, card: Seen, name: LogProbs, width: float, settings: SightingSettings
    ) -> float:
        """How little ``card`` looks like this one, known as ``name`` so far; at most :data:`NEVER`."""
        away = self._distance_to(time_s, card.centre) / width
        if away > max(settings.longest_reach, settings.slide_under_a_hand):
            return NEVER
        agreed = agreement(name, card.name) if self.side is Side.FACE else 0.0
        unseen_s = time_s - self.last_seen_s
        if agreed < settings.conflict and (unseen_s > settings.momentary_s or away > settings.exact_place):
            return NEVER
        if away > self._reach(unseen_s, agreed, settings):
            return NEVER
        return away - _NAME_WEIGHT * agreed + self._cost_of_leaving(time_s, card.centre, width, settings)

    def _cost_of_leaving(
        self, time_s: float, point: Point, width: float, settings: SightingSettings
    ) -> float:
        """A card that lay in its place a moment ago is mostly still there."""
        if self.place is None or time_s - self.lay_there_s > settings.momentary_s:
            return 0.0
        return _LEAVING if distance(self.place, point) > settings.same_place * width else 0.0

    def _distance_to(self, time_s: float, point: Point) -> float:
        """To where it was last, where it would be had it moved on, or where it lay: the nearest."""
        last = self.moments[-1].centre
        candidates = [last, self._moved_on(time_s)]
        if self.place is not None:
            candidates.append(self.place)
        return min(distance(candidate, point) for candidate in candidates)

    def _moved_on(self, time_s: float) -> Point:
        if len(self.moments) < 2:
            return self.moments[-1].centre
        before, last = self.moments[-2], self.moments[-1]
        steps = min(time_s - last.time_s, _LONGEST_PREDICTION_S) / max(last.time_s - before.time_s, 1e-3)
        return (
            last.centre[0] + steps * (last.centre[0] - before.centre[0]),
            last.centre[1] + steps * (last.centre[1] - before.centre[1]),
        )

    def _reach(self, unseen_s: float, agreed: float, settings: SightingSettings) -> float:
        if self.side is Side.FACE and self.settled_s is not None and agreed > _SURELY_THE_SAME:
            return settings.slide_under_a_hand
        if self.settled_s is not None and agreed < _HARDLY_THE_SAME:
            return settings.still_reach
        return min(settings.still_reach + settings.fastest * unseen_s, settings.longest_reach)

    def name_so_far(self) -> LogProbs:
        """(33,): what it is by the looks that count, or by those at hand while none counts yet."""
        if self.evidence.weight > 0 or not self.waiting:
            return self.evidence.log_probs()
        looks = NameEvidence()
        for look in self.waiting:
            looks.add(look.name, look.weight)
        return looks.log_probs()

    def see(self, time_s: float, card: Seen, width: float, weight: float, settings: SightingSettings) -> None:
        """Take in the detection of this card in one frame."""
        share = self._time_share(time_s, settings)
        # A reader that looks only where something moved hands out the same detection again: no new look.
        weight *= 0.0 if card.detection is self.detection else share
        self.detection = card.detection
        self.last_seen_s = time_s
        self.quad = card.quad
        self.first_point = self.first_point or card.centre
        self.moments.append(_Moment(time_s, card.centre))
        self.waiting.append(_Look(time_s, card.centre, card.name, weight, share))
        if self.place is None or distance(self.place, card.centre) > settings.same_place * width:
            self._settle_if_still(time_s, width, settings)
        if self.place is not None and distance(self.place, card.centre) <= settings.same_place * width:
            self.lay_there_s = time_s
        self._use_waiting_looks(time_s, width, settings)
        near = settings.left_its_place * width
        if self.settled_at is not None and distance(self.settled_at, card.centre) <= near:
            self.last_in_place_s = time_s

    def _time_share(self, time_s: float, settings: SightingSettings) -> float:
        """Frames closer together than the look interval count for less: they show the same."""
        if not self.moments:
            return 1.0
        return min(1.0, (time_s - self.moments[-1].time_s) / settings.look_interval_s)

    def _settle_if_still(self, time_s: float, width: float, settings: SightingSettings) -> None:
        recent = [moment for moment in self.moments if moment.time_s >= time_s - 2 * settings.settle_s]
        while len(recent) >= settings.settle_sightings:
            middle = _median([moment.centre for moment in recent])
            far = [distance(moment.centre, middle) > settings.still_radius * width for moment in recent]
            if not any(far):
                break
            recent = recent[1:]
        if len(recent) < settings.settle_sightings:
            return
        if recent[-1].time_s - recent[0].time_s < settings.settle_s - _TIME_SLACK_S:
            return
        self.place = _median([moment.centre for moment in recent])
        if self.settled_s is None:
            self.settled_s, self.settled_at = recent[0].time_s, self.place

    def _use_waiting_looks(self, time_s: float, width: float, settings: SightingSettings) -> None:
        """Looks count when the card lay where it settled; moving ones, and old ones, are dropped."""
        later: list[_Look] = []
        for look in self.waiting:
            if self.place is not None and distance(look.centre, self.place) <= settings.same_place * width:
                self.lain += look.share
                if self.side is Side.FACE:
                    self.evidence.add(look.name, look.weight)
            elif time_s - look.time_s < 2 * settings.settle_s:
                later.append(look)
        self.waiting = later

    def sighting(self) -> Sighting:
        """This card as it stands."""
        last = self.moments[-1].centre
        return Sighting(
            identifier=self.identifier,
            side=self.side,
            log_probs=self.evidence.log_probs(),
            looks=self.evidence.weight,
            lain=self.lain,
            first_seen_s=self.first_seen_s,
            settled_s=self.settled_s,
            settled_at=self.settled_at,
            place=self.place or last,
            last_seen_s=self.last_seen_s,
            last_in_place_s=self.last_in_place_s,
            first_point=self.first_point or last,
            last_point=last,
            came_from=self.came_from,
            quad=self.quad,
        )


_NAME_WEIGHT: Final = 0.12
_LONGEST_PREDICTION_S: Final = 0.3
_SURELY_THE_SAME: Final = -0.35
_HARDLY_THE_SAME: Final = -2.0
_TIME_SLACK_S: Final = 0.005


def _median(points: Sequence[Point]) -> Point:
    return median(x for x, _ in points), median(y for _, y in points)
