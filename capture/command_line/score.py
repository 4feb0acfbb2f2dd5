"""``klaveroog score``: a deal written down, and what it brings."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from capture.errors import SettingsError
from rules.document import deal_from_document, result_to_document


def score(
    file: Annotated[Path, typer.Argument(help="een spel als JSON, of - voor de standaardinvoer")] = Path("-"),
) -> None:
    """Tel een spel dat als JSON is opgeschreven. / Score a deal written down as JSON.

    Eén spel, of meer met één per regel; het resultaat komt er als JSON uit, met de redenen.
    """
    text = _read(file)
    try:
        documents, indent = [json.loads(text)], 2
    except (ValueError, RecursionError) as error:
        documents, indent = _lines(text, file, error), None
    for document in documents:
        deal = deal_from_document(document)
        result = result_to_document(deal.result(), deal)
        typer.echo(json.dumps(result, ensure_ascii=False, indent=indent))


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
