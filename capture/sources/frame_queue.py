"""A bounded queue between the thread that takes pictures in and whoever reads them."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

from capture.errors import SourceError

Item = TypeVar("Item")


class FrameQueue(Generic[Item]):
    """Pictures, with what goes with each, waiting to be read. The oldest gives way when the queue is full.

    How many gave way is counted.

    The side that puts never waits: a camera is never held up by whoever reads.
    """

    def __init__(self, capacity: int) -> None:
        self._frames: deque[Item] = deque(maxlen=capacity)
        self._changed = threading.Condition()
        self._dropped = 0
        self._ended = False
        self._error: SourceError | None = None

    @property
    def dropped(self) -> int:
        """How many pictures gave way to newer ones."""
        return self._dropped

    def put(self, item: Item) -> None:
        """Add a picture; the oldest gives way when there is no room."""
        with self._changed:
            if len(self._frames) == self._frames.maxlen:
                self._dropped += 1
            self._frames.append(item)
            self._changed.notify()

    def end(self, error: SourceError | None = None) -> None:
        """No more pictures will come; ``error`` says why, unless that is proper. The first call counts."""
        with self._changed:
            if not self._ended:
                self._ended = True
                self._error = error
            self._changed.notify_all()

    def get(self, timeout_s: float) -> Item | None:
        """The oldest waiting picture; None after the proper end.

        Raises:
            SourceError: the one given to :meth:`end`, once the waiting pictures have been read.
            TimeoutError: when nothing came for ``timeout_s`` seconds.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._frames or self._ended, timeout_s):
                raise TimeoutError(f"no picture for {timeout_s} s")
            if self._frames:
                return self._frames.popleft()
            if self._error is not None:
                raise self._error
            return None
