"""Pages whose connection breaks again and again: each sees every event, once and in order.

A stream tells by whole pictures, each with the id of the last event in it. So a page has seen every event
once and in order when each picture is that of all events up to some moment, and no moment comes before an
earlier one.
"""

from __future__ import annotations

import asyncio
import http.client
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.dashboard.played_deals import played_deal
from tests.dashboard.venue_process import VenueProcess

CLIENTS: Final = 50
CUTS: Final = 20
TIMEOUT_S: Final = 120.0
_MESSAGE: Final = re.compile(rb"id: (\d+)\nevent: picture\n((?:data: .*\n)+)\n")


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[VenueProcess]:
    started = VenueProcess(tmp_path, ping_seconds=0.5)
    started.start()
    yield started
    started.stop()


class CutClient:
    """A page that is cut off after each picture, and comes back with the id that it saw last."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.pictures: list[tuple[int, str]] = []
        self.cuts = 0
        self.refused = 0

    async def live(self, last_id: int) -> None:
        """Be cut off ``CUTS`` times, and stay from then on until ``last_id`` is seen."""
        while self.cuts < CUTS or self.pictures[-1][0] < last_id:
            picture = await self._next_picture()
            if picture is None:
                self.refused += 1
                await asyncio.sleep(0.2)
                continue
            self.pictures.append(picture)
            self.cuts += 1
            await asyncio.sleep(0.05)

    async def _next_picture(self) -> tuple[int, str] | None:
        """The first picture of a new connection, which is then broken off; None when there is no place."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        seen = f"Last-Event-ID: {self.pictures[-1][0]}\r\n" if self.pictures else ""
        writer.write(f"GET /tafel/1/stroom HTTP/1.1\r\nHost: zaal\r\n{seen}\r\n".encode())
        text = b""
        try:
            while (found := _MESSAGE.search(unchunked(text))) is None:
                chunk = await reader.read(65_536)
                text += chunk
                if not chunk or text.startswith(b"HTTP/1.1 503"):
                    return None
        finally:
            writer.transport.abort()
        lines = found.group(2).decode().splitlines()
        return int(found.group(1)), " ".join(" ".join(line.removeprefix("data: ") for line in lines).split())


def unchunked(text: bytes) -> bytes:
    """What was sent, without the lengths that HTTP puts between."""
    body = text.partition(b"\r\n\r\n")[2]
    return re.sub(rb"(?:\r\n)?[0-9a-f]+\r\n", b"", body) if b"chunked" in text else body


def test_fifty_pages_cut_off_twenty_times_see_every_event_once_and_in_order(venue: VenueProcess) -> None:
    events = played_deal(seed=5) + played_deal(seed=6, number=2)
    shown: dict[int, str] = {}
    clients = [CutClient(venue.port) for _ in range(CLIENTS)]

    def tell() -> None:
        for number, event in enumerate(events, start=1):
            venue.deliver(number, [event])
            shown[number] = page_of(venue)

    async def play() -> None:
        await asyncio.to_thread(venue.deliver, 1, events[:1])
        living = [asyncio.create_task(client.live(len(events))) for client in clients]
        await asyncio.to_thread(tell)
        await asyncio.wait_for(asyncio.gather(*living), TIMEOUT_S)

    asyncio.run(play())
    for client in clients:
        assert client.cuts >= CUTS
        ids = [event_id for event_id, _ in client.pictures]
        assert ids == sorted(ids)
        assert ids[-1] == len(events)
        moment = 0
        for event_id, picture in client.pictures:
            moments = [at for at, page in shown.items() if at >= event_id and picture in page]
            assert moments, f"the picture with id {event_id} is that of no moment from there on"
            assert moments[-1] >= moment
            moment = max(moment, moments[0])
        assert client.pictures[-1][1] in shown[len(events)]


def page_of(venue: VenueProcess) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", venue.port, timeout=10)
    connection.request("GET", "/tafel/1")
    text = connection.getresponse().read().decode()
    connection.close()
    return " ".join(text.split())
