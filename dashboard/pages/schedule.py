"""Who plays against whom, where, and who has a zitbeurt."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from dashboard.pages.chosen_evening import chosen_evening
from dashboard.services import services

blueprint = Blueprint("schedule", __name__)


@blueprint.get("/schema")
def show() -> ResponseReturnValue:
    """The schedule of the evening that is going on, or of ``?avond=``."""
    evening = chosen_evening()
    matches = services().evenings.matches(evening) if evening else {}
    return render_template("evening/schedule.html", evening=evening, matches=matches)
