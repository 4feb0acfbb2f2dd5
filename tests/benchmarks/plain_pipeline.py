"""The whole detector beside a plain pipeline: ultralytics with ByteTrack on every picture, in one run.

    python -m tests.benchmarks.plain_pipeline

prints how many pictures a second each reads of a busy film, and how many of the cards that lie still each
finds and names. The plain pipeline has our finder's own weights, at 640 pixels with the settings that the
library comes with; it finds cards and does not name them. A YOLOv8n as the library makes it, on torch, is
timed as well. Needs ultralytics and lap, which only training needs otherwise.
"""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

import cv2
import numpy as np
import typer

from capture.live_reader import LiveReader
from capture.look_pace import LookPace
from capture.simulator import Film, TrueCard
from detector.card_detector import CardDetector
from detector.geometry import order_corners
from detector.model_files import find_model
from detector.types import CardDetection, FloatArray, Image, Side
from models.training.tally import corner_error

SEED: Final = 9001
START_S: Final = 14.0
"""The dealing is over and cards are played without a pause."""

LENGTH_S: Final = 8.0
LAY_STILL_S: Final = 0.3
"""A card counts that lay so long where it lies: as long as the tracker waits."""

_LAY_STILL: Final = 0.03
_FOUND_ERROR: Final = 0.35
_LEAST_SHARE: Final = 0.2
_SIDE: Final = 640


@dataclass(slots=True)
class Tally:
    """One pipeline's figures. wall_s, processor_s: of all pictures; cards: how many lay still in them."""

    pictures: int = 0
    wall_s: float = 0.0
    processor_s: float = 0.0
    cards: int = 0
    found: int = 0
    named: int = 0

    @property
    def pictures_per_second(self) -> float:
        """By the clock on the wall."""
        return self.pictures / self.wall_s


@dataclass(frozen=True, slots=True)
class Seen:
    """What a pipeline says of one card in a picture: its corners, (4, 2), and its name if it has one."""

    quad: FloatArray
    name: str | None


@dataclass(slots=True)
class Comparison:
    """Our detector, the plain pipeline, and the library's own network on torch, on the same pictures."""

    ours: Tally = field(default_factory=Tally)
    plain: Tally = field(default_factory=Tally)
    torch: Tally = field(default_factory=Tally)

    def times_as_fast(self, other: Tally) -> float:
        """How many times as many pictures a second ours reads."""
        return self.ours.pictures_per_second / other.pictures_per_second

    def times_less_processor(self, other: Tally) -> float:
        """How many times as much of a processor the other takes for a picture."""
        return (other.processor_s / other.pictures) / (self.ours.processor_s / self.ours.pictures)


def compare(frames_per_second: float, length_s: float = LENGTH_S) -> Comparison:
    """Read a piece of the film with all three, by turns of a second so that a busy machine is so for all."""
    cv2.setNumThreads(1)
    pictures, truths = _film(frames_per_second, length_s)
    ours, plain, plain_on_torch = _ours(), _plain(), _plain_on_torch()
    comparison = Comparison()
    turn = round(frames_per_second)
    for start in range(0, len(pictures), turn):
        part, truth = pictures[start : start + turn], truths[start : start + turn]
        _read(ours, part, truth, comparison.ours)
        _read(plain, part, truth, comparison.plain)
        _read(plain_on_torch, part, truth, comparison.torch)
    return comparison


Reading = Callable[[float, Image], Sequence[Seen]]
"""Reads the picture of a moment, in seconds of film."""

Timed = tuple[float, Image]


def _film(frames_per_second: float, length_s: float) -> tuple[list[Timed], list[list[TrueCard]]]:
    """The pictures with their times, and for each the faces that lie still in it."""
    film = Film(SEED, 1, frames_per_second=frames_per_second)
    start, end = round(START_S * frames_per_second), round((START_S + length_s) * frames_per_second)
    pictures = [(frame.monotonic_s, frame.image) for frame in islice(iter(film), start, end)]
    truths, before = film.truth.frames, round(LAY_STILL_S * frames_per_second)
    return pictures, [
        list(_still(truths[number].cards, truths[number - before].cards)) for number in range(start, end)
    ]


