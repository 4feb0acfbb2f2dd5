"""The process of one table: the same film gives the same events, whichever way it comes in."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from capture.delivery import Delivery
from capture.errors import SettingsError, SourceDamagedError, SourceLostError, SourceUnreadableError
from capture.frame import Frame
from capture.http_venue import HttpVenue
from capture.journal import Journal
from capture.settings import TableConfig
from capture.sources import SimulatorSource, Source, open_source
from capture.table_process import TableOutcome, TableProcess, default_journal, run_table
from detector.errors import ModelError
from tests.capture.films import numbered_picture, write_numbered_film
from tests.capture.number_reader import NumberDetector, NumberTracker
from tests.capture.rtsp_server import Behaviour, RtspServer
from tests.capture.venue_server import VenueServer
from tracker.events import CardPlayed, DealClosed, Event, SourceLost, event_from_json, event_to_json

COUNT = 40


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbered_film(tmp_path_factory.mktemp("film") / "film.mp4", COUNT, frames_per_second=25)


def run(source: Source, journal: Journal, **parts: object) -> TableOutcome:
    with source:
        epoch = journal.start_epoch("1", source.describe(), "venue")
        process = TableProcess(
            table="1",
            source=source,
            detector=NumberDetector(),
            journal=journal,
            epoch=epoch,
            **({"make_tracker": lambda width, height: NumberTracker()} | parts),  # type: ignore[arg-type]
        )
        outcome = process.run()
        assert journal.events(epoch) == outcome.events
    return outcome


def without_times(events: tuple[Event, ...]) -> list[dict[str, object]]:
    documents = [event_to_json(event) for event in events]
    return [{name: value for name, value in document.items() if name != "time_utc"} for document in documents]


def test_a_film_a_folder_and_a_stream_of_it_give_the_same_events(film: Path, tmp_path: Path) -> None:
    folder = tmp_path / "fotos"
    folder.mkdir()
    with open_source(str(film)) as pictures:
        for frame in pictures:
            cv2.imwrite(str(folder / f"{frame.sequence}.png"), frame.image)
    with RtspServer(film, Behaviour(frames_per_second=25)) as server, Journal(None) as journal:
        outcomes = [run(open_source(text), journal) for text in (str(film), str(folder), server.url)]
    assert [outcome.frames_read for outcome in outcomes] == [COUNT] * 3
    assert [outcome.source_error for outcome in outcomes] == [None] * 3
    assert [outcome.frames_dropped for outcome in outcomes] == [0] * 3
    file, pictures_of_it, stream = (without_times(outcome.events) for outcome in outcomes)
    assert len(file) == COUNT + 2
    assert file == pictures_of_it == stream


def test_what_could_be_read_of_a_damaged_film_counts(film: Path, tmp_path: Path) -> None:
    whole = write_numbered_film(tmp_path / "whole.mp4", COUNT, options={"movflags": "faststart"})
    cut = tmp_path / "film.mp4"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with Journal(tmp_path / "journal.sqlite") as journal:
        outcome = run(open_source(str(cut)), journal)
    assert isinstance(outcome.source_error, SourceDamagedError)
    assert sum(isinstance(event, CardPlayed) for event in outcome.events) >= COUNT // 2 - 3
    # A film that ends too soon is no camera that went away.
    assert not any(isinstance(event, SourceLost) for event in outcome.events)


def test_a_camera_that_stops_in_the_middle_of_a_deal_is_an_event(film: Path) -> None:
    behaviour = Behaviour(frames_per_second=50, resets_after=20)
    with RtspServer(film, behaviour) as server, Journal(None) as journal:
        outcome = run(open_source(server.url), journal, make_tracker=lambda w, h: NumberTracker(COUNT))
    assert isinstance(outcome.source_error, SourceLostError)
    assert isinstance(outcome.events[-1], SourceLost)
    assert "midden in een spel" in outcome.events[-1].reason


class BrokenCamera(SimulatorSource):
    """A camera that is lost after its pictures."""

    is_live = True

    def read(self) -> Frame | None:
        frame = super().read()
        if frame is None:
            raise SourceLostError("De camera zwijgt.", "the camera is silent.")
        return frame


def test_a_camera_that_is_lost_is_an_event_after_all_that_was_seen(film: Path) -> None:
    with Journal(None) as journal, open_source(str(film)) as pictures:
        outcome = run(BrokenCamera(pictures, "camera 0"), journal)
    assert isinstance(outcome.source_error, SourceLostError)
    assert len(outcome.events) == COUNT + 3
    assert isinstance(outcome.events[-1], SourceLost)
    assert outcome.events[-1].reason == "De camera zwijgt. / the camera is silent."


def test_a_still_table_is_not_read_again_and_again(tmp_path: Path) -> None:
    folder = tmp_path / "fotos"
    folder.mkdir()
    for number in range(12):
        cv2.imwrite(str(folder / f"{number}.png"), numbered_picture(number // 6))
    detector = NumberDetector()
    with Journal(None) as journal, open_source(str(folder)) as source:
        process = TableProcess(
            table="1",
            source=source,
            detector=detector,
            make_tracker=lambda width, height: NumberTracker(),
            journal=journal,
            epoch=journal.start_epoch("1", "fotos", None),
        )
        outcome = process.run()
    assert detector.looks == 2
    assert outcome.detections_reused == 10
    assert outcome.frames_read == 12


def test_the_tracker_learns_the_size_of_the_pictures(film: Path) -> None:
    sizes = []

    def make_tracker(width: int, height: int) -> NumberTracker:
        sizes.append((width, height))
        return NumberTracker()

    with Journal(None) as journal, open_source(str(film)) as source:
        epoch = journal.start_epoch("1", "film", None)
        TableProcess("1", source, NumberDetector(), make_tracker, journal, epoch).run()
    assert sizes == [(320, 240)]


def test_each_event_is_in_the_journal_before_it_is_told(film: Path) -> None:
    told: list[Event] = []
    lines = io.StringIO()
    with Journal(None) as journal, open_source(str(film)) as source:
        epoch = journal.start_epoch("1", "film", None)

        def tell(event: Event) -> None:
            assert event in journal.events(epoch)
            told.append(event)

        outcome = TableProcess(
            "1", source, NumberDetector(), lambda w, h: NumberTracker(), journal, epoch, None, lines, tell
        ).run()
    assert tuple(told) == outcome.events
    assert (
        tuple(event_from_json(json.loads(line)) for line in lines.getvalue().splitlines()) == outcome.events
    )


def test_events_reach_the_venue_while_the_film_runs(film: Path) -> None:
    with VenueServer() as venue, Journal(None) as journal:
        delivery = Delivery(journal, HttpVenue(venue.address, "sesam"), "1", "venue")
        outcome = run(open_source(str(film)), journal, delivery=delivery)
        (kept,) = venue.events.values()
    assert kept == [event_to_json(event) for event in outcome.events]
    assert outcome.undelivered == 0
    assert outcome.delivery_error is None


def test_a_venue_that_hangs_does_not_slow_reading_and_is_told_of(film: Path) -> None:
    with VenueServer() as venue, Journal(None) as journal:
        venue.silent = True
        delivery = Delivery(journal, HttpVenue(venue.address, "sesam"), "1", "venue")
        read_s: list[float] = []
        started_s = time.monotonic()
        with open_source(str(film)) as source:
            epoch = journal.start_epoch("1", "film", "venue")
            tell: Callable[[Event], None] = lambda event: read_s.append(time.monotonic() - started_s)  # noqa: E731
            process = TableProcess(
                "1", source, NumberDetector(), lambda w, h: NumberTracker(), journal, epoch, None, None, tell
            )
            process.run()
        assert read_s[-1] < 3.0
        assert delivery.close(timeout_s=0.2) == COUNT + 2


def test_a_run_that_is_stopped_ends_properly(film: Path) -> None:
    stop = threading.Event()
    told = 0

    def tell(event: Event) -> None:
        nonlocal told
        told += 1
        if told == 10:
            stop.set()

    with Journal(None) as journal:
        outcome = run(open_source(str(film)), journal, stop=stop, tell=tell)
    assert len(outcome.events) == 11
    assert isinstance(outcome.events[-1], DealClosed)
    assert outcome.source_error is None


def test_run_table_writes_the_lines_and_keeps_a_journal_only_where_asked(film: Path, tmp_path: Path) -> None:
    lines, journal = tmp_path / "events.jsonl", tmp_path / "here" / "journal.sqlite"
    config = TableConfig(source=str(film), events=lines, journal=journal)
    outcome = run_table(config, detector=NumberDetector())
    assert outcome.frames_read == COUNT
    assert outcome.journal == journal
    assert journal.exists()
    assert (
        tuple(event_from_json(json.loads(line)) for line in lines.read_text().splitlines()) == outcome.events
    )
    assert run_table(TableConfig(source=str(film)), detector=NumberDetector()).journal is None


def test_a_source_without_a_single_picture_is_an_error() -> None:
    with pytest.raises(SourceUnreadableError, match="geen enkel beeld"):
        run_table(
            TableConfig(source="simulator:1"),
            source=SimulatorSource([], "simulator:1"),
            detector=NumberDetector(),
        )


def test_the_default_journal_is_in_the_users_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere")
    assert default_journal("7") == Path("/somewhere/klaveroog/tafel-7.sqlite")
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", "/thuis")
    assert default_journal("7") == Path("/thuis/.local/state/klaveroog/tafel-7.sqlite")


def test_the_film_itself_is_not_written_over_with_events(film: Path, tmp_path: Path) -> None:
    copy = tmp_path / "film.mp4"
    copy.write_bytes(film.read_bytes())
    with pytest.raises(SettingsError, match="--events"):
        run_table(TableConfig(source=str(copy), events=copy), detector=NumberDetector())
    assert copy.read_bytes() == film.read_bytes()


def test_a_table_that_cannot_begin_leaves_the_events_of_before(film: Path, tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"
    events.write_text("yesterday")
    with pytest.raises(ModelError):
        run_table(TableConfig(source=str(film), events=events, models=tmp_path))
    assert events.read_text() == "yesterday"
