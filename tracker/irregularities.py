"""What goes wrong at a table beside the cards that are played, each told once.

    turn        who is to play, and a card that came before its turn (articles 10 and 11)
    faces       a card shown outside the trick, two cards laid at once, a card of another pack
    gathering   a trick that joined the pile of the side that did not win it
    hands       more cards of one player than a hand has (article 5)

Only what was seen well is told: a wrong warning is worse here than a late one. Nothing here is decided; the
wedstrijdleider looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from detector.types import Side
from rules import CLOCKWISE, FULL_DECK, Card, Play, Seat, Suit, Team, trick_winner
from tracker.card_track import Sighting
from tracker.name_evidence import FOREIGN_INDEX
from tracker.quads import Point, distance
from tracker.table_view import TableView


@dataclass(frozen=True, slots=True)
class IrregularitySettings:
    """How well a thing must be seen to be told: tenths of a second, probabilities, seconds, card widths."""

    least_lain: float = 8.0
    sure: float = 0.95
    sure_of_turn: float = 0.75
    sure_of_winner: float = 0.995
    together_s: float = 1.2
    most_shown_at_once: int = 2
    same_place: float = 1.0
    packet_from_centre: float = 1.8
    dealing_s: float = 9.0
    faceless_s: float = 1.5
    taken_up_s: float = 1.0


@dataclass(frozen=True, slots=True)
class ToldPlay:
    """A card as it was told, with how sure it is by now."""

    seat: Seat
    card: Card
    confidence: float


@dataclass(frozen=True, slots=True)
class ShownFace:
    """A face that lies on the table and is no card of the trick. card: None for one of another pack."""

    sighting: Sighting
    card: Card | None
    seat: Seat
    confidence: float


ToldTrick = Mapping[int, ToldPlay]
"""The plays of one trick by position, 1 to 4."""


def turn(tricks: Sequence[ToldTrick], first_leader: Seat, trump: Suit | None) -> tuple[int, int, Seat] | None:
    """(trick, position, seat) of who is to play; None when nobody is, or when that can't be known.

    Args:
        tricks: what was told of each trick from the first, the last one unfinished or not begun.
    """
    number, current = len(tricks), tricks[-1]
    if len(current) == 4 or set(current) != set(range(1, len(current) + 1)):
        return None
    if current:
        # Whoever was passed over by a card out of turn is still the next to play.
        seat, gone = current[1].seat.left, {play.seat for play in current.values()}
        while seat in gone and len(gone) < len(CLOCKWISE):
            seat = seat.left
        return number, len(current) + 1, seat
    leader = first_leader if number == 1 else _winner(tricks[-2], trump)
    return None if leader is None else (number, 1, leader)


def _winner(trick: ToldTrick, trump: Suit | None) -> Seat | None:
    if trump is None or len(trick) < 4:
        return None
    return trick_winner([Play(trick[place].seat, trick[place].card) for place in range(1, 5)], trump)


def came_before_its_turn(
    tricks: Sequence[ToldTrick], position: int, first_leader: Seat, trump: Suit | None, sure: float
) -> bool:
    """Whether the card at ``position`` of the last trick came from another seat than whose turn it was."""
    *before, current = tricks
    earlier = {place: play for place, play in current.items() if place < position}
    known = [*earlier.values(), current[position], *(before[-1].values() if before and position == 1 else ())]
    expected = turn([*before, earlier], first_leader, trump)
    if expected is None or expected[1] != position or min(play.confidence for play in known) < sure:
        return False
    return current[position].seat is not expected[2]


def wrong_pile(
    trick: ToldTrick, trump: Suit | None, gathered_by: Team | None, sure: float
) -> tuple[Seat, float] | None:
    """The winner of a trick that the other side gathered, and how sure that is; None when it is right."""
    winner = _winner(trick, trump)
    if winner is None or gathered_by is None or winner.team is gathered_by:
        return None
    confidence = float(np.prod([play.confidence for play in trick.values()]))
    return (winner, confidence) if confidence >= sure else None


@dataclass(slots=True)
class FaceWatch:
    """Sees faces that are no plays, each place once. told_at: where, and which card."""

    view: TableView
    settings: IrregularitySettings = field(default_factory=IrregularitySettings)
    told_at: list[tuple[Point, Card | None]] = field(default_factory=list)

    def foreign(self, sightings: Sequence[Sighting], card_width: float) -> Iterator[ShownFace]:
        """Cards of another pack that lie still, anywhere on the table."""
        for sighting in sightings:
            chance = float(np.exp(sighting.log_probs[FOREIGN_INDEX]))
            if self._lies_still(sighting) and chance >= _FOREIGN_FROM:
                seat = self.view.nearest_seat(sighting.place)
                yield from self._once(ShownFace(sighting, None, seat, chance), card_width)

    def shown(
        self, sightings: Sequence[Sighting], played: set[Card], card_width: float
    ) -> Iterator[ShownFace]:
        """Cards of this pack, not played yet, that lie open outside the middle."""
        found = [
            face
            for sighting in sightings
            if self._lies_still(sighting) and not self.view.is_in_play(sighting.place, card_width)
            for face in self._named(sighting, played)
        ]
        if len(found) <= self.settings.most_shown_at_once:
            for face in found:
                yield from self._once(face, card_width)

    def beside(
        self, refused: Sequence[Sighting], played: set[Card], card_width: float
    ) -> Iterator[ShownFace]:
        """Cards in the middle for which their player has no place left in the trick."""
        for sighting in refused:
            if self._lies_still(sighting):
                for face in self._named(sighting, played):
                    yield from self._once(face, card_width)

    def open_now(
        self, sightings: Sequence[Sighting], beside: Sequence[Sighting], played: set[Card], card_width: float
    ) -> list[ShownFace]:
        """All cards of this pack, not played yet, that lie open now, outside the middle or ``beside``."""
        apart = [sighting for sighting in sightings if not self.view.is_in_play(sighting.place, card_width)]
        return [
            face
            for sighting in (*apart, *beside)
            if self._lies_still(sighting)
            for face in self._named(sighting, played)
        ]

    def _lies_still(self, sighting: Sighting) -> bool:
        return (
            sighting.side is Side.FACE
            and sighting.settled_s is not None
            and sighting.lain >= self.settings.least_lain
        )

    def _named(self, sighting: Sighting, played: set[Card]) -> Iterator[ShownFace]:
        index = int(np.argmax(sighting.log_probs[:FOREIGN_INDEX]))
        chance = float(np.exp(sighting.log_probs[index]))
        if chance >= self.settings.sure and FULL_DECK[index] not in played:
            yield ShownFace(sighting, FULL_DECK[index], self.view.nearest_seat(sighting.place), chance)

    def _once(self, face: ShownFace, card_width: float) -> Iterator[ShownFace]:
        near = self.settings.same_place * card_width
        for place, card in self.told_at:
            if card == face.card and (card is not None or distance(place, face.sighting.place) < near):
                return
        self.told_at.append((face.sighting.place, face.card))
        yield face


_FOREIGN_FROM: Final = 0.8
