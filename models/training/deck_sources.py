"""Where the card art for training comes from, which of it can be used, and how it is read.

None of this art is part of the project: it is read where it is installed or unpacked.

| source | licence |
|---|---|
| PySolFC card sets, a folder ``cardart`` | GPL-2.0-or-later, or as each set's COPYRIGHT says |
| Debian ``gnome-cards-data`` (AisleRiot) | GPL-3.0-or-later |
| Debian ``kdegames-card-data-kf5`` | GPL-2.0-or-later or LGPL, as each deck says |
| npm ``svg-cards`` 4.0.2 | LGPL-2.1 |
| npm ``@heruka_urgyen/react-playing-cards`` 0.5.0 | MIT, art CC0 |
| npm ``@younestouati/playing-cards-standard-deck`` 3.0.0 | LGPL-3.0 |
| PyPI ``arcade`` (Kenney's cards) | CC0 |

All art was looked at, card by card, on contact sheets. Left out altogether: the seven old sets without
indices (``1890-grimaud``, ``belgium-export``, ``dondorf-whist-b``, ``emperial-dondorf``, ``gortz-1842``,
``lhombre``, ``national-patriotic``: their pips stand where an index would go), ``backs-only`` (no faces),
``hamburg-b`` (fanciful signs and no letters), ``jacoby`` and ``patience`` (suits of one colour, hatched),
``konqi-modern`` (red spades and green hearts), ``vienna-2k`` (a tarock pack with a knight for a queen),
AisleRiot's ``swiss-xvii`` and KDE's ``svg-xskat-german`` (not French-suited), KDE's ``oxygen`` decks (white
signs on black, or an index at one end only), ``future`` (no cards at all) and those that are the same art as
a set above.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from capture.simulator.decks.deck import CORNER_RADIUS, rounded_corners
from capture.simulator.decks.folder_deck import BACK, JOKER, cards_in_folder, read_picture
from detector.types import CARD_CODES, Image
from models.training import kde_decks

RENDER_WIDTH: Final = 240
"""How many pixels wide a card is rendered from vector art."""

_RENDER_TIMEOUT_S: Final = 300.0
_RANKS: Final = "A23456789TJQK"


_NOT_RELETTERED: Final = frozenset(
    {
        "cardart-momoko",
        "cardart-z-minimal",
        "gnome-tango_nuevo",
        "gnome-tango",
        "cardart-kabale",
        "cardart-nicu",
        "cardart-nicu-ornamental",
        "gnome-ornamental",
        "npm-heruka-2color-bf",
        "npm-heruka-4color-bf",
        "kde-nicu-white",
        "kde-jolly-royal",
        "gnome-simplistic",
    }
)
"""Packs with large signs in the corners, signs beside the letters, lines at the edge, or letters within."""


@dataclass(frozen=True)
class Source:
    """One pack's place.

    name: of the pack in the library; place: its path in the source's folder.
    family: packs drawn from one another; a family is either trained on or held out, as a whole.
    speaks_for_itself: whether every card shows a number or letter that means the same in Dutch, German or
        English; where not (no letters on courts, a French V or a Russian T), only re-lettered versions are
        used.
    """

    name: str
    place: str
    family: str = ""
    speaks_for_itself: bool = True

    @property
    def can_be_relettered(self) -> bool:
        """Whether its corners can be told from the rest of the card."""
        return self.name not in _NOT_RELETTERED


@dataclass(frozen=True, eq=False)
class Art:
    """A pack's pictures as they come, (H, W, 4) uint8 BGRA, by code (also ``C2``), ``joker`` and ``back``."""

    source: Source
    pictures: Mapping[str, Image]


CARDART: Final = (
    *(Source(f"cardart-{place}", place) for place in (
        "aisleriot", "cardmage", "gdkcard-bonded", "gpl", "greywyvern", "kabale", "momoko", "oxymoron",
        "penguins",
        "spider", "standard", "sylly", "tksol", "warwick", "z-minimal")),
    Source("cardart-bellot", "bellot", "paris"), Source("cardart-paris", "paris", "paris"),
    Source("cardart-dondorf", "dondorf", "dondorf"), Source("cardart-nicu", "nicu", "nicu"),
    Source("cardart-nicu-ornamental", "nicu-ornamental", "nicu"),
    Source("cardart-xpat2", "xpat2", "xpat2"), Source("cardart-xpat2-nox-large", "xpat2-nox-large", "xpat2"),
    Source("cardart-xskat-french-large", "xskat-french-large", "xskat"),
)  # fmt: skip

