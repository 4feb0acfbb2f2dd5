"""The evening and the season: points per match, ranking, and who counts ("Bepalen winnaar" of the drive's
text).

A participant is a team by name, or a player when partners are drawn anew for each match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from rules.actions import Decision
from rules.cards import Seat, Team
from rules.match import Match
from rules.reglement import Reglement, SeasonCounts
from rules.result import DealResult


class Outcome(Enum):
    """How a match ended for one participant."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    BYE = "bye"
    OPPONENT_WITHDREW = "opponent-withdrew"
    WITHDREW = "withdrew"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchScore:
    """What one participant takes from one match (or from a zitbeurt).

    complete: whether more may come; of a match that still goes on, the outcome is as it stands.
    """

    outcome: Outcome
    pits: int = 0
    revokes: int = 0
    points_for: int = 0
    points_against: int = 0
    kruizen: int = 0
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a participant stands: evening points, points for and against over the matches, and kruizen."""

    participant: str
    points: int
    points_for: int = 0
    points_against: int = 0
    kruizen: int = 0

    @property
    def balance(self) -> int:
        """Winstpunten: points for minus points against."""
        return self.points_for - self.points_against


@dataclass(frozen=True, slots=True)
class Ranked:
    """A standing with its place from 1; ``tied`` when the wedstrijdleider must decide between equals."""

    place: int
    standing: Standing
    tied: bool


def evening_points(reglement: Reglement, score: MatchScore) -> int:
    """The evening points of one match: 3, 2 or 1, a point for each pit, one less for each verzaking."""
    return (
        _outcome_points(reglement, score.outcome)
        + score.pits * reglement.pit_evening_points
        + score.revokes * reglement.revoke_evening_points
    )


def _outcome_points(reglement: Reglement, outcome: Outcome) -> int:
    withdrew = reglement.withdrew_evening_points
    if not reglement.withdrew_replaces_lost:
        withdrew += reglement.lost_evening_points
    return {
        Outcome.WON: reglement.won_evening_points,
        Outcome.DRAWN: reglement.drawn_evening_points,
        Outcome.LOST: reglement.lost_evening_points,
        Outcome.BYE: reglement.bye_evening_points,
        Outcome.OPPONENT_WITHDREW: reglement.opponent_withdrew_evening_points,
        Outcome.WITHDREW: withdrew,
    }[outcome]


def team_score(match: Match, team: Team, withdrew: Team | None = None) -> MatchScore:
    """What ``team`` takes from ``match``; ``withdrew`` is the team that gave up before its last deal."""
    mine, theirs = match.totals[team], match.totals[team.opponents]
    return MatchScore(
        outcome=_outcome(mine, theirs) if withdrew is None else _withdrawal(team, withdrew),
        pits=match.pits[team],
        revokes=match.revokes[team],
        points_for=mine,
        points_against=theirs,
        kruizen=match.kruizen[team],
        complete=match.is_complete or withdrew is not None,
    )


def player_score(match: Match, seat: Seat) -> MatchScore:
    """What the player at ``seat`` takes from ``match`` when playing individually, penalty included."""
    team = seat.team
    mine, theirs = match.player_totals[seat], match.totals[team.opponents]
    return MatchScore(
        outcome=_outcome(match.totals[team], theirs),
        pits=match.pits[team],
        revokes=sum(_revoked(deal.result(), seat) for deal in match.deals),
        points_for=mine,
        points_against=theirs,
        kruizen=match.kruizen[team],
        complete=match.is_complete,
    )


def _revoked(result: DealResult, seat: Seat) -> bool:
    """Whether this player verzaakte. Who accused wrongly is punished like that (article 14), but did not."""
    ruling = result.stopped_by
    is_revoke = ruling is not None and ruling.decision is not Decision.WRONG_ACCUSATION
    return is_revoke and seat in result.player_penalties


def _outcome(mine: int, theirs: int) -> Outcome:
    if mine == theirs:
        return Outcome.DRAWN
    return Outcome.WON if mine > theirs else Outcome.LOST


def _withdrawal(team: Team, withdrew: Team) -> Outcome:
    return Outcome.WITHDREW if team is withdrew else Outcome.OPPONENT_WITHDREW


def standing_of(reglement: Reglement, participant: str, scores: Iterable[MatchScore]) -> Standing:
    """The standing of one participant over the matches of an evening."""
    scores = tuple(scores)
    return Standing(
        participant=participant,
        points=sum(evening_points(reglement, score) for score in scores),
        points_for=sum(score.points_for for score in scores),
        points_against=sum(score.points_against for score in scores),
        kruizen=sum(score.kruizen for score in scores),
    )


def ranking(standings: Iterable[Standing]) -> tuple[Ranked, ...]:
    """The ranking: by points, then by points for minus against.

    Who is equal in both shares the place and is marked tied: the wedstrijdleider decides. Kruizen never rank.
    """
    ordered = sorted(standings, key=lambda one: (-_key(one)[0], -_key(one)[1], one.participant))
    keys = [_key(one) for one in ordered]
    return tuple(
        Ranked(keys.index(key) + 1, one, keys.count(key) > 1) for one, key in zip(ordered, keys, strict=True)
    )


def _key(one: Standing) -> tuple[int, int]:
    return one.points, one.balance


def season_standings(
    reglement: Reglement, evenings: Sequence[Mapping[str, Standing]]
) -> tuple[Standing, ...]:
    """The season: participants who attended enough evenings, over those that count, unranked.

    evenings: in order of time, the standings of who attended, by participant.
    """
    participants = dict.fromkeys(name for evening in evenings for name in evening)
    attended = {name: [evening[name] for evening in evenings if name in evening] for name in participants}
    return tuple(
        _season_of(reglement, name, standings)
        for name, standings in attended.items()
        if len(standings) >= reglement.season_evenings
    )


def _season_of(reglement: Reglement, name: str, attended: Sequence[Standing]) -> Standing:
    if reglement.season_counts is SeasonCounts.BEST:
        attended = sorted(attended, key=_key, reverse=True)
    counted = attended[: reglement.season_evenings]
    return Standing(
        participant=name,
        points=sum(evening.points for evening in counted),
        points_for=sum(evening.points_for for evening in counted),
        points_against=sum(evening.points_against for evening in counted),
        kruizen=sum(evening.kruizen for evening in attended),
    )
