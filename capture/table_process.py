"""One table, from its camera to its events.

    source -> motion gate -> detector -> tracker -> journal -> (delivery, a file of JSON lines)

An event counts once it is in the journal, so that comes first. Delivery has a thread of its own and never
holds up reading.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, TextIO

from capture.delivery import CLOSE_TIMEOUT_S, Delivery
from capture.errors import CaptureError, SettingsError, SourceError, SourceLostError, SourceUnreadableError
from capture.http_venue import HttpVenue
from capture.journal import Journal
from capture.motion_gate import MotionGate
from capture.settings import TableConfig
from capture.sources import Source, open_source
from detector.types import CardDetection, Detector
from tracker.events import DealClosed, DealStarted, Event, SourceLost, event_to_json

OPENCV_THREADS: Final = 1
"""The reading of cards has the processor; OpenCV's own threads would only get in its way."""


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


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """How a run of a table went.

    events: everything that it told, in order.
    frames_read, frames_dropped: pictures looked at, and thrown away because reading was behind.
    detections_reused: pictures in which nothing had moved, so that the last look still held.
    source_error: why the source broke off; None at its proper end or when the run was stopped.
    undelivered: events that the venue does not have yet; delivery_error: why.
    journal: the file that keeps them; None when they were only kept in memory.
    """

    events: tuple[Event, ...]
    frames_read: int
    frames_dropped: int
    detections_reused: int
    source_error: SourceError | None = None
    undelivered: int = 0
    delivery_error: CaptureError | None = None
    journal: Path | None = None


@dataclass(slots=True)
class TableProcess:
    """The parts of one table put together; each can be replaced by another of its kind.

    make_tracker: makes the tracker once the size of the pictures, (width, height), is known.
    tell: called with each event once it is in the journal.
    stop: set it to end the run at the next picture.
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
    _events: list[Event] = field(default_factory=list, init=False)

    def run(self) -> TableOutcome:
        """Read to the end, or until stopped. Everything told is in the journal when this returns.

        Raises:
            JournalError: when the journal can no longer be written.
        """
        gate = MotionGate()
        tracker: Tracker | None = None
        detections: tuple[CardDetection, ...] = ()
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
            if gate.must_look(frame.image):
                detections = self.detector.detect(frame.image)
            self._record(tracker.update(frame.monotonic_s, frame.wall_utc, detections))
        if tracker is not None:
            self._record(tracker.finish())
        if self.source.is_live:
            source_error = source_error or self._broken_off()
            if source_error is not None:
                self._record((self._source_lost(source_error),))
        return self._outcome(frames_read, gate.reused, source_error)

    def _record(self, events: Sequence[Event]) -> None:
        if not events:
            return
        self.journal.append(self.epoch, events)
        self._events.extend(events)
        if self.delivery is not None:
            self.delivery.wake()
        for event in events:
            if self.lines is not None:
                self.lines.write(json.dumps(event_to_json(event), ensure_ascii=False) + "\n")
                self.lines.flush()
            self.tell(event)

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

    def _source_lost(self, error: SourceError) -> Event:
        deal = self._events[-1].deal if self._events else 1
        return SourceLost(table=self.table, deal=deal, time_utc=datetime.now(UTC), reason=str(error))

    def _outcome(self, frames_read: int, reused: int, source_error: SourceError | None) -> TableOutcome:
        undelivered, delivery_error = 0, None
        if self.delivery is not None:
            undelivered = self.delivery.close(CLOSE_TIMEOUT_S)
            delivery_error = self.delivery.last_error
        return TableOutcome(
            events=tuple(self._events),
            frames_read=frames_read,
            frames_dropped=self.source.frames_dropped,
            detections_reused=reused,
            source_error=source_error,
            undelivered=undelivered,
            delivery_error=delivery_error if undelivered else None,
            journal=self.journal.path,
        )


def run_table(
    config: TableConfig,
    *,
    source: Source | None = None,
    detector: Detector | None = None,
    tell: Callable[[Event], None] = lambda event: None,
    stop: threading.Event | None = None,
) -> TableOutcome:
    """Run one table as ``config`` says, until its source ends or ``stop`` is set.

    source: in place of the one that ``config`` names; it is closed at the end.
    detector: in place of the models that ``config`` names.
    tell: called with each event once it is in the journal.

    Raises:
        SourceError: when the source cannot be opened or gives no picture at all.
        JournalError, SettingsError: when the journal, venue or file of events cannot be used.
        ModelError: when the models for reading cards are missing or damaged.
    """
    venue = None if config.venue is None else HttpVenue(config.venue.rstrip("/"), config.token)
    camera = source or open_source(
        config.source,
        frames_per_second=config.frames_per_second,
        simulated_deals=config.simulated_deals,
    )
    with contextlib.ExitStack() as held:
        held.enter_context(camera)
        journal = held.enter_context(Journal(_journal_path(config, camera)))
        reader = detector or _load_detector(config)
        # Last, since opening it empties it: an earlier run's events stay when this one cannot begin.
        lines = held.enter_context(_Lines(config.events, spare=(Path(config.source), config.journal)))
        name = None if venue is None else venue.address
        epoch = journal.start_epoch(config.table, camera.describe(), name)
        process = TableProcess(
            table=config.table,
            source=camera,
            detector=reader,
            make_tracker=lambda width, height: _make_tracker(config, width, height),
            journal=journal,
            epoch=epoch,
            delivery=None if venue is None else Delivery(journal, venue, config.table, venue.address),
            lines=lines,
            tell=tell,
            stop=stop or threading.Event(),
        )
        outcome = process.run()
    if outcome.frames_read == 0 and outcome.source_error is None and not process.stop.is_set():
        raise SourceUnreadableError(
            f"{config.source} gaf geen enkel beeld. Kies een andere bron.",
            "the source gave no picture at all. Choose another.",
        )
    return outcome


def default_journal(table: str) -> Path:
    """Where a table keeps its events when nothing else is said: in the user's own state folder."""
    state = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(state) if state.startswith("/") else Path.home() / ".local" / "state"
    return folder / "klaveroog" / f"tafel-{table}.sqlite"


