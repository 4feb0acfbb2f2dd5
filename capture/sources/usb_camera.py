"""A camera on a USB port."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol, TypeGuard

import cv2
import numpy as np
import numpy.typing as npt

from capture.errors import SourceError, SourceMissingError, SourceSilentError
from capture.frame import Frame
from capture.sources.camera_mode import Adjustable, CameraMode, set_mode
from capture.sources.frame_queue import FrameQueue
from capture.sources.source import Source

FRAME_TIMEOUT_S: Final = 3.0
"""How long a camera may be silent."""

FAILED_READ_PAUSE_S: Final = 0.05
"""How long to wait after a read that gave nothing before trying again."""

JOIN_TIMEOUT_S: Final = 1.0
"""How long closing waits for the reading thread."""


class Device(Adjustable, Protocol):
    """What is needed of OpenCV's ``VideoCapture``."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether the device is there and gives pictures."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Wait for the next picture: (True, (H, W, 3) uint8 BGR), or (False, anything)."""
        ...

    def release(self) -> None:
        """Let go of the device."""
        ...


class UsbCamera(Source):
    """The newest picture of a USB camera; older ones that were not read in time are dropped and counted.

    device: its number (0 is the first camera), or its path such as ``/dev/v4l/by-id/...``, which stays the
        same whatever else is plugged in.
    open_device: opens it; OpenCV unless told otherwise.
    mode: how it is to take its pictures; what it does not take over is told by ``remarks``.

    Raises:
        SourceMissingError: when there is no such camera, or another program uses it.
    """

    is_live = True

    def __init__(
        self,
        device: int | str,
        open_device: Callable[[int | str], Device] | None = None,
        mode: CameraMode | None = None,
    ) -> None:
        self._name = f"camera {device}"
        self._device = (open_device or open_with_opencv)(device)
        if not self._device.isOpened():
            self._device.release()
            raise SourceMissingError(
                f"Er is geen camera {device}, of een ander programma gebruikt hem. Controleer de stekker.",
                "there is no such camera, or another program uses it. Check the plug.",
            )
        self._remarks = set_mode(self._device, mode or CameraMode())
        self._queue: FrameQueue[Frame] = FrameQueue(capacity=1)
        self._garbled = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._take_in, name=self._name, daemon=True)
        self._thread.start()

    def describe(self) -> str:
        """The camera's number or path."""
        return self._name

    @property
    def remarks(self) -> tuple[str, ...]:
        """What it was asked for and does not do, one sentence each."""
        return self._remarks

    @property
    def frames_dropped(self) -> int:
        """How many pictures gave way to newer ones."""
        return self._queue.dropped

    @property
    def frames_garbled(self) -> int:
        """How many of its pictures were no pictures."""
        return self._garbled

    def read(self) -> Frame | None:
        """Wait for the newest picture not read before.

        Raises:
            SourceLostError: when the camera was unplugged or has been silent for three seconds.
        """
        try:
            return self._queue.get(FRAME_TIMEOUT_S)
        except TimeoutError as error:
            raise self._lost() from error

    def close(self) -> None:
        """Let go of the camera; a read that hangs in the driver is left behind."""
        self._stop.set()
        self._queue.end()
        self._thread.join(JOIN_TIMEOUT_S)
        if not self._thread.is_alive():
            self._device.release()

    def _take_in(self) -> None:
        error: SourceError | None = None
        try:
            self._take_in_until_lost()
        except SourceError as lost:
            error = lost
        finally:
            self._queue.end(error)

    def _take_in_until_lost(self) -> None:
        sequence = 0
        last_s = time.monotonic()
        while not self._stop.is_set():
            given, image = self._device.read()
            now_s = time.monotonic()
            is_picture = given and is_colour_picture(image)
            self._garbled += bool(given) and not is_picture
            if is_picture:
                self._queue.put(Frame(image, now_s, datetime.now(UTC), sequence))
                sequence += 1
                last_s = now_s
            elif now_s - last_s > FRAME_TIMEOUT_S / 2:
                raise self._lost()
            else:
                self._stop.wait(FAILED_READ_PAUSE_S)

    def _lost(self) -> SourceSilentError:
        return SourceSilentError(
            f"De {self._name} geeft geen beeld meer. Controleer de stekker en start opnieuw.",
            "the camera gives no more pictures. Check the plug and start again.",
        )


def is_colour_picture(image: object) -> TypeGuard[npt.NDArray[np.uint8]]:
    """Whether what a device gave is a picture, (H, W, 3) uint8: a broken cable gives anything."""
    return (
        isinstance(image, np.ndarray) and image.dtype == np.uint8 and image.ndim == 3 and image.shape[2] == 3
    )


def open_with_opencv(device: int | str) -> Device:
    """OpenCV's capture for a device number or path; a device that is not there is not opened and not tried.

    Raises:
        SourceMissingError: when there is no such device, or it is no camera.
    """
    number = device if isinstance(device, int) else device_number(Path(device))
    # OpenCV would try every way it knows, and tell of each failure on the error output.
    if number is None or not Path(f"/dev/video{number}").exists():
        raise SourceMissingError(
            f"Er is geen camera {device}. Controleer de stekker, en de namen in /dev/v4l/by-id.",
            "there is no such camera. Check the plug, and the names in /dev/v4l/by-id.",
        )
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(number, cv2.CAP_V4L2)
    finally:
        cv2.utils.logging.setLogLevel(level)


def device_number(path: Path) -> int | None:
    """The number of the camera at ``path``, where its links lead to; None when that is no camera's name."""
    match = re.fullmatch(r"/dev/video([0-9]+)", str(path.resolve()))
    return int(match.group(1)) if match else None
