"""A detector and a tracker for films of numbered pictures: each number read is one card played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
import numpy.typing as npt

from detector.types import CARD_CODES, CLASS_NAMES, CardDetection, Side
from rules import CLOCKWISE, parse_card
from tests.capture.films import number_of
from tracker.events import CardPlayed, DealClosed, Event


class NumberDetector:
    """Sees in each picture the card whose place in the deck is the picture's number."""

    def __init__(self) -> None:
        self.looks = 0

    def detect(self, image: npt.NDArray[np.uint8]) -> tuple[CardDetection, ...]:
        self.looks += 1
        log_probs = np.full(len(CLASS_NAMES), -10.0, np.float32)
        log_probs[number_of(image) % len(CARD_CODES)] = -0.01
        quad = np.array([[0, 0], [10, 0], [10, 15], [0, 15]], np.float32)
        return (CardDetection(quad, Side.FACE, log_probs, 0.9),)


class NumberTracker:
    """Tells of a card whenever it is another than the one before."""

    def __init__(self, table: str = "1") -> None:
        self._table = table
        self._seen: list[str] = []
        self._now: datetime | None = None

    def update(
        self, frame_time_s: float, wall_utc: datetime, detections: Sequence[CardDetection]
    ) -> tuple[Event, ...]:
        self._now = wall_utc
        names = [detection.name for detection in detections]
        if names == self._seen[-1:]:
            return ()
        self._seen.extend(names)
        place = len(self._seen) - 1
        return (
            CardPlayed(
                table=self._table,
                deal=place // 32 + 1,
                time_utc=wall_utc,
                trick=place % 32 // 4 + 1,
                position=place % 4 + 1,
                seat=CLOCKWISE[place % 4],
                card=parse_card(names[0]),
            ),
        )

    def finish(self) -> tuple[Event, ...]:
        if self._now is None:
            return ()
        return (DealClosed(table=self._table, deal=1, time_utc=self._now),)
