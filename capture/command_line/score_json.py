"""Deals written as JSON, one or many, and their results as JSON."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, BinaryIO, Final, Protocol

from capture.command_line.written import at_line, is_line, read_by, text_of
from capture.errors import SettingsError
from rules import Deal
from rules.document import deal_from_document, result_to_document

ONE_DOCUMENT_BYTES: Final = 1 << 24
"""More than this is never one deal, so it is read as lines, a part at a time."""
BLOCK_BYTES: Final = 1 << 22
BATCH_LINES: Final = 16_384
"""How many lines are scored before their results are written."""
FEW_LINES: Final = 64
"""So few are scored one by one, sooner than the other way is loaded."""

Line = tuple[int, bytes]
"""(the number of a line in its file, from 1; the line)"""


class ManyScorer(Protocol):
    """Scores lines together; None where it leaves one to the usual way."""

    def results(self, lines: Sequence[bytes]) -> list[str | None]:
        """The result of each line, as :func:`result_line` has it."""


def results_of(stream: BinaryIO, name: str) -> Iterator[str]:
    """The results of the deals in ``stream``, in parts to be printed; one deal by itself is indented.

    Raises:
        SettingsError: for what is no deal, with the number of its line; of a long file the results of many
            lines before it may have been given.
    """
    start = stream.read(ONE_DOCUMENT_BYTES).removeprefix(codecs.BOM_UTF8)
    if not start.strip():
        raise SettingsError(f"{name} is leeg. Geef een spel als JSON.", "it is empty. Give a deal as JSON.")
    if len(start) < ONE_DOCUMENT_BYTES - len(codecs.BOM_UTF8):
        return _results_of_whole(start, name)
    first = next(_lines(iter((start,))))
    _document(first[1], name, None)
    return _results_of_lines(_lines(chain((start,), _blocks(stream))), name)


def _results_of_whole(data: bytes, name: str) -> Iterator[str]:
    try:
        document = _json(text_of(data, name, None))
    except (ValueError, RecursionError) as error:
        lines = list(_lines(iter((data,))))
        if len(lines) < 2 or not _is_json(lines[0][1]):
            raise _no_json(name, None, error) from error
        return _results_of_lines(iter(lines), name)
    deal = read_by(deal_from_document, document, name, None)
    return iter((json.dumps(result_to_document(deal.result(), deal), ensure_ascii=False, indent=2),))


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    while block := stream.read(BLOCK_BYTES):
        yield block


def _lines(blocks: Iterator[bytes]) -> Iterator[Line]:
    """The lines that are not empty, with their numbers."""
    number, rest = 0, b""
    for block in blocks:
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            number += 1
            if line.strip():
                yield number, line
    if rest.strip():
        yield number + 1, rest


def _results_of_lines(lines: Iterator[Line], name: str) -> Iterator[str]:
    start = list(islice(lines, FEW_LINES))
    if len(start) < FEW_LINES:
        yield "\n".join(_result_line(line, name) for line in start)
        return
    # Loaded where it pays: many lines are scored together with numpy.
    from rules.bulk.lines import LineScorer

    scorer, lines = LineScorer(), chain(start, lines)
    while batch := list(islice(lines, BATCH_LINES)):
        yield "\n".join(_results_of_batch(scorer, batch, name))


def _results_of_batch(scorer: ManyScorer, batch: Sequence[Line], name: str) -> Iterator[str]:
    results = scorer.results([line for _, line in batch])
    for line, result in zip(batch, results, strict=True):
        yield _result_line(line, name) if result is None else result


def _result_line(line: Line, name: str) -> str:
    number, written = line
    return result_line(read_by(deal_from_document, _document(written, name, number), name, number))


def result_line(deal: Deal) -> str:
    """The result of a deal on one line."""
    return json.dumps(result_to_document(deal.result(), deal), ensure_ascii=False)


def _document(line: bytes, name: str, number: int | None) -> Mapping[str, object]:
    try:
        document: Mapping[str, object] = _json(text_of(line, name, number))
    except (ValueError, RecursionError) as error:
        raise _no_json(name, number, error) from error
    return document


def _json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_without_doubles)


def _is_json(line: bytes) -> bool:
    try:
        _json(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True


def _no_json(name: str, number: int | None, error: Exception) -> SettingsError:
    return SettingsError(
        f"{name}{at_line(number)} is geen JSON. Controleer de schrijfwijze, of geef --notation.",
        f"{is_line(number)}not JSON ({error}). Check it, or give --notation.",
    )


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that stands in it twice, JSON itself would drop the first value without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"{double!r} stands twice in one object")
    return found
