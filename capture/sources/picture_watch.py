"""Whether a camera's pictures are what they seem: not black, frozen, repeated, garbled, or of another size.

Each picture is looked at on its own first (what is *suspicious* about it); what stays suspicious for a while
is a fault. No clock is read here: the caller says when each picture came in.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from capture.sources.faults import Fault

Pixels = npt.NDArray[np.uint8]

BLACKEST_LEVEL: Final = 14.0
"""Mean grey level (of 255) under which a picture is black, if nothing in it is bright either."""

BLACKEST_BRIGHT: Final = 30.0
"""The level under which nearly all of a black picture lies: a dark hall still shows a lamp."""

LEAST_LIKENESS: Final = 0.35
"""Correlation between pixels side by side; it is above 0.8 in any picture of the world, near 0 in noise."""

PICTURES_REMEMBERED: Final = 6_000
"""Three minutes at thirty a second: how far back a repeated picture is recognised."""

FEWEST_PICTURES: Final = 4
"""Fewer suspicious pictures than this are no fault, however long they take."""

_EVERY: Final = 8
_ROWS_APART: Final = 24


PERSISTS_S: Final = 2.0
"""How long pictures must stay suspicious before that is a fault."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was thought of one picture.

    suspicion: what seems wrong with it alone. fault: what is wrong, since it stayed so.
    clock_jumped: a clock, the camera's or the machine's, jumped since the picture before.
    """

    suspicion: Fault | None
    fault: Fault | None
    clock_jumped: bool = False


class PictureWatch:
    """Judges the pictures of one camera in order; it outlives the connections over which they come.

    persists_s: how long, in seconds, pictures must stay suspicious before that is a fault.
    """

    def __init__(self, persists_s: float = PERSISTS_S) -> None:
        self._persists_s = persists_s
        self._size: tuple[int, int] | None = None
        self._current_size: tuple[int, int] | None = None
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._last_print: int | None = None
        self._suspicion: Fault | None = None
        self._suspicious_since_s = 0.0
        self._suspicious_pictures = 0

    @property
    def size(self) -> tuple[int, int] | None:
        """(height, width) of the first picture: others of its shape can be made to fit."""
        return self._size

    def look(self, image: Pixels, arrived_s: float) -> Verdict:
        """Judge the next picture, (H, W, 3), which came in at ``arrived_s`` on the monotonic clock."""
        suspicion = self._suspicion_of(image)
        if suspicion is not self._suspicion:
            self._suspicion, self._suspicious_since_s, self._suspicious_pictures = suspicion, arrived_s, 0
        self._suspicious_pictures += 1
        lasted = (
            self._suspicious_pictures >= FEWEST_PICTURES
            and arrived_s - self._suspicious_since_s >= self._persists_s
        )
        at_once = suspicion is Fault.SIZE
        return Verdict(suspicion, suspicion if lasted or at_once else None)

    def _suspicion_of(self, image: Pixels) -> Fault | None:
        if self._has_wrong_size(image.shape[:2]):
            return Fault.SIZE
        sample = np.ascontiguousarray(image[_EVERY // 2 :: _EVERY, _EVERY // 2 :: _EVERY])
        fingerprint = zlib.crc32(sample.data)
        again = self._seen_before(fingerprint)
        if is_black(sample):
            return Fault.BLACK
        if again is not None:
            return again
        return Fault.GARBAGE if is_noise(image) else None

    def _has_wrong_size(self, size: tuple[int, ...]) -> bool:
        """A size of another shape is wrong each time; one of the same shape only when it is new."""
        height, width = size
        before, self._current_size = self._current_size, (height, width)
        if self._size is None:
            self._size = (height, width)
        is_new = self._current_size not in (self._size, before)
        return is_new or not same_shape(self._current_size, self._size)

    def _seen_before(self, fingerprint: int) -> Fault | None:
        """Sensor noise makes each picture of a living camera another, to the last bit."""
        previous, self._last_print = self._last_print, fingerprint
        if fingerprint == previous:
            return Fault.FROZEN
        if fingerprint in self._seen:
            return Fault.REPEATING
        self._seen[fingerprint] = None
        if len(self._seen) > PICTURES_REMEMBERED:
            self._seen.popitem(last=False)
        return None


def same_shape(size: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two sizes, each (height, width), have the same proportions, to one in a hundred."""
    return abs(size[0] * other[1] - size[1] * other[0]) <= 0.01 * size[0] * other[1]


def is_black(sample: Pixels) -> bool:
    """Whether a picture, (H, W, 3), shows nothing but darkness."""
    if float(sample.mean()) >= BLACKEST_LEVEL:
        return False
    return float(np.quantile(sample, 0.995)) < BLACKEST_BRIGHT


def is_noise(image: Pixels) -> bool:
    """Whether neighbouring pixels of ``image``, (H, W, 3), have nothing to do with one another."""
    rows = image[::_ROWS_APART, :, 1].astype(np.float32)
    left, right = rows[:, :-1] - rows.mean(), rows[:, 1:] - rows.mean()
    spread = float((left * left).mean() * (right * right).mean()) ** 0.5
    # A picture of one even grey has no likeness to measure; that is no noise.
    return bool(spread > 4.0 and float((left * right).mean()) / spread < LEAST_LIKENESS)
