"""``klaveroog score``: a deal written down, and what it brings."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from capture.command_line.score_json import results_of
from capture.command_line.score_lines import result_line
from capture.command_line.written import read_by, text_of
from capture.errors import SettingsError
from rules import parse_deal, parse_match


def score(
    file: Annotated[Path, typer.Argument(help="een spel, of - voor de standaardinvoer")] = Path("-"),
    notation: Annotated[
        bool, typer.Option("--notation", help="lees de notatie (spel 1 klaverjas-drive gever Z …), geen JSON")
    ] = False,
) -> None:
    """Tel een spel dat is opgeschreven. / Score a deal written down.

    Eén spel als JSON, of meer met één per regel; met --notation in de notatie. Het resultaat is JSON, met de
    redenen.
    """
    for results in _results(file, notation):
        typer.echo(results)


def _results(file: Path, notation: bool) -> Iterator[str]:
    name = "De invoer" if str(file) == "-" else str(file)
    try:
        with nullcontext(_standard_input()) if str(file) == "-" else file.open("rb") as stream:
            yield from _results_in_notation(stream, name) if notation else results_of(stream, name)
    except OSError as error:
        raise SettingsError(
            f"{name} kan niet worden gelezen. Controleer de naam.",
            f"cannot be read ({error.strerror}). Check its name.",
        ) from error


def _results_in_notation(stream: BinaryIO, name: str) -> Iterator[str]:
    """A deal on each line, or a match; all is read before anything is told."""
    # Some editors begin a file with a mark of its encoding.
    text = text_of(stream.read().removeprefix(codecs.BOM_UTF8), name)
    lines = [
        (number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise SettingsError(
            f"{name} is leeg. Geef een spel per regel.", "it is empty. Give a deal on each line."
        )
    if lines[0][1].split()[0].lower() in ("partij", "match"):
        deals = list(read_by(parse_match, text, name, None).deals)
    else:
        deals = [read_by(parse_deal, line, name, number) for number, line in lines]
    return map(result_line, deals)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise SettingsError(
            "Er is geen invoer. Noem het bestand met het spel.",
            "there is no input. Name the file with the deal.",
        )
    if sys.stdin.isatty():
        typer.echo("Typ een spel als JSON, dan Ctrl-D. / Type a deal as JSON, then Ctrl-D.", err=True)
    return sys.stdin.buffer
