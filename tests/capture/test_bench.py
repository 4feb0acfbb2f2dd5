"""``klaveroog bench``: what following a table costs, stage by stage."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from capture.bench import ROOM, STAGES, KeptFilm, TableCost, at_rate, follow, keep_film
from capture.frame import Frame
from capture.sources.simulator_source import SimulatorSource
from tests.capture.films import write_numbered_film
from tests.capture.test_command_line import klaveroog

START = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)


def kept(count: int, pictures_per_second: float, skip_s: float = 0.0) -> KeptFilm:
    rng = np.random.default_rng(1)
    frames = [
        Frame(rng.integers(0, 255, (90, 160, 3), dtype=np.uint8), number / pictures_per_second, START, number)
        for number in range(count)
    ]
    return keep_film(SimulatorSource(frames, "noise"), count, is_drawn=True, skip_s=skip_s)


def test_a_film_is_kept_from_where_it_is_asked_for() -> None:
    film = kept(30, 10.0, skip_s=1.0)
    assert [picture.time_s for picture in film.pictures] == [number / 10 for number in range(10, 30)]
    assert film.pictures_per_second == pytest.approx(10.0)
    assert film.pictures[0].image().shape == (90, 160, 3)


def test_a_slower_camera_gives_each_third_picture() -> None:
    slower = at_rate(kept(31, 30.0), 10.0)
    assert [round(picture.time_s, 3) for picture in slower.pictures] == [number / 10 for number in range(11)]


def test_a_faster_camera_is_looked_at_no_more_often() -> None:
    film = kept(31, 30.0)
    fast, slow = follow(film), follow(at_rate(film, 10.0))
    assert (fast.pictures, fast.looked_at) == (31, 11)
    assert (slow.pictures, slow.looked_at) == (11, 11)
    assert fast.film_s == pytest.approx(31 / 30)
    assert tuple(fast.stages_s) == STAGES
    assert all(fast.stages_s[stage] > 0 for stage in STAGES if stage not in ("source", "corners", "namer"))
    assert fast.stages_s["source"] == 0


def test_a_film_of_one_moment_is_refused() -> None:
    with pytest.raises(ValueError, match="two pictures"):
        follow(kept(1, 10.0))


def test_tables_are_counted_with_room_to_spare() -> None:
    cost = TableCost(10.0, 100, 100, 10.0, 2.0, dict.fromkeys(STAGES, 0.25))
    assert cost.cores == pytest.approx(0.25 * len(STAGES) / 10)
    assert cost.tables(4) == int(4 * (1 - ROOM) / cost.cores)
    assert cost.picture_ms() == pytest.approx(sum(cost.picture_ms(stage) for stage in STAGES))


@pytest.mark.pixels
def test_the_command_tells_both_rates_for_a_program(capfd: pytest.CaptureFixture[str]) -> None:
    run = klaveroog(capfd, "bench", "--pictures", "45", "--json")
    assert run.code == 0, run.error
    told = json.loads(run.output)
    slow, fast = told["films"]
    assert [round(one["pictures_per_second"]) for one in (slow, fast)] == [10, 30]
    assert slow["looked_at"] == fast["looked_at"] == slow["pictures"] == fast["pictures"] / 3
    for one in told["films"]:
        stages = one["milliseconds"]
        assert all(stages[stage] > 0 for stage in STAGES if stage != "source")
        assert stages["in_whole"] == pytest.approx(sum(stages[stage] for stage in STAGES), abs=0.02)
        assert one["cores_per_table"] == pytest.approx(
            stages["in_whole"] / 1000 * one["pictures_per_second"], rel=0.02
        )
    assert told["tables"] == min(one["tables"] for one in told["films"])


def test_the_command_tells_people_in_dutch_first(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    film = write_numbered_film(tmp_path / "film.mp4", 12, 10)
    run = klaveroog(capfd, "bench", "--source", film, "--pictures", "10")
    assert run.code == 0, run.error
    first, rate, *_, last = run.output.splitlines()
    assert first == f"{film}: 10 beelden van 320 x 240, één thread / 10 pictures, one thread"
    assert rate.startswith("Bij 10 beelden per seconde, 10 van/of 10 bekeken / At 10 pictures a second")
    assert "beeld halen / source" in run.output
    assert last.startswith("Deze computer (")
    assert "Getekend" not in run.output


def test_a_source_that_gives_too_little_is_told_in_one_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    film = write_numbered_film(tmp_path / "film.mp4", 1, 10)
    run = klaveroog(capfd, "bench", "--source", film)
    assert run.code == 1
    assert len(run.error_lines) == 1
    assert "minder dan twee beelden" in run.error
