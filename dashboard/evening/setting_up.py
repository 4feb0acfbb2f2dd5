"""Changes before play: the settings, who takes part, the lots."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, insert, update

from dashboard.errors import EveningError
from dashboard.evening.model import Evening
from dashboard.evening.register import Change, LogLine
from dashboard.evening.rows import EveningSettings, columns_of
from dashboard.evening.seats import known, plan_again, set_participant
from dashboard.store.evening_schema import EVENINGS, PARTICIPANTS, ROUNDS, SEATS

Entry = tuple[str, tuple[str, ...]]
"""A participant's name, and the names of the people."""


def set_up(settings: EveningSettings) -> Change:
    """Other settings; refused once a match has begun."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        refuse_when_begun(evening)
        connection.execute(update(EVENINGS).where(EVENINGS.c.id == evening.id).values(**columns_of(settings)))
        yield "settings", {"title": settings.title, "reglement": settings.reglement.title}
        if evening.rounds:
            plan_again(connection, evening.id)

    return change


def add(entries: Sequence[Entry]) -> Change:
    """More participants; who comes late joins from the next match. A name can take part only once."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        refuse_when_ended(evening)
        taken = {one.name.casefold() for one in evening.participants}
        from_round = len(evening.started_rounds) + 1
        for place, (name, players) in enumerate(entries, len(evening.participants) + 1):
            if name.casefold() in taken:
                raise EveningError("name-twice", name)
            taken.add(name.casefold())
            connection.execute(
                insert(PARTICIPANTS).values(
                    evening_id=evening.id,
                    position=place,
                    name=name,
                    players=_as_text(players),
                    from_round=from_round,
                )
            )
            yield "added", {"name": name, "round": str(from_round)}
        if evening.rounds:
            plan_again(connection, evening.id)

    return change


def rename(participant_id: int, name: str, players: tuple[str, ...]) -> Change:
    """Another name, or other people, for a participant; at any time."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        before = known(evening, participant_id)
        others = {one.name.casefold() for one in evening.participants if one.id != participant_id}
        if name.casefold() in others:
            raise EveningError("name-twice", name)
        set_participant(connection, participant_id, name=name, players=_as_text(players))
        yield "renamed", {"name": before.name, "to": name, "players": ", ".join(players)}

    return change


def remove(participant_id: int) -> Change:
    """Take a participant out before the first match; lots have to be drawn again."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        name = known(evening, participant_id).name
        refuse_when_begun(evening)
        connection.execute(delete(SEATS).where(SEATS.c.evening_id == evening.id))
        connection.execute(delete(ROUNDS).where(ROUNDS.c.evening_id == evening.id))
        connection.execute(delete(PARTICIPANTS).where(PARTICIPANTS.c.id == participant_id))
        yield "removed", {"name": name}

    return change


def draw(order: Sequence[int]) -> Change:
    """Plan every match that has not begun, for the participants in the order that the lots gave."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        refuse_when_ended(evening)
        if sorted(order) != sorted(one.id for one in evening.participants):
            raise EveningError("order")
        for place, participant_id in enumerate(order, 1):
            set_participant(connection, participant_id, position=place)
        yield "drawn", {"names": ", ".join(known(evening, one).name for one in order)}
        plan_again(connection, evening.id)

    return change


def refuse_when_begun(evening: Evening) -> None:
    """Raises:
    EveningError: when a match has begun.
    """
    if evening.started_rounds:
        raise EveningError("begun", evening.title)


def refuse_when_ended(evening: Evening) -> None:
    """Raises:
    EveningError: when the evening is over.
    """
    if evening.ended_utc is not None:
        raise EveningError("ended", evening.title)


def _as_text(players: Sequence[str]) -> str:
    return json.dumps(list(players), ensure_ascii=False)
