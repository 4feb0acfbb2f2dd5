"""Small films whose pictures carry their own number, so that a lost or swapped one is noticed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

WIDTH, HEIGHT, BITS = 320, 240, 10


def numbered_picture(number: int) -> npt.NDArray[np.uint8]:
    """(240, 320, 3) uint8 BGR: ``number`` as ten black and white bars under a mottled band."""
    mottled = np.random.default_rng(number).integers(0, 256, (HEIGHT // 2, WIDTH, 3), dtype=np.uint8)
    bars = np.array([(number >> bit & 1) * 255 for bit in range(BITS)], np.uint8)
    band = np.repeat(bars, WIDTH // BITS)[None, :, None]
    return np.concatenate([mottled, np.broadcast_to(band, (HEIGHT // 2, WIDTH, 3))])


def number_of(image: npt.NDArray[np.uint8]) -> int:
    """The number that :func:`numbered_picture` wrote."""
    bars = image[HEIGHT // 2 + 20 : -20].mean(axis=(0, 2)).reshape(BITS, -1)
    return sum(1 << bit for bit, level in enumerate(bars[:, 8:-8].mean(axis=1)) if level > 127)


def write_numbered_film(
    path: Path, count: int, frames_per_second: int = 10, options: Mapping[str, str] | None = None
) -> Path:
    """An H.264 film of ``count`` numbered pictures; the container follows from the suffix."""
    with av.open(str(path), "w", options=dict(options or {})) as container:
        stream = container.add_stream("libx264", rate=frames_per_second)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.options = {"g": "20", "preset": "veryfast"}
        for number in range(count):
            picture = av.VideoFrame.from_ndarray(numbered_picture(number), format="bgr24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path
