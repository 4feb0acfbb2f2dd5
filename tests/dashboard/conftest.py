"""A venue for each test: its own database in a temporary folder, and somebody to deliver events to it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dashboard import DashboardConfig, create_app
from dashboard.access import Role
from dashboard.passwords import hash_password
from dashboard.services import Services
from tests.dashboard.postgresql_server import PostgresqlServer, missing_reason
from tracker.events import Event, event_to_json

PASSWORD = "een lang wachtwoord"


@dataclass
class Venue:
    """A running app with a table that delivers and a wedstrijdleider who can log in."""

    app: Flask
    config: DashboardConfig
    tokens: dict[str, str] = field(default_factory=dict)
    delivered: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def services(self) -> Services:
        """What the app works with."""
        services: Services = self.app.extensions["klaveroog"]
        return services

    def viewer(self) -> FlaskClient:
        """A browser of nobody special."""
        return self.app.test_client()

    def organiser(self) -> FlaskClient:
        """A browser in which the organiser, who made the first account, is logged in."""
        client = self.app.test_client()
        code = self.services.accounts.new_first_run_code()
        if code is not None:
            form = {"code": code, "name": "Odette", "password": PASSWORD}
            answer = client.post("/eerste-keer", data=form)
        else:
            answer = client.post("/aanmelden", data={"name": "Odette", "password": PASSWORD})
        assert answer.status_code == 302
        assert answer.location == "/wedstrijdleider"
        return client

    def director(self) -> FlaskClient:
        """A browser in which the wedstrijdleider Anneke is logged in."""
        if self.services.accounts.by_name("Anneke") is None:
            self.organiser()
            self.services.accounts.create("Anneke", Role.DIRECTOR.value, hash_password(PASSWORD))
        client = self.app.test_client()
        answer = client.post("/aanmelden", data={"name": "Anneke", "password": PASSWORD})
        assert answer.status_code == 302
        assert answer.location == "/wedstrijdleider"
        return client

    def tablet(self, table: str) -> FlaskClient:
        """The tablet of a table, paired with its token."""
        client = self.app.test_client()
        answer = client.post(f"/tafel/{table}/aanmelden", data={"code": self.token(table)})
        assert answer.status_code == 302, answer.get_data(as_text=True)
        return client

    def write(self, *events: Event, match: str | None = None, by: str = "Anneke") -> tuple[int, ...]:
        """Write events at the venue, in the match that their table is playing or in ``match``."""
        table = events[0].table
        key = match or self.services.books.current(table).match
        return self.services.writer.write(table, key, events, by)

    def token(self, table: str) -> str:
        """The token of a table, made when it is first asked for."""
        if table not in self.tokens:
            self.tokens[table] = self.services.tokens.create(table)
        return self.tokens[table]

    def post(self, table: str, document: object, token: str | None = None) -> TestResponse:
        """Send a document as a table does."""
        headers = {"Authorization": f"Bearer {token or self.token(table)}"}
        return self.app.test_client().post(f"/api/tafels/{table}/events", json=document, headers=headers)

    def deliver(self, events: Sequence[Event], epoch: str = "journal-1") -> int:
        """Deliver events after those delivered before; gives what the venue acknowledged."""
        table = events[0].table
        before = self.delivered.get((table, epoch), 0)
        document = {
            "epoch": epoch,
            "events": [
                {"sequence": before + place, "event": event_to_json(event)}
                for place, event in enumerate(events, start=1)
            ],
        }
        answer = self.post(table, document)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        self.delivered[table, epoch] = before + len(events)
        assert answer.json is not None
        return int(answer.json["acknowledged"])


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """A PostgreSQL server for the whole run; the tests that need it are skipped where there is none."""
    reason = missing_reason()
    if reason is not None:
        pytest.skip(reason)
    server = PostgresqlServer()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def database_kind() -> str:
    """A test file that runs on both overrides this one with both as its ``params``."""
    return os.environ.get("KLAVEROOG_TEST_DATABASE", "sqlite")


@pytest.fixture
def database_url(database_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of the kind that the test asks for."""
    if database_kind == "sqlite":
        return f"sqlite:///{tmp_path}/venue.sqlite"
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return server.new_database()


@pytest.fixture
def config(database_url: str, tmp_path: Path) -> DashboardConfig:
    """Small numbers, so that limits and pings are soon reached."""
    return DashboardConfig(
        database=database_url,
        media=str(tmp_path / "media"),
        maximum_streams=3,
        spare_threads=4,
        ping_seconds=0.05,
    )


@pytest.fixture
def venue(config: DashboardConfig) -> Iterator[Venue]:
    """A venue that knows of nothing yet."""
    opened = Venue(create_app(config), config)
    yield opened
    opened.services.store.close()
