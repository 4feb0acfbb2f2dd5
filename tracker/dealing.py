"""Sees that cards are dealt, by the packets of backs that come to lie before all four seats.

The packets of a hand lie on one another, so a camera above sees that a player has cards and not how many.
Hands that all four players lay down again look the same: a deal that was passed out, or given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from detector.types import Side
from rules import CLOCKWISE, Seat
from tracker.card_track import Sighting
from tracker.irregularities import IrregularitySettings
from tracker.quads import distance
from tracker.table_view import TableView


@dataclass(slots=True)
class DealingWatch:
    """Give it every frame's sightings in order of time.

    began_s: when the first packet of the last dealing came to lie.
    """

    view: TableView
    settings: IrregularitySettings = field(default_factory=IrregularitySettings)
    last_face_s: float = 0.0
    began_s: float = 0.0
    _packets_lie: bool = False
    _times: dict[int, tuple[float, float]] = field(default_factory=dict)

    def begins(self, time_s: float, sightings: Sequence[Sighting], card_width: float) -> bool:
        """Take in one frame; whether it is the first in which all four have new packets. Each dealing once.

        The next one can be seen once the packets were taken up.
        """
        self._see_faces(sightings, card_width)
        packets = self._packets(time_s, sightings, card_width)
        if len(_seats(packets)) <= _PILES:
            self._packets_lie = False
        new = [(seat, since_s) for seat, since_s in packets if time_s - since_s <= self.settings.dealing_s]
        faceless = time_s - self.last_face_s >= self.settings.faceless_s
        if self._packets_lie or not faceless or len(_seats(new)) < len(CLOCKWISE):
            return False
        self._packets_lie = True
        self.began_s = min(since_s for _, since_s in new)
        return True

    def _see_faces(self, sightings: Sequence[Sighting], card_width: float) -> None:
        for sighting in sightings:
            if sighting.side is Side.FACE and self.view.is_in_play(sighting.last_point, card_width):
                self.last_face_s = max(self.last_face_s, sighting.last_seen_s)

    def _packets(
        self, time_s: float, sightings: Sequence[Sighting], card_width: float
    ) -> list[tuple[Seat, float]]:
        """The backs that lie away from the middle: before which seat, and since when."""
        known, self._times = self._times, {}
        far = self.settings.packet_from_centre * card_width
        found: list[tuple[Seat, float]] = []
        for sighting in sightings:
            if sighting.side is not Side.BACK:
                continue
            since_s, seen_s = known.get(sighting.identifier, (sighting.first_seen_s, sighting.last_seen_s))
            # A packet that lies where one was taken up before is taken for the same card.
            if sighting.last_seen_s - seen_s > self.settings.taken_up_s:
                since_s = sighting.last_seen_s
            self._times[sighting.identifier] = (since_s, sighting.last_seen_s)
            lies = sighting.settled_s is not None
            lies_now = lies and time_s - sighting.last_seen_s <= self.settings.taken_up_s
            if lies_now and distance(sighting.place, self.view.centre) >= far:
                found.append((self.view.nearest_seat(sighting.place), since_s))
        return found


def _seats(packets: Sequence[tuple[Seat, float]]) -> set[Seat]:
    return {seat for seat, _ in packets}


_PILES: Final = 2
"""Before so many seats backs lie while tricks are played: the piles of the two sides."""
