"""Delivery: every event reaches the venue once and in order, however often it is away."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from capture.delivery import Delivery
from capture.errors import DeliveryError, SettingsError
from capture.http_venue import HttpVenue
from capture.journal import Batch, Journal
from tests.capture.some_events import some_events
from tests.capture.venue_server import VenueServer
from tracker.events import event_to_json


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite") as opened:
        yield opened


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_until(condition: Callable[[], bool], timeout_s: float = 30.0) -> None:
    end_s = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end_s, "waited in vain"
        time.sleep(0.01)


def start(journal: Journal, address: str, token: str = "sesam", longest_pause_s: float = 0.5) -> Delivery:
    return Delivery(journal, HttpVenue(address, token), "1", address, longest_pause_s)


def as_documents(count: int) -> list[dict[str, object]]:
    return [event_to_json(event) for event in some_events(count)]


def test_events_arrive_as_they_are_told(journal: Journal) -> None:
    with VenueServer() as venue:
        epoch = journal.start_epoch("1", "film", venue.address)
        delivery = start(journal, venue.address)
        for number, event in enumerate(some_events(5), start=1):
            journal.append(epoch, [event])
            delivery.wake()
            wait_until(lambda number=number: len(venue.events.get(("1", epoch), [])) == number)  # type: ignore[misc]
        assert delivery.close() == 0
        assert venue.events["1", epoch] == as_documents(5)


def test_a_long_list_goes_in_several_batches(journal: Journal) -> None:
    with VenueServer() as venue:
        epoch = journal.start_epoch("1", "film", venue.address)
        journal.append(epoch, some_events(450))
        assert start(journal, venue.address).close() == 0
        assert venue.requests == 5
        assert venue.events["1", epoch] == as_documents(450)


def test_what_is_told_while_the_venue_is_away_arrives_when_it_is_back(journal: Journal) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    epoch = journal.start_epoch("1", "film", address)
    delivery = start(journal, address)
    started_s = time.monotonic()
    for event in some_events(50):
        journal.append(epoch, [event])
        delivery.wake()
    assert time.monotonic() - started_s < 2.0
    wait_until(lambda: delivery.last_error is not None)
    assert "niet te bereiken" in str(delivery.last_error)
    with VenueServer(port) as venue:
        wait_until(lambda: len(venue.events.get(("1", epoch), [])) == 50)
        assert delivery.close() == 0
        assert venue.events["1", epoch] == as_documents(50)


def test_what_a_run_could_not_deliver_goes_along_with_the_next(journal: Journal) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    first = journal.start_epoch("1", "film", address)
    journal.append(first, some_events(7))
    delivery = start(journal, address)
    started_s = time.monotonic()
    assert delivery.close(timeout_s=0.5) == 7
    assert time.monotonic() - started_s < 2.0
    second = journal.start_epoch("1", "film", address)
    journal.append(second, some_events(3))
    with VenueServer(port) as venue:
        assert start(journal, address).close() == 0
        assert venue.events == {("1", first): as_documents(7), ("1", second): as_documents(3)}


@pytest.mark.parametrize("status", [302, 400, 404, 413, 500, 503])
def test_a_refused_batch_is_kept_and_tried_again(journal: Journal, status: int) -> None:
    with VenueServer() as venue:
        venue.status = status
        epoch = journal.start_epoch("1", "film", venue.address)
        journal.append(epoch, some_events(3))
        delivery = start(journal, venue.address)
        wait_until(lambda: delivery.last_error is not None)
        assert str(status) in str(delivery.last_error)
        venue.status = None
        assert delivery.close() == 0
        assert delivery.last_error is None
        assert venue.events["1", epoch] == as_documents(3)


def test_a_run_that_the_venue_refuses_does_not_keep_it_from_the_next(journal: Journal) -> None:
    with VenueServer() as venue:
        refused = journal.start_epoch("1", "film", venue.address)
        journal.append(refused, some_events(3))
        venue.refused_epochs.add(refused)
        current = journal.start_epoch("1", "film", venue.address)
        delivery = start(journal, venue.address)
        for number, event in enumerate(some_events(4), start=1):
            journal.append(current, [event])
            delivery.wake()
            wait_until(lambda number=number: len(venue.events.get(("1", current), [])) == number)  # type: ignore[misc]
        assert "400" in str(delivery.last_error)
        assert delivery.close(timeout_s=0.5) == 3
        venue.refused_epochs.clear()
        assert start(journal, venue.address).close() == 0
        assert venue.events["1", refused] == as_documents(3)


def test_a_wrong_token_is_named_and_its_letters_are_not(journal: Journal) -> None:
    with VenueServer() as venue:
        journal.append(journal.start_epoch("1", "film", venue.address), some_events(3))
        delivery = start(journal, venue.address, token="abracadabra")
        assert delivery.close(timeout_s=0.5) == 3
        assert "klaveroog venue --new-token 1" in str(delivery.last_error)
        assert "abracadabra" not in str(delivery.last_error)


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"acknowledged": "3"}', b'{"acknowledged": true}'])
def test_only_a_clear_acknowledgement_counts(journal: Journal, answer: bytes) -> None:
    with VenueServer() as venue:
        venue.answer = answer
        journal.append(journal.start_epoch("1", "film", venue.address), some_events(3))
        assert start(journal, venue.address).close(timeout_s=0.4) == 3


def test_more_acknowledged_than_was_sent_counts_for_nothing(journal: Journal) -> None:
    with VenueServer() as venue:
        venue.answer = b'{"acknowledged": 99}'
        epoch = journal.start_epoch("1", "film", venue.address)
        journal.append(epoch, some_events(3))
        assert start(journal, venue.address).close(timeout_s=0.4) == 3


def test_a_venue_put_back_from_an_older_copy_gets_again_what_it_lost(journal: Journal) -> None:
    with VenueServer() as venue:
        epoch = journal.start_epoch("1", "film", venue.address)
        delivery = start(journal, venue.address)
        journal.append(epoch, some_events(10))
        delivery.wake()
        wait_until(lambda: len(venue.events.get(("1", epoch), [])) == 10)
        del venue.events["1", epoch][4:]
        journal.append(epoch, some_events(12)[10:])
        assert delivery.close() == 0
        assert venue.events["1", epoch] == as_documents(12)


def test_a_venue_that_never_answers_does_not_hold_up_the_table_or_closing(journal: Journal) -> None:
    with VenueServer() as venue:
        venue.silent = True
        epoch = journal.start_epoch("1", "film", venue.address)
        delivery = start(journal, venue.address)
        started_s = time.monotonic()
        for event in some_events(20):
            journal.append(epoch, [event])
            delivery.wake()
        assert time.monotonic() - started_s < 1.0
        assert delivery.close(timeout_s=0.3) == 20
        assert time.monotonic() - started_s < 5.0


def test_a_thread_that_waits_for_news_stops_at_once(journal: Journal) -> None:
    with VenueServer() as venue:
        before = threading.active_count()
        delivery = start(journal, venue.address)
        time.sleep(0.1)
        started_s = time.monotonic()
        assert delivery.close() == 0
        assert time.monotonic() - started_s < 0.5
        assert threading.active_count() == before


@pytest.mark.parametrize(
    "address",
    ["", "zaal.local", "ftp://zaal.local", "http://", "http://zaal:0", "http://zaal:x", "http://[::1"],
)
def test_an_address_that_is_none_is_refused_at_the_start(address: str) -> None:
    with pytest.raises(SettingsError, match="adres"):
        HttpVenue(address, "sesam")


@pytest.mark.parametrize("token", ["a\nb", "sésam", "a\r\nX-Evil: 1"])
def test_a_token_that_can_not_be_sent_is_refused_at_the_start(token: str) -> None:
    with pytest.raises(SettingsError, match="token"):
        HttpVenue("http://zaal.local", token)


def test_an_unknown_host_is_said_in_one_line() -> None:
    batch = Batch("1", "e", ((1, {}),))
    with pytest.raises(DeliveryError) as caught:
        HttpVenue("http://no-such-host.invalid", "sesam").deliver(batch)
    assert "\n" not in str(caught.value)
