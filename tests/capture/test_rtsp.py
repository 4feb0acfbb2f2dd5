"""RTSP, from a server that runs here: nothing is lost, and a camera that fails is noticed in time."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from capture.errors import SourceLostError, SourceRefusedError
from capture.frame import Frame
from capture.sources import RtspCamera, open_source
from capture.sources.rtsp import CameraClock, without_password
from tests.capture.films import number_of, write_numbered_film
from tests.capture.rtsp_server import Behaviour, RtspServer


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbered_film(tmp_path_factory.mktemp("film") / "film.mp4", 60, frames_per_second=25)


def read_until_lost(camera: RtspCamera) -> tuple[list[Frame], SourceLostError]:
    frames: list[Frame] = []
    try:
        while (frame := camera.read()) is not None:
            frames.append(frame)
    except SourceLostError as error:
        return frames, error
    pytest.fail("the camera came to a proper end")


def test_every_picture_arrives_once_and_in_order_and_the_goodbye_is_a_proper_end(film: Path) -> None:
    with RtspServer(film, Behaviour(frames_per_second=25)) as server, open_source(server.url) as camera:
        frames = list(camera)
    assert [number_of(frame.image) for frame in frames] == list(range(60))
    assert [frame.sequence for frame in frames] == list(range(60))
    assert camera.frames_dropped == 0
    # The times follow the camera's even stamps, whatever the network does; the first picture has none.
    steps = [after.monotonic_s - before.monotonic_s for before, after in pairwise(frames)]
    assert steps[1:] == pytest.approx([1 / 25] * 58, abs=0.002)


def test_a_slow_reader_loses_the_oldest_pictures_and_they_are_counted(film: Path) -> None:
    with (
        RtspServer(film, Behaviour(frames_per_second=60)) as server,
        RtspCamera(server.url, queue_length=4) as camera,
    ):
        time.sleep(1.8)
        frames = list(camera)
    assert [number_of(frame.image) for frame in frames] == [56, 57, 58, 59]
    assert camera.frames_dropped == 56
    assert [frame.sequence for frame in frames] == [56, 57, 58, 59]


def test_a_camera_that_falls_silent_is_noticed_within_four_seconds_and_does_not_hold_up_closing(
    film: Path,
) -> None:
    behaviour = Behaviour(frames_per_second=50, silent_after=20)
    with RtspServer(film, behaviour) as server:
        with RtspCamera(server.url) as camera:
            frames, error = read_until_lost(camera)
            noticed_s = time.monotonic()
        assert time.monotonic() - noticed_s < 5.0
    waited_s = noticed_s - frames[-1].monotonic_s
    assert len(frames) >= 15
    assert waited_s < 4.0
    assert "zwijgt" in error.dutch
    assert "silent" in error.english


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(frames_per_second=50, hangs_up_after=20),
        Behaviour(frames_per_second=50, resets_after=20),
    ],
)
def test_a_connection_that_closes_is_noticed_at_once(film: Path, behaviour: Behaviour) -> None:
    # FFmpeg reports an end whether the server says goodbye, hangs up or breaks off: the table tells which.
    with RtspServer(film, behaviour) as server, RtspCamera(server.url) as camera:
        started_s = time.monotonic()
        numbers = [number_of(frame.image) for frame in camera]
        assert time.monotonic() - started_s < 2.5
    assert numbers == list(range(len(numbers)))
    assert len(numbers) >= 18


def test_a_camera_that_never_answers_is_given_up_within_four_seconds(film: Path) -> None:
    started_s = time.monotonic()
    with (
        RtspServer(film, Behaviour(answers=False)) as server,
        pytest.raises(SourceRefusedError, match="bereiken"),
    ):
        RtspCamera(server.url)
    assert time.monotonic() - started_s < 4.0


def test_a_refused_connection_says_so_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(SourceRefusedError, match=r"Connection refused"):
        open_source(f"rtsp://127.0.0.1:{port}/film")


def test_a_camera_that_wants_a_password_is_named_without_the_one_given(film: Path) -> None:
    with RtspServer(film, Behaviour(password_wanted=True)) as server:
        url = server.url.replace("rtsp://", "rtsp://jan:geheim@")
        with pytest.raises(SourceRefusedError, match="wachtwoord") as caught:
            open_source(url)
    assert "geheim" not in str(caught.value)
    assert "jan:***@127.0.0.1" in str(caught.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("rtsp://10.0.0.4/a", "rtsp://10.0.0.4/a"),
        ("rtsp://jan@10.0.0.4:554/a?b=1", "rtsp://jan@10.0.0.4:554/a?b=1"),
        ("rtsp://jan:p%40ss@10.0.0.4:554/a?b=1", "rtsp://jan:***@10.0.0.4:554/a?b=1"),
    ],
)
def test_passwords_are_never_shown(url: str, shown: str) -> None:
    assert without_password(url) == shown


def test_the_clock_follows_stamps_forgives_jitter_and_starts_anew_when_the_camera_is_set() -> None:
    clock = CameraClock()
    now = datetime(2026, 1, 1, tzinfo=UTC)
    stamps_and_arrivals = [(5.0, 100.0), (5.1, 100.4), (5.2, 100.2), (900.0, 100.3), (900.1, 100.4)]
    times = [clock.times_of(stamp, arrived, now)[0] for stamp, arrived in stamps_and_arrivals]
    assert times == pytest.approx([100.0, 100.1, 100.2, 100.3, 100.4])


def test_the_clock_never_goes_back() -> None:
    clock = CameraClock()
    now = datetime(2026, 1, 1, tzinfo=UTC)
    first, _ = clock.times_of(5.0, 100.0, now)
    second, _ = clock.times_of(4.5, 100.1, now)
    third, _ = clock.times_of(5.3, 100.3, now)
    assert first < second < third


def test_a_picture_without_a_stamp_comes_one_step_after_the_one_before() -> None:
    clock = CameraClock()
    now = datetime(2026, 1, 1, tzinfo=UTC)
    stamps_and_arrivals = [(None, 99.9), (5.0, 100.0), (5.1, 100.1), (None, 100.1)]
    times = [clock.times_of(stamp, arrived, now)[0] for stamp, arrived in stamps_and_arrivals]
    assert times == pytest.approx([99.9, 100.0, 100.1, 100.2])
