"""Setting up an evening and running it: teams, tables, reglement, lots, who comes late and who goes home."""

from __future__ import annotations

from collections.abc import Callable
from secrets import SystemRandom

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.errors import EveningError
from dashboard.evening import course, setting_up
from dashboard.evening.forms import entries_of, entry_of, number_of, settings_of
from dashboard.evening.model import Evening
from dashboard.evening.register import Change
from dashboard.evening.standing import evening_rows
from dashboard.evening.words import refusal
from dashboard.pages.chosen_evening import evening_or_404
from dashboard.security import current_identity
from dashboard.services import services

ChangeMaker = Callable[[], Change]

blueprint = Blueprint("evenings", __name__, url_prefix="/wedstrijdleider/avonden")


@blueprint.get("")
def overview() -> ResponseReturnValue:
    """Every evening, and the form for a new one."""
    return _overview(fault=None)


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Make a new evening."""
    try:
        settings = settings_of(request.form)
    except EveningError as error:
        return _overview(fault=refusal(error)), error.status
    evening = services().evenings.evenings.create(settings, _by())
    return redirect(url_for("evenings.show", evening_id=evening.id))


@blueprint.get("/<int:evening_id>")
def show(evening_id: int) -> ResponseReturnValue:
    """One evening: everything that can be done now stands first."""
    return _page(evening_or_404(evening_id), fault=None)


@blueprint.post("/<int:evening_id>/instellingen")
def set_up(evening_id: int) -> ResponseReturnValue:
    """Other settings, before the first match."""
    return _changed(evening_id, lambda: setting_up.set_up(settings_of(request.form)))


@blueprint.post("/<int:evening_id>/deelnemers")
def add(evening_id: int) -> ResponseReturnValue:
    """Add participants, one a line."""
    return _changed(evening_id, lambda: setting_up.add(entries_of(request.form)), "deelnemers")


@blueprint.post("/<int:evening_id>/deelnemers/<int:participant_id>")
def rename(evening_id: int, participant_id: int) -> ResponseReturnValue:
    """Another name for a participant."""

    def change() -> Change:
        name, players = entry_of(request.form)
        return setting_up.rename(participant_id, name, players)

    return _changed(evening_id, change, "deelnemers")


@blueprint.post("/<int:evening_id>/deelnemers/<int:participant_id>/<any(weg,opgave,vertrek,terug):what>")
def participant(evening_id: int, participant_id: int, what: str) -> ResponseReturnValue:
    """Somebody does not come, gives up, goes home or comes back."""
    changes = {
        "weg": setting_up.remove,
        "opgave": course.withdraw,
        "vertrek": course.leave,
        "terug": course.come_back,
    }
    return _changed(evening_id, lambda: changes[what](participant_id), "deelnemers")


@blueprint.post("/<int:evening_id>/loting")
def draw(evening_id: int) -> ResponseReturnValue:
    """Draw lots, or take the order of the list, and plan every match that has not begun."""

    def change() -> Change:
        order = [one.id for one in evening_or_404(evening_id).participants]
        if request.form.get("order") != "list":
            SystemRandom().shuffle(order)
        return setting_up.draw(order)

    return _changed(evening_id, change)


@blueprint.post("/<int:evening_id>/begin")
def start(evening_id: int) -> ResponseReturnValue:
    """The next match begins. What the tables played before it is fixed to the matches before it."""
    services().evenings.fix_matches(evening_or_404(evening_id))
    return _changed(evening_id, lambda: course.start_round(number_of(request.form, "round")))


@blueprint.post("/<int:evening_id>/niet-begonnen")
def unstart(evening_id: int) -> ResponseReturnValue:
    """The match begun last did not begin after all."""
    return _changed(evening_id, lambda: course.unstart_round(number_of(request.form, "round")))


@blueprint.post("/<int:evening_id>/<any(einde,heropend):what>")
def finish(evening_id: int, what: str) -> ResponseReturnValue:
    """The evening is over, or was not over yet."""
    services().evenings.fix_matches(evening_or_404(evening_id))
    return _changed(evening_id, course.end if what == "einde" else course.reopen)


def _changed(evening_id: int, make: ChangeMaker, anchor: str = "") -> ResponseReturnValue:
    """Make the change and show the evening; a refusal is a sentence above the page."""
    evening = evening_or_404(evening_id)
    try:
        services().evenings.evenings.change(evening_id, _by(), make())
    except EveningError as error:
        return _page(evening, fault=refusal(error)), error.status
    return redirect(url_for("evenings.show", evening_id=evening_id, _anchor=anchor or None))


def _by() -> str:
    return current_identity().name or ""


def _overview(fault: str | None) -> str:
    evenings = services().evenings.evenings
    return render_template(
        "evening/overview.html", evenings=evenings.all(), now=evenings.now(), fault=fault, form=request.form
    )


def _page(evening: Evening, fault: str | None) -> str:
    book = services().evenings
    matches = book.matches(evening)
    return render_template(
        "evening/evening.html",
        evening=evening,
        phase=evening.phase(book.evenings.now()).value,
        matches=matches,
        rows=evening_rows(evening, matches),
        log=book.evenings.log(evening.id),
        fault=fault,
    )
