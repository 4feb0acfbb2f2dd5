"""A USB camera is set as the settings say, and what it does not do is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from capture.errors import SettingsError
from capture.settings import load_table_config
from capture.sources import SupervisedSource, UsbCamera
from capture.sources.camera_mode import CameraMode, set_mode

MODE = CameraMode(width=1920, height=1080, frames_per_second=30, pixels="MJPG", exposure=120.0, focus=30.0)


class Webcam:
    """A camera that keeps what it is asked for, but for what it is ``stubborn`` about."""

    def __init__(self, stubborn: dict[int, float] | None = None) -> None:
        self._stubborn = stubborn or {}
        self._values: dict[int, float] = {}
        self.asked: list[int] = []

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        self.asked.append(propId)
        self._values[propId] = value
        return True

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        return self._stubborn.get(propId, self._values.get(propId, -1.0))

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def read(self) -> tuple[bool, Any]:
        return True, np.zeros((90, 160, 3), dtype=np.uint8)

    def release(self) -> None:
        pass


def test_all_is_asked_for_in_the_order_that_cameras_need() -> None:
    webcam = Webcam()
    assert set_mode(webcam, MODE) == ()
    assert webcam.asked == [
        cv2.CAP_PROP_FOURCC,
        cv2.CAP_PROP_FRAME_WIDTH,
        cv2.CAP_PROP_FRAME_HEIGHT,
        cv2.CAP_PROP_FPS,
        cv2.CAP_PROP_AUTO_EXPOSURE,
        cv2.CAP_PROP_AUTOFOCUS,
        cv2.CAP_PROP_EXPOSURE,
        cv2.CAP_PROP_FOCUS,
    ]
    assert webcam.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0
    assert webcam.get(cv2.CAP_PROP_AUTOFOCUS) == 0.0


def test_nothing_is_touched_that_is_not_asked_for() -> None:
    webcam = Webcam()
    assert set_mode(webcam, CameraMode()) == ()
    assert webcam.asked == []


def test_a_camera_may_choose_for_itself() -> None:
    webcam = Webcam()
    assert set_mode(webcam, CameraMode(exposure="auto", focus="auto")) == ()
    assert webcam.asked == [cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS]
    assert webcam.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3.0
    assert webcam.get(cv2.CAP_PROP_AUTOFOCUS) == 1.0


def test_what_a_camera_does_not_take_over_is_told_once_each() -> None:
    yuyv = float(cv2.VideoWriter.fourcc("Y", "U", "Y", "V"))
    webcam = Webcam({cv2.CAP_PROP_FRAME_WIDTH: 1280.0, cv2.CAP_PROP_FOCUS: -1.0, cv2.CAP_PROP_FOURCC: yuyv})
    pixels, width, focus = set_mode(webcam, MODE)
    assert "pixels = MJPG" in pixels
    assert "YUYV" in pixels
    assert "width = 1920" in width
    assert "1280" in width
    assert "focus = 30" in focus


def test_a_value_that_is_only_rounded_is_no_refusal() -> None:
    assert set_mode(Webcam({cv2.CAP_PROP_FPS: 29.97, cv2.CAP_PROP_EXPOSURE: 121.0}), MODE) == ()


def test_focus_and_exposure_that_stay_automatic_are_told() -> None:
    webcam = Webcam({cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0})
    told = set_mode(webcam, MODE)
    assert ["exposure" in told[0], "focus" in told[1], len(told)] == [True, True, 2]


def test_the_remarks_of_a_camera_reach_who_looks_after_it() -> None:
    def webcam(_: int | str) -> Webcam:
        return Webcam({cv2.CAP_PROP_FRAME_WIDTH: 640.0})

    with SupervisedSource(UsbCamera(0, webcam, MODE), lambda: UsbCamera(0, webcam, MODE)) as camera:
        (remark,) = camera.remarks
    assert "width = 1920" in remark


def test_the_mode_stands_in_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "tafel.toml"
    file.write_text('source = "0"\n[camera]\nwidth = 1920\nheight = 1080\nexposure = 120\nfocus = "auto"\n')
    camera = load_table_config(file, {}).camera
    assert camera == CameraMode(width=1920, height=1080, exposure=120.0, focus="auto")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("widht = 1920", "Bedoelt u 'camera.width'"),
        ("width = 12", "'camera.width' klopt niet"),
        ('exposure = "veel"', "'camera.exposure' klopt niet"),
        ('pixels = "mp4"', "'camera.pixels' klopt niet"),
    ],
)
def test_a_wrong_mode_is_one_clear_line(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "tafel.toml"
    file.write_text(f'source = "0"\n[camera]\n{line}\n')
    with pytest.raises(SettingsError, match=told):
        load_table_config(file, {})
