"""Measures the models: on real photos, and on films played with packs that they were never trained on.

``python -m models.training.evaluate --shared DIR [--decks DIR] [--out DIR]`` prints the figures of each set
and pack and, with ``--out``, writes a page of the worst crops. Needs nothing of what training needs. Without
the library of packs the films are played with the packs of ``printed_packs`` alone.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from capture.simulator.decks import Deck
from detector.card_detector import CardDetector
from detector.types import Detector
from models.training.deck_library import UNSEEN, UNSEEN_PRINTED_PACKS, load_deck
from models.training.evaluate_films import FIRST_SEED, FilmTally, evaluate_deck
from models.training.evaluate_photos import evaluate_set
from models.training.labelled_photos import VALIDATION_SETS
from models.training.printed_packs import printed_packs
from models.training.tally import Tally, report
from models.training.worst_crops import write_page

_log = logging.getLogger(__name__)

_FILMS: Final = "films with packs never trained on"


def measure_photos(detector: Detector, photos: Path) -> dict[str, Tally]:
    """Every set of real photos."""
    return {name: evaluate_set(detector, photos, name) for name in VALIDATION_SETS}


def unseen_decks(library: Path | None) -> Iterator[Deck]:
    """The packs never trained on: of the library, or those that any machine with fonts can draw."""
    if library is None:
        yield from printed_packs(UNSEEN_PRINTED_PACKS, seed=2, unseen=True)
        return
    for file in sorted((library / UNSEEN).glob("*/deck.json")):
        yield load_deck(file.parent)


def film_line(name: str, tally: FilmTally) -> str:
    """One pack's figures in a line."""
    frames = tally.frames
    settled, right = frames.clear + frames.occluded, frames.clear_right + frames.occluded_right
    pairs = ", ".join(f"{true}>{read} {count}" for (true, read), count in frames.confusions.most_common(4))
    return (
        f"  {name}: {right}/{settled} frames of settled cards right,"
        f" {tally.cards_voted_right}/{len(tally.votes)} cards after the vote; {pairs or 'no confusion'}"
    )


def together(tallies: dict[str, FilmTally]) -> Tally:
    """All packs' frames as one tally."""
    total = Tally()
    for film in tallies.values():
        one = film.frames
        for name in ("pictures", "cards", "found", "clear", "clear_right", "occluded", "occluded_right"):
            setattr(total, name, getattr(total, name) + getattr(one, name))
        total.confusions.update(one.confusions)
        for code, (count, right) in one.by_class.items():
            known, known_right = total.by_class.get(code, (0, 0))
            total.by_class[code] = (known + count, known_right + right)
        total.certainties += one.certainties
        total.corner_errors += one.corner_errors
        total.mistakes += one.mistakes
    return total


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, required=True, help="folder that holds photos/")
    parser.add_argument("--decks", type=Path, help="the library of models.training.deck_library")
    parser.add_argument(
        "--models", type=Path, help="folder with manifest.json; default: the committed models"
    )
    parser.add_argument("--out", type=Path, help="where the page of the worst crops goes")
    parser.add_argument("--photos-only", action="store_true", help="leave the films out")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    detector = CardDetector.load(arguments.models)
    tallies = measure_photos(detector, arguments.shared / "photos")
    reports = {name: report(name, tally) for name, tally in tallies.items()}
    for text in reports.values():
        _log.info("%s", text)
    if not arguments.photos_only:
        films: dict[str, FilmTally] = {}
        for number, deck in enumerate(unseen_decks(arguments.decks)):
            films[deck.name] = evaluate_deck(detector, deck, FIRST_SEED + number)
            _log.info("%s", film_line(deck.name, films[deck.name]))
        tallies[_FILMS] = together(films)
        voted = sum(film.cards_voted_right for film in films.values())
        cards = sum(len(film.votes) for film in films.values())
        reports[_FILMS] = f"{report(_FILMS, tallies[_FILMS])}\n  after the vote {voted}/{cards} cards right"
        _log.info("%s", reports[_FILMS])
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        write_page(arguments.out / "worst-crops.html", tallies, reports)


if __name__ == "__main__":
    main()
