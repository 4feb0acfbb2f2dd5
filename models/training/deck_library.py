"""Gathers every pack of cards that can be had into one folder, to train and to measure with.

``python -m models.training.deck_library --shared DIR --packages DIR --out DIR`` makes a folder a pack below
``train`` and ``unseen``, with ``HT.png``, ``foreign-00.png``, ``back.png`` and ``deck.json``. The packs
below ``unseen`` share no art with those below ``train``. Where the art comes from and its licences:
:mod:`models.training.deck_sources`.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

import cv2
import numpy as np

from capture.simulator.decks import BackColour, Deck, OwnBack
from capture.simulator.decks.backs import draw_back
from capture.simulator.decks.deck import SYMMETRIC, resized, symmetry
from capture.simulator.decks.folder_deck import BACK, deck_from_pictures
from capture.simulator.decks.indices import DUTCH
from capture.simulator.decks.own_deck import draw_own_faces
from detector.types import CARD_CODES, Image
from models.training import deck_sources
from models.training.own_styles import OWN_STYLES
from models.training.printed_packs import printed_packs
from models.training.relettering import Lettering, pips_kept, relettered, train_letterings, unseen_letterings

TRAIN: Final = "train"
UNSEEN: Final = "unseen"
PRINTED_PACKS: Final = 110
UNSEEN_PRINTED_PACKS: Final = 6
"""How many packs with signs and letters from installed fonts are drawn."""

SMALL_ART_WIDTH: Final = 160
"""Art narrower than this is scaled to 200 pixels, other to 240: more would only be blur."""

UNCLEAR: Final = 0.75
"""A back whose symmetry lies from here to certain is replaced by an own one: nobody could say what it should
be.
"""

MINIMUM_PIPS_KEPT: Final = 0.96
"""A version whose new corners take more than this off the pips is not made: a seven with six pips teaches
lies.
"""

_log = logging.getLogger(__name__)


def build_library(shared: Path, packages: Path, out: Path) -> dict[str, int]:
    """Write every pack below ``out``; returns how many there are of each split."""
    counts = {TRAIN: 0, UNSEEN: 0}
    for split, deck in every_deck(shared, packages):
        save_deck(deck, out / split / deck.name)
        counts[split] += 1
        _log.info("%s: %s", split, deck.name)
    return counts


def every_deck(shared: Path, packages: Path) -> Iterator[tuple[str, Deck]]:
    """The own pack in its styles, packs of other printers, then every source's packs, each with its split."""
    for deck in own_decks():
        yield TRAIN, deck
    for deck in printed_packs(PRINTED_PACKS, seed=1):
        yield TRAIN, deck
    for deck in printed_packs(UNSEEN_PRINTED_PACKS, seed=2, unseen=True):
        yield UNSEEN, deck
    for art in every_art(shared, packages):
        split = UNSEEN if deck_sources.is_unseen(art.source) else TRAIN
        for deck in decks_from_art(art):
            yield split, deck


def every_art(shared: Path, packages: Path) -> Iterator[deck_sources.Art]:
    """All art that is installed here; what lacks cards is left out with a warning."""
    sources: Iterable[Iterator[deck_sources.Art]] = (
        deck_sources.npm_packages(packages),
        deck_sources.aisleriot(),
        deck_sources.kde(),
        deck_sources.cardart(shared / "cardart"),
    )
    for source in sources:
        for art in source:
            if deck_sources.is_complete(art):
                yield art
            else:
                _log.warning("%s lacks cards and is left out", art.source.name)


def own_decks() -> Iterator[Deck]:
    """The own pack in every style, with its backs by turns."""
    backs = [(back, colour) for colour in BackColour for back in OwnBack]
    for number, (name, style) in enumerate(OWN_STYLES.items()):
        back, colour = backs[number % len(backs)]
        faces, foreign = draw_own_faces(style)
        yield Deck(f"own-{name}", faces, foreign, draw_back(back, colour), back is OwnBack.MIRROR_PRINTED)


