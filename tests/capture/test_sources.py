"""Films, folders, USB cameras and the simulator behind the one interface, and each of their faults."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from capture.errors import (
    SourceDamagedError,
    SourceError,
    SourceLostError,
    SourceMissingError,
    SourceUnreadableError,
)
from capture.frame import Frame
from capture.sources import (
    PacedSource,
    PictureFolder,
    SimulatorSource,
    Source,
    UsbCamera,
    VideoFile,
    open_source,
)
from capture.sources.usb_camera import device_number
from tests.capture.films import number_of, numbered_picture, write_numbered_film


def numbers_until_error(source: Source) -> tuple[list[int], SourceError]:
    numbers = []
    try:
        for frame in source:
            numbers.append(number_of(frame.image))
    except SourceError as error:
        return numbers, error
    pytest.fail("the source came to a proper end")


def one_line_in_two_languages(error: SourceError) -> bool:
    return "\n" not in str(error) and f"{error.dutch} / {error.english}" == str(error)


@pytest.mark.parametrize("name", ["film.mp4", "film.mkv", "film.avi", "film.ts"])
def test_a_film_gives_every_picture_in_order_and_in_its_time(tmp_path: Path, name: str) -> None:
    path = write_numbered_film(tmp_path / name, 60)
    with open_source(str(path)) as source:
        assert not source.is_live
        assert "320x240" in source.describe()
        frames = list(source)
    assert [number_of(frame.image) for frame in frames] == list(range(60))
    assert [frame.sequence for frame in frames] == list(range(60))
    assert [frame.monotonic_s for frame in frames] == pytest.approx([n / 10 for n in range(60)], abs=0.002)
    assert (frames[-1].wall_utc - frames[0].wall_utc).total_seconds() == pytest.approx(5.9, abs=0.01)


def test_a_film_that_says_when_it_was_taken_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    with av.open(str(path), "w") as container:
        container.metadata["creation_time"] = "2026-03-01T19:30:00Z"
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        container.mux(stream.encode(av.VideoFrame.from_ndarray(numbered_picture(0), format="bgr24")))
        container.mux(stream.encode())
    with VideoFile(path) as film:
        frame = film.read()
    assert frame is not None
    assert frame.wall_utc == datetime(2026, 3, 1, 19, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("film.mp4", {"movflags": "faststart"}),
        ("film.mp4", {"movflags": "frag_keyframe+empty_moov"}),
        ("film.mkv", {}),
        ("film.avi", {}),
        ("film.ts", {}),
    ],
)
def test_of_a_film_cut_off_half_way_every_picture_is_given_and_then_one_line(
    tmp_path: Path, name: str, options: dict[str, str]
) -> None:
    whole = write_numbered_film(tmp_path / f"whole-{name}", 60, options=options)
    cut = tmp_path / name
    data = whole.read_bytes()
    cut.write_bytes(data[: len(data) * 6 // 10])
    with VideoFile(cut) as film:
        numbers, error = numbers_until_error(film)
        assert film.read() is None
    assert len(numbers) >= 33
    assert numbers[:33] == list(range(33))
    assert isinstance(error, SourceDamagedError)
    assert one_line_in_two_languages(error)
    assert str(cut) in error.dutch


def test_a_film_cut_off_before_its_index_says_so(tmp_path: Path) -> None:
    whole = write_numbered_film(tmp_path / "whole.mp4", 60)
    cut = tmp_path / "film.mp4"
    cut.write_bytes(whole.read_bytes()[:-3000])
    with pytest.raises(SourceUnreadableError, match="afgebroken") as caught:
        open_source(str(cut))
    assert one_line_in_two_languages(caught.value)


def test_a_film_damaged_in_the_middle_is_read_past_the_damage(tmp_path: Path) -> None:
    whole = write_numbered_film(tmp_path / "whole.mkv", 60)
    data = bytearray(whole.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 40_000] = np.random.default_rng(1).bytes(40_000)
    damaged = tmp_path / "film.mkv"
    damaged.write_bytes(data)
    with VideoFile(damaged) as film:
        numbers, error = numbers_until_error(film)
    assert numbers[:25] == list(range(25))
    assert numbers[-15:] == list(range(45, 60))
    assert isinstance(error, SourceDamagedError)
    assert "beschadigd" in error.dutch


@pytest.mark.parametrize("text", ["", "kaarten en tafels\n" * 200])
def test_a_text_named_film_is_no_film(tmp_path: Path, text: str) -> None:
    path = tmp_path / "film.mp4"
    path.write_text(text)
    with pytest.raises(SourceUnreadableError, match="geen film") as caught:
        open_source(str(path))
    assert one_line_in_two_languages(caught.value)


def test_sound_alone_is_no_film(tmp_path: Path) -> None:
    path = tmp_path / "sound.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=8000)
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        silence.sample_rate = 8000
        container.mux(stream.encode(silence))
        container.mux(stream.encode())
    with pytest.raises(SourceUnreadableError):
        open_source(str(path))


@pytest.mark.parametrize(
    "text",
    [
        "no-such-film.mp4",
        "/dev/no-such-camera",
        "/dev/null",
        "63",
        "simulator:",
        "simulator:x",
        "http://127.0.0.1/a",
    ],
)
def test_what_is_not_there_is_said_in_one_line(text: str) -> None:
    with pytest.raises(SourceMissingError) as caught:
        open_source(text)
    assert one_line_in_two_languages(caught.value)


def write_pictures(folder: Path, numbers: range, suffix: str = ".png") -> None:
    folder.mkdir()
    for number in numbers:
        cv2.imwrite(str(folder / f"foto {number}{suffix}"), numbered_picture(number))


def test_a_folder_is_shown_in_the_order_in_which_people_count(tmp_path: Path) -> None:
    folder = tmp_path / "fotos"
    write_pictures(folder, range(8, 13))
    (folder / "notes.txt").write_text("not a picture")
    with open_source(str(folder)) as source:
        frames = list(source)
    assert [number_of(frame.image) for frame in frames] == [8, 9, 10, 11, 12]
    assert [frame.monotonic_s for frame in frames] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])


def test_a_folder_can_be_shown_at_another_speed(tmp_path: Path) -> None:
    write_pictures(tmp_path / "fotos", range(3))
    with open_source(str(tmp_path / "fotos"), frames_per_second=4) as source:
        assert [frame.monotonic_s for frame in source] == [0.0, 0.25, 0.5]


def test_an_empty_folder_says_what_to_put_in_it(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadableError, match="Zet er"):
        open_source(str(tmp_path))


def test_broken_pictures_leave_a_gap_and_are_told_of_at_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "fotos"
    write_pictures(folder, range(6), ".jpg")
    torn = folder / "foto 2.jpg"
    torn.write_bytes(torn.read_bytes()[:4000])
    (folder / "foto 4.jpg").write_text("not a picture")
    pictures = PictureFolder(folder)
    frames = [frame for _ in range(4) if (frame := pictures.read()) is not None]
    with pytest.raises(SourceDamagedError, match=r"2 van 6 .*foto 2\.jpg"):
        pictures.read()
    assert [frame.sequence for frame in frames] == [0, 1, 3, 5]
    assert [frame.monotonic_s for frame in frames] == pytest.approx([0.0, 0.1, 0.3, 0.5])


class FakeDevice:
    """A camera that gives ``count`` pictures, one each ``step_s``, and then does ``afterwards``."""

    def __init__(self, count: int, step_s: float, afterwards: Callable[[], None] = lambda: None) -> None:
        self._left = count
        self._count = count
        self._step_s = step_s
        self._afterwards = afterwards
        self.released = False
        self.values: dict[int, float] = {}

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        self.values[propId] = value
        return True

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        return self.values.get(propId, 0.0)

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._count > 0

    def read(self) -> tuple[bool, Any]:
        if not self._left:
            self._afterwards()
            return False, None
        time.sleep(self._step_s)
        self._left -= 1
        return True, numbered_picture(self._count - self._left - 1)

    def release(self) -> None:
        self.released = True


def test_a_usb_camera_gives_the_newest_picture_and_counts_the_others() -> None:
    device = FakeDevice(40, 0.02)
    with UsbCamera(0, lambda _: device) as camera:
        seen = []
        for _ in range(3):
            time.sleep(0.2)
            frame = camera.read()
            assert frame is not None
            assert frame.sequence == number_of(frame.image)
            # Waiting longer must not give an older picture: what is read was taken a moment ago.
            assert time.monotonic() - frame.monotonic_s < 0.15
            seen.append(frame.sequence)
        assert camera.frames_dropped >= seen[-1] - 3 > 10
    assert seen == sorted(set(seen))
    assert device.released


def test_an_unplugged_usb_camera_is_noticed_within_three_seconds() -> None:
    with UsbCamera(0, lambda _: FakeDevice(5, 0.01)) as camera:
        with pytest.raises(SourceLostError, match="stekker"):
            for _ in camera:
                pass
        frozen_s = time.monotonic()
        with pytest.raises(SourceLostError):
            camera.read()
        assert time.monotonic() - frozen_s < 0.1


def test_a_usb_camera_that_hangs_is_noticed_and_does_not_hold_up_closing() -> None:
    unplug = threading.Event()

    def hang() -> None:
        unplug.wait(20)

    device = FakeDevice(1, 0.0, hang)
    camera = UsbCamera(0, lambda _: device)
    assert camera.read() is not None
    started_s = time.monotonic()
    with pytest.raises(SourceLostError):
        camera.read()
    camera.close()
    assert time.monotonic() - started_s < 6.0
    # A device that a thread still reads from must not be released under it.
    assert not device.released
    unplug.set()


def test_a_usb_camera_that_does_not_open_says_so() -> None:
    device = FakeDevice(0, 0.0)
    with pytest.raises(SourceMissingError, match="Er is geen camera 3"):
        UsbCamera(3, lambda _: device)
    assert device.released


def test_a_stable_device_path_leads_to_the_cameras_number(tmp_path: Path) -> None:
    link = tmp_path / "usb-Camera_123-video-index0"
    link.symlink_to("/dev/video7")
    assert device_number(link) == 7
    assert device_number(Path("/dev/video12")) == 12
    assert device_number(Path("/dev/null")) is None


def frames_at(times_s: list[float]) -> list[Frame]:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return [Frame(numbered_picture(n), time_s, now, n) for n, time_s in enumerate(times_s)]


def test_a_simulated_film_is_a_source_like_any_other() -> None:
    with SimulatorSource(frames_at([0.0, 0.1]), "simulator:7") as source:
        assert [frame.sequence for frame in source] == [0, 1]
        assert source.describe() == "simulator:7"


def test_a_paced_film_gives_no_picture_before_its_time() -> None:
    arrived_s = []
    with PacedSource(SimulatorSource(frames_at([5.0, 5.1, 5.2]), "film")) as source:
        for _ in source:
            arrived_s.append(time.monotonic())
    steps_s = [after - before for before, after in pairwise(arrived_s)]
    assert all(0.09 < step_s < 0.3 for step_s in steps_s)
