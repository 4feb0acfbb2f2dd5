"""Beside the desk: who did what, and who was warned for what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.desk.conduct import noted_offences
from dashboard.desk.sources import match_of, player_at, side_at
from dashboard.members import member_of
from dashboard.security import current_identity
from dashboard.services import services
from dashboard.store.desk_log import DeskEntry
from rules import KLAVERJAS_DRIVE, OffenceKind, Seat, Source

blueprint = Blueprint("desk", __name__)

_AN_EVENING: Final = timedelta(hours=16)
_LONGEST_REASON: Final = 500
_OF_THE_SIDE: Final = frozenset({OffenceKind.FORBIDDEN_REMARK})


@blueprint.get("/wedstrijdleider/logboek")
def log() -> ResponseReturnValue:
    """Who did what, when and why; ``?tafel=3`` of one table."""
    table = request.args.get("tafel") or None
    return render_template(
        "desk/log.html",
        entries=services().desk_log.latest(table),
        table=table,
        tables=services().books.tables(),
    )


@blueprint.get("/wedstrijdleider/waarschuwingen")
def warnings() -> ResponseReturnValue:
    """Everything that counts against a player or a side this evening, and what it brings."""
    since = datetime.now(UTC) - _AN_EVENING
    entries = [
        entry
        for what in ("warned", "ruled", "undone")
        for entry in services().desk_log.of_kind(what)
        if entry.time_utc >= since
    ]
    basis = _basis()
    noted = noted_offences(basis, sorted(entries, key=lambda entry: entry.id))
    return render_template(
        "desk/warnings.html",
        noted=list(reversed(noted)),
        basis=basis,
        tables=services().books.tables(),
        kinds=[kind for kind in OffenceKind if kind is not OffenceKind.REVOKE],
        longest_reason=_LONGEST_REASON,
        table=request.args.get("tafel", ""),
        seat=member_of(Seat, request.args.get("wie")),
    )


@blueprint.post("/wedstrijdleider/waarschuwingen")
def warn() -> ResponseReturnValue:
    """Note a warning."""
    table = request.form.get("tafel", "")
    seat = member_of(Seat, request.form.get("wie"))
    kind = member_of(OffenceKind, request.form.get("waarvoor"))
    if table not in services().books.tables() or seat is None or kind in (None, OffenceKind.REVOKE):
        abort(400)
    assert kind is not None
    match = services().desk_matches.current(table)
    found = match_of(table, match)
    assert found is not None
    player = side_at(found, seat.team) if kind in _OF_THE_SIDE else player_at(found, seat)
    services().desk_log.add(
        DeskEntry(
            time_utc=datetime.now(UTC),
            by=current_identity().name or "",
            table=table,
            match=match,
            what="warned",
            deal=found.record.deals[-1].number if found.record.deals else None,
            reason=request.form.get("reden", "").strip()[:_LONGEST_REASON],
            detail={"offence": kind.value, "player": player, "seat": seat.value},
        )
    )
    return redirect(url_for("desk.warnings"))


def _basis() -> Source:
    """The text that the hall plays by, as the last deal anywhere says."""
    deals = [record.deals[-1] for record in services().books.records() if record.deals]
    return deals[-1].deal.reglement.basis if deals else KLAVERJAS_DRIVE.basis