def decks_from_art(art: deck_sources.Art) -> Iterator[Deck]:
    """The pack as it is, when its indices speak for themselves, and versions with other corners."""
    width_of_art = art.pictures[CARD_CODES[0]].shape[1]
    width = 200 if width_of_art < SMALL_ART_WIDTH else 240
    pictures = dict(art.pictures)
    if BACK in pictures and UNCLEAR < symmetry(pictures[BACK]) < SYMMETRIC:
        del pictures[BACK]
    pictures.setdefault(BACK, _own_back_for(art.source.name, width))
    height = round(width * art.pictures[CARD_CODES[0]].shape[0] / width_of_art)
    pictures = {code: resized(image, width, height) for code, image in pictures.items()}
    name = art.source.name
    if art.source.speaks_for_itself:
        yield deck_from_pictures(name, pictures, width)
    for number, lettering in enumerate(_letterings_for(art.source)):
        # Every other version also gets another back, so that backs and faces aren't learnt as pairs.
        dressed = pictures | ({BACK: _own_back_for(lettering.name, width, height)} if number % 2 else {})
        changed = relettered(dressed, lettering)
        if pips_kept(dressed, changed) < MINIMUM_PIPS_KEPT:
            _log.warning("%s~%s would lose pips and is left out", name, lettering.name)
            continue
        yield deck_from_pictures(f"{name}~{lettering.name}", changed, width)


def _own_back_for(name: str, width: int, height: int | None = None) -> Image:
    """One of the own backs, always the same for one name."""
    choices = [(back, colour) for back in OwnBack for colour in BackColour]
    image = draw_back(*choices[crc32(name.encode()) % len(choices)], width)
    return resized(image, width, height or image.shape[0])


def _letterings_for(source: deck_sources.Source) -> list[Lettering]:
    """Which corners a pack gets: two Dutch and two others to train with, always the same for one name."""
    if not source.can_be_relettered:
        return []
    start = crc32(source.name.encode())
    if deck_sources.is_unseen(source):
        choices = unseen_letterings()
        return [choices[start % len(choices)]]
    dutch = [lettering for lettering in train_letterings() if lettering.style.letters is DUTCH]
    others = [lettering for lettering in train_letterings() if lettering.style.letters is not DUTCH]
    picked = [dutch[start % len(dutch)], dutch[(start + 3) % len(dutch)]]
    return [*picked, others[start % len(others)], others[(start + 3) % len(others)]]


def save_deck(deck: Deck, folder: Path) -> None:
    """Write a pack as PNG files and ``deck.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = dict(deck.faces)
    pictures |= {f"foreign-{number:02d}": image for number, image in enumerate(deck.foreign)}
    pictures["back"] = deck.back
    for name, image in pictures.items():
        if not cv2.imwrite(str(folder / f"{name}.png"), image, [cv2.IMWRITE_PNG_COMPRESSION, 3]):
            raise OSError(f"can't write {folder / name}.png")
    facts = {"name": deck.name, "back_is_point_symmetric": deck.back_is_point_symmetric}
    (folder / "deck.json").write_text(json.dumps(facts))


def load_deck(folder: Path) -> Deck:
    """Read a pack that :func:`save_deck` wrote.

    Raises:
        FileNotFoundError: when one of its files is not there.
    """
    facts = json.loads((folder / "deck.json").read_text())
    foreign = tuple(_read(file) for file in sorted(folder.glob("foreign-*.png")))
    faces = {code: _read(folder / f"{code}.png") for code in CARD_CODES}
    return Deck(facts["name"], faces, foreign, _read(folder / "back.png"), facts["back_is_point_symmetric"])


def _read(file: Path) -> Image:
    image = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise FileNotFoundError(f"no card picture {str(file)!r}; build the library again")
    return np.asarray(image, dtype=np.uint8)


def load_library(folder: Path) -> tuple[list[Deck], list[Deck]]:
    """All packs of a library, sorted by name: those to train with, and those never trained on.

    A pack takes about 15 MB of memory.
    """
    train, unseen = (
        [load_deck(file.parent) for file in sorted((folder / split).glob("*/deck.json"))]
        for split in (TRAIN, UNSEEN)
    )
    return train, unseen


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, required=True, help="folder that holds cardart/")
    parser.add_argument(
        "--packages", type=Path, default=Path("packages"), help="folder with the unpacked packages"
    )
    parser.add_argument("--out", type=Path, required=True, help="where the library goes")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    counts = build_library(arguments.shared, arguments.packages, arguments.out)
    _log.info("%d packs to train with, %d never trained on", counts[TRAIN], counts[UNSEEN])


if __name__ == "__main__":
    main()
