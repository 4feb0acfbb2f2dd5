"""Nat, pit and who gets what, beyond what the published facts say."""

from __future__ import annotations

from dataclasses import replace

from rules import AMSTERDAMS_MET_PASSEN, KLAVERJAS_DRIVE, DealResult, Reglement, Team, score_tricks

NS, EW = Team.NORTH_SOUTH, Team.EAST_WEST


def score(reglement: Reglement, points: int, tricks: int, roem: tuple[int, int] = (0, 0)) -> DealResult:
    return score_tricks(
        reglement,
        playing=NS,
        points={NS: points, EW: 162 - points},
        roem={NS: roem[0], EW: roem[1]},
        tricks_won={NS: tricks, EW: 8 - tricks},
    )


def test_pit_is_roem_in_amsterdam_and_points_in_the_drive() -> None:
    """Article 17 writes "162 punten + 100 roem"; the drive "100 punten extra". The total is the same."""
    amsterdam, drive = score(AMSTERDAMS_MET_PASSEN, 162, 8, (20, 0)), score(KLAVERJAS_DRIVE, 162, 8, (20, 0))
    assert (amsterdam.score_points[NS], amsterdam.score_roem[NS]) == (162, 120)
    assert (drive.score_points[NS], drive.score_roem[NS]) == (262, 20)
    assert amsterdam.total(NS) == drive.total(NS) == 282
    assert amsterdam.kruizen == drive.kruizen == {NS: 0, EW: 2}
    assert (amsterdam.pit, amsterdam.pit_team) == (True, NS)


def test_defenders_who_take_all_make_it_nat_and_no_pit() -> None:
    result = score(KLAVERJAS_DRIVE, 0, 0, (0, 20))
    assert (result.nat, result.pit, result.total(EW), result.kruizen) == (True, False, 182, {NS: 1, EW: 0})


def test_the_drive_read_literally_gives_defenders_a_pit() -> None:
    result = score(replace(KLAVERJAS_DRIVE, pit_for_defenders=True), 0, 0, (0, 20))
    assert (result.nat, result.pit, result.pit_team) == (True, True, EW)
    assert result.total(EW) == 282
    assert result.kruizen == {NS: 3, EW: 0}
    assert [reason.code for reason in result.reasons] == ["nat", "pit"]


def test_nat_gives_the_others_the_roem_of_both() -> None:
    result = score(KLAVERJAS_DRIVE, 70, 4, (20, 50))
    assert (result.score_points, result.score_roem) == ({NS: 0, EW: 162}, {NS: 0, EW: 70})
    assert "nat" in result.reasons[0].dutch


def test_seven_tricks_are_no_pit() -> None:
    assert not score(KLAVERJAS_DRIVE, 162, 7).pit
