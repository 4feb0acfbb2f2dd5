"""``klaveroog verify``: one line that says whether the events are those that were stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from capture.command_line import main
from dashboard.store import EventLog, IncomingEvent, open_store


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Five events of table 3."""
    path = tmp_path / "zaal.sqlite"
    store = open_store(f"sqlite:///{path}")
    EventLog(store).append(
        "3", "avond", [IncomingEvent(number, f'{{"n":{number}}}') for number in range(1, 6)]
    )
    store.close()
    return path


def verify(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, list[str]]:
    """The exit code, and the lines on both outputs."""
    with pytest.raises(SystemExit) as ended:
        main(["verify", *(str(argument) for argument in arguments)])
    output, error = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, (output + error).splitlines()


def tamper(database: Path, statement: str) -> None:
    store = open_store(f"sqlite:///{database}")
    with store.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER events_no_UPDATE")
        connection.exec_driver_sql("DROP TRIGGER events_no_DELETE")
        connection.exec_driver_sql(statement)
    store.close()


def test_events_that_hold_are_counted(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (line,) = verify(capsys, "--database", database)
    assert code == 0
    assert "Alle 5 gebeurtenissen kloppen" in line
    assert "All 5 events hold" in line


def test_a_changed_event_is_named_in_one_line(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(database, "UPDATE events SET body = '{}' WHERE sequence = 4")
    code, (line,) = verify(capsys, "--database", database)
    assert code == 1
    assert "breekt bij gebeurtenis 4 (tafel 3, avond nummer 4); de 3 ervoor kloppen" in line
    assert "breaks at event 4 (table 3, avond number 4); the 3 before it hold" in line


def test_a_link_noted_before_tells_of_an_end_cut_off(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, (line,) = verify(capsys, "--database", database)
    link = line.removesuffix(".").split()[-1]
    assert verify(capsys, "--database", database, "--expect", link)[0] == 0
    tamper(database, "DELETE FROM events WHERE sequence = 5")
    assert verify(capsys, "--database", database)[0] == 0  # By itself it looks whole.
    code, (line,) = verify(capsys, "--database", database, "--expect", link)
    assert code == 1
    assert "de verwachte schakel ontbreekt" in line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--database", "nergens.sqlite"], "there is no database"),
        (["--database", "leeg.sqlite"], "cannot read the database"),
        (["--database", "tekst.sqlite"], "cannot read the database"),
        (["--expect", "abc"], "not a link"),
    ],
)
def test_what_cannot_be_checked_is_told_in_one_line_and_nothing_is_made(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("leeg.sqlite").touch()
    Path("tekst.sqlite").write_text("kaarten\n" * 200)
    before = sorted(tmp_path.iterdir())
    code, (line,) = verify(capsys, *arguments)
    assert code == 1
    assert words in line
    assert sorted(tmp_path.iterdir()) == before
