"""A deal of ``rules`` told as events: for evenings that come from a text, where no camera was."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from rules import Deal, RoemCall
from rules import Ruling as RuledInRules
from rules.actions import Action, Covered, Declaration, Exposure, Pass, PenaltyCalled, Repair
from rules.trick import Play
from tracker.events import (
    CardExposed,
    CardPlayed,
    Correction,
    DealClosed,
    DealStarted,
    Event,
    PenaltyCardCalled,
    PlayerPassed,
    RoemCalled,
    Ruling,
    TrickCovered,
    TrumpDeclared,
)

_BY: Final = "bestand"
_STEP: Final = timedelta(seconds=2)


def events_of_deals(deals: Iterable[Deal], table: str, begins: datetime) -> tuple[Event, ...]:
    """The events that fold back to ``deals``, two seconds apart from ``begins``."""
    teller = _Teller(table, begins)
    for deal in deals:
        teller.tell(deal)
    return tuple(teller.events)


class _Teller:
    """Tells deals one after the other."""

    def __init__(self, table: str, begins: datetime) -> None:
        self._table = table
        self._now = begins
        self._number = 1
        self._trick = 0
        self._position = 4
        self.events: list[Event] = []

    def tell(self, deal: Deal) -> None:
        self._number, self._trick, self._position = deal.number, 0, 4
        self._add(DealStarted, dealer=deal.dealer, reglement=deal.reglement.name)
        for action in deal.actions:
            self._tell_action(action)
        result = deal.result()
        if result.complete:
            self._add(DealClosed, reason="played")

    def _tell_action(self, action: Action) -> None:
        match action:
            case Pass():
                self._add(PlayerPassed, seat=action.seat)
            case Declaration():
                self._add(TrumpDeclared, seat=action.seat, trump=action.suit)
            case Play():
                self._play(action)
            case RoemCall():
                self._add(RoemCalled, seat=action.seat, trick=action.trick, points=action.points)
            case Covered():
                self._add(TrickCovered, trick=self._trick)
            case Exposure():
                self._add(CardExposed, seat=action.seat, card=action.card)
            case PenaltyCalled():
                self._add(PenaltyCardCalled, seat=action.seat, card=action.card, call=action.call.value)
            case Repair():
                self._repair(action)
            case RuledInRules():
                self._rule(action)

    def _play(self, play: Play) -> None:
        if self._position == 4:
            self._trick, self._position = self._trick + 1, 0
        self._position += 1
        self._add(CardPlayed, trick=self._trick, position=self._position, seat=play.seat, card=play.card)

    def _repair(self, repair: Repair) -> None:
        self._add(
            Correction,
            trick=self._trick,
            position=self._position,
            seat=repair.seat,
            card=repair.card,
            by=_BY,
            reason="hersteld",
        )

    def _rule(self, ruling: RuledInRules) -> None:
        self._add(
            Ruling,
            decision=ruling.decision.value,
            by=_BY,
            seat=ruling.seat,
            trick=ruling.trick,
            found_after_trick=ruling.found_after_trick,
            card=ruling.card,
            reason=ruling.reason,
            undoes=ruling.undoes,
        )

    def _add(self, kind: type[Event], **values: object) -> None:
        self._now += _STEP
        self.events.append(kind(table=self._table, deal=self._number, time_utc=self._now, **values))  # type: ignore[arg-type]
