"""``klaveroog score``: a deal written down, and what it brings."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from capture.errors import SettingsError
from rules import Deal, NotationError, parse_deal, parse_match
from rules.document import deal_from_document, result_to_document


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
    text = _read(file)
    deals, indent = _deals_in_notation(text) if notation else _deals_in_json(text, file)
    for deal in deals:
        result = result_to_document(deal.result(), deal)
        typer.echo(json.dumps(result, ensure_ascii=False, indent=indent))


def _deals_in_json(text: str, file: Path) -> tuple[list[Deal], int | None]:
    """The deals, and how far to indent their results: one by itself is for a person to read."""
    try:
        documents, indent = [json.loads(text)], 2
    except (ValueError, RecursionError) as error:
        documents, indent = _lines(text, file, error), None
    return [deal_from_document(document) for document in documents], indent


def _deals_in_notation(text: str) -> tuple[list[Deal], int | None]:
    """The same from the notation: a deal on each line, or a match."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if lines and lines[0].split()[0].lower() in ("partij", "match"):
        return list(parse_match(text).deals), None
    if not lines:
        raise NotationError("there is no deal in it")
    return [parse_deal(line) for line in lines], None


def _read(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise SettingsError(
            f"{file} kan niet worden gelezen. Controleer de naam.",
            f"cannot be read ({error.strerror}). Check its name.",
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"{file} is geen tekst. Geef een spel als JSON.", "not a text. Give a deal as JSON."
        ) from error


def _lines(text: str, file: Path, error: Exception) -> list[Any]:
    """One document from each line that is not empty; ``error`` is why the whole is no single document."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        documents = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        documents = []
    if not documents:
        raise SettingsError(
            f"{file} is geen JSON. Controleer de schrijfwijze.",
            f"not JSON ({error}). Check how it is written.",
        ) from error
    return documents
