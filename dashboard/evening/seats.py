"""Writing who sits where, in a transaction that is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, update

from dashboard.errors import EveningError
from dashboard.evening.model import Evening, EveningRound, Participant
from dashboard.evening.planning import planned_rounds
from dashboard.evening.rows import read_evening
from dashboard.store.database import utc_text
from dashboard.store.evening_schema import PARTICIPANTS, ROUNDS, SEATS
from rules import ScheduleError, Team

_NO_SIDE: Final = "-"


def known(evening: Evening, participant_id: int) -> Participant:
    """The participant with this id.

    Raises:
        EveningError: when there is none.
    """
    found = evening.participant(participant_id)
    if found is None:
        raise EveningError("nobody")
    return found


def set_participant(connection: Connection, participant_id: int, **values: object) -> None:
    """Write columns of one participant."""
    connection.execute(update(PARTICIPANTS).where(PARTICIPANTS.c.id == participant_id).values(**values))


def plan_again(connection: Connection, evening_id: int) -> None:
    """Plan the matches that have not begun for who is there now.

    Raises:
        EveningError: when too few are.
    """
    evening = read_evening(connection, evening_id)
    assert evening is not None
    try:
        rounds = planned_rounds(evening)
    except ScheduleError as error:
        raise EveningError("too-few", str(error)) from error
    begun = len(evening.started_rounds)
    connection.execute(delete(SEATS).where(SEATS.c.evening_id == evening_id, SEATS.c.round > begun))
    connection.execute(delete(ROUNDS).where(ROUNDS.c.evening_id == evening_id, ROUNDS.c.number > begun))
    for one in rounds[begun:]:
        write_round(connection, evening_id, one)


def write_round(
    connection: Connection, evening_id: int, one: EveningRound, stored_ids: Mapping[int, int] | None = None
) -> None:
    """Store where everybody sits in a match; ``stored_ids`` where the store knows them by other ids."""
    started = utc_text(one.started_utc) if one.started_utc else None
    connection.execute(insert(ROUNDS).values(evening_id=evening_id, number=one.number, started_utc=started))
    seats = [{"evening_id": evening_id, "round": one.number, **seat} for seat in _seats(one)]
    for seat in seats:
        seat["participant_id"] = (stored_ids or {}).get(seat["participant_id"], seat["participant_id"])
    connection.execute(insert(SEATS), seats)


def _seats(one: EveningRound) -> Iterator[dict[str, Any]]:
    for seating in one.seatings:
        for team in Team:
            yield from _side(seating.sides[team], seating.table, team.value)
    yield from _side(one.byes, "", _NO_SIDE)


def _side(participants: tuple[Participant, ...], table: str, side: str) -> Iterator[dict[str, Any]]:
    for place, participant in enumerate(participants, 1):
        yield {"participant_id": participant.id, "table_name": table, "side": side, "place": place}
