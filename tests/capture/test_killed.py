"""A table that is killed while it records: what it saw is on the disk, and plays in a browser."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.capture.films import number_of, write_numbered_film
from tests.capture.rtsp_server import Behaviour, RtspServer
from tests.capture.test_delivery import wait_until
from tests.chromium import chromium, need_chromium

FRAMES_PER_SECOND = 10
LONG_ENOUGH = 40
"""Pictures sent since the recording began, before the table is killed."""

PLAYED = """async video => {
    const played = new Promise((done, fail) => { video.onended = done; video.onerror = fail; });
    video.playbackRate = 4;
    await video.play();
    await played;
    return [video.currentTime, video.videoWidth, video.videoHeight];
}"""


@pytest.mark.browser
@pytest.mark.pixels
def test_what_a_killed_table_recorded_plays_in_a_browser_and_misses_no_second(tmp_path: Path) -> None:
    film = write_numbered_film(tmp_path / "film.mp4", 600, FRAMES_PER_SECOND)
    with RtspServer(film, Behaviour(frames_per_second=FRAMES_PER_SECOND)) as camera:
        segment, sent = killed_while_recording(camera, tmp_path)
    numbers, length_s = numbers_in(segment)
    assert len(numbers) >= LONG_ENOUGH / 4
    assert numbers == sorted(set(numbers))
    missing_s = (sent - 1 - numbers[-1]) / FRAMES_PER_SECOND
    assert missing_s <= 1.0
    need_chromium()
    with chromium() as browser:
        played_s, width, height = played(browser, segment)
    assert (width, height) == (320, 240)
    assert played_s == pytest.approx(length_s, abs=0.5)


def killed_while_recording(camera: RtspServer, folder: Path) -> tuple[Path, int]:
    """Run a table at ``camera`` for a while and kill it; its segment, and how many pictures it was sent."""
    settings = folder / "table.toml"
    settings.write_text(
        f"""source = "{camera.url}"\njournal = "{folder}/journal.sqlite"\nrecordings = "{folder}/opnamen"\n"""
    )
    command = [sys.executable, "-m", "capture.command_line", "table", "--config", str(settings)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as table:
        try:
            wait_until(lambda: bool(segments(folder)), 60)
            began = camera.pictures_sent
            wait_until(lambda: camera.pictures_sent >= began + LONG_ENOUGH, 30)
            assert table.poll() is None
        finally:
            sent = camera.pictures_sent
            table.kill()
    (segment,) = segments(folder)
    return segment, sent


def segments(folder: Path) -> list[Path]:
    return list((folder / "opnamen").glob("*/*.mp4"))


def numbers_in(segment: Path) -> tuple[list[int], float]:
    """The numbers of the pictures that can still be read, and when the last is shown."""
    numbers, shown_s = [], 0.0
    # The last picture may be torn.
    with av.open(str(segment)) as recorded, contextlib.suppress(av.FFmpegError):
        for picture in recorded.decode(video=0):
            numbers.append(number_of(np.asarray(picture.to_ndarray(format="bgr24"), np.uint8)))
            shown_s = picture.time or 0.0
    return numbers, shown_s


def played(browser: Browser, film: Path) -> tuple[float, int, int]:
    """How far (seconds) the browser plays ``film``, and how wide and high it is."""
    page = browser.new_page()
    here = film.parent / "page.html"
    here.write_text(f'<video muted src="{film.name}"></video>')
    page.goto(here.as_uri())
    reached_s, width, height = page.locator("video").evaluate(PLAYED)
    return float(reached_s), int(width), int(height)
