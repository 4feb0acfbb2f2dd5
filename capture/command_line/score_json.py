"""Deals written as JSON, one or many, and their results as JSON."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, Final

from capture.command_line.score_blocks import results_of_blocks
from capture.command_line.score_lines import document_of, lines_of, no_json, parsed, results_of_lines
from capture.command_line.written import read_by, text_of
from capture.errors import SettingsError
from rules.document import deal_from_document
from rules.result_document import result_to_document

ONE_DOCUMENT_BYTES: Final = 1 << 24
"""More than this is never one deal, so it is read as lines, a part at a time."""
_BLOCK_BYTES: Final = 1 << 21


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
    number, line = next(lines_of(start))
    document_of(line, name, None if number == 1 else number)
    return results_of_blocks(_blocks(start, stream), name)


def _results_of_whole(data: bytes, name: str) -> Iterator[str]:
    try:
        document = parsed(text_of(data, name))
    except (ValueError, RecursionError) as error:
        lines = list(lines_of(data))
        if len(lines) < 2 or not _is_json(lines[0][1]):
            raise no_json(name, None, error) from error
        return results_of_lines(iter(lines), name)
    deal = read_by(deal_from_document, document, name, None)
    return iter((json.dumps(result_to_document(deal.result(), deal), ensure_ascii=False, indent=2),))


def _is_json(line: bytes) -> bool:
    try:
        parsed(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True


def _blocks(start: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """What is read, a part at a time; each ends where a line does."""
    cut_off: list[bytes] = []
    pieces = (start[place : place + _BLOCK_BYTES] for place in range(0, len(start), _BLOCK_BYTES))
    for block in chain(pieces, iter(lambda: stream.read(_BLOCK_BYTES), b"")):
        whole, line_end, rest = block.rpartition(b"\n")
        if line_end:
            yield b"".join((*cut_off, whole, line_end))
            cut_off = []
        cut_off.append(rest)
    yield b"".join(cut_off)
