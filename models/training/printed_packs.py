"""Packs as other printers might print them: each with suit signs, letters, sizes, inks and paper of its own.

A club's pack has signs and letters that no art at hand has, and a namer that saw few spades takes a strange
one for a club. So packs are drawn here whose signs come from every installed font that has them (or are
the own ones, stretched), with pips and corners of many sizes. Some fonts are kept for packs never trained on.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from capture.simulator.decks import Deck, OwnBack
from capture.simulator.decks.backs import BackColour, draw_back
from capture.simulator.decks.indices import DUTCH, IndexStyle
from capture.simulator.decks.own_deck import OwnStyle, PipStyle, draw_own_faces
from capture.simulator.decks.suits import SUIT_OUTLINES
from capture.simulator.decks.vector import Colour, Outline
from models.training.own_styles import ENGLISH, GERMAN

FONT_FOLDERS: Final = (Path("/usr/share/fonts"),)
_SUIT_SIGNS: Final[Mapping[str, str]] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_LETTERS: Final = "10789AKQJBVHD"
_GLYPH_PIXELS: Final = 200
_UNSEEN_FONTS: Final = ("LinLibertine", "LinBiolinum", "P052", "STIX", "Vollkorn", "Comfortaa")
"""Fonts with one of these in the name of their file are never trained on."""

Signs = Mapping[str, tuple[Outline, ...]]
Mask = npt.NDArray[np.uint8]
"""(H, W) uint8, 0 to 255."""


def printed_packs(count: int, seed: int, *, unseen: bool = False) -> Iterator[Deck]:
    """``count`` packs, always the same for one seed and the same fonts.

    unseen: take only fonts that are never trained on, else only others. Nothing is made where no font has the
    signs.
    """
    fonts = [file for file in _font_files() if any(name in file.name for name in _UNSEEN_FONTS) == unseen]
    with_signs = distinct_signs(fonts)
    with_letters = [file for file in fonts if has_letters(file)]
    if not with_signs or not with_letters:
        return
    rng = np.random.default_rng(seed)
    for number in range(count):
        style = random_style(rng, with_signs, with_letters, own_signs=not unseen)
        faces, foreign = draw_own_faces(style)
        back = list(OwnBack)[number % len(OwnBack)]
        colour = list(BackColour)[number // len(OwnBack) % len(BackColour)]
        kind = "unseen" if unseen else "train"
        name = f"printed-{kind}-{number:03d}"
        yield Deck(name, faces, foreign, draw_back(back, colour), back is OwnBack.MIRROR_PRINTED)


def random_style(
    rng: np.random.Generator,
    signs: Sequence[Signs],
    letters: Sequence[Path],
    *,
    own_signs: bool = True,
) -> OwnStyle:
    """One printer's choices."""
    chosen = SUIT_OUTLINES if own_signs and rng.random() < 0.15 else signs[int(rng.integers(len(signs)))]
    return OwnStyle(
        paper=_paper(rng),
        suit_colours=_inks(rng),
        index=_index(rng, letters),
        pips=PipStyle(
            height=float(rng.uniform(34, 56)),
            beside=float(rng.uniform(36, 56)),
            top=float(rng.uniform(44, 72)),
            ace=float(rng.uniform(44, 130)),
            title_ace=bool(rng.random() < 0.3),
        ),
        signs=_stretched(rng, chosen),
    )


def _paper(rng: np.random.Generator) -> Colour:
    bright = int(rng.integers(236, 256))
    return bright, bright - int(rng.integers(0, 6)), bright - int(rng.integers(0, 26))


def _inks(rng: np.random.Generator) -> Mapping[str, Colour]:
    """Mostly a red and a black; at times four colours."""
    black = tuple(int(value) for value in rng.integers(8, 52) + rng.integers(0, 14, 3))
    red = (int(rng.integers(160, 236)), int(rng.integers(8, 60)), int(rng.integers(14, 62)))
    ink: Colour = (black[0], black[1], black[2])
    if rng.random() < 0.08:
        green: Colour = (int(rng.integers(10, 50)), int(rng.integers(100, 150)), int(rng.integers(40, 90)))
        blue: Colour = (int(rng.integers(10, 60)), int(rng.integers(60, 120)), int(rng.integers(150, 220)))
        return {"C": green, "D": blue, "H": red, "S": ink}
    return {"C": ink, "D": red, "H": red, "S": ink}


