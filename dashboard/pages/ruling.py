"""Deciding: every ruling as a button with what it would do beside it, and undoing one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.desk.alerts import Alert
from dashboard.desk.deciding import Where
from dashboard.desk.rulings import (
    Choice,
    MadeRuling,
    Proposal,
    about_alert,
    accuser_in,
    choice,
    choices,
    made_rulings,
)
from dashboard.desk.sources import player_at
from dashboard.desk.status import Case
from dashboard.errors import AlreadyDecidedError, ChangedMeanwhileError, EveningError
from dashboard.members import member_of
from dashboard.pages.replay import Found, found_or_404
from dashboard.security import current_identity
from dashboard.services import services
from rules import Card, Decision, NotationError, Seat, parse_card

blueprint = Blueprint("ruling", __name__)

_LONGEST_REASON: Final = 500


@dataclass(frozen=True, slots=True)
class Undoing:
    """A ruling that was made, with what undoing it would do; None when it is not in force."""

    ruling: MadeRuling
    choice: Choice | None


@blueprint.get("/wedstrijdleider/beslissen/<table>/<match>/<int:deal>")
def show(table: str, match: str, deal: int) -> ResponseReturnValue:
    """The rulings that can be made about a deal or about one alert (``?melding=``)."""
    return _page(found_or_404(table, match, deal), request.args, fault="")


@blueprint.post("/wedstrijdleider/beslissen/<table>/<match>/<int:deal>")
def decide(table: str, match: str, deal: int) -> ResponseReturnValue:
    """One button was pressed. Pressed twice, or by two people, it is written once."""
    found = found_or_404(table, match, deal)
    where = _where(found, request.form.get("melding", ""))
    known = request.form.get("beslist", type=int)
    decision = _decision(request.form.get("beslissing", ""))
    try:
        if decision is Decision.UNDO:
            services().desk.undo(where, request.form.get("nummer", 0, type=int), known or 0)
        else:
            shown = request.form.get(f"gezien-{decision.value}", "")
            proposal = _pressed(found, decision)
            if proposal.seat is not None:
                where = replace(where, player=player_at(found.desk, proposal.seat))
            services().desk.rule(where, proposal, known or 0, shown)
    except AlreadyDecidedError as error:
        return _page(found_or_404(table, match, deal), request.form, fault="decided"), error.status
    except ChangedMeanwhileError as error:
        return _page(found_or_404(table, match, deal), request.form, fault="changed"), error.status
    except EveningError as error:
        return _page(found, request.form, fault="frozen"), error.status
    return redirect(url_for("ruling.show", table=table, match=match, deal=deal, melding=where.alert or None))


@blueprint.post("/wedstrijdleider/melding/<table>/<match>/<int:deal>")
def acknowledge(table: str, match: str, deal: int) -> ResponseReturnValue:
    """Somebody goes to the table, or nobody does after all."""
    found = found_or_404(table, match, deal)
    case = _case(found, request.form.get("melding", ""))
    if case is None:
        abort(404)
    where = _where(found, case.alert.key)
    if "vrijgeven" in request.form:
        services().desk.release(where)
    else:
        services().desk.acknowledge(where)
    return redirect(url_for("director.show", _anchor="meldingen"))


def _page(found: Found, asked: MultiDict[str, str], fault: str) -> str:
    case = _case(found, asked.get("melding", ""))
    about, accuser = _about(case.alert if case else None, asked)
    name, now = current_identity().name or "", datetime.now(UTC)
    deals = found.desk.deals_in_match
    rulings = made_rulings(found.deal)
    return render_template(
        "desk/case.html",
        found=found,
        case=case,
        about=about,
        accuser=accuser,
        choices=choices(found.record, found.deal.number, about, accuser, name, now, deals),
        undoings=[_undoing(found, ruling, name, now) for ruling in rulings],
        known=found.record.last_ruling_id(found.deal.number),
        fault=fault,
        longest_reason=_LONGEST_REASON,
    )


def _undoing(found: Found, ruling: MadeRuling, name: str, now: datetime) -> Undoing:
    if not ruling.in_force:
        return Undoing(ruling, None)
    proposal = Proposal(Decision.UNDO, undoes=ruling.number)
    deals = found.desk.deals_in_match
    return Undoing(ruling, choice(found.record, found.deal.number, proposal, name, now, deals))


def _case(found: Found, key: str) -> Case | None:
    return next((case for case in found.cases if key and case.alert.key == key), None)


def _where(found: Found, alert: str) -> Where:
    case = _case(found, alert)
    return Where(
        table=found.record.table,
        match=found.match,
        deal=found.deal.number,
        by=current_identity().name or "",
        now=datetime.now(UTC),
        alert=case.alert.key if case else "",
    )


def _pressed(found: Found, decision: Decision) -> Proposal:
    """The ruling as the form says it."""
    case = _case(found, request.form.get("melding", ""))
    about, accuser = _about(case.alert if case else None, request.form)
    seat = accuser if decision is Decision.WRONG_ACCUSATION else about.seat
    reason = request.form.get("reden", "").strip()[:_LONGEST_REASON]
    return replace(about, decision=decision, seat=seat, reason=reason)


def _about(alert: Alert | None, asked: MultiDict[str, str]) -> tuple[Proposal, Seat | None]:
    """What it is about: as the alert says, unless something else was chosen. And who accused."""
    start = about_alert(alert) if alert else Proposal(Decision.NO_ACTION)
    accuser = accuser_in(alert) if alert else None
    about = replace(
        start,
        seat=_seat(asked, "wie", start.seat),
        trick=_number(asked, "slag", 1, start.trick),
        found_after_trick=_number(asked, "ontdekt", 0, start.found_after_trick),
        card=_card(asked, start.card),
    )
    return about, _seat(asked, "beschuldiger", accuser)


def _seat(asked: MultiDict[str, str], name: str, otherwise: Seat | None) -> Seat | None:
    text = asked.get(name)
    if text is None:
        return otherwise
    return member_of(Seat, text)


def _number(asked: MultiDict[str, str], name: str, least: int, otherwise: int | None) -> int | None:
    if name not in asked:
        return otherwise
    number = asked.get(name, type=int)
    return number if number is not None and least <= number <= 8 else None


def _card(asked: MultiDict[str, str], otherwise: Card | None) -> Card | None:
    if "strafkaart" not in asked:
        return otherwise
    try:
        return parse_card(asked["strafkaart"])
    except NotationError:
        return None


def _decision(text: str) -> Decision:
    found = member_of(Decision, text)
    if found is None:
        abort(400)
    return found
