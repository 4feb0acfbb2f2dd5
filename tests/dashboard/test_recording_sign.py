"""People at a table can see that they are being filmed: the sign is there as long as pictures are kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from capture.settings import TableConfig
from capture.table_process import run_table
from tests.capture.faulty_camera import FaultyCamera
from tests.capture.number_reader import NumberDetector
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import played_deal
from tests.dashboard.served import served
from tests.dashboard.streams import open_stream

SIGN = "Er wordt opgenomen"


def status(sequence: int, *, is_on: bool, **more: object) -> dict[str, object]:
    return {"version": 1, "epoch": "a", "sequence": sequence, "recording": {"on": is_on}, **more}


def tell(venue: Venue, document: dict[str, object]) -> None:
    headers = {"Authorization": f"Bearer {venue.token('1')}"}
    answer = venue.viewer().post("/api/tafels/1/status", json=document, headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize("address", ["/tafel/1", "/tafel/1/invoer"])
def test_the_sign_comes_and_goes_live_with_the_recording(venue: Venue, address: str) -> None:
    venue.deliver(played_deal(seed=1)[:4])
    client = venue.tablet("1")
    with open_stream(client, f"{address}/stroom") as stream:
        assert SIGN not in stream.next_picture().data
        tell(venue, status(1, is_on=True))
        assert SIGN in stream.next_picture().data
        tell(venue, status(2, is_on=False))
        assert SIGN not in stream.next_picture().data
    assert SIGN not in client.get(address).text


def test_other_tables_do_not_show_it_and_english_is_spoken(venue: Venue) -> None:
    for table in ("1", "2"):
        venue.deliver(played_deal(seed=1, table=table)[:4])
    tell(venue, status(1, is_on=True))
    assert SIGN in venue.viewer().get("/tafel/1?taal=nl").text
    assert "Recording" in venue.viewer().get("/tafel/1?taal=en").text
    assert SIGN not in venue.viewer().get("/tafel/2?taal=nl").text


@pytest.mark.parametrize("record", [True, False])
def test_a_real_table_has_it_while_it_records_and_not_otherwise(
    venue: Venue, tmp_path: Path, record: bool
) -> None:
    venue.token("1")
    with served(venue.app) as address, running_table(venue, address, tmp_path, record=record):
        wait_until(lambda: "Camera ziet de tafel" in page(venue))
        if record:
            wait_until(lambda: SIGN in page(venue))
        assert (SIGN in page(venue)) == record
    wait_until(lambda: SIGN not in page(venue))
    assert bool(list((tmp_path / "opnamen").rglob("*.mp4"))) == record


def page(venue: Venue) -> str:
    return venue.viewer().get("/tafel/1?taal=nl").text


@contextmanager
def running_table(venue: Venue, address: str, folder: Path, *, record: bool) -> Iterator[None]:
    """The table's own program, with a camera that shows numbers; it stops when the block ends."""
    stop = threading.Event()
    config = TableConfig(
        source="0",
        venue=address,
        token=venue.token("1"),
        table="1",
        journal=folder / "journal.sqlite",
        record=record,
        recordings=folder / "opnamen",
    )
    source = FaultyCamera().connect()
    thread = threading.Thread(
        target=lambda: run_table(
            config, source=source, detector=NumberDetector(), stop=stop, notice=lambda _: None
        ),
        daemon=True,
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(30)


def wait_until(is_so: Callable[[], bool], timeout_s: float = 20.0) -> None:
    end_s = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < end_s, "it did not happen"
        time.sleep(0.05)
