"""The settings of a table: command line over environment over file, and a slip is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from capture.errors import SettingsError
from capture.settings import TableConfig, load_table_config
from rules import KLAVERJAS_DRIVE, ROTTERDAMS, Seat, Suit

EVERYTHING = """
source = "rtsp://10.0.0.4/stream"
table = "12"
reglement = "rotterdams"
dealer = "O"
trump = ["H", "K"]
declarer = "Z"
deal = 3
frames_per_second = 5.0
looks_per_second = 8.0
simulated_deals = 2
events = "out.jsonl"
journal = "journal.sqlite"
venue = "http://zaal:8000"
token = "sesam"
camera = { width = 1920, height = 1080 }
calibration = "tafel.toml"
reconnect = false
frames_waiting = 4
record = true
recordings = "opnamen"
record_days = 2.0
record_gigabytes = 5.0
watch_backs = false
models = "other"
threads = 1
"""


def test_only_the_source_must_be_given() -> None:
    config = load_table_config(None, {"source": "film.mp4"})
    assert (config.source, config.table, config.dealer) == ("film.mp4", "1", Seat.SOUTH)
    assert config.reglement is KLAVERJAS_DRIVE
    assert config.trump == ()


def test_every_setting_can_stand_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(EVERYTHING)
    config = load_table_config(file, {})
    written = {line.split(" = ")[0] for line in EVERYTHING.split("\n") if line}
    assert written == set(type(config).model_fields)
    assert config.reglement is ROTTERDAMS
    assert (config.dealer, config.declarer) == (Seat.EAST, Seat.SOUTH)
    assert config.trump == (Suit.HEARTS, Suit.CLUBS)
    assert config.journal == Path("journal.sqlite")


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(EVERYTHING)
    monkeypatch.setenv("KLAVEROOG_TABLE_DEALER", "W")
    monkeypatch.setenv("KLAVEROOG_TABLE_TOKEN", "secret")
    config = load_table_config(file, {"dealer": "N"})
    assert config.dealer is Seat.NORTH
    assert config.token == "secret"
    assert config.table == "12"
    assert "secret" not in repr(config)


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ('source = "a"\ndealler = "N"', "'dealer'"),
        ('source = "a"\njurnal = "x"', "'journal'"),
        ('source = "a"\nframes_per_sec = 3', "'frames_per_second'"),
        ('source = "a"\nreglement = "drive"', "klaverjas-drive"),
        ('source = "a"\ndealer = "Q"', "'dealer'"),
        ('source = "a"\ntrump = ["X"]', "'trump'"),
        ('source = "a"\nthreads = 0', "'threads'"),
        ('source = "a"\ntable = "een tafel"', "'table'"),
        ('table = "1"', "--source"),
        ("source = ", "TOML"),
    ],
)
def test_a_slip_gives_one_line_that_names_what_is_meant(tmp_path: Path, written: str, named: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(written)
    with pytest.raises(SettingsError) as caught:
        load_table_config(file, {})
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
    assert " / " in str(caught.value)


@pytest.mark.parametrize(
    ("written", "dutch"),
    [
        ("deal = 0", "geef 1 of meer"),
        ('deal = "x"', "geef een heel getal"),
        ('record = "soms"', "kies true of false"),
        ("frames_per_second = 1000", "of minder"),
        ("camera = { width = 12 }", "of meer"),
        ("token = 5", "geef tekst tussen aanhalingstekens"),
    ],
)
def test_what_a_setting_should_be_is_said_in_dutch_too(tmp_path: Path, written: str, dutch: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'source = "a"\n{written}')
    with pytest.raises(SettingsError) as caught:
        load_table_config(file, {})
    assert dutch in caught.value.dutch


def test_the_mark_that_windows_puts_before_a_text_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('source = "a"\ntable = "12"', encoding="utf-8-sig")
    assert load_table_config(file, {}).table == "12"


def test_one_trump_need_not_stand_in_a_list(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('source = "a"\ntrump = "H"\n')
    assert load_table_config(file, {}).trump == (Suit.HEARTS,)


def test_a_wrong_environment_variable_is_not_called_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLAVEROOG_TABLE_TRUMP", "H")
    with pytest.raises(SettingsError, match=r"KLAVEROOG_TABLE_.*trump"):
        load_table_config(None, {"source": "a"})


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nee\.toml"):
        load_table_config(tmp_path / "nee.toml", {"source": "a"})


def test_an_unknown_reglement_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"amsterdams-met-passen.*klaverjas-drive.*rotterdams"):
        load_table_config(None, {"source": "a", "reglement": "canasta"})


def test_every_setting_stands_in_the_readme() -> None:
    readme = (Path(__file__).resolve().parents[2] / "capture" / "README.md").read_text()
    written = {line.split(" = ")[0].strip() for line in readme.splitlines() if line.startswith("    ")}
    assert set(TableConfig.model_fields) <= written
