"""``klaveroog backs``: what the backs in a film or a folder of pictures tell of a pack (article 1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import cv2
import typer

from capture.command_line.picture_folder import make_folder, write_picture
from capture.errors import SourceUnreadableError

if TYPE_CHECKING:
    from capture.backs import CollectedBack
    from detector.backs.examine import OddBack, PackReport

_KINDS: Final = {
    "mark": "merkteken, kras, vlek of beschadigde hoek / mark, scratch, stain or damaged corner",
    "fading": "blekere inkt / paler ink",
    "print": "een andere opdruk / another print",
}


def backs(
    source: Annotated[str, typer.Argument(help="film, map met foto's, of simulator:GETAL")],
    pictures: Annotated[
        Path | None, typer.Option(help="schrijf de ruggen, hun gemiddelde en het verschil naar deze map")
    ] = None,
    frames_per_second: Annotated[
        float, typer.Option(help="van een map: zoveel foto's per seconde", min=0.1, max=240)
    ] = 10.0,
    models: Annotated[Path | None, typer.Option(help="map met andere modellen")] = None,
) -> None:
    """Zijn kaarten aan de rug te herkennen? / Can cards be told by their backs?

    Bekeken worden de laatste veertig ruggen die even stil lagen: neem een film van één of twee spellen. /
    Looked at are the last forty backs that lay still for a moment: take a film of a deal or two.
    """
    from capture.backs import is_mixed
    from detector.backs.examine import examine
    from detector.backs.flaw_finder import FlawFinder

    seen = _collected(source, frames_per_second, models)
    report = examine([back.view() for back in seen], FlawFinder(models))
    typer.echo(f"{len(seen)} ruggen gezien / backs seen")
    if report is None:
        typer.echo("Niet te zeggen: te weinig ruggen, of te onduidelijk. / Cannot tell: too few or unclear.")
        return
    typer.echo(_verdict(report))
    mixed = is_mixed(report, seen)
    if mixed:
        typer.echo("Veel ruggen verschillen: twee spellen door elkaar? / Many differ: two packs mixed?")
    odd = () if mixed else report.odd
    for number, one in enumerate(odd, start=1):
        typer.echo(_line(number, one, seen))
    if not odd and not mixed:
        typer.echo("Geen rug wijkt af. / No back differs.")
    if pictures is not None:
        _write(pictures, report, odd)


def _collected(source: str, frames_per_second: float, models: Path | None) -> tuple[CollectedBack, ...]:
    from capture.backs import BackCollector
    from capture.live_reader import LiveReader
    from capture.sources import open_source
    from detector.card_detector import CardDetector

    cv2.setNumThreads(1)
    reader, collector, count = LiveReader(CardDetector.load(models)), BackCollector(), 0
    with open_source(source, frames_per_second=frames_per_second) as camera:
        for frame in camera:
            count += 1
            reader.read(frame.image)
            collector.see(frame.monotonic_s, frame.image, reader.seen)
    if count == 0:
        raise SourceUnreadableError(
            f"{source} gaf geen enkel beeld. Kies een andere bron.",
            "the source gave no picture at all. Choose another.",
        )
    return collector.seen()


def _verdict(report: PackReport) -> str:
    sure = f"{report.certainty:.0%}"
    if report.is_symmetric:
        return f"In spiegeldruk, zeker voor {sure}. / Mirror-printed, {sure} sure."
    return f"Niet in spiegeldruk, zeker voor {sure}. / One-way: one sees which end is up, {sure} sure."


def _line(number: int, odd: OddBack, seen: Sequence[CollectedBack]) -> str:
    x, y = odd.flaw.centre
    place = f"{x:.0%} van links, {y:.0%} van boven / from the left, from the top"
    return (
        f"  {number}. {seen[odd.view].from_s:.1f} s: {_KINDS[odd.flaw.kind]}; {place};"
        f" zeker voor / sure {odd.flaw.score:.0%}"
    )


def _write(folder: Path, report: PackReport, odd: Sequence[OddBack]) -> None:
    from capture.backs import pack_picture, side_by_side

    make_folder(folder, "--pictures")
    write_picture(folder / "spel.png", pack_picture(report))
    for number, one in enumerate(odd, start=1):
        picture = side_by_side(one.crop, one.average, one.difference)
        write_picture(folder / f"rug-{number}.png", picture)
