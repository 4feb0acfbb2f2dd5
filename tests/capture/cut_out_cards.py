"""Cards cut out of drawn pictures, to be compared with the pack they were drawn from."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt


def rectified(image: npt.NDArray[np.uint8], quad: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    target = np.array([[0, 0], [239, 0], [239, 334], [0, 334]], dtype=np.float32)
    cut = cv2.warpPerspective(image, cv2.getPerspectiveTransform(quad, target), (240, 335))
    return np.asarray(cut, dtype=np.uint8)


def small_grey(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """A small grey picture of mean 0 and deviation 1: the mean of the product of two is their correlation."""
    small = cv2.resize(image, (48, 67), interpolation=cv2.INTER_AREA)
    plain = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray((plain - plain.mean()) / max(float(plain.std()), 1e-3), dtype=np.float32)
