"""A camera that is looked after: every fault is noticed and told, and it is connected again by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from capture.errors import (
    SourceError,
    SourceMissingError,
    SourceRefusedError,
    SourceSilentError,
    SourceUnreadableError,
)
from capture.frame import Frame
from capture.sources.clock_watch import SLIP_S, ClockWatch
from capture.sources.faults import Fault, SourceChange
from capture.sources.frame_queue import FrameQueue
from capture.sources.link_watch import Actions, LinkSettings, LinkWatch
from capture.sources.picture_watch import PERSISTS_S, PictureWatch, Verdict
from capture.sources.source import Source

_POLL_S: Final = 0.1
"""How long a wait for a picture lasts before the watch is asked what to do."""

_JOIN_TIMEOUT_S: Final = 6.0
"""How long closing waits for the connection to end; one that hangs in its driver is left behind."""


class SupervisedSource(Source):
    """The pictures of a camera over as many connections as it takes, in one even run.

    Of the pictures that wait only the newest ``waiting`` are kept; the others are counted as dropped. Times
    go on evenly over lost connections and clocks that are set; pictures of another size are made to fit.

    first: the camera, opened. reopen: opens it again, raising a ``SourceError`` when that fails.
    link, persists_s: how patient to be with the connection, and with bad pictures.
    """

    is_live = True

    def __init__(
        self,
        first: Source,
        reopen: Callable[[], Source],
        *,
        waiting: int = 1,
        link: LinkSettings | None = None,
        persists_s: float = PERSISTS_S,
    ) -> None:
        self._name = first.describe()
        self._reopen = reopen
        self._waiting = waiting
        self._link = LinkWatch(link or LinkSettings())
        self._watch = PictureWatch(persists_s)
        self._tell: Callable[[SourceChange], None] = lambda change: None
        self._stop = threading.Event()
        self._seen: Callable[[Frame], None] = lambda frame: None
        self._arriving = threading.Lock()
        self._numbers = _EvenRun()
        self._dropped_before = 0
        self._garbled_seen = 0
        self._remarks = first.remarks
        self._link.connecting(time.monotonic())
        self._connection: _Connection | None = self._connected_by(lambda: first)

    def report_to(self, tell: Callable[[SourceChange], None], stop: threading.Event) -> None:
        """Call ``tell`` from within ``read`` when the camera is lost or back; ``stop`` ends a ``read``."""
        self._tell, self._stop = tell, stop

    def show_to(self, seen: Callable[[Frame], None]) -> bool:
        """Call ``seen`` with each picture as it comes in, in another thread, whether it is read or not."""
        self._seen = seen
        return True

    def describe(self) -> str:
        """What the camera says of itself."""
        return self._name

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the camera said when it was opened first."""
        return self._remarks

    @property
    def frames_dropped(self) -> int:
        """How many pictures gave way to newer ones, over all connections."""
        return self._dropped_before + (self._connection.dropped if self._connection else 0)

    @property
    def fault(self) -> Fault | None:
        """What is wrong with the camera; None when nothing is."""
        return self._link.fault

    def read(self) -> Frame | None:
        """The newest good picture; None once the run is stopped. Never raises."""
        while not self._stop.is_set():
            frame, actions = self._next()
            self._carry_out(actions)
            if actions.give and frame is not None:
                return frame
        return None

    def close(self) -> None:
        """Let go of the camera."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._dropped_before += connection.dropped
            connection.abandon()
            connection.join(_JOIN_TIMEOUT_S)

    def _next(self) -> tuple[Frame | None, Actions]:
        connection = self._connection
        if connection is None:
            self._stop.wait(_POLL_S)
            return None, self._link.nothing(time.monotonic(), garbled=False)
        try:
            judged = connection.next(_POLL_S)
        except TimeoutError:
            if connection.opened:
                self._link.connected(time.monotonic())
            garbled = connection.frames_garbled > self._garbled_seen
            return None, self._link.nothing(time.monotonic(), garbled=garbled)
        except SourceError as error:
            return None, self._link.failed(_fault_of(error, opened=connection.opened), time.monotonic())
        if judged is None:
            return None, self._link.failed(Fault.ENDED, time.monotonic())
        now_s = time.monotonic()
        self._garbled_seen = connection.frames_garbled
        self._link.connected(now_s)
        frame, verdict = judged
        return frame, self._link.picture(verdict, now_s)

    def _connected_by(self, open_camera: Callable[[], Source]) -> _Connection:
        return _Connection(open_camera, self._watch, self._waiting, self._arrived)

    def _arrived(self, frame: Frame, verdict: Verdict, abandoned: threading.Event) -> Frame | None:
        """The picture as it is in the whole run; None when its connection was given up meanwhile."""
        fitting = self._fitting(frame)
        # One at a time: a connection that was given up may still be at its last picture.
        with self._arriving:
            if abandoned.is_set():
                return None
            followed = self._numbers.follow(fitting)
            if verdict.suspicion in (None, Fault.FROZEN):
                self._seen(followed)
            return followed

    def _fitting(self, frame: Frame) -> Frame:
        """The picture in the size of the first; its shape is known to be the same when it is given on."""
        size = self._watch.size or frame.image.shape[:2]
        if frame.image.shape[:2] == size:
            return frame
        image = cv2.resize(frame.image, (size[1], size[0]), interpolation=cv2.INTER_AREA)
        return replace(frame, image=np.asarray(image, np.uint8))

    def _carry_out(self, actions: Actions) -> None:
        if actions.drop and self._connection is not None:
            self._dropped_before += self._connection.dropped
            self._connection.abandon()
            self._connection = None
        if actions.connect:
            self._garbled_seen = 0
            with self._arriving:
                self._numbers.new_connection()
            self._link.connecting(time.monotonic())
            self._connection = self._connected_by(self._reopen)
        if actions.lost is not None:
            self._tell(SourceChange.lost(actions.lost, self._name))
        if actions.back_after_s is not None:
            self._tell(SourceChange.back(actions.back_after_s, self._name))


class _Connection:
    """Opens a camera and judges each of its pictures in a thread of its own, so that nothing waits for it.

    arrived: called with each picture, what was thought of it, and whether it comes too late; gives what is to
        be read.
    """

    def __init__(
        self,
        open_camera: Callable[[], Source],
        watch: PictureWatch,
        waiting: int,
        arrived: Callable[[Frame, Verdict, threading.Event], Frame | None],
    ) -> None:
        self._open_camera = open_camera
        self._watch = watch
        self._arrived = arrived
        self._queue: FrameQueue[tuple[Frame, Verdict]] = FrameQueue(waiting)
        self._abandoned = threading.Event()
        self._source: Source | None = None
        self._thread = threading.Thread(target=self._run, name="camera connection", daemon=True)
        self._thread.start()

    @property
    def opened(self) -> bool:
        """Whether the camera has answered."""
        return self._source is not None

    @property
    def dropped(self) -> int:
        """How many of its pictures were thrown away for newer ones."""
        return self._queue.dropped + (self._source.frames_dropped if self._source else 0)

    @property
    def frames_garbled(self) -> int:
        """How many of its pictures could not be read."""
        return self._source.frames_garbled if self._source else 0

    def next(self, timeout_s: float) -> tuple[Frame, Verdict] | None:
        """As :meth:`FrameQueue.get`."""
        return self._queue.get(timeout_s)

    def abandon(self) -> None:
        """Nobody waits for it any more; it closes its camera as soon as it can."""
        self._abandoned.set()

    def join(self, timeout_s: float) -> None:
        """Wait until the camera is closed."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        try:
            source = self._open_camera()
        except SourceError as refused:
            self._queue.end(refused)
            return
        self._source = source
        try:
            self._read_all(source)
        except SourceError as lost:
            self._queue.end(lost)
        finally:
            self._queue.end()
            source.close()

    def _read_all(self, source: Source) -> None:
        clock, jumps = ClockWatch(), source.clock_jumps
        while not self._abandoned.is_set():
            frame = source.read()
            if frame is None or self._abandoned.is_set():
                return
            now_s = time.monotonic()
            jumped = clock.jumped(frame, now_s) or source.clock_jumps > jumps
            jumps = source.clock_jumps
            verdict = replace(self._watch.look(frame.image, now_s), clock_jumped=jumped)
            arrived = self._arrived(frame, verdict, self._abandoned)
            if arrived is None:
                return
            self._queue.put((arrived, verdict))