AISLERIOT: Final = (
    *(Source(f"gnome-{place}", f"{place}.svgz", "anglo") for place in (
        "anglo", "anglo_bitmap", "gnomangelo", "gnomangelo_bitmap")),
    *(Source(f"gnome-{place}", f"{place}.svgz", "anglo_modern") for place in (
        "anglo_modern", "anglo_modern_4_color")),
    *(Source(f"gnome-{place}", f"{place}.svgz", "atlasnye") for place in ("atlasnye", "atlasnye_skat")),
    *(Source(f"gnome-{place}", f"{place}.svgz", "neoclassical") for place in (
        "neoclassical", "neoclassical_4_color")),
    *(Source(f"gnome-{place}", f"{place}.svgz") for place in (
        "anglo_poker", "berlin", "lattmann", "orell", "plastic", "rheinland", "simplistic")),
    Source("gnome-bellot", "bellot.svgz", "paris"), Source("gnome-paris", "paris.svgz", "paris"),
    Source("gnome-dondorf", "dondorf.svgz", "dondorf"), Source("gnome-ornamental", "ornamental.svgz", "nicu"),
    Source("gnome-tango", "tango.svgz"), Source("gnome-tango_nuevo", "tango_nuevo.svgz"),
    Source("gnome-tigullio", "tigullio.svgz", "tigullio"),
    Source("gnome-ancient_french", "ancient_french.svgz", "paris", speaks_for_itself=False),
    Source("gnome-guyenne-classic", "guyenne-classic.svgz", speaks_for_itself=False),
    Source("gnome-slavic_costumes", "slavic_costumes.svgz", speaks_for_itself=False),
    Source("gnome-tarocco", "tarocco.svgz", speaks_for_itself=False),
)  # fmt: skip

KDE: Final = (
    *(Source(f"kde-{place}", f"svg-{place}") for place in ("ancient-egyptians", "jolly-royal", "standard")),
    Source("kde-tigullio-international", "svg-tigullio-international", "tigullio"),
    Source("kde-xskat-french", "svg-xskat-french", "xskat"),
    Source("kde-nicu-white", "svg-nicu-white", "nicu"),
)

_HERUKA: Final = "heruka_urgyen-react-playing-cards-0.5.0/package/src/images"

NPM: Final = (
    Source("npm-svg-cards", "svg-cards-4.0.2/package/png/2x", "svg-cards"),
    *(Source(f"npm-heruka-{place}", f"{_HERUKA}/{place}", "heruka")
      for place in ("2color", "2color-bf", "4color", "4color-bf")),
    Source("npm-standard-deck", "younestouati-playing-cards-standard-deck-3.0.0/package/cards"),
    Source("pypi-kenney", "arcade/arcade/resources/assets/images/cards"),
)  # fmt: skip

UNSEEN_FAMILIES: Final = frozenset(
    {"gnome-anglo_poker", "gnome-berlin", "neoclassical", "cardart-warwick", "cardart-tksol",
     "cardart-greywyvern", "xskat"}
)  # fmt: skip
"""Never trained on: an English pack, a German one, a modern one in two and four colours, and four odd
ones.
"""


def family_of(source: Source) -> str:
    """The family's name; a pack without relatives is its own."""
    return source.family or source.name


def is_unseen(source: Source) -> bool:
    """Whether the pack is held out from training."""
    return family_of(source) in UNSEEN_FAMILIES


def cardart(folder: Path) -> Iterator[Art]:
    """The PySolFC sets below ``folder``, without their thin black outlines."""
    for source in CARDART:
        if (folder / source.place).is_dir():
            pictures = _pictures_in(folder / source.place)
            yield Art(source, {code: without_outline(image) for code, image in pictures.items()})


def npm_packages(folder: Path) -> Iterator[Art]:
    """The packages that were unpacked below ``folder``; vector art is rendered."""
    for source in NPM:
        place = folder / source.place
        if place.is_dir():
            pictures = _rendered_folder(place) if list(place.glob("*.svg")) else _pictures_in(place)
            yield Art(source, {code: without_outline(image) for code, image in pictures.items()})


def aisleriot(folder: Path = Path("/usr/share/aisleriot/cards")) -> Iterator[Art]:
    """Debian's AisleRiot decks: one drawing of 13 x 5 cards each, clubs, diamonds, hearts, spades, then the
    rest.
    """
    for source in AISLERIOT:
        file = folder / source.place
        if file.is_file():
            sheet = render(file, RENDER_WIDTH * 13)
            yield Art(source, {code: without_outline(cell) for code, cell in _cells(sheet).items()})


