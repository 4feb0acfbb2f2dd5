"""What a film consists of: what lies where and when, which arms come in with which cards, what happens.

Distances are millimetres on the table (x to the east, y to the south, origin in the middle), times are
seconds of film. North sits at the top of the picture. A script holds no picture: cards lying still
(:class:`Rest`) and arms that come in and go out again (:class:`Reach`), some with cards in hand
(:class:`Held`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from capture.simulator.camera import Extent, Pose
from capture.simulator.layouts import CARD_HEIGHT, CARD_WIDTH
from rules import Card, Seat, Team

CARD_EXTENT: Final = Extent.centred(CARD_WIDTH, CARD_HEIGHT)

JOIN_S: Final = 0.22
"""How long a card takes to slide from where it lay into the hand that gathers it."""

TURN_OVER_S: Final = 0.3
"""How long the turning over of a gathered trick takes."""

SHOULDERS: Final = {
    Seat.NORTH: (-110.0, -640.0),
    Seat.EAST: (800.0, -110.0),
    Seat.SOUTH: (110.0, 640.0),
    Seat.WEST: (-800.0, 110.0),
}
"""Where each player's arm comes from."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A card that lies still for a while; ``card`` is None for a back whose card is not known."""

    card: Card | None
    pose: Pose
    face_up: bool
    from_s: float
    until_s: float = float("inf")


@dataclass(frozen=True, slots=True)
class Held:
    """A card in a moving hand.

    offset: its place in the hand's own coordinates.
    joined_from: where it lay before the hand took it; it slides from there within :data:`JOIN_S`.
    turned_at_s: when it begins to be turned over, if it is.
    """

    card: Card | None
    face_up: bool
    offset: Pose
    from_s: float
    until_s: float
    joined_from: Pose | None = None
    turned_at_s: float | None = None


@dataclass(frozen=True, slots=True)
class Station:
    """Where a hand is at a time; between two stations it moves smoothly."""

    time_s: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Reach:
    """An arm coming in from ``seat`` and going out again; ``pinches``: cards are held under the thumb."""

    seat: Seat
    stations: tuple[Station, ...]
    held: tuple[Held, ...] = ()
    pinches: bool = True

    @property
    def from_s(self) -> float:
        """When the arm starts."""
        return self.stations[0].time_s

    @property
    def until_s(self) -> float:
        """When it is gone."""
        return self.stations[-1].time_s

    def hand_pose(self, time_s: float) -> Pose:
        """Where the hand is and how it is turned; its arm points to the player's shoulder."""
        return aimed(self.seat, *self._place(time_s))

    def _place(self, time_s: float) -> tuple[float, float]:
        last = self.stations[0]
        for station in self.stations[1:]:
            if time_s < station.time_s:
                share = _smooth((time_s - last.time_s) / (station.time_s - last.time_s))
                return last.x + (station.x - last.x) * share, last.y + (station.y - last.y) * share
            last = station
        return last.x, last.y


class Happening(Enum):
    """What a film's truth tells besides where cards are."""

    DEAL_STARTED = "deal started"
    PASSED = "passed"
    TRUMP_DECLARED = "trump declared"
    CARD_PLAYED = "card played"
    TRICK_COVERED = "trick covered"
    DEAL_CLOSED = "deal closed"


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened at a time; the fields that don't apply are None.

    deal counts from 0 within the film, trick and position from 1.
    """

    happening: Happening
    time_s: float
    deal: int
    seat: Seat | None = None
    trick: int | None = None
    position: int | None = None
    card: Card | None = None
    team: Team | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """A whole film: what lies, what moves, what happens, how long it lasts."""

    rests: tuple[Rest, ...]
    reaches: tuple[Reach, ...]
    moments: tuple[Moment, ...]
    length_s: float
    pile_places: tuple[Pose, Pose]


def combined(outer: Pose, inner: Pose) -> Pose:
    """Where ``inner``, given in the coordinates of ``outer``, lies on the table."""
    cosine, sine = float(np.cos(outer.turn)), float(np.sin(outer.turn))
    return Pose(
        outer.x + cosine * inner.x - sine * inner.y,
        outer.y + sine * inner.x + cosine * inner.y,
        outer.turn + inner.turn,
    )


def relative(outer: Pose, placed: Pose) -> Pose:
    """``placed`` in the coordinates of ``outer``: the inverse of :func:`combined`."""
    cosine, sine = float(np.cos(outer.turn)), float(np.sin(outer.turn))
    across, down = placed.x - outer.x, placed.y - outer.y
    return Pose(cosine * across + sine * down, -sine * across + cosine * down, placed.turn - outer.turn)


def between(first: Pose, second: Pose, share: float) -> Pose:
    """A pose on the way; a card turns the short way round, half turns counting as nothing."""
    turn = (second.turn - first.turn + np.pi / 2) % np.pi - np.pi / 2
    return Pose(
        first.x + (second.x - first.x) * share,
        first.y + (second.y - first.y) * share,
        first.turn + float(turn) * share,
    )


def _smooth(share: float) -> float:
    kept = min(1.0, max(0.0, share))
    return kept * kept * (3 - 2 * kept)


def held_pose(held: Held, hand: Pose, time_s: float) -> Pose:
    """Where a held card is when its hand is at ``hand``."""
    pose = combined(hand, held.offset)
    if held.joined_from is None:
        return pose
    return between(held.joined_from, pose, _smooth((time_s - held.from_s) / JOIN_S))


def turning(held: Held, time_s: float) -> tuple[float, bool]:
    """How wide the card looks (0.06 to 1) and whether its face is up, while it is turned over."""
    if held.turned_at_s is None:
        return 1.0, held.face_up
    share = min(1.0, max(0.0, (time_s - held.turned_at_s) / TURN_OVER_S))
    face_up = held.face_up if share < 0.5 else not held.face_up
    return max(0.06, abs(float(np.cos(np.pi * share)))), face_up


def aimed(seat: Seat, x: float, y: float) -> Pose:
    """A hand of ``seat`` at a place, its arm pointing to the shoulder."""
    to_x, to_y = SHOULDERS[seat][0] - x, SHOULDERS[seat][1] - y
    return Pose(x, y, float(np.arctan2(-to_x, to_y)))
