"""An evening as text: its matches in the notation of ``rules``, one deal a line, with remarks between them.

# klaveroog {"klaveroog": "avond", …}           the set-up as JSON, on one line
# partij 1 tafel 2: De Boeren – De Vrouwen
partij klaverjas-drive gever Z
spel 1 klaverjas-drive gever Z speelt W H : W HB H7 HA H8 / …
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, time
from typing import Any, Final

from dashboard.evening.archive import EveningFile, Place
from dashboard.evening.deal_events import events_of_deals
from dashboard.evening.exchange_json import file_of_setup, read_strictly, setup_document
from dashboard.evening.matches import match_of
from rules import REGLEMENTEN as BUILT_IN
from rules import Deal, Match, Reglement, Team, format_match, parse_match
from tracker.events import Event, fold_deals

_SETUP: Final = "# klaveroog "
_HEADING: Final = re.compile(r"# partij (\d{1,3}) tafel (\S{1,32}):.*")


def evening_to_text(file: EveningFile) -> str:
    """The evening in notation; covered tricks, rulings and roem are in it, times and certainties are not."""
    parts = [_SETUP + json.dumps(setup_document(file), ensure_ascii=False) + "\n"]
    for one in file.evening.started_rounds:
        for seating in one.seatings:
            events = file.matches.get((one.number, seating.table))
            if events:
                names = " – ".join(seating.name_of(team) for team in Team)
                parts.append(f"\n# partij {one.number} tafel {seating.table}: {names}\n")
                parts.append(format_match(match_of_events(file, events)))
    return "".join(parts)


def evening_from_text(text: str) -> EveningFile:
    """The evening that a text in notation holds.

    Raises:
        EveningError: when it is none; the message says what is wrong.
    """
    return read_strictly(lambda: _file_of(text))


def match_of_events(file: EveningFile, events: tuple[Event, ...] | list[Event] | Any) -> Match:
    """The match that the events of an evening's table make."""
    evening = file.evening
    return match_of(evening.reglement, evening.first_dealer, fold_deals(events, evening.reglement))


def file_of_deals(document: dict[str, Any], deals: dict[Place, list[Deal]]) -> EveningFile:
    """An evening of which the deals are known and the events are not: they are told anew."""
    empty = file_of_setup(document, {})
    starts = {one.number: one.started_utc for one in empty.evening.rounds}
    midnight = datetime.combine(datetime.fromisoformat(empty.evening.day), time(), UTC)
    matches = {
        (number, table): events_of_deals(played, table, starts.get(number) or midnight)
        for (number, table), played in deals.items()
    }
    return file_of_setup(document, matches)


def reglementen_of(document: dict[str, Any]) -> dict[str, Reglement]:
    """The reglementen that the deals of an evening may name."""
    reglement = file_of_setup(document, {}).evening.reglement
    return {**BUILT_IN, reglement.name: reglement}


def _file_of(text: str) -> EveningFile:
    head, _, rest = text.removeprefix("\ufeff").partition("\n")
    if not head.startswith(_SETUP):
        raise ValueError(f"the first line must begin with {_SETUP!r}")
    document = json.loads(head.removeprefix(_SETUP))
    known = reglementen_of(document)
    deals = {
        place: list(parse_match(lines, known).deals) for place, lines in _sections(rest.splitlines()).items()
    }
    return file_of_deals(document, deals)


def _sections(lines: list[str]) -> dict[Place, str]:
    """The lines of each match."""
    sections: dict[Place, str] = {}
    place: Place | None = None
    for line in lines:
        heading = _HEADING.fullmatch(line.strip())
        if heading:
            place = int(heading[1]), heading[2]
            sections[place] = ""
        elif place is not None:
            sections[place] += line + "\n"
        elif line.strip():
            raise ValueError(f"this line belongs to no match: {line[:60]!r}")
    return sections
