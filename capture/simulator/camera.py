"""Where the camera hangs, and what its lens, sensor and compression do to a picture.

Table coordinates are millimetres: x to the east (right), y to the south (down in the picture), origin in
the middle of the table. A positive turn is clockwise as seen from above.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator._pixels import Floats, Pixels, as_floats, as_pixels, smooth_noise


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a flat thing lies: the place of its own origin in millimetres and its turn in radians."""

    x: float
    y: float
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Extent:
    """The rectangle that a flat thing fills in its own coordinates, in millimetres."""

    left: float
    top: float
    width: float
    height: float

    @classmethod
    def centred(cls, width: float, height: float) -> Extent:
        """A rectangle whose own origin is its middle."""
        return cls(-width / 2, -height / 2, width, height)


def corners_on_table(extent: Extent, pose: Pose) -> Floats:
    """(4, 2) millimetres: the corners of ``extent`` at ``pose``, clockwise from its own top left."""
    right, bottom = extent.left + extent.width, extent.top + extent.height
    own = np.array([[extent.left, extent.top], [right, extent.top], [right, bottom], [extent.left, bottom]])
    cosine, sine = np.cos(pose.turn), np.sin(pose.turn)
    turned = own @ np.array([[cosine, sine], [-sine, cosine]])
    return as_floats(turned + np.array([pose.x, pose.y]))


def camera_homography(
    size: tuple[int, int],
    pixels_per_millimetre: float,
    *,
    tilt: float = 0.0,
    direction: float = 0.0,
    roll: float = 0.0,
    focal_length: float | None = None,
    aim: tuple[float, float] = (0.0, 0.0),
) -> npt.NDArray[np.float64]:
    """(3, 3): from millimetres on the table to pixels of a pinhole camera.

    size: (width, height) of the picture. pixels_per_millimetre: the scale where the camera looks.
    tilt: radians off the vertical, leaning towards ``direction``. roll: the picture's turn.
    focal_length: in pixels; by default 1.1 times the picture's width. aim: what lies in the middle, in mm.
    """
    width, height = size
    focal = focal_length if focal_length is not None else 1.1 * width
    lean = cv2.Rodrigues(np.array([np.cos(direction), np.sin(direction), 0.0]) * tilt)[0]
    spin = cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0]
    rotation = spin @ lean
    intrinsic = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
    distance = focal / pixels_per_millimetre
    outside = np.column_stack([rotation[:, 0], rotation[:, 1], (0.0, 0.0, distance)])
    centring = np.array([[1.0, 0.0, -aim[0]], [0.0, 1.0, -aim[1]], [0.0, 0.0, 1.0]])
    return np.asarray(intrinsic @ outside @ centring, dtype=np.float64)


def project(homography: npt.NDArray[np.float64], points: npt.ArrayLike) -> Floats:
    """(N, 2) float32 pixels of (N, 2) points in millimetres on the table."""
    given = np.asarray(points, dtype=np.float64).reshape(-1, 1, 2)
    return as_floats(cv2.perspectiveTransform(given, homography).reshape(-1, 2))


def pixels_per_millimetre_at(homography: npt.NDArray[np.float64], x: float, y: float) -> float:
    """The mean scale of the picture around a point of the table."""
    corner, right, down = project(homography, [(x, y), (x + 1, y), (x, y + 1)])
    return float((np.hypot(*(right - corner)) + np.hypot(*(down - corner))) / 2)


def compressed(image: Pixels, quality: int) -> Pixels:
    """``image`` after JPEG at ``quality`` (1 to 100)."""
    encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    decoded = cv2.imdecode(encoded, cv2.IMREAD_COLOR)
    if decoded is None:
        raise RuntimeError("OpenCV can't read the JPEG that it has just written")
    return as_pixels(decoded)


def motion_blurred(image: Pixels, length: float, angle: float) -> Pixels:
    """``image`` smeared over ``length`` pixels along ``angle`` radians."""
    side = int(np.ceil(length)) | 1
    kernel = np.zeros((side, side), dtype=np.float32)
    middle = (side - 1) / 2
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, end = np.round((middle - reach) * 16).astype(int), np.round((middle + reach) * 16).astype(int)
    cv2.line(kernel, start.tolist(), end.tolist(), (1.0,), 1, cv2.LINE_8, 4)
    return as_pixels(cv2.filter2D(image, -1, kernel / kernel.sum()))


def defocused(image: Pixels, radius: float) -> Pixels:
    """``image`` with every point spread over a disc of ``radius`` pixels, as a lens out of focus does."""
    side = int(np.ceil(radius)) * 2 + 1
    rows, columns = np.mgrid[:side, :side].astype(np.float32) - side // 2
    disc = np.clip(radius + 0.5 - np.hypot(rows, columns), 0, 1)
    return as_pixels(cv2.filter2D(image, -1, disc / disc.sum()))


def noisy(image: Pixels, rng: np.random.Generator, strength: float, coarse: float = 0.0) -> Pixels:
    """``image`` with sensor noise of about ``strength`` grey levels; ``coarse`` adds blotches of colour."""
    height, width = image.shape[:2]
    field = np.empty((height, width, 3), dtype=np.float32)
    grain = rng.standard_normal((height, width), dtype=np.float32) * np.float32(strength)
    for channel in range(3):
        field[..., channel] = np.roll(grain, 7 * channel + 1, axis=channel % 2)
        if coarse > 0:
            field[..., channel] += smooth_noise(rng, (height, width), (height / 4, width / 4)) * np.float32(
                coarse
            )
    return as_pixels(cv2.add(image, field, dtype=cv2.CV_8U))


def photographed(image: Pixels, rng: np.random.Generator) -> Pixels:
    """``image`` as some camera, good or bad, would have kept it: blur, noise, sharpening, compression."""
    kept = _through_a_lens(image, rng)
    if rng.random() < 0.85:
        strength = float(rng.gamma(1.6, 2.2))
        kept = noisy(kept, rng, strength, strength * 0.8 if rng.random() < 0.3 else 0.0)
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(kept, (0, 0), 1.0)
        amount = float(rng.uniform(0.3, 1.4))
        kept = as_pixels(cv2.addWeighted(kept, 1 + amount, soft, -amount, 0))
    if rng.random() < 0.85:
        kept = compressed(kept, int(rng.integers(35, 97)))
    return kept


def _through_a_lens(image: Pixels, rng: np.random.Generator) -> Pixels:
    height, width = image.shape[:2]
    kept = image
    if rng.random() < 0.15:
        share = float(rng.uniform(0.45, 0.85))
        small = cv2.resize(kept, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        kept = as_pixels(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR))
    drawn = rng.random()
    if drawn < 0.12:
        kept = motion_blurred(kept, float(rng.uniform(2, 8)), float(rng.uniform(0, np.pi)))
    elif drawn < 0.25:
        kept = defocused(kept, float(rng.uniform(0.8, 2.6)))
    elif drawn < 0.6:
        kept = as_pixels(cv2.GaussianBlur(kept, (0, 0), float(rng.uniform(0.3, 0.8))))
    return kept
