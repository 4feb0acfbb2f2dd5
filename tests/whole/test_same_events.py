"""One film, as a video file, a folder of pictures and a stream: the same events, by the real models."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cv2
import pytest

from capture.settings import TableConfig
from capture.simulator import Film, write_film
from capture.sources import open_source
from capture.table_process import TableOutcome, run_table
from tests.capture.rtsp_server import Behaviour, RtspServer
from tracker.events import CardPlayed, TrickCovered, event_to_json

pytestmark = pytest.mark.pixels

FRAMES_PER_SECOND = 5.0
LENGTH_S = 24
"""Long enough for the dealing and the first tricks."""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("film")
    whole, start = folder / "whole.mp4", folder / "start.mp4"
    write_film(Film(8003, 1, frames_per_second=FRAMES_PER_SECOND), whole, folder / "truth.json")
    command = ["ffmpeg", "-v", "error", "-i", str(whole), "-t", str(LENGTH_S), "-c", "copy", str(start)]
    subprocess.run(command, check=True)
    return start


def read(source: str) -> TableOutcome:
    # Each picture of a stream counts here, and its end is the end.
    settings = {"reconnect": False, "frames_waiting": 64, "record": False}
    return run_table(TableConfig(source=source, frames_per_second=FRAMES_PER_SECOND, **settings))  # type: ignore[arg-type]


def facts(outcome: TableOutcome) -> list[dict[str, object]]:
    """What was told, in order; the times are the source's own."""
    told = [event_to_json(event) for event in outcome.events]
    own = {"time_utc", "video"}
    return [{name: value for name, value in event.items() if name not in own} for event in told]


def test_a_film_a_folder_and_a_stream_give_the_same_events(film: Path, tmp_path: Path) -> None:
    with open_source(str(film)) as pictures:
        for frame in pictures:
            cv2.imwrite(str(tmp_path / f"{frame.sequence:05d}.png"), frame.image)
    with RtspServer(film, Behaviour(frames_per_second=FRAMES_PER_SECOND)) as server:
        stream = read(server.url)
    file, folder = read(str(film)), read(str(tmp_path))
    assert file.frames_read == folder.frames_read == stream.frames_read > 100
    assert stream.frames_dropped == 0
    assert sum(isinstance(event, CardPlayed) for event in file.events) >= 8
    assert sum(isinstance(event, TrickCovered) for event in file.events) >= 2
    # A camera that ends in the middle of a deal says so; a film that ends there is only short.
    assert facts(file) == facts(folder)
    assert facts(stream)[: len(facts(file))] == facts(file)
    assert [event["type"] for event in facts(stream)[len(facts(file)) :]] in ([], ["SourceLost"])
