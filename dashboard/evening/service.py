"""The evenings of a venue with their matches: what the pages ask."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from dashboard.evening.archive import Archive, EveningFile
from dashboard.evening.bindings import Bindings
from dashboard.evening.matches import MatchSource, SeatedMatch, SeatedMatches, TableMatch
from dashboard.evening.model import Evening, EveningRound, Phase, Seating
from dashboard.evening.paper import PaperDifference, PaperSheets, differing_deals
from dashboard.evening.register import Evenings
from dashboard.evening.standing import Matches, evening_standings
from dashboard.store import Store
from dashboard.tellijst import tellijst_of
from rules import Standing


@dataclass(frozen=True, slots=True)
class TablePlace:
    """What a table is doing in an evening: which match, and who sits there."""

    evening: Evening
    round: EveningRound
    seating: Seating


class EveningBook:
    """The evenings, their matches and the players' sheets of one venue."""

    def __init__(
        self, store: Store, source: MatchSource, clock: Callable[[], datetime] | None = None
    ) -> None:
        self.evenings = Evenings(store, clock) if clock else Evenings(store)
        self.paper = PaperSheets(store)
        self._bindings = Bindings(store)
        self.archive = Archive(store)
        self._matches = SeatedMatches(source)

    def matches(self, evening: Evening, tables: Collection[str] | None = None) -> Matches:
        """By match and table, everything that was played in an evening; at ``tables`` only, if given."""
        if not evening.started_rounds:
            return {}
        if evening.is_archived:
            return self._matches.seated(evening, self._archived(evening))
        bound = self._bindings.all()
        here = {(number, table): key for (one, number, table), key in bound.items() if one == evening.id}
        elsewhere = frozenset(key for (one, _, _), key in bound.items() if one != evening.id)
        return self._matches.of(evening, here, elsewhere, tables)

    def fix_matches(self, evening: Evening) -> None:
        """Write down which match of a table was which, so that nothing played later changes it."""
        keys = {place: seated.key for place, seated in self.matches(evening).items() if seated.key}
        self._bindings.fix(evening.id, keys)

    def choose_match(self, evening: Evening, number: int, table: str, key: str) -> None:
        """The wedstrijdleider says which match of a table was this one."""
        self._bindings.choose(evening.id, number, table, key)

    def seated(self, evening: Evening, number: int, table: str) -> SeatedMatch | None:
        """One match at one table; None when nobody sits there."""
        return self.matches(evening, {table}).get((number, table))

    def paper_differences(self, evening: Evening) -> tuple[PaperDifference, ...]:
        """Where the players' own sheets do not agree with each other or with what was counted."""
        sheets = self.paper.of(evening.id)
        if not sheets:
            return ()
        matches = self.matches(evening, {table for _, table in sheets})
        found = []
        for number, table in sorted(sheets):
            seated = matches.get((number, table))
            if seated is not None:
                counted = tellijst_of(seated.records, evening.reglement.deals_per_match)
                deals = differing_deals(counted, sheets[number, table])
                found += [PaperDifference(evening.id, number, table, deals)] if deals else []
        return tuple(found)

    def place_of(self, table: str) -> TablePlace | None:
        """Who sits at ``table`` in the match that is being played, or else in the next one."""
        evening = self.evenings.current()
        return self.place_in(evening, table) if evening else None

    def place_in(self, evening: Evening, table: str) -> TablePlace | None:
        """The same in an evening that is known."""
        wanted = evening.running_round or evening.next_round
        seating = wanted.at(table) if wanted else None
        return TablePlace(evening, wanted, seating) if wanted and seating else None

    def _archived(self, evening: Evening) -> dict[tuple[int, str], TableMatch]:
        events = self.archive.matches(evening.id)
        return {
            (number, table): TableMatch(f"archive/{evening.id}/{number}/{table}", told, 0, "")
            for (number, table), told in events.items()
            if told
        }

    def file_of(self, evening: Evening) -> EveningFile:
        """Everything about an evening, to be written to a file."""
        matches = self.matches(evening)
        return EveningFile(
            evening=evening,
            matches={place: seated.events for place, seated in matches.items() if seated.events},
            paper=self.paper.of(evening.id),
            log=[entry for entry in self.evenings.log(evening.id) if entry.what != "imported"],
        )

    def is_frozen(self, match_key: str) -> bool:
        """Whether a match belongs to an evening whose sheets are frozen: nothing may be added to it."""
        evening_id = self._bindings.evening_of(match_key)
        evening = self.evenings.get(evening_id) if evening_id is not None else None
        return evening is not None and evening.phase(self.evenings.now()) is Phase.FROZEN

    def season(self, season: str) -> list[tuple[Evening, dict[str, Standing]]]:
        """The evenings of a season in order of time, those in which something was played."""
        of_season = [one for one in self.evenings.all() if one.season == season and one.started_rounds]
        of_season.sort(key=lambda one: (one.day, one.id))
        return [(one, evening_standings(one, self.matches(one))) for one in of_season]
