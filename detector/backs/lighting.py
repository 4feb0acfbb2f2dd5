"""Making the light on one picture of a back the same as on another."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from detector.backs.views import CARD_MASK, MILLIMETRE, VIEW_SIZE
from detector.types import FloatArray

_SHRINK: Final = 4
_LOCAL: Final = 9 * MILLIMETRE
"""Sigma in pixels of the window in which light is evened out: 9 mm."""

_EVEN: Final = 30.0
"""Grey levels squared: where the back varies less, contrast is not fitted."""

_CARD: Final = np.repeat(CARD_MASK.astype(np.float32)[..., None], 3, axis=2)


def toned_like(image: FloatArray, model: FloatArray) -> FloatArray:
    """``image`` with its light made the same as the model's, place by place; both (H, W, 3) float32.

    In a window some 20 mm wide brightness and contrast are fitted (a guided filter, He 2013): a lamp's soft
    reflection and the shade of a hand go, what is smaller than that stays.
    """
    slope, offset, _ = local_light(image, model)
    return np.asarray(image * _enlarged(slope) + _enlarged(offset), dtype=np.float32)


def local_light(image: FloatArray, model: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """By what ``image`` is to be multiplied, and what then added, to be lit as ``model``, place by place.

    Each is (H / 4, W / 4, 3) float32; the third is the image's variance there, in grey levels squared.
    """
    small_image, small_model = image * _CARD, model * _CARD
    mean_image, mean_model = _card_mean(small_image), _card_mean(small_model)
    variance = _card_mean(small_image * small_image) - mean_image * mean_image
    covariance = _card_mean(small_image * small_model) - mean_image * mean_model
    slope = (covariance + _EVEN) / (np.maximum(variance, 0) + _EVEN)
    limited: FloatArray = np.clip(slope, 0.4, 2.5).astype(np.float32)
    offset = np.asarray(mean_model - mean_image * limited, dtype=np.float32)
    return limited, offset, np.asarray(variance, dtype=np.float32)


def between_blurs(image: FloatArray, scale: tuple[float, float]) -> FloatArray:
    """What of ``image``, (H, W) or (H, W, 3), lies between two blurs in fineness, within the card."""
    within = CARD_MASK.astype(np.float32)
    wide = within if image.ndim == 2 else within[..., None]

    def blurred(sigma: float) -> FloatArray:
        weight = cv2.GaussianBlur(within, (0, 0), sigma) + 1e-3
        return np.asarray(
            cv2.GaussianBlur(image * wide, (0, 0), sigma)
            / (weight if image.ndim == 2 else weight[..., None]),
            dtype=np.float32,
        )

    return np.asarray(blurred(scale[0]) - blurred(scale[1]), dtype=np.float32)


def _card_mean(image: FloatArray) -> FloatArray:
    """The mean around each place over what is card, a quarter of the size; ``image`` is 0 beside it."""
    return np.asarray(_blurred(image) / _CARD_BLURRED, dtype=np.float32)


def _enlarged(small: FloatArray) -> FloatArray:
    return np.asarray(cv2.resize(small, VIEW_SIZE, interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def _blurred(image: FloatArray) -> FloatArray:
    size = (VIEW_SIZE[0] // _SHRINK, VIEW_SIZE[1] // _SHRINK)
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), _LOCAL / _SHRINK), dtype=np.float32)


_CARD_BLURRED: Final = _blurred(_CARD) + 1e-3
