"""The standings of an evening and of a season: counted by ``rules`` from the matches, kept nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.evening.matches import SeatedMatch, seat_of
from dashboard.evening.model import Evening, EveningRound, Participant
from rules import (
    MatchScore,
    Outcome,
    Ranked,
    Reglement,
    Standing,
    evening_points,
    player_score,
    ranking,
    season_standings,
    standing_of,
    team_score,
)

Matches = Mapping[tuple[int, str], SeatedMatch]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What one participant took from one match. ``score`` is None while it is being played.

    opponent: against whom; empty for a zitbeurt. evening_points: 0 as long as there is no score.
    """

    round: int
    table: str
    opponent: str
    score: MatchScore | None
    evening_points: int


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of the standings."""

    ranked: Ranked
    participant: Participant
    results: tuple[MatchResult, ...]


def evening_rows(evening: Evening, matches: Matches) -> tuple[StandingRow, ...]:
    """The ranking of an evening over the matches that are finished."""
    results = {one.name: (one, results_of(evening, one, matches)) for one in evening.participants}
    standings = evening_standings(evening, matches)
    return tuple(
        StandingRow(ranked, *results[ranked.standing.participant]) for ranked in ranking(standings.values())
    )


def evening_standings(evening: Evening, matches: Matches) -> dict[str, Standing]:
    """The standing of each who plays or played along, by name."""
    standings = {}
    for one in evening.participants:
        scores = [result.score for result in results_of(evening, one, matches) if result.score is not None]
        if scores or one.until_round is None:
            standings[one.name] = standing_of(evening.reglement, one.name, scores)
    return standings


def results_of(evening: Evening, participant: Participant, matches: Matches) -> tuple[MatchResult, ...]:
    """The matches that have begun, as one participant sees them."""
    found = (_result(evening, one, participant, matches) for one in evening.started_rounds)
    return tuple(result for result in found if result is not None)


def is_over(evening: Evening, one: EveningRound, matches: Matches) -> bool:
    """Whether nothing of a match of the evening is still to come: then a zitbeurt counts."""
    running = evening.running_round
    if evening.ended_utc is not None or (running is not None and one.number < running.number):
        return True
    played = [matches.get((one.number, seating.table)) for seating in one.seatings]
    return all(match is not None and match.is_finished for match in played)


def season_ranking(
    reglement: Reglement, evenings: Sequence[Mapping[str, Standing]]
) -> tuple[tuple[Ranked, int], ...]:
    """The ranking of a season, each with the number of evenings attended; ``evenings`` in order of time."""
    attended = {name: sum(name in one for one in evenings) for one in evenings for name in one}
    ranked = ranking(season_standings(reglement, evenings))
    return tuple((one, attended[one.standing.participant]) for one in ranked)


def not_yet_in_season(
    reglement: Reglement, evenings: Sequence[Mapping[str, Standing]]
) -> tuple[tuple[str, int], ...]:
    """Who attended too few evenings to be ranked, and how many; most first."""
    attended = {name: sum(name in one for one in evenings) for one in evenings for name in one}
    few = [(name, count) for name, count in attended.items() if count < reglement.season_evenings]
    return tuple(sorted(few, key=lambda one: (-one[1], one[0])))


def _result(
    evening: Evening, one: EveningRound, participant: Participant, matches: Matches
) -> MatchResult | None:
    if participant in one.byes:
        score = MatchScore(outcome=Outcome.BYE) if is_over(evening, one, matches) else None
        return _counted(evening, MatchResult(one.number, "", "", score, 0))
    for seating in one.seatings:
        if participant in seating.participants:
            seated = matches.get((one.number, seating.table))
            score = _score(evening, seated, participant) if seated and seated.is_finished else None
            team = next(team for team, side in seating.sides.items() if participant in side)
            opponent = seating.name_of(team.opponents)
            return _counted(evening, MatchResult(one.number, seating.table, opponent, score, 0))
    return None


def _counted(evening: Evening, result: MatchResult) -> MatchResult:
    if result.score is None:
        return result
    points = evening_points(evening.reglement, result.score)
    return MatchResult(result.round, result.table, result.opponent, result.score, points)


def _score(evening: Evening, seated: SeatedMatch, participant: Participant) -> MatchScore:
    seat = seat_of(seated.seating, participant)
    if evening.is_individual and seated.withdrew is None:
        return player_score(seated.match, seat)
    return team_score(seated.match, seat.team, seated.withdrew)
