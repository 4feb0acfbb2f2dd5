"""One segment: H.264 in fragmented MP4, of which all but the last picture is good at any moment."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import Final, Self

import av
import numpy as np
import numpy.typing as npt
from av.video.frame import PictureType

KEY_EACH_S: Final = 0.5
"""How often a whole picture comes: where a clip can begin."""

SYNC_EACH_S: Final = 2.0
"""How often the disk is made to keep what was written: what a power cut may cost."""

WIDEST: Final = 1280
"""Pictures are made no wider than this: enough to see who played what, at a megabit a second."""

_TICKS: Final = 90_000
# Each picture is a fragment of its own, written out when the next comes: a kill costs no more than that one.
_FRAGMENTED: Final = {"movflags": "frag_every_frame+empty_moov+default_base_moof", "flush_packets": "1"}
_ENCODER: Final = {"preset": "superfast", "tune": "zerolatency", "crf": "25", "threads": "1"}


class SegmentWriter:
    """Writes pictures to ``path``; ``first_s`` is the time of the first on the source's clock.

    Raises:
        OSError: from any method, when the disk is full or the file cannot be written.
    """

    def __init__(self, path: Path, first_s: float, size: tuple[int, int]) -> None:
        """``size``: (height, width) of the pictures."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._first_s = first_s
        self._last_tick = -1
        self._key_s = self._sync_s = first_s
        self._container = av.open(str(path), "w", format="mp4", options=dict(_FRAGMENTED))
        self._stream = self._container.add_stream("libx264", options=dict(_ENCODER))
        self._stream.width, self._stream.height = _recorded_size(size)
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = self._stream.time_base = Fraction(1, _TICKS)
        # Whole pictures come when they are due; the encoder must add none of its own.
        self._stream.codec_context.gop_size = 100_000

    @property
    def first_s(self) -> float:
        """When the segment begins, on the source's clock."""
        return self._first_s

    def write(self, image: npt.NDArray[np.uint8], time_s: float) -> None:
        """Add a picture, (H, W, 3) uint8, taken at ``time_s`` on the source's clock."""
        tick = max(round((time_s - self._first_s) * _TICKS), self._last_tick + 1)
        picture = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(
            self._stream.width, self._stream.height, "yuv420p"
        )
        picture.pts, picture.time_base = tick, Fraction(1, _TICKS)
        is_key = self._last_tick < 0 or time_s - self._key_s >= KEY_EACH_S
        picture.pict_type = PictureType.I if is_key else PictureType.NONE
        self._key_s = time_s if is_key else self._key_s
        self._last_tick = tick
        self._container.mux(self._stream.encode(picture))
        if is_key and time_s - self._sync_s >= SYNC_EACH_S:
            self._sync_s = time_s
            self._keep_on_disk()

    def close(self) -> None:
        """Write what is left."""
        try:
            self._container.mux(self._stream.encode())
        finally:
            self._container.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _keep_on_disk(self) -> None:
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)


def _recorded_size(size: tuple[int, int]) -> tuple[int, int]:
    """(width, height) in even numbers, no wider than :data:`WIDEST`; ``size`` is (height, width)."""
    height, width = size
    shrink = min(1.0, WIDEST / width)
    return max(2, round(width * shrink / 2) * 2), max(2, round(height * shrink / 2) * 2)
