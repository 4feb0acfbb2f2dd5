"""Venue and table killed at any moment, and the venue away for an hour: nothing acknowledged is lost.

``KLAVEROOG_KILLS=50`` kills each of them fifty times, ``KLAVEROOG_TABLES=40`` sends a whole hall's hour.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import pytest

from capture.delivery import Delivery
from capture.http_venue import HttpVenue
from capture.journal import Journal
from dashboard.store import EventLog, open_store_to_read
from tests.dashboard.played_deals import played_deal
from tests.dashboard.venue_process import VenueProcess
from tracker.events import event_from_json, event_to_json

KILLS: Final = int(os.environ.get("KLAVEROOG_KILLS", "3"))
TABLES: Final = int(os.environ.get("KLAVEROOG_TABLES", "4"))
DEALS_IN_AN_HOUR: Final = 8
"""Sixteen deals take a drive two hours."""
DELIVERED_WITHIN_S: Final = 60.0
ROOT: Final = Path(__file__).parents[2]


class KilledTable:
    """A table that is started again and again on one journal."""

    def __init__(self, folder: Path, venue: VenueProcess) -> None:
        self.journal = folder / "journal.sqlite"
        self._output = folder / "told.txt"
        self._venue = venue
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, seed: int) -> None:
        """Let it tell of deals."""
        command = [sys.executable, "-m", "tests.dashboard.telling_table"]
        command += [str(self.journal), self._venue.address, self._venue.token, str(seed)]
        with self._output.open("ab") as output:
            self._process = subprocess.Popen(command, cwd=ROOT, stdout=output)

    def kill(self) -> None:
        """At once, with no chance to tidy up."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)

    def finish(self) -> int:
        """Let it deliver what is left; how many events remain."""
        self.start(0)
        assert self._process is not None
        return self._process.wait(2 * DELIVERED_WITHIN_S)

    def told(self) -> list[tuple[str, int]]:
        """What it said was safe: epoch and sequence. A line that was cut off by the kill says nothing."""
        lines = self._output.read_text().split("\n")[:-1]
        return [(epoch, int(sequence)) for epoch, sequence in (line.split() for line in lines if " " in line)]


def in_journal(path: Path) -> dict[str, list[str]]:
    """The events of each run in a journal, as the venue writes them."""
    with closing(sqlite3.connect(path)) as journal:
        rows = journal.execute("SELECT epoch, document FROM event ORDER BY epoch, sequence").fetchall()
    found: dict[str, list[str]] = {}
    for epoch, document in rows:
        found.setdefault(epoch, []).append(canonical(document))
    return found


def canonical(document: str) -> str:
    return json.dumps(
        event_to_json(event_from_json(json.loads(document))), sort_keys=True, separators=(",", ":")
    )


def at_venue(venue: VenueProcess, table: str = "1") -> dict[str, list[tuple[int, str]]]:
    """The events of each run at the venue, in the order in which they were stored."""
    store = open_store_to_read(venue.database_url)
    log = EventLog(store)
    assert log.first_broken_link() is None
    found: dict[str, list[tuple[int, str]]] = {}
    for event in log.after(table):
        found.setdefault(event.epoch, []).append((event.sequence, event.body))
    store.close()
    return found


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[VenueProcess]:
    started = VenueProcess(tmp_path)
    started.start()
    yield started
    started.stop()


def test_killed_at_random_moments_under_load_nothing_is_lost_doubled_or_out_of_order(
    venue: VenueProcess, tmp_path: Path
) -> None:
    generator = random.Random(KILLS)
    table = KilledTable(tmp_path, venue)
    victims = ["venue", "table"] * KILLS
    generator.shuffle(victims)
    table.start(seed=1)
    for number, victim in enumerate(victims, start=2):
        wait_for_more(venue, table)
        time.sleep(generator.uniform(0.0, 0.4))
        if victim == "venue":
            venue.kill()
            venue.start()
        else:
            table.kill()
            table.start(seed=number)
    table.kill()
    assert table.finish() == 0
    venue.stop()

    written, stored = in_journal(table.journal), at_venue(venue)
    expected = {epoch: list(enumerate(bodies, start=1)) for epoch, bodies in written.items()}
    assert stored == expected
    told = table.told()
    assert len(told) > 40 * KILLS
    assert all(sequence <= len(written[epoch]) for epoch, sequence in told)


def wait_for_more(venue: VenueProcess, table: KilledTable) -> None:
    """Until both are at work again: the table told and the venue stored something since."""
    before, known = len(table.told()), venue.state_or_none()
    end_s = time.monotonic() + 60
    while len(table.told()) <= before or venue.state_or_none() == known:
        assert time.monotonic() < end_s, venue.output()
        time.sleep(0.02)


def test_a_venue_away_for_an_hour_of_play_has_it_all_within_a_minute_of_its_return(tmp_path: Path) -> None:
    names = [str(number) for number in range(1, TABLES + 1)]
    venue = VenueProcess(tmp_path, names)
    with ExitStack() as held:
        deliveries = []
        for name in names:
            journal = held.enter_context(Journal(tmp_path / f"table-{name}.sqlite"))
            epoch = journal.start_epoch(name, "film", venue.address)
            delivery = Delivery(journal, HttpVenue(venue.address, venue.tokens[name]), name, venue.address)
            for number in range(1, DEALS_IN_AN_HOUR + 1):
                journal.append(epoch, played_deal(seed=number, number=number, table=name))
                delivery.wake()
            deliveries.append(delivery)
        time.sleep(4)  # They have tried in vain by now, and wait longer and longer.
        assert all(delivery.last_error is not None for delivery in deliveries)
        venue.start()
        back_s = time.monotonic()
        while any(delivery.undelivered() for delivery in deliveries):
            assert time.monotonic() - back_s < DELIVERED_WITHIN_S, venue.output()
            time.sleep(0.1)
        sys.stderr.write(f"{len(names)} tables, an hour: {time.monotonic() - back_s:.1f} s\n")
        for delivery in deliveries:
            assert delivery.close() == 0
    venue.stop()
    for name in names:
        (bodies,) = in_journal(tmp_path / f"table-{name}.sqlite").values()
        (stored,) = at_venue(venue, name).values()
        assert stored == list(enumerate(bodies, start=1))
