"""``python -m tests.benchmarks.venue_load``: a venue as it runs, with a hall's viewers; prints figures.

Venue and viewers share this machine, and whatever else runs here is measured along.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.dashboard.played_deals import played_deal
from tests.dashboard.venue_process import VenueProcess
from tracker.events import Event

_ID: Final = re.compile(rb"^id: (\d+)\n", re.M)
_ANSWER_TIMEOUT_S: Final = 30.0
_BETWEEN_EVENTS_S: Final = 0.2
"""Ten tables that play a card each two seconds."""


@dataclass
class Viewer:
    """One open page: when it first got each event of its table."""

    path: str
    arrivals_s: dict[int, float] = field(default_factory=dict)
    status: int = 0

    async def watch(self, port: int) -> None:
        """Read the stream until it is cancelled or ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(
                f"GET {self.path} HTTP/1.1\r\nHost: zaal\r\nAccept: text/event-stream\r\n\r\n".encode()
            )
            head = await reader.readuntil(b"\r\n\r\n")
            self.status = int(head.split()[1])
            rest = b""
            while self.status == 200 and (chunk := await reader.read(65_536)):
                now_s = time.perf_counter()
                text = rest + chunk
                for number in _ID.findall(text):
                    self.arrivals_s.setdefault(int(number), now_s)
                rest = text[-40:]
        finally:
            writer.close()


@dataclass(frozen=True)
class Load:
    """What was measured; times in seconds."""

    event_delays_s: tuple[float, ...]
    missed: int
    page_times_s: tuple[float, ...]
    refused_status: int
    page_status_when_full: int
    memory_bytes: int


def percentile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` of all are at most."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(streams: int, tables: int, events: int, in_hall: float = 0.2) -> Load:
    """Open ``streams`` pages, a share of them of the whole hall, and deliver events to ``tables`` tables."""
    names = [str(number) for number in range(1, tables + 1)]
    with tempfile.TemporaryDirectory() as folder:
        venue = VenueProcess(Path(folder), names, maximum_streams=streams)
        venue.start()
        try:
            return asyncio.run(_measure(venue, names, streams, events, in_hall))
        finally:
            venue.stop()


async def _measure(
    venue: VenueProcess, names: Sequence[str], streams: int, events: int, in_hall: float
) -> Load:
    for name in names:
        await asyncio.to_thread(venue.deliver, 1, told_by(name)[:1])
    of_hall = round(streams * in_hall)
    paths = ["/stroom"] * of_hall
    paths += [f"/tafel/{names[place % len(names)]}/stroom" for place in range(streams - of_hall)]
    viewers = [Viewer(path) for path in paths]
    watching = []
    for viewer in viewers:
        watching.append(asyncio.create_task(viewer.watch(venue.port)))
        await asyncio.sleep(0.002)
    await _until_all_see(viewers)
    page_times: list[float] = []
    pages = asyncio.create_task(_fetch_pages(venue, names, page_times))
    sent_s = await _tell(venue, names, events)
    await asyncio.sleep(2)
    pages.cancel()
    memory = memory_of(venue.pid)
    refused = Viewer("/stroom")
    await refused.watch(venue.port)
    full = (await asyncio.to_thread(_timed_page, venue.port, "/tafel/1"))[1]
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    delays, missed = _delays(viewers, sent_s)
    return Load(delays, missed, tuple(page_times), refused.status, full, memory)


async def _until_all_see(viewers: Sequence[Viewer]) -> None:
    end_s = time.perf_counter() + _ANSWER_TIMEOUT_S
    while not all(viewer.arrivals_s for viewer in viewers):
        if time.perf_counter() > end_s:
            raise TimeoutError(f"{sum(1 for one in viewers if not one.arrivals_s)} pages got no picture")
        await asyncio.sleep(0.05)


async def _fetch_pages(venue: VenueProcess, names: Sequence[str], times_s: list[float]) -> None:
    """People who come in: a page four times a second."""
    place = 0
    while True:
        path = ("/", f"/tafel/{names[place % len(names)]}", f"/api/tafels/{names[place % len(names)]}")[
            place % 3
        ]
        took_s, _ = await asyncio.to_thread(_timed_page, venue.port, path)
        times_s.append(took_s)
        place += 1
        await asyncio.sleep(0.25)


def _timed_page(port: int, path: str) -> tuple[float, int]:
    began_s = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_ANSWER_TIMEOUT_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return time.perf_counter() - began_s, answer.status


async def _tell(venue: VenueProcess, names: Sequence[str], events: int) -> dict[int, tuple[str, float]]:
    """Deliver event after event; by its id, the table and when it was sent."""
    sent: dict[int, tuple[str, float]] = {}
    next_id = len(names) + 1
    for place in range(events):
        name, number = names[place % len(names)], place // len(names) + 1
        event = told_by(name)[number]
        sent[next_id] = (name, time.perf_counter())
        await asyncio.to_thread(venue.deliver, number + 1, [event])
        next_id += 1
        await asyncio.sleep(_BETWEEN_EVENTS_S)
    return sent


_TOLD: dict[str, list[Event]] = {}


def told_by(table: str) -> list[Event]:
    """A match of events of one table."""
    if table not in _TOLD:
        deals = range(1, 9)
        _TOLD[table] = [event for deal in deals for event in played_deal(deal, number=deal, table=table)]
    return _TOLD[table]


def _delays(viewers: Sequence[Viewer], sent: dict[int, tuple[str, float]]) -> tuple[tuple[float, ...], int]:
    """The delay of each event at each page that shows it, and how many never came.

    A page that is behind gets the next picture, which holds this event too.
    """
    delays, missed = [], 0
    for viewer in viewers:
        for event_id, (table, sent_s) in sent.items():
            if viewer.path in ("/stroom", f"/tafel/{table}/stroom"):
                later = [at_s for seen, at_s in viewer.arrivals_s.items() if seen >= event_id]
                if later:
                    delays.append(min(later) - sent_s)
                else:
                    missed += 1
    return tuple(delays), missed


def memory_of(pid: int) -> int:
    """Bytes of the venue's processes together, what they share counted once (PSS)."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    total = 0
    for one in [str(pid), *children]:
        text = Path(f"/proc/{one}/smaps_rollup").read_text()
        found = re.search(r"^Pss:\s+(\d+) kB", text, re.M)
        total += int(found.group(1)) * 1024 if found else 0
    return total


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.venue_load", description=__doc__)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--events", type=int, default=200)
    given = parser.parse_args()
    load = measure(given.streams, given.tables, given.events)
    sys.stdout.write("\n".join(lines_of(load, given.streams)) + "\n")


def lines_of(load: Load, streams: int) -> list[str]:
    """The figures in words."""
    delays = ", ".join(
        f"p{share * 100:.0f} {percentile(load.event_delays_s, share) * 1000:.0f} ms"
        for share in (0.5, 0.95, 0.99)
    )
    pages_ms = percentile(load.page_times_s, 0.95) * 1000
    return [
        f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors",
        f"{streams} streams, {len(load.event_delays_s)} pictures: event {delays}, never {load.missed}",
        f"pages meanwhile ({len(load.page_times_s)}): p95 {pages_ms:.0f} ms",
        f"memory (PSS): {load.memory_bytes / 1e6:.0f} MB",
        f"one stream more: {load.refused_status}; a page then: {load.page_status_when_full}",
    ]


if __name__ == "__main__":
    main()
