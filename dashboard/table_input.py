"""What a table can say on its tablet now, and the event that each press becomes.

Nothing settled can be taken back here: trump once told, a trick once covered, a deal both sides agreed
to. Whoever wants that calls the wedstrijdleider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dashboard.errors import ChangedMeanwhileError, MalformedRequestError
from dashboard.members import member_of
from dashboard.table_state import TableView
from dashboard.tellijst import RowState, SheetRow
from rules import CLOCKWISE, Bidding, Card, NotationError, Seat, Suit, Team, parse_card
from tracker.events import (
    PENALTY_CALLS,
    ClaimMade,
    DealAgreed,
    DealRecord,
    DealStarted,
    DirectorCalled,
    Event,
    PenaltyCardCalled,
    PlayerPassed,
    RevokeAccused,
    RoemCalled,
    TrumpDeclared,
)

ROEM_VALUES: Final = (20, 40, 50, 70, 100, 200)
"""Three or stuk, both, four, four with stuk, five or four alike, four jacks."""

Form = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ToAgree:
    """A finished deal of which the sides say whether its row is right; ``said`` by those who spoke."""

    row: SheetRow
    said: Mapping[Team, bool]

    def may_say(self, team: Team) -> bool:
        """Whether a side may still speak: "klopt" stands, "klopt niet" may become "klopt"."""
        return self.said.get(team) is not True


@dataclass(frozen=True, slots=True)
class Sayable:
    """What can be said now of the deal that is being played.

    deal: its number; None before the first one. speaker: whose turn it is to speak; None once trump is told.
    roem_trick: the trick that lies open, whose roem can still be called; None when none does.
    """

    deal: int | None
    speaker: Seat | None
    may_pass: bool
    roem_trick: int | None
    may_claim: bool
    is_playing: bool
    to_agree: ToAgree | None


def sayable(view: TableView, deals: Sequence[DealRecord]) -> Sayable:
    """What the table of ``view`` can say; ``deals`` are those of its match."""
    shown = view.deal
    if shown is None:
        return Sayable(None, None, False, None, False, False, None)
    record = next(deal for deal in deals if deal.number == shown.number)
    is_speaking = not shown.is_over and not shown.trump_is_told
    return Sayable(
        deal=shown.number,
        speaker=_speaker(record) if is_speaking else None,
        may_pass=is_speaking and record.deal.reglement.bidding is Bidding.PASSING and _passes(record) < 4,
        roem_trick=shown.trick if shown.open_cards else None,
        may_claim=record.deal.reglement.claims_allowed and not shown.is_over,
        is_playing=not shown.is_over,
        to_agree=_to_agree(view, deals),
    )


def said(form: Form, can: Sayable, table: str, now: datetime) -> Event:
    """The event that a press becomes.

    Raises:
        MalformedRequestError: when the form says nothing that a table can say.
        ChangedMeanwhileError: when it could be said a moment ago and no longer can.
    """
    what, deal = form.get("wat", ""), _whole(form, "spel")
    if what == "klopt":
        return _agreement(form, can, table, deal, now)
    if deal != can.deal:
        raise ChangedMeanwhileError
    match what:
        case "troef":
            return _bid(form, can, table, deal, now)
        case "roem":
            return _roem(form, can, table, deal, now)
        case "verzaakt":
            by, accused = _seat(form, "wie"), _seat(form, "beschuldigd")
            if by.team is accused.team:
                raise MalformedRequestError("a player accuses somebody of the other side")
            return RevokeAccused(table=table, deal=deal, time_utc=now, by=by, accused=accused)
        case "wedstrijdleider":
            return DirectorCalled(table=table, deal=deal, time_utc=now)
        case "strafkaart":
            call = form.get("hoe", "")
            if call not in PENALTY_CALLS:
                raise MalformedRequestError(f"a strafkaart is not played as {call[:20]!r}")
            seat, card = _seat(form, "wie"), _card(form)
            return PenaltyCardCalled(table=table, deal=deal, time_utc=now, seat=seat, card=card, call=call)
        case "uit":
            return _claim(form, can, table, deal, now)
    raise MalformedRequestError(f"a table cannot say {what[:20]!r}")


def _bid(form: Form, can: Sayable, table: str, deal: int, now: datetime) -> Event:
    """ "Ik speel" with a suit, or "ik pas"."""
    passes = "pas" in form
    if can.speaker is None or (passes and not can.may_pass):
        raise ChangedMeanwhileError
    seat = _seat(form, "wie")
    if passes:
        return PlayerPassed(table=table, deal=deal, time_utc=now, seat=seat)
    suit = member_of(Suit, form.get("troef"))
    if suit is None:
        raise MalformedRequestError("trump is one of H, D, S and C")
    return TrumpDeclared(table=table, deal=deal, time_utc=now, seat=seat, trump=suit)


def _roem(form: Form, can: Sayable, table: str, deal: int, now: datetime) -> Event:
    if can.roem_trick is None or _whole(form, "slag") != can.roem_trick:
        raise ChangedMeanwhileError
    points = _whole(form, "roem")
    if points not in ROEM_VALUES:
        raise MalformedRequestError(f"roem is never {points}")
    seat, trick = _seat(form, "wie"), can.roem_trick
    return RoemCalled(table=table, deal=deal, time_utc=now, seat=seat, trick=trick, points=points)


def _claim(form: Form, can: Sayable, table: str, deal: int, now: datetime) -> Event:
    if not can.may_claim:
        raise ChangedMeanwhileError
    tricks = _whole(form, "slagen")
    if not 1 <= tricks <= 8:
        raise MalformedRequestError(f"nobody can take {tricks} tricks")
    return ClaimMade(table=table, deal=deal, time_utc=now, seat=_seat(form, "wie"), tricks=tricks)


def _agreement(form: Form, can: Sayable, table: str, deal: int, now: datetime) -> Event:
    if can.to_agree is None or can.to_agree.row.number != deal:
        raise ChangedMeanwhileError
    team = member_of(Team, form.get("kant"))
    if team is None or form.get("klopt") not in ("ja", "nee"):
        raise MalformedRequestError("a side says ja or nee")
    if not can.to_agree.may_say(team):
        raise ChangedMeanwhileError
    return DealAgreed(table=table, deal=deal, time_utc=now, team=team, agreed=form["klopt"] == "ja")


def _to_agree(view: TableView, deals: Sequence[DealRecord]) -> ToAgree | None:
    """The last finished deal; it stays until both sides agree, or until the next one is finished."""
    by_number = {deal.number: deal for deal in deals}
    settled = [row for row in view.sheet.rows if row.state is RowState.SETTLED]
    if not settled:
        return None
    row = settled[-1]
    return ToAgree(row, dict(by_number[row.number].agreed))


def _speaker(record: DealRecord) -> Seat:
    first = record.deal.reglement.speaks_first(record.deal.dealer)
    return CLOCKWISE[(CLOCKWISE.index(first) + _passes(record)) % 4]


def _passes(record: DealRecord) -> int:
    """How many passed since the cards were dealt last."""
    starts = [place for place, event in enumerate(record.events) if isinstance(event, DealStarted)]
    since = record.events[starts[-1] :] if starts else record.events
    return len({event.seat for event in since if isinstance(event, PlayerPassed)})


def _seat(form: Form, name: str) -> Seat:
    found = member_of(Seat, form.get(name))
    if found is None:
        raise MalformedRequestError(f"{name} is one of N, E, S and W")
    return found


def _card(form: Form) -> Card:
    try:
        return parse_card(form.get("kaart", ""))
    except NotationError as error:
        raise MalformedRequestError("kaart names one of the 32 cards") from error


def _whole(form: Form, name: str) -> int:
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise MalformedRequestError(f"{name} is a number")
    return int(text)