def _journal_path(config: TableConfig, source: Source) -> Path | None:
    """A film can be read again, so it needs no journal unless its events are to be delivered."""
    if config.journal is None and (config.venue is not None or source.is_live):
        return default_journal(config.table)
    return config.journal


def _load_detector(config: TableConfig) -> Detector:
    # The runtime that reads cards takes a second to load, and only this needs it.
    import cv2

    from detector.card_detector import CardDetector

    cv2.setNumThreads(OPENCV_THREADS)
    return CardDetector.load(config.models, config.threads)


def _make_tracker(config: TableConfig, width: int, height: int) -> Tracker:
    from tracker.table_tracker import TableTracker
    from tracker.table_view import TableView

    trumps = config.trump or (None,)
    return TableTracker(
        config.table,
        config.reglement,
        config.dealer,
        trumps[0],
        view=TableView.of_picture(width, height),
        declarer=config.declarer,
        deal=config.deal,
        later_trumps=trumps[1:],
    )


class _Lines:
    """The file of JSON lines, opened when one is asked for."""

    def __init__(self, path: Path | None, spare: Sequence[Path | None] = ()) -> None:
        self._path = path
        self._spare = spare
        self._file: TextIO | None = None

    def __enter__(self) -> TextIO | None:
        if self._path is None:
            return None
        if any(path is not None and _is_same_file(self._path, path) for path in self._spare):
            raise SettingsError(
                f"{self._path} is de bron of het journaal zelf. Kies met --events een ander bestand.",
                "that is the source or the journal itself. Choose another file with --events.",
            )
        try:
            self._file = self._path.open("w", encoding="utf-8")
        except OSError as error:
            raise SettingsError(
                f"Het bestand {self._path} kan niet worden geschreven. Kies met --events een ander.",
                f"cannot write the file ({error.strerror}). Choose another with --events.",
            ) from error
        return self._file

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


def _is_same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
