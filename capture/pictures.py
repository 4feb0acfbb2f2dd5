"""Reading photos from disk: upright, whole, or with one clear sentence of what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.errors import PictureError

PICTURE_SUFFIXES: Final = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})

_JPEG_START: Final = b"\xff\xd8"
_JPEG_END: Final = b"\xff\xd9"
_PNG_START: Final = b"\x89PNG\r\n\x1a\n"
_PNG_END: Final = b"IEND\xaeB`\x82"


def read_picture(path: Path) -> npt.NDArray[np.uint8]:
    """The photo at ``path``, (H, W, 3) uint8 BGR, turned upright as its EXIF orientation says.

    Raises:
        PictureError: when there is no such file, it is no picture, or it is torn off half-way.
    """
    data = _read_bytes(path)
    # OpenCV's readers fill the missing part of a torn photo with grey, some versions without a word.
    if _is_torn(data):
        raise PictureError(
            f"{path} is een afgebroken foto. Kopieer het bestand opnieuw.",
            "the photo is torn off half-way. Copy the file again.",
        )
    image = _decode(data)
    if image is None:
        raise PictureError(
            f"{path} is geen foto die gelezen kan worden. Kies een ander bestand.",
            "not a readable picture. Choose another file.",
        )
    return image


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise PictureError(
            f"Er is geen bestand {path}. Controleer de naam.",
            "there is no such file. Check its name.",
        ) from error
    except OSError as error:
        raise PictureError(
            f"{path} kan niet worden geopend. Kies een ander bestand.",
            f"cannot be opened ({error.strerror}). Choose another file.",
        ) from error


def _decode(data: bytes) -> npt.NDArray[np.uint8] | None:
    if not data:
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else image.astype(np.uint8, copy=False)


def _is_torn(data: bytes) -> bool:
    """Whether a JPEG, PNG or WebP ends before its own end mark."""
    if data.startswith(_JPEG_START):
        return _JPEG_END not in data[_jpeg_scan_start(data) :]
    if data.startswith(_PNG_START):
        return _PNG_END not in data
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return len(data) < int.from_bytes(data[4:8], "little") + 8
    return False


def _jpeg_scan_start(data: bytes) -> int:
    """Where the picture itself starts: past the headers, whose thumbnail has an end mark of its own."""
    position = 2
    while position + 4 <= len(data) and data[position] == 0xFF:
        length = int.from_bytes(data[position + 2 : position + 4], "big")
        if data[position + 1] == 0xDA:
            return position + 2 + length
        position += 2 + length
    return len(data)
