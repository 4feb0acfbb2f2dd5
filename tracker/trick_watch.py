"""Which of the cards that lie on the table are cards of the trick, and when the trick is gathered.

Looks at places and times; names serve only to see that two sightings are one card. What the cards are is
decided in :mod:`tracker.deal_decoder`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import numpy as np

from detector.types import Side
from rules import CLOCKWISE, Seat, Team
from tracker.card_track import Sighting
from tracker.centre_of_play import CentreOfPlay
from tracker.laid_cards import CARDS_IN_A_TRICK, LaidSlot, TrickSettings, WatchedTrick
from tracker.name_evidence import FOREIGN_INDEX, agreement
from tracker.quads import distance, may_be_one_card
from tracker.seat_evidence import Degrees, Floats, degrees_off, seat_weights, seating, way_degrees_off

_LAST_TRICK: Final = 8


class TrickWatch:
    """Follows the tricks of one deal. Give it every frame's sightings in order of time."""

    def __init__(
        self, centre: CentreOfPlay, settings: TrickSettings | None = None, ignore_below: int = 0
    ) -> None:
        """Start before the first card; sightings with an identifier under ``ignore_below`` are older."""
        self._view = centre.given
        self.centre = centre
        """Where the middle of the tricks is by now."""
        self._settings = settings or TrickSettings()
        self._ignore_below = ignore_below
        self._used: set[int] = set()
        self._frames: deque[float] = deque(maxlen=60)
        self.tricks: list[WatchedTrick] = [WatchedTrick()]
        self.refused: list[tuple[Sighting, LaidSlot]] = []
        """Faces in the middle that are no cards of the trick, each with the card that has its place."""

    @property
    def current(self) -> WatchedTrick:
        """The trick being played."""
        return self.tricks[-1]

    @property
    def after_the_last(self) -> Sequence[LaidSlot]:
        """Cards laid after the eighth trick, when that was one short: some hand had a card too many."""
        if len(self.tricks) <= _LAST_TRICK or len(self.tricks[_LAST_TRICK - 1].slots) >= CARDS_IN_A_TRICK:
            return ()
        return self.tricks[_LAST_TRICK].slots

    def update(self, time_s: float, sightings: Sequence[Sighting], card_width: float) -> bool:
        """Take in one frame. Returns whether a card was laid or a trick gathered in it."""
        self._frames.append(time_s)
        self._refresh(sightings)
        self._part_two_cards(card_width)
        changed = self._take_in(time_s, sightings, card_width)
        if self._is_gathered(time_s, self._candidates(sightings, card_width)):
            self._cover(time_s, card_width)
            self._take_in(time_s, sightings, card_width)
            changed = True
        return changed

    def gone(self, sightings: Sequence[Sighting]) -> set[int]:
        """The sightings of cards that were gathered, and of faces not seen since.

        They must not be followed any more: the next trick's cards come to lie in the very same places.
        """
        lying = {identifier for slot in self.current.slots for identifier in slot.parts}
        now_s = self._frames[-1]
        return {
            sighting.identifier
            for sighting in sightings
            if sighting.side is Side.FACE
            and sighting.identifier not in lying
            and (sighting.identifier in self._used or now_s - sighting.last_seen_s >= self._settings.gone_s)
        }

    def _refresh(self, sightings: Sequence[Sighting]) -> None:
        by_identifier = {sighting.identifier: sighting for sighting in sightings}
        for slot in self.current.slots:
            for identifier in slot.parts:
                slot.parts[identifier] = by_identifier.get(identifier, slot.parts[identifier])

    def _part_two_cards(self, card_width: float) -> None:
        """Let go of what was taken for the other corner of a card and turned out to be a card of its own."""
        for slot in self.current.slots:
            first, *others = slot.parts.values()
            for other in others:
                agreed = agreement(first.log_probs, other.log_probs) > self._settings.not_the_same
                away = distance(first.place, other.place) > self._settings.another_place * card_width
                if away and not agreed and first.last_seen_s > other.first_seen_s:
                    del slot.parts[other.identifier]
                    self._used.discard(other.identifier)

    def _candidates(self, sightings: Sequence[Sighting], card_width: float) -> list[Sighting]:
        """Faces that lie still in the middle and belong to no trick, by when they were laid.

        What was not seen since the trick before was gathered went with it, though it was not known for a card
        of it: a card that was misread for a while.
        """
        gathered_s = self.tricks[-2].covered_s if len(self.tricks) > 1 else None
        found = [
            sighting
            for sighting in sightings
            if sighting.side is Side.FACE
            and sighting.identifier >= self._ignore_below
            and sighting.identifier not in self._used
            and sighting.settled_at is not None
            and sighting.lain >= self._settings.least_lain
            and (gathered_s is None or sighting.last_seen_s >= gathered_s)
            and self._view.is_in_play(sighting.settled_at, card_width)
            and sighting.log_probs[FOREIGN_INDEX] < _LIKELY
        ]
        return sorted(found, key=lambda sighting: (_laid_s(sighting), sighting.identifier))

    def _take_in(self, time_s: float, sightings: Sequence[Sighting], card_width: float) -> bool:
        taken = False
        self.refused = []
        for candidate in self._candidates(sightings, card_width):
            same = self._same_card(candidate, card_width)
            if same is not None:
                same.parts[candidate.identifier] = candidate
                self._used.add(candidate.identifier)
            elif self._lingers(candidate, card_width):
                self._used.add(candidate.identifier)
            elif not self._came_after(candidate) and self._lay(time_s, candidate, card_width):
                self._used.add(candidate.identifier)
                taken = True
        return taken

    def _same_card(self, candidate: Sighting, card_width: float) -> LaidSlot | None:
        """The card of this trick that the candidate is: slid, lost and found, or its other corner."""
        for slot in self.current.slots:
            agreed = agreement(slot.log_probs, candidate.log_probs)
            away = min(distance(part.place, candidate.place) for part in slot.parts.values()) / card_width
            same_name = agreed > self._settings.same_card
            same_place = away < self._settings.same_place and agreed > self._settings.not_the_same
            if self._seen_together(slot, candidate):
                if same_name and self._was_there_at_once(slot, candidate, card_width):
                    return slot
            elif same_name or same_place:
                return slot
        return None

    def _was_there_at_once(self, slot: LaidSlot, candidate: Sighting, card_width: float) -> bool:
        """Whether the candidate came into view on that card, not from elsewhere as a card that is laid."""
        near = self._settings.two_cards_apart * card_width
        return any(
            may_be_one_card(part.quad, candidate.quad) and distance(part.place, candidate.came_from) < near
            for part in slot.parts.values()
        )

    def _seen_together(self, slot: LaidSlot, candidate: Sighting) -> bool:
        return slot.last_in_place_s > candidate.first_seen_s

    def _lingers(self, candidate: Sighting, card_width: float) -> bool:
        """A card of the trick before, seen where it lay: it was not gathered yet after all.

        It appears in its place; a card that is played there is mostly seen coming.
        """
        if len(self.tricks) < 2:
            return False
        before = self.tricks[-2]
        soon = before.covered_s is not None and (
            candidate.first_seen_s < before.covered_s + self._settings.lingering_s
        )
        near = self._settings.same_place * card_width
        return soon and any(
            agreement(slot.log_probs, candidate.log_probs) > self._settings.same_card
            and distance(slot.laid_at, candidate.place) < near
            and distance(slot.laid_at, candidate.came_from) < near
            for slot in before.slots
        )

    def _came_after(self, candidate: Sighting) -> bool:
        """Whether the trick's cards were out of sight well before this one came: it may open the next."""
        slots = self.current.slots
        return len(slots) >= 2 and all(
            slot.last_in_place_s < candidate.first_seen_s - self._settings.gone_s for slot in slots
        )

    def _lay(self, time_s: float, candidate: Sighting, card_width: float) -> bool:
        """Add the candidate to the trick if there is a seat for it."""
        slots = self.current.slots
        laid_at = candidate.settled_at or candidate.place
        way = way_degrees_off(self.centre.view, candidate.came_from, laid_at, card_width)
        weights = seat_weights(degrees_off(self.centre.view, laid_at), way)
        owner = self._slot_of_seat(int(np.argmax(weights)))
        if owner is not None and self._taken_back(time_s, owner, candidate, way):
            return True
        if len(slots) == CARDS_IN_A_TRICK:
            return False
        _, loss = seating(np.array([*(self.weights_of(slot) for slot in slots), weights]))
        if owner is not None and loss > self._settings.no_seat_left:
            self.refused.append((candidate, owner))
            return False
        slots.append(LaidSlot(laid_at, _laid_s(candidate), {candidate.identifier: candidate}, way=way))
        return True

    def weights_of(self, slot: LaidSlot) -> Floats:
        """(4,): how well a card of the trick fits each seat."""
        return seat_weights(degrees_off(self.centre.view, slot.laid_at), slot.way)

    def seat_of(self, slot: LaidSlot) -> Seat:
        """The seat that a card fits best by itself."""
        return CLOCKWISE[int(np.argmax(self.weights_of(slot)))]

    def _slot_of_seat(self, seat: int) -> LaidSlot | None:
        """The card that a seat has in this trick, by the best seating of those that lie."""
        slots = self.current.slots
        if not slots:
            return None
        seats, _ = seating(np.array([self.weights_of(slot) for slot in slots]))
        return slots[seats.index(seat)] if seat in seats else None

    def _taken_back(self, time_s: float, there: LaidSlot, candidate: Sighting, way: Degrees | None) -> bool:
        """Whether the card at this seat was taken back and the candidate laid for it, others still lying."""
        gone = there.last_in_place_s < candidate.first_seen_s + self._settings.gone_s
        away_s = time_s - there.last_in_place_s
        others = [slot for slot in self.current.slots if slot is not there]
        others_lie = any(time_s - slot.last_in_place_s < self._settings.gone_s for slot in others)
        if not gone or away_s < self._settings.taken_back_s or not (others_lie or not others):
            return False
        # A card looked at once or twice may have been this one all along, misread: it is not told as shown.
        if sum(part.looks for part in there.parts.values()) >= self._settings.shown_looks:
            there.taken_back += there.parts.values()
        there.parts = {candidate.identifier: candidate}
        there.laid_at, there.laid_s = candidate.settled_at or candidate.place, _laid_s(candidate)
        there.way = way
        return True

    def _is_gathered(self, time_s: float, candidates: Sequence[Sighting]) -> bool:
        slots, settings = self.current.slots, self._settings
        if len(slots) < 2:
            return False
        away = sorted((self._away_s(slot, time_s) for slot in slots), reverse=True)
        newer = [card for card in candidates if _laid_s(card) > max(slot.laid_s for slot in slots)]
        if len(slots) == CARDS_IN_A_TRICK:
            mostly = bool(newer) and away[2] >= settings.mostly_gone_s
            return away[-1] >= settings.gone_s or mostly
        longest_hand_s = settings.three_gone_s if len(slots) == 3 else settings.two_gone_s
        return bool(newer) and away[-1] >= longest_hand_s

    def _away_s(self, slot: LaidSlot, time_s: float) -> float:
        """For how long a card has been out of its place; 0 when shortly, or in too few frames."""
        last_s = slot.last_in_place_s
        away_s = time_s - last_s
        if away_s < self._settings.gone_s:
            return 0.0
        frames = sum(1 for frame_s in self._frames if frame_s > last_s)
        return away_s if frames >= self._settings.gone_frames else 0.0

    def _cover(self, time_s: float, card_width: float) -> None:
        trick = self.current
        trick.covered_s = time_s
        trick.went_to = [
            part.last_point
            for slot in trick.slots
            for part in slot.parts.values()
            if part.settled_at is not None and distance(part.last_point, part.settled_at) > card_width
        ]
        self.centre = self.centre.with_trick([slot.laid_at for slot in trick.slots], card_width)
        self.tricks.append(WatchedTrick())

    def gathered_by(self, number: int, sightings: Sequence[Sighting], card_width: float) -> Team | None:
        """The side to which trick ``number`` (from 1) went, as far as it was seen; None when it was not.

        Told by where its faces were seen last on their way, and by backs that came into view since.
        """
        trick = self.tricks[number - 1]
        left_s = min(slot.last_in_place_s for slot in trick.slots)
        points = trick.went_to + [
            sighting.last_point
            for sighting in sightings
            if sighting.side is Side.BACK and sighting.first_seen_s > left_s
        ]
        far = self._settings.gathered_from_centre * card_width
        sides = {self._view.side_of(point) for point in points if distance(point, self._view.centre) >= far}
        return sides.pop() if len(sides) == 1 else None


_LIKELY: Final = float(np.log(0.5))


def _laid_s(sighting: Sighting) -> float:
    return sighting.first_seen_s if sighting.settled_s is None else sighting.settled_s
