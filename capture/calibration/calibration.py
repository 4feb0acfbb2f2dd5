"""Where the table lies in the pictures of one camera: measured once, kept in a TOML file.

Table coordinates are millimetres on the table: the origin in its middle, x to the East, y to the South.
"""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from capture.errors import CalibrationError
from capture.settings import read_toml
from rules import CLOCKWISE, Seat
from tracker.table_view import TableView

Matrix = npt.NDArray[np.float64]

CALIBRATION_VERSION: Final = 1

CARD_WIDTH_MM: Final = 60.0
"""Between the two sizes in use, 57 and 63 mm: only how large things are in the picture follows from it."""

SEAT_PLACES: Final[dict[Seat, tuple[float, float]]] = {
    Seat.NORTH: (0.0, -1.0),
    Seat.EAST: (1.0, 0.0),
    Seat.SOUTH: (0.0, 1.0),
    Seat.WEST: (-1.0, 0.0),
}
"""Where each seat is, in halves of the table."""

_SHAPE_MARGIN: Final = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Where the table lies.

    picture_size: (width, height) in pixels of the pictures that it was measured in.
    to_table: (3, 3), from their pixels to millimetres on the table.
    half_size_mm: half of the table's length from West to East and from North to South.
    method: "sheet", "edge" or "picture": by what the table was found.
    reference: a small grey JPEG of what the camera saw, to notice later that it was moved.

    Raises:
        CalibrationError: when the matrix cannot be turned round, or a size is not positive.
    """

    picture_size: tuple[int, int]
    to_table: Matrix
    half_size_mm: tuple[float, float]
    method: str
    made_utc: datetime
    reference: bytes = b""

    def __post_init__(self) -> None:
        usable = self.to_table.shape == (3, 3) and bool(np.isfinite(self.to_table).all())
        if not usable or abs(float(np.linalg.det(self.to_table))) < 1e-12:
            raise _wrong("homography")
        if min(self.picture_size) < 16 or not all(0 < half < 10_000 for half in self.half_size_mm):
            raise _wrong("picture_size or table_mm")

    def from_table(self) -> Matrix:
        """(3, 3): from millimetres on the table to pixels."""
        return np.asarray(np.linalg.inv(self.to_table), np.float64)

    def pixels_of(self, points_mm: npt.ArrayLike) -> Matrix:
        """(N, 2) pixels of (N, 2) points on the table, in millimetres."""
        return mapped(self.from_table(), points_mm)

    def pixels_per_mm(self) -> float:
        """The mean scale of the picture in the middle of the table."""
        middle, east, south = self.pixels_of([(0, 0), (10, 0), (0, 10)])
        return (math.dist(middle, east) + math.dist(middle, south)) / 20

    @property
    def card_pixels(self) -> float:
        """How wide a card in the middle of the table is, in pixels."""
        return self.pixels_per_mm() * CARD_WIDTH_MM

    def to_view(self, width: int, height: int) -> Matrix:
        """(3, 3): from pixels of pictures of this size to those of one from straight above, North at the top.

        A card is as wide there as in the middle of the camera's own picture.

        Raises:
            CalibrationError: when pictures of this size have another shape than those that were measured.
        """
        measured_width, measured_height = self.picture_size
        if abs(width * measured_height - height * measured_width) > _SHAPE_MARGIN * width * measured_height:
            raise CalibrationError(
                f"Deze ijking is gemaakt met beelden van {measured_width}x{measured_height}, de camera geeft "
                f"{width}x{height}. Draai klaveroog calibrate opnieuw.",
                "the calibration was made with pictures of another shape. Run klaveroog calibrate again.",
            )
        shrink = measured_width / width
        scale = self.pixels_per_mm() / shrink
        to_measured = np.diag([shrink, shrink, 1.0])
        to_plane = np.array([[scale, 0.0, width / 2], [0.0, scale, height / 2], [0.0, 0.0, 1.0]])
        return np.asarray(to_plane @ self.to_table @ to_measured, np.float64)

    def view(self, width: int, height: int) -> TableView:
        """What the tracker must know of the pictures that :meth:`to_view` leads to.

        Raises:
            CalibrationError: as :meth:`to_view`.
        """
        self.to_view(width, height)
        return TableView(centre=(width / 2, height / 2), half_size=self.half_size_mm)

    def north_degrees(self) -> float:
        """How far clockwise North sits from the top of the picture, 0 to 360."""
        middle, north = self.pixels_of([(0, 0), (0, -100)])
        return math.degrees(math.atan2(north[0] - middle[0], middle[1] - north[1])) % 360

    def outline(self) -> npt.NDArray[np.int32]:
        """(4, 2) whole pixels: the table's corners, clockwise from North's left, cut off far outside."""
        half_x, half_y = self.half_size_mm
        corners = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
        limit = 4.0 * max(self.picture_size)
        return np.clip(self.pixels_of(corners), -limit, limit).astype(np.int32)

    def seat_pixels(self) -> dict[Seat, tuple[float, float]]:
        """For each seat the middle of its edge of the table, in pixels."""
        half_x, half_y = self.half_size_mm
        edges = [(SEAT_PLACES[seat][0] * half_x, SEAT_PLACES[seat][1] * half_y) for seat in CLOCKWISE]
        points = self.pixels_of(edges)
        return {seat: (float(x), float(y)) for seat, (x, y) in zip(CLOCKWISE, points, strict=True)}


def mapped(matrix: Matrix, points: npt.ArrayLike) -> Matrix:
    """(N, 2) ``points`` put through the (3, 3) homography ``matrix``."""
    given = np.asarray(points, np.float64).reshape(-1, 2)
    projected = np.column_stack([given, np.ones(len(given))]) @ matrix.T
    return np.asarray(projected[:, :2] / projected[:, 2:], np.float64)


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Write ``calibration`` as TOML.

    Raises:
        CalibrationError: when the file cannot be written.
    """
    rows = ",\n".join(f"    [{', '.join(f'{value:.12g}' for value in row)}]" for row in calibration.to_table)
    half_x, half_y = calibration.half_size_mm
    text = f"""\
# Waar de tafel ligt in de beelden van deze camera; gemaakt door klaveroog calibrate.
# Where the table lies in this camera's pictures; made by klaveroog calibrate.
version = {CALIBRATION_VERSION}
made_utc = {calibration.made_utc.astimezone(UTC).isoformat()}
method = "{calibration.method}"
picture_size = [{calibration.picture_size[0]}, {calibration.picture_size[1]}]
table_mm = [{2 * half_x:.1f}, {2 * half_y:.1f}]
homography = [
{rows},
]
reference = "{base64.b64encode(calibration.reference).decode()}"
"""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CalibrationError(
            f"{path} kan niet worden geschreven. Kies met -o een andere plek.",
            f"cannot write it ({error.strerror}). Choose another place with -o.",
        ) from error


