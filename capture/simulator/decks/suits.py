"""The four suit signs as outlines: one unit high, about the origin, y down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from capture.simulator.decks.vector import Canvas, Colour, Outline, circle, mirrored, path, placed

_HEART: Final = mirrored(
    path("M 0,-0.27 C 0.05,-0.43 0.17,-0.5 0.28,-0.5 C 0.43,-0.5 0.5,-0.37 0.5,-0.22"
         " C 0.5,0.06 0.16,0.22 0,0.5")
)  # fmt: skip
_SPADE: Final = mirrored(
    path("M 0,-0.5 C 0.1,-0.24 0.47,-0.07 0.47,0.16 C 0.47,0.4 0.16,0.41 0.05,0.2"
         " C 0.06,0.36 0.12,0.46 0.22,0.5 L 0,0.5")
)  # fmt: skip
_DIAMOND: Final = mirrored(path("M 0,-0.5 C 0.1,-0.3 0.25,-0.12 0.39,0 C 0.25,0.12 0.1,0.3 0,0.5"))
_CLUB_STEM: Final = mirrored(path("M 0,-0.1 L 0.05,0.08 C 0.05,0.32 0.11,0.45 0.21,0.5 L 0,0.5"))

SUIT_OUTLINES: Final[Mapping[str, tuple[Outline, ...]]] = {
    "C": (circle(0, -0.27, 0.225), circle(-0.25, 0.09, 0.225), circle(0.25, 0.09, 0.225),
          circle(0, -0.02, 0.12), _CLUB_STEM),
    "D": (_DIAMOND,),
    "H": (_HEART,),
    "S": (_SPADE,),
}  # fmt: skip
"""The outlines that together fill each suit's sign."""


def draw_suit(
    canvas: Canvas, suit: str, x: float, y: float, size: float, colour: Colour, *, turned: bool = False
) -> None:
    """Draw the sign of ``suit`` (C D H S), ``size`` high, about (x, y); upside down when ``turned``."""
    for outline in canvas.signs.get(suit, SUIT_OUTLINES[suit]):
        canvas.fill(placed(outline, x, y, size, turned=turned), colour)
