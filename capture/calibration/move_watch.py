"""Whether the camera still hangs where it hung when it was calibrated.

What is recognisable in the reference picture is looked for in a later one; if it all lies elsewhere, the
camera was moved. Cards and hands move as well, but not all in the same way.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.calibration.calibration import CARD_WIDTH_MM, Calibration, mapped

Pixels = npt.NDArray[np.uint8]

REFERENCE_WIDTH: Final = 640
REFERENCE_QUALITY: Final = 85

MOVED_BY_MM: Final = 0.35 * CARD_WIDTH_MM
"""How far the table may seem to lie from where it was: less than makes a card lie before another seat."""

AGREE_TIMES: Final = 3
"""So many looks running must say the same before it is believed."""

_FEATURES: Final = 800
_FEWEST_MATCHES: Final = 24
_MOST_PIXELS_OFF: Final = 2.5
_RATIO: Final = 0.8


class MoveWatch:
    """Compares pictures with the reference of ``calibration``; without a reference it knows nothing."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._finder = cv2.ORB.create(nfeatures=_FEATURES, fastThreshold=8)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._points: npt.NDArray[np.float32] = np.zeros((0, 2), np.float32)
        self._descriptors: Pixels | None = None
        self._answer: bool | None = None
        self._times = 0
        reference = _decoded(calibration.reference)
        if reference is not None:
            self._points, self._descriptors = self._features(reference)

    def moved(self, image: Pixels) -> bool | None:
        """Whether the camera was moved, by this picture and the looks before; None when it can't tell."""
        off_mm = self.off_by_mm(image)
        answer = None if off_mm is None else off_mm > MOVED_BY_MM
        self._times = self._times + 1 if answer == self._answer else 1
        self._answer = answer
        return answer if self._times >= AGREE_TIMES else None

    def off_by_mm(self, image: Pixels) -> float | None:
        """How far the middle of the table or a seat now seems to lie from where it was; None: can't tell."""
        points, descriptors = self._features(small_grey(image))
        if self._descriptors is None or descriptors is None:
            return None
        pairs = [
            (first.queryIdx, first.trainIdx)
            for first, second in _pairs_of(self._matcher.knnMatch(self._descriptors, descriptors, k=2))
            if first.distance < _RATIO * second.distance
        ]
        if len(pairs) < _FEWEST_MATCHES:
            return None
        before = self._points[[pair[0] for pair in pairs]]
        after = points[[pair[1] for pair in pairs]]
        matrix, agreed = cv2.estimateAffinePartial2D(
            before, after, method=cv2.RANSAC, ransacReprojThreshold=_MOST_PIXELS_OFF
        )
        if matrix is None or int(agreed.sum()) < _FEWEST_MATCHES:
            return None
        return self._moved_by(np.vstack([matrix, [0.0, 0.0, 1.0]]))

    def _moved_by(self, matrix: npt.NDArray[np.float64]) -> float:
        """The farthest that any of five points of the table went, by the (3, 3) of small pictures."""
        half_x, half_y = self._calibration.half_size_mm
        points = [(0.0, 0.0), (half_x, 0.0), (-half_x, 0.0), (0.0, half_y), (0.0, -half_y)]
        shrink = REFERENCE_WIDTH / self._calibration.picture_size[0]
        there = self._calibration.pixels_of(points) * shrink
        now = mapped(matrix, there) / shrink
        away = mapped(self._calibration.to_table, now) - np.array(points)
        return float(np.hypot(away[:, 0], away[:, 1]).max())

    def _features(self, grey: Pixels) -> tuple[npt.NDArray[np.float32], Pixels | None]:
        keypoints, descriptors = self._finder.detectAndCompute(grey, None)
        points = np.array([keypoint.pt for keypoint in keypoints], np.float32).reshape(-1, 2)
        return points, None if descriptors is None else np.asarray(descriptors, np.uint8)


def reference_of(image: Pixels) -> bytes:
    """What to keep of a picture, (H, W, 3), to recognise later where the camera hung: a small JPEG."""
    _, data = cv2.imencode(".jpg", small_grey(image), [cv2.IMWRITE_JPEG_QUALITY, REFERENCE_QUALITY])
    return data.tobytes()


def small_grey(image: Pixels) -> Pixels:
    """(H, :data:`REFERENCE_WIDTH`) of a picture (H, W, 3)."""
    height, width = image.shape[:2]
    size = (REFERENCE_WIDTH, max(1, round(height * REFERENCE_WIDTH / width)))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8)


def _decoded(reference: bytes) -> Pixels | None:
    if not reference:
        return None
    image = cv2.imdecode(np.frombuffer(reference, np.uint8), cv2.IMREAD_GRAYSCALE)
    return None if image is None else np.asarray(image, np.uint8)


def _pairs_of(matches: object) -> list[tuple[cv2.DMatch, cv2.DMatch]]:
    """Those that have a second best to be compared with."""
    return [tuple(pair) for pair in matches if len(pair) == 2]  # type: ignore[attr-defined]
