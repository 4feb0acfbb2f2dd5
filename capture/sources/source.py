"""The one interface behind which every camera, film and folder sits."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from capture.frame import Frame
from capture.sources.faults import SourceChange


class Source(ABC):
    """Pictures of one table, in order of time.

    Building a source opens it and raises a :class:`capture.errors.SourceError` when that fails; reading
    raises one when the source breaks off, after every picture that could still be read was given.
    """

    is_live: bool = False
    """True for a camera: pictures that are not read in time are gone."""

    @abstractmethod
    def read(self) -> Frame | None:
        """The next picture, or None when the source has come to its proper end.

        Raises:
            SourceError: when the source broke off or is damaged.
        """

    @abstractmethod
    def describe(self) -> str:
        """What this is, for people and logs; never shows a password."""

    def close(self) -> None:  # noqa: B027 - a source that holds nothing open has nothing to close
        """Let go of the device or file; may be called twice, and never waits longer than a few seconds."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What people should know of how it was opened, one sentence each, Dutch and English."""
        return ()

    @property
    def frames_dropped(self) -> int:
        """How many pictures came in but were thrown away because reading was behind."""
        return 0

    @property
    def frames_garbled(self) -> int:
        """How many pictures came in damaged and were not given."""
        return 0

    @property
    def clock_jumps(self) -> int:
        """How often the source's own clock was set while it ran."""
        return 0

    def report_to(self, tell: Callable[[SourceChange], None], stop: threading.Event) -> None:  # noqa: B027
        """Call ``tell`` when the camera is lost or back; most sources can't tell, and end or raise instead.

        stop: ends a ``read`` that waits for a lost camera.
        """

    def show_to(self, seen: Callable[[Frame], None]) -> bool:
        """Call ``seen`` with each picture as it comes in, even if it is never read; False: this can't."""
        return False

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
