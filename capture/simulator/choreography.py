"""Where every card and every hand is at every moment of a film: the play of whole deals made into a script.

Distances are millimetres on the table (x to the east, y to the south, origin in the middle), times are
seconds of film.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from capture.simulator._pixels import Pixels
from capture.simulator.camera import Extent, Pose, corners_on_table
from capture.simulator.deals import CARDS_EACH, PlayedDeal
from capture.simulator.layouts import CARD_HEIGHT
from capture.simulator.script import (
    CARD_EXTENT,
    SHOULDERS,
    TURN_OVER_S,
    Happening,
    Held,
    Moment,
    Reach,
    Rest,
    Script,
    Station,
    aimed,
    relative,
)
from rules import CLOCKWISE, Card, Play, Seat, Team

_HOMES: Final = {
    Seat.NORTH: (-60.0, -470.0),
    Seat.EAST: (680.0, -50.0),
    Seat.SOUTH: (60.0, 470.0),
    Seat.WEST: (-680.0, 50.0),
}
_OUTWARDS: Final = {
    Seat.NORTH: (0.0, -1.0),
    Seat.EAST: (1.0, 0.0),
    Seat.SOUTH: (0.0, 1.0),
    Seat.WEST: (-1.0, 0.0),
}
_PACKET_REACH: Final = {Seat.NORTH: 185.0, Seat.EAST: 300.0, Seat.SOUTH: 185.0, Seat.WEST: 300.0}
_PACKETS: Final = (3, 2, 3)
_INDEX_SIZE: Final = (14.0, 26.0)
"""Width and height of a card's corner that holds its index."""


@dataclass(frozen=True, slots=True)
class Neatness:
    """How neatly the players of a film lay their cards.

    most_covered: no card of a trick has more than this share under the later ones.
    reach: how far from the middle they lay them, as a share of what most people do.
    """

    most_covered: float = 0.4
    reach: float = 1.0


NEAT: Final = Neatness()


def make_script(
    rng: np.random.Generator,
    deals: Sequence[PlayedDeal],
    neatness: Neatness = NEAT,
    dealt_in_vain: Collection[int] = (),
) -> Script:
    """The film of the ``deals`` one after another; the same generator state gives the same script.

    dealt_in_vain: before which deals, counted from 0, cards are dealt of which nobody plays one: the hands
        are laid down again, taken together and dealt anew, as after a wrong dealing or when all have passed.
    """
    choreographer = _Choreographer(rng, neatness)
    for number, deal in enumerate(deals):
        if number in dealt_in_vain:
            choreographer.deal_in_vain(deal.dealer)
        choreographer.film(number, deal)
    return choreographer.script()


@dataclass(slots=True)
class _Habits:
    """How one player lays cards: how far from the middle, how much aside, how turned."""

    reach: float
    aside: float
    turn: float


@dataclass(slots=True)
class _Pile:
    """Where one team's tricks lie and which of them keeps it."""

    owner: Seat
    place: Pose
    fan: tuple[float, float]
    lying: list[int] = field(default_factory=list)


