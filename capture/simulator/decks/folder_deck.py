"""A pack of cards from a folder of pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import UnidentifiedImageError

from capture.simulator.decks.deck import Deck, DeckError, is_point_symmetric, resized, rounded_corners
from detector.types import CARD_CODES, Image

PICTURE_SUFFIXES: Final = frozenset({".png", ".gif", ".jpg", ".jpeg", ".webp", ".bmp"})
BACK: Final = "back"
JOKER: Final = "joker"

_SUIT_WORDS: Final = {
    "clubs": "C", "club": "C", "klaveren": "C", "klaver": "C", "c": "C",
    "diamonds": "D", "diamond": "D", "ruiten": "D", "ruit": "D", "d": "D",
    "hearts": "H", "heart": "H", "harten": "H", "hart": "H", "h": "H",
    "spades": "S", "spade": "S", "schoppen": "S", "schop": "S", "s": "S",
}  # fmt: skip
_RANK_WORDS: Final = {
    **{str(number): str(number) for number in range(2, 10)}, "10": "T", "t": "T", "tien": "T", "ten": "T",
    "jack": "J", "boer": "J", "j": "J", "b": "J", "11": "J",
    "queen": "Q", "vrouw": "Q", "q": "Q", "v": "Q", "12": "Q",
    "king": "K", "heer": "K", "k": "K", "13": "K", "ace": "A", "aas": "A", "a": "A", "1": "A",
}  # fmt: skip
_DUTCH_SUITS: Final = {"K": "C", "R": "D"}
_SHORT_RANKS: Final = {"10": "T", "1": "A", "B": "J", "V": "Q", "H": "K"}
_SUIT_FIRST: Final = re.compile(r"([CDHSKR])(10|[2-9TJQKABVH])")
_RANK_FIRST: Final = re.compile(r"(10|[1-9TJQKABV])([CDHS])")
_NUMBERED: Final = re.compile(r"(0?[1-9]|1[0-3])([cdhs])")
_WORDS: Final = re.compile(r"[a-z]+|[0-9]+")


def load_deck_folder(path: str | Path, width: int = 240) -> Deck:
    """Read a pack from a folder with one picture a card, and scale it to ``width`` pixels.

    Files are named as PySolFC does (``01c.gif`` is the ace of clubs, 11 to 13 the courts, ``back01.gif``),
    by code (``HT.png``, ``KB.png``, or ``10H.png``) or in words (``10_of_hearts.jpg``, ``harten_boer.png``).
    A folder without a back gets a plain blue one.

    Raises:
        DeckError: when the folder isn't there, a card is missing or a picture can't be read.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise DeckError(f"no such folder of card pictures: {str(folder)!r}")
    files = cards_in_folder(folder)
    missing = [code for code in CARD_CODES if code not in files]
    if missing:
        raise DeckError(
            f"folder {str(folder)!r} has no picture of {', '.join(missing)}; "
            "add them as PNG, GIF or JPEG, named such as HT.png or 10_of_hearts.png"
        )
    read = {code: read_picture(file) for code, file in files.items()}
    return deck_from_pictures(folder.name, read, width)


def deck_from_pictures(name: str, pictures: Mapping[str, Image], width: int = 240) -> Deck:
    """Make a pack of loose pictures, (H, W, 4) uint8 BGRA of about one size, keyed by code, ``joker`` or
    ``back``.

    The most common size rules; the rest is scaled to it. Art without transparency gets its corners rounded
    off.

    Raises:
        DeckError: when one of the 32 cards is missing.
    """
    (height_of_art, width_of_art), _ = Counter(image.shape[:2] for image in pictures.values()).most_common(1)[
        0
    ]
    height = round(width * height_of_art / width_of_art)
    cut = {code: _with_round_corners(resized(image, width, height)) for code, image in pictures.items()}
    back = cut.get(BACK)
    if back is None:
        back = _plain_back(width, height)
    faces = {code: cut[code] for code in CARD_CODES if code in cut}
    foreign = tuple(image for code, image in sorted(cut.items()) if code not in faces and code != BACK)
    return Deck(name, faces, foreign, back, is_point_symmetric(back))


def cards_in_folder(folder: Path) -> dict[str, Path]:
    """The pictures in ``folder`` by card code (also ``C2`` to ``S6``), ``joker`` and ``back``.

    ``KH`` is klaveren heer in one custom and the king of hearts in the other, so the custom that finds more
    of the 32 cards in this folder is taken for all of it. Of two pictures of one card the shorter name wins.
    """
    files = sorted(
        (file for file in folder.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES),
        key=lambda file: (len(file.stem), file.name),
    )
    readings = []
    for rank_first in (False, True):
        found: dict[str, Path] = {}
        for file in files:
            code = card_code_of(file.stem, rank_first=rank_first)
            if code is not None:
                found.setdefault(code, file)
        readings.append(found)
    return max(readings, key=lambda reading: sum(code in reading for code in CARD_CODES))


def card_code_of(stem: str, *, rank_first: bool = False) -> str | None:
    """The code of the card that a file's name (without its ending) means, ``joker``, ``back``, or None.

    ``rank_first`` reads two letters such as ``KH`` as king of hearts, else as klaveren heer.
    """
    if match := _NUMBERED.fullmatch(stem.lower()):
        return match[2].upper() + _RANK_WORDS[match[1].lstrip("0")]
    short = (_RANK_FIRST if rank_first else _SUIT_FIRST).fullmatch(stem.upper())
    if short:
        suit, rank = (short[2], short[1]) if rank_first else (short[1], short[2])
        return _DUTCH_SUITS.get(suit, suit) + _SHORT_RANKS.get(rank, rank)
    return _code_in_words(_WORDS.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", stem).lower()))


def _code_in_words(words: list[str]) -> str | None:
    """The code that words such as ``10 of hearts`` or ``card clubs a`` mean."""
    for kind in (BACK, JOKER):
        if any(word.startswith(kind) for word in words):
            return kind
    suit = next((word for word in words if word in _SUIT_WORDS), None)
    rank = next((word for word in words if word in _RANK_WORDS and word != suit), None)
    if suit is None or rank is None:
        return None
    return _SUIT_WORDS[suit] + _RANK_WORDS[rank]


def read_picture(file: Path) -> Image:
    """Read a picture of any common kind as (H, W, 4) uint8 BGRA.

    Raises:
        DeckError: when the file is no picture.
    """
    try:
        with PillowImage.open(file) as picture:
            rgba = np.asarray(picture.convert("RGBA"))
    except (OSError, UnidentifiedImageError, SyntaxError) as error:
        raise DeckError(f"can't read the card picture {str(file)!r}: {error}; replace the file") from error
    return np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), dtype=np.uint8)


def _with_round_corners(image: Image) -> Image:
    """Round the corners off unless the art did so: its very corners are then transparent."""
    corners = image[:: image.shape[0] - 1, :: image.shape[1] - 1, 3]
    return image if int(corners.max()) < 128 else rounded_corners(image)


def _plain_back(width: int, height: int) -> Image:
    """A white frame round dark blue, for a folder that has no back."""
    back = np.full((height, width, 4), (240, 244, 245, 255), dtype=np.uint8)
    frame = round(width * 0.06)
    back[frame:-frame, frame:-frame] = (110, 52, 28, 255)
    return rounded_corners(back)
