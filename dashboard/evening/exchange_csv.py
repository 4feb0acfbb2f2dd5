"""An evening as CSV for a spreadsheet: a row a deal, separated by semicolons as Dutch spreadsheets expect.

The last column holds the deal in the notation of ``rules``, and the first row the set-up, so that the file
can be read again. The figures between them are for people; reading takes them from the notation.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, Final

from dashboard.evening.archive import EveningFile, Place
from dashboard.evening.exchange_json import read_strictly, setup_document
from dashboard.evening.exchange_text import file_of_deals, match_of_events, reglementen_of
from dashboard.evening.model import Seating
from rules import Deal, Match, Team, format_deal, parse_deal

COLUMNS: Final = (
    "soort",
    "partij",
    "tafel",
    "spel",
    "wij",
    "zij",
    "gever",
    "troef",
    "speelt",
    "wij punten",
    "wij roem",
    "zij punten",
    "zij roem",
    "wij kruizen",
    "zij kruizen",
    "bijzonderheid",
    "notatie",
)
_BYTE_ORDER_MARK: Final = "\ufeff"
_RISKY: Final = ("=", "+", "-", "@", "\t", "\r")


def evening_to_csv(file: EveningFile) -> str:
    """The evening as CSV, with a byte order mark so that spreadsheets read the letters right."""
    written = io.StringIO()
    writer = csv.DictWriter(written, COLUMNS, delimiter=";", restval="", lineterminator="\r\n")
    writer.writeheader()
    writer.writerow({"soort": "avond", "notatie": json.dumps(setup_document(file), ensure_ascii=False)})
    for row in _rows(file):
        writer.writerow(row)
    return _BYTE_ORDER_MARK + written.getvalue()


def evening_from_csv(text: str) -> EveningFile:
    """The evening that a CSV text by :func:`evening_to_csv` holds.

    Raises:
        EveningError: when it is none; the message says what is wrong.
    """
    return read_strictly(lambda: _file_of(text))


def _rows(file: EveningFile) -> Iterator[dict[str, Any]]:
    for one in file.evening.started_rounds:
        for seating in one.seatings:
            events = file.matches.get((one.number, seating.table))
            if events:
                match = match_of_events(file, events)
                for deal in match.deals:
                    yield {"partij": one.number, **_row(seating, match, deal)}


def _row(seating: Seating, match: Match, deal: Deal) -> dict[str, Any]:
    result = deal.result()
    north_south, east_west = Team
    return {
        "soort": "spel",
        "tafel": seating.table,
        "spel": deal.number,
        "wij": _harmless(seating.name_of(north_south)),
        "zij": _harmless(seating.name_of(east_west)),
        "gever": deal.dealer.dutch,
        "troef": deal.trump.dutch if deal.trump else "",
        "speelt": deal.declarer.dutch if deal.declarer else "",
        "wij punten": result.score_points[north_south],
        "wij roem": result.score_roem[north_south],
        "zij punten": result.score_points[east_west],
        "zij roem": result.score_roem[east_west],
        "wij kruizen": result.kruizen[north_south],
        "zij kruizen": result.kruizen[east_west],
        "bijzonderheid": _remark(match, deal),
        "notatie": format_deal(deal),
    }


def _remark(match: Match, deal: Deal) -> str:
    result = deal.result()
    if result.stopped_by is not None:
        return result.stopped_by.decision.value
    if not result.complete:
        return "niet uitgespeeld"
    return "nat" if result.nat else "pit" if result.pit else ""


def _harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(_RISKY) else name


def _file_of(text: str) -> EveningFile:
    reader = csv.DictReader(io.StringIO(text.removeprefix(_BYTE_ORDER_MARK)), delimiter=";", strict=True)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError(f"the columns must be {'; '.join(COLUMNS)}")
    first = next(reader)
    if first["soort"] != "avond":
        raise ValueError("the first row must be the evening")
    document = json.loads(first["notatie"])
    known = reglementen_of(document)
    deals: dict[Place, list[Deal]] = {}
    for row in reader:
        place = int(row["partij"]), row["tafel"]
        deals.setdefault(place, []).append(parse_deal(row["notatie"], known))
    return file_of_deals(document, deals)
