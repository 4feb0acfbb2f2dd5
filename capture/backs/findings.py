"""What is told of a table's backs: each thing once, with the picture that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import cv2
import numpy as np

from capture.backs.collector import CollectedBack
from detector.backs.examine import OddBack, PackReport
from detector.types import Image
from tracker.events import (
    BACK_PRINTS,
    MIRROR_PRINTED,
    ONE_WAY,
    BackFlagged,
    Event,
    PackBackJudged,
    VideoSpan,
)

UNKNOWN: Final = BACK_PRINTS[-1]

MOST_ODD: Final = 0.25
"""Of the backs seen: when more are odd, two packs or much glare were seen, not one marked card."""

_SAME_MARK: Final = 0.1
"""Of the card: marks no farther apart than this are the same one, seen again."""

_GAP: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class BackFinding:
    """What is to be told, and the picture that shows it, (H, W, 3) uint8; None where there is none."""

    event: Event
    picture: Image | None


@dataclass(frozen=True, slots=True)
class DealEnd:
    """The deal after which backs are examined: its table and number, and when it was over.

    time_s: the same moment on the source's own clock.
    """

    table: str
    deal: int
    time_utc: datetime
    time_s: float


@dataclass(slots=True)
class FindingLog:
    """Turns reports into events; what was told before is not told again."""

    _printed: str | None = None
    _told: list[tuple[str, tuple[float, float]]] = field(default_factory=list)

    def take(
        self, report: PackReport | None, backs: Sequence[CollectedBack], end: DealEnd
    ) -> tuple[BackFinding, ...]:
        """What is new in ``report``, made of ``backs`` in their order; it is None where none could be."""
        findings = self._judged(report, backs, end)
        if report is not None and not is_mixed(report, backs):
            for odd in report.odd:
                findings += self._flagged(odd, backs[odd.view], end)
        return tuple(findings)

    def _judged(
        self, report: PackReport | None, backs: Sequence[CollectedBack], end: DealEnd
    ) -> list[BackFinding]:
        if not backs:
            return []
        printed = UNKNOWN
        if report is not None:
            printed = MIRROR_PRINTED if report.is_symmetric else ONE_WAY
        # What is known of a pack stays known while a later deal shows too little of it.
        if printed == self._printed or (printed == UNKNOWN and self._printed is not None):
            return []
        self._printed = printed
        event = PackBackJudged(
            table=end.table,
            deal=end.deal,
            time_utc=end.time_utc,
            confidence=report.certainty if report is not None else 0.0,
            printed=printed,
        )
        return [BackFinding(event, None if report is None else pack_picture(report))]

    def _flagged(self, odd: OddBack, back: CollectedBack, end: DealEnd) -> list[BackFinding]:
        x, y = odd.flaw.centre
        for kind, (other_x, other_y) in self._told:
            # Which end of a back is up is not known: a mark may come back at the opposite place.
            places = ((other_x, other_y), (1 - other_x, 1 - other_y))
            if kind == odd.flaw.kind and any(np.hypot(x - a, y - b) <= _SAME_MARK for a, b in places):
                return []
        self._told.append((odd.flaw.kind, odd.flaw.centre))
        event = BackFlagged(
            table=end.table,
            deal=end.deal,
            time_utc=end.time_utc - timedelta(seconds=max(0.0, end.time_s - back.from_s)),
            confidence=odd.flaw.score,
            video=VideoSpan(back.from_s, back.to_s),
            reason=odd.flaw.kind,
        )
        return [BackFinding(event, side_by_side(odd.crop, odd.average, odd.difference))]


def is_mixed(report: PackReport, backs: Sequence[CollectedBack]) -> bool:
    """Whether so many backs differ that no one card was marked."""
    return len(report.odd) > MOST_ODD * len(backs)


def pack_picture(report: PackReport) -> Image:
    """The pack's back, itself upside down, and the difference of the two."""
    upside_down = np.ascontiguousarray(report.average[::-1, ::-1])
    return side_by_side(report.average, upside_down, report.turned_difference)


def side_by_side(*pictures: Image) -> Image:
    """Pictures of one size, (H, W, 3) uint8, next to one another with a light gap."""
    framed = [
        cv2.copyMakeBorder(one, 0, 0, 0, _GAP, cv2.BORDER_CONSTANT, value=(255, 255, 255)) for one in pictures
    ]
    return np.asarray(np.hstack(framed)[:, :-_GAP], dtype=np.uint8)
