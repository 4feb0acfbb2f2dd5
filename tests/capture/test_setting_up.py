"""What people do with a new camera and with a recording: calibrate, its page, the sheet, a clip."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import av
import cv2
import pytest

from capture.calibration import Calibration, load_calibration
from capture.calibration.page import CalibrationDesk, look_at, make_page, served
from capture.errors import SourceLostError
from capture.recording.segment_writer import SegmentWriter
from capture.recording.segments import segment_path
from tests.capture.drawn_table import drawn_table
from tests.capture.films import numbered_picture, write_numbered_film
from tests.capture.test_command_line import free_port, klaveroog


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fotos")
    cv2.imwrite(str(folder / "1.png"), drawn_table(roll=0.2)[0])
    return folder


def test_a_camera_is_judged_in_words_and_its_table_kept(
    photos: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "tafel.toml"
    run = klaveroog(capfd, "calibrate", "--source", photos, "--no-page", "-o", output)
    assert run.code == 0
    assert "De tafel is gevonden aan het ijkblad. / the table was found by the sheet" in run.output
    assert load_calibration(output).method == "sheet"


@pytest.mark.parametrize(
    "slip",
    [
        ["--table-mm", "8"],
        ["--top", "Q"],
        ["-o", "/no/such/folder/tafel.toml"],
        ["--port", "99999"],
        ["--host", "256.0.0.1"],
    ],
)
def test_a_slip_in_calibrate_gives_one_line(
    photos: Path, capfd: pytest.CaptureFixture[str], slip: list[str]
) -> None:
    run = klaveroog(capfd, "calibrate", "--source", photos, *slip)
    assert run.code in (1, 2)
    assert len(run.error_lines) == 1


def test_a_table_that_was_not_found_is_not_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), numbered_picture(3))
    run = klaveroog(capfd, "calibrate", "--source", tmp_path, "--no-page", "-o", tmp_path / "tafel.toml")
    assert run.code == 1
    assert "niet gevonden" in run.output
    assert not (tmp_path / "tafel.toml").exists()


def test_the_page_shows_the_picture_and_keeps_what_was_found() -> None:
    kept: list[Calibration] = []
    desk = CalibrationDesk(kept.append)
    client = make_page(desk, "camera 0", "tafel.toml").test_client()
    assert client.get("/beeld.jpg").status_code == 404
    assert client.post("/bewaar").status_code == 409
    desk.show(look_at(drawn_table()[0]))
    assert client.get("/beeld.jpg").data.startswith(b"\xff\xd8")
    assert "camera 0" in client.get("/").text
    state = client.get("/stand.json").json
    assert state is not None
    assert state["can_be_kept"]
    assert [one["matter"] for one in state["judgements"]] == ["table", "size", "focus", "light", "glare"]
    assert client.post("/bewaar", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert kept == []
    assert client.post("/bewaar").status_code == 200
    assert [calibration.method for calibration in kept] == ["sheet"]
    desk.tell(SourceLostError("De camera is weg.", "the camera is gone"))
    after = client.get("/stand.json").json
    assert after is not None
    assert after["problem"] == {"nl": "De camera is weg.", "en": "the camera is gone"}


def test_the_page_is_served_until_it_is_no_longer_wanted() -> None:
    app = make_page(CalibrationDesk(lambda calibration: None), "camera 0", "tafel.toml")
    with served(app, "127.0.0.1", 0) as address, urlopen(address, timeout=10) as answer:
        assert "Camera instellen" in answer.read().decode()
    with pytest.raises(URLError):
        urlopen(address, timeout=10)


def test_a_clip_is_cut_by_its_times(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    began = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)
    with SegmentWriter(segment_path(tmp_path, "avond", began, 100.0), 100.0, (240, 320)) as writer:
        for number in range(60):
            writer.write(numbered_picture(number), 100.0 + number / 10)
    listed = klaveroog(capfd, "clip", "--recordings", tmp_path, "--list")
    assert "avond" in listed.output
    output = tmp_path / "clip.mp4"
    run = klaveroog(capfd, "clip", "--recordings", tmp_path, "--from", "102", "--to", "104", "-o", output)
    assert run.code == 0
    with av.open(str(output)) as clip:
        pictures = sum(1 for _ in clip.decode(video=0))
    assert 20 <= pictures <= 26
    for wrong in (
        ["--from", "2", "--to", "1"],
        ["--from", "900", "--to", "901"],
        ["--from", "nan", "--to", "1"],
    ):
        refused = klaveroog(capfd, "clip", "--recordings", tmp_path, *wrong, "-o", output)
        assert refused.code == 1
        assert len(refused.error_lines) == 1


def test_a_venue_that_is_away_is_told_of_by_the_table(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    film = write_numbered_film(tmp_path / "film.mp4", 30)
    address = f"http://127.0.0.1:{free_port()}"
    journal = tmp_path / "journal.sqlite"
    run = klaveroog(
        capfd, "table", "--source", film, "--venue", address, "--token", "x", "--journal", journal
    )
    assert run.error_lines[0].startswith(f"klaveroog: De zaal {address} is niet te bereiken.")
