"""The command line: what people type, and the one line they get when it goes wrong."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from capture.command_line import main
from capture.command_line.program import run
from capture.simulator import Film
from dashboard.access import Role
from dashboard.passwords import hash_password, is_right_password
from dashboard.store import Accounts, open_store
from tests.capture.films import write_numbered_film
from tracker.events import event_from_json, fold_deals

DEAL = {
    "reglement": "klaverjas-drive",
    "dealer": "S",
    "trump": "H",
    "tricks": [{"leader": "W", "cards": ["HJ", "H7", "HA", "H8"]}],
}


class Run:
    """What a command printed, in all, and how it ended."""

    def __init__(self, code: int, output: str, error: str) -> None:
        self.code, self.output, self.error = code, output, error

    @property
    def error_lines(self) -> list[str]:
        return self.error.splitlines()


def klaveroog(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> Run:
    """Run a command in this process; what libraries written in C print is caught as well."""
    capfd.readouterr()
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    output, error = capfd.readouterr()
    assert isinstance(ended.value.code, int)
    return Run(ended.value.code, output, error)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture
def faulty_sources(tmp_path: Path) -> dict[str, str]:
    text = tmp_path / "text.mp4"
    text.write_text("kaarten\n" * 100)
    whole = write_numbered_film(tmp_path / "whole.mp4", 20)
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[:-2000])
    (tmp_path / "empty").mkdir()
    return {
        "missing": str(tmp_path / "missing.mp4"),
        "text": str(text),
        "cut": str(cut),
        "empty folder": str(tmp_path / "empty"),
        "no device": "63",
        "no device path": "/dev/v4l/by-id/no-such-camera",
        "no camera": "/dev/null",
        "refused": f"rtsp://127.0.0.1:{free_port()}/film",
        "no camera address": "http://127.0.0.1/film",
        "no seed": "simulator:zeven",
        "no address at all": "rtsp://[zaal",
        "nothing of the kind": "http://[zaal",
        "a number without end": "9" * 5000,
        "a seed without end": f"simulator:{'9' * 5000}",
        "a name without end": f"{'film' * 100}.mp4",
    }


@pytest.mark.parametrize(
    "fault",
    [
        "missing",
        "text",
        "cut",
        "empty folder",
        "no device",
        "no device path",
        "no camera",
        "refused",
        "no camera address",
        "no seed",
        "no address at all",
        "nothing of the kind",
        "a number without end",
        "a seed without end",
        "a name without end",
    ],
)
def test_a_source_that_is_wrong_gives_one_line(
    capfd: pytest.CaptureFixture[str], faulty_sources: dict[str, str], fault: str
) -> None:
    run = klaveroog(capfd, "table", "--source", faulty_sources[fault])
    assert run.code == 1
    assert len(run.error_lines) == 1
    assert len(run.error) < 1_100
    assert run.error.startswith("klaveroog: ")
    assert " / " in run.error
    assert run.output == ""


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["table"], "--source"),
        (["table", "--source", "a.mp4", "--reglement", "canasta"], "klaverjas-drive"),
        (["table", "--source", "a.mp4", "--dealer", "Q"], "'Q'"),
        (["table", "--source", "a.mp4", "--trump", "X"], "'X'"),
        (["table", "--source", "a.mp4", "--venue", "zaal"], "'zaal'"),
        (["table", "--source", "a.mp4", "--config", "nee.toml"], "nee.toml"),
        (["score", "no-such-file.json"], "no-such-file.json"),
        (["simulate", "-o", "film.avi"], ".mp4"),
        (["simulate", "-o", "film.mp4", "--deals", "2", "--verzaken", "3"], "--verzaken"),
        (["simulate", "-o", "film.mp4", "--reglement", "canasta"], "klaverjas-drive"),
        (["simulate", "-o", "/no/such/folder/film.mp4"], "/no/such/folder/film.mp4"),
        (["simulate", "-o", "/proc/film.mp4"], "/proc/film.mp4"),
        (["simulate", "-o", f"{'film' * 100}.mp4"], "film.mp4"),
        (["venue", "--port", "99999"], "'port'"),
        (["venue", "--host", ""], "'host'"),
        (["venue", "--host", "999.1.1.1"], "999.1.1.1"),
        (["venue", "--database", "mysql://zaal/zaal", "--port", "0"], "MySQLdb"),
        (["venue", "--config", "nee.toml"], "nee.toml"),
        (["venue", "--database", "/no/such/folder/a.sqlite", "--new-token", "1"], "/no/such/folder/a.sqlite"),
    ],
)
def test_a_slip_gives_one_line_that_names_it(
    capfd: pytest.CaptureFixture[str], arguments: list[str], named: str
) -> None:
    run = klaveroog(capfd, *arguments)
    assert run.code == 1
    assert len(run.error_lines) == 1
    assert named in run.error


def test_a_full_disk_is_told_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    def write() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "uit/a.png")

    assert run(write) == 1
    told = capsys.readouterr().err
    assert told == (
        "klaveroog: De schijf is vol. Maak ruimte en doe het opnieuw. / No space left on device: uit/a.png\n"
    )


@pytest.mark.parametrize(
    "arguments", [["deel"], ["table", "--sauce", "a.mp4"], ["read"], ["simulate"], ["score", "a", "b"]]
)
def test_a_command_that_makes_no_sense_ends_with_2(
    capfd: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    run = klaveroog(capfd, *arguments)
    assert run.code == 2
    assert len(run.error_lines) == 1


def test_without_a_command_the_help_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    run = klaveroog(capfd)
    assert run.code == 2
    assert "\n  simulate " in run.output
    assert run.error == ""


def test_a_venue_that_cannot_listen_says_so_and_leaves_the_running_one_its_code(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    database = tmp_path / "hall.sqlite"
    store = open_store(f"sqlite:///{database}")
    code = Accounts(store).new_first_run_code()
    assert code is not None
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        run = klaveroog(capfd, "venue", "--database", database, "--port", str(port))
    assert (run.code, run.output, len(run.error_lines)) == (1, "", 1)
    assert str(port) in run.error
    assert Accounts(store).create_first(code, "Anneke", "wedstrijdleider", "hash") is not None
    store.close()


def test_a_taken_port_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        run = klaveroog(capfd, "demo", "--headless", "--port", str(port))
    assert run.code == 1
    assert str(port) in run.error
    assert len(run.error_lines) == 1


def test_every_command_has_help_in_both_languages(capfd: pytest.CaptureFixture[str]) -> None:
    overview = klaveroog(capfd, "--help")
    assert overview.code == 0
    for command in (
        "table",
        "calibrate",
        "calibration-sheet",
        "clip",
        "read",
        "simulate",
        "score",
        "venue",
        "demo",
    ):
        assert f"  {command} " in overview.output
        run = klaveroog(capfd, command, "--help")
        assert run.code == 0
        assert " / " in run.output


def test_a_deal_is_scored(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(DEAL, indent=2))
    run = klaveroog(capfd, "score", file)
    assert run.code == 0
    result = json.loads(run.output)
    # Boer 20 and aas 11 of trump are counted to West, whose boer took the trick.
    assert result["points"] == {"NS": 0, "EW": 31}
    assert result["complete"] is False
    assert result["reasons"]


def test_several_deals_are_scored_line_by_line(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text(f"{json.dumps(DEAL)}\n\n{json.dumps(DEAL | {'trump': 'C'})}\n")
    run = klaveroog(capfd, "score", file)
    assert [json.loads(line)["points"]["EW"] for line in run.output.splitlines()] == [31, 13]


@pytest.mark.parametrize(
    ("written", "named"),
    [
        (f"{json.dumps(DEAL)}\n\n{{kapot\n{json.dumps(DEAL)}\n", ["regel 3", "line 3"]),
        (f"{json.dumps(DEAL)}\n{json.dumps(DEAL | {'dealer': 'Q'})}\n", ["regel 2", "line 2", "'Q'"]),
        (json.dumps(DEAL)[:-1] + ', "dealer": "N"}', ["'dealer' stands twice"]),
        ("", ["leeg"]),
    ],
)
def test_what_is_wrong_in_a_file_of_deals_is_named_with_its_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, written: str, named: list[str]
) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text(written)
    run = klaveroog(capfd, "score", file)
    assert (run.code, run.output, len(run.error_lines)) == (1, "", 1)
    assert all(name in run.error for name in named)


def test_a_mark_of_the_encoding_before_a_deal_is_no_fault(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(DEAL), encoding="utf-8-sig")
    assert klaveroog(capfd, "score", file).code == 0


def test_a_wrong_line_of_notation_is_named(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"# de eerste\n{NOTATION}\nspel 2 rotterdams gever X\n")
    run = klaveroog(capfd, "score", file, "--notation")
    assert (run.code, run.output, len(run.error_lines)) == (1, "", 1)
    assert "line 3" in run.error


def test_a_whole_book_in_place_of_a_seat_is_not_printed_back(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(DEAL | {"dealer": "boek" * 100_000}))
    run = klaveroog(capfd, "score", file)
    assert run.code == 1
    assert len(run.error) < 1_100
    assert "use N, O, Z or W" in run.error


NOTATION = "spel 1 klaverjas-drive gever Z speelt W H : W HB H7 HA H8 /"


def test_the_notation_is_read_deal_by_deal_or_as_a_match(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"# de eerste\n{NOTATION}\n\n{NOTATION.replace('spel 1', 'spel 2')}\n")
    run = klaveroog(capfd, "score", file, "--notation")
    assert [json.loads(line)["points"]["EW"] for line in run.output.splitlines()] == [31, 31]
    file.write_text(f"partij klaverjas-drive gever Z\n{NOTATION}\n")
    run = klaveroog(capfd, "score", "--notation", file)
    *deals, tellijst = map(json.loads, run.output.splitlines())
    assert [deal["points"]["EW"] for deal in deals] == [31]
    # The deal is not finished, so it adds nothing yet.
    assert tellijst["match"]["totals"] == {"NS": 0, "EW": 0}


@pytest.mark.parametrize("text", ["", "# niets", "spel 1", "spel 1 canasta gever Z", "een brief"])
def test_what_is_no_notation_gives_one_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(text)
    run = klaveroog(capfd, "score", file, "--notation")
    assert (run.code, len(run.error_lines)) == (1, 1)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '"HT"', '{"dealer": "Q"}', '{"bogus": 1}', "geen json", "{}\n{", "[" * 5000, "9" * 5000],
)
def test_what_is_no_deal_gives_one_line(capfd: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    file = tmp_path / "deal.json"
    file.write_text(text)
    run = klaveroog(capfd, "score", file)
    assert run.code == 1
    assert len(run.error_lines) == 1


def test_a_simulated_film_and_its_truth_are_written(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    film = tmp_path / "film.mp4"
    run = klaveroog(capfd, "simulate", "--seed", "3", "--fps", "1", "--verzaken", "1", "-o", film)
    assert run.code == 0
    assert run.error == ""
    truth = json.loads((tmp_path / "film.truth.json").read_text())
    (record,) = fold_deals([event_from_json(event) for event in truth["events"]])
    assert len(record.cards) == 32
    assert record.deal.revokes
    assert film.stat().st_size > 10_000


def test_a_film_that_is_broken_off_spoils_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes(b"the film of yesterday")
    command = [sys.executable, "-m", "capture.command_line", "simulate", "--deals", "8", "-o", str(film)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        end_s = time.monotonic() + 60
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < end_s:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=20)
    assert process.returncode == 130
    assert error == "klaveroog: gestopt / stopped\n"
    assert [path.name for path in tmp_path.iterdir()] == ["film.mp4"]
    assert film.read_bytes() == b"the film of yesterday"


def test_ctrl_c_while_everything_is_loaded_is_no_traceback() -> None:
    program = (
        "import os, signal, threading; from capture.command_line import main; "
        "threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start(); main(['venue', '--port', '0'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "klaveroog: gestopt / stopped\n")


def test_a_token_for_a_table_is_made(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = klaveroog(capfd, "venue", "--database", tmp_path / "hall.sqlite", "--new-token", "7")
    assert run.code == 0
    assert len(run.output.strip()) >= 20
    wrong = klaveroog(capfd, "venue", "--database", tmp_path / "hall.sqlite", "--new-token", "een tafel")
    assert wrong.code == 1
    assert len(wrong.error_lines) == 1


def test_who_forgot_the_password_gets_another(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    database = tmp_path / "hall.sqlite"
    store = open_store(f"sqlite:///{database}")
    Accounts(store).create("Odette", Role.ORGANISER.value, hash_password("vergeten, helaas"))
    store.close()
    run = klaveroog(capfd, "venue", "--database", database, "--new-password", "Odette")
    assert run.code == 0
    store = open_store(f"sqlite:///{database}")
    account = Accounts(store).by_name("Odette")
    store.close()
    assert account is not None
    assert is_right_password(run.output.strip(), account.password_hash)
    wrong = klaveroog(capfd, "venue", "--database", database, "--new-password", "Niemand")
    assert wrong.code == 1
    assert "'Niemand'" in wrong.error_lines[0]
    nowhere = tmp_path / "elders.sqlite"
    assert klaveroog(capfd, "venue", "--database", nowhere, "--new-password", "Odette").code == 1
    assert not nowhere.exists()


def in_a_process(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "capture.command_line", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60, check=False)


def test_as_a_program_an_error_is_one_line_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("kaarten")
    run = in_a_process("table", "--source", str(tmp_path / "text.mp4"))
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.startswith("klaveroog: ")
    assert run.stderr.count("\n") == 1


def test_as_a_program_a_deal_is_read_from_the_standard_input() -> None:
    run = in_a_process("score", stdin=json.dumps(DEAL))
    assert run.returncode == 0
    assert json.loads(run.stdout)["points"]["EW"] == 31


def test_without_any_standard_input_score_says_so() -> None:
    command = f"{sys.executable} -m capture.command_line score <&-"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 1
    assert run.stderr.startswith("klaveroog: ")
    assert run.stderr.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_traceback(tmp_path: Path) -> None:
    deals = tmp_path / "deals.jsonl"
    deals.write_text(f"{json.dumps(DEAL)}\n" * 2000)
    command = f"{sys.executable} -m capture.command_line score {deals} | head -n 1"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert json.loads(run.stdout)["points"]["EW"] == 31
    assert run.stderr == ""


def has_models() -> bool:
    return (Path(__file__).resolve().parents[2] / "models" / "manifest.json").is_file()


needs_models = pytest.mark.skipif(not has_models(), reason="the models have not been made yet: make train")


@pytest.fixture(scope="module")
def still() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A picture of the simulated table, (720, 1280, 3) uint8, just before the first trick is gathered."""
    film = Film(seed=5)
    covered_s = next(
        event.video.to_s for event in film.events if type(event).__name__ == "TrickCovered" and event.video
    )
    return next(frame.image for frame in film if frame.monotonic_s > covered_s - 2.5)


