"""The sheet of paper that tells a camera where the table lies: four ArUco markers and an arrow to North.

It is A4, lying on its side, in the middle of the table; its millimetres are those of the table.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from capture.errors import CalibrationError

SHEET_MM: Final = (297.0, 210.0)
MARKER_MM: Final = 70.0
MARGIN_MM: Final = 12.0
DOTS_PER_MM: Final = 12
"""About 300 dots an inch."""

FEWEST_MARKERS: Final = 2

_DICTIONARY: Final = cv2.aruco.DICT_4X4_50
_SUFFIXES: Final = (".pdf", ".png")
_TEXT: Final = (
    "Klaveroog: ijkblad / calibration sheet",
    "Druk af op ware grootte (100 %). Leg het midden op tafel,",
    "de pijl naar Noord. Leg verder niets op tafel.",
    "Print at actual size (100 %). Lay it in the middle of the table,",
    "the arrow to North, and nothing else on the table.",
)


@dataclass(frozen=True, slots=True, eq=False)
class SeenSheet:
    """The markers found in a picture: (4 N, 2) corners in pixels, and where they are on the sheet in mm."""

    pixels: npt.NDArray[np.float64]
    millimetres: npt.NDArray[np.float64]


def find_sheet(image: npt.NDArray[np.uint8]) -> SeenSheet | None:
    """The markers of the sheet in a picture, (H, W, 3); None when too few are seen."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_DICTIONARY), parameters)
    found, numbers, _ = finder.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    places = _marker_places()
    seen = [
        (np.asarray(corners, np.float64).reshape(4, 2), places[int(number)])
        for corners, number in zip(found, [] if numbers is None else numbers.ravel(), strict=True)
        if int(number) in places
    ]
    if len(seen) < FEWEST_MARKERS:
        return None
    return SeenSheet(np.vstack([pixels for pixels, _ in seen]), np.vstack([place for _, place in seen]))


def sheet_picture() -> npt.NDArray[np.uint8]:
    """(2520, 3564) uint8 grey: the sheet as it is printed, at :data:`DOTS_PER_MM`."""
    width, height = (round(side * DOTS_PER_MM) for side in SHEET_MM)
    paper = np.full((height, width), 255, np.uint8)
    side = round(MARKER_MM * DOTS_PER_MM)
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    for number, corners in _marker_places().items():
        left, top = (round((corners[0][axis] + SHEET_MM[axis] / 2) * DOTS_PER_MM) for axis in (0, 1))
        paper[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(dictionary, number, side)
    picture = Image.fromarray(paper)
    _write_on(ImageDraw.Draw(picture), width, height)
    return np.asarray(picture, np.uint8)


def write_sheet(path: Path) -> None:
    """Write the sheet as PDF or PNG, whichever the name says, with its true size in it.

    Raises:
        CalibrationError: when the name ends otherwise, or the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise CalibrationError(
            f"{path} moet op .pdf of .png eindigen. Kies een andere naam.",
            "must end in .pdf or .png. Choose another name.",
        )
    data = io.BytesIO()
    dots_per_inch = DOTS_PER_MM * 25.4
    picture = Image.fromarray(sheet_picture())
    if suffix == ".pdf":
        picture.save(data, "PDF", resolution=dots_per_inch)
    else:
        picture.save(data, "PNG", dpi=(dots_per_inch, dots_per_inch))
    try:
        path.write_bytes(data.getvalue())
    except OSError as error:
        raise CalibrationError(
            f"{path} kan niet worden geschreven. Kies met -o een andere plek.",
            f"cannot write it ({error.strerror}). Choose another place with -o.",
        ) from error


def _marker_places() -> dict[int, npt.NDArray[np.float64]]:
    """For each marker its corners, (4, 2) mm from the middle of the sheet, clockwise from its top left."""
    right, bottom = SHEET_MM[0] / 2 - MARGIN_MM - MARKER_MM, SHEET_MM[1] / 2 - MARGIN_MM - MARKER_MM
    left, top = -right - MARKER_MM, -bottom - MARKER_MM
    own = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MARKER_MM
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return {number: own + np.array(corner) for number, corner in enumerate(corners)}


def _write_on(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """The arrow to North, and what to do with the sheet."""
    middle, unit = width // 2, DOTS_PER_MM
    top = round(MARGIN_MM * unit)
    draw.polygon(
        [(middle, top), (middle + 14 * unit, top + 24 * unit), (middle - 14 * unit, top + 24 * unit)], 0
    )
    draw.rectangle((middle - 5 * unit, top + 24 * unit, middle + 5 * unit, top + 42 * unit), 0)
    large, small = ImageFont.load_default(9 * unit), ImageFont.load_default(4 * unit)
    draw.text((middle, top + 50 * unit), "NOORD / NORTH", 0, large, anchor="mm")
    for line, text in enumerate(_TEXT):
        draw.text((middle, height // 2 - 18 * unit + 7 * unit * (line + 1)), text, 0, small, anchor="mm")
