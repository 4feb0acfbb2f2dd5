"""A detector and a tracker for films of numbered pictures: each number read is one card played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
import numpy.typing as npt

from detector.types import CARD_CODES, CLASS_NAMES, CardDetection, Side
from rules import CLOCKWISE, Seat, parse_card
from tests.capture.films import number_of
from tracker.events import CardPlayed, DealClosed, DealStarted, Event


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
    """Tells of the start at the first picture, of a card whenever it is another than the one before, and of
    the end when ``cards`` were seen."""

    def __init__(self, cards: int = 1) -> None:
        self._cards = cards
        self._seen: list[str] = []
        self._now: datetime | None = None

    def update(
        self, frame_time_s: float, wall_utc: datetime, detections: Sequence[CardDetection]
    ) -> tuple[Event, ...]:
        started = self._now is not None
        self._now = wall_utc
        names = [detection.name for detection in detections]
        if names == self._seen[-1:]:
            return ()
        self._seen.extend(names)
        played = self._played(len(self._seen) - 1, names[0], wall_utc)
        return (played,) if started else (self._started(wall_utc), played)

    def finish(self) -> tuple[Event, ...]:
        if self._now is None or len(self._seen) < self._cards:
            return ()
        return (DealClosed(table="1", deal=1, time_utc=self._now),)

    def _started(self, wall_utc: datetime) -> Event:
        return DealStarted(
            table="1", deal=1, time_utc=wall_utc, dealer=Seat.SOUTH, reglement="klaverjas-drive"
        )

    def _played(self, place: int, name: str, wall_utc: datetime) -> Event:
        return CardPlayed(
            table="1",
            deal=1,
            time_utc=wall_utc,
            trick=place % 32 // 4 + 1,
            position=place % 4 + 1,
            seat=CLOCKWISE[place % 4],
            card=parse_card(name),
        )
