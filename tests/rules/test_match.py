"""The tellijst of a match, and the ranking of evenings and seasons."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rules import (
    AMSTERDAMS_MET_PASSEN,
    KLAVERJAS_DRIVE,
    ROTTERDAMS,
    Deal,
    Decision,
    Drive,
    Match,
    MatchFaultKind,
    MatchScore,
    Outcome,
    Ruling,
    SeasonCounts,
    Seat,
    Standing,
    Team,
    evening_points,
    player_score,
    ranking,
    season_standings,
    standing_of,
    team_score,
)
from tests.rules.generators import play_out

NS, EW = Team.NORTH_SOUTH, Team.EAST_WEST


def deal_number(number: int, seed: int | None = None) -> Deal:
    """A whole deal dealt by the right dealer of a match that north begins."""
    dealer = Match(KLAVERJAS_DRIVE, Seat.NORTH).dealer_of(number)
    for chance in range(seed or number * 100, 10**6):
        deal = play_out(KLAVERJAS_DRIVE, random.Random(chance)).deal
        if deal.dealer is dealer:
            return replace(deal, number=number)
    raise AssertionError("unreachable")


@pytest.fixture(scope="module")
def match() -> Match:
    played = Match(KLAVERJAS_DRIVE, Seat.NORTH)
    for number in range(1, 17):
        played = played.with_deal(deal_number(number))
    return played


def test_a_whole_match(match: Match) -> None:
    assert match.faults == ()
    assert match.is_complete
    assert len(match.rows) == 16
    results = [deal.result() for deal in match.deals]
    assert match.totals == {team: sum(result.total(team) for result in results) for team in Team}
    assert match.kruizen == {team: sum(result.kruizen[team] for result in results) for team in Team}
    assert match.rows[2].totals[NS] == sum(result.total(NS) for result in results[:3])
    for row in match.rows:
        assert row.result is not None
        assert row.roem_struck == (sum(row.result.score_roem.values()) == 0)


def test_each_seat_deals_four_times() -> None:
    dealers = [Match(KLAVERJAS_DRIVE, Seat.EAST).dealer_of(number) for number in range(1, 17)]
    assert dealers[:5] == [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST]
    assert all(dealers.count(seat) == 4 for seat in Seat)


def test_rows_before_their_deal_and_while_it_runs(match: Match) -> None:
    running = match.deals[2]
    running = replace(running, actions=running.actions[:20])
    begun = Match(KLAVERJAS_DRIVE, Seat.NORTH, (*match.deals[:2], running))
    assert [row.counts for row in begun.rows[:4]] == [True, True, False, False]
    assert begun.rows[2].result is not None
    assert begun.rows[3].result is None
    assert begun.totals == match.rows[1].totals
    assert begun.next_number == 3


def test_a_replayed_deal_never_counts_twice(match: Match) -> None:
    third = match.deals[2]
    stopped = third.ruled(Ruling(Decision.REDEAL))
    before = Match(KLAVERJAS_DRIVE, Seat.NORTH, (*match.deals[:2], stopped))
    assert before.totals == match.rows[1].totals
    assert before.next_number == 3
    assert before.rows[2].result is None
    again = before.with_deal(deal_number(3, seed=5000))
    assert again.totals[NS] == match.rows[1].totals[NS] + again.deals[-1].result().total(NS)
    # A ruling that stops a deal already dealt again takes it away too.
    both_stopped = again.with_deal_replaced(3, again.deals[3].ruled(Ruling(Decision.REDEAL)))
    assert both_stopped.totals == match.rows[1].totals
    # Undone, everything is as it was.
    undone = stopped.ruled(Ruling(Decision.UNDO, undoes=1))
    assert before.with_deal_replaced(2, undone).totals == match.rows[2].totals


def test_an_individual_penalty_comes_off_after_the_match(match: Match) -> None:
    ruling = Ruling(Decision.REVOKE_INDIVIDUAL, seat=Seat.EAST)
    ruled = Match(KLAVERJAS_DRIVE, Seat.NORTH, (match.deals[0].ruled(ruling), *match.deals))
    assert ruled.totals == match.totals
    assert ruled.player_penalties == {Seat.NORTH: 0, Seat.EAST: -162, Seat.SOUTH: 0, Seat.WEST: 0}
    assert ruled.player_totals[Seat.EAST] == match.totals[EW] - 162
    assert ruled.player_totals[Seat.WEST] == match.totals[EW]
    score = player_score(ruled, Seat.EAST)
    assert (score.points_for, score.points_against, score.revokes) == (
        match.totals[EW] - 162,
        match.totals[NS],
        1,
    )
    assert player_score(ruled, Seat.WEST).revokes == 0


def test_a_zero_row_is_a_row(match: Match) -> None:
    nat_rows = [row for row in match.rows if row.result and row.result.nat]
    assert nat_rows
    for row in nat_rows:
        assert row.result is not None
        assert 0 in (row.result.total(NS), row.result.total(EW))
        assert row.counts


def test_deals_that_do_not_belong_in_the_match(match: Match) -> None:
    seventeenth = replace(match.deals[0], number=17)
    wrong_dealer = replace(match.deals[1], dealer=Seat.NORTH)
    other = replace(match.deals[2], reglement=ROTTERDAMS)
    strange = Match(KLAVERJAS_DRIVE, Seat.NORTH, (seventeenth, wrong_dealer, other))
    assert [fault.kind for fault in strange.faults] == [
        MatchFaultKind.TOO_MANY_DEALS,
        MatchFaultKind.WRONG_DEALER,
        MatchFaultKind.OTHER_REGLEMENT,
        MatchFaultKind.DEAL_MISSING,
    ]
    assert "17" in strange.faults[0].reason.dutch
    assert strange.rows[0].result is None


def test_a_match_of_twelve() -> None:
    twelve = replace(KLAVERJAS_DRIVE, deals_per_match=12)
    assert len(Match(twelve, Seat.NORTH).rows) == 12


def test_roem_that_nobody_called_gets_a_line() -> None:
    silent = Deal(AMSTERDAMS_MET_PASSEN, Seat.NORTH)
    for action in play_out(AMSTERDAMS_MET_PASSEN, random.Random(1)).deal.actions:
        if not hasattr(action, "points"):
            silent = silent.after(action)
    silent = replace(silent, dealer=play_out(AMSTERDAMS_MET_PASSEN, random.Random(1)).deal.dealer)
    (row, *_) = Match(AMSTERDAMS_MET_PASSEN, silent.dealer, (silent,)).rows
    assert row.counts
    assert row.roem_struck


# The evening.


def test_team_scores_of_a_match(match: Match) -> None:
    ours, theirs = team_score(match, NS), team_score(match, EW)
    assert {ours.outcome, theirs.outcome} == {Outcome.WON, Outcome.LOST}
    assert (ours.points_for, ours.points_against) == (theirs.points_against, theirs.points_for)
    assert (ours.pits, theirs.kruizen) == (match.pits[NS], match.kruizen[EW])


def test_a_withdrawal_before_the_end(match: Match) -> None:
    begun = Match(KLAVERJAS_DRIVE, Seat.NORTH, match.deals[:5])
    assert (
        evening_points(KLAVERJAS_DRIVE, replace(team_score(begun, NS, withdrew=NS), pits=0, revokes=0)) == -2
    )
    assert (
        evening_points(KLAVERJAS_DRIVE, replace(team_score(begun, EW, withdrew=NS), pits=0, revokes=0)) == 2
    )
    on_top = replace(KLAVERJAS_DRIVE, withdrew_replaces_lost=False)
    assert evening_points(on_top, MatchScore(outcome=Outcome.WITHDREW)) == -1


def test_a_verzaking_takes_a_point_and_a_pit_gives_one() -> None:
    score = MatchScore(outcome=Outcome.LOST, pits=2, revokes=1)
    assert evening_points(KLAVERJAS_DRIVE, score) == 2


def test_a_koppel_ruling_shows_in_the_evening(match: Match) -> None:
    ruled = match.with_deal_replaced(4, match.deals[4].ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH)))
    assert ruled.revokes == {NS: 1, EW: 0}
    assert team_score(ruled, NS).revokes == 1
    assert ruled.kruizen[NS] >= 3


def test_equals_share_a_place_and_are_marked_for_the_wedstrijdleider() -> None:
    standings = [
        Standing(participant="A", points=8, points_for=100, points_against=50, kruizen=0),
        Standing(participant="B", points=8, points_for=150, points_against=100, kruizen=9),
        Standing(participant="C", points=9, points_for=0, points_against=500),
        Standing(participant="D", points=8, points_for=100, points_against=60),
    ]
    ranked = ranking(standings)
    assert [(one.place, one.standing.participant, one.tied) for one in ranked] == [
        (1, "C", False),
        (2, "A", True),
        (2, "B", True),
        (4, "D", False),
    ]


def test_an_evening_adds_up() -> None:
    scores = [
        MatchScore(outcome=Outcome.WON, points_for=1500, points_against=1200, kruizen=1),
        MatchScore(outcome=Outcome.BYE),
        MatchScore(outcome=Outcome.DRAWN, pits=1, points_for=1300, points_against=1300),
    ]
    standing = standing_of(KLAVERJAS_DRIVE, "Jan en Piet", scores)
    assert standing == Standing(
        participant="Jan en Piet", points=8, points_for=2800, points_against=2500, kruizen=1
    )
    assert standing.balance == 300


def evening(**points: int) -> dict[str, Standing]:
    return {
        name: Standing(participant=name, points=number, points_for=number) for name, number in points.items()
    }


def test_a_season_counts_who_attended_three_evenings() -> None:
    evenings = [evening(A=1, B=9), evening(A=5, B=9), evening(A=6), evening(A=7, C=9)]
    best = season_standings(KLAVERJAS_DRIVE, evenings)
    assert [(one.participant, one.points) for one in best] == [("A", 18)]
    first = season_standings(replace(KLAVERJAS_DRIVE, season_counts=SeasonCounts.FIRST), evenings)
    assert [(one.participant, one.points) for one in first] == [("A", 12)]


def test_each_verzaking_and_each_pit_counts_by_its_setting() -> None:
    own = replace(KLAVERJAS_DRIVE, revoke_evening_points=-3, pit_evening_points=2)
    score = MatchScore(outcome=Outcome.WON, pits=2, revokes=3)
    assert evening_points(own, score) == 3 + 2 * 2 - 3 * 3


def test_a_deal_played_twice_and_one_that_is_missing_are_reported(match: Match) -> None:
    first, _, third = match.deals[:3]
    strange = Match(KLAVERJAS_DRIVE, Seat.NORTH, (first, third, third))
    assert [(fault.kind, fault.deal) for fault in strange.faults] == [
        (MatchFaultKind.DEAL_TWICE, 3),
        (MatchFaultKind.DEAL_MISSING, 2),
    ]
    assert match.faults == ()


def test_a_deal_to_be_dealt_again_takes_nothing_away_from_another(match: Match) -> None:
    """The third was played to its end; somebody dealt it once more, and that was stopped."""
    once_more = deal_number(3, seed=5001).ruled(Ruling(Decision.REDEAL))
    after = Match(KLAVERJAS_DRIVE, Seat.NORTH, (*match.deals[:3], once_more))
    assert after.totals == match.rows[2].totals


def test_a_wrong_accusation_is_no_verzaking(match: Match) -> None:
    """It is punished like one (article 14), and costs no evening point, in pairs or individually."""
    individual = replace(KLAVERJAS_DRIVE, drive=Drive.INDIVIDUAL)
    accused = Ruling(Decision.WRONG_ACCUSATION, seat=Seat.EAST)
    deal = replace(match.deals[0], reglement=individual)
    alone = Match(individual, Seat.NORTH, (deal.ruled(accused), deal))
    assert alone.player_penalties[Seat.EAST] == -162
    assert player_score(alone, Seat.EAST).revokes == 0
    paired = Match(KLAVERJAS_DRIVE, Seat.NORTH, (match.deals[0].ruled(accused),))
    assert team_score(paired, EW).revokes == 0


def test_whether_more_may_come_is_said(match: Match) -> None:
    begun = Match(KLAVERJAS_DRIVE, Seat.NORTH, match.deals[:3])
    assert team_score(match, NS).complete
    assert not team_score(begun, NS).complete
    assert team_score(begun, NS, withdrew=EW).complete
