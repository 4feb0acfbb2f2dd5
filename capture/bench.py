"""What following one table costs on this machine, stage by stage.

    source -> (pictures kept aside) -> pace -> gate, finder, corners, namer -> tracker

The pictures are read beforehand and kept compressed, so that drawing a simulated film or waiting for a camera
is not counted. Stages are told in seconds of processor, which another program on the machine hardly changes;
only ``wall_s`` goes by the clock. One thread does all the work, as the tables of a full machine do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.frame import Frame
from capture.live_reader import LiveReader
from capture.look_pace import LOOKS_PER_SECOND, LookPace
from capture.motion_gate import MotionGate
from capture.sources import Source
from detector.card_detector import CardDetector
from detector.corners import CornerRefiner
from detector.finder import Finder, FoundCard
from detector.namer import NamedCard, Namer
from detector.types import FloatArray, Image
from rules import KLAVERJAS_DRIVE, Seat
from tracker.table_tracker import TableTracker
from tracker.table_view import TableView

STAGES: Final = ("source", "gate", "finder", "corners", "namer", "reading", "tracker")
"""In the order in which a picture goes through them; ``reading`` is what the reader does besides."""

ROOM: Final = 0.2
"""Of the processor that is left free: evenings have busier moments than the film that was measured."""

_QUALITY: Final = 95
"""At which pictures are kept aside: as a good camera compresses them."""


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A picture kept aside, compressed, with its times."""

    jpeg: npt.NDArray[np.uint8]
    time_s: float
    wall_utc: datetime

    def image(self) -> Image:
        """(H, W, 3) uint8 BGR."""
        return np.asarray(cv2.imdecode(self.jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class KeptFilm:
    """Pictures of one source in order of time.

    source_s: processor seconds that getting one of them took (decoding, most of all); None where they were
        drawn, which no camera does.
    """

    pictures: tuple[KeptPicture, ...]
    source_s: float | None

    @property
    def pictures_per_second(self) -> float:
        """How fast they follow one another; 0 where that cannot be told."""
        length_s = self.pictures[-1].time_s - self.pictures[0].time_s if self.pictures else 0.0
        return (len(self.pictures) - 1) / length_s if length_s > 0 else 0.0


@dataclass(frozen=True, slots=True)
class TableCost:
    """What following a film came to.

    pictures_per_second: as the film gave them. pictures: how many; looked_at: how many were due to be read.
    film_s: how long the film lasts. wall_s: how long following it took by the clock.
    stages_s: processor seconds of all pictures together, one for each of :data:`STAGES`.
    """

    pictures_per_second: float
    pictures: int
    looked_at: int
    film_s: float
    wall_s: float
    stages_s: dict[str, float]

    @property
    def processor_s(self) -> float:
        """All stages together."""
        return sum(self.stages_s.values())

    @property
    def cores(self) -> float:
        """How much of one core a table takes that goes on like this."""
        return self.processor_s / self.film_s

    def picture_ms(self, stage: str | None = None) -> float:
        """Milliseconds of processor that a picture takes, in one stage or in whole."""
        return 1000 * (self.processor_s if stage is None else self.stages_s[stage]) / self.pictures

    def tables(self, cores: int) -> int:
        """How many such tables ``cores`` can carry with :data:`ROOM` to spare."""
        return int(cores * (1 - ROOM) / self.cores)


def keep_film(source: Source, most: int, *, is_drawn: bool = False, skip_s: float = 0.0) -> KeptFilm:
    """Read up to ``most`` pictures of a source, after the first ``skip_s`` seconds, and keep them.

    Raises:
        SourceError: when the source breaks off.
    """
    kept: list[KeptPicture] = []
    started, own_s, first_s = time.process_time(), 0.0, None
    while len(kept) < most and (frame := source.read()) is not None:
        began = time.thread_time()
        first_s = frame.monotonic_s if first_s is None else first_s
        if frame.monotonic_s - first_s >= skip_s:
            kept.append(_kept(frame))
        own_s += time.thread_time() - began
    source_s = (time.process_time() - started - own_s) / max(1, len(kept))
    return KeptFilm(tuple(kept), None if is_drawn else source_s)


def _kept(frame: Frame) -> KeptPicture:
    _, jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return KeptPicture(np.asarray(jpeg, dtype=np.uint8), frame.monotonic_s, frame.wall_utc)


def at_rate(film: KeptFilm, pictures_per_second: float) -> KeptFilm:
    """The film as a camera would have given it that takes fewer pictures a second."""
    pace = LookPace(pictures_per_second)
    return KeptFilm(tuple(picture for picture in film.pictures if pace.is_due(picture.time_s)), film.source_s)


def follow(
    film: KeptFilm, models: Path | None = None, looks_per_second: float = LOOKS_PER_SECOND
) -> TableCost:
    """Follow a table through a film as ``klaveroog table`` does, on one thread, and tell what it cost.

    Raises:
        ModelError: when a model is missing or damaged.
        ValueError: when the film has no two pictures at different times.
    """
    rate = film.pictures_per_second
    if not rate:
        raise ValueError(f"a film needs two pictures at different times, not {len(film.pictures)} pictures")
    clock = StageClock()
    reader = LiveReader(_timed_detector(clock, models), _TimedGate(clock))
    looked_at, wall_s = _followed(film, reader, clock, looks_per_second)
    inner = ("gate", "finder", "corners", "namer")
    stages = {name: clock.seconds.get(name, 0.0) for name in STAGES}
    stages["reading"] -= sum(stages[name] for name in inner)
    stages["source"] = (film.source_s or 0.0) * len(film.pictures)
    return TableCost(rate, len(film.pictures), looked_at, len(film.pictures) / rate, wall_s, stages)


def _followed(
    film: KeptFilm, reader: LiveReader, clock: StageClock, looks_per_second: float
) -> tuple[int, float]:
    """Read and track; how many pictures were looked at, and how long it took by the clock."""
    first = film.pictures[0].image()
    # The first picture that a network sees takes it longer than all others.
    reader.detector.detect(first)
    clock.seconds.clear()
    view = TableView.of_picture(first.shape[1], first.shape[0])
    tracker = TableTracker("1", KLAVERJAS_DRIVE, Seat.SOUTH, view=view)
    pace, looked_at, wall_s = LookPace(looks_per_second), 0, 0.0
    for picture in film.pictures:
        if not pace.is_due(picture.time_s):
            continue
        image = picture.image()
        started = time.perf_counter()
        with clock.stage("reading"):
            reader.read(image)
        with clock.stage("tracker"):
            tracker.update(picture.time_s, picture.wall_utc, reader.seen)
        wall_s += time.perf_counter() - started
        looked_at += 1
    return looked_at, wall_s


@dataclass(slots=True)
class StageClock:
    """Adds up the processor seconds of this thread, stage by stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """What is done in this block belongs to the stage of that name."""
        started = time.thread_time()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.thread_time() - started


def _timed_detector(clock: StageClock, models: Path | None) -> CardDetector:
    return CardDetector(_TimedFinder(clock, models), _TimedRefiner(clock, models), _TimedNamer(clock, models))


class _TimedGate(MotionGate):
    def __init__(self, clock: StageClock) -> None:
        super().__init__()
        self._clock = clock

    def changed_cells(self, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_] | None:
        with self._clock.stage("gate"):
            return super().changed_cells(image)


class _TimedFinder(Finder):
    def __init__(self, clock: StageClock, models: Path | None) -> None:
        super().__init__(models, threads=1)
        self._clock = clock

    def find(self, image: Image, region: tuple[int, int, int, int] | None = None) -> tuple[FoundCard, ...]:
        with self._clock.stage("finder"):
            return super().find(image, region)


class _TimedRefiner(CornerRefiner):
    def __init__(self, clock: StageClock, models: Path | None) -> None:
        super().__init__(models, threads=1)
        self._clock = clock

    def refine(self, image: Image, quads: Sequence[FloatArray]) -> list[FloatArray]:
        with self._clock.stage("corners"):
            return super().refine(image, quads)


class _TimedNamer(Namer):
    def __init__(self, clock: StageClock, models: Path | None) -> None:
        super().__init__(models, threads=1)
        self._clock = clock

    def name(self, image: Image, quads: Sequence[FloatArray]) -> tuple[NamedCard, ...]:
        with self._clock.stage("namer"):
            return super().name(image, quads)
