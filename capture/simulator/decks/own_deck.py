"""The project's own pack, drawn by code: Dutch indices, pips, courts, twos to sixes and a joker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np

from capture.simulator.decks.backs import BackColour, OwnBack, draw_back
from capture.simulator.decks.courts import draw_court, draw_joker
from capture.simulator.decks.deck import Deck
from capture.simulator.decks.indices import DUTCH, IndexStyle, draw_indices, draw_text
from capture.simulator.decks.suits import draw_suit
from capture.simulator.decks.vector import CARD_HEIGHT, CARD_WIDTH, Canvas, Colour, Outline, circle
from detector.types import CARD_CODES, Image

_RED: Final[Colour] = (206, 22, 34)
_BLACK: Final[Colour] = (26, 24, 30)
_MIDDLE: Final = 120.0
FOREIGN_CODES: Final = tuple(suit + rank for suit in "CDHS" for rank in "23456")


@dataclass(frozen=True)
class PipStyle:
    """Where the pips stand and how large they are, in units of a card of 240 x 370.

    height: of a pip. beside: how far left and right of the middle the outer columns stand.
    top: where the middle of the first row lies; the last lies as far from the bottom. ace: the height of an
    ace's sign. title_ace: the ace of spades is the pack's title card, with a clover cut out.
    """

    height: float = 46.0
    beside: float = 42.0
    top: float = 62.0
    ace: float = 88.0
    title_ace: bool = True


@dataclass(frozen=True)
class OwnStyle:
    """How the own pack is printed: its paper, the four suits' colours, its indices and pips.

    signs: by suit, the outlines of its sign, where they aren't the project's own.
    """

    paper: Colour = (250, 249, 244)
    suit_colours: Mapping[str, Colour] = field(
        default_factory=lambda: MappingProxyType({"C": _BLACK, "D": _RED, "H": _RED, "S": _BLACK})
    )
    index: IndexStyle = field(default_factory=lambda: IndexStyle(MappingProxyType(dict(DUTCH))))
    pips: PipStyle = PipStyle()
    signs: Mapping[str, tuple[Outline, ...]] | None = None


def own_deck(
    back: OwnBack = OwnBack.MIRROR_PRINTED, width: int = 240, colour: BackColour = BackColour.BLUE
) -> Deck:
    """The project's own pack, ``width`` pixels a card, with one of its own backs.

    The pictures are drawn once and shared between calls; they are read-only.
    """
    faces, foreign = _printed_faces(width)
    return Deck(
        name=f"own, {back.value} {colour.value}",
        faces=faces,
        foreign=foreign,
        back=draw_back(back, colour, width),
        back_is_point_symmetric=back is OwnBack.MIRROR_PRINTED,
    )


@lru_cache(maxsize=4)
def _printed_faces(width: int) -> tuple[Mapping[str, Image], tuple[Image, ...]]:
    faces, foreign = draw_own_faces(OwnStyle(), width)
    for image in (*faces.values(), *foreign):
        image.flags.writeable = False
    return MappingProxyType(faces), foreign


def draw_own_faces(style: OwnStyle, width: int = 240) -> tuple[dict[str, Image], tuple[Image, ...]]:
    """Draw the 32 faces by code, and the twos to sixes and the joker, all (H, W, 4) uint8 BGRA."""
    faces = {code: draw_face(code, style, width) for code in CARD_CODES}
    foreign = tuple(draw_face(code, style, width) for code in FOREIGN_CODES)
    return faces, (*foreign, _joker(style, width))


def draw_face(code: str, style: OwnStyle, width: int = 240) -> Image:
    """Draw one card, such as ``HT`` or ``C2``: (H, W, 4) uint8 BGRA."""
    canvas = Canvas(width, style.paper, style.signs)
    suit, rank = code[0], code[1]
    colour = style.suit_colours[suit]
    if rank in "JQK":
        draw_court(canvas, code, colour, style.paper)
    elif rank == "A":
        _draw_ace(canvas, suit, colour, style)
    else:
        for x, y in pip_places(rank, style.pips):
            draw_suit(canvas, suit, x, y, style.pips.height, colour, turned=y > CARD_HEIGHT / 2)
    draw_indices(canvas, code, style.index, colour)
    return canvas.finished()


def pip_places(rank: str, pips: PipStyle = PipStyle()) -> list[tuple[float, float]]:
    """Where the pips of a two to a ten stand, (x, y) in a card of 240 x 370, as every French-suited pack has
    them.
    """
    number = 10 if rank == "T" else int(rank)
    middle = CARD_HEIGHT / 2
    top, bottom = pips.top, CARD_HEIGHT - pips.top
    in_column = {4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4}.get(number, 0)
    rows = [float(row) for row in np.linspace(top, bottom, in_column)] if in_column else []
    places = [(x, y) for x in (_MIDDLE - pips.beside, _MIDDLE + pips.beside) for y in rows]
    step = (bottom - top) / max(1, in_column - 1)
    upper, lower = (_MIDDLE, top + step / 2), (_MIDDLE, bottom - step / 2)
    in_middle = {
        2: [(_MIDDLE, top), (_MIDDLE, bottom)],
        3: [(_MIDDLE, top), (_MIDDLE, middle), (_MIDDLE, bottom)],
        5: [(_MIDDLE, middle)],
        7: [upper],
        8: [upper, lower],
        9: [(_MIDDLE, middle)],
        10: [upper, lower],
    }
    return places + in_middle.get(number, [])


def _draw_ace(canvas: Canvas, suit: str, colour: Colour, style: OwnStyle) -> None:
    """One large sign; the ace of spades, as the pack's title card, larger and with a clover cut out."""
    middle, paper = CARD_HEIGHT / 2, style.paper
    if suit != "S" or not style.pips.title_ace:
        draw_suit(canvas, suit, _MIDDLE, middle, style.pips.ace, colour)
        return
    draw_suit(canvas, "S", _MIDDLE, middle - 6, 158, colour)
    draw_suit(canvas, "S", _MIDDLE, middle - 9, 128, paper)
    draw_suit(canvas, "S", _MIDDLE, middle - 10, 116, colour)
    draw_suit(canvas, "C", _MIDDLE, middle + 4, 44, paper)
    canvas.fill(circle(_MIDDLE, middle + 3, 5.5), colour)
    draw_text(canvas, "KLAVEROOG", (70, 276, 170, 288), colour)


def _joker(style: OwnStyle, width: int) -> Image:
    """The joker: its name down two corners, the jester in the frame."""
    canvas = Canvas(width, style.paper)
    draw_joker(canvas, style.paper)
    for place, letter in enumerate("JOKER"):
        top = 14.0 + 22.0 * place
        draw_text(canvas, letter, (12, top, 30, top + 18), _BLACK, boldness=0.02)
        turned = (CARD_WIDTH - 30.0, CARD_HEIGHT - top - 18, CARD_WIDTH - 12.0, CARD_HEIGHT - top)
        draw_text(canvas, letter, turned, _BLACK, boldness=0.02, turned=True)
    return canvas.finished()