class _Choreographer:
    def __init__(self, rng: np.random.Generator, neatness: Neatness) -> None:
        self.rng = rng
        self.neatness = neatness
        self.clock = 0.5
        self.rests: list[Rest] = []
        self.reaches: list[Reach] = []
        self.moments: list[Moment] = []
        self.spread = float(rng.uniform(0, 1))
        self.habits = {seat: self._habits(seat) for seat in CLOCKWISE}
        self.piles = self._choose_piles()

    def script(self) -> Script:
        places = self.piles[Team.NORTH_SOUTH].place, self.piles[Team.EAST_WEST].place
        return Script(tuple(self.rests), tuple(self.reaches), tuple(self.moments), self.clock + 0.6, places)

    def film(self, number: int, deal: PlayedDeal) -> None:
        self._tell(Happening.DEAL_STARTED, number, seat=deal.dealer)
        self._deal_packets(deal.dealer)
        self._take_up_hands(deal.dealer)
        for seat in deal.passes:
            self.clock += float(self.rng.uniform(0.6, 1.0))
            self._tell(Happening.PASSED, number, seat=seat)
        self.clock += float(self.rng.uniform(0.8, 1.6))
        self._tell(Happening.TRUMP_DECLARED, number, seat=deal.declarer)
        for index, (plays, winner) in enumerate(zip(deal.tricks, deal.winners, strict=True), start=1):
            lying = self._play_trick(number, index, plays)
            self._gather(number, index, lying, winner.team)
        self.clock += 0.5
        self._tell(Happening.DEAL_CLOSED, number)
        self._take_piles_away()

    def deal_in_vain(self, dealer: Seat) -> None:
        """Cards are dealt and taken up, laid down again by all four, and taken together by the dealer."""
        self._deal_packets(dealer)
        self._take_up_hands(dealer)
        self.clock += float(self.rng.uniform(2.0, 4.0))
        for seat in CLOCKWISE:
            self._lay_hand_down(seat)
        self.clock += 1.0
        for seat in CLOCKWISE:
            self.clock = self._take_away(dealer, self.packets[seat], self._packet_place(seat), self.clock)
        self.clock += float(self.rng.uniform(1.5, 2.5))

    def _lay_hand_down(self, seat: Seat) -> None:
        start, place = self.clock, self._packet_place(seat)
        there, back = start + 0.45, start + 0.9
        hand = aimed(seat, place.x, place.y)
        poses = [self._on_pile(Pose(place.x, place.y, hand.turn)) for _ in range(CARDS_EACH)]
        held = tuple(Held(None, False, relative(hand, pose), start, there) for pose in poses)
        self.packets[seat] = [self._lie(None, pose, False, there) for pose in poses]
        home = _HOMES[seat]
        stations = (Station(start, *home), Station(there, place.x, place.y), Station(back, *home))
        self.reaches.append(Reach(seat, stations, held))
        self.clock = start + 0.3

    def _habits(self, seat: Seat) -> _Habits:
        rng = self.rng
        sideways = seat in (Seat.EAST, Seat.WEST)
        reach = (55 + 45 * self.spread if sideways else 42 + 38 * self.spread) + float(rng.normal(0, 5))
        return _Habits(reach, float(rng.normal(0, 8)), float(rng.normal(0, 0.15)))

    def _choose_piles(self) -> dict[Team, _Pile]:
        rng = self.rng
        south = bool(rng.random() < 0.5)
        east = bool(rng.random() < 0.5)
        across = float(rng.choice([-1, 1]))
        down = float(rng.choice([-1, 1]))
        vertical = Pose(
            across * float(rng.uniform(150, 185)), (1 if south else -1) * 175.0, float(rng.normal(0, 0.1))
        )
        horizontal = Pose(
            (1 if east else -1) * float(rng.uniform(300, 345)),
            down * float(rng.uniform(95, 125)),
            np.pi / 2 + float(rng.normal(0, 0.1)),
        )
        return {
            Team.NORTH_SOUTH: _Pile(
                Seat.SOUTH if south else Seat.NORTH, vertical, (across * float(rng.uniform(3, 9)), 0.0)
            ),
            Team.EAST_WEST: _Pile(
                Seat.EAST if east else Seat.WEST, horizontal, (0.0, down * float(rng.uniform(2, 6)))
            ),
        }

    def _tell(
        self,
        happening: Happening,
        deal: int,
        *,
        time_s: float | None = None,
        seat: Seat | None = None,
        trick: int | None = None,
        position: int | None = None,
        card: Card | None = None,
        team: Team | None = None,
    ) -> None:
        when = self.clock if time_s is None else time_s
        self.moments.append(Moment(happening, when, deal, seat, trick, position, card, team))

    def _lie(self, card: Card | None, pose: Pose, face_up: bool, from_s: float) -> int:
        self.rests.append(Rest(card, pose, face_up, from_s))
        return len(self.rests) - 1

    def _pick_up(self, index: int, at_s: float) -> Rest:
        self.rests[index] = replace(self.rests[index], until_s=at_s)
        return self.rests[index]

    # Dealing

    def _deal_packets(self, dealer: Seat) -> None:
        """Packets of 3-2-3, from the dealer's left round to the dealer, three times."""
        home = _HOMES[dealer]
        self.packets: dict[Seat, list[int]] = {seat: [] for seat in CLOCKWISE}
        stations = [Station(self.clock, *home)]
        held: list[Held] = []
        for size in _PACKETS:
            seat = dealer
            for _ in range(4):
                seat = seat.left
                there, back = self.clock + 0.26, self.clock + 0.46
                held += self._deal_packet(dealer, seat, size, there)
                place = self._packet_place(seat)
                stations += [Station(there, place.x, place.y), Station(back, *home)]
                self.clock = back
        self.reaches.append(Reach(dealer, tuple(stations), tuple(held)))
        self.clock += 0.3

    def _packet_place(self, seat: Seat) -> Pose:
        reach = _PACKET_REACH[seat]
        return Pose(_OUTWARDS[seat][0] * reach, _OUTWARDS[seat][1] * reach)

    def _deal_packet(self, dealer: Seat, seat: Seat, size: int, there: float) -> list[Held]:
        place = self._packet_place(seat)
        hand = aimed(dealer, place.x, place.y)
        held = []
        turn = float(self.rng.normal(0, 0.2)) + hand.turn
        shift = self.rng.normal(0, 7, 2)
        for _ in range(size):
            pose = Pose(
                place.x + float(shift[0] + self.rng.normal(0, 2)),
                place.y + float(shift[1] + self.rng.normal(0, 2)),
                turn + float(self.rng.normal(0, 0.05)),
            )
            held.append(Held(None, False, relative(hand, pose), self.clock, there))
            self.packets[seat].append(self._lie(None, pose, False, there))
        return held

    def _take_up_hands(self, dealer: Seat) -> None:
        seat = dealer
        latest = self.clock
        for turn in range(4):
            seat = seat.left
            start = self.clock + turn * 0.3
            latest = self._take_away(seat, self.packets[seat], self._packet_place(seat), start)
        self.clock = latest

    def _take_away(self, seat: Seat, lying: list[int], place: Pose, start: float) -> float:
        """A hand fetches a stack of backs; when it is gone."""
        reached, gone = start + 0.45, start + 1.0
        hand = aimed(seat, place.x, place.y)
        held = []
        for index in lying:
            rest = self._pick_up(index, reached)
            held.append(Held(rest.card, rest.face_up, relative(hand, rest.pose), reached, gone))
        home = _HOMES[seat]
        stations = (Station(start, *home), Station(reached, place.x, place.y), Station(gone, *home))
        self.reaches.append(Reach(seat, stations, tuple(held)))
        return gone

    # Playing

    def _play_trick(self, deal: int, number: int, plays: Sequence[Play]) -> list[int]:
        lying: list[int] = []
        for position, play in enumerate(plays, start=1):
            pose = self._lay_pose(play.seat, [self.rests[index].pose for index in lying])
            arrived = self._bring(play, pose)
            lying.append(self._lie(play.card, pose, True, arrived))
            self._tell(
                Happening.CARD_PLAYED,
                deal,
                time_s=arrived,
                seat=play.seat,
                trick=number,
                position=position,
                card=play.card,
            )
            self.clock = arrived + float(self.rng.uniform(0.1, 0.6))
        return lying

    def _bring(self, play: Play, pose: Pose) -> float:
        """A hand brings the card to ``pose``; when it lies there."""
        start = self.clock
        arrived = start + float(self.rng.uniform(0.38, 0.6))
        gone = arrived + float(self.rng.uniform(0.35, 0.5))
        own = np.array([-np.sin(pose.turn), np.cos(pose.turn)])
        towards = np.array(SHOULDERS[play.seat]) - (pose.x, pose.y)
        own = own if own @ towards > 0 else -own
        grip = np.array([pose.x, pose.y]) + own * (CARD_HEIGHT / 2 - float(self.rng.uniform(0, 12)))
        hand = aimed(play.seat, float(grip[0]), float(grip[1]))
        home = _HOMES[play.seat]
        stations = (Station(start, *home), Station(arrived, hand.x, hand.y), Station(gone, *home))
        held = Held(play.card, True, relative(hand, pose), start, arrived)
        self.reaches.append(Reach(play.seat, stations, (held,)))
        return arrived

    def _lay_pose(self, seat: Seat, earlier: Sequence[Pose]) -> Pose:
        """Where ``seat`` lays a card: mostly by habit, never so that an earlier card can't be read."""
        pose = self._by_habit(seat, 0.0)
        for attempt in range(60):
            pose = self._by_habit(seat, attempt * 0.8)
            if all_readable([*earlier, pose], self.neatness.most_covered):
                break
        return pose

    def _by_habit(self, seat: Seat, further: float) -> Pose:
        rng = self.rng
        habits = self.habits[seat]
        outwards = np.array(_OUTWARDS[seat])
        aside = np.array([-outwards[1], outwards[0]])
        reach = habits.reach * self.neatness.reach + further + float(rng.normal(0, 6))
        x, y = outwards * reach + aside * (habits.aside + float(rng.normal(0, 7)))
        facing = aimed(seat, float(x), float(y)).turn
        straight = float(np.arctan2(-outwards[0], outwards[1]))
        turn = straight + 0.5 * (facing - straight) + habits.turn + float(rng.normal(0, 0.12))
        return Pose(float(x), float(y), turn + np.pi * int(rng.integers(2)))

    # Gathering

    def _gather(self, deal: int, trick: int, lying: Sequence[int], team: Team) -> None:
        """The side that won draws the four together, turns them over and lays them on its pile."""
        rng = self.rng
        pile = self.piles[team]
        start = self.clock + float(rng.uniform(0.45, 0.9))
        place = self._pile_slot(pile)
        target = aimed(pile.owner, place.x, place.y)
        order = self._furthest_first(lying, pile.owner)
        first = start + 0.4
        touch = {index: first + 0.16 * step for step, index in enumerate(order)}
        collected = first + 0.16 * len(order)
        turned = collected + 0.25
        released = turned + TURN_OVER_S + 0.05
        stations = [Station(start, *_HOMES[pile.owner])]
        stations += [
            Station(touch[index], self.rests[index].pose.x, self.rests[index].pose.y) for index in order
        ]
        stations += [Station(turned, place.x, place.y), Station(released, place.x, place.y)]
        stations.append(Station(released + 0.45, *_HOMES[pile.owner]))
        held = []
        for index in order:
            rest = self._pick_up(index, touch[index])
            pose = self._on_pile(place)
            offset = relative(target, pose)
            held.append(Held(rest.card, True, offset, touch[index], released, rest.pose, turned))
            pile.lying.append(self._lie(rest.card, pose, False, released))
        self.reaches.append(Reach(pile.owner, tuple(stations), tuple(held), pinches=False))
        covered = turned + TURN_OVER_S / 2
        self._tell(Happening.TRICK_COVERED, deal, time_s=covered, trick=trick, team=team)
        self.clock = released + float(rng.uniform(0.1, 0.5))

    def _furthest_first(self, lying: Sequence[int], owner: Seat) -> list[int]:
        shoulder = np.array(SHOULDERS[owner])

        def distance(index: int) -> float:
            pose = self.rests[index].pose
            return float(np.hypot(*(shoulder - (pose.x, pose.y))))

        return sorted(lying, key=distance, reverse=True)

    def _pile_slot(self, pile: _Pile) -> Pose:
        tricks = len(pile.lying) // 4
        return Pose(
            pile.place.x + pile.fan[0] * tricks,
            pile.place.y + pile.fan[1] * tricks,
            pile.place.turn + float(self.rng.normal(0, 0.06)),
        )

    def _on_pile(self, place: Pose) -> Pose:
        shift = self.rng.normal(0, 2.0, 2)
        return Pose(
            place.x + float(shift[0]), place.y + float(shift[1]), place.turn + float(self.rng.normal(0, 0.04))
        )

    def _take_piles_away(self) -> None:
        start = self.clock + 0.4
        latest = start
        for pile in self.piles.values():
            if pile.lying:
                latest = max(latest, self._take_away(pile.owner, pile.lying, pile.place, start))
                pile.lying = []
                start += 0.3
        self.clock = latest + float(self.rng.uniform(0.3, 0.8))


