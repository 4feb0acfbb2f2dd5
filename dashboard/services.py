"""What the views work with: made once for an app, and found by each view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from flask import Flask, current_app

from dashboard.books import Books
from dashboard.config import DashboardConfig
from dashboard.desk.best_play import BestPlays
from dashboard.desk.deciding import Desk
from dashboard.desk.matches import DeskMatches
from dashboard.evening.log_source import BookMatches
from dashboard.evening.service import EveningBook
from dashboard.live import LiveHub, SharedPictures
from dashboard.media import MediaShelf
from dashboard.notify.phones import Phones
from dashboard.presence import Presence
from dashboard.rate_limit import RateLimit
from dashboard.store import Accounts, EventLog, Organising, Store, TableTokens, Tablets
from dashboard.store.desk_log import DeskLog
from dashboard.venue_writer import VenueWriter

_KEY: Final = "klaveroog"

_ATTEMPTS_PER_ADDRESS: Final = 10
_ATTEMPTS_PER_NAME: Final = 30
_WINDOW_S: Final = 300.0


@dataclass(frozen=True, slots=True)
class Services:
    """One venue: its settings, its store, and what is kept in memory beside it."""

    config: DashboardConfig
    store: Store
    log: EventLog
    tokens: TableTokens
    tablets: Tablets
    accounts: Accounts
    organising: Organising
    books: Books
    hub: LiveHub
    pictures: SharedPictures
    writer: VenueWriter
    presence: Presence
    media: MediaShelf
    desk_log: DeskLog
    desk_matches: DeskMatches
    desk: Desk
    best_plays: BestPlays
    phones: Phones
    evenings: EveningBook
    attempts_by_address: RateLimit
    attempts_by_name: RateLimit


def install_services(
    app: Flask, config: DashboardConfig, store: Store, clock: Callable[[], datetime] | None = None
) -> Services:
    """Make the services of ``app`` on an open store; ``clock`` as ``create_app`` takes it."""
    log = EventLog(store)
    tokens = TableTokens(store)
    desk_log = DeskLog(store)
    books = Books(log, tokens)
    hub = LiveHub(config.maximum_streams, log.last_ids())
    log.listen(hub.stored)
    evenings = EveningBook(store, BookMatches(books, hub), clock)
    evenings.evenings.when_changed(lambda _: hub.refresh_all())
    writer = VenueWriter(log, books, evenings.is_frozen)
    desk_matches = DeskMatches(books, writer, evenings, config.deals_in_match)
    made = Services(
        config=config,
        store=store,
        log=log,
        tokens=tokens,
        tablets=Tablets(store),
        accounts=Accounts(store),
        organising=Organising(store),
        books=books,
        hub=hub,
        pictures=SharedPictures(),
        writer=writer,
        presence=Presence(hub.refresh),
        media=MediaShelf(config.media_path),
        evenings=evenings,
        desk_log=desk_log,
        desk_matches=desk_matches,
        desk=Desk(desk_matches.find, desk_matches.write, desk_log),
        phones=Phones(store),
        best_plays=BestPlays(config.best_play_seconds),
        attempts_by_address=RateLimit(_ATTEMPTS_PER_ADDRESS, _WINDOW_S),
        attempts_by_name=RateLimit(_ATTEMPTS_PER_NAME, _WINDOW_S),
    )
    app.extensions[_KEY] = made
    return made


def services() -> Services:
    """The services of the app that is answering."""
    found: Services = current_app.extensions[_KEY]
    return found
