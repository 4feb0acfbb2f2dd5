"""Correcting a card, trump, who plays or who dealt: what it would do is shown before it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.desk.deciding import (
    CorrectedCard,
    Where,
    correction,
    dealer_told,
    declaration,
    held_at,
)
from dashboard.desk.effects import Effect, effect_of
from dashboard.desk.questions import Question, questions_in
from dashboard.errors import ChangedMeanwhileError, EveningError
from dashboard.members import member_of
from dashboard.pages.replay import Found, found_or_404
from dashboard.security import current_identity
from dashboard.services import services
from rules import FULL_DECK, Card, NotationError, Seat, Suit, parse_card
from tracker.events import Event, SeenCard

blueprint = Blueprint("correction", __name__)

_LONGEST_REASON: Final = 500


@dataclass(frozen=True, slots=True)
class CardForm:
    """A place of a deal, what it holds, and what somebody would make of it.

    seen: what it holds now; None when nothing. elsewhere: where the chosen card lies already, and what that
    place would get in exchange when ``swap`` is asked for.
    """

    trick: int
    position: int
    seen: SeenCard | None
    was: str
    seat: Seat | None
    card: Card | None
    elsewhere: SeenCard | None
    swap: bool


@blueprint.get("/terugkijken/<table>/<match>/<int:deal>/kaart/<int:trick>/<int:position>")
def card(table: str, match: str, deal: int, trick: int, position: int) -> ResponseReturnValue:
    """Which card was it? With a card chosen: what that would change."""
    return _card_page(found_or_404(table, match, deal), (trick, position), request.args, fault="")


@blueprint.post("/terugkijken/<table>/<match>/<int:deal>/kaart/<int:trick>/<int:position>")
def save_card(table: str, match: str, deal: int, trick: int, position: int) -> ResponseReturnValue:
    """Write it, unless the place holds something else by now."""
    found = found_or_404(table, match, deal)
    form = _card_form(found, (trick, position), request.form)
    cards = _corrected(form, request.form.get("was", ""))
    if not cards:
        return _card_page(found, (trick, position), request.form, fault="choose"), 400
    try:
        services().desk.correct(_where(found), cards, _reason())
    except ChangedMeanwhileError as error:
        again = found_or_404(table, match, deal)
        return _card_page(again, (trick, position), request.form, fault="changed"), error.status
    except EveningError as error:
        return _card_page(found, (trick, position), request.form, fault="frozen"), error.status
    return redirect(_back(found, trick))


@blueprint.get("/terugkijken/<table>/<match>/<int:deal>/gegevens")
def facts(table: str, match: str, deal: int) -> ResponseReturnValue:
    """Trump, who plays and who dealt; with other ones chosen: what that would change."""
    found = found_or_404(table, match, deal)
    return _facts_page(found, request.args, fault="")


@blueprint.post("/terugkijken/<table>/<match>/<int:deal>/gegevens")
def save_facts(table: str, match: str, deal: int) -> ResponseReturnValue:
    """Write what was chosen."""
    found = found_or_404(table, match, deal)
    seat, trump, dealer = _chosen_facts(found, request.form)
    known = found.deal.deal
    try:
        if trump is not None and seat is not None and _is_said_otherwise(found, seat, trump):
            services().desk.declare(_where(found), seat, trump, _reason())
        if dealer is not known.dealer and not known.result().replayed:
            services().desk.set_dealer(_where(found), dealer, known.reglement.name, _reason())
    except EveningError as error:
        return _facts_page(found, request.form, fault="frozen"), error.status
    return redirect(_back(found, None))


def _card_page(found: Found, place: tuple[int, int], asked: MultiDict[str, str], fault: str) -> str:
    if not (1 <= place[0] <= 8 and 1 <= place[1] <= 4):
        abort(404)
    form = _card_form(found, place, asked)
    cards = _corrected(form, form.was)
    events = [correction(_where(found), corrected, "") for corrected in cards]
    elsewhere = {seen.card: seen for seen in found.deal.cards if (seen.trick, seen.position) != place}
    return render_template(
        "desk/correct.html",
        found=found,
        form=form,
        question=_question(found, place),
        pack=FULL_DECK,
        elsewhere=elsewhere,
        effect=_effect(found, events),
        fault=fault,
        longest_reason=_LONGEST_REASON,
    )


def _card_form(found: Found, place: tuple[int, int], asked: MultiDict[str, str]) -> CardForm:
    trick, position = place
    seen = next((one for one in found.deal.cards if (one.trick, one.position) == place), None)
    question = _question(found, place)
    guessed = seen.seat if seen else question.seat if question else None
    chosen = _card(asked.get("kaart", ""))
    other = next(
        (one for one in found.deal.cards if one.card == chosen and (one.trick, one.position) != place), None
    )
    return CardForm(
        trick=trick,
        position=position,
        seen=seen,
        was=held_at(found.record, found.deal.number, trick, position),
        seat=member_of(Seat, asked.get("wie")) or guessed,
        card=chosen,
        elsewhere=other,
        swap="wissel" in asked and other is not None and seen is not None,
    )


def _corrected(form: CardForm, was: str) -> list[CorrectedCard]:
    """What would be written: nothing while something must still be chosen."""
    if form.card is None or form.seat is None:
        return []
    cards = [CorrectedCard(form.trick, form.position, form.seat, form.card, was)]
    if form.swap and form.elsewhere is not None and form.seen is not None:
        other = form.elsewhere
        held = f"{other.seat.value} {other.card.code}"
        cards.append(CorrectedCard(other.trick, other.position, other.seat, form.seen.card, held))
    return cards


def _question(found: Found, place: tuple[int, int]) -> Question | None:
    asked = questions_in(found.record.table, found.deal)
    return next((question for question in asked if question.place == place), None)


def _facts_page(found: Found, asked: MultiDict[str, str], fault: str) -> str:
    seat, trump, dealer = _chosen_facts(found, asked)
    events: list[Event] = []
    where = _where(found)
    if trump is not None and seat is not None and _is_said_otherwise(found, seat, trump):
        events.append(declaration(where, seat, trump))
    if dealer is not found.deal.deal.dealer and not found.deal.deal.result().replayed:
        events.append(dealer_told(where, dealer, found.deal.deal.reglement.name))
    return render_template(
        "desk/facts.html",
        found=found,
        seat=seat,
        trump=trump,
        dealer=dealer,
        fault=fault,
        effect=_effect(found, events),
        longest_reason=_LONGEST_REASON,
    )


def _chosen_facts(found: Found, asked: MultiDict[str, str]) -> tuple[Seat | None, Suit | None, Seat]:
    deal = found.deal.deal
    declarer = deal.declarer if found.deal.declarer_known else None
    seat = member_of(Seat, asked.get("speelt")) or declarer
    trump = member_of(Suit, asked.get("troef")) or deal.trump
    dealer = member_of(Seat, asked.get("deler")) or deal.dealer
    return seat, trump, dealer


def _is_said_otherwise(found: Found, seat: Seat, trump: Suit) -> bool:
    """Whether it differs from what is known, or makes certain what was only inferred."""
    deal = found.deal
    same = (deal.deal.declarer, deal.deal.trump) == (seat, trump)
    return not (same and deal.declarer_known and deal.trump_confidence == 1.0)


def _effect(found: Found, events: Sequence[Event]) -> Effect | None:
    if not events:
        return None
    return effect_of(found.record, found.deal.number, events, found.desk.deals_in_match)


def _where(found: Found) -> Where:
    return Where(
        table=found.record.table,
        match=found.match,
        deal=found.deal.number,
        by=current_identity().name or "",
        now=datetime.now(UTC),
    )


def _reason() -> str:
    return request.form.get("reden", "").strip()[:_LONGEST_REASON]


def _back(found: Found, trick: int | None) -> str:
    return url_for(
        "replay.show",
        table=found.record.table,
        match=found.match,
        deal=found.deal.number,
        _anchor=f"slag-{trick}" if trick else None,
    )


def _card(text: str) -> Card | None:
    try:
        return parse_card(text)
    except NotationError:
        return None
