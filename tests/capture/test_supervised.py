"""A camera that fails in all its ways is noticed, told of, and taken up again by itself."""

from __future__ import annotations

import gc
import os
import random
import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from capture.frame import Frame
from capture.sources import Fault, SourceChange, SupervisedSource
from capture.sources.link_watch import LinkSettings, LinkWatch
from capture.sources.picture_watch import PictureWatch, Verdict, is_black, is_noise
from tests.capture.faulty_camera import FaultyCamera, Trouble

NOTICED_S = 3.0
BACK_S = 5.0

HASTY = LinkSettings(
    # A busy machine may well leave a thread alone for half a second.
    silent_s=1.2,
    connect_s=1.0,
    first_pause_s=0.05,
    longest_pause_s=0.2,
    reconnect_each_s=1.0,
    good_pictures=3,
)
HASTY_PERSISTS_S = 0.3


class Watcher:
    """Reads a camera in a thread as a table does, and keeps what it is told."""

    def __init__(self, source: SupervisedSource) -> None:
        self.changes: list[tuple[float, SourceChange]] = []
        self.frames: list[tuple[float, int, tuple[int, ...]]] = []
        self._source = source
        self._stop = threading.Event()
        source.report_to(lambda change: self.changes.append((time.monotonic(), change)), self._stop)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while (frame := self._source.read()) is not None:
            self.frames.append((frame.monotonic_s, frame.sequence, frame.image.shape))

    def wait(self, condition: Callable[[], bool], within_s: float) -> float:
        """How long it took until ``condition`` came true."""
        started_s = time.monotonic()
        while not condition():
            if time.monotonic() - started_s > within_s:
                pytest.fail(f"not within {within_s} s; told so far: {[c.fault for _, c in self.changes]}")
            time.sleep(0.01)
        return time.monotonic() - started_s

    def close(self) -> None:
        self._stop.set()
        self._thread.join(10)
        assert not self._thread.is_alive()
        self._source.close()


def suffer(camera: FaultyCamera, watcher: Watcher, trouble: Trouble) -> tuple[float, float]:
    """Let the camera fail once and be mended once, and see that both are told in time.

    Returns after how many seconds it was noticed, and after how many it was over.
    """
    told = len(watcher.changes)
    with camera.failing(trouble):
        noticed_s = watcher.wait(
            lambda: trouble.told_as in [c.fault for _, c in watcher.changes[told:]], NOTICED_S
        )
        # Nothing else is told, but that a camera that now refuses first hung up.
        first = {c.fault for _, c in watcher.changes[told:]} - {trouble.told_as, None}
        assert first <= ({Fault.GONE} if trouble is Trouble.REFUSED else {Fault.REFUSED})
        # For a while after it was noticed, too.
        time.sleep(random.random() * 0.3)
    back_s = watcher.wait(lambda: watcher.changes[-1][1].fault is None, BACK_S)
    got = len(watcher.frames)
    watcher.wait(lambda: len(watcher.frames) > got + 1, BACK_S)
    return noticed_s, back_s


@pytest.mark.parametrize("count", [1])
def test_each_fault_is_noticed_in_three_seconds_and_over_in_five(count: int) -> None:
    """With the settings that tables run with; all eleven at the same time, each at a camera of its own."""

    def run(trouble: Trouble) -> None:
        camera = FaultyCamera()
        watcher = Watcher(SupervisedSource(camera.connect(), camera.connect))
        try:
            watcher.wait(lambda: len(watcher.frames) > 5, BACK_S)
            suffer(camera, watcher, trouble)
            changes = [change for _, change in watcher.changes]
            assert [change.fault for change in changes].count(None) == 1
            assert all(" / " in change.sentence and "camera 0" in change.dutch for change in changes)
        finally:
            watcher.close()

    with ThreadPoolExecutor(len(Trouble)) as pool:
        for outcome in [pool.submit(run, trouble) for trouble in Trouble for _ in range(count)]:
            outcome.result()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def memory_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_mixed_faults_leave_nothing_behind(record_testsuite_property: Callable[[str, object], None]) -> None:
    """Each fault once; ``KLAVEROOG_FAULT_CYCLES=100`` runs a hundred, as patient as tables are.

    The figures are written with ``--junit-xml=FILE``.
    """
    cycles = int(os.environ.get("KLAVEROOG_FAULT_CYCLES", "0"))
    wanted = cycles or len(Trouble)
    random.seed(5)
    camera = FaultyCamera(answer_s=3.0 if cycles else 0.5)
    patient = {} if cycles else {"link": HASTY, "persists_s": HASTY_PERSISTS_S}
    before = open_files(), threading.active_count()
    watcher = Watcher(SupervisedSource(camera.connect(), camera.connect, **patient))  # type: ignore[arg-type]
    troubles = [trouble for _ in range(wanted) for trouble in random.sample(list(Trouble), len(Trouble))]
    try:
        watcher.wait(lambda: len(watcher.frames) > 5, BACK_S)
        while_running, times_s = 0, []
        for number, trouble in enumerate(troubles[:wanted]):
            times_s.append(suffer(camera, watcher, trouble))
            if number == wanted // 10:
                gc.collect()
                while_running = memory_bytes()
                held = open_files(), threading.active_count()
        gc.collect()
        grown = memory_bytes() / while_running
        # A connection that was given up may still be closing.
        watcher.wait(lambda: (open_files(), threading.active_count()) <= held, BACK_S)
    finally:
        watcher.close()
    for name, seconds in zip(("noticed", "back"), zip(*times_s, strict=True), strict=True):
        record_testsuite_property(f"{name}_median_s", round(statistics.median(seconds), 2))
        record_testsuite_property(f"{name}_most_s", round(max(seconds), 2))
    record_testsuite_property("memory_grown_percent", round(100 * (grown - 1), 2))
    assert grown < 1.05
    watcher.wait(lambda: (open_files(), threading.active_count()) <= before, BACK_S)
    record_testsuite_property("files_and_threads_before", before)
    record_testsuite_property("files_and_threads_after", (open_files(), threading.active_count()))
    times = [time_s for time_s, _, _ in watcher.frames]
    sequences = [sequence for _, sequence, _ in watcher.frames]
    assert times == sorted(times)
    assert sequences == sorted(set(sequences))
    assert {shape for _, _, shape in watcher.frames} == {(180, 320, 3)}


