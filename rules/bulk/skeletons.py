"""Reads lines of JSON that look alike without parsing each of them.

The skeleton of a line is the line with every capital letter and digit blanked out. Two lines with one
skeleton are the same JSON with other values in the same columns, since only strings of letters and digits,
and whole numbers, can stand there. So json parses one line of each skeleton, and tells in which columns the
cards are; of the others the columns are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.table import TRICKS_IN_DEAL

_BLANK: Final = b"\x01"
_TRANSLATION: Final = bytes(
    1 if chr(byte).isascii() and (chr(byte).isupper() or chr(byte).isdigit()) else 0 if byte == 1 else byte
    for byte in range(256)
)
_RUN: Final = re.compile(rb"\x01+")
_TEXT_LABEL: Final = 0xE000
"""The first of the characters for private use, which stand for blanks in strings."""
_NUMBER_LABEL: Final = 10**12
_MOST_RUNS: Final = 512
_HEAD_KEYS: Final = frozenset({"reglement", "dealer", "number", "passes", "trump", "declarer"})
_TRICK_KEYS: Final = frozenset({"leader", "cards", "roem", "covered"})


def skeleton_of(line: bytes) -> bytes:
    """The line with its capital letters and digits blanked out."""
    return line.translate(_TRANSLATION)


@dataclass(frozen=True, slots=True)
class Run:
    """Columns of one value, from ``start``; ``is_text`` where it stands between quotes."""

    start: int
    width: int
    is_text: bool


@dataclass(frozen=True, slots=True)
class Call:
    """Roem called in ``trick`` (from 0): the columns of the seat and of the points."""

    trick: int
    seat: Run
    points: Run


@dataclass(frozen=True)
class Layout:
    """Where everything stands in the lines of one skeleton: a whole deal of eight full tricks in short form.

    head: the document without its tricks, labels in place of values. head_runs: the runs in it, by label.
    cards: the first column of each of the 32 cards, which take two. leaders: per trick that names one.
    """

    head: Mapping[str, object]
    head_runs: Mapping[int, Run]
    cards: tuple[int, ...]
    leaders: Mapping[int, Run]
    calls: tuple[Call, ...]

    @property
    def head_columns(self) -> list[int]:
        """The columns on which the head depends, in the order of its labels."""
        return [run.start + place for run in self.head_runs.values() for place in range(run.width)]

    def head_document(self, line: bytes) -> dict[str, object] | None:
        """The head as it stands in ``line``; None where that would be no JSON (``NaN``, ``007``)."""
        texts = {}
        for label, run in self.head_runs.items():
            texts[label] = text = line[run.start : run.start + run.width].decode("ascii")
            if not run.is_text and not _is_number(text):
                return None
        return {key: _filled(value, texts) for key, value in self.head.items()}


def _is_number(text: str) -> bool:
    return text.isdigit() and (len(text) == 1 or text[0] != "0")


def _filled(node: object, texts: Mapping[int, str]) -> object:
    if isinstance(node, str):
        return node.translate({_TEXT_LABEL + label: text for label, text in texts.items()})
    if isinstance(node, list):
        return [_filled(item, texts) for item in node]
    if isinstance(node, dict):
        return {key: _filled(item, texts) for key, item in node.items()}
    if isinstance(node, int) and abs(node) >= _NUMBER_LABEL:
        number = int(texts[abs(node) - _NUMBER_LABEL])
        return number if node > 0 else -number
    return node


def learn(line: bytes) -> Layout | None:
    """The layout of lines like this one; None where they are no whole deal in the short form.

    None as well for what is too irregular to be worth learning; such lines are then read one by one.
    """
    runs = _runs(line)
    if runs is None:
        return None
    try:
        document = json.loads(_labelled(line, runs), object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return None
    return _Reader(runs).layout(document) if isinstance(document, dict) else None


def _runs(line: bytes) -> tuple[Run, ...] | None:
    """The blanks of a line; None where something in it may read otherwise with other values."""
    skeleton = skeleton_of(line)
    # A backslash could make a value of what follows; the third byte begins a character for private use.
    if b"\\" in line or b"\xee" in line or b"\x00" in skeleton:
        return None
    runs = []
    for match in _RUN.finditer(skeleton):
        is_text = skeleton.count(b'"', 0, match.start()) % 2 == 1
        around = skeleton[match.start() - 1 : match.start()] + skeleton[match.end() : match.end() + 1]
        if not is_text and set(around) & set(b"+.abcdefghijklmnopqrstuvwxyz"):
            return None
        runs.append(Run(match.start(), match.end() - match.start(), is_text))
    return tuple(runs) if len(runs) <= _MOST_RUNS else None


def _labelled(line: bytes, runs: tuple[Run, ...]) -> str:
    parts, place = [], 0
    for label, run in enumerate(runs):
        parts.append(line[place : run.start])
        name = chr(_TEXT_LABEL + label) if run.is_text else str(_NUMBER_LABEL + label)
        parts.append(name.encode())
        place = run.start + run.width
    return b"".join((*parts, line[place:])).decode("utf-8")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


class _UnusualError(ValueError):
    """Something that is left to the usual way of reading."""


class _Reader:
    """Finds the runs of a labelled document."""

    def __init__(self, runs: tuple[Run, ...]) -> None:
        self._runs = runs

    def layout(self, document: dict[str, Any]) -> Layout | None:
        try:
            return self._layout({key: value for key, value in document.items() if value is not None})
        except _UnusualError:
            return None

    def _layout(self, document: dict[str, Any]) -> Layout:
        tricks = document.pop("tricks", None)
        if document.pop("rulings", []) != [] or not _HEAD_KEYS.issuperset(document):
            raise _UnusualError
        if not isinstance(tricks, list) or len(tricks) != TRICKS_IN_DEAL:
            raise _UnusualError
        cards: list[int] = []
        leaders: dict[int, Run] = {}
        calls: list[Call] = []
        for number, trick in enumerate(tricks):
            known = self._trick(trick)
            cards += [self._text(card, 2).start for card in self._list(known["cards"], 4)]
            if "leader" in known:
                leaders[number] = self._text(known["leader"], 1)
            for call in known.get("roem", []):
                calls.append(self._call(number, call))
        return Layout(document, self._head_runs(document), tuple(cards), leaders, tuple(calls))

    @staticmethod
    def _trick(trick: object) -> dict[str, Any]:
        if not isinstance(trick, dict):
            raise _UnusualError
        known = {key: value for key, value in trick.items() if value is not None}
        if (
            not _TRICK_KEYS.issuperset(trick)
            or known.get("covered", True) is not True
            or "cards" not in known
            or not isinstance(known.get("roem", []), list)
        ):
            raise _UnusualError
        return known

    @staticmethod
    def _list(node: object, length: int) -> list[Any]:
        if not isinstance(node, list) or len(node) != length:
            raise _UnusualError
        return node

    def _text(self, node: object, width: int) -> Run:
        """The run that is all of a string, so many letters long."""
        if not isinstance(node, str) or len(node) != 1 or ord(node) < _TEXT_LABEL:
            raise _UnusualError
        run = self._runs[ord(node) - _TEXT_LABEL]
        if run.width != width:
            raise _UnusualError
        return run

    def _call(self, trick: int, call: object) -> Call:
        if not isinstance(call, dict) or set(call) != {"seat", "points"}:
            raise _UnusualError
        points = call["points"]
        if not isinstance(points, int) or points < _NUMBER_LABEL:
            raise _UnusualError
        run = self._runs[points - _NUMBER_LABEL]
        if run.width > 3:
            raise _UnusualError
        return Call(trick, self._text(call["seat"], 1), run)

    def _head_runs(self, head: dict[str, Any]) -> dict[int, Run]:
        """The runs whose labels stand in the head."""
        text = json.dumps(head, ensure_ascii=False)
        labels = [
            ord(letter) - _TEXT_LABEL
            for letter in text
            if _TEXT_LABEL <= ord(letter) < _TEXT_LABEL + _MOST_RUNS
        ]
        labels += [int(number) - _NUMBER_LABEL for number in re.findall(r"\d{13}", text)]
        return {label: self._runs[label] for label in labels}