def kde(folder: Path = Path("/usr/share/carddecks")) -> Iterator[Art]:
    """Debian's KDE decks; none without PySide6."""
    for source in KDE if kde_decks.is_available() else ():
        for file in sorted((folder / source.place).glob("*.svgz")):
            pictures = kde_decks.cards_of(file, RENDER_WIDTH)
            yield Art(source, {code: without_outline(image) for code, image in pictures.items()})


def _cells(sheet: Image) -> dict[str, Image]:
    """The cards of a drawing of 13 x 5: four suits from ace to king, then two jokers and the back."""
    height, width = sheet.shape[0] // 5, sheet.shape[1] // 13
    codes = [[suit + rank for rank in _RANKS] for suit in "CDHS"] + [[JOKER, "", BACK]]
    return {
        code: sheet[row * height : (row + 1) * height, column * width : (column + 1) * width].copy()
        for row, names in enumerate(codes)
        for column, code in enumerate(names)
        if code
    }


def _pictures_in(folder: Path) -> dict[str, Image]:
    return {code: read_picture(file) for code, file in cards_in_folder(folder).items()}


def _rendered_folder(folder: Path) -> dict[str, Image]:
    """The SVG cards in ``folder``, and a ``back.svg`` there or one folder up."""
    with tempfile.TemporaryDirectory() as scratch:
        backs = [folder.parent / "back.svg"] if (folder.parent / "back.svg").is_file() else []
        for file in [*folder.glob("*.svg"), *backs]:
            _rasterise(file, RENDER_WIDTH, Path(scratch) / f"{file.stem}.png")
        return _pictures_in(Path(scratch))


def render(file: Path, width: int) -> Image:
    """A drawing (SVG, also gzipped) as (H, W, 4) uint8 BGRA, ``width`` pixels wide.

    Raises:
        subprocess.CalledProcessError: when rsvg-convert can't.
    """
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "drawing.png"
        _rasterise(file, width, target)
        return read_picture(target)


def _rasterise(file: Path, width: int, target: Path) -> None:
    command = ["rsvg-convert", "--unlimited", "-w", str(width), str(file), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True, timeout=_RENDER_TIMEOUT_S)


def without_outline(image: Image) -> Image:
    """``image``, (H, W, 4) uint8 BGRA, less the rings of empty or dark pixels round it, its corners cut anew.

    Computer packs have a black line round each card, which printed ones don't.
    """
    result = image
    for _ in range(3 + image.shape[1] // 60):
        ring = np.concatenate([result[0], result[-1], result[:, 0], result[:, -1]])
        empty = ring[:, 3] < 200
        dark = ring[:, :3].max(axis=1) < 150
        if float((empty | dark).mean()) < 0.6:
            break
        result = result[1:-1, 1:-1]
    radius = max(CORNER_RADIUS, _corner_of(result) / result.shape[1])
    return rounded_corners(_filled(result), radius)


def _corner_of(image: Image) -> float:
    """The radius, in pixels, of the corners that the art itself has: see through, or within its dark
    outline.
    """
    width = image.shape[1]
    outside = (image[:, :, 3] < 128) | (image[:, :, :3].max(axis=2) < 110)
    diagonals = []
    for view in (outside, outside[:, ::-1], outside[::-1], outside[::-1, ::-1]):
        inside = np.nonzero(~view[np.arange(width // 5), np.arange(width // 5)])[0]
        diagonals.append(float(inside[0]) if len(inside) else 0.0)
    # A circle of radius r leaves r (1 - 1/sqrt 2) empty along the diagonal's both coordinates.
    return float(np.median(diagonals) / (1 - 1 / np.sqrt(2)))


def _filled(image: Image) -> Image:
    """``image`` with its transparent corners filled with the paper of the edge, so that they can be cut
    anew.
    """
    paper = np.median(np.concatenate([image[4:-4, 2], image[4:-4, -3]])[:, :3], axis=0)
    alpha = image[:, :, 3:].astype(np.float64) / 255
    colour = image[:, :, :3] * alpha + paper * (1 - alpha)
    opaque = np.full((*image.shape[:2], 1), 255)
    return np.concatenate([colour, opaque], axis=2).astype(np.uint8)


def is_complete(art: Art) -> bool:
    """Whether all 32 cards are there."""
    return all(code in art.pictures for code in CARD_CODES)