class _EvenRun:
    """Numbers and times the pictures of several connections as if they came over one."""

    def __init__(self) -> None:
        self._sequence = -1
        self._last_s: float | None = None
        self._read_at_s = 0.0
        self._seen: tuple[int, float] | None = None

    def new_connection(self) -> None:
        """The next picture's own number and time have nothing to do with those of the one before."""
        self._seen = None

    def follow(self, frame: Frame) -> Frame:
        """The picture with the number and time that it has in the whole run."""
        now_s = time.monotonic()
        waited_s = now_s - self._read_at_s
        self._sequence += 1 if self._seen is None else max(1, frame.sequence - self._seen[0])
        self._last_s = self._time_of(frame, waited_s)
        self._read_at_s = now_s
        self._seen = (frame.sequence, frame.monotonic_s)
        return replace(frame, monotonic_s=self._last_s, sequence=self._sequence)

    def _time_of(self, frame: Frame, waited_s: float) -> float:
        if self._last_s is None:
            return frame.monotonic_s
        expected_s = self._last_s + waited_s
        if abs(frame.monotonic_s - expected_s) <= SLIP_S:
            # Its clock is the one that we follow already.
            return max(frame.monotonic_s, self._last_s + 1e-6)
        step_s = frame.monotonic_s - self._seen[1] if self._seen is not None else waited_s
        believable = 0 < step_s <= waited_s + SLIP_S
        return self._last_s + max(step_s if believable else waited_s, 1e-6)


def _fault_of(error: SourceError, *, opened: bool) -> Fault:
    if isinstance(error, SourceSilentError):
        return Fault.SILENT
    if isinstance(error, SourceUnreadableError):
        return Fault.GARBAGE
    if isinstance(error, SourceRefusedError | SourceMissingError) or not opened:
        return Fault.REFUSED
    return Fault.GONE
