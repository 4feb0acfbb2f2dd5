"""The curve of marks found against false reports, as a small picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

_SIDE: Final = 360
_LEFT: Final = 60
_TOP: Final = 24
_MOST_FALSE: Final = 0.5


def draw_curves(output: Path, curve: Sequence[tuple[float, float, float]]) -> None:
    """Write a PNG: across, false reports a clean deal; up, the share of marks found within one deal.

    curve: (threshold as a share of the one in use, found, false); the one in use has a dot.
    """
    image = np.full((_SIDE + 2 * _TOP + 30, _SIDE + _LEFT + 30, 3), 255, np.uint8)
    cv2.rectangle(image, (_LEFT, _TOP), (_LEFT + _SIDE, _TOP + _SIDE), (0, 0, 0), 1)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        _write(image, f"{share:.2f}", (12, _TOP + round((1 - share) * _SIDE) + 4))
        _write(image, f"{share * _MOST_FALSE:.2f}", (_LEFT + round(share * _SIDE) - 14, _TOP + _SIDE + 16))
    _write(image, "found", (12, 14))
    _write(image, "false reports a clean deal", (_LEFT + 90, _TOP + _SIDE + 34))
    points = [_place(found, false) for _, found, false in curve]
    cv2.polylines(image, [np.array(points, np.int32)], False, (160, 80, 0), 2, cv2.LINE_AA)
    used = min(curve, key=lambda one: abs(one[0] - 1))
    cv2.circle(image, _place(used[1], used[2]), 5, (0, 0, 200), -1, cv2.LINE_AA)
    cv2.imwrite(str(output), image)


def _place(found: float, false: float) -> tuple[int, int]:
    return _LEFT + round(min(false / _MOST_FALSE, 1) * _SIDE), _TOP + round((1 - found) * _SIDE)


def _write(image: np.ndarray, text: str, place: tuple[int, int]) -> None:
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
