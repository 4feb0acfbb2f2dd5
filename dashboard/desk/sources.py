"""Where the pages of the desk find a match, who sits there, and what was seen of its cards."""

from __future__ import annotations

from flask import Flask

from dashboard.books import TableRecord
from dashboard.language import seat_name, team_name
from dashboard.services import services
from dashboard.store.desk_log import DeskEntry
from dashboard.translate import gettext
from rules import Seat, Team
from tracker.events import SeenCard


def current_match(table: str) -> str:
    """The key of the match that a table is playing."""
    return services().desk_matches.current(table)


def record_of(table: str, match: str) -> TableRecord | None:
    """A match of a table; None when it has none of that key."""
    return services().desk_matches.read(table, match)


def tables_now() -> list[tuple[str, TableRecord, tuple[DeskEntry, ...]]]:
    """Every table with the match that it is playing and the lines of the log about it."""
    return [
        (match, record, services().desk_log.of_match(record.table, match))
        for record in services().books.records()
        for match in (current_match(record.table),)
    ]


def player_at(table: str, match: str, seat: Seat) -> str:
    """Who sits there; the place where nobody said who that is."""
    return gettext("Tafel %(table)s, %(seat)s", table=table, seat=seat_name(seat))


def side_at(table: str, match: str, team: Team) -> str:
    """Which team sits there; the side where nobody said who that is."""
    return gettext("Tafel %(table)s, %(seat)s", table=table, seat=team_name(team))


def install_sources(app: Flask) -> None:
    """Teach the templates where the pictures of a card are."""
    app.jinja_env.globals.update(
        crop_address=lambda found, seen: crop_address(found.record.table, found.match, seen),
        crop_address_of=crop_address,
        clip_address=lambda found, seen: None,
    )


def crop_address(table: str, match: str, seen: SeenCard) -> str | None:
    """Where the picture of a card is; None when there is none."""
    return None
