"""A whole evening as one value, out of the store and back: what the files for exchange are made from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, insert, select

from dashboard.evening.model import Evening, LogEntry, Participant
from dashboard.evening.paper import PaperLine
from dashboard.evening.rows import EveningSettings, columns_of, read_evening
from dashboard.evening.seats import write_round
from dashboard.store import Store
from dashboard.store.database import utc_text
from dashboard.store.evening_schema import (
    ARCHIVED_MATCHES,
    EVENING_LOG,
    EVENINGS,
    PAPER_FIGURES,
    PARTICIPANTS,
)
from rules import Team
from tracker.events import Event, event_from_json, event_to_json

Place = tuple[int, str]
"""Match of the evening, and table."""

Sheets = Mapping[Place, Mapping[Team, Mapping[int, PaperLine]]]


@dataclass(frozen=True, slots=True)
class EveningFile:
    """An evening with the events of its matches, the players' sheets and its log.

    The ids of the participants mean nothing outside; who is who stands in their names.
    """

    evening: Evening
    matches: Mapping[Place, Sequence[Event]]
    paper: Sheets = field(default_factory=dict)
    log: Sequence[LogEntry] = ()


class Archive:
    """The evenings that were read from files."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def matches(self, evening_id: int) -> dict[Place, tuple[Event, ...]]:
        """The events of each match of an archived evening."""
        query = select(ARCHIVED_MATCHES).where(ARCHIVED_MATCHES.c.evening_id == evening_id)
        with self._store.reading() as connection:
            rows = list(connection.execute(query))
        return {(row.round, row.table_name): _events_of(row.events) for row in rows}

    def add(self, file: EveningFile, by: str, now: datetime) -> int:
        """Store an evening from a file; gives its id. All of it is there, or nothing."""
        with self._store.writing() as connection:
            evening_id = _insert_evening(connection, file.evening, now)
            ids = _insert_participants(connection, evening_id, file.evening)
            for one in file.evening.rounds:
                write_round(connection, evening_id, one, ids)
            _insert_matches(connection, evening_id, file)
            _insert_paper(connection, evening_id, file.paper, by, now)
            imported = LogEntry(now, by, "imported", {"title": file.evening.title})
            _insert_log(connection, evening_id, [*file.log, imported])
            assert read_evening(connection, evening_id) is not None
        return evening_id


def _events_of(text: str) -> tuple[Event, ...]:
    return tuple(event_from_json(value) for value in json.loads(text))


def _insert_evening(connection: Connection, evening: Evening, now: datetime) -> int:
    settings = EveningSettings(
        title=evening.title,
        day=evening.day,
        season=evening.season,
        reglement=evening.reglement,
        first_dealer=evening.first_dealer,
    )
    created = connection.execute(
        insert(EVENINGS).values(
            created_utc=utc_text(now),
            ended_utc=utc_text(evening.ended_utc) if evening.ended_utc else None,
            **columns_of(settings),
        )
    )
    assert created.inserted_primary_key is not None
    return int(created.inserted_primary_key[0])


def _insert_participants(connection: Connection, evening_id: int, evening: Evening) -> dict[int, int]:
    return {
        one.id: _insert_participant(connection, evening_id, place, one)
        for place, one in enumerate(evening.participants, 1)
    }


def _insert_participant(connection: Connection, evening_id: int, place: int, one: Participant) -> int:
    created = connection.execute(
        insert(PARTICIPANTS).values(
            evening_id=evening_id,
            position=place,
            name=one.name,
            players=json.dumps(list(one.players), ensure_ascii=False),
            from_round=one.from_round,
            until_round=one.until_round,
            withdrew_in_round=one.withdrew_in_round,
        )
    )
    assert created.inserted_primary_key is not None
    return int(created.inserted_primary_key[0])


def _insert_matches(connection: Connection, evening_id: int, file: EveningFile) -> None:
    rows = [
        {
            "evening_id": evening_id,
            "round": one.number,
            "table_name": seating.table,
            "events": json.dumps(
                [event_to_json(event) for event in file.matches.get((one.number, seating.table), ())],
                separators=(",", ":"),
            ),
        }
        for one in file.evening.started_rounds
        for seating in one.seatings
    ]
    if rows:
        connection.execute(insert(ARCHIVED_MATCHES), rows)


def _insert_paper(connection: Connection, evening_id: int, paper: Sheets, by: str, now: datetime) -> None:
    rows = [
        {
            "evening_id": evening_id,
            "round": number,
            "table_name": table,
            "writer": team.value,
            "deal": deal,
            "figures": line.as_text(),
            "by": by,
            "time_utc": utc_text(now),
        }
        for (number, table), sheets in paper.items()
        for team, lines in sheets.items()
        for deal, line in lines.items()
    ]
    if rows:
        connection.execute(insert(PAPER_FIGURES), rows)


def _insert_log(connection: Connection, evening_id: int, log: Sequence[LogEntry]) -> None:
    rows = [
        {
            "evening_id": evening_id,
            "time_utc": utc_text(entry.time_utc),
            "by": entry.by,
            "what": entry.what,
            "detail": json.dumps(entry.detail, ensure_ascii=False),
        }
        for entry in log
    ]
    connection.execute(insert(EVENING_LOG), rows)
