"""An evening as JSON: everything, with the events of every match.

{"klaveroog": "avond", "version": 1, "title": …, "day": …, "season": …, "reglement": …, "first_dealer": "S",
 "ended_utc": …, "participants": [{"name": …, "players": […], "from_round": 1, …}],
 "rounds": [{"number": 1, "started_utc": …, "tables": [{"table": "1", "NS": […], "EW": […]}], "byes": […]}],
 "paper": [{"round": 1, "table": "1", "writer": "NS", "deal": 3, "figures": [82, 20, 80, 0]}],
 "matches": [{"round": 1, "table": "1", "events": […]}], "log": […]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from dashboard.errors import EveningError
from dashboard.evening.archive import EveningFile, Place, Sheets
from dashboard.evening.forms import LONGEST_NAME
from dashboard.evening.model import Evening, EveningRound, LogEntry, Participant, Seating
from dashboard.evening.paper import PaperLine, paper_line
from dashboard.evening.rows import reglement_as_text, reglement_of_text
from rules import Seat, Team
from tracker.events import Event, event_from_json, event_to_json

_KIND: Final = "avond"
_VERSION: Final = 1


def evening_to_json(file: EveningFile) -> str:
    """The whole evening as a JSON text, always the same for the same evening."""
    document = setup_document(file) | {
        "matches": [
            {
                "round": number,
                "table": table,
                "events": [event_to_json(event) for event in file.matches[number, table]],
            }
            for number, table in _in_order(file.matches)
        ],
        "log": [
            {"time_utc": _text(entry.time_utc), "by": entry.by, "what": entry.what, "detail": entry.detail}
            for entry in file.log
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def evening_from_json(text: str) -> EveningFile:
    """The evening that a JSON text holds.

    Raises:
        EveningError: when it is none; the message says what is wrong.
    """
    return read_strictly(lambda: _file_of(json.loads(text)))


def read_strictly(read: Any) -> EveningFile:
    """``read()``, with whatever is wrong in a file told as one :class:`EveningError`."""
    try:
        file: EveningFile = read()
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration, RecursionError) as error:
        raise EveningError("file", f"{type(error).__name__}: {error}"[:200]) from error
    return file


def setup_document(file: EveningFile) -> dict[str, Any]:
    """All that was set up and written on paper; no events."""
    evening = file.evening
    return {
        "klaveroog": _KIND,
        "version": _VERSION,
        "title": evening.title,
        "day": evening.day,
        "season": evening.season,
        "reglement": json.loads(reglement_as_text(evening.reglement)),
        "first_dealer": evening.first_dealer.value,
        "ended_utc": _text(evening.ended_utc) if evening.ended_utc else None,
        "participants": [_participant(one) for one in evening.participants],
        "rounds": [_round(one) for one in evening.rounds],
        "paper": [
            {
                "round": number,
                "table": table,
                "writer": team.value,
                "deal": deal,
                "figures": json.loads(line.as_text()),
            }
            for number, table in _in_order(file.paper)
            for team in Team
            for deal, line in sorted(file.paper[number, table].get(team, {}).items())
        ],
    }


def file_of_setup(
    document: Mapping[str, Any],
    matches: Mapping[Place, tuple[Event, ...]],
    log: tuple[LogEntry, ...] = (),
) -> EveningFile:
    """The evening of a document by :func:`setup_document`, with its matches.

    Raises:
        KeyError, TypeError, ValueError: when it is none.
    """
    if document["klaveroog"] != _KIND or document["version"] != _VERSION:
        raise ValueError(f"not an evening of version {_VERSION}")
    participants = tuple(
        _read_participant(place, one) for place, one in enumerate(document["participants"], 1)
    )
    by_name = {one.name: one for one in participants}
    if len(by_name) != len(participants):
        raise ValueError("a name takes part twice")
    ended = document["ended_utc"]
    evening = Evening(
        id=0,
        title=_short(document["title"], 80),
        day=date.fromisoformat(document["day"]).isoformat(),
        season=_short(document["season"], 40),
        reglement=reglement_of_text(json.dumps(document["reglement"])),
        first_dealer=Seat(document["first_dealer"]),
        participants=participants,
        rounds=tuple(_read_round(place, one, by_name) for place, one in enumerate(document["rounds"], 1)),
        ended_utc=_moment(ended) if ended else None,
    )
    return EveningFile(evening, matches, _read_paper(document["paper"]), log)


def _file_of(document: Mapping[str, Any]) -> EveningFile:
    matches = {
        (int(one["round"]), str(one["table"])): tuple(event_from_json(event) for event in one["events"])
        for one in document["matches"]
    }
    log = tuple(
        LogEntry(
            _moment(entry["time_utc"]),
            _short(entry["by"], 80),
            _short(entry["what"], 40),
            {str(key): str(value) for key, value in entry["detail"].items()},
        )
        for entry in document["log"]
    )
    return file_of_setup(document, matches, log)


def _in_order(places: Mapping[Place, object]) -> list[Place]:
    return sorted(places, key=lambda place: (place[0], len(place[1]), place[1]))


def _participant(one: Participant) -> dict[str, Any]:
    return {
        "name": one.name,
        "players": list(one.players),
        "from_round": one.from_round,
        "until_round": one.until_round,
        "withdrew_in_round": one.withdrew_in_round,
    }


def _round(one: EveningRound) -> dict[str, Any]:
    return {
        "number": one.number,
        "started_utc": _text(one.started_utc) if one.started_utc else None,
        "tables": [
            {
                "table": seating.table,
                **{team.value: [who.name for who in seating.sides[team]] for team in Team},
            }
            for seating in one.seatings
        ],
        "byes": [who.name for who in one.byes],
    }


def _read_participant(place: int, one: Mapping[str, Any]) -> Participant:
    return Participant(
        id=place,
        name=_short(one["name"], LONGEST_NAME),
        players=tuple(_short(player, LONGEST_NAME) for player in one["players"]),
        from_round=int(one["from_round"]),
        until_round=None if one["until_round"] is None else int(one["until_round"]),
        withdrew_in_round=None if one["withdrew_in_round"] is None else int(one["withdrew_in_round"]),
    )


def _read_round(place: int, one: Mapping[str, Any], by_name: Mapping[str, Participant]) -> EveningRound:
    if one["number"] != place:
        raise ValueError(f"round {one['number']!r} stands at place {place}")
    seatings = tuple(
        Seating(
            _short(table["table"], 32),
            {team: tuple(by_name[name] for name in table[team.value]) for team in Team},
        )
        for table in one["tables"]
    )
    started = one["started_utc"]
    return EveningRound(
        place, _moment(started) if started else None, seatings, tuple(by_name[name] for name in one["byes"])
    )


def _read_paper(lines: list[Mapping[str, Any]]) -> Sheets:
    found: dict[Place, dict[Team, dict[int, PaperLine]]] = {}
    for line in lines:
        sheets = found.setdefault((int(line["round"]), _short(line["table"], 32)), {})
        sheets.setdefault(Team(line["writer"]), {})[int(line["deal"])] = paper_line(line["figures"])
    return found


def _short(text: Any, longest: int) -> str:
    if not isinstance(text, str) or len(text) > longest:
        raise ValueError(f"expected a text of at most {longest} characters, not {str(text)[:60]!r}")
    return text


def _text(moment: datetime) -> str:
    return moment.isoformat()


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"a moment needs a time zone: {text!r}")
    return moment
