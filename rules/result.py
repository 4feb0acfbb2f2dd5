"""The result of a deal: nat, pit, last ten, kruizen, and what a ruling makes of it (articles 13 to 17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.actions import Decision, Ruling
from rules.articles import Topic, article
from rules.cards import Seat, Team
from rules.fold import State
from rules.reasons import Reason
from rules.reglement import Drive, Reglement, RevokeBonus, RoemCounts
from rules.rulings import stopping_ruling
from rules.table import TRICKS_IN_DEAL
from rules.tables import LAST_TRICK_POINTS

DEAL_POINTS = 162
"""The points of all cards with the last ten; roem comes on top."""


@dataclass(frozen=True, slots=True)
class DealResult:
    """What a deal brings; before the end the running state.

    points: cards and the last ten as won in the tricks. roem: what counts, called or seen by the reglement.
    score_points, score_roem: what goes in the two columns of the tellijst, after nat, pit and rulings.
    score_pit: how much of these is the extra of a pit; the reglement says in which column it is written.
    complete: nothing more will come: eight full tricks, or a ruling stopped the deal.
    replayed: the deal counts nowhere and is dealt again. stopped_by: the ruling that ended it.
    revoking_team: who loses evening points for verzaken. player_penalties: points at the end of the match for
    single players (individueel kaarten), negative.
    """

    points: Mapping[Team, int]
    roem: Mapping[Team, int]
    roem_seen: Mapping[Team, int]
    roem_called: Mapping[Team, int]
    tricks_won: Mapping[Team, int]
    score_points: Mapping[Team, int]
    score_roem: Mapping[Team, int]
    kruizen: Mapping[Team, int]
    nat: bool = False
    pit: bool = False
    pit_team: Team | None = None
    playing_team: Team | None = None
    complete: bool = False
    replayed: bool = False
    stopped_by: Ruling | None = None
    revoking_team: Team | None = None
    score_pit: Mapping[Team, int] = field(default_factory=lambda: both())
    player_penalties: Mapping[Seat, int] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()

    def total(self, team: Team) -> int:
        """Points and roem together, as they go on the tellijst."""
        return self.score_points[team] + self.score_roem[team]


def both(north_south: int = 0, east_west: int = 0) -> dict[Team, int]:
    """A number for each team."""
    return {Team.NORTH_SOUTH: north_south, Team.EAST_WEST: east_west}


def result_of(reglement: Reglement, state: State) -> DealResult:
    """The result that follows from a deal's state."""
    won = _won_in_tricks(reglement, state)
    stopping = stopping_ruling(state.rulings)
    if stopping is not None:
        return _ruled(reglement, state, won, stopping)
    if not state.is_complete:
        return replace(won, reasons=_unfinished_reasons(state))
    return scored(reglement, won)


def _won_in_tricks(reglement: Reglement, state: State) -> DealResult:
    points, seen, called, tricks = both(), both(), both(), both()
    for number, winner in enumerate(state.winners):
        if winner is not None:
            team = winner.team
            points[team] += state.points[number]
            seen[team] += state.roem_seen[number]
            called[team] += state.roem_called[number]
            tricks[team] += 1
    last = state.winners[-1] if len(state.winners) == TRICKS_IN_DEAL else None
    if last is not None:
        points[last.team] += LAST_TRICK_POINTS
    roem = called if reglement.roem_counts is RoemCounts.CALLED else seen
    return DealResult(
        points=points,
        roem=roem,
        roem_seen=seen,
        roem_called=called,
        tricks_won=tricks,
        score_points=points,
        score_roem=roem,
        kruizen=both(),
        playing_team=state.declarer.team if state.declarer else None,
    )


def _unfinished_reasons(state: State) -> tuple[Reason, ...]:
    full = sum(trick.is_full for trick in state.tricks)
    if state.trump is None:
        return (
            Reason(
                "trump-unknown",
                "troef is niet bekend; er is nog niets te tellen",
                "trump is not known; nothing can be counted yet",
            ),
        )
    return (
        Reason(
            "unfinished",
            f"tussenstand na {full} van de 8 slagen",
            f"running score after {full} of 8 tricks",
        ),
    )


