"""A full disk: what cannot be kept is said so, what was kept stays, and all goes on once there is room."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from dashboard.pages import health
from tests.dashboard.conftest import PASSWORD, Venue
from tests.dashboard.played_deals import played_deal
from tracker.events import event_to_json


@pytest.fixture
def database_kind() -> str:
    """Only SQLite can be told to be full."""
    return "sqlite"


def limit_pages(venue: Venue, most: int) -> None:
    """Let the database's file grow to ``most`` pages, as a full disk does; 0 lets it stay as it is."""
    with venue.services.store.writing() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {most or 1}")


def test_what_a_full_disk_cannot_keep_is_refused_and_goes_when_there_is_room(venue: Venue) -> None:
    events = played_deal(seed=1)
    venue.deliver(events[:3])
    venue.token("2")
    limit_pages(venue, 0)
    told = []
    for first in range(0, 400, 40):
        document = {
            "epoch": f"journal-{first}",
            "events": [{"sequence": n + 1, "event": one} for n, one in enumerate(_as_json(40))],
        }
        told.append(venue.post("2", document))
    refused = [answer for answer in told if answer.status_code != 200]
    assert refused
    assert {answer.status_code for answer in refused} == {507}
    assert refused[0].json is not None
    assert refused[0].json["error"]["code"] == "disk_full"
    assert len(venue.services.log.after("1")) == 3
    limit_pages(venue, 1_000_000)
    venue.deliver(events[3:])
    assert len(venue.services.log.after("1")) == len(events)


def _as_json(count: int) -> list[object]:
    events = played_deal(seed=1, table="2")
    return [event_to_json(events[place % len(events)]) for place in range(count)]


def test_a_person_reads_on_a_page_that_the_disk_is_full(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = venue.services.accounts.new_first_run_code()

    def full(*given: object) -> None:
        raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

    with monkeypatch.context() as patched:
        patched.setattr(venue.services.accounts, "create_first", full)
        answer = venue.viewer().post(
            "/eerste-keer",
            data={"code": code, "name": "Odette", "password": PASSWORD},
            headers={"Accept": "text/html"},
        )
    assert answer.status_code == 507
    assert "De schijf is vol" in answer.get_data(as_text=True)


def test_a_disk_that_is_nearly_full_is_not_healthy(venue: Venue, monkeypatch: pytest.MonkeyPatch) -> None:
    assert venue.viewer().get("/gezond").json == {"ok": True}
    monkeypatch.setattr(health, "_LEAST_FREE_BYTES", 1 << 62)
    answer = venue.viewer().get("/gezond")
    assert answer.status_code == 507
    assert answer.json is not None
    assert answer.json["ok"] is False
