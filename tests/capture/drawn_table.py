"""A drawn table on a drawn floor, seen by a camera that hangs well or badly, to judge how it hangs."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from capture.calibration.sheet import SHEET_MM, sheet_picture
from capture.simulator import table
from capture.simulator.camera import camera_homography

Pixels = npt.NDArray[np.uint8]
TABLE_MM = 800.0


def drawn_table(
    *,
    size: tuple[int, int] = (1920, 1080),
    pixels_per_mm: float = 1.2,
    tilt: float = 0.1,
    roll: float = 0.0,
    cloth: Callable[[np.random.Generator, tuple[int, int]], Pixels] = table.felt,
    sheet: bool = True,
    sheet_at: tuple[float, float] = (0.0, 0.0),
    seed: int = 3,
) -> tuple[Pixels, npt.NDArray[np.float64]]:
    """(H, W, 3) uint8, and the (3, 3) homography from millimetres on the table to its pixels.

    roll: radians by which the picture is turned. sheet_at: where the calibration sheet lies, in mm.
    """
    rng = np.random.default_rng(seed)
    homography = camera_homography(size, pixels_per_mm, tilt=tilt, direction=0.6, roll=roll)
    image = np.full((size[1], size[0], 3), (96, 110, 120), np.uint8)
    image = _laid(image, cloth(rng, (600, 600)), (TABLE_MM, TABLE_MM), homography, (0.0, 0.0))
    if sheet:
        small = cv2.resize(sheet_picture(), None, fx=0.35, fy=0.35, interpolation=cv2.INTER_AREA)
        paper = cv2.cvtColor((small * 0.86).astype(np.uint8), cv2.COLOR_GRAY2BGR)
        image = _laid(image, np.asarray(paper, np.uint8), SHEET_MM, homography, sheet_at)
    grain = rng.normal(0, 2, (size[1], size[0], 1)).astype(np.float32)
    return np.asarray(cv2.add(image, np.repeat(grain, 3, axis=2), dtype=cv2.CV_8U), np.uint8), homography


def _laid(
    image: Pixels,
    art: Pixels,
    millimetres: tuple[float, float],
    homography: npt.NDArray[np.float64],
    at: tuple[float, float],
) -> Pixels:
    across, down = art.shape[1], art.shape[0]
    to_table = np.array(
        [
            [millimetres[0] / across, 0.0, at[0] - millimetres[0] / 2],
            [0.0, millimetres[1] / down, at[1] - millimetres[1] / 2],
            [0.0, 0.0, 1.0],
        ]
    )
    size = (image.shape[1], image.shape[0])
    matrix = homography @ to_table
    laid = cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_AREA)
    share = cv2.warpPerspective(np.full(art.shape[:2], 255, np.uint8), matrix, size)[..., None] / 255
    return np.asarray(image * (1 - share) + laid * share, np.uint8)
