"""``klaveroog score``: a deal written down, and what it brings."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from capture.errors import SettingsError
from rules import Deal, RulesError, parse_deal, parse_match
from rules.document import deal_from_document, result_to_document

_Written = TypeVar("_Written")
_Read = TypeVar("_Read")


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
    name = "De invoer" if str(file) == "-" else str(file)
    text = _read(file, name)
    deals, indent = _deals_in_notation(text, name) if notation else _deals_in_json(text, name)
    for deal in deals:
        result = result_to_document(deal.result(), deal)
        typer.echo(json.dumps(result, ensure_ascii=False, indent=indent))


def _deals_in_json(text: str, name: str) -> tuple[list[Deal], int | None]:
    """The deals, and how far to indent their results: one by itself is for a person to read."""
    if not text.strip():
        raise SettingsError(f"{name} is leeg. Geef een spel als JSON.", "it is empty. Give a deal as JSON.")
    try:
        document = _json(text)
    except (ValueError, RecursionError) as error:
        lines = _lines(text)
        if len(lines) < 2 or not _is_json(lines[0][1]):
            raise _no_json(name, None, error) from error
        return [_deal(_line_as_json(line, name, number), name, number) for number, line in lines], None
    return [_deal(document, name, None)], 2


def _deals_in_notation(text: str, name: str) -> tuple[list[Deal], int | None]:
    """The same from the notation: a deal on each line, or a match."""
    lines = [(number, line) for number, line in _lines(text) if not line.lstrip().startswith("#")]
    if not lines:
        raise SettingsError(
            f"{name} is leeg. Geef een spel per regel.", "it is empty. Give a deal on each line."
        )
    if lines[0][1].split()[0].lower() in ("partij", "match"):
        return list(_read_by(parse_match, text, name, None).deals), None
    return [_read_by(parse_deal, line, name, number) for number, line in lines], None


def _deal(document: Any, name: str, line: int | None) -> Deal:
    return _read_by(deal_from_document, document, name, line)


def _read_by(read: Callable[[_Written], _Read], written: _Written, name: str, line: int | None) -> _Read:
    """What ``read`` makes of it; its complaint tells in which line of the file it is."""
    try:
        return read(written)
    except RulesError as error:
        raise SettingsError(
            f"{name}{_at(line)} is geen spel dat geteld kan worden. Verbeter wat hierachter staat.",
            f"{f'line {line}: ' if line else ''}{error}",
        ) from error


def _read(file: Path, name: str) -> str:
    try:
        data = _standard_input() if str(file) == "-" else file.read_bytes()
        # Some editors begin a file with a mark of its encoding.
        return data.decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(
            f"{name} kan niet worden gelezen. Controleer de naam.",
            f"cannot be read ({error.strerror}). Check its name.",
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"{name} is geen tekst in UTF-8. Geef een spel als JSON of in de notatie.",
            "not a text in UTF-8. Give a deal as JSON or in the notation.",
        ) from error


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise SettingsError(
            "Er is geen invoer. Noem het bestand met het spel.",
            "there is no input. Name the file with the deal.",
        )
    if sys.stdin.isatty():
        typer.echo("Typ een spel als JSON, dan Ctrl-D. / Type a deal as JSON, then Ctrl-D.", err=True)
    return sys.stdin.buffer.read()


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that are not empty, with their numbers."""
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_without_doubles)


def _is_json(text: str) -> bool:
    try:
        _json(text)
    except (ValueError, RecursionError):
        return False
    return True


def _line_as_json(line: str, name: str, number: int) -> Any:
    try:
        return _json(line)
    except (ValueError, RecursionError) as error:
        raise _no_json(name, number, error) from error


def _no_json(name: str, line: int | None, error: Exception) -> SettingsError:
    return SettingsError(
        f"{name}{_at(line)} is geen JSON. Controleer de schrijfwijze, of geef --notation.",
        f"{f'line {line} is ' if line else ''}not JSON ({error}). Check it, or give --notation.",
    )


def _at(line: int | None) -> str:
    return "" if line is None else f", regel {line},"


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that stands in it twice, JSON itself would drop the first value without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"{double!r} stands twice in one object")
    return found
