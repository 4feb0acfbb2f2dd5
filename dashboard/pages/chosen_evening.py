"""Which evening a page is about."""

from __future__ import annotations

from flask import abort, request

from dashboard.evening.model import Evening
from dashboard.services import services


def chosen_evening() -> Evening | None:
    """The evening of ``?avond=``, else the one that is going on; None when there is none at all."""
    asked = request.args.get("avond")
    if asked is None:
        return services().evenings.evenings.current()
    if not (asked.isascii() and asked.isdigit() and len(asked) < 10):
        abort(404)
    return evening_or_404(int(asked))


def evening_or_404(evening_id: int) -> Evening:
    """The evening of this number; the page is not there when the evening is not."""
    return services().evenings.evenings.get(evening_id) or abort(404)
