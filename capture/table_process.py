"""The process of one table: its parts made as the settings say, run, and let go of again."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from capture.backs import BackWatch
from capture.calibration import CalibratedPlacement, Calibration, load_calibration
from capture.delivery import Delivery
from capture.errors import CaptureError, SettingsError, SourceUnreadableError
from capture.heartbeat import Heartbeat
from capture.http_venue import HttpVenue
from capture.journal import Journal
from capture.look_pace import LookPace
from capture.recording import KeepingRules, MediaKeeper
from capture.settings import TableConfig
from capture.sources import Source, SourceChange, SupervisedSource, open_source
from capture.table_loop import AsSeen, Placement, TableOutcome, TableProcess, Tracker
from capture.table_status import CameraHealth
from detector.types import Detector
from tracker.events import Event

__all__ = [
    "TableOutcome",
    "TableProcess",
    "Tracker",
    "default_journal",
    "default_recordings",
    "recordings_of",
    "run_table",
]

OPENCV_THREADS: Final = 1
"""The reading of cards has the processor; OpenCV's own threads would only get in its way."""

_GIGABYTE: Final = 1_000_000_000


def run_table(
    config: TableConfig,
    *,
    source: Source | None = None,
    detector: Detector | None = None,
    tell: Callable[[Event], None] = lambda event: None,
    stop: threading.Event | None = None,
    notice: Callable[[str], None] = lambda sentence: None,
) -> TableOutcome:
    """Run one table as ``config`` says, until its source ends or ``stop`` is set.

    source: in place of the one that ``config`` names; it is closed at the end.
    detector: in place of the models that ``config`` names.
    tell: called with each event once it is in the journal.
    notice: called at once with a sentence, Dutch and English, when the camera or the venue is lost or back.
        It may be called by another thread.

    Raises:
        SourceError: when the source cannot be opened or gives no picture at all.
        JournalError, SettingsError: when the journal, venue or file of events cannot be used.
        CalibrationError: when the calibration cannot be used.
        ModelError: when the models for reading cards are missing or damaged.
    """
    venue = None if config.venue is None else HttpVenue(config.venue.rstrip("/"), config.token)
    calibration = None if config.calibration is None else load_calibration(config.calibration)
    with contextlib.ExitStack() as held:
        camera = held.enter_context(_open(config, source))
        for remark in camera.remarks:
            notice(remark)
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
            make_tracker=lambda width, height: _make_tracker(config, calibration, width, height),
            journal=journal,
            epoch=epoch,
            delivery=None if venue is None else Delivery(journal, venue, config.table, venue.address),
            lines=lines,
            tell=tell,
            stop=stop or threading.Event(),
            media=_media(config, camera, epoch, venue),
            health=CameraHealth(camera.is_live, calibrated=calibration is not None),
            backs=BackWatch(config.models) if config.watch_backs else None,
            placement=_placement(calibration, camera),
            pace=LookPace(config.looks_per_second),
        )
        held.enter_context(_reported(process, venue, notice))
        outcome = process.run()
    if outcome.frames_read == 0 and outcome.source_error is None and not process.stop.is_set():
        raise SourceUnreadableError(
            f"{config.source} gaf geen enkel beeld. Kies een andere bron.",
            "the source gave no picture at all. Choose another.",
        )
    return outcome


def default_journal(table: str) -> Path:
    """Where a table keeps its events when nothing else is said: in the user's own state folder."""
    return _state_folder() / f"tafel-{table}.sqlite"


def default_recordings(table: str) -> Path:
    """Where a table keeps its recordings when nothing else is said."""
    return _state_folder() / "opnamen" / f"tafel-{table}"


def recordings_of(config: TableConfig) -> Path:
    """Where the table of these settings keeps its recordings."""
    return config.recordings or default_recordings(config.table)


def _state_folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(state) if state.startswith("/") else Path.home() / ".local" / "state"
    return folder / "klaveroog"


def _open(config: TableConfig, given: Source | None) -> Source:
    """The source, looked after when it is a camera."""
    if given is not None:
        return given

    def open_again() -> Source:
        return open_source(
            config.source,
            frames_per_second=config.frames_per_second,
            simulated_deals=config.simulated_deals,
            camera=config.camera,
        )

    first = open_again()
    if not (first.is_live and config.reconnect):
        return first
    return SupervisedSource(first, open_again, waiting=config.frames_waiting)


def _journal_path(config: TableConfig, source: Source) -> Path | None:
    """A film can be read again, so it needs no journal unless its events are to be delivered."""
    if config.journal is None and (config.venue is not None or source.is_live):
        return default_journal(config.table)
    return config.journal


def _media(config: TableConfig, source: Source, epoch: str, venue: HttpVenue | None) -> MediaKeeper | None:
    """Cameras are recorded unless the settings say no; a film is a recording already."""
    if not (source.is_live if config.record is None else config.record):
        return None
    rules = KeepingRules(config.record_days, round(config.record_gigabytes * _GIGABYTE))
    return MediaKeeper(recordings_of(config), config.table, epoch, venue, rules)


def _placement(calibration: Calibration | None, source: Source) -> Placement:
    return AsSeen() if calibration is None else CalibratedPlacement(calibration, source.describe())


@contextlib.contextmanager
def _reported(
    process: TableProcess, venue: HttpVenue | None, notice: Callable[[str], None]
) -> Iterator[None]:
    """For as long as the block lasts, tell the venue how the table is, and people of what happens to it."""
    if venue is None:
        process.changed = lambda change: notice(change.sentence)
        yield
        return

    def collect(sequence: int) -> dict[str, Any]:
        status = process.status()
        return {} if status is None else status.as_json(sequence)

    def reached(error: CaptureError | None) -> None:
        back = f"De zaal {venue.address} is weer bereikbaar. / the venue can be reached again."
        notice(back if error is None else str(error))

    media = process.media
    heartbeat = Heartbeat(
        venue, process.table, collect, media.want if media is not None else lambda clips: None, reached
    )

    def changed(change: SourceChange) -> None:
        notice(change.sentence)
        heartbeat.wake()

    process.changed = changed
    try:
        yield
    finally:
        heartbeat.close()


def _load_detector(config: TableConfig) -> Detector:
    # The runtime that reads cards takes a second to load, and only this needs it.
    import cv2

    from detector.card_detector import CardDetector

    cv2.setNumThreads(OPENCV_THREADS)
    return CardDetector.load(config.models, config.threads)


def _make_tracker(config: TableConfig, calibration: Calibration | None, width: int, height: int) -> Tracker:
    from tracker.table_tracker import TableTracker
    from tracker.table_view import TableView

    trumps = config.trump or (None,)
    view = TableView.of_picture(width, height) if calibration is None else calibration.view(width, height)
    return TableTracker(
        config.table,
        config.reglement,
        config.dealer,
        trumps[0],
        view=view,
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
