"""Who meets whom, and what repetition of an offence brings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from rules import (
    Measure,
    Offence,
    OffenceKind,
    Round,
    ScheduleError,
    Source,
    consequences,
    plan_players,
    plan_teams,
)


def names(count: int, first: int = 1) -> list[str]:
    return [f"koppel {number:02}" for number in range(first, first + count)]


def meetings(rounds: tuple[Round, ...]) -> Counter[frozenset[str]]:
    return Counter(frozenset(table.names) for one in rounds for table in one.tables)


def byes(rounds: tuple[Round, ...]) -> Counter[str]:
    return Counter(name for one in rounds for name in one.byes)


@pytest.mark.parametrize("count", [*range(3, 41)])
def test_three_matches_no_pair_twice_and_byes_shared(count: int) -> None:
    rounds = plan_teams(names(count), 3)
    assert [one.number for one in rounds] == [1, 2, 3]
    for one in rounds:
        present = [name for table in one.tables for name in table.names] + list(one.byes)
        assert sorted(present) == names(count)
        assert [table.number for table in one.tables] == list(range(1, count // 2 + 1))
        assert len(one.byes) == count % 2
    assert max(meetings(rounds).values()) == 1
    assert max(byes(rounds).values(), default=0) <= 1


@pytest.mark.parametrize("count", [4, 6, 8, 10, 12])
def test_everybody_can_meet_everybody(count: int) -> None:
    rounds = plan_teams(names(count), count - 1)
    assert set(meetings(rounds)) == {frozenset(pair) for pair in combinations(names(count), 2)}


def test_two_teams_meet_again_where_they_must() -> None:
    assert meetings(plan_teams(names(2), 3)) == Counter({frozenset(names(2)): 3})


@pytest.mark.parametrize(("before", "after"), [(8, 9), (9, 10), (9, 8), (12, 10), (7, 7), (6, 5)])
def test_planned_again_after_the_first_match(before: int, after: int) -> None:
    first = plan_teams(names(before), 3)[:1]
    # Teams go home at the front of the list and come at its end.
    teams = names(before)[max(before - after, 0) :] + names(max(after - before, 0), first=before + 1)
    rounds = plan_teams(teams, 3, first)
    assert rounds[:1] == first
    assert max(meetings(rounds).values()) == 1
    for one in rounds[1:]:
        assert sorted([name for table in one.tables for name in table.names] + list(one.byes)) == sorted(
            teams
        )
    counts = byes(rounds)
    assert max((counts[name] for name in teams), default=0) <= 1


def test_the_same_names_give_the_same_plan() -> None:
    assert plan_teams(names(11), 3) == plan_teams(names(11), 3)


@pytest.mark.parametrize("count", [4, 5, 6, 7, 8, 13, 16, 30])
def test_players_never_have_the_same_partner_twice(count: int) -> None:
    rounds = plan_players(names(count), 3)
    partners = Counter(
        frozenset(pair)
        for one in rounds
        for table in one.tables
        for pair in (table.north_south, table.east_west)
    )
    assert max(partners.values()) == 1
    for one in rounds:
        assert all(len(table.names) == 4 for table in one.tables)
        assert sorted([name for table in one.tables for name in table.names] + list(one.byes)) == names(count)
        assert len(one.byes) == count % 4
    counts = byes(rounds)
    assert max(counts[name] for name in names(count)) - min(counts[name] for name in names(count)) <= 1


@pytest.mark.parametrize(
    ("teams", "rounds", "message"),
    [
        (["A"], 3, "an evening needs 2 participants at least, not 1"),
        (["A", "B", "A"], 3, "'A' takes part 2 times"),
        (["A", "B"], 0, "1 rounds were played already; the evening cannot have 0"),
    ],
)
def test_evenings_that_cannot_be(teams: list[str], rounds: int, message: str) -> None:
    played = plan_teams(names(2), 1) if rounds == 0 else ()
    with pytest.raises(ScheduleError, match=message):
        plan_teams(teams, rounds, played)
    with pytest.raises(ScheduleError):
        plan_players(names(3), 3)


def test_repetition_is_what_counts_and_for_whom() -> None:
    remark, slow, revoke = (Offence(kind, "Jan") for kind in OffenceKind)
    other = Offence(OffenceKind.REVOKE, "Piet")
    found = consequences(Source.AMSTERDAMS, [remark, slow, revoke, other, slow, revoke, remark])
    assert [one.measure for one in found] == [
        Measure.WARNING,
        Measure.ASK_TO_DECIDE,
        Measure.PENALTY_ONLY,
        Measure.PENALTY_ONLY,
        Measure.TELL_DIRECTOR,
        Measure.EXCLUDE,
        Measure.EXCLUDE,
    ]
    assert [one.reason.article.rpartition(" ")[2] for one in found] == [
        "6",
        "10",
        "14",
        "14",
        "10",
        "14",
        "6",
    ]
    assert [one.count for one in found] == [1, 1, 1, 1, 2, 2, 2]


def test_who_came_late_has_sat_out_already() -> None:
    first = plan_teams("ABCD", 3)[:1]
    evening = plan_teams("ABCDE", 3, first)
    assert all("E" not in later.byes for later in evening[1:])
    assert {name for later in evening[1:] for name in later.byes} <= set("ABCD")


@pytest.mark.parametrize("rounds", [3000, 2.5])
def test_no_evening_has_so_many_rounds(rounds: int) -> None:
    with pytest.raises(ScheduleError, match=str(rounds)):
        plan_teams("AB", rounds)
