"""Whether a camera hangs well: focus, light, glare, how large a card is, whether the whole table is seen.

Each judgement is one sentence that says what to change, or that nothing need be.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.calibration.calibration import CARD_WIDTH_MM, SEAT_PLACES, Calibration
from capture.calibration.find_table import FoundTable

Pixels = npt.NDArray[np.uint8]

SMALLEST_CARD: Final = 60.0
"""Pixels: how wide a card must be at least, at the far side of the table as well."""

WIDEST_EDGE: Final = 0.055
"""Of a card's width: over so much a sharp edge may be smeared."""

DARKEST_TABLE: Final = 28.0
DARKEST_PAPER: Final = 110.0
MOST_UNEVEN: Final = 3.0
MOST_WHITE: Final = 0.03
"""Of the table: more than this burnt out is too much light, not a reflection."""

MOST_GLARE: Final = 0.001
_BURNT_OUT: Final = 250
_CLEAR_STEP: Final = 60
_FEWEST_EDGES: Final = 150
_TILES: Final = 4


class Matter(Enum):
    """What is judged."""

    TABLE = "table"
    SIZE = "size"
    FOCUS = "focus"
    LIGHT = "light"
    GLARE = "glare"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One sentence about a matter, Dutch and English, and whether all is well with it."""

    matter: Matter
    is_well: bool
    dutch: str
    english: str

    @property
    def sentence(self) -> str:
        """Both languages on one line."""
        return f"{self.dutch} / {self.english}"


def judge(image: Pixels, found: FoundTable) -> tuple[Judgement, ...]:
    """One judgement on each matter for a picture, (H, W, 3) uint8, in the order in which to mend them."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    table, paper = _masks(grey, found)
    calibration = found.calibration
    return (
        _on_table(calibration),
        _on_size(calibration),
        _on_focus(grey, table | paper, calibration.card_pixels),
        _on_light(image, grey, table, paper),
        _on_glare(image, table, calibration),
    )


def _masks(grey: Pixels, found: FoundTable) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """(H, W) each: where the bare table is seen, and where the sheet."""
    table, paper = np.zeros_like(grey), np.zeros_like(grey)
    cv2.fillConvexPoly(table, found.calibration.outline(), (1,))
    if found.sheet is not None:
        cv2.fillConvexPoly(paper, found.sheet.astype(np.int32), (1,))
    around = cv2.dilate(paper, np.ones((9, 9), np.uint8))
    return (table > 0) & (around == 0), paper > 0


def _on_table(calibration: Calibration) -> Judgement:
    outside = [seat for seat, point in calibration.seat_pixels().items() if not _is_in(point, calibration)]
    if outside:
        dutch = " en ".join(seat.dutch for seat in outside)
        english = " and ".join(seat.english for seat in outside)
        return Judgement(
            Matter.TABLE,
            False,
            f"De tafel staat bij {dutch} niet in beeld. Schuif de camera die kant op, of hang hem hoger.",
            f"the table is out of the picture at {english}; move the camera there, or hang it higher",
        )
    if calibration.method == "picture":
        return Judgement(
            Matter.TABLE,
            False,
            "De tafel is niet gevonden. Leg het ijkblad in het midden, met de pijl naar Noord.",
            "the table was not found; lay the calibration sheet in the middle, its arrow to North",
        )
    by = ("het ijkblad", "the sheet") if calibration.method == "sheet" else ("de rand", "its edge")
    return Judgement(
        Matter.TABLE, True, f"De tafel is gevonden aan {by[0]}.", f"the table was found by {by[1]}"
    )


def _on_size(calibration: Calibration) -> Judgement:
    width = _smallest_card(calibration)
    if width < SMALLEST_CARD:
        return Judgement(
            Matter.SIZE,
            False,
            f"Een kaart is maar {width:.0f} beeldpunten breed; {SMALLEST_CARD:.0f} zijn nodig. "
            "Hang de camera lager, zoom in of kies een grotere beeldmaat.",
            f"a card is only {width:.0f} pixels wide and must be {SMALLEST_CARD:.0f}; hang the camera lower, "
            "zoom in or choose larger pictures",
        )
    return Judgement(
        Matter.SIZE,
        True,
        f"Een kaart is {width:.0f} beeldpunten breed: genoeg.",
        f"a card is {width:.0f} pixels wide: enough",
    )


def _on_focus(grey: Pixels, where: npt.NDArray[np.bool_], card_pixels: float) -> Judgement:
    width = edge_width(grey, where)
    if width is None:
        return Judgement(
            Matter.FOCUS,
            False,
            "De scherpte is niet te zien op een lege tafel. Leg het ijkblad of een paar kaarten neer.",
            "focus can't be seen on an empty table; lay down the calibration sheet or some cards",
        )
    if width > max(2.6, WIDEST_EDGE * card_pixels):
        return Judgement(
            Matter.FOCUS,
            False,
            "Het beeld is onscherp. Draai aan de scherpstelring of maak de lens schoon.",
            "the picture is out of focus; turn the focus ring or clean the lens",
        )
    return Judgement(Matter.FOCUS, True, "Het beeld is scherp.", "the picture is sharp")


