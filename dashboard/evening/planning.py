"""Planning an evening, and planning it again when somebody comes or goes."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.evening.model import Evening, EveningRound, Participant, Seating
from rules import Round, TableSeating, Team, plan_players, plan_teams


def planned_rounds(evening: Evening) -> tuple[EveningRound, ...]:
    """All matches of the evening: those begun as they were, the others planned for who will be there.

    Lots are drawn before: the order of the participants is the order of the plan.

    Raises:
        ScheduleError: when too few take part in the first match. Later on the evening ends early.
    """
    played = tuple(_as_plan(one) for one in evening.started_rounds)
    plan, least = (plan_players, 4) if evening.is_individual else (plan_teams, 2)
    most = max(evening.reglement.matches_per_evening, len(played))
    while len(played) < most:
        names = _names_in(evening, len(played) + 1)
        if played and len(names) < least:
            break
        last = len(played) + 1
        while last < most and _names_in(evening, last + 1) == names:
            last += 1
        played = plan(names, last, played)
    by_id = {str(one.id): one for one in evening.participants}
    return (*evening.started_rounds, *(_seated(one, by_id) for one in played[len(evening.started_rounds) :]))


def _names_in(evening: Evening, number: int) -> list[str]:
    return [str(one.id) for one in evening.participants if one.takes_part_in(number)]


def _ids(participants: Sequence[Participant]) -> tuple[str, ...]:
    return tuple(str(one.id) for one in participants)


def _as_plan(one: EveningRound) -> Round:
    tables = tuple(
        TableSeating(place, _ids(seating.sides[Team.NORTH_SOUTH]), _ids(seating.sides[Team.EAST_WEST]))
        for place, seating in enumerate(one.seatings, 1)
    )
    return Round(one.number, tables, _ids(one.byes))


def _seated(one: Round, by_id: dict[str, Participant]) -> EveningRound:
    seatings = tuple(
        Seating(
            str(table.number),
            {
                Team.NORTH_SOUTH: tuple(by_id[name] for name in table.north_south),
                Team.EAST_WEST: tuple(by_id[name] for name in table.east_west),
            },
        )
        for table in one.tables
    )
    return EveningRound(one.number, None, seatings, tuple(by_id[name] for name in one.byes))
