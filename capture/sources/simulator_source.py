"""The simulated table as a camera."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from capture.frame import Frame
from capture.sources.source import Source


class SimulatorSource(Source):
    """A film of the simulated table, drawn picture by picture as it is read.

    film: pictures in order of time, such as a ``capture.simulator.Film``.
    name: what to call it.
    """

    def __init__(self, film: Iterable[Frame], name: str) -> None:
        self._frames: Iterator[Frame] = iter(film)
        self._name = name

    def describe(self) -> str:
        """The name it was given, such as ``simulator:7``."""
        return self._name

    def read(self) -> Frame | None:
        """The next picture; ``monotonic_s`` is the time within the film."""
        return next(self._frames, None)
