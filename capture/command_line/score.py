"""``klaveroog score``: a deal written down, and what it brings."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from capture.command_line.score_json import results_of
from capture.command_line.score_lines import result_line
from capture.command_line.written import read_by, text_of
from capture.errors import SettingsError
from rules import (
    REGLEMENTEN,
    Reglement,
    RulesError,
    match_to_document,
    parse_deal,
    parse_match,
    reglement_from_toml,
)


def score(
    file: Annotated[Path, typer.Argument(help="een spel, of - voor de standaardinvoer")] = Path("-"),
    notation: Annotated[
        bool, typer.Option("--notation", help="lees de notatie (spel 1 klaverjas-drive gever Z …), geen JSON")
    ] = False,
    reglement: Annotated[
        Path | None, typer.Option(help="TOML met het reglement van de club, voor de notatie")
    ] = None,
) -> None:
    """Tel een spel dat is opgeschreven. / Score a deal written down.

    Eén spel als JSON, of meer met één per regel; met --notation in de notatie, waarin ook een hele partij kan
    staan: de laatste regel van het resultaat is dan de tellijst. Het resultaat is JSON, met de redenen.
    """
    if reglement is not None and not notation:
        raise SettingsError(
            "--reglement hoort bij --notation. In JSON staan de instellingen onder “reglement” zelf.",
            "--reglement goes with --notation; JSON has the settings under 'reglement' itself.",
        )
    known = REGLEMENTEN if reglement is None else _with_own(reglement)
    for results in _results(file, known if notation else None):
        typer.echo(results)


def _with_own(file: Path) -> Mapping[str, Reglement]:
    """The built-in reglementen and the one in ``file``."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise _unreadable(str(file), error) from error
    try:
        own = reglement_from_toml(text_of(data, str(file)))
    except RulesError as error:
        raise SettingsError(
            f"{file} is geen reglement. Verbeter wat hierachter staat.", f"{error}"
        ) from error
    return {**REGLEMENTEN, own.name: own}


def _results(file: Path, known: Mapping[str, Reglement] | None) -> Iterator[str]:
    """The results in parts; ``known`` are the reglementen of a notation, None where the file is JSON."""
    name = "De invoer" if str(file) == "-" else str(file)
    try:
        with nullcontext(_standard_input()) if str(file) == "-" else file.open("rb") as stream:
            yield from (
                results_of(stream, name) if known is None else _results_in_notation(stream, name, known)
            )
    except OSError as error:
        raise _unreadable(name, error) from error


def _unreadable(name: str, error: OSError) -> SettingsError:
    return SettingsError(
        f"{name} kan niet worden gelezen. Controleer de naam.",
        f"cannot be read ({error.strerror}). Check its name.",
    )


def _results_in_notation(stream: BinaryIO, name: str, known: Mapping[str, Reglement]) -> Iterator[str]:
    """A deal on each line, or a match with its tellijst last; all is read before anything is told."""
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
        match = read_by(lambda written: parse_match(written, known), text, name, None)
        tellijst = json.dumps({"match": match_to_document(match)}, ensure_ascii=False)
        return iter([*map(result_line, match.deals), tellijst])
    deals = [
        read_by(lambda written: parse_deal(written, known), line, name, number) for number, line in lines
    ]
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
