"""The backs that lie still for a moment: dealt packets, gathered tricks, piles.

A few looks at each are cut out as the pictures come by, in bounded memory. What is not of the shape and size
of the other backs is no back, or one seen in part, and says nothing of the pack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from detector.backs.views import BackView, cut_back, view_of
from detector.geometry import card_height, card_width, order_corners
from detector.types import CardDetection, FloatArray, Image, Side

LOOKS: Final = 7
"""How many looks at one back are kept: fewer, and a hand that passes stays in the view."""

LEAST_LOOKS: Final = 4
MOST_BACKS: Final = 40
"""So many backs are kept, the newest, of two or three deals: with their looks some 35 MB at most."""

MOST_LYING: Final = 16
"""So many places are followed at once: a table has four packets and four piles."""

BETWEEN_LOOKS_S: Final = 0.09
"""A picture that follows sooner has the same hand in it."""

GONE_AFTER_S: Final = 0.5
LEAST_SCORE: Final = 0.6

_SAME_PLACE: Final = 0.04
"""Of a card's width: a back whose corners lie farther off than this has moved, or is another."""

_SAME_CARD: Final = 20.0
"""Grey levels: where a card lies there still, no place of its view changes more than by a passing shade."""

_ALL_BUT_NOISE: Final = 0.995

_LEAST_WIDTH: Final = 40.0
"""Pixels: on a smaller card a mark of 2 mm is no longer seen."""

_RATIO: Final = 88 / 57
_RATIO_OFF: Final = 0.12
_SIZE_OFF: Final = 0.12
"""By which share a back may differ from what a card measures, and from the usual back of the deal."""


@dataclass(frozen=True, slots=True, eq=False)
class CollectedBack:
    """A back that lay still.

    looks: each (H, W, 3) uint8, cut out as ``detector.backs.views.cut_back`` does. corners: (4, 2) pixels,
    where. from_s, to_s: when, on the clock of the source.
    """

    looks: tuple[Image, ...]
    corners: FloatArray
    from_s: float
    to_s: float

    @property
    def width(self) -> float:
        """Of the card, in pixels."""
        return card_width(self.corners)

    def view(self) -> BackView:
        """What the looks give together."""
        return view_of(self.looks)


@dataclass(slots=True, eq=False)
class _Lying:
    """A back that lies there now, and the looks at it so far."""

    detection: CardDetection
    corners: FloatArray
    width: float
    from_s: float
    seen_s: float
    looked_s: float = float("-inf")
    looks: list[Image] = field(default_factory=list)

    def holds(self, detection: CardDetection, corners: FloatArray) -> bool:
        """Whether ``detection`` is this back, seen again.

        Once there are looks enough, a back that was found anew counts as another: a trick laid squarely on a
        pile has its corners where the one below had them.
        """
        if detection is self.detection:
            return True
        return len(self.looks) < LOOKS and self.is_at(corners)

    def is_at(self, corners: FloatArray) -> bool:
        """Whether a back with these corners lies where this one does."""
        return _apart(self.corners, corners) < _SAME_PLACE * self.width


class BackCollector:
    """Takes in pictures and what was found in them; gives the backs seen last when a deal is over."""

    def __init__(self) -> None:
        self._lying: list[_Lying] = []
        self._kept: deque[CollectedBack] = deque(maxlen=MOST_BACKS)

    def see(self, time_s: float, image: Image, detections: Iterable[CardDetection]) -> None:
        """Take in a picture, (H, W, 3) uint8, and what was found in it; ``time_s`` on the source's clock."""
        for detection in detections:
            if detection.side is Side.BACK and detection.score >= LEAST_SCORE:
                self._see_one(time_s, image, detection)
        for lying in [one for one in self._lying if time_s - one.seen_s > GONE_AFTER_S]:
            self._close(lying)

    def seen(self) -> tuple[CollectedBack, ...]:
        """The backs seen last, of this deal and of those before it, oldest first."""
        for lying in list(self._lying):
            self._close(lying)
        return _alike(tuple(self._kept))

    def forget(self, before_s: float) -> None:
        """Leave out what was seen before ``before_s``: the pack is another one now."""
        newer = [back for back in self._kept if back.from_s >= before_s]
        self._kept.clear()
        self._kept.extend(newer)

    def _see_one(self, time_s: float, image: Image, detection: CardDetection) -> None:
        corners = order_corners(detection.quad)
        lying = next((one for one in self._lying if one.holds(detection, corners)), None)
        if lying is None:
            if not _is_card_shaped(corners) or not _is_within(corners, image):
                return
            for other in [one for one in self._lying if one.is_at(corners)]:
                self._close(other)
            corners = self._known_corners(corners)
            lying = _Lying(detection, corners, card_width(corners), time_s, time_s)
            self._lying.append(lying)
            if len(self._lying) > MOST_LYING:
                self._close(self._lying[0])
        lying.detection, lying.seen_s = detection, time_s
        if len(lying.looks) < LOOKS and time_s - lying.looked_s >= BETWEEN_LOOKS_S:
            # At the first box: a box that jitters would smear what the looks have in common.
            lying.looks.append(cut_back(image, lying.corners))
            lying.looked_s = time_s

    def _known_corners(self, corners: FloatArray) -> FloatArray:
        """Where the last back at this place lay, if one did: what lies there still gives the same picture."""
        for back in reversed(self._kept):
            if _apart(back.corners, corners) < _SAME_PLACE * back.width:
                return back.corners
        return corners

    def _close(self, lying: _Lying) -> None:
        self._lying.remove(lying)
        if len(lying.looks) < LEAST_LOOKS:
            return
        back = CollectedBack(tuple(lying.looks), lying.corners, lying.from_s, lying.seen_s)
        before = next((one for one in reversed(self._kept) if one.corners is back.corners), None)
        # A hand passes a pile at every trick: one card that is kept each time would outvote the others.
        if before is None or not _is_same_card(before, back):
            self._kept.append(back)


def _is_same_card(one: CollectedBack, other: CollectedBack) -> bool:
    """Whether the same card lies there still: the same to the pixel, as a card laid anew never is."""
    first, second = (cv2.blur(back.looks[len(back.looks) // 2], (3, 3)) for back in (one, other))
    changed = cv2.absdiff(first, second).max(axis=2)
    return float(np.quantile(changed, _ALL_BUT_NOISE)) < _SAME_CARD


def _alike(backs: tuple[CollectedBack, ...]) -> tuple[CollectedBack, ...]:
    """Those of about the size that most have: a coaster or a phone taken for a back has another."""
    if not backs:
        return ()
    usual = float(np.median([back.width for back in backs]))
    return tuple(back for back in backs if abs(back.width - usual) <= _SIZE_OFF * usual)


def _is_card_shaped(corners: FloatArray) -> bool:
    width = card_width(corners)
    return width >= _LEAST_WIDTH and abs(card_height(corners) / width / _RATIO - 1) <= _RATIO_OFF


def _is_within(corners: FloatArray, image: Image) -> bool:
    """Whether the whole card is in the picture."""
    size = np.array([image.shape[1], image.shape[0]])
    return bool((corners >= 0).all() and (corners <= size).all())


def _apart(one: FloatArray, other: FloatArray) -> float:
    """Pixels: the largest distance between corresponding corners, whichever end comes first."""
    ends = (other, np.roll(other, 2, axis=0))
    return min(float(np.linalg.norm(one - end, axis=1).max()) for end in ends)
