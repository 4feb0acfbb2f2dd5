"""What is wrong with something written down, told in one line that says where."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from capture.errors import SettingsError
from rules import RulesError

_Written = TypeVar("_Written")
_Read = TypeVar("_Read")


def read_by(read: Callable[[_Written], _Read], written: _Written, name: str, number: int | None) -> _Read:
    """What ``read`` makes of what is ``written``; its complaint tells in which line of the file it is.

    Raises:
        SettingsError: in place of any RulesError.
    """
    try:
        return read(written)
    except RulesError as error:
        raise SettingsError(
            f"{name}{at_line(number)} is geen spel dat geteld kan worden. Verbeter wat hierachter staat.",
            f"{f'line {number}: ' if number else ''}{error}",
        ) from error


def text_of(data: bytes, name: str, number: int | None = None) -> str:
    """Bytes as text; ``number`` is that of the line that they are, None for a whole file.

    Raises:
        SettingsError: with the number of the line that is no text.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data.count(b"\n", 0, error.start)
        number = number if number or b"\n" not in data else before + 1
        raise SettingsError(
            f"{name}{at_line(number)} is geen tekst in UTF-8. Geef een spel als JSON of in de notatie.",
            f"{is_line(number)}not a text in UTF-8. Give a deal as JSON or in the notation.",
        ) from error


def at_line(number: int | None) -> str:
    """Where it is, in a Dutch sentence."""
    return "" if number is None else f", regel {number},"


def is_line(number: int | None) -> str:
    """Where it is, before an English complaint of what it is not."""
    return "" if number is None else f"line {number} is "