def load_calibration(path: Path) -> Calibration:
    """Read what :func:`save_calibration` wrote.

    Raises:
        CalibrationError: when the file is not there, is no calibration, or makes no sense.
    """
    try:
        document = read_toml(path)
    except (OSError, ValueError) as error:
        raise CalibrationError(
            f"De ijking {path} kan niet worden gelezen. Maak haar met klaveroog calibrate -o {path}.",
            f"cannot read the calibration ({error}). Make it with klaveroog calibrate -o {path}.",
        ) from error
    if document.get("version") != CALIBRATION_VERSION:
        raise _wrong("version")
    try:
        return _calibration_of(document)
    except (KeyError, TypeError, ValueError) as error:
        raise _wrong(str(error)) from error


def _calibration_of(document: dict[str, Any]) -> Calibration:
    width, height = (int(value) for value in document["picture_size"])
    across, down = (float(value) for value in document["table_mm"])
    made_utc = document["made_utc"]
    if not isinstance(made_utc, datetime) or made_utc.tzinfo is None:
        raise ValueError("made_utc")
    return Calibration(
        picture_size=(width, height),
        to_table=np.array(document["homography"], np.float64),
        half_size_mm=(across / 2, down / 2),
        method=str(document["method"]),
        made_utc=made_utc,
        reference=base64.b64decode(document.get("reference", ""), validate=True),
    )


def _wrong(what: str) -> CalibrationError:
    return CalibrationError(
        f"De ijking klopt niet ({what}). Maak haar opnieuw met klaveroog calibrate.",
        "the calibration makes no sense. Make it again with klaveroog calibrate.",
    )
