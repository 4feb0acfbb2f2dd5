"""What the views work with: made once for an app, and found by each view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import Flask, current_app

from dashboard.books import Books
from dashboard.config import DashboardConfig
from dashboard.live import LiveHub
from dashboard.rate_limit import RateLimit
from dashboard.store import Accounts, EventLog, Store, TableTokens

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
    accounts: Accounts
    books: Books
    hub: LiveHub
    attempts_by_address: RateLimit
    attempts_by_name: RateLimit


def install_services(app: Flask, config: DashboardConfig, store: Store) -> Services:
    """Make the services of ``app`` on an open store."""
    log = EventLog(store)
    tokens = TableTokens(store)
    made = Services(
        config=config,
        store=store,
        log=log,
        tokens=tokens,
        accounts=Accounts(store),
        books=Books(log, tokens),
        hub=LiveHub(config.maximum_streams, log.last_ids()),
        attempts_by_address=RateLimit(_ATTEMPTS_PER_ADDRESS, _WINDOW_S),
        attempts_by_name=RateLimit(_ATTEMPTS_PER_NAME, _WINDOW_S),
    )
    app.extensions[_KEY] = made
    return made


def services() -> Services:
    """The services of the app that is answering."""
    found: Services = current_app.extensions[_KEY]
    return found
