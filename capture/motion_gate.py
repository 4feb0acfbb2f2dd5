"""Whether anything moved on the table since it was last looked at."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

SMALL_WIDTH: Final = 160
"""Width in cells of the small picture that is compared; a card is some ten cells wide."""

CHANGED_LEVEL: Final = 8.0
"""Grey levels (of 255) by which one cell must change; the noise of a good camera moves it by one."""

LONGEST_REUSE: Final = 10
"""After so many pictures without motion look again: a card read badly once gets another chance."""


class MotionGate:
    """Compares each picture with the one last looked at, in a small grey version of both.

    Each place is compared with the picture in which it was last *looked at*: something that creeps by less
    than the threshold in each picture is still noticed once it has moved far enough.
    """

    def __init__(self, changed_level: float = CHANGED_LEVEL, longest_reuse: int = LONGEST_REUSE) -> None:
        self._changed_level = changed_level
        self._longest_reuse = longest_reuse
        self._looked_at: npt.NDArray[np.float32] | None = None
        self._reused_in_a_row = 0
        self._since_all = 0
        self._reused = 0

    @property
    def reused(self) -> int:
        """How many pictures showed nothing new."""
        return self._reused

    def must_look(self, image: npt.NDArray[np.uint8]) -> bool:
        """Whether ``image``, (H, W, 3) uint8, must be looked at; False when the last look still holds."""
        return self.changed_cells(image) is not None

    def changed_cells(self, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_] | None:
        """Where ``image``, (H, W, 3) uint8, must be looked at, as (rows, columns) of cells that fill it.

        None when the last look still holds; all of them when the whole picture must be looked at (again).
        """
        small = _small_grey(image)
        if self._looked_at is None or self._looked_at.shape != small.shape:
            return self._look_at_all(small)
        changed: npt.NDArray[np.bool_] = np.abs(small - self._looked_at) >= self._changed_level
        if changed.any():
            # A card that lies still beside moving hands is also looked at again after a while.
            self._since_all += 1
            if self._since_all > self._longest_reuse:
                return self._look_at_all(small)
            self._reused_in_a_row = 0
            self._looked_at = np.where(_widened(changed), small, self._looked_at)
            return changed
        if self._reused_in_a_row >= self._longest_reuse:
            return self._look_at_all(small)
        self._reused_in_a_row += 1
        self._reused += 1
        return None

    def _look_at_all(self, small: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        self._looked_at = small
        self._reused_in_a_row = self._since_all = 0
        return np.ones(small.shape, dtype=np.bool_)


def _widened(cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The cells and their neighbours, which a moving edge may have changed a little."""
    return np.asarray(cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)), dtype=np.bool_)


def _small_grey(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    height, width = image.shape[:2]
    size = (SMALL_WIDTH, max(1, round(height * SMALL_WIDTH / width)))
    # Grey first: one channel to shrink instead of three.
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)