def _still(now: Sequence[TrueCard], before: Sequence[TrueCard]) -> Iterator[TrueCard]:
    places = {card.code: card.quad for card in before if card.side == "face"}
    for card in now:
        seen = card.side == "face" and card.visible_share >= _LEAST_SHARE
        if seen and card.code in places and corner_error(card.quad, places[card.code]) < _LAY_STILL:
            yield card


def _read(reading: Reading, part: Sequence[Timed], truths: Sequence[list[TrueCard]], tally: Tally) -> None:
    wall_s, processor_s = time.perf_counter(), time.process_time()
    answers = [reading(time_s, image) for time_s, image in part]
    tally.wall_s += time.perf_counter() - wall_s
    tally.processor_s += time.process_time() - processor_s
    tally.pictures += len(part)
    for seen, truth in zip(answers, truths, strict=True):
        for card in truth:
            nearest = min(seen, key=lambda one: corner_error(card.quad, one.quad), default=None)
            found = nearest is not None and corner_error(card.quad, nearest.quad) < _FOUND_ERROR
            tally.cards += 1
            tally.found += found
            tally.named += found and nearest is not None and nearest.name == card.code


def _ours() -> Reading:
    detector = CardDetector.load(threads=1)
    detector.detect(np.zeros((720, 1280, 3), np.uint8))
    reader, pace = LiveReader(detector), LookPace()

    def read(time_s: float, image: Image) -> Sequence[Seen]:
        if pace.is_due(time_s):
            reader.read(image)
        return [Seen(card.quad, _name_of(card)) for card in reader.seen]

    return read


def _name_of(card: CardDetection) -> str | None:
    return card.name if card.side is Side.FACE else None


def _plain() -> Reading:
    return _tracked(_library().YOLO(str(find_model("finder").path), task="obb"))


def _plain_on_torch() -> Reading:
    return _tracked(_library().YOLO("yolov8n.yaml"))


def _tracked(model: Any) -> Reading:
    def read(time_s: float, image: Image) -> Sequence[Seen]:
        (result,) = model.track(image, tracker="bytetrack.yaml", persist=True, imgsz=_SIDE, verbose=False)
        if result.obb is None:
            return []
        return [Seen(order_corners(quad), None) for quad in result.obb.xyxyxyxy.cpu().numpy()]

    read(0.0, np.zeros((720, 1280, 3), np.uint8))
    return read


def _library() -> Any:
    """Ultralytics, told to fetch and write nothing."""
    os.environ.update(YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false")
    os.environ.setdefault("YOLO_CONFIG_DIR", tempfile.gettempdir())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ultralytics
    return ultralytics


def in_words(frames_per_second: float, comparison: Comparison) -> str:
    """The figures in three lines."""
    lines = [f"a film at {frames_per_second:.0f} pictures a second:"]
    for name, tally in (
        ("the whole detector", comparison.ours),
        ("plain, our finder's weights", comparison.plain),
        ("plain, YOLOv8n on torch", comparison.torch),
    ):
        line = (
            f"  {name}: {tally.pictures_per_second:.1f} pictures/s,"
            f" {1000 * tally.processor_s / tally.pictures:.1f} ms of processor each"
        )
        if tally is not comparison.torch:
            line += f", found {tally.found} and named {tally.named} of {tally.cards}"
        if tally is not comparison.ours:
            times, less = comparison.times_as_fast(tally), comparison.times_less_processor(tally)
            line += f"; ours {times:.1f} times as fast, {less:.1f} times less processor"
        lines.append(line)
    return "\n".join(lines)


def main() -> None:
    """Print the figures of films at ten and at thirty pictures a second."""
    for rate in (10.0, 30.0):
        typer.echo(in_words(rate, compare(rate)))


if __name__ == "__main__":
    typer.run(main)