@needs_models
@pytest.mark.pixels
def test_photos_are_read_around_a_torn_one_and_a_missing_one(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, still: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
) -> None:
    good, torn, missing = tmp_path / "good.jpg", tmp_path / "torn.jpg", tmp_path / "missing.jpg"
    cv2.imwrite(str(good), still)
    torn.write_bytes(good.read_bytes()[:20_000])
    drawn = tmp_path / "drawn"
    run = klaveroog(capfd, "read", torn, good, missing, "--json", "--annotate", drawn)
    assert run.code == 1
    assert len(run.error_lines) == 2
    assert "torn.jpg" in run.error_lines[0]
    assert "missing.jpg" in run.error_lines[1]
    (document,) = [json.loads(line) for line in run.output.splitlines()]
    assert (document["picture"], document["width"], document["height"]) == (str(good), 1280, 720)
    faces = [card for card in document["cards"] if card["side"] == "face"]
    assert faces
    assert all(0 <= card["probability"] <= 1 and len(card["quad"]) == 4 for card in faces)
    assert [path.name for path in drawn.iterdir()] == ["002-good.jpg"]

    text = klaveroog(capfd, "read", good)
    assert text.code == 0
    assert all(card["dutch"] in text.output for card in faces)


@needs_models
@pytest.mark.pixels
def test_a_running_table_ends_at_ctrl_c_with_what_it_has(tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"
    command = [sys.executable, "-m", "capture.command_line", "table", "--source", "simulator:5"]
    with subprocess.Popen([*command, "--events", str(events)], stdout=subprocess.PIPE, text=True) as process:
        end_s = time.monotonic() + 60
        while not (events.exists() and events.stat().st_size) and time.monotonic() < end_s:
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "Spel 1:" in output
