"""Measure the whole line on simulated deals, from pictures to scores, with packs never trained on.

    python -m tests.whole.measure_from_pixels --deals 20 --first-seed 910000 [--decks DIR]

plays so many clean deals and so many with one verzaking, each with the next pack, and reads them through the
real models; ``--match 16`` reads one film of so many deals with the first pack. ``--decks`` is a library of
``models.training.deck_library``; without it the packs are printed with installed fonts that are never trained
on. For every deal that is not exact it tells which card was read as what. A deal has some 300 pictures and
takes about half a minute of one core.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Final

import typer

from capture.simulator import Irregularity
from capture.simulator.decks import Deck
from models.training.evaluate import unseen_decks
from tests.whole.reading import DealReading, read_film
from tracker.events import SURE_OF_VERZAKING

FRAMES_PER_SECOND: Final = 5.0
"""Half of what a table is read at: the tracker needs three looks at a card that lies still."""


@dataclass(frozen=True, slots=True)
class Played:
    """One deal to be played: its film's seed, the number of its pack, and whether somebody verzaakt."""

    seed: int
    pack: int
    verzaken: bool
    decks: Path | None
    frames_per_second: float


@lru_cache(maxsize=1)
def packs(decks: Path | None) -> tuple[Deck, ...]:
    """The packs never trained on, in the order in which they are played with.

    Raises:
        LookupError: when there is none: no library, and no font with the signs of the suits.
    """
    found = tuple(unseen_decks(decks))
    if not found:
        raise LookupError(f"no pack never trained on was found in {decks or 'the installed fonts'}")
    return found


def read_played(played: Played) -> tuple[str, DealReading]:
    """The pack's name, and the deal as it was read."""
    every = packs(played.decks)
    deck = every[played.pack % len(every)]
    irregularities = {1: Irregularity.VERZAKEN} if played.verzaken else {}
    (reading,) = read_film(
        played.seed,
        1,
        irregularities,
        deck=deck,
        frames_per_second=played.frames_per_second,
        tell_trump=True,
    )
    return deck.name, reading


def deals_to_play(
    deals: int, first_seed: int, decks: Path | None, frames_per_second: float = FRAMES_PER_SECOND
) -> tuple[Played, ...]:
    """``deals`` clean ones, then as many with a verzaking, each with its own seed and the next pack."""
    return tuple(
        Played(first_seed + number, number, number >= deals, decks, frames_per_second)
        for number in range(2 * deals)
    )


def verzaking_is_right(reading: DealReading) -> bool:
    """Whether exactly the verzaking that was played is proven, by trick, seat and card."""

    def told(revokes: Sequence[object]) -> list[tuple[object, ...]]:
        return [tuple(getattr(one, name) for name in ("trick", "seat", "card")) for one in revokes]

    return bool(reading.true_revokes) and told(reading.revokes) == told(reading.true_revokes)


def line_of(pack: str, reading: DealReading) -> str:
    """One deal in a line: what went wrong with it, if anything."""
    faults = list(reading.wrong_cards)
    faults += [] if reading.score_right else ["score wrong"]
    faults += [] if reading.dealer_right else ["dealer wrong"]
    faults += [f"false verzaking ({sure:.2f} sure)" for sure in reading.false_certainties]
    if reading.true_revokes and not verzaking_is_right(reading):
        faults.append("the verzaking is not told right")
    return f"  {reading.seed} deal {reading.number} {pack}: {'; '.join(faults) or 'exact'}"


def summary(name: str, readings: Sequence[DealReading]) -> str:
    """What came of some deals, in a line."""
    exact = sum(reading.exact for reading in readings)
    scores = sum(reading.score_right for reading in readings)
    cards = sum(32 - len(reading.wrong_cards) for reading in readings)
    flagged = sum(bool(reading.false_certainties) for reading in readings)
    sure = sum(any(value >= SURE_OF_VERZAKING for value in reading.false_certainties) for reading in readings)
    parts = [
        f"{name}: {exact} of {len(readings)} exact",
        f"score right {scores}",
        f"cards right {cards} of {32 * len(readings)}",
        f"a false verzaking stands {flagged}, surely {sure}",
    ]
    played = [reading for reading in readings if reading.true_revokes]
    if played:
        right = [reading for reading in played if verzaking_is_right(reading)]
        certain = sum(min(reading.certainties) >= SURE_OF_VERZAKING for reading in right)
        parts.append(f"verzaking right {len(right)} of {len(played)}, surely {certain}")
    return "; ".join(parts)


def read_match(seed: int, deals: int, deck: Deck, fps: float) -> None:
    """Read one film of many deals that nobody touches, and print each."""
    readings = read_film(seed, deals, {}, deck=deck, frames_per_second=fps, tell_trump=True)
    for reading in readings:
        typer.echo(line_of(deck.name, reading))
    typer.echo(f"{summary('match', readings)}; dealer right {sum(one.dealer_right for one in readings)}")


def main(
    deals: Annotated[int, typer.Option(help="How many of each sort.", min=1)] = 20,
    first_seed: Annotated[int, typer.Option(help="The seed of the first film.", min=0)] = 910_000,
    decks: Annotated[Path | None, typer.Option(help="A library of packs; else installed fonts.")] = None,
    processes: Annotated[int, typer.Option(help="How many at a time.", min=1)] = 1,
    fps: Annotated[float, typer.Option(help="Pictures a second.", min=1, max=60)] = FRAMES_PER_SECOND,
    match: Annotated[int, typer.Option(help="One film of so many deals instead.", min=0)] = 0,
) -> None:
    """Print what the whole line makes of deals played with packs that no model was trained on."""
    if match:
        read_match(first_seed, match, packs(decks)[0], fps)
        return
    found: list[DealReading] = []
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for pack, reading in pool.map(read_played, deals_to_play(deals, first_seed, decks, fps)):
            typer.echo(line_of(pack, reading))
            found.append(reading)
    typer.echo(summary("clean", found[:deals]))
    typer.echo(summary("one verzaking", found[deals:]))


if __name__ == "__main__":
    typer.run(main)
