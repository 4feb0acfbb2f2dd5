"""Packs that nobody has: the art of one changed as other clubs' packs differ from it.

What tells a card is the letter and suit in its corner and the pips; the inks, the slant of the index and the
picture of a court differ from pack to pack. Cards changed so teach the namer which of these to go by. Nothing
is ever mirrored.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from capture.simulator.decks import Deck
from detector.types import CARD_CODES, Image

COURTS: Final = "JQK"

_INKS: Final = {
    "S": ((20, 20, 20), (120, 40, 30), (170, 90, 80), (90, 90, 90), (60, 110, 30), (110, 40, 90)),
    "C": ((20, 20, 20), (60, 120, 20), (90, 150, 70), (110, 60, 20), (40, 60, 90), (170, 60, 130)),
    "H": ((40, 30, 200), (70, 80, 230), (130, 90, 220), (40, 20, 140), (60, 110, 240)),
    "D": ((40, 30, 200), (50, 120, 240), (200, 110, 30), (40, 150, 220), (150, 90, 200), (160, 160, 40)),
}
"""BGR inks that printers use for a suit; the shape tells it, not the ink."""

_OTHER_INK_SHARE: Final = 0.3
_SLANTED_SHARE: Final = 0.25

_INDEX_COLUMNS: Final = (0.015, 0.2)
_INDEX_ROWS: Final = (0.02, 0.29)
"""Where the index is, as parts of a card's width and height."""


def printed_otherwise(rng: np.random.Generator, art: Image, code: str) -> Image:
    """The card ``code``, (H, W, 4) uint8 BGRA, now and then with other inks or its index aslant."""
    if rng.random() < _SLANTED_SHARE:
        art = _with_slanted_index(rng, art)
    if rng.random() < _OTHER_INK_SHARE:
        art = _with_other_ink(rng, art, code)
    return art


def with_strange_court(rng: np.random.Generator, art: Image, donor: Deck) -> Image:
    """The corners of one court card around the picture of another, or around no court at all: what a court
    looks like differs from club to club, only its index tells which it is.
    """
    height, width = art.shape[:2]
    rows = slice(round(0.07 * height), round(0.93 * height))
    columns = slice(round(0.26 * width), round(0.74 * width))
    size = (columns.stop - columns.start, rows.stop - rows.start)
    made = art.copy()
    made[rows, columns, :3] = cv2.resize(_picture(rng, donor), size, interpolation=cv2.INTER_AREA)[..., :3]
    return made


def _picture(rng: np.random.Generator, donor: Deck) -> Image:
    """A piece of a court of ``donor``, or of its back; at times in other colours."""
    if rng.random() < 0.85:
        courts = [code for code in CARD_CODES if code[1] in COURTS]
        whole = donor.faces[courts[int(rng.integers(len(courts)))]]
    else:
        whole = donor.back
    height, width = whole.shape[:2]
    across, down = (0.48, 0.86) if rng.random() < 0.6 else (rng.uniform(0.3, 0.56), rng.uniform(0.45, 0.86))
    left, top = (1 - across) / 2 * width, (1 - down) * rng.uniform(0, 1) * height
    piece = whole[int(top) : int(top + down * height), int(left) : int(left + across * width)]
    if rng.random() < 0.3:
        piece = np.dstack([piece[..., rng.permutation(3)], piece[..., 3]])
    return np.ascontiguousarray(piece)


def _with_slanted_index(rng: np.random.Generator, art: Image) -> Image:
    """Both indices turned a little about their middles, as some packs print them."""
    height, width = art.shape[:2]
    left, right = (round(part * width) for part in _INDEX_COLUMNS)
    top, bottom = (round(part * height) for part in _INDEX_ROWS)
    middle = ((right - left) / 2, (bottom - top) / 2)
    turn = cv2.getRotationMatrix2D(middle, float(rng.uniform(-32, 32)), float(rng.uniform(0.75, 1.0)))
    made = art.copy()
    for _ in range(2):
        index = np.ascontiguousarray(made[top:bottom, left:right, :3])
        paper = tuple(float(value) for value in np.median(index.reshape(-1, 3), axis=0))
        made[top:bottom, left:right, :3] = cv2.warpAffine(
            index, turn, (right - left, bottom - top), flags=cv2.INTER_LINEAR, borderValue=paper
        )
        made = np.ascontiguousarray(made[::-1, ::-1])
    return made


def _with_other_ink(rng: np.random.Generator, art: Image, code: str) -> Image:
    """The pips and letters in another ink of this suit; of a court card only its indices."""
    inks = _INKS[code[0]]
    ink = np.clip(np.array(inks[int(rng.integers(len(inks)))]) + rng.normal(0, 15, 3), 0, 255)
    colour = art[..., :3]
    paper = cv2.reduce(cv2.reduce(colour, 0, cv2.REDUCE_MAX), 1, cv2.REDUCE_MAX).astype(np.float32).reshape(3)
    ink = ink + (paper - ink) * rng.uniform(0, 0.45)
    height, width = colour.shape[:2]
    parts = [(slice(None), slice(None))]
    if code[1] in COURTS:
        rows, columns = round(_INDEX_ROWS[1] * height), round(_INDEX_COLUMNS[1] * width)
        parts = [(slice(rows), slice(columns)), (slice(height - rows, None), slice(width - columns, None))]
    made = art.copy()
    for rows_, columns_ in parts:
        piece = colour[rows_, columns_].astype(np.float32)
        covering = np.clip(((paper - piece) / np.maximum(paper, 1)).max(axis=2) * 1.1, 0, 1)[..., None]
        made[rows_, columns_, :3] = np.clip(paper + covering * (ink - paper), 0, 255).astype(np.uint8)
    return made