def score_tricks(
    reglement: Reglement,
    *,
    playing: Team,
    points: Mapping[Team, int],
    roem: Mapping[Team, int],
    tricks_won: Mapping[Team, int],
) -> DealResult:
    """The result of a finished deal of which only the sums are known, as on a paper tellijst.

    points: cards and the last ten, 162 together. roem: what counts. tricks_won: eight together.
    """
    won = DealResult(
        points=points,
        roem=roem,
        roem_seen=roem,
        roem_called=roem,
        tricks_won=tricks_won,
        score_points=points,
        score_roem=roem,
        kruizen=both(),
        playing_team=playing,
    )
    return scored(reglement, won)


def scored(reglement: Reglement, won: DealResult) -> DealResult:
    """The result of a finished deal, ``won`` being what its eight tricks brought (articles 15 to 17)."""
    playing = won.playing_team
    if playing is None:
        reason = Reason("declarer-unknown", "niet bekend wie speelde", "not known who played")
        return replace(won, complete=True, reasons=(reason,))
    others = playing.opponents
    made = won.points[playing] + won.roem[playing]
    against = won.points[others] + won.roem[others]
    if made <= against:
        return _nat(reglement, won, playing, made, against)
    if won.tricks_won[playing] == TRICKS_IN_DEAL:
        return _pit(reglement, won, playing)
    reason = Reason(
        "made",
        f"{_DUTCH[playing]} speelt en haalt {made} tegen {against}: gehaald",
        f"{playing.value} plays and gets {made} against {against}: made",
        article(reglement.basis, Topic.THRESHOLD),
    )
    return replace(won, complete=True, reasons=(reason,))


def _nat(reglement: Reglement, won: DealResult, playing: Team, made: int, against: int) -> DealResult:
    """Articles 15 and 16: not more than the others is nat, a tie too; all points and roem go to them."""
    others = playing.opponents
    reason = Reason(
        "nat",
        f"{_DUTCH[playing]} speelt en haalt {made} tegen {against}: nat",
        f"{playing.value} plays and gets {made} against {against}: nat",
        article(reglement.basis, Topic.NAT),
    )
    all_roem = sum(won.roem.values())
    result = replace(
        won,
        nat=True,
        complete=True,
        score_points={playing: 0, others: DEAL_POINTS},
        score_roem={playing: 0, others: all_roem},
        kruizen={playing: reglement.nat_kruizen, others: 0},
        reasons=(reason,),
    )
    if reglement.pit_for_defenders and won.tricks_won[others] == TRICKS_IN_DEAL:
        return _pit(reglement, result, others)
    return result


def _pit(reglement: Reglement, won: DealResult, team: Team) -> DealResult:
    """Article 17: all eight tricks bring 100 extra."""
    column = won.score_roem if reglement.pit_points_are_roem else won.score_points
    raised = {**column, team: column[team] + reglement.pit_points}
    kruizen = {team: won.kruizen[team], team.opponents: won.kruizen[team.opponents] + reglement.pit_kruizen}
    reason = Reason(
        "pit",
        f"{_DUTCH[team]} haalt alle acht slagen: pit, {reglement.pit_points} extra",
        f"{team.value} takes all eight tricks: pit, {reglement.pit_points} extra",
        article(reglement.basis, Topic.PIT),
    )
    return replace(
        won,
        pit=True,
        pit_team=team,
        complete=True,
        score_roem=raised if reglement.pit_points_are_roem else won.score_roem,
        score_points=won.score_points if reglement.pit_points_are_roem else raised,
        score_pit={team: reglement.pit_points, team.opponents: 0},
        kruizen=kruizen,
        reasons=(*won.reasons, reason),
    )


