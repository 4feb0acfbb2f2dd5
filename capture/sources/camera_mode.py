"""How a USB camera is to take its pictures: size, pace, exposure and focus.

A camera left to itself lets exposure and focus follow every hand over the table. Set once, a card looks the
same all evening. A camera that can't do what it is asked silently does something else, so all is read back.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, Protocol

import cv2
from pydantic import BaseModel, ConfigDict, Field

AUTOMATIC: Final = "auto"

_EXPOSED_BY_HAND: Final = 1.0
_EXPOSED_BY_ITSELF: Final = 3.0
"""V4L2's values of its control of the exposure, which OpenCV hands on: manual, and aperture priority."""

_NEAR: Final = 0.02
"""How far a value may lie from the one asked for, as a share of it: cameras round."""

_ByHandOrItself = Annotated[float, Field(ge=0, le=1e6)] | Literal["auto"] | None


class Adjustable(Protocol):
    """What is needed of OpenCV's ``VideoCapture``."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Ask for a value; whether the device says that it took it."""
        ...

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """The value now; 0 or -1 where the device has no such thing."""
        ...


class CameraMode(BaseModel):
    """What a USB camera is asked for; None leaves it as the camera has it.

    width, height: of its pictures, in pixels. frames_per_second: how many it gives.
    pixels: the four letters of how they come over the cable. MJPG lets most cameras give their full size
        quickly, where YUYV does not fit on USB 2.
    exposure, focus: in the camera's own unit (the exposure of most V4L2 cameras in 0.1 ms), or ``auto``.

    Raises:
        pydantic.ValidationError: when there is no such setting, or a value is out of range.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: int | None = Field(default=None, ge=160, le=16384)
    height: int | None = Field(default=None, ge=120, le=16384)
    frames_per_second: float | None = Field(default=None, gt=0, le=240)
    pixels: str | None = Field(default=None, pattern=r"^[A-Z0-9]{4}$")
    exposure: _ByHandOrItself = None
    focus: _ByHandOrItself = None

    def asked_for(self) -> list[tuple[str, int, float]]:
        """Each thing to ask for: its name, OpenCV's property, the value; in the order cameras need.

        How pictures come over the cable decides which sizes there are, and those which paces. Whether
        the camera sets something itself goes before the value set by hand.
        """
        wanted: list[tuple[str, int, float | None]] = [
            ("pixels", cv2.CAP_PROP_FOURCC, None if self.pixels is None else _four_letters(self.pixels)),
            ("width", cv2.CAP_PROP_FRAME_WIDTH, self.width),
            ("height", cv2.CAP_PROP_FRAME_HEIGHT, self.height),
            ("frames_per_second", cv2.CAP_PROP_FPS, self.frames_per_second),
        ]
        if self.exposure is not None:
            by_itself = self.exposure == AUTOMATIC
            chosen = _EXPOSED_BY_ITSELF if by_itself else _EXPOSED_BY_HAND
            wanted.append(("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, chosen))
        if self.focus is not None:
            wanted.append(("focus", cv2.CAP_PROP_AUTOFOCUS, float(self.focus == AUTOMATIC)))
        if isinstance(self.exposure, float):
            wanted.append(("exposure", cv2.CAP_PROP_EXPOSURE, self.exposure))
        if isinstance(self.focus, float):
            wanted.append(("focus", cv2.CAP_PROP_FOCUS, self.focus))
        return [(name, which, float(value)) for name, which, value in wanted if value is not None]


def set_mode(device: Adjustable, mode: CameraMode) -> tuple[str, ...]:
    """Ask ``device`` for all of ``mode``; one sentence, Dutch and English, for each thing it does not do."""
    for _, which, value in mode.asked_for():
        device.set(which, value)
    # Read back when all is set: the pace may have fallen with the size.
    refused: dict[str, float] = {}
    for name, which, value in mode.asked_for():
        now = float(device.get(which))
        if abs(now - value) > _NEAR * abs(value):
            refused.setdefault(name, now)
    return tuple(_refusal(name, getattr(mode, name), now) for name, now in refused.items())


def _refusal(name: str, wanted: object, now: float) -> str:
    is_letters = name == "pixels"
    given = _letters(int(now)) if is_letters else f"{now:g}"
    return (
        f"De camera neemt de instelling {name} = {wanted} niet over; het blijft {given}. Kies in [camera] "
        f"wat hij wel kan. / the camera does not take this setting and stays at {given}."
    )


def _four_letters(letters: str) -> float:
    return float(cv2.VideoWriter.fourcc(letters[0], letters[1], letters[2], letters[3]))


def _letters(number: int) -> str:
    codes = [(number >> 8 * place) & 0xFF for place in range(4)]
    return "".join(chr(code) for code in codes if chr(code).isalnum()) or str(number)