def _index(rng: np.random.Generator, letters: Sequence[Path]) -> IndexStyle:
    alphabet = (DUTCH, DUTCH, GERMAN, ENGLISH)[int(rng.integers(4))]
    size = float(np.exp(rng.uniform(np.log(0.75), np.log(1.6))))
    four_corners = bool(rng.random() < 0.2)
    return IndexStyle(
        letters=alphabet,
        height=31 * size,
        widest=min(26 * size * float(rng.uniform(0.8, 1.1)), 40.0),
        suit_height=25 * size * float(rng.uniform(0.8, 1.15)),
        inset=(14 + 7 * size, float(rng.uniform(9, 15))),
        boldness=float(rng.choice([0.0, 0.015, 0.03, 0.05])),
        four_corners=four_corners,
        font=str(letters[int(rng.integers(len(letters)))]),
    )


def _stretched(rng: np.random.Generator, signs: Signs) -> Signs:
    """The signs wider or narrower, more so above or below or in the middle: all four alike."""
    wide, slope, middle = rng.uniform(0.85, 1.12), rng.uniform(-0.25, 0.25), rng.uniform(-0.5, 0.3)
    waist = float(rng.uniform(-0.06, 0.06))

    def stretch(outline: Outline) -> Outline:
        x, y = outline[:, 0], outline[:, 1]
        return np.stack([x * (wide + slope * y + middle * y**2), y + waist * (1 - 4 * y**2)], axis=1)

    return {suit: tuple(stretch(outline) for outline in outlines) for suit, outlines in signs.items()}


def _font_files() -> list[Path]:
    """Every font that is installed, by name."""
    files = [file for folder in FONT_FOLDERS for kind in ("ttf", "otf") for file in folder.rglob(f"*.{kind}")]
    return sorted(files, key=lambda file: file.name)


def has_letters(font: Path) -> bool:
    """Whether a font has what the corners of a card need, each with a shape of its own."""
    masks = [_glyph(font, letter) for letter in _LETTERS]
    shapes = {mask.tobytes() for mask in masks if mask is not None}
    return all(mask is not None for mask in masks) and len(shapes) == len(set(_LETTERS))


def distinct_signs(fonts: Sequence[Path]) -> list[Signs]:
    """The suit signs of these fonts, each shape once."""
    seen: set[bytes] = set()
    found = []
    for font in fonts:
        signs = _signs_of(font)
        if signs is None:
            continue
        spade = _glyph(font, _SUIT_SIGNS["S"])
        small = cv2.resize(np.asarray(spade), (16, 16), interpolation=cv2.INTER_AREA) > 127
        if small.tobytes() not in seen:
            seen.add(small.tobytes())
            found.append(signs)
    return found


def _signs_of(font: Path) -> Signs | None:
    """The four signs as outlines one unit high about the origin; nothing where one is missing or hollow."""
    signs = {}
    masks = {suit: _glyph(font, sign) for suit, sign in _SUIT_SIGNS.items()}
    if len({mask.tobytes() for mask in masks.values() if mask is not None}) < len(_SUIT_SIGNS):
        return None
    for suit, mask in masks.items():
        if mask is None or not _looks_like(suit, mask):
            return None
        contours, _ = cv2.findContours(
            (mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        height, width = mask.shape
        middle = np.array([width / 2, height / 2])
        signs[suit] = tuple(
            (contour[:, 0].astype(np.float64) - middle) / height for contour in contours if len(contour) > 12
        )
        if not signs[suit]:
            return None
    return signs


def _looks_like(suit: str, mask: Mask) -> bool:
    """Whether a sign is filled, and no other's: there are fonts that have clubs and spades changed over."""
    filled = np.mean(mask[:, mask.shape[1] // 2] > 127) > 0.6
    near_top = float(np.mean(mask[round(0.12 * mask.shape[0])] > 127))
    least, most = {"C": (0.36, 0.6), "D": (0.1, 0.3), "H": (0.7, 0.95), "S": (0.05, 0.3)}[suit]
    return bool(filled) and least <= near_top <= most


@functools.lru_cache(maxsize=4096)
def _glyph(font: Path, text: str) -> Mask | None:
    """The mask of a glyph, cut to its edges; nothing where the font hasn't got it."""
    try:
        face = ImageFont.truetype(str(font), _GLYPH_PIXELS)
    except OSError:
        return None
    missing, found = (_drawn(face, character) for character in ("\U0010fffe", text))
    absent = missing is not None and found is not None and np.array_equal(missing, found)
    return None if absent else found


def _drawn(face: ImageFont.FreeTypeFont, text: str) -> Mask | None:
    sheet = PillowImage.new("L", (3 * _GLYPH_PIXELS, 2 * _GLYPH_PIXELS), 0)
    try:
        ImageDraw.Draw(sheet).text((_GLYPH_PIXELS // 2, _GLYPH_PIXELS // 3), text, fill=255, font=face)
    except OSError:  # a font that FreeType can't draw at this size
        return None
    box = sheet.getbbox()
    if box is None or box[2] - box[0] < 8 or box[3] - box[1] < 8:
        return None
    return np.asarray(sheet.crop(box), dtype=np.uint8)
