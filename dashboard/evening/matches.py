"""Which match of a table belongs to which match of the evening, and what the rules make of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dashboard.evening.model import Evening, EveningRound, Participant, Seating
from rules import CLOCKWISE, Deal, Decision, Match, Reglement, Ruling, Seat, Team
from tracker.events import DealRecord, Event, fold_deals


@dataclass(frozen=True, slots=True)
class TableMatch:
    """One match that a table played, as its events tell.

    key: tells it apart from every other match. last_id: the id of its last stored event.
    last_received_utc: when that came in, as the store writes it.
    records: its deals under the reglement that the table named; None when nobody folded them yet.
    """

    key: str
    events: tuple[Event, ...]
    last_id: int
    last_received_utc: str
    records: tuple[DealRecord, ...] | None = None

    @property
    def highest_deal(self) -> int:
        """The number of the last deal that it tells of."""
        return max((event.deal for event in self.events), default=0)


class MatchSource(Protocol):
    """Where the matches of a table come from."""

    def matches(self, table: str) -> Sequence[TableMatch]:
        """Every match of ``table``, in the order in which they began."""


@dataclass(frozen=True, slots=True)
class SeatedMatch:
    """A match with who sat there. ``key`` is None as long as the table told nothing of it.

    events: all of it, in order. records: its deals. match: the same as the rules add them up.
    withdrew: the side that gave it up.
    """

    round: int
    seating: Seating
    key: str | None
    events: tuple[Event, ...]
    records: tuple[DealRecord, ...]
    match: Match
    withdrew: Team | None = None

    @property
    def is_finished(self) -> bool:
        """Whether it counts for the evening: all deals played, or given up."""
        return self.withdrew is not None or self.match.is_complete

    @property
    def deals_done(self) -> int:
        """How many deals count."""
        return sum(row.counts for row in self.match.rows)


def match_of(reglement: Reglement, first_dealer: Seat, records: Sequence[DealRecord]) -> Match:
    """The match that these deals make.

    A deal dealt again leaves nothing of itself in its record but the rulings; what a player loses by one of
    them (individueel kaarten) is told to the rules as a deal that counts nowhere else.
    """
    deals: list[Deal] = []
    for record in records:
        deals += _punished_deals(reglement, record)
        deals.append(record.deal)
    return Match(reglement, first_dealer, tuple(deals))


def _punished_deals(reglement: Reglement, record: DealRecord) -> list[Deal]:
    kept = record.deal.rulings
    gone = [
        ruling
        for ruling in record.rulings
        if ruling.decision == Decision.REVOKE_INDIVIDUAL.value
        and not any(one.decision is Decision.REVOKE_INDIVIDUAL and one.seat is ruling.seat for one in kept)
    ]
    return [
        Deal(reglement, record.deal.dealer, record.number).ruled(
            Ruling(Decision.REVOKE_INDIVIDUAL, seat=ruling.seat, trick=ruling.trick)
        )
        for ruling in gone
    ]


def bind(rounds: Sequence[int], candidates: Sequence[TableMatch]) -> dict[int, TableMatch]:
    """Give each of ``rounds`` one of a table's matches, in order.

    A table that was started anew within its first deal told of a match that never was: of more matches than
    rounds, those that never came beyond deal 1 and were followed by another one are passed over first.
    """
    chosen = list(candidates)
    for one in candidates[:-1]:
        if len(chosen) > len(rounds) and one.highest_deal <= 1:
            chosen.remove(one)
    return dict(zip(rounds, chosen, strict=False))


class SeatedMatches:
    """The matches of evenings. Each is folded again only when something was added to it."""

    def __init__(self, source: MatchSource) -> None:
        self._source = source
        self._folded: dict[tuple[str, str], tuple[int, tuple[DealRecord, ...], Match]] = {}

    def of(
        self,
        evening: Evening,
        bound: Mapping[tuple[int, str], str],
        bound_elsewhere: frozenset[str] = frozenset(),
        tables: Collection[str] | None = None,
    ) -> dict[tuple[int, str], SeatedMatch]:
        """By round and table, every match that has begun.

        bound: the keys of matches whose place is fixed. bound_elsewhere: those of other evenings.
        tables: look at these only; of the others nothing is known then.
        """
        seated = dict.fromkeys(seating.table for one in evening.started_rounds for seating in one.seatings)
        found: dict[tuple[int, str], TableMatch] = {}
        for table in seated if tables is None else seated.keys() & set(tables):
            chosen = self._chosen(evening, table, bound, bound_elsewhere)
            found |= {(number, table): played for number, played in chosen.items()}
        return self.seated(evening, found)

    def seated(
        self, evening: Evening, played: Mapping[tuple[int, str], TableMatch]
    ) -> dict[tuple[int, str], SeatedMatch]:
        """By round and table, every match that has begun, when it is known what was played where."""
        return {
            (one.number, seating.table): self._seated(
                evening, one, seating, played.get((one.number, seating.table))
            )
            for one in evening.started_rounds
            for seating in one.seatings
        }

    def _chosen(
        self,
        evening: Evening,
        table: str,
        bound: Mapping[tuple[int, str], str],
        bound_elsewhere: frozenset[str],
    ) -> dict[int, TableMatch]:
        matches = self._source.matches(table)
        by_key = {one.key: one for one in matches}
        rounds = [one.number for one in evening.started_rounds if one.at(table) is not None]
        fixed = {
            number: by_key[key] for number in rounds if (key := bound.get((number, table), "")) in by_key
        }
        taken = {one.key for one in fixed.values()} | bound_elsewhere
        begun = evening.started_rounds[0].started_utc
        assert begun is not None
        free = [
            one
            for one in matches
            if one.key not in taken and one.last_received_utc >= begun.isoformat(timespec="microseconds")
        ]
        return fixed | bind([number for number in rounds if number not in fixed], free)

    def _seated(
        self, evening: Evening, one: EveningRound, seating: Seating, played: TableMatch | None
    ) -> SeatedMatch:
        records, match = self._fold(evening, played)
        return SeatedMatch(
            round=one.number,
            seating=seating,
            key=played.key if played else None,
            events=played.events if played else (),
            records=records,
            match=match,
            withdrew=_who_withdrew(one, seating),
        )

    def _fold(self, evening: Evening, played: TableMatch | None) -> tuple[tuple[DealRecord, ...], Match]:
        if played is None:
            return (), Match(evening.reglement, evening.first_dealer)
        place = (played.key, f"{evening.reglement!r}{evening.first_dealer}")
        known = self._folded.get(place)
        if known is None or known[0] != played.last_id:
            records = _records_under(evening.reglement, played)
            known = (played.last_id, records, match_of(evening.reglement, evening.first_dealer, records))
            self._folded[place] = known
        return known[1], known[2]


def _records_under(reglement: Reglement, played: TableMatch) -> tuple[DealRecord, ...]:
    """The deals under the evening's reglement, folded again only where the table named another."""
    records = played.records
    if records is not None and all(record.deal.reglement == reglement for record in records):
        return records
    return fold_deals(played.events, reglement)


def _who_withdrew(one: EveningRound, seating: Seating) -> Team | None:
    return next(
        (
            team
            for team in Team
            for participant in seating.sides[team]
            if participant.withdrew_in_round == one.number
        ),
        None,
    )


def seat_of(seating: Seating, participant: Participant) -> Seat:
    """Where a single player sits (individueel kaarten); of a team the first seat of its side."""
    team = next(team for team in Team if participant in seating.sides[team])
    seats = [seat for seat in CLOCKWISE if seat.team is team]
    return seats[seating.sides[team].index(participant)]
