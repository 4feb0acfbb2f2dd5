"""Where the commands put the pictures that they draw."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2

from capture.errors import SettingsError

if TYPE_CHECKING:
    from detector.types import Image

_JPEG_QUALITY: Final = 92


def make_folder(folder: Path, option: str) -> None:
    """Make the folder that was given with ``option``, such as ``--annotate``.

    Raises:
        SettingsError: when it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"De map {folder} kan niet worden gemaakt. Kies met {option} een andere.",
            f"cannot make the folder ({error.strerror}). Choose another with {option}.",
        ) from error


def write_picture(path: Path, image: Image) -> None:
    """Write ``image``, (H, W, 3) uint8 BGR, as the ending of ``path`` says; ``.jpg`` or ``.png``.

    Raises:
        OSError: when it cannot be written.
    """
    settings = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY] if path.suffix == ".jpg" else []
    data: Any = cv2.imencode(path.suffix, image, settings)[1]
    path.write_bytes(data.tobytes())
