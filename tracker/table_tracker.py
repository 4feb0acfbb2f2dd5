"""From the detections of one table to its events.

    detections -> Sightings -> TrickWatch -> decode_deal -> events
                  (one card     (which       (what they     (told once,
                   over time)    trick)       must be)       corrected when proven wrong)

Nothing is told before a card was seen still a few times, and nothing told is taken back but by a
``Correction``. The same detections give the same events: no clock, no chance, no state from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from detector.types import CardDetection
from rules import Reglement, Seat, Suit
from tracker.card_events import cards_told
from tracker.card_track import Sighting
from tracker.centre_of_play import CentreOfPlay
from tracker.deal_events import broken_off, closed, started, tricks_covered
from tracker.dealing import DealingWatch
from tracker.events.types import Event
from tracker.irregularities import FaceWatch
from tracker.irregularity_events import faces_that_are_no_plays, hands_of_wrong_size, slow_play
from tracker.next_deal import NextDealWatch
from tracker.scene import TRICKS_IN_A_DEAL, DealProgress, Moment, Scene
from tracker.settings import TrackerSettings
from tracker.sightings import Sightings
from tracker.table_view import TableView
from tracker.trick_watch import TrickWatch


class TableTracker:
    """Turns what the detector sees of one table into events.

    Args:
        table: the table's name. reglement: the rules of play. dealer: who dealt the first deal in the film.
        trump: as the table declared it for the first deal; None to tell it from the play.
        view: where the seats are in the picture.
        declarer: who made trump, under a reglement with passing; None when not known.
        deal: the number of the first deal. later_trumps: trumps of the next deals, as far as they are known.
    """

    def __init__(
        self,
        table: str,
        reglement: Reglement,
        dealer: Seat,
        trump: Suit | None = None,
        *,
        view: TableView,
        declarer: Seat | None = None,
        deal: int = 1,
        later_trumps: Sequence[Suit | None] = (),
        settings: TrackerSettings | None = None,
    ) -> None:
        """Nothing has been seen yet."""
        self._table = table
        self._reglement = reglement
        self._view = view
        self._settings = settings or TrackerSettings()
        self._later_trumps = list(later_trumps)
        self._sightings = Sightings(self._settings.sightings)
        self._now = Moment(0.0, None)
        self._newest_identifier = -1
        self._frames = 0
        self._between: NextDealWatch | None = None
        self._dealing = DealingWatch(view, self._settings.irregularities)
        self._centre = CentreOfPlay.of(view)
        self._deal = self._new_deal(deal, dealer, trump, declarer)

    def update(
        self, frame_time_s: float, wall_utc: datetime, detections: Sequence[CardDetection]
    ) -> tuple[Event, ...]:
        """Take in one frame and tell what it made certain.

        Args:
            frame_time_s: seconds on the source's clock, never going back.
            wall_utc: the same moment for people, with its time zone.
        """
        self._now = Moment(frame_time_s, wall_utc)
        self._frames += 1
        sightings = self._sightings.update(frame_time_s, detections)
        if sightings:
            self._newest_identifier = max(self._newest_identifier, sightings[-1].identifier)
        return tuple(self._events(sightings))

    def finish(self) -> tuple[Event, ...]:
        """The film is over: tell what is still to be told; a deal whose eight tricks were seen is closed."""
        if self._now.wall_utc is None or self._deal.closed:
            return ()
        watch = self._deal.watch
        last_trick_lies = len(watch.tricks) == TRICKS_IN_A_DEAL and len(watch.current.slots) >= 3
        self._deal.finished = self._deal.finished or last_trick_lies
        return (
            *cards_told(self.scene(), final=True),
            *tricks_covered(self.scene(), (), final=True),
            *closed(self.scene()),
        )

    def _events(self, sightings: Sequence[Sighting]) -> Iterator[Event]:
        if not self._deal.started and not self._deal.number_is_next:
            yield from self._start()
        dealing = self._dealing.begins(self._now.time_s, sightings, self._sightings.card_width)
        if dealing and self._is_dealt_again():
            yield from self._break_off()
            if not self._deal.closed:
                return
        if self._deal.closed:
            self._look_for_next_deal(sightings, dealing=dealing)
            if not self._deal.number_is_next:
                return
        if dealing:
            self._deal.dealt = True
            if not self._deal.started:
                yield from self._start()
        before = len(self._deal.watch.tricks)
        changed = self._deal.watch.update(self._now.time_s, sightings, self._sightings.card_width)
        if changed and not self._deal.started:
            yield from self._start()
        if not self._deal.started:
            return
        covered = len(self._deal.watch.tricks) > before
        if covered:
            self._centre = self._deal.watch.centre
            self._deal.finished = before == TRICKS_IN_A_DEAL
            self._sightings.forget(self._deal.watch.gone(sightings))
        if (
            changed
            or self._frames % self._settings.telling.decode_each_frames == 0
            or self._deal.has_untold()
        ):
            yield from cards_told(self.scene(), final=self._deal.finished)
        if covered:
            self._deal.to_cover.append(before)
        yield from tricks_covered(self.scene(), sightings, final=False)
        yield from faces_that_are_no_plays(self.scene(), sightings)
        yield from hands_of_wrong_size(self.scene(), sightings)
        yield from slow_play(self.scene())
        yield from closed(self.scene())

    def scene(self) -> Scene:
        """What is known of the table at this moment."""
        return Scene(
            self._table,
            self._reglement,
            self._settings,
            self._view,
            self._deal,
            self._now,
            self._sightings.card_width,
        )

    # ------------------------------------------------------------------------------------------ deals

    def _new_deal(self, number: int, dealer: Seat, trump: Suit | None, declarer: Seat | None) -> DealProgress:
        watch = TrickWatch(self._centre, self._settings.tricks, self._newest_identifier + 1)
        faces = FaceWatch(self._view, self._settings.irregularities)
        return DealProgress(number, dealer, trump, declarer, watch, faces)

    def _start(self) -> Iterator[Event]:
        yield from started(self.scene(), self._dealing.began_s if self._deal.dealt else None)

    def _look_for_next_deal(self, sightings: Sequence[Sighting], *, dealing: bool) -> None:
        """The next deal opens with its dealing, or with the next face in the middle of a free table."""
        if self._between is None:
            self._between = NextDealWatch(self._view, self._now.time_s, self._settings.tricks)
        free = self._between.is_free(self._now.time_s, sightings, self._sightings.card_width)
        if dealing or free:
            trump = self._later_trumps.pop(0) if self._later_trumps else None
            self._deal = self._new_deal(self._deal.number + 1, self._deal.dealer.left, trump, None)
            self._deal.number_is_next = True
            self._between = None

    def _is_dealt_again(self) -> bool:
        """Whether a dealing that begins now is another one than this deal's own."""
        deal = self._deal
        return (bool(deal.told) or deal.dealt) and not deal.finished

    def _break_off(self) -> Iterator[Event]:
        """Packets lie before all four while a deal goes on: it was dealt again, or the hands were laid down.

        When the eighth trick lies, the end of it was not seen.
        """
        deal = self._deal
        if len(deal.watch.tricks) >= TRICKS_IN_A_DEAL:
            deal.finished = True
            yield from cards_told(self.scene(), final=True)
            yield from tricks_covered(self.scene(), (), final=True)
            yield from closed(self.scene())
            return
        yield broken_off(self.scene())
        self._deal = self._new_deal(deal.number, deal.dealer, None, None)
        self._deal.number_is_next = True