def edge_width(grey: Pixels, where: npt.NDArray[np.bool_]) -> float | None:
    """Over how many pixels the sharpest clear edges go from dark to light; None where there are too few."""
    around = np.ones((13, 13), np.uint8)
    step = cv2.subtract(cv2.dilate(grey, around), cv2.erode(grey, around))
    soft = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    slope = np.hypot(np.gradient(soft, axis=0), np.gradient(soft, axis=1))
    # Only the steepest place of each edge tells how wide it is.
    steepest = slope >= cv2.dilate(slope, np.ones((5, 5), np.uint8)) - 1e-3
    clear = steepest & (step > _CLEAR_STEP) & where & (slope > 2.0)
    if np.count_nonzero(clear) < _FEWEST_EDGES:
        return None
    return float(np.quantile(np.asarray(step[clear], np.float64) / slope[clear], 0.25))


def _on_light(
    image: Pixels, grey: Pixels, table: npt.NDArray[np.bool_], paper: npt.NDArray[np.bool_]
) -> Judgement:
    on_table = grey[table] if table.any() else grey.ravel()
    level = float(np.median(on_table))
    is_dark = level < DARKEST_TABLE
    if paper.any():
        is_dark = float(np.quantile(grey[paper], 0.9)) < DARKEST_PAPER
    if is_dark:
        return Judgement(
            Matter.LIGHT,
            False,
            "Het is te donker. Doe meer licht aan, of stel de camera langer belicht in.",
            "it is too dark; turn on more light, or give the camera a longer exposure",
        )
    burnt = float((image[table].min(axis=1) >= _BURNT_OUT).mean()) if table.any() else 0.0
    if burnt > MOST_WHITE:
        return Judgement(
            Matter.LIGHT,
            False,
            "Het is te licht: wit loopt uit. Stel de camera korter belicht in.",
            "it is too bright: white burns out; give the camera a shorter exposure",
        )
    if _unevenness(grey, table) > MOST_UNEVEN:
        return Judgement(
            Matter.LIGHT,
            False,
            "Het licht komt van één kant. Zet er een lamp bij, of doe de gordijnen dicht.",
            "the light comes from one side; add a lamp, or draw the curtains",
        )
    return Judgement(Matter.LIGHT, True, "Het licht is goed.", "the light is good")


def _unevenness(grey: Pixels, table: npt.NDArray[np.bool_]) -> float:
    """How many times as bright the brightest part of the table is as the darkest."""
    left, top, width, height = cv2.boundingRect(table.astype(np.uint8))
    if min(width, height) < _TILES:
        return 1.0
    levels = []
    for down in np.array_split(np.arange(top, top + height), _TILES):
        for across in np.array_split(np.arange(left, left + width), _TILES):
            tile = (slice(down[0], down[-1] + 1), slice(across[0], across[-1] + 1))
            if np.count_nonzero(table[tile]) > 0.5 * table[tile].size:
                levels.append(float(np.median(grey[tile][table[tile]])))
    return max(levels) / max(1.0, min(levels)) if levels else 1.0


def _on_glare(image: Pixels, table: npt.NDArray[np.bool_], calibration: Calibration) -> Judgement:
    burnt = (image.min(axis=2) >= _BURNT_OUT) & table
    share = int(np.count_nonzero(burnt)) / max(1, int(np.count_nonzero(table)))
    if share <= MOST_GLARE:
        return Judgement(Matter.GLARE, True, "Er schittert niets.", "nothing glares")
    rows, columns = np.nonzero(burnt)
    place = np.array([columns.mean(), rows.mean()])
    seats = calibration.seat_pixels()
    nearest = min(seats, key=lambda seat: float(np.hypot(*(place - np.array(seats[seat])))))
    return Judgement(
        Matter.GLARE,
        False,
        f"Er schittert licht op tafel, aan de kant van {nearest.dutch}. "
        "Verzet de lamp of scherm het raam af.",
        f"light glares on the table at {nearest.english}'s side; move the lamp or screen the window",
    )


def _smallest_card(calibration: Calibration) -> float:
    """How wide a card is, in pixels, where it is seen smallest: halfway to any of the seats."""
    half_x, half_y = calibration.half_size_mm
    widths = []
    for across, down in SEAT_PLACES.values():
        x, y = across * half_x / 2, down * half_y / 2
        one, right, below = calibration.pixels_of([(x, y), (x + CARD_WIDTH_MM, y), (x, y + CARD_WIDTH_MM)])
        widths.append(float(min(np.hypot(*(right - one)), np.hypot(*(below - one)))))
    return min(widths)


def _is_in(point: tuple[float, float], calibration: Calibration) -> bool:
    width, height = calibration.picture_size
    return -1.0 <= point[0] <= width and -1.0 <= point[1] <= height
