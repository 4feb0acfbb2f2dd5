"""``klaveroog backs``: verdicts in both languages, and the pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from capture.backs import CollectedBack
from capture.command_line import backs as command
from detector.backs.examine import OddBack, PackReport
from detector.types import BackFlaw
from tests.capture.test_command_line import klaveroog

PICTURE = np.full((20, 10, 3), 90, np.uint8)
ODD = OddBack(2, BackFlaw("fading", (0.25, 0.5), 0.8), PICTURE, PICTURE, PICTURE)


def seen(count: int) -> tuple[CollectedBack, ...]:
    corners = np.array([[0, 0], [60, 0], [60, 92], [0, 92]], np.float32)
    picture = np.zeros((242, 172, 3), np.uint8)
    return tuple(CollectedBack((picture,), corners, float(place), place + 1.0) for place in range(count))


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[PackReport | None]:
    """What examining gives, in place of some seconds of it."""
    reports: list[PackReport | None] = []
    monkeypatch.setattr(command, "_collected", lambda *_: seen(10))
    monkeypatch.setattr("detector.backs.examine.examine", lambda views, finder: reports[0])
    return reports


def report(*odd: OddBack, symmetric: bool = False) -> PackReport:
    return PackReport(PICTURE, symmetric, 0.93, PICTURE, odd)


def test_it_tells_the_pack_and_each_card_and_writes_the_pictures(
    found: list[PackReport | None], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found.append(report(ODD))
    run = klaveroog(capfd, "backs", "film.mp4", "--pictures", tmp_path / "ruggen")
    assert run.code == 0
    assert "10 ruggen gezien / backs seen" in run.output
    assert "Niet in spiegeldruk, zeker voor 93%. / One-way" in run.output
    assert "1. 2.0 s: blekere inkt / paler ink; 25% van links, 50% van boven" in run.output
    assert "Geen rug wijkt af" not in run.output
    written = {path.name for path in (tmp_path / "ruggen").iterdir()}
    assert written == {"spel.png", "rug-1.png"}
    picture = cv2.imread(str(tmp_path / "ruggen" / "rug-1.png"))
    assert picture is not None
    assert picture.shape == (20, 42, 3)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "Niet te zeggen: te weinig ruggen"),
        (report(symmetric=True), "In spiegeldruk, zeker voor 93%. / Mirror-printed"),
        (report(), "Geen rug wijkt af. / No back differs."),
        (report(*[ODD] * 4), "twee spellen door elkaar? / Many differ"),
    ],
)
def test_what_cannot_be_told_or_needs_nobody_is_said_too(
    found: list[PackReport | None],
    capfd: pytest.CaptureFixture[str],
    given: PackReport | None,
    words: str,
) -> None:
    found.append(given)
    run = klaveroog(capfd, "backs", "film.mp4")
    assert run.code == 0
    assert words in run.output
    assert "blekere inkt" not in run.output


def test_a_source_that_is_not_there_gives_one_line(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = klaveroog(capfd, "backs", tmp_path / "geen.mp4")
    assert run.code == 1
    assert len(run.error_lines) == 1


def test_a_film_without_a_back_cannot_tell(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((180, 320, 3), 60, np.uint8))
    run = klaveroog(capfd, "backs", tmp_path)
    assert run.code == 0
    assert "0 ruggen gezien / backs seen" in run.output
    assert "Niet te zeggen" in run.output
