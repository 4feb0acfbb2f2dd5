"""Nat, pit and who gets what, beyond what the published facts say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules import (
    AMSTERDAMS_MET_PASSEN,
    KLAVERJAS_DRIVE,
    ROTTERDAMS,
    DealResult,
    Reglement,
    Team,
    score_tricks,
)

NS, EW = Team.NORTH_SOUTH, Team.EAST_WEST


def score(reglement: Reglement, points: int, tricks: int, roem: tuple[int, int] = (0, 0)) -> DealResult:
    return score_tricks(
        reglement,
        playing=NS,
        points={NS: points, EW: 162 - points},
        roem={NS: roem[0], EW: roem[1]},
        tricks_won={NS: tricks, EW: 8 - tricks},
    )


@pytest.mark.parametrize(
    "reglement", [AMSTERDAMS_MET_PASSEN, KLAVERJAS_DRIVE, ROTTERDAMS], ids=lambda reglement: reglement.name
)
def test_a_pit_is_written_as_162_and_100_in_the_roem_column(reglement: Reglement) -> None:
    """Article 17 writes "162 punten + 100 roem"; the drive "162, eventuele roem en 100 punten extra"."""
    result = score(reglement, 162, 8, (20, 0))
    assert (result.score_points, result.score_roem) == ({NS: 162, EW: 0}, {NS: 120, EW: 0})
    assert result.score_pit == {NS: 100, EW: 0}
    assert result.total(NS) == 282
    assert result.kruizen == {NS: 0, EW: 2}
    assert (result.pit, result.pit_team) == (True, NS)


def test_a_club_may_write_the_pit_in_the_points_column() -> None:
    own = replace(KLAVERJAS_DRIVE, pit_points_are_roem=False, pit_points=80)
    result = score(own, 162, 8, (20, 0))
    assert (result.score_points, result.score_roem) == ({NS: 242, EW: 0}, {NS: 20, EW: 0})
    assert (result.score_pit, result.total(NS)) == ({NS: 80, EW: 0}, 262)


def test_defenders_who_take_all_make_it_nat_and_no_pit() -> None:
    result = score(KLAVERJAS_DRIVE, 0, 0, (0, 20))
    assert (result.nat, result.pit, result.total(EW), result.kruizen) == (True, False, 182, {NS: 1, EW: 0})


def test_the_drive_read_literally_gives_defenders_a_pit() -> None:
    result = score(replace(KLAVERJAS_DRIVE, pit_for_defenders=True), 0, 0, (0, 20))
    assert (result.nat, result.pit, result.pit_team) == (True, True, EW)
    assert result.total(EW) == 282
    assert result.score_pit == {NS: 0, EW: 100}
    assert result.kruizen == {NS: 3, EW: 0}
    assert [reason.code for reason in result.reasons] == ["nat", "pit"]


def test_nat_gives_the_others_the_roem_of_both() -> None:
    result = score(KLAVERJAS_DRIVE, 70, 4, (20, 50))
    assert (result.score_points, result.score_roem) == ({NS: 0, EW: 162}, {NS: 0, EW: 70})
    assert "nat" in result.reasons[0].dutch


def test_seven_tricks_are_no_pit() -> None:
    result = score(KLAVERJAS_DRIVE, 162, 7)
    assert not result.pit
    assert result.score_pit == {NS: 0, EW: 0}
