"""One picture from a camera, with its times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture.

    image: (H, W, 3) uint8, blue-green-red.
    monotonic_s: seconds on the source's own clock, never going back: for a live camera the machine's
        monotonic clock when the picture came in, for a film the time within the film.
    wall_utc: when the picture was taken, in UTC, for people to read.
    sequence: counts the pictures of the source from 0; a gap means that pictures were dropped.

    Raises:
        ValueError: when the image has another shape or dtype, or ``wall_utc`` has no time zone.
    """

    image: npt.NDArray[np.uint8]
    monotonic_s: float
    wall_utc: datetime
    sequence: int

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:
            raise ValueError(f"image must be (H, W, 3) uint8, not {self.image.shape} {self.image.dtype}")
        if self.wall_utc.tzinfo is None:
            raise ValueError(f"wall_utc needs a time zone: {self.wall_utc!r}")
