"""A film shown at the speed at which it was taken."""

from __future__ import annotations

import time

from capture.frame import Frame
from capture.sources.source import Source


class PacedSource(Source):
    """Gives the pictures of a film no sooner than its own times say, and later when it cannot keep up."""

    def __init__(self, film: Source) -> None:
        self._film = film
        self._started_s: float | None = None

    def describe(self) -> str:
        """What the film says of itself."""
        return self._film.describe()

    def read(self) -> Frame | None:
        """The next picture, at its time.

        Raises:
            SourceError: when the film breaks off or is damaged.
        """
        frame = self._film.read()
        if frame is None:
            return None
        if self._started_s is None:
            self._started_s = time.monotonic() - frame.monotonic_s
        time.sleep(max(0.0, self._started_s + frame.monotonic_s - time.monotonic()))
        return frame

    def close(self) -> None:
        """Close the film."""
        self._film.close()
