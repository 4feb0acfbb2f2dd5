"""Changes during the evening: matches begin, somebody gives up, goes home or comes back, the end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import Connection, update

from dashboard.errors import EveningError
from dashboard.evening.model import Evening
from dashboard.evening.register import Change, LogLine
from dashboard.evening.seats import known, plan_again, set_participant
from dashboard.evening.setting_up import refuse_when_ended
from dashboard.store.database import utc_text
from dashboard.store.evening_schema import EVENINGS, ROUNDS


def start_round(number: int) -> Change:
    """Match ``number`` begins; pressed twice it began once. Refused when it is not the next one."""

    def change(connection: Connection, evening: Evening, now: datetime) -> Iterator[LogLine]:
        refuse_when_ended(evening)
        wanted = evening.round(number)
        if wanted is None or (wanted.started_utc is None and wanted != evening.next_round):
            raise EveningError("not-next", str(number))
        if wanted.started_utc is None:
            _set_start(connection, evening, number, utc_text(now))
            yield "started", {"round": str(number)}

    return change


def unstart_round(number: int) -> Change:
    """Match ``number`` did not begin after all. Refused when another was begun after it."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        refuse_when_ended(evening)
        if evening.running_round is None or evening.running_round.number != number:
            raise EveningError("not-last", str(number))
        _set_start(connection, evening, number, None)
        yield "unstarted", {"round": str(number)}

    return change


def withdraw(participant_id: int) -> Change:
    """A participant gives up the match that is being played (opgave) and goes home."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        refuse_when_ended(evening)
        who, running = known(evening, participant_id), evening.running_round
        if running is None or not any(who in seating.participants for seating in running.seatings):
            raise EveningError("not-playing", who.name)
        number = running.number
        set_participant(connection, participant_id, until_round=number, withdrew_in_round=number)
        yield "withdrew", {"name": who.name, "round": str(number)}
        plan_again(connection, evening.id)

    return change


def leave(participant_id: int) -> Change:
    """A participant goes home after the match that is being played; before the first one: is not coming."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        refuse_when_ended(evening)
        who, last = known(evening, participant_id), len(evening.started_rounds)
        set_participant(connection, participant_id, until_round=last)
        yield "left", {"name": who.name, "round": str(last)}
        plan_again(connection, evening.id)

    return change


def come_back(participant_id: int) -> Change:
    """A participant who withdrew or left stays after all: nothing of it is left but the log."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        refuse_when_ended(evening)
        who = known(evening, participant_id)
        set_participant(connection, participant_id, until_round=None, withdrew_in_round=None)
        yield "came-back", {"name": who.name}
        plan_again(connection, evening.id)

    return change


def end() -> Change:
    """The evening is over; half an hour later its sheets freeze. Pressed twice it ended once."""

    def change(connection: Connection, evening: Evening, now: datetime) -> Iterator[LogLine]:
        if not evening.started_rounds:
            raise EveningError("not-begun")
        if evening.ended_utc is None:
            _set_end(connection, evening, utc_text(now))
            yield "ended", {}

    return change


def reopen() -> Change:
    """The evening was not over yet; possible until the sheets freeze."""

    def change(connection: Connection, evening: Evening, _now: datetime) -> Iterator[LogLine]:
        if evening.ended_utc is not None:
            _set_end(connection, evening, None)
            yield "reopened", {}

    return change


def _set_start(connection: Connection, evening: Evening, number: int, started: str | None) -> None:
    which = (ROUNDS.c.evening_id == evening.id) & (ROUNDS.c.number == number)
    connection.execute(update(ROUNDS).where(which).values(started_utc=started))


def _set_end(connection: Connection, evening: Evening, ended: str | None) -> None:
    connection.execute(update(EVENINGS).where(EVENINGS.c.id == evening.id).values(ended_utc=ended))
