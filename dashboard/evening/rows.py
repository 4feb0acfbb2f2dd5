"""Evenings out of the store's rows, and back into them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from dashboard.evening.model import Evening, EveningRound, LogEntry, Participant, Seating
from dashboard.store.evening_schema import (
    ARCHIVED_MATCHES,
    EVENING_LOG,
    EVENINGS,
    PARTICIPANTS,
    ROUNDS,
    SEATS,
)
from rules import (
    REGLEMENTEN,
    Reglement,
    Seat,
    Team,
    reglement_from_mapping,
    reglement_named,
    reglement_to_mapping,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningSettings:
    """What is chosen for an evening before it begins; the fields as in :class:`Evening`."""

    title: str
    day: str
    season: str
    reglement: Reglement
    first_dealer: Seat


def columns_of(settings: EveningSettings) -> dict[str, str]:
    """The settings as the store keeps them."""
    return {
        "title": settings.title,
        "day": settings.day,
        "season": settings.season,
        "reglement": reglement_as_text(settings.reglement),
        "first_dealer": settings.first_dealer.value,
    }


def reglement_as_text(reglement: Reglement) -> str:
    """JSON: the name of a built-in reglement, or every setting of another."""
    known = REGLEMENTEN.get(reglement.name) == reglement
    value = reglement.name if known else reglement_to_mapping(reglement)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def reglement_of_text(text: str) -> Reglement:
    """What :func:`reglement_as_text` wrote.

    Raises:
        ReglementError: when it is no reglement.
    """
    value = json.loads(text)
    return reglement_named(value) if isinstance(value, str) else reglement_from_mapping(value)


def read_evening(connection: Connection, evening_id: int) -> Evening | None:
    """One evening with everybody in it; None when there is none of that id."""
    row = connection.execute(select(EVENINGS).where(EVENINGS.c.id == evening_id)).first()
    if row is None:
        return None
    participants = _participants(connection, evening_id)
    archived = select(ARCHIVED_MATCHES.c.round).where(ARCHIVED_MATCHES.c.evening_id == evening_id).limit(1)
    return Evening(
        id=row.id,
        title=row.title,
        day=row.day,
        season=row.season,
        reglement=reglement_of_text(row.reglement),
        first_dealer=Seat(row.first_dealer),
        participants=tuple(participants.values()),
        rounds=_rounds(connection, evening_id, participants),
        ended_utc=moment_or_none(row.ended_utc),
        is_archived=connection.execute(archived).first() is not None,
    )


def read_log(connection: Connection, evening_id: int) -> tuple[LogEntry, ...]:
    """Who changed what, oldest first."""
    query = select(EVENING_LOG).where(EVENING_LOG.c.evening_id == evening_id).order_by(EVENING_LOG.c.id)
    return tuple(
        LogEntry(datetime.fromisoformat(row.time_utc), row.by, row.what, json.loads(row.detail))
        for row in connection.execute(query)
    )


def moment_or_none(text: str | None) -> datetime | None:
    """A moment as the store writes it."""
    return datetime.fromisoformat(text) if text else None


def _participants(connection: Connection, evening_id: int) -> dict[int, Participant]:
    query = (
        select(PARTICIPANTS)
        .where(PARTICIPANTS.c.evening_id == evening_id)
        .order_by(PARTICIPANTS.c.position, PARTICIPANTS.c.id)
    )
    return {
        row.id: Participant(
            id=row.id,
            name=row.name,
            players=tuple(json.loads(row.players)),
            from_round=row.from_round,
            until_round=row.until_round,
            withdrew_in_round=row.withdrew_in_round,
        )
        for row in connection.execute(query)
    }


def _rounds(
    connection: Connection, evening_id: int, participants: Mapping[int, Participant]
) -> tuple[EveningRound, ...]:
    query = select(SEATS).where(SEATS.c.evening_id == evening_id).order_by(SEATS.c.place)
    seats = list(connection.execute(query))
    rounds = connection.execute(
        select(ROUNDS).where(ROUNDS.c.evening_id == evening_id).order_by(ROUNDS.c.number)
    )
    return tuple(
        _round(row, [seat for seat in seats if seat.round == row.number], participants) for row in rounds
    )


def _round(row: Row[Any], seats: Iterable[Row[Any]], participants: Mapping[int, Participant]) -> EveningRound:
    tables: dict[str, dict[Team, list[Participant]]] = {}
    byes = []
    for seat in seats:
        if not seat.table_name:
            byes.append(participants[seat.participant_id])
            continue
        sides = tables.setdefault(seat.table_name, {team: [] for team in Team})
        sides[Team(seat.side)].append(participants[seat.participant_id])
    seatings = tuple(
        Seating(table, {team: tuple(side) for team, side in tables[table].items()})
        for table in sorted(tables, key=natural_order)
    )
    return EveningRound(row.number, moment_or_none(row.started_utc), seatings, tuple(byes))


def natural_order(table: str) -> tuple[int, int, str]:
    """Numbers in their own order and before words."""
    return (0, int(table), table) if table.isdigit() else (1, 0, table)
