"""The demonstration's own check: it passes what is right, and catches each thing that can be wrong."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from capture.delivery import Delivery
from capture.demo import TABLE, DemoVenue, HappeningNow
from capture.demo_check import DemoCheck, check_demo, revoke_alerts
from capture.http_venue import HttpVenue
from capture.journal import Journal
from capture.simulator import Film, Irregularity
from capture.sources import SimulatorSource
from rules import FULL_DECK
from tracker.events import CardPlayed, DealClosed, Event, fold_deals

PLAYED = Film(seed=4, deals=2, irregularities={2: Irregularity.VERZAKEN}).events


def check_after_delivering(folder: Path, told: Sequence[Event]) -> DemoCheck:
    """Deliver ``told`` to a dashboard of its own and compare it with what was played."""
    with DemoVenue(folder, 0) as venue, Journal(None) as journal:
        epoch = journal.start_epoch(TABLE, "film", venue.address)
        delivery = Delivery(journal, HttpVenue(venue.address, venue.token), TABLE, venue.address)
        journal.append(epoch, told)
        assert delivery.close() == 0
        return check_demo(venue.address, venue.first_run_code, PLAYED, told)


def test_what_was_played_is_shown_and_the_verzaking_only_to_the_wedstrijdleider(tmp_path: Path) -> None:
    assert [len(record.deal.revokes) for record in fold_deals(PLAYED)][1] >= 1
    check = check_after_delivering(tmp_path, PLAYED)
    assert check.wrong == ()
    assert len(check.shown) == 2


def with_another_card(events: Sequence[Event]) -> list[Event]:
    """The last card of the first deal read as a card that was played before."""
    last = max(
        index for index, event in enumerate(events) if isinstance(event, CardPlayed) and event.deal == 1
    )
    changed = list(events)
    event = changed[last]
    assert isinstance(event, CardPlayed)
    changed[last] = replace(event, card=next(card for card in FULL_DECK if card != event.card))
    return changed


def without_the_verzaking(events: Sequence[Event]) -> list[Event]:
    """Nothing told from the trick on in which it happened."""
    revoke = fold_deals(events)[1].deal.revokes[0]
    return [
        event
        for event in events
        if event.deal == 1
        or (not isinstance(event, DealClosed) and getattr(event, "trick", 0) < revoke.trick)
    ]


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (with_another_card, "Spel 1: 1 van 32 kaarten verkeerd"),
        (without_the_verzaking, "staat niet bij de wedstrijdleider"),
    ],
)
def test_a_reading_that_is_wrong_is_caught(
    tmp_path: Path, spoil: Callable[[Sequence[Event]], list[Event]], named: str
) -> None:
    check = check_after_delivering(tmp_path, spoil(PLAYED))
    assert any(named in line for line in check.wrong)


def test_a_demonstration_bears_the_time_of_the_room_and_else_is_the_film_itself() -> None:
    film = Film(seed=4, deals=1)
    plain, shown = SimulatorSource(film, "film"), HappeningNow(SimulatorSource(film, "film"))
    for _ in range(3):
        before = datetime.now(UTC)
        told, now = plain.read(), shown.read()
        assert told is not None
        assert now is not None
        assert before <= now.wall_utc <= datetime.now(UTC)
        assert abs(told.wall_utc - before) > timedelta(days=1)
        assert (now.sequence, now.monotonic_s) == (told.sequence, told.monotonic_s)
        assert (now.image == told.image).all()


def test_only_alerts_of_a_verzaking_are_read_from_the_desk() -> None:
    desk = (
        '<article class="alert alert-fault"><p>x</p></article>'
        '<article class="alert alert-revoke is-over"><p>Noord speelde\n <b>&hearts;7</b></p></article>'
        '<article class="alert alert-revoke_accused"><p>y</p></article>'
    )
    assert revoke_alerts(desk) == ["Noord speelde ♥7"]


def test_the_dashboard_is_gone_and_its_port_free_when_the_demonstration_ends(tmp_path: Path) -> None:
    with DemoVenue(tmp_path, 0) as venue:
        assert venue.is_running
        assert venue.first_run_code
        port = int(venue.address.rpartition(":")[2])
    assert not venue.is_running
    with socket.create_server(("127.0.0.1", port)):
        pass
