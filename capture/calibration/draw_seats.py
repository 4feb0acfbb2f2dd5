"""The picture of a camera with the table and its seats drawn into it, for people to check."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.calibration.calibration import Calibration

_LINE: Final = (80, 220, 255)


def draw_seats(image: npt.NDArray[np.uint8], calibration: Calibration) -> npt.NDArray[np.uint8]:
    """A copy of the picture, (H, W, 3) uint8 BGR, with the table's edge and the names of the seats in it."""
    drawn = image.copy()
    height, width = image.shape[:2]
    size = max(0.5, width / 1100)
    thickness = max(1, round(2 * size))
    outline = calibration.outline()
    cv2.polylines(drawn, [outline], isClosed=True, color=_LINE, thickness=thickness, lineType=cv2.LINE_AA)
    middle = calibration.pixels_of([(0, 0)])[0]
    for seat, (x, y) in calibration.seat_pixels().items():
        name = seat.dutch.upper()
        # A little towards the middle: inside the table, and mostly inside the picture.
        place = np.array([x, y]) * 0.88 + middle * 0.12
        (across, down), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, size, thickness)
        left = int(np.clip(place[0] - across / 2, 4, max(4, width - across - 4)))
        bottom = int(np.clip(place[1] + down / 2, down + 4, max(down + 4, height - 4)))
        cv2.rectangle(drawn, (left - 6, bottom - down - 6), (left + across + 6, bottom + 8), (30, 30, 30), -1)
        cv2.putText(
            drawn, name, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, size, _LINE, thickness, cv2.LINE_AA
        )
    return drawn