_RASTER: Final = 512
"""Millimetres of table looked at when judging which cards hide others, one pixel each."""


def all_readable(poses: Sequence[Pose], most_covered: float = NEAT.most_covered) -> bool:
    """Whether every card at ``poses``, later ones on top, keeps an index and enough of its face in view."""
    owner = np.zeros((_RASTER, _RASTER), dtype=np.uint8)
    for number, pose in enumerate(poses, start=1):
        _fill(owner, CARD_EXTENT, pose, number)
    for number, pose in enumerate(poses, start=1):
        alone = np.zeros_like(owner)
        _fill(alone, CARD_EXTENT, pose, 1)
        seen = np.count_nonzero(owner == number)
        if seen < (1 - most_covered) * np.count_nonzero(alone):
            return False
        if not any(_index_is_seen(owner, number, half_turn, pose) for half_turn in (0.0, np.pi)):
            return False
    return True


def _index_is_seen(owner: Pixels, number: int, half_turn: float, pose: Pose) -> bool:
    corner = Extent(CARD_EXTENT.left, CARD_EXTENT.top, *_INDEX_SIZE)
    mask = np.zeros_like(owner)
    _fill(mask, corner, Pose(pose.x, pose.y, pose.turn + half_turn), 1)
    inside = mask > 0
    return bool(np.count_nonzero(owner[inside] == number) >= 0.97 * np.count_nonzero(inside))


def _fill(image: Pixels, extent: Extent, pose: Pose, value: int) -> None:
    corners = corners_on_table(extent, pose) + _RASTER / 2
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (value,))
