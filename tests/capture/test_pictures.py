"""Photos: upright, whole, or one line that says what is wrong."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from capture.errors import PictureError
from capture.pictures import read_picture

BLOCKS = np.kron(np.random.default_rng(0).integers(0, 256, (6, 10, 3)), np.ones((16, 16, 1))).astype(np.uint8)
"""(96, 160, 3) uint8: coloured blocks, so that turning and tearing show."""


def encoded(suffix: str, image: npt.NDArray[np.uint8] = BLOCKS) -> bytes:
    return cv2.imencode(suffix, image)[1].tobytes()


def with_exif_header(jpeg: bytes, orientation: int, thumbnail: bytes = b"") -> bytes:
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0) + thumbnail
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
def test_a_whole_photo_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"photo{suffix}"
    path.write_bytes(encoded(suffix))
    image = read_picture(path)
    assert image.shape == BLOCKS.shape
    assert image.dtype == np.uint8
    assert np.abs(image.astype(int) - BLOCKS).mean() < 20


@pytest.mark.parametrize(("orientation", "turns"), [(1, 0), (3, 2), (6, 3), (8, 1)])
def test_a_photo_is_turned_upright(tmp_path: Path, orientation: int, turns: int) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(with_exif_header(encoded(".jpg"), orientation))
    expected = np.rot90(read_plain(encoded(".jpg")), turns)
    assert np.array_equal(read_picture(path), expected)


def read_plain(data: bytes) -> npt.NDArray[np.uint8]:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_a_torn_photo_is_refused(tmp_path: Path, suffix: str, share: float) -> None:
    path = tmp_path / f"photo{suffix}"
    data = encoded(suffix)
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(PictureError, match=str(path)) as caught:
        read_picture(path)
    assert "\n" not in str(caught.value)


def test_the_end_mark_of_a_thumbnail_does_not_hide_that_a_photo_is_torn(tmp_path: Path) -> None:
    # A phone's thumbnail is a JPEG in the headers with an end mark of its own, which a plain search finds.
    data = with_exif_header(encoded(".jpg"), 1, thumbnail=encoded(".jpg", BLOCKS[::8, ::8]))
    whole, torn = tmp_path / "whole.jpg", tmp_path / "torn.jpg"
    whole.write_bytes(data)
    torn.write_bytes(data[: len(data) * 3 // 4])
    assert read_picture(whole).shape == BLOCKS.shape
    with pytest.raises(PictureError, match="afgebroken"):
        read_picture(torn)


def test_what_a_phone_writes_after_a_photo_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(encoded(".jpg") + b"a short film" * 50)
    assert read_picture(path).shape == BLOCKS.shape


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"\xff\xd8", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM" + bytes(60)]
)
def test_what_is_no_photo_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(PictureError):
        read_picture(path)


def test_a_missing_photo_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nee.jpg", tmp_path):
        with pytest.raises(PictureError, match=str(path)):
            read_picture(path)


def test_a_grey_photo_becomes_three_channels(tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(encoded(".png", np.ascontiguousarray(BLOCKS[:, :, 0])))
    assert read_picture(path).shape == BLOCKS.shape
