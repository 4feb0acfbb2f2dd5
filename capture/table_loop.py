"""One table, from its camera to its events.

    source -> live reader (motion gate, detector) -> tracker -> journal
                                                  -> backs   -> journal
        -> (delivery, JSON lines, crops and clips)

An event counts once it is in the journal, so that comes first. Delivery, recording and the examining of backs
have threads of their own and never hold up reading.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, TextIO

from capture.backs import BackFinding, BackWatch, DealEnd
from capture.backs.watch import CLOSE_TIMEOUT_S as CLOSE_TIMEOUT_BACKS_S
from capture.delivery import CLOSE_TIMEOUT_S, Delivery
from capture.errors import CaptureError, SourceError, SourceLostError
from capture.frame import Frame
from capture.journal import Journal
from capture.live_reader import LiveReader
from capture.look_pace import LookPace
from capture.recording import MediaKeeper
from capture.sources import Source, SourceChange
from capture.table_status import CameraHealth, TableStatus
from detector.types import CardDetection, Detector, Image
from tracker.events import (
    BackFlagged,
    DealClosed,
    DealStarted,
    Event,
    PackBackJudged,
    SourceBack,
    SourceLost,
    event_to_json,
)


class Tracker(Protocol):
    """What is needed of ``tracker.table_tracker.TableTracker``."""

    def update(
        self, frame_time_s: float, wall_utc: datetime, detections: Sequence[CardDetection]
    ) -> tuple[Event, ...]:
        """Take in what one picture shows; gives what became certain."""
        ...

    def finish(self) -> tuple[Event, ...]:
        """There are no more pictures; gives what was still to be told."""
        ...


class Placement(Protocol):
    """Where the table lies in the pictures, as :class:`capture.calibration.CalibratedPlacement` knows it."""

    def on_table(
        self, detections: tuple[CardDetection, ...], size: tuple[int, int]
    ) -> tuple[CardDetection, ...]:
        """The same detections with their quads as seen from straight above, North at the top.

        size: (width, height) of the picture that they were found in.
        """
        ...

    def look(self, frame: Frame) -> SourceChange | None:
        """Whether the camera was moved since it was calibrated, or is back; None while nothing changed."""
        ...


class AsSeen:
    """The placement of a camera that was not calibrated: straight above the table, North at the top."""

    def on_table(
        self, detections: tuple[CardDetection, ...], size: tuple[int, int]
    ) -> tuple[CardDetection, ...]:
        """As they are."""
        return detections

    def look(self, frame: Frame) -> SourceChange | None:
        """Nothing is known that could have changed."""
        return None


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """How a run of a table went.

    events: everything that it told, in order.
    frames_read, frames_dropped: pictures looked at, and thrown away because reading was behind.
    detections_reused: pictures in which nothing had moved, so that the last look still held.
    source_error: why the source broke off; None at its proper end or when the run was stopped.
    undelivered: events that the venue does not have yet; delivery_error: why.
    journal: the file that keeps them; None when they were only kept in memory.
    undelivered_media: crops and clips that the venue does not have yet.
    """

    events: tuple[Event, ...]
    frames_read: int
    frames_dropped: int
    detections_reused: int
    source_error: SourceError | None = None
    undelivered: int = 0
    delivery_error: CaptureError | None = None
    journal: Path | None = None
    undelivered_media: int = 0


@dataclass(slots=True)
class TableProcess:
    """The parts of one table put together; each can be replaced by another of its kind.

    make_tracker: makes the tracker once the size of the pictures, (width, height), is known.
    tell: called with each event once it is in the journal.
    stop: set it to end the run at the next picture.
    media: keeps what is seen, for people to look back at. health: what is known of the camera.
    backs: looks whether a card can be told by its back. placement: where the table lies in the pictures.
    pace: which pictures are looked at; the others are only shown to whoever records. None looks at all.
    changed: called with whatever happens to the camera, at once.
    """

    table: str
    source: Source
    detector: Detector
    make_tracker: Callable[[int, int], Tracker]
    journal: Journal
    epoch: str
    delivery: Delivery | None = None
    lines: TextIO | None = None
    tell: Callable[[Event], None] = lambda event: None
    stop: threading.Event = field(default_factory=threading.Event)
    media: MediaKeeper | None = None
    health: CameraHealth | None = None
    backs: BackWatch | None = None
    placement: Placement = field(default_factory=AsSeen)
    pace: LookPace | None = None
    changed: Callable[[SourceChange], None] = lambda change: None
    _events: list[Event] = field(default_factory=list, init=False)
    _started_utc: datetime = field(default_factory=lambda: datetime.now(UTC), init=False)
    _reader: LiveReader = field(init=False)
    _seen: tuple[CardDetection, ...] = field(default=(), init=False)
    _is_recorded: bool = field(default=False, init=False)
    _now_s: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._reader = LiveReader(self.detector)

    def run(self) -> TableOutcome:
        """Read to the end, or until stopped. Everything told is in the journal when this returns.

        Raises:
            JournalError: when the journal can no longer be written.
        """
        self.source.report_to(self._camera_changed, self.stop)
        # A camera is recorded as it comes in: a busy machine reads fewer pictures than people want to see.
        self._is_recorded = self.media is not None and self.source.show_to(self.media.record)
        tracker: Tracker | None = None
        frames_read = 0
        source_error: SourceError | None = None
        while not self.stop.is_set():
            try:
                frame = self.source.read()
            except SourceError as error:
                source_error = error
                break
            if frame is None:
                break
            if tracker is None:
                tracker = self.make_tracker(frame.image.shape[1], frame.image.shape[0])
            frames_read += 1
            self._take_in(frame)
            if self.pace is None or self.pace.is_due(frame.monotonic_s):
                self._look(frame)
                self._record(tracker.update(frame.monotonic_s, frame.wall_utc, self._seen))
                if self.backs is not None:
                    self._tell_of_backs(self.backs.found())
        if tracker is not None:
            self._record(tracker.finish())
        if self.backs is not None:
            self._tell_of_backs(self.backs.close(_STOPPED_S if self.stop.is_set() else CLOSE_TIMEOUT_BACKS_S))
        if self.source.is_live:
            source_error = source_error or self._broken_off()
            if source_error is not None:
                self._record((self._source_lost(str(source_error)),))
        if self.health is not None:
            self.health.ended()
        return self._outcome(frames_read, source_error)

    def status(self) -> TableStatus | None:
        """How the table is now, for its venue; may be asked by another thread. None where nothing is watched.

        Raises:
            JournalError: when the journal cannot be read.
        """
        if self.health is None:
            return None
        media, camera = self.media, self.health.status()
        return TableStatus(
            epoch=self.epoch,
            started_utc=self._started_utc,
            stopped=camera.state == "ended",
            deal=self._deal(),
            camera=camera,
            frames_dropped=self.source.frames_dropped,
            recording=media is not None,
            recording_problem=None if media is None else media.problem,
            recording_dropped=0 if media is None else media.frames_dropped,
            undelivered=0 if self.delivery is None else self.delivery.undelivered(),
            undelivered_media=0 if media is None else media.undelivered,
        )

    def _take_in(self, frame: Frame) -> None:
        """Keep the picture where it is to be kept, and know that the camera lives."""
        if self.media is not None and not self._is_recorded:
            self.media.record(frame)
        if self.health is not None:
            self.health.picture(frame)

    def _look(self, frame: Frame) -> None:
        """Find what lies on the table, unless nothing moved since the last look."""
        self._now_s = frame.monotonic_s
        found = self._reader.read(frame.image)
        if self.backs is not None:
            self.backs.see(frame.monotonic_s, frame.image, self._reader.seen)
        if found is not None:
            self._seen = self.placement.on_table(found, (frame.image.shape[1], frame.image.shape[0]))
            if self.media is not None:
                self.media.see(frame, found)
        change = self.placement.look(frame)
        if change is not None:
            self._camera_changed(change)

    def _tell_of_backs(self, findings: Sequence[BackFinding]) -> None:
        self._record(
            [finding.event for finding in findings],
            {place: one.picture for place, one in enumerate(findings) if one.picture is not None},
        )

    def _record(self, events: Sequence[Event], pictures: Mapping[int, Image] | None = None) -> None:
        """Make facts of ``events``; ``pictures`` by the place of the event that each of them shows."""
        if not events:
            return
        first = self.journal.append(self.epoch, events)
        self._events.extend(events)
        if self.delivery is not None:
            self.delivery.wake()
        if self.media is not None:
            self.media.told(first, events, pictures)
        for event in events:
            if self.lines is not None:
                self.lines.write(json.dumps(event_to_json(event), ensure_ascii=False) + "\n")
                self.lines.flush()
            self.tell(event)
            if isinstance(event, DealClosed) and self.backs is not None:
                self.backs.deal_over(DealEnd(self.table, event.deal, event.time_utc, self._now_s))

    def _camera_changed(self, change: SourceChange) -> None:
        """The camera was lost or moved, or is back: a fact like any other."""
        if change.fault is not None:
            self._record((self._source_lost(change.sentence),))
        else:
            now_utc = datetime.now(UTC)
            self._record(
                (
                    SourceBack(
                        table=self.table, deal=self._deal(), time_utc=now_utc, away_s=round(change.away_s, 3)
                    ),
                )
            )
        if self.health is not None:
            self.health.changed(change)
        self.changed(change)

    def _broken_off(self) -> SourceError | None:
        """Why the end of a camera's stream was no proper one: it came in the middle of a deal.

        A camera that restarts closes its connection, which looks the same as the end of a film.
        """
        started = {event.deal for event in self._events if isinstance(event, DealStarted)}
        closed = {event.deal for event in self._events if isinstance(event, DealClosed)}
        if self.stop.is_set() or started <= closed:
            return None
        return SourceLostError(
            f"De camera {self.source.describe()} stopte midden in een spel. Start opnieuw.",
            "the camera stopped in the middle of a deal. Start again.",
        )

    def _deal(self) -> int:
        # What is found on the backs is told of the deal before, while the next one is played.
        of_backs = (BackFlagged, PackBackJudged)
        return next((one.deal for one in reversed(self._events) if not isinstance(one, of_backs)), 1)

    def _source_lost(self, reason: str) -> Event:
        return SourceLost(table=self.table, deal=self._deal(), time_utc=datetime.now(UTC), reason=reason)

    def _outcome(self, frames_read: int, source_error: SourceError | None) -> TableOutcome:
        undelivered, delivery_error = 0, None
        if self.delivery is not None:
            undelivered = self.delivery.close(CLOSE_TIMEOUT_S)
            delivery_error = self.delivery.last_error
        # A venue that takes no events will not take pictures either: then only keep them.
        wait_s = _MEDIA_TIMEOUT_S if not undelivered else 0.0
        return TableOutcome(
            events=tuple(self._events),
            frames_read=frames_read,
            frames_dropped=self.source.frames_dropped,
            detections_reused=self._reader.reused,
            source_error=source_error,
            undelivered=undelivered,
            delivery_error=delivery_error if undelivered else None,
            journal=self.journal.path,
            undelivered_media=0 if self.media is None else self.media.close(wait_s),
        )


_STOPPED_S: Final = 3.0
"""How long a run that was stopped waits for what is being examined."""

_MEDIA_TIMEOUT_S: Final = 10.0
"""How long closing goes on sending crops and clips."""
