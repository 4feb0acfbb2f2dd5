"""The results of whole deals as JSON lines, written by filling numbers into texts that ``rules`` made.

For each way in which a deal can end (who plays, nat, pit) the text is made by the usual route, and again with
each of the sums one higher; every number in it that changes is a sum of those. No word of a result stands
here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rules.cards import Seat, Team
from rules.deal import Deal
from rules.reglement import Reglement, RoemCounts
from rules.result import DealResult, both, scored
from rules.result_document import result_to_document
from rules.table import TRICKS_IN_DEAL

SUMS: Final = ("points", "roem_seen", "roem_called", "tricks_won")
"""What is summed over the tricks of a deal, first of N and S, then the same of E and W."""

_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal ended: who played, whether it was nat, and who made a pit."""

    playing: Team
    nat: bool
    pit_team: Team | None


@dataclass(frozen=True, slots=True)
class Template:
    """A result with ``%d`` for each number that depends on the sums.

    weights: per such number how it is made: a constant, then how often each of the eight sums.
    """

    text: str
    weights: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=256)
def template_of(reglement: Reglement, ending: Ending) -> Template:
    """The template of deals that end like this."""
    sums = _example(ending)
    text = _line(reglement, ending, sums)
    numbers = _numbers_in(text)
    others = [
        _numbers_in(_line(reglement, ending, _raised(ending, sums, place))) for place in range(len(sums))
    ]
    pieces = _NUMBER.split(text.replace("%", "%%"))
    written, weights = [pieces[0]], []
    for index, (number, piece) in enumerate(zip(numbers, pieces[1:], strict=True)):
        slopes = [other[index] - number for other in others]
        if any(slopes):
            constant = number - sum(slope * value for slope, value in zip(slopes, sums, strict=True))
            weights.append((constant, *slopes))
            written.append("%d")
        else:
            written.append(str(number))
        written.append(piece)
    return Template("".join(written), tuple(weights))


def _example(ending: Ending) -> list[int]:
    """Sums that end so, and still do with one of them one higher."""
    # Whoever is to have more has a hundred times more.
    more = ending.playing.opponents if ending.nat else ending.playing
    sums = []
    for team in Team:
        base = 100_000 if team is more else 1_000
        tricks = TRICKS_IN_DEAL if team is ending.pit_team else 0
        sums += [base + 100, base + 20, base + 20, tricks]
    return sums


def _raised(ending: Ending, sums: Sequence[int], place: int) -> list[int]:
    """The sums with one of them one higher; the tricks of a pit are what they are."""
    is_fixed = ending.pit_team is not None and SUMS[place % len(SUMS)] == "tricks_won"
    return [value + (place == other and not is_fixed) for other, value in enumerate(sums)]


def _numbers_in(text: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(text)]


def _line(reglement: Reglement, ending: Ending, sums: Sequence[int]) -> str:
    """The usual result, as one line of JSON."""
    points, seen, called, tricks = (
        both(north_south, east_west) for north_south, east_west in zip(sums[:4], sums[4:], strict=True)
    )
    roem = called if reglement.roem_counts is RoemCounts.CALLED else seen
    won = DealResult(
        points=points,
        roem=roem,
        roem_seen=seen,
        roem_called=called,
        tricks_won=tricks,
        score_points=points,
        score_roem=roem,
        kruizen=both(),
        playing_team=ending.playing,
    )
    result = scored(reglement, won)
    document = result_to_document(result, Deal(reglement, Seat.NORTH))
    return json.dumps(document, ensure_ascii=False)
