"""What is malformed is refused, leaves nothing behind, and never shows the inside of the program.

``KLAVEROOG_MALFORMED=100000`` sends that many, and a fiftieth as many that are not even HTTP.
"""

from __future__ import annotations

import os
import random
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select

from dashboard.store import Store
from dashboard.store.schema import METADATA
from tests.dashboard.conftest import Venue
from tests.dashboard.malformed import Sent, malformed_requests
from tests.dashboard.played_deals import played_deal
from tests.dashboard.venue_process import VenueProcess

COUNT: Final = int(os.environ.get("KLAVEROOG_MALFORMED", "1500"))
RAW_COUNT: Final = max(COUNT // 50, 60)


def rows(store: Store) -> dict[str, int]:
    """How many rows each table of the database has."""
    with store.reading() as connection:
        return {
            name: connection.scalar(select(func.count()).select_from(table)) or 0
            for name, table in METADATA.tables.items()
        }


def test_malformed_requests_are_refused_and_leave_no_trace(venue: Venue) -> None:
    venue.deliver(played_deal(seed=1)[:5], epoch="eerder")
    askers = {"viewer": venue.viewer(), "table": venue.viewer(), "director": venue.director()}
    venue.services.accounts.new_first_run_code()
    before = rows(venue.services.store)
    statuses: Counter[int] = Counter()
    for sent in malformed_requests(venue.app.url_map, COUNT, seed=COUNT):
        status, text = answer_to(venue, askers[sent.asker], sent)
        statuses[status] += 1
        assert 400 <= status < 500, (status, sent)
        assert "Traceback" not in text, sent
    assert rows(venue.services.store) == before
    assert not [path for path in venue.config.media_path.rglob("*") if path.is_file()]
    assert {400, 401, 403, 404, 405, 429} <= set(statuses)


def test_a_number_that_no_database_holds_is_no_page(venue: Venue) -> None:
    director, organiser = venue.director(), venue.organiser()
    for number in (2**31, 2**63, 10**30):
        for path in (
            f"/wedstrijdleider/avonden/{number}",
            f"/tellijst/{number}/{number}",
            f"/stand?avond={number}",
        ):
            assert director.get(path).status_code == 404, path
        path = f"/wedstrijdleider/avonden/{number}/deelnemers/{number}/opgave"
        assert organiser.post(path).status_code == 404


def answer_to(venue: Venue, client: FlaskClient, sent: Sent) -> tuple[int, str]:
    headers = dict(sent.headers)
    if sent.asker == "table":
        headers["Authorization"] = f"Bearer {venue.token('1')}"
    answer = client.open(sent.path, method=sent.method, data=sent.body, headers=headers)
    try:
        return answer.status_code, answer.get_data().decode(errors="replace")
    finally:
        answer.close()


HEADS: Final = (
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost\r\n\r\n",
    b"GET / HTTP/1.1\r\n: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: zaal\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: zaal\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: zaal\r\nTransfer-Encoding: klaver\r\n\r\n",
    b"POST /api/tafels/1/events HTTP/1.1\r\nHost: zaal\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
    b"GET / HTTP/1.1\r\nHost: zaal\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\x00\xff\xfe\r\n\r\n",
)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[VenueProcess]:
    venue = VenueProcess(tmp_path)
    venue.start()
    yield venue
    venue.stop()


def test_what_is_not_even_http_is_refused_by_the_server(process: VenueProcess) -> None:
    generator = random.Random(RAW_COUNT)
    statuses: Counter[bytes] = Counter()
    for _ in range(RAW_COUNT):
        head = bytearray(generator.choice(HEADS))
        if generator.random() < 0.5:
            head[generator.randrange(min(len(head), 40))] = generator.randrange(256)
        statuses[status_of(process, bytes(head))] += 1
    # A changed letter can leave a request that is right.
    assert set(statuses) <= {b"", b"200"} | {b"%d" % status for status in range(400, 500)}
    assert statuses[b"400"] > RAW_COUNT / 3
    assert process.state_or_none() is not None
    assert "Traceback" not in process.output()
    for whole in HEADS:  # Each once as it stands, whatever the dice said.
        assert status_of(process, whole) in (b"", *(b"%d" % status for status in range(400, 500))), whole


def status_of(process: VenueProcess, request: bytes) -> bytes:
    """The status of the answer; nothing when the server hangs up."""
    with socket.create_connection(("127.0.0.1", process.port), timeout=10) as sender:
        try:
            sender.sendall(request)
            sender.shutdown(socket.SHUT_WR)
            return sender.recv(100)[9:12]
        except ConnectionError:
            return b""