def _ruled(reglement: Reglement, state: State, won: DealResult, place: int) -> DealResult:
    """What the ruling at ``place`` among the standing ones, which stopped the deal, makes of it."""
    ruling = state.rulings[place]
    if ruling.decision is Decision.REDEAL or ruling.seat is None:
        return _replayed(reglement, won, ruling)
    individual = ruling.decision is Decision.REVOKE_INDIVIDUAL or (
        ruling.decision is Decision.WRONG_ACCUSATION and reglement.drive is Drive.INDIVIDUAL
    )
    if individual:
        return _individual_penalty(reglement, won, ruling, ruling.seat)
    roem = _roem_until_found(reglement, state, place)
    return _pairs_penalty(reglement, won, ruling, ruling.seat.team, roem)


def _replayed(reglement: Reglement, won: DealResult, ruling: Ruling) -> DealResult:
    reason = Reason(
        ruling.decision.value,
        "het spel wordt opnieuw gedeeld en telt niet mee",
        "the deal is dealt again and counts nowhere",
        article(reglement.basis, Topic.DIRECTOR_DECIDES),
    )
    return replace(
        won,
        score_points=both(),
        score_roem=both(),
        complete=True,
        replayed=True,
        stopped_by=ruling,
        reasons=(reason,),
    )


def _individual_penalty(reglement: Reglement, won: DealResult, ruling: Ruling, seat: Seat) -> DealResult:
    """Article 13, individueel: only the player is punished, after the match; the deal is played again."""
    penalty = reglement.individual_revoke_points
    reason = _penalty_reason(
        reglement,
        ruling,
        f"{seat.dutch} krijgt na de partij {penalty} punten in mindering; het spel wordt overgespeeld",
        f"{seat.english} loses {penalty} points after the match; the deal is played again",
    )
    replayed = _replayed(reglement, won, ruling)
    return replace(replayed, player_penalties={seat: -penalty}, reasons=(reason,))


def _pairs_penalty(
    reglement: Reglement, won: DealResult, ruling: Ruling, offenders: Team, roem: int
) -> DealResult:
    """Article 13, koppelkaarten: everything to the others, with 100 extra and the roem so far of both."""
    others, extra = offenders.opponents, reglement.revoke_points
    to_opponents = reglement.revoke_points_to is RevokeBonus.OPPONENTS
    given, taken = (extra, 0) if to_opponents else (0, extra)
    reason = _penalty_reason(
        reglement,
        ruling,
        f"{-taken} voor {_DUTCH[offenders]}, {DEAL_POINTS} + {given} en {roem} roem voor {_DUTCH[others]}",
        f"{-taken} for {offenders.value}, {DEAL_POINTS} + {given} and {roem} roem for {others.value}",
    )
    return replace(
        won,
        score_points={offenders: -taken, others: DEAL_POINTS + given},
        score_roem={offenders: 0, others: roem},
        kruizen={offenders: reglement.revoke_kruizen, others: 0},
        complete=True,
        stopped_by=ruling,
        revoking_team=offenders if ruling.decision is Decision.REVOKE_PAIRS else None,
        reasons=(reason,),
    )


def _roem_until_found(reglement: Reglement, state: State, place: int) -> int:
    """The roem of both sides up to the last trick covered before the verzaking was found (article 13)."""
    found = state.rulings[place].found_after_trick
    tricks = state.covered_at_rulings[place] if found is None else found
    roem = state.roem_called if reglement.roem_counts is RoemCounts.CALLED else state.roem_seen
    return sum(roem[: max(tricks, 0)])


def _penalty_reason(reglement: Reglement, ruling: Ruling, dutch: str, english: str) -> Reason:
    if ruling.decision is Decision.WRONG_ACCUSATION:
        cited = article(reglement.basis, Topic.ACCUSATION)
        dutch, english = f"onjuiste beschuldiging: {dutch}", f"wrong accusation: {english}"
    else:
        cited = article(reglement.basis, Topic.REVOKE)
        dutch, english = f"verzaakt: {dutch}", f"verzaakt (revoke): {english}"
    return Reason(ruling.decision.value, dutch, english, cited)


_DUTCH = {Team.NORTH_SOUTH: "NZ (wij)", Team.EAST_WEST: "OW (zij)"}
