"""The venue as a process: what it acknowledged survives any death, and it starts with one command."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from dashboard import DashboardConfig, config_from_toml, create_table_token
from dashboard.server import gunicorn_settings
from tests.dashboard.played_deals import played_deal
from tests.dashboard.venue_process import VenueProcess


@pytest.fixture
def process(tmp_path: Path) -> Iterator[VenueProcess]:
    venue = VenueProcess(tmp_path)
    venue.start()
    try:
        yield venue
    finally:
        venue.stop()


def test_it_says_where_it_is_and_gives_the_code_once_and_stops_when_told(process: VenueProcess) -> None:
    assert process.address in process.output()
    assert len(process.first_run_code()) == 14
    stream = http.client.HTTPConnection("127.0.0.1", process.port, timeout=10)
    process.deliver(1, played_deal(seed=1)[:3])
    stream.request("GET", "/tafel/1/stroom")
    assert stream.getresponse().status == 200
    began_s = time.monotonic()
    assert process.stop() == 0
    assert time.monotonic() - began_s < 5
    stream.close()


def test_a_body_in_chunks_that_are_none_is_the_senders_fault(process: VenueProcess) -> None:
    head = f"POST /api/tafels/1/events HTTP/1.1\r\nHost: zaal\r\nAuthorization: Bearer {process.token}\r\n"
    with socket.create_connection(("127.0.0.1", process.port), timeout=10) as sender:
        sender.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n".encode())
        assert sender.recv(100).startswith(b"HTTP/1.1 400 ")
    assert "Traceback" not in process.output()


def test_one_process_with_a_thread_for_each_stream_and_some_to_spare() -> None:
    settings = gunicorn_settings(DashboardConfig(maximum_streams=500, spare_threads=30))
    assert (settings["workers"], settings["threads"]) == (1, 530)
    assert settings["worker_connections"] > 530


@pytest.mark.parametrize("name", ["", "../1", "tafel 1", "é", "x" * 33])
def test_a_token_is_made_only_for_a_name_that_fits_in_an_address(tmp_path: Path, name: str) -> None:
    config = DashboardConfig(database=str(tmp_path / "venue.sqlite"))
    with pytest.raises(ValueError, match="a table's name"):
        create_table_token(config, name)


def test_an_unknown_setting_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "venue.toml"
    file.write_text('port = 9000\ndatabase = "hall.sqlite"\n')
    assert config_from_toml(file).port == 9000
    file.write_text('timezone = "Mars/Olympus"\n')
    with pytest.raises(ValidationError, match="timezone"):
        config_from_toml(file)
    file.write_text("prt = 9000\n")
    with pytest.raises(ValidationError, match="prt"):
        config_from_toml(file)
