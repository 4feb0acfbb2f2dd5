"""How a table is, by what its program says every two seconds: silent, stopped, or said by two programs."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from dashboard.presence import SILENT_AFTER_S, TWICE_FOR_S, Lamp, Presence, parse_status
from tests.dashboard.conftest import Venue


@dataclass
class Hall:
    """A table whose time is told by the test."""

    now_s: float = 1000.0
    changed: list[str] = field(default_factory=list)
    sequence: int = 0

    def __post_init__(self) -> None:
        self.presence = Presence(self.changed.append, lambda: self.now_s)

    def hear(self, epoch: str, after_s: float = 2.0, **more: object) -> Lamp:
        """A status of the run ``epoch``, ``after_s`` after the one before; how the table then is."""
        self.now_s += after_s
        self.sequence += 1
        told = {"epoch": epoch, "sequence": self.sequence, **more}
        self.presence.heard("1", parse_status(told))
        return self.lamp()

    def lamp(self) -> Lamp:
        return self.presence.of("1").lamp


def test_a_table_that_speaks_is_watched_and_one_that_falls_silent_is_noticed() -> None:
    hall = Hall()
    assert hall.lamp() is Lamp.UNKNOWN
    assert hall.hear("a") is Lamp.WATCHING
    hall.now_s += SILENT_AFTER_S + 0.1
    assert hall.lamp() is Lamp.SILENT
    assert hall.hear("a", state="stopped") is Lamp.STOPPED


def test_an_old_picture_and_a_lost_camera_are_told() -> None:
    hall = Hall()
    assert hall.hear("a", camera={"picture_age_s": 6.0}) is Lamp.OLD_PICTURE
    assert hall.hear("a", camera={"state": "lost"}) is Lamp.CAMERA


def test_two_programs_that_say_to_be_one_table_are_noticed_until_one_stops() -> None:
    hall = Hall()
    assert hall.hear("a") is Lamp.WATCHING
    assert hall.hear("b") is Lamp.WATCHING
    assert hall.hear("a") is Lamp.TWICE
    assert hall.hear("b") is Lamp.TWICE
    while hall.hear("b") is Lamp.TWICE:
        assert hall.now_s < 1100
    assert hall.lamp() is Lamp.WATCHING
    assert "1" in hall.changed


@pytest.mark.parametrize("state", ["running", "stopped"])
def test_a_table_that_is_started_again_is_not_told_twice(state: str) -> None:
    hall = Hall()
    hall.hear("a")
    hall.hear("a", state=state)
    for _ in range(10):
        assert hall.hear("b") is Lamp.WATCHING


def test_a_run_of_long_ago_that_speaks_again_is_no_second_program() -> None:
    hall = Hall()
    hall.hear("a")
    hall.hear("b")
    assert hall.hear("a", after_s=TWICE_FOR_S + 1) is Lamp.WATCHING


def test_the_desk_says_that_two_programs_tell_one_table(venue: Venue) -> None:
    headers = {"Authorization": f"Bearer {venue.token('1')}"}
    for number, epoch in enumerate(("a", "b", "a"), start=1):
        told = {"epoch": epoch, "sequence": number, "camera": {}, "recording": {}}
        answer = venue.viewer().post("/api/tafels/1/status", json=told, headers=headers)
        assert answer.status_code == 200, answer.text
    desk = venue.director().get("/wedstrijdleider?taal=nl").text
    assert "Twee programma&#39;s voor één tafel" in desk
    assert "komen door elkaar op één blad" in desk
