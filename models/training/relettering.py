"""Replaces the indices in a pack's corners by others: Dutch, German or English letters, other fonts, other
sizes.

A camera reads a card mostly by its corners. There is little art with Dutch letters, so new corners on the
art that there is are the strongest variety that can be added. French letters are never put on: a French V is
a valet, a Dutch V a vrouw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from PIL import ImageDraw

from capture.simulator.decks.indices import DUTCH, IndexStyle, glyph_mask
from capture.simulator.decks.suits import SUIT_OUTLINES
from capture.simulator.decks.vector import placed
from detector.types import Image
from models.training.own_styles import ENGLISH, GERMAN

Mask = npt.NDArray[np.float32]
"""(H, W) float32, 0 to 1."""

_FONT_FOLDERS: Final = (
    Path("/usr/share/fonts/truetype/dejavu"),
    Path("/usr/share/fonts/truetype/liberation"),
)
_PAPER_DIFFERENCE: Final = 42
"""How many levels of 0 to 255 a pixel must differ from the paper in some channel to count as printed."""

_OVERSAMPLING: Final = 4
_SUIT_LETTERS: Final[Mapping[str, str]] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


@dataclass(frozen=True)
class Lettering:
    """New corners: their name in the library, their style, and a font to take the suit signs from (None:
    drawn).
    """

    name: str
    style: IndexStyle
    suit_font: str | None = None


@dataclass(frozen=True)
class _Layout:
    """Where a pack has its indices: their box in pixels, the paper's colour (B, G, R), and whether in four
    corners.
    """

    box: tuple[int, int, int, int]
    paper: npt.NDArray[np.float64]
    four_corners: bool


def font_file(name: str) -> str | None:
    """The path of a font by its file name, or None (Pillow's own font) where it isn't installed."""
    return next((str(folder / name) for folder in _FONT_FOLDERS if (folder / name).is_file()), None)


def train_letterings() -> list[Lettering]:
    """The corners to train with."""
    sans, serif, mono = (
        font_file(f"DejaVu{kind}.ttf") for kind in ("Sans-Bold", "Serif-Bold", "SansMono-Bold")
    )
    times, arial = font_file("LiberationSerif-Bold.ttf"), font_file("LiberationSans-Bold.ttf")
    condensed, light = font_file("DejaVuSansCondensed.ttf"), font_file("LiberationSerif-Regular.ttf")
    return [
        Lettering("dutch-plain", IndexStyle(DUTCH)),
        Lettering("dutch-serif", IndexStyle(DUTCH, font=times, height=33, boldness=0.0), sans),
        Lettering("dutch-sans", IndexStyle(DUTCH, font=arial, height=30, boldness=0.0)),
        Lettering("dutch-slab", IndexStyle(DUTCH, font=serif, height=28, widest=25, boldness=0.0), sans),
        Lettering("dutch-light", IndexStyle(DUTCH, font=light, height=32, boldness=0.005, suit_height=22)),
        Lettering("dutch-condensed",
                  IndexStyle(DUTCH, font=condensed, height=34, widest=22, inset=(17, 12)), sans),
        Lettering("dutch-small", IndexStyle(DUTCH, height=24, widest=20, suit_height=19, inset=(16, 11))),
        Lettering("dutch-jumbo",
                  IndexStyle(DUTCH, font=arial, height=48, widest=38, suit_height=33, inset=(26, 12))),
        Lettering("dutch-four", IndexStyle(DUTCH, font=arial, height=28, boldness=0.0, four_corners=True)),
        Lettering("dutch-mono", IndexStyle(DUTCH, font=mono, height=31, boldness=0.0, suit_height=23)),
        Lettering("german-serif", IndexStyle(GERMAN, font=times, height=31, boldness=0.0), sans),
        Lettering("german-four", IndexStyle(GERMAN, font=serif, height=27, widest=24, four_corners=True)),
        Lettering("german-plain", IndexStyle(GERMAN, height=29, boldness=0.01)),
        Lettering("english-bold", IndexStyle(ENGLISH, font=arial, height=33, boldness=0.02), sans),
        Lettering("english-serif", IndexStyle(ENGLISH, font=times, height=34, boldness=0.0)),
        Lettering("english-jumbo", IndexStyle(ENGLISH, height=46, widest=36, suit_height=32, inset=(25, 12))),
        Lettering("english-four",
                  IndexStyle(ENGLISH, font=light, height=30, boldness=0.01, four_corners=True)),
    ]  # fmt: skip


def unseen_letterings() -> list[Lettering]:
    """The corners to measure with: fonts that no pack to train with has."""
    narrow = font_file("LiberationSansNarrow-Bold.ttf")
    oblique = font_file("DejaVuSerifCondensed-BoldItalic.ttf")
    return [
        Lettering("dutch-unseen", IndexStyle(DUTCH, font=narrow, height=33, boldness=0.0)),
        Lettering("dutch-unseen-oblique", IndexStyle(DUTCH, font=oblique, height=30, boldness=0.0)),
    ]


def relettered(pictures: Mapping[str, Image], lettering: Lettering) -> dict[str, Image]:
    """``pictures`` (all of one size, (H, W, 4) uint8 BGRA, by code) with new corners; joker and back stay.

    Raises:
        ValueError: when no index is found in the corners of the twos and threes, or of the aces.
    """
    layout = _layout_of(pictures)
    inks = {suit: _ink_of(pictures, suit, layout) for suit in "CDHS"}
    result = dict(pictures)
    for code, image in pictures.items():
        if code[0] in inks and len(code) == 2:
            result[code] = _relettered_card(image, code, lettering, layout, inks[code[0]])
    return result


def pips_kept(before: Mapping[str, Image], after: Mapping[str, Image]) -> float:
    """How much of the print between the corners is left on the worst of the number cards, 0 to 1 or a little
    more.
    """
    return min(
        _printed_between_corners(after[suit + rank]) / max(1, _printed_between_corners(before[suit + rank]))
        for suit in "CDHS"
        for rank in "789T"
    )


def _printed_between_corners(image: Image) -> int:
    """How many pixels of a card's middle columns, where the pips are, are darker than or another colour than
    paper.
    """
    width = image.shape[1]
    middle = image[:, round(width * 0.25) : round(width * 0.75), :3]
    return int(_printed(middle, np.median(middle.reshape(-1, 3), axis=0)).sum())


def _relettered_card(
    image: Image, code: str, lettering: Lettering, layout: _Layout, ink: npt.NDArray[np.float64]
) -> Image:
    colour = np.ascontiguousarray(image[:, :, :3])
    for view in _corner_views(colour, four=layout.four_corners):
        _erase_index(view, layout)
    rank_and_sign = _index_mask(code, lettering, image.shape[1])
    placed_mask = np.zeros(image.shape[:2], dtype=np.float32)
    for right in (False, True) if lettering.style.four_corners else (False,):
        placed_mask = np.maximum(
            placed_mask, _in_corner(rank_and_sign, lettering.style, image.shape, right=right)
        )
    both = np.maximum(placed_mask, placed_mask[::-1, ::-1])[:, :, None]
    # Paper round the new index, where it lies over a frame or a figure.
    reach = max(3, round(image.shape[1] * 0.022)) | 1
    halo = cv2.GaussianBlur(cv2.dilate(both, np.ones((reach, reach))), (0, 0), 0.7)[:, :, None]
    mixed = colour * (1 - halo) + layout.paper * halo
    mixed = mixed * (1 - both) + ink * both
    return np.concatenate([np.rint(mixed).astype(np.uint8), image[:, :, 3:]], axis=2)


def _corner_views(colour: Image, *, four: bool) -> Iterator[Image]:
    """Views into ``colour`` in which a corner that has an index lies top left."""
    yield colour
    yield colour[::-1, ::-1]
    if four:
        yield colour[:, ::-1]
        yield colour[::-1]


def _printed(colour: npt.NDArray[np.uint8], paper: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """1 where ``colour`` (H, W, 3) is not paper."""
    return np.asarray(np.abs(colour - paper).max(axis=2) > _PAPER_DIFFERENCE, dtype=np.uint8)


def _parts_in_corner(
    colour: npt.NDArray[np.uint8], paper: npt.NDArray[np.float64], right: float, bottom: float
) -> list[npt.NDArray[np.bool_]]:
    """The printed parts whose middle lies left of ``right`` and above ``bottom`` (pixels) and that stay in
    the corner.
    """
    height, width = colour.shape[:2]
    window = colour[: round(height * 0.45), : round(width * 0.45)]
    count, labels, boxes, centres = cv2.connectedComponentsWithStats(_printed(window, paper), connectivity=8)
    parts = []
    for label in range(1, count):
        x, y, across, down, _ = boxes[label]
        stays = x + across < width * 0.34 and y + down < height * 0.40 and across < width * 0.25
        at_edge = (x <= 1 or y <= 1) and min(across, down) <= 3  # what is left of an outline
        if stays and not at_edge and centres[label][0] < right and centres[label][1] < bottom:
            parts.append(labels == label)
    return parts


def _layout_of(pictures: Mapping[str, Image]) -> _Layout:
    """Measure a pack on its twos and threes, which have nothing beside their indices, or on its aces."""
    codes = [suit + rank for suit in "CDHS" for rank in "23" if suit + rank in pictures]
    cards = [pictures[code][:, :, :3] for code in codes or [suit + "A" for suit in "CDHS"]]
    height, width = cards[0].shape[:2]
    margins = [card[round(height * 0.4) : round(height * 0.6), 4 : round(width * 0.1)] for card in cards]
    paper = np.median(np.concatenate([margin.reshape(-1, 3) for margin in margins]), axis=0)
    boxes = [box for card in cards if (box := _box_in_corner(card, paper))]
    if len(boxes) < len(cards) / 2:
        raise ValueError("no index found in the corners of the twos and threes")
    edges = np.array(boxes)
    box = (*np.median(edges[:, :2], axis=0).astype(int), *np.percentile(edges[:, 2:], 80, axis=0).astype(int))
    others = [_box_in_corner(card[:, ::-1], paper) for card in cards]
    four = sum(other is not None for other in others) > len(cards) / 2
    return _Layout((int(box[0]), int(box[1]), int(box[2]), int(box[3])), paper, four)


def _box_in_corner(
    colour: npt.NDArray[np.uint8], paper: npt.NDArray[np.float64]
) -> tuple[int, int, int, int] | None:
    """The box (left, top, right, bottom, pixels) round what is printed in the top left corner."""
    height, width = colour.shape[:2]
    parts = _parts_in_corner(colour, paper, width * 0.25, height * 0.34)
    parts = [part for part in parts if int(part.sum()) > 0.0004 * height * width]
    if not parts:
        return None
    down, across = np.nonzero(np.logical_or.reduce(parts))
    return int(across.min()), int(down.min()), int(across.max()) + 1, int(down.max()) + 1


def _erase_index(view: Image, layout: _Layout) -> None:
    """Paint over the index in the top left corner of ``view``, in place."""
    left, top, right, bottom = layout.box
    slack = 0.3 * (right - left)
    mask = np.zeros(view.shape[:2], dtype=np.uint8)
    for part in _parts_in_corner(view, layout.paper, right + slack, bottom + slack / 2):
        mask[: part.shape[0], : part.shape[1]][part] = 1
    left_over = _printed(view[top:bottom, left:right], layout.paper) & (1 - mask[top:bottom, left:right])
    if float(left_over.mean()) > 0.12:
        mask[max(0, top - 2) : bottom + 2, max(0, left - 2) : right + 2] = 1
    grown = cv2.dilate(mask, np.ones((5, 5), dtype=np.uint8))
    view[grown > 0] = np.rint(layout.paper).astype(np.uint8)


def _ink_of(pictures: Mapping[str, Image], suit: str, layout: _Layout) -> npt.NDArray[np.float64]:
    """The colour (B, G, R) of a suit's indices."""
    left, top, right, bottom = layout.box
    cards = [pictures[suit + rank][:, :, :3] for rank in "789"]
    pixels = np.concatenate([card[top:bottom, left:right].reshape(-1, 3) for card in cards]).astype(
        np.float64
    )
    distance = np.abs(pixels - layout.paper).max(axis=1)
    darkest = pixels[distance >= np.percentile(distance, 88)]
    return np.asarray(np.median(darkest, axis=0), dtype=np.float64)


def _index_mask(code: str, lettering: Lettering, width: int) -> Mask:
    """Letter and sign of ``code``, one under the other, middled, for a card ``width`` pixels wide."""
    style = lettering.style
    scale = width / 240 * _OVERSAMPLING
    across = max(style.widest, style.suit_height) + 2
    size = (round(across * scale), round((style.height + 6 + style.suit_height) * scale))
    sheet = PillowImage.new("L", size, 0)
    rank = code[1]
    glyph = glyph_mask(style.letters.get(rank, "10" if rank == "T" else rank), style.font, style.boldness)
    glyph_width = min(style.widest, style.height * glyph.width / glyph.height)
    fitted = glyph.resize((round(glyph_width * scale), round(style.height * scale)))
    sheet.paste(fitted, (round((across - glyph_width) / 2 * scale), 0))
    _paste_sign(sheet, code[0], lettering, scale)
    mask = np.asarray(sheet, dtype=np.float32) / 255
    small = (round(size[0] / _OVERSAMPLING), round(size[1] / _OVERSAMPLING))
    return np.asarray(cv2.resize(mask, small, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _paste_sign(sheet: PillowImage.Image, suit: str, lettering: Lettering, scale: float) -> None:
    """Draw the suit's sign at the bottom of an index."""
    style = lettering.style
    middle, height = sheet.width / 2, style.suit_height * scale
    top = (style.height + 6) * scale
    if lettering.suit_font is None:
        for outline in SUIT_OUTLINES[suit]:
            points = placed(outline, middle, top + height / 2, height)
            ImageDraw.Draw(sheet).polygon([(float(x), float(y)) for x, y in points], fill=255)
        return
    glyph = glyph_mask(_SUIT_LETTERS[suit], lettering.suit_font)
    fitted = glyph.resize((round(height * glyph.width / glyph.height), round(height)))
    sheet.paste(fitted, (round(middle - fitted.width / 2), round(top)))


def _in_corner(index: Mask, style: IndexStyle, shape: tuple[int, ...], *, right: bool) -> Mask:
    """An index on an empty card of ``shape``, top left or top right."""
    height, width = shape[:2]
    scale = width / 240
    middle = style.inset[0] * scale
    left = round((width - middle if right else middle) - index.shape[1] / 2)
    left = min(max(1, left), width - 1 - index.shape[1])
    top = round(style.inset[1] * scale)
    mask = np.zeros((height, width), dtype=np.float32)
    mask[top : top + index.shape[0], left : left + index.shape[1]] = index
    return mask
