"""From what a person types to a source."""

from __future__ import annotations

import os
import re
from pathlib import Path

from capture.errors import SourceMissingError
from capture.sources.camera_mode import CameraMode
from capture.sources.picture_folder import PictureFolder
from capture.sources.rtsp import RtspCamera, without_password
from capture.sources.simulator_source import SimulatorSource
from capture.sources.source import Source
from capture.sources.usb_camera import UsbCamera
from capture.sources.video_file import VideoFile

SIMULATOR_PREFIX = "simulator:"

_NUMBER = re.compile(r"[0-9]{1,18}")


def open_source(
    text: str,
    *,
    frames_per_second: float = 10.0,
    simulated_deals: int = 1,
    camera: CameraMode | None = None,
) -> Source:
    """Open the source that ``text`` names.

    text: a device number or ``/dev/...`` path, an ``rtsp://`` or ``rtsps://`` address, a video file, a
        folder of pictures, or ``simulator:SEED``.
    frames_per_second: how fast the pictures of a folder, or of the simulator, follow one another.
    simulated_deals: how many deals the simulator plays.
    camera: how a USB camera is to take its pictures.

    Raises:
        SourceError: when it cannot be opened.
    """
    if _NUMBER.fullmatch(text):
        return UsbCamera(int(text), mode=camera)
    if text.startswith("/dev/"):
        return UsbCamera(text, mode=camera)
    if text.startswith(SIMULATOR_PREFIX):
        return _open_simulator(text, frames_per_second, simulated_deals)
    if text.startswith(("rtsp://", "rtsps://")):
        return RtspCamera(text)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text):
        raise SourceMissingError(
            f"Het adres {without_password(text)} is geen camera-adres. Gebruik rtsp:// of rtsps://.",
            "not a camera address. Use rtsp:// or rtsps://.",
        )
    path = Path(text)
    # Not path.is_dir(): that raises for a name that no disk can hold.
    return PictureFolder(path, frames_per_second) if os.path.isdir(path) else VideoFile(path)  # noqa: PTH112


def _open_simulator(text: str, frames_per_second: float, deals: int) -> SimulatorSource:
    seed = text.removeprefix(SIMULATOR_PREFIX)
    if not _NUMBER.fullmatch(seed):
        raise SourceMissingError(
            f"{text!r} noemt geen simulator. Schrijf simulator: en dan een getal, zoals simulator:7.",
            "names no simulator. Write simulator: and then a number, such as simulator:7.",
        )
    # Drawing needs time to load and only this source draws.
    from capture.simulator import Film

    film = Film(int(seed), deals=deals, frames_per_second=frames_per_second)
    return SimulatorSource(film, text)
