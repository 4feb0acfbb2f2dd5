"""Where the pages of the desk find a match, who sits there, and what was seen of its cards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Flask, url_for

from dashboard.books import TableRecord
from dashboard.desk.alerts import Alert, AlertKind
from dashboard.desk.matches import DeskMatch
from dashboard.desk.overview import TableAtDesk, tables_at_desk
from dashboard.desk.pictures import Film, crop_of, film_of
from dashboard.desk.status import Case, cases_of
from dashboard.language import seat_name, team_name
from dashboard.media import MEDIA_ID, MediaKind
from dashboard.services import services
from dashboard.translate import gettext
from rules import Seat, Team
from tracker.events import SeenCard

_REMEMBERED: Final = timedelta(hours=24)
"""So long a match of before is looked at for what nobody decided; an evening's sheets freeze much sooner."""

_OF_THE_MOMENT: Final = frozenset(
    {
        AlertKind.SOURCE_LOST,
        AlertKind.TABLE_SILENT,
        AlertKind.TABLE_TWICE,
        AlertKind.SLOW_PLAY,
        AlertKind.DIRECTOR_CALLED,
    }
)
"""What asks for nobody any more once the table plays its next match."""


def match_of(table: str, match: str) -> DeskMatch | None:
    """A match of a table; None when it has none of that key."""
    return services().desk_matches.find(table, match)


def rows_now() -> list[TableAtDesk]:
    """Every table as the desk shows it."""
    found = services().desk_matches.now()
    log = services().desk_log.of_matches({one.record.match for one in found})
    book = services().evenings
    evening = book.evenings.current()
    papers = book.paper_differences(evening) if evening is not None else ()
    return tables_at_desk(found, log, services().presence, papers)


def left_open() -> list[Case]:
    """What nobody decided about in the matches before, while it can still be decided."""
    found = services().desk_matches.earlier(datetime.now(UTC) - _REMEMBERED)
    log = services().desk_log.of_matches({one.record.match for one in found})
    cases = [case for one in found for case in cases_of(one.record, log.get(one.record.match, ()))]
    return [case for case in cases if case.is_open and case.alert.kind not in _OF_THE_MOMENT]


def player_at(found: DeskMatch, seat: Seat) -> str:
    """Who sits there; the place where nobody said who that is."""
    name = found.seating.player_at(seat) if found.seating else ""
    return name or gettext("Tafel %(table)s, %(seat)s", table=found.record.table, seat=seat_name(seat))


def side_at(found: DeskMatch, team: Team) -> str:
    """Which team sits there; the side where nobody said who that is."""
    name = found.seating.name_of(team) if found.seating else ""
    return name or gettext("Tafel %(table)s, %(seat)s", table=found.record.table, seat=team_name(team))


def install_sources(app: Flask) -> None:
    """Teach the templates where the pictures of a card are, and who sits where."""
    app.jinja_env.globals.update(
        alert_picture=alert_picture,
        crop_address=crop_address,
        film_of_card=film_of_card,
        player_at=player_at,
        side_at=side_at,
    )


def alert_picture(alert: Alert) -> str | None:
    """Where the picture of what an alert is about is; None when it is not here."""
    is_name = MEDIA_ID.fullmatch(alert.media_id)
    if not is_name or services().media.find(alert.table, MediaKind.CROP, alert.media_id) is None:
        return None
    return url_for("media.show", table=alert.table, kind="crop", media_id=alert.media_id)


def crop_address(record: TableRecord, deal: int, seen: SeenCard) -> str | None:
    """Where the picture of a card is; None when there is none."""
    media_id = crop_of(record, deal, seen, services().media)
    if media_id is None:
        return None
    return url_for("media.show", table=record.table, kind="crop", media_id=media_id)


def film_of_card(record: TableRecord, deal: int, seen: SeenCard) -> Film | None:
    """The film of a card, here or not."""
    return film_of(record, deal, seen, services().media)