def test_a_slow_reader_gets_the_newest_picture_and_the_others_are_counted() -> None:
    camera = FaultyCamera(frames_per_second=50)
    with SupervisedSource(camera.connect(), camera.connect) as source:
        for _ in range(3):
            time.sleep(0.3)
            frame = source.read()
            assert frame is not None
            assert time.monotonic() - frame.monotonic_s < 0.2
        assert source.frames_dropped > 20


def test_a_wait_for_a_lost_camera_can_be_ended() -> None:
    camera = FaultyCamera(answer_s=0.2)
    source = SupervisedSource(camera.connect(), camera.connect, link=HASTY)
    watcher = Watcher(source)
    camera.trouble = Trouble.REFUSED
    watcher.wait(lambda: bool(watcher.changes), NOTICED_S)
    started_s = time.monotonic()
    watcher.close()
    assert time.monotonic() - started_s < 2.0


def test_a_camera_that_comes_back_smaller_is_made_to_fit() -> None:
    camera = FaultyCamera()
    shown = camera.shown
    small = False
    camera.shown = lambda number: shown(number)[::2, ::2].copy() if small else shown(number)  # type: ignore[method-assign]
    watcher = Watcher(SupervisedSource(camera.connect(), camera.connect, link=HASTY))
    try:
        watcher.wait(lambda: len(watcher.frames) > 3, BACK_S)
        small = True
        watcher.wait(lambda: len(watcher.changes) == 2, BACK_S)
        got = len(watcher.frames)
        watcher.wait(lambda: len(watcher.frames) > got + 3, BACK_S)
    finally:
        watcher.close()
    assert [change.fault for _, change in watcher.changes] == [Fault.SIZE, None]
    assert {shape for _, _, shape in watcher.frames} == {(180, 320, 3)}


# ------------------------------------------------------------------------- the watches, without a clock


def test_a_still_table_on_a_thrifty_camera_is_not_called_frozen_at_once() -> None:
    """Cameras that compress well send the same picture for a second where nothing moves."""
    camera = FaultyCamera()
    watch = PictureWatch()
    verdicts = []
    for number in range(100):
        if number % 10 == 0:
            image = camera.picture()
        verdicts.append(watch.look(image, number / 10))
    assert [verdict.fault for verdict in verdicts] == [None] * 100


def test_a_dark_hall_with_one_lamp_is_not_black_and_a_cap_is() -> None:
    dark = np.full((180, 320, 3), 6, np.uint8)
    assert is_black(dark)
    dark[80:90, 100:150] = 200
    assert not is_black(dark)


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_told_from_pictures(seed: int) -> None:
    random_pixels = np.random.default_rng(seed).integers(0, 256, (180, 320, 3), dtype=np.uint8)
    assert is_noise(random_pixels)
    assert not is_noise(FaultyCamera().picture())
    assert not is_noise(np.full((180, 320, 3), 128, np.uint8))


def test_a_lost_camera_is_tried_again_with_growing_pauses_that_stay_short() -> None:
    link = LinkWatch()
    link.connecting(0.0)
    now_s, tries = 0.0, []
    assert link.failed(Fault.REFUSED, now_s).lost is Fault.REFUSED
    while now_s < 10.0:
        now_s = round(now_s + 0.1, 1)
        actions = link.nothing(now_s, garbled=False)
        if actions.connect:
            tries.append(now_s)
            link.connecting(now_s)
            assert link.failed(Fault.REFUSED, now_s) == link.failed(Fault.REFUSED, now_s)
    pauses = np.diff(tries)
    assert len(tries) > 8
    assert pauses.max() <= 1.1


def test_nothing_is_given_and_nothing_told_twice_while_a_camera_is_lost() -> None:
    link = LinkWatch()
    link.connecting(0.0)
    link.connected(0.1)
    black = Verdict(Fault.BLACK, Fault.BLACK)
    assert link.picture(Verdict(None, None), 0.2).give
    assert link.picture(black, 0.3).lost is Fault.BLACK
    assert link.picture(black, 0.4).lost is None
    good = [link.picture(Verdict(None, None), 0.5 + number / 10) for number in range(3)]
    assert [actions.give for actions in good] == [False, False, True]
    assert good[-1].back_after_s == pytest.approx(0.4)


def test_frames_keep_their_shape() -> None:
    camera = FaultyCamera()
    with SupervisedSource(camera.connect(), camera.connect) as source:
        frame = source.read()
    assert isinstance(frame, Frame)
    assert frame.image.shape == (180, 320, 3)
