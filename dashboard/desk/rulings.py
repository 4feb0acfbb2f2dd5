"""The rulings as they can be pressed: what each needs, and the event that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from dashboard.books import TableRecord
from dashboard.desk.alerts import Alert, AlertKind
from dashboard.desk.effects import Effect, deal_of, effect_of
from rules import Card, Decision, Drive, Seat
from tracker.events import DealRecord, Ruling

_NEEDS_SEAT: Final = frozenset(
    {
        Decision.REVOKE_PAIRS,
        Decision.REVOKE_INDIVIDUAL,
        Decision.WRONG_ACCUSATION,
        Decision.PENALTY_CARD,
    }
)
_FOUND_MATTERS: Final = frozenset({Decision.REVOKE_PAIRS, Decision.WRONG_ACCUSATION})
_STOPPING: Final = frozenset(
    {Decision.REVOKE_PAIRS, Decision.REVOKE_INDIVIDUAL, Decision.WRONG_ACCUSATION, Decision.REDEAL}
)
_PRESSED: Final = (
    Decision.REVOKE_PAIRS,
    Decision.REVOKE_INDIVIDUAL,
    Decision.WRONG_ACCUSATION,
    Decision.PENALTY_CARD,
    Decision.REDEAL,
    Decision.NEW_PACK,
    Decision.NO_ACTION,
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A ruling that has not been made.

    seat: who verzaakte, accused wrongly or gets the strafkaart. trick: what it is about.
    found_after_trick: the last trick that was covered when it was found; the roem up to there counts.
    """

    decision: Decision
    seat: Seat | None = None
    trick: int | None = None
    found_after_trick: int | None = None
    card: Card | None = None
    reason: str = ""
    undoes: int | None = None

    @property
    def lacks(self) -> str:
        """What must be chosen before it can be pressed: ``seat``, ``card`` or nothing."""
        if self.decision in _NEEDS_SEAT and self.seat is None:
            return "seat"
        return "card" if self.decision is Decision.PENALTY_CARD and self.card is None else ""

    def is_in_force(self, made: Sequence[MadeRuling]) -> bool:
        """Whether the same was decided already and nobody undid it; twice it would have to be undone twice.

        What changes no score can be said of each of several alerts.
        """
        if self.decision not in (*_STOPPING, Decision.PENALTY_CARD):
            return False
        return any(
            ruling.in_force
            and ruling.decision is self.decision
            and ruling.event.trick == self.trick
            and (self.decision not in _NEEDS_SEAT or ruling.event.seat is self.seat)
            and (self.decision is not Decision.PENALTY_CARD or ruling.event.card == self.card)
            for ruling in made
        )

    def event(self, table: str, deal: int, by: str, now: datetime) -> Ruling:
        """What is written when it is pressed."""
        return Ruling(
            table=table,
            deal=deal,
            time_utc=now,
            decision=self.decision.value,
            by=by,
            seat=self.seat if self.decision in _NEEDS_SEAT else None,
            trick=self.trick,
            reason=self.reason,
            undoes=self.undoes,
            card=self.card if self.decision is Decision.PENALTY_CARD else None,
            found_after_trick=self.found_after_trick if self.decision in _FOUND_MATTERS else None,
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: the ruling, and what it would do; ``effect`` is None while something must be chosen first.

    is_in_force: it was pressed before, and nobody undid it.
    """

    proposal: Proposal
    effect: Effect | None
    is_in_force: bool = False


@dataclass(frozen=True, slots=True)
class MadeRuling:
    """A ruling that was made. ``number`` is how an undoing names it; ``in_force``: nobody undid it."""

    number: int
    event: Ruling
    in_force: bool

    @property
    def decision(self) -> Decision:
        """What was decided."""
        return Decision(self.event.decision)


def made_rulings(deal: DealRecord | None) -> tuple[MadeRuling, ...]:
    """Every ruling of a deal in the order in which they were made; those that undo one are not in force."""
    if deal is None:
        return ()
    made = [event for event in deal.events if isinstance(event, Ruling)]
    return tuple(
        MadeRuling(number, event, any(event is ruling for ruling in deal.rulings))
        for number, event in enumerate(made, start=1)
    )


def choices(
    record: TableRecord,
    deal: int,
    about: Proposal,
    accuser: Seat | None,
    by: str,
    now: datetime,
    deals_in_match: int,
) -> tuple[Choice, ...]:
    """A button for each ruling, about what ``about`` says; those of the own kind of drive first.

    accuser: whom a wrong accusation is held against.
    """
    found = []
    for decision in _in_order(deal_of(record, deal)):
        proposal = replace(about, decision=decision)
        if decision is Decision.WRONG_ACCUSATION:
            proposal = replace(proposal, seat=accuser)
        found.append(choice(record, deal, proposal, by, now, deals_in_match))
    return tuple(found)


def choice(
    record: TableRecord, deal: int, proposal: Proposal, by: str, now: datetime, deals_in_match: int
) -> Choice:
    """One button with its effect."""
    if proposal.lacks:
        return Choice(proposal, None)
    event = proposal.event(record.table, deal, by, now)
    effect = effect_of(record, deal, [event], deals_in_match)
    return Choice(proposal, effect, proposal.is_in_force(made_rulings(deal_of(record, deal))))


def stops_the_deal(decision: Decision) -> bool:
    """Whether nothing more is played after it, so that its effect is known to the point."""
    return decision in _STOPPING


def about_alert(alert: Alert) -> Proposal:
    """What a ruling on an alert is about, before anybody chose anything.

    In an accusation the accused is the ``other_seat``; see :func:`accuser_in`.
    """
    seat = alert.other_seat if alert.kind is AlertKind.REVOKE_ACCUSED else alert.seat
    return Proposal(
        Decision.NO_ACTION,
        seat=seat,
        trick=alert.trick,
        found_after_trick=alert.found_after_trick,
        card=alert.card if alert.kind in (AlertKind.CARD_EXPOSED, AlertKind.OUT_OF_TURN) else None,
    )


def accuser_in(alert: Alert) -> Seat | None:
    """Who loses when it is wrong; a camera accuses nobody."""
    return alert.seat if alert.kind is AlertKind.REVOKE_ACCUSED else None


def _in_order(deal: DealRecord | None) -> Sequence[Decision]:
    if deal is None or deal.deal.reglement.drive is Drive.PAIRS:
        return _PRESSED
    first = Decision.REVOKE_INDIVIDUAL
    return (first, *(decision for decision in _PRESSED if decision is not first))
