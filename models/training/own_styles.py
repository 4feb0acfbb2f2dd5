"""The project's own pack as other printers might print it: papers, inks, letters, sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from capture.simulator.decks.indices import DUTCH, IndexStyle
from capture.simulator.decks.own_deck import OwnStyle
from capture.simulator.decks.vector import Colour

GERMAN: Final[Mapping[str, str]] = {"T": "10", "J": "B", "Q": "D", "K": "K"}
ENGLISH: Final[Mapping[str, str]] = {"T": "10"}


def _inks(red: Colour, black: Colour) -> Mapping[str, Colour]:
    return {"C": black, "D": red, "H": red, "S": black}


_FOUR_COLOURS: Final[Mapping[str, Colour]] = {
    "C": (20, 120, 60), "D": (30, 90, 190), "H": (206, 22, 34), "S": (26, 24, 30),
}  # fmt: skip

OWN_STYLES: Final[Mapping[str, OwnStyle]] = {
    "plain": OwnStyle(),
    "jumbo": OwnStyle(index=IndexStyle(DUTCH, height=42, widest=34, suit_height=30, inset=(24, 12))),
    "four-corners": OwnStyle(
        suit_colours=_inks((224, 40, 40), (16, 16, 20)), index=IndexStyle(DUTCH, four_corners=True)
    ),
    "cream-small": OwnStyle(
        paper=(244, 236, 214),
        suit_colours=_inks((180, 30, 30), (40, 34, 34)),
        index=IndexStyle(DUTCH, height=25, widest=22, suit_height=20, boldness=0.0, inset=(18, 12)),
    ),
    "english": OwnStyle(
        suit_colours=_inks((214, 14, 24), (10, 10, 14)), index=IndexStyle(ENGLISH, boldness=0.045)
    ),
    "german": OwnStyle(paper=(252, 252, 252), index=IndexStyle(GERMAN, boldness=0.015)),
    "four-colours": OwnStyle(suit_colours=_FOUR_COLOURS, index=IndexStyle(DUTCH)),
    "bold-english-four-corners": OwnStyle(
        index=IndexStyle(ENGLISH, height=34, boldness=0.06, four_corners=True)
    ),
}
