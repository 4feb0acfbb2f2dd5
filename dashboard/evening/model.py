"""An evening as it was set up: who takes part, who sits where in which match. Scores are not in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from rules import Drive, Reglement, Seat, Team

OPEN_AFTER_END: Final = timedelta(minutes=30)
"""Article 19: so long after the end the sheets can still be looked into and put right."""


class Phase(Enum):
    """How far an evening is."""

    PREPARING = "preparing"
    RUNNING = "running"
    ENDED = "ended"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class Participant:
    """A team, or a player of an individual drive.

    players: the names of the people, those of a team in the order North/East, South/West; may be empty.
    from_round, until_round: the first and the last match in which they take part; None: to the end.
    withdrew_in_round: the match that they gave up before its last deal (opgave).
    """

    id: int
    name: str
    players: tuple[str, ...] = ()
    from_round: int = 1
    until_round: int | None = None
    withdrew_in_round: int | None = None

    def takes_part_in(self, number: int) -> bool:
        """Whether they are there for match ``number``."""
        return self.from_round <= number and (self.until_round is None or number <= self.until_round)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays at a table in one match: a team a side, or two single players a side."""

    table: str
    sides: dict[Team, tuple[Participant, ...]]

    @property
    def participants(self) -> tuple[Participant, ...]:
        """Everybody at the table."""
        return tuple(one for team in Team for one in self.sides[team])

    def team_of(self, participant: Participant) -> Team:
        """The side on which ``participant`` sits."""
        return next(team for team in Team if participant in self.sides[team])

    def name_of(self, team: Team) -> str:
        """What a side is called."""
        return " & ".join(one.name for one in self.sides[team])

    def player_at(self, seat: Seat) -> str:
        """The person at a seat; empty when nobody said who that is."""
        side = self.sides[seat.team]
        place = 0 if seat in (Seat.NORTH, Seat.EAST) else 1
        people = [one.name for one in side] if len(side) > 1 else list(side[0].players if side else ())
        return people[place] if place < len(people) else ""


@dataclass(frozen=True, slots=True)
class EveningRound:
    """One match of the evening for everybody. ``byes`` have a zitbeurt."""

    number: int
    started_utc: datetime | None
    seatings: tuple[Seating, ...]
    byes: tuple[Participant, ...]

    def at(self, table: str) -> Seating | None:
        """Who sits at ``table``."""
        return next((one for one in self.seatings if one.table == table), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """One evening (avond) of some matches under one reglement.

    day: as ``2026-12-02``. season: evenings with the same text are ranked together; may be empty.
    first_dealer: who deals the first deal of each match.
    rounds: as planned; those not started yet can still change.
    """

    id: int
    title: str
    day: str
    season: str
    reglement: Reglement
    first_dealer: Seat
    participants: tuple[Participant, ...] = ()
    rounds: tuple[EveningRound, ...] = ()
    ended_utc: datetime | None = None
    is_archived: bool = False

    @property
    def is_individual(self) -> bool:
        """Whether partners are drawn anew for each match."""
        return self.reglement.drive is Drive.INDIVIDUAL

    @property
    def started_rounds(self) -> tuple[EveningRound, ...]:
        """Those that began; they are not planned again."""
        return tuple(one for one in self.rounds if one.started_utc is not None)

    @property
    def running_round(self) -> EveningRound | None:
        """The match that was begun last."""
        return self.started_rounds[-1] if self.started_rounds else None

    @property
    def next_round(self) -> EveningRound | None:
        """The match that begins next."""
        return next((one for one in self.rounds if one.started_utc is None), None)

    @property
    def frozen_from(self) -> datetime | None:
        """When the sheets freeze; None as long as the evening goes on."""
        return self.ended_utc + OPEN_AFTER_END if self.ended_utc else None

    def phase(self, now: datetime) -> Phase:
        """How far the evening is at ``now``."""
        if self.frozen_from is not None:
            return Phase.FROZEN if now >= self.frozen_from else Phase.ENDED
        return Phase.RUNNING if self.started_rounds else Phase.PREPARING

    def takes_changes(self, now: datetime) -> bool:
        """Whether it can still be changed at ``now``: its sheets are neither frozen nor archived."""
        return not self.is_archived and self.phase(now) is not Phase.FROZEN

    def round(self, number: int) -> EveningRound | None:
        """Match ``number``."""
        return next((one for one in self.rounds if one.number == number), None)

    def participant(self, participant_id: int) -> Participant | None:
        """Who has this id."""
        return next((one for one in self.participants if one.id == participant_id), None)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Who changed what when. ``what`` names the change; ``detail`` holds its names and numbers."""

    time_utc: datetime
    by: str
    what: str
    detail: dict[str, str]
