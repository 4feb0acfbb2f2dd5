"""Who meets whom on an evening: no pair twice, zitbeurten shared, tables numbered.

The plan depends on the order of the names alone, so draw lots before and hand the order in. When somebody
comes late or goes home, plan again with the new names and the rounds already played: what was played stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.errors import ScheduleError


@dataclass(frozen=True, slots=True)
class TableSeating:
    """Who plays at a table: two teams, or two pairs of partners drawn for this match. ``number`` from 1."""

    number: int
    north_south: tuple[str, ...]
    east_west: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody at the table."""
        return self.north_south + self.east_west


@dataclass(frozen=True, slots=True)
class Round:
    """One match of the evening for everybody; ``byes`` have a zitbeurt. ``number`` from 1."""

    number: int
    tables: tuple[TableSeating, ...]
    byes: tuple[str, ...]


_Pair = tuple[str, str]
_SEARCH_STEPS: Final = 100_000
_MOST_ROUNDS: Final = 50
"""No evening is as long; a mistyped number would be searched for minutes."""


def plan_teams(teams: Sequence[str], rounds: int, played: Sequence[Round] = ()) -> tuple[Round, ...]:
    """The whole evening of ``rounds`` matches for teams: ``played`` and after it what is still to come.

    No two teams meet twice as long as that can be; where it cannot (three matches for two teams), as seldom
    as it can. With an odd number one team has a zitbeurt, those
    first who sat out fewest rounds; who came late sat out those before.

    Raises:
        ScheduleError: for fewer than two teams, a name twice, or too few or too many rounds.
    """
    _check(teams, rounds, played, least=2)
    met = Counter(
        frozenset((table.north_south[0], table.east_west[0])) for one in played for table in one.tables
    )
    planned = _plan(teams, rounds - len(played), met, _sat_out(teams, played))
    return (*played, *(_team_round(number, *one) for number, one in enumerate(planned, len(played) + 1)))


def plan_players(players: Sequence[str], rounds: int, played: Sequence[Round] = ()) -> tuple[Round, ...]:
    """The whole evening for single players whose partners are drawn anew each match.

    Nobody has the same partner twice as long as that can be. Who is over when four are at each table has a
    zitbeurt, those first who sat out fewest rounds; who came late sat out those before.

    Raises:
        ScheduleError: for fewer than four players, a name twice, or too few or too many rounds.
    """
    _check(players, rounds, played, least=4)
    evening = list(played)
    while len(evening) < rounds:
        evening.append(_players_round(players, evening))
    return tuple(evening)


def _check(names: Sequence[str], rounds: int, played: Sequence[Round], least: int) -> None:
    if len(names) < least:
        raise ScheduleError(f"an evening needs {least} participants at least, not {len(names)}")
    for name, count in Counter(names).items():
        if count > 1:
            raise ScheduleError(f"{name!r} takes part {count} times")
    if not isinstance(rounds, int) or rounds > _MOST_ROUNDS:
        raise ScheduleError(f"an evening has {_MOST_ROUNDS} rounds at most, not {rounds!r}")
    if rounds < len(played):
        raise ScheduleError(f"{len(played)} rounds were played already; the evening cannot have {rounds}")


def _sat_out(names: Sequence[str], played: Sequence[Round]) -> Counter[str]:
    """How many rounds each did not play, in a zitbeurt or not there yet: neither has played as much."""
    playing = [{name for table in one.tables for name in table.names} for one in played]
    return Counter({name: sum(name not in at_tables for at_tables in playing) for name in names})


def _team_round(number: int, pairs: Sequence[_Pair], byes: tuple[str, ...]) -> Round:
    tables = tuple(TableSeating(place, (one,), (other,)) for place, (one, other) in enumerate(pairs, 1))
    return Round(number, tables, byes)


def _players_round(players: Sequence[str], evening: Sequence[Round]) -> Round:
    byes_so_far = _sat_out(players, evening)
    order = {name: place for place, name in enumerate(players)}
    # The last in the order sit out first, so that a round for all who came early stays as it was drawn.
    by_turn = sorted(players, key=lambda name: (byes_so_far[name], -order[name]))
    byes = by_turn[: len(players) % 4]
    partners = Counter(
        frozenset(pair)
        for one in evening
        for table in one.tables
        for pair in (table.north_south, table.east_west)
    )
    playing = [name for name in players if name not in byes]
    ((pairs, _),) = _plan(playing, 1, partners, Counter())
    tables = [
        TableSeating(place, pairs[2 * place - 2], pairs[2 * place - 1])
        for place in range(1, len(pairs) // 2 + 1)
    ]
    return Round(len(evening) + 1, tuple(tables), tuple(sorted(byes, key=order.__getitem__)))


_RoundPlan = tuple[tuple[_Pair, ...], tuple[str, ...]]


def _plan(
    names: Sequence[str], rounds: int, met: Counter[frozenset[str]], byes: Counter[str]
) -> tuple[_RoundPlan, ...]:
    """``rounds`` rounds of pairs, each pair meeting once, or as few times as it can."""
    meetings = 1
    while True:
        plan = _Search(names, met, byes, meetings).plan(rounds)
        if plan is not None:
            return plan
        meetings += 1


class _Search:
    """Looks for rounds in which no pair has met ``meetings`` times before; gives up after many steps."""

    def __init__(
        self, names: Sequence[str], met: Counter[frozenset[str]], byes: Counter[str], meetings: int
    ) -> None:
        self._names = tuple(names)
        self._met = Counter(met)
        self._byes = Counter(byes)
        self._meetings = meetings
        self._steps = 0

    def plan(self, rounds: int) -> tuple[_RoundPlan, ...] | None:
        if rounds == 0:
            return ()
        for pairs, byes in self._rounds():
            with_pairs = [frozenset(pair) for pair in pairs]
            self._met.update(with_pairs)
            self._byes.update(byes)
            rest = self.plan(rounds - 1)
            self._met.subtract(with_pairs)
            self._byes.subtract(byes)
            if rest is not None:
                return ((pairs, byes), *rest)
        return None

    def _rounds(self) -> Iterator[_RoundPlan]:
        for bye in self._candidates_for_bye():
            names = tuple(name for name in self._names if name not in bye)
            for pairs in self._pairings(names):
                yield pairs, bye

    def _candidates_for_bye(self) -> Iterator[tuple[str, ...]]:
        if len(self._names) % 2 == 0:
            yield ()
            return
        fewest = min(self._byes[name] for name in self._names)
        for name in reversed(self._names):
            if self._byes[name] == fewest:
                yield (name,)

    def _pairings(self, names: tuple[str, ...]) -> Iterator[tuple[_Pair, ...]]:
        if not names:
            yield ()
            return
        first, others = names[0], names[1:]
        for other in others:
            self._steps += 1
            if self._steps > _SEARCH_STEPS:
                return
            if self._met[frozenset((first, other))] >= self._meetings:
                continue
            rest = tuple(name for name in others if name != other)
            for pairs in self._pairings(rest):
                yield ((first, other), *pairs)
