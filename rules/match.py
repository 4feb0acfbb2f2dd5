"""A match (partij) of sixteen or twelve deals, and its tellijst (articles 4, 5 and 13).

Nothing is kept but the deals; every row and total is computed from them, so a correction of an early deal
changes all that follows from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from rules.articles import Topic, article
from rules.cards import CLOCKWISE, Seat, Team
from rules.deal import Deal
from rules.reasons import Reason
from rules.reglement import Reglement
from rules.result import DealResult, both

_NumberOf = Callable[[DealResult, Team], int]


@dataclass(frozen=True, slots=True)
class TellijstRow:
    """One row of the tellijst.

    deal: its number. dealer: who deals it. result: of the deal that counts, running or final; None before it.
    totals: of both teams up to and with this row; a deal that is not complete adds nothing yet.
    roem_struck: nobody called roem in a finished deal: the roem cell gets a diagonal line (article 4).
    """

    deal: int
    dealer: Seat
    result: DealResult | None
    totals: Mapping[Team, int]
    roem_struck: bool

    @property
    def counts(self) -> bool:
        """Whether the row is in the totals."""
        return self.result is not None and self.result.complete


class MatchFaultKind(Enum):
    """What can be wrong with the deals of a match."""

    TOO_MANY_DEALS = "too-many-deals"
    WRONG_DEALER = "wrong-dealer"
    OTHER_REGLEMENT = "other-reglement"
    DEAL_TWICE = "deal-twice"
    DEAL_MISSING = "deal-missing"


@dataclass(frozen=True, slots=True)
class MatchFault:
    """A deal that does not belong in the match as it is, or is missing; one with too high a number adds
    nothing.
    """

    kind: MatchFaultKind
    deal: int
    reason: Reason


@dataclass(frozen=True)
class Match:
    """The deals of one match between two teams, in the order in which they were dealt.

    Of deals with the same number the last one counts; a deal to be dealt again counts nowhere, and takes
    nothing away from another of its number. first_dealer: who deals number 1; then clockwise, so that each
    seat deals as often.
    """

    reglement: Reglement
    first_dealer: Seat
    deals: tuple[Deal, ...] = ()

    def with_deal(self, deal: Deal) -> Match:
        """This match, and then ``deal`` was dealt."""
        return replace(self, deals=(*self.deals, deal))

    def with_deal_replaced(self, index: int, deal: Deal) -> Match:
        """This match with ``deals[index]`` corrected to ``deal``.

        Raises:
            IndexError: when there is no such deal.
        """
        deals = list(self.deals)
        deals[index] = deal
        return replace(self, deals=tuple(deals))

    def dealer_of(self, number: int) -> Seat:
        """Who deals deal ``number`` (from 1)."""
        return CLOCKWISE[(CLOCKWISE.index(self.first_dealer) + number - 1) % 4]

    @cached_property
    def _results(self) -> tuple[DealResult, ...]:
        return tuple(deal.result() for deal in self.deals)

    @cached_property
    def _counting(self) -> Mapping[int, DealResult]:
        """The result that counts for each deal number, running ones too."""
        counting: dict[int, DealResult] = {}
        for deal, result in zip(self.deals, self._results, strict=True):
            if not 1 <= deal.number <= self.reglement.deals_per_match:
                continue
            if not result.replayed:
                counting[deal.number] = result
        return counting

    @cached_property
    def rows(self) -> tuple[TellijstRow, ...]:
        """All rows of the tellijst, played or not."""
        totals = both()
        rows = []
        for number in range(1, self.reglement.deals_per_match + 1):
            result = self._counting.get(number)
            if result is not None and result.complete:
                totals = {team: totals[team] + result.total(team) for team in Team}
            rows.append(TellijstRow(number, self.dealer_of(number), result, totals, _is_roem_struck(result)))
        return tuple(rows)

    @property
    def next_number(self) -> int | None:
        """The first deal that still has to be played to its end; None when there is none."""
        return next((row.deal for row in self.rows if not row.counts), None)

    @property
    def is_complete(self) -> bool:
        """Whether every deal of the match counts."""
        return self.next_number is None

    @property
    def totals(self) -> Mapping[Team, int]:
        """Points and roem of both teams over all finished deals."""
        return self.rows[-1].totals

    @property
    def kruizen(self) -> Mapping[Team, int]:
        """The kruizen of both teams; shown and counted, never ranked."""
        return self._sum_of(lambda result, team: result.kruizen[team])

    @property
    def pits(self) -> Mapping[Team, int]:
        """How many pits each team made."""
        return self._sum_of(lambda result, team: int(result.pit_team is team))

    @property
    def revokes(self) -> Mapping[Team, int]:
        """How often each team was ruled to have verzaakt."""
        return self._sum_of(lambda result, team: int(result.revoking_team is team))

    def _sum_of(self, number: _NumberOf) -> Mapping[Team, int]:
        finished = [result for result in self._counting.values() if result.complete]
        return {team: sum(number(result, team) for result in finished) for team in Team}

    @property
    def player_penalties(self) -> Mapping[Seat, int]:
        """What each player loses after the match (individueel kaarten), 0 or less; of replayed deals too."""
        return {
            seat: sum(result.player_penalties.get(seat, 0) for result in self._results) for seat in CLOCKWISE
        }

    @property
    def player_totals(self) -> Mapping[Seat, int]:
        """What each player takes from the match (individueel): the total of the team, and the penalty."""
        return {seat: self.totals[seat.team] + self.player_penalties[seat] for seat in CLOCKWISE}

    @property
    def faults(self) -> tuple[MatchFault, ...]:
        """Deals that do not belong in this match as they are, then those that are there twice or missing."""
        faults = [fault for deal in self.deals for fault in self._faults_of(deal)]
        return (*faults, *self._faults_of_numbers())

    def _faults_of_numbers(self) -> Iterator[MatchFault]:
        counted = Counter(
            deal.number
            for deal, result in zip(self.deals, self._results, strict=True)
            if result.complete and not result.replayed
        )
        for number, count in sorted(counted.items()):
            if count > 1:
                dutch = f"spel {number} is {count} keer uitgespeeld; het laatste telt"
                english = f"deal {number} was played to its end {count} times; the last one counts"
                yield self._fault(MatchFaultKind.DEAL_TWICE, number, dutch, english)
        last = max(self._counting, default=0)
        for number in range(1, last):
            if number not in self._counting:
                dutch = f"spel {number} ontbreekt, terwijl er een later spel is"
                english = f"deal {number} is missing, and there is a later one"
                yield self._fault(MatchFaultKind.DEAL_MISSING, number, dutch, english)

    def _faults_of(self, deal: Deal) -> list[MatchFault]:
        most = self.reglement.deals_per_match
        if not 1 <= deal.number <= most:
            dutch = f"spel {deal.number} bestaat niet; een partij heeft {most} spellen"
            english = f"there is no deal {deal.number}; a match has {most} deals"
            return [self._fault(MatchFaultKind.TOO_MANY_DEALS, deal.number, dutch, english)]
        faults = []
        dealer = self.dealer_of(deal.number)
        if deal.dealer is not dealer:
            dutch = f"spel {deal.number}: {deal.dealer.dutch} gaf, {dealer.dutch} was aan de beurt"
            english = f"deal {deal.number}: {deal.dealer.english} dealt, it was {dealer.english}'s turn"
            faults.append(self._fault(MatchFaultKind.WRONG_DEALER, deal.number, dutch, english))
        if deal.reglement != self.reglement:
            dutch = f"spel {deal.number} is gespeeld volgens {deal.reglement.title}"
            english = f"deal {deal.number} was played under {deal.reglement.title}"
            faults.append(self._fault(MatchFaultKind.OTHER_REGLEMENT, deal.number, dutch, english))
        return faults

    def _fault(self, kind: MatchFaultKind, number: int, dutch: str, english: str) -> MatchFault:
        topic = Topic.HAND_SIZE if kind is MatchFaultKind.WRONG_DEALER else Topic.DIRECTOR_DECIDES
        reason = Reason(kind.value, dutch, english, article(self.reglement.basis, topic))
        return MatchFault(kind, number, reason)


def _is_roem_struck(result: DealResult | None) -> bool:
    return result is not None and result.complete and not any(result.score_roem.values())
