"""The letters and numbers in a card's corners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from capture.simulator.decks.suits import draw_suit
from capture.simulator.decks.vector import CARD_HEIGHT, CARD_WIDTH, Canvas, Colour

DUTCH: Final[Mapping[str, str]] = {"T": "10", "J": "B", "Q": "V", "K": "H"}
"""Boer, vrouw, heer: how a Dutch pack writes what its index doesn't share with the code."""

_GLYPH_PIXELS: Final = 160


@dataclass(frozen=True)
class IndexStyle:
    """How the corners of a pack look; lengths in units of a card 240 wide.

    letters: rank code to what is printed, where that differs.
    height: of a letter; widest: what ``10`` is squeezed into.
    suit_height: of the sign under the letter; inset: from the edges to the index's middle and top.
    boldness: stroke added round each letter, as a share of its height.
    four_corners: whether all four corners have an index, not two.
    suit_beside: the sign stands right of the letter instead of under it.
    font: a TrueType file, or None for the font that comes with Pillow.
    """

    letters: Mapping[str, str]
    height: float = 31.0
    widest: float = 27.0
    suit_height: float = 25.0
    inset: tuple[float, float] = (21.0, 13.0)
    boldness: float = 0.03
    four_corners: bool = False
    suit_beside: bool = False
    font: str | None = None


@lru_cache(maxsize=512)
def glyph_mask(text: str, font: str | None = None, boldness: float = 0.0) -> PillowImage.Image:
    """``text`` as a mask (mode L) cut to its own edges, about 115 pixels high.

    Raises:
        OSError: when ``font`` is no font file.
    """
    face: ImageFont.FreeTypeFont | ImageFont.ImageFont
    face = ImageFont.truetype(font, _GLYPH_PIXELS) if font else ImageFont.load_default(_GLYPH_PIXELS)
    sheet = PillowImage.new("L", (_GLYPH_PIXELS * (len(text) + 2), _GLYPH_PIXELS * 2), 0)
    stroke = round(boldness * _GLYPH_PIXELS)
    ImageDraw.Draw(sheet).text(
        (_GLYPH_PIXELS // 2, _GLYPH_PIXELS // 3), text, fill=255, font=face, stroke_width=stroke
    )
    return sheet.crop(sheet.getbbox())


def draw_text(
    canvas: Canvas,
    text: str,
    box: tuple[float, float, float, float],
    colour: Colour,
    font: str | None = None,
    boldness: float = 0.0,
    *,
    turned: bool = False,
) -> None:
    """Draw ``text`` as large as fits in ``box`` (left, top, right, bottom), in its middle, never stretched
    wide.
    """
    mask = glyph_mask(text, font, boldness)
    left, top, right, bottom = box
    height = bottom - top
    width = min(right - left, height * mask.width / mask.height)
    middle = (left + right) / 2
    if turned:
        mask = mask.transpose(PillowImage.Transpose.ROTATE_180)
    canvas.glyphs(mask, (middle - width / 2, top, middle + width / 2, bottom), colour)


def draw_indices(canvas: Canvas, code: str, style: IndexStyle, colour: Colour) -> None:
    """Draw the index of the card ``code`` (such as ``HT``) in its corners."""
    rights = (False, True) if style.four_corners else (False,)
    for right in rights:
        _draw_index(canvas, code, style, colour, right=right, turned=False)
        _draw_index(canvas, code, style, colour, right=right, turned=True)


def _draw_index(
    canvas: Canvas, code: str, style: IndexStyle, colour: Colour, *, right: bool, turned: bool
) -> None:
    """Draw one index: top left, or top right, or (turned) in the corner that lies opposite."""
    suit, rank = code[0], code[1:]
    x, top = style.inset
    across = style.widest / 2 + style.suit_height / 2 + 2
    sign_x, sign_y = x, top + style.height + 6 + style.suit_height / 2
    if style.suit_beside:
        sign_x, sign_y = x + across, top + style.height / 2
    if right:
        x, sign_x = CARD_WIDTH - x, CARD_WIDTH - sign_x
    box = (x - style.widest / 2, top, x + style.widest / 2, top + style.height)
    if turned:
        box = (CARD_WIDTH - box[2], CARD_HEIGHT - box[3], CARD_WIDTH - box[0], CARD_HEIGHT - box[1])
        sign_x, sign_y = CARD_WIDTH - sign_x, CARD_HEIGHT - sign_y
    text = style.letters.get(rank, "10" if rank == "T" else rank)
    draw_text(canvas, text, box, colour, style.font, style.boldness, turned=turned)
    draw_suit(canvas, suit, sign_x, sign_y, style.suit_height, colour, turned=turned)
