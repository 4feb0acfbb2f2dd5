"""A table says that it lives, and how its camera is; and falls silent when it is killed."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import pytest

from capture.errors import CaptureError, DeliveryError
from capture.heartbeat import Heartbeat
from capture.http_venue import HttpVenue, WantedClip
from capture.settings import TableConfig
from capture.sources import SupervisedSource
from capture.table_process import TableOutcome, run_table
from tests.capture.faulty_camera import FaultyCamera, Trouble
from tests.capture.number_reader import NumberDetector
from tests.capture.test_delivery import free_port, wait_until
from tests.capture.test_supervised import HASTY, HASTY_PERSISTS_S
from tests.capture.venue_server import VenueServer
from tracker.events import SourceBack, SourceLost


class RunningTable:
    """A table in a thread, with a camera that fails on command."""

    def __init__(self, venue: str, folder: Path, *, record: bool = False) -> None:
        self.camera = FaultyCamera(answer_s=0.3)
        self.notices: list[str] = []
        self.outcome: TableOutcome | None = None
        self._stop = threading.Event()
        source = SupervisedSource(
            self.camera.connect(), self.camera.connect, link=HASTY, persists_s=HASTY_PERSISTS_S
        )
        config = TableConfig(
            source="0",
            venue=venue,
            token="sesam",
            journal=folder / "journal.sqlite",
            record=record,
            recordings=folder / "opnamen",
        )

        def run() -> None:
            self.outcome = run_table(
                config,
                source=source,
                detector=NumberDetector(),
                stop=self._stop,
                notice=self.notices.append,
            )

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing is left reading when a test fails half way."""
        self._stop.set()
        self._thread.join(30)

    def close(self) -> TableOutcome:
        self._stop.set()
        self._thread.join(30)
        assert self.outcome is not None
        return self.outcome


def test_the_venue_hears_how_the_camera_is_and_that_the_table_stopped(tmp_path: Path) -> None:
    with VenueServer() as venue, RunningTable(venue.address, tmp_path, record=True) as table:
        wait_until(lambda: bool(venue.statuses) and venue.statuses[-1]["camera"]["frames_read"] > 3)
        with table.camera.failing(Trouble.BLACK):
            wait_until(lambda: venue.statuses[-1]["camera"]["state"] == "lost")
        black = venue.statuses[-1]["camera"]
        wait_until(lambda: venue.statuses[-1]["camera"]["state"] == "ok")
        outcome = table.close()
    first, last = venue.statuses[0], venue.statuses[-1]
    assert black["fault"] == "black"
    assert "zwart" in black["message_nl"]
    assert "black" in black["message_en"]
    assert first["recording"]["on"] is True
    assert first["camera"]["calibrated"] is False
    assert (last["state"], last["camera"]["state"], last["recording"]["on"]) == ("stopped", "ended", False)
    assert last["undelivered_events"] == 0
    sequences = [status["sequence"] for status in venue.statuses]
    assert sequences == list(range(1, len(sequences) + 1))
    kinds = [type(event) for event in outcome.events]
    assert kinds.count(SourceLost) == kinds.count(SourceBack) == 1
    assert len(table.notices) == 2
    assert "zwart" in table.notices[0]
    assert "terug" in table.notices[1]


def test_a_venue_that_is_away_is_told_of_at_once_and_so_is_its_return(tmp_path: Path) -> None:
    port = free_port()
    with RunningTable(f"http://127.0.0.1:{port}", tmp_path) as table:
        wait_until(lambda: bool(table.notices))
        assert "niet te bereiken" in table.notices[0]
        with VenueServer(port):
            wait_until(lambda: len(table.notices) > 1)
            table.close()
    assert table.notices[1:] == [
        f"De zaal http://127.0.0.1:{port} is weer bereikbaar. / the venue can be reached again."
    ]


def test_a_venue_that_knows_no_statuses_is_no_trouble() -> None:
    heard: list[CaptureError | None] = []
    with VenueServer() as venue:
        venue.knows_statuses = False
        heartbeat = Heartbeat(
            HttpVenue(venue.address, "sesam"), "1", lambda sequence: {}, on_reach=heard.append, each_s=0.05
        )
        wait_until(lambda: venue.requests > 3)
        heartbeat.close()
    assert heard == []


def test_a_wrong_token_is_told_once() -> None:
    heard: list[CaptureError | None] = []
    with VenueServer() as venue:
        heartbeat = Heartbeat(
            HttpVenue(venue.address, "wrong"), "1", lambda sequence: {}, on_reach=heard.append, each_s=0.05
        )
        wait_until(lambda: venue.requests > 3)
        heartbeat.close()
    assert len(heard) == 1
    assert "klaveroog venue --new-token 1" in str(heard[0])


def test_a_heartbeat_to_a_venue_that_hangs_does_not_hold_up_closing() -> None:
    with VenueServer() as venue:
        venue.silent = True
        heartbeat = Heartbeat(HttpVenue(venue.address, "sesam"), "1", lambda sequence: {})
        time.sleep(0.1)
        started_s = time.monotonic()
        heartbeat.close()
        assert time.monotonic() - started_s < 5.0


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        ([{"id": "a-1", "from_s": 1, "to_s": 2.5}], [WantedClip("a-1", 1.0, 2.5)]),
        ([{"id": "../etc", "from_s": 1, "to_s": 2}], []),
        ([{"id": "a", "from_s": 2, "to_s": 1}], []),
        ([{"id": "a", "from_s": 0, "to_s": 1000}], []),
        ([{"id": "a", "from_s": True, "to_s": 2}], []),
        ([{"id": "a", "from_s": float("nan"), "to_s": 2}], []),
        ([None, "a", {"id": 3}], []),
        ("all", []),
    ],
)
def test_only_a_sensible_wish_for_a_clip_is_heard(wanted: object, taken: list[WantedClip]) -> None:
    with VenueServer() as venue:
        venue.wanted = wanted
        assert list(HttpVenue(venue.address, "sesam").send_status("1", {})) == taken


def test_a_status_that_cannot_be_sent_says_why() -> None:
    with pytest.raises(DeliveryError, match="niet te bereiken"):
        HttpVenue(f"http://127.0.0.1:{free_port()}", "sesam").send_status(
            "1", {"now": str(datetime.now(UTC))}
        )
