"""Lines of JSON, each a deal, to lines of JSON, each a result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from capture.command_line.written import at_line, is_line, read_by, text_of
from capture.errors import SettingsError
from rules import Deal
from rules.document import deal_from_document
from rules.result_document import result_to_document

if TYPE_CHECKING:
    from rules.bulk.lines import LineScorer

BATCH_LINES: Final = 4096
"""How many lines are scored together."""
FEW_LINES: Final = 64
"""So few are scored one by one, sooner than the other way is loaded."""

Line = tuple[int, bytes]
"""(the number of a line in its file, from 1; the line)"""


def lines_of(data: bytes, first_number: int = 1) -> Iterator[Line]:
    """The lines that are not empty, with their numbers."""
    for number, line in enumerate(data.split(b"\n"), first_number):
        if line.strip():
            yield number, line


def results_of_lines(lines: Iterator[Line], name: str) -> Iterator[str]:
    """The results of the deals on these lines, many at a time, one on each line.

    Raises:
        SettingsError: for what is no deal, with the number of its line.
    """
    while batch := list(islice(lines, BATCH_LINES)):
        yield "\n".join(_results_of_batch(batch, name))


def _results_of_batch(batch: Sequence[Line], name: str) -> Iterator[str]:
    if len(batch) < FEW_LINES:
        return (_result_of_line(line, name) for line in batch)
    results = _scorer().results([line for _, line in batch])
    return (
        _result_of_line(line, name) if result is None else result
        for line, result in zip(batch, results, strict=True)
    )


@lru_cache(maxsize=1)
def _scorer() -> LineScorer:
    # Loaded where it pays: many lines are scored together with numpy.
    from rules.bulk.lines import LineScorer

    return LineScorer()


def _result_of_line(line: Line, name: str) -> str:
    number, written = line
    return result_line(read_by(deal_from_document, document_of(written, name, number), name, number))


def result_line(deal: Deal) -> str:
    """The result of a deal on one line."""
    return json.dumps(result_to_document(deal.result(), deal), ensure_ascii=False)


def document_of(written: bytes, name: str, number: int | None) -> Mapping[str, object]:
    """What stands in JSON in a line, or in a whole file where there is no ``number``.

    Raises:
        SettingsError: when it is no JSON.
    """
    try:
        document: Mapping[str, object] = parsed(text_of(written, name, number))
    except (ValueError, RecursionError) as error:
        raise no_json(name, number, error) from error
    return document


def parsed(text: str) -> Any:
    """What a text says in JSON; a key that stands twice in one object is no JSON either."""
    return json.loads(text, object_pairs_hook=_without_doubles)


def no_json(name: str, number: int | None, error: Exception) -> SettingsError:
    """What to raise for a line, or a whole file, that is no JSON."""
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
