"""A pen mark on the back of a card, from the pixels of a film to the event and the picture that shows it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from capture.settings import TableConfig
from capture.simulator import Film
from capture.simulator.decks import own_deck
from capture.sources import SimulatorSource
from capture.table_process import run_table
from rules import Card
from tracker.events import MIRROR_PRINTED, BackFlagged, DealClosed, PackBackJudged

pytestmark = pytest.mark.pixels

SEED = 42
FRAMES_PER_SECOND = 5.0


def topmost_card(film: Film) -> tuple[Card, float]:
    """A card that comes to lie on top of a pile halfway the deal, and when."""
    gathered = [rest for rest in film.script.rests if rest.card is not None and not rest.face_up]
    rest = gathered[4 * 4 - 1]
    assert rest.card is not None
    return rest.card, rest.from_s


def with_a_dot(back: np.ndarray) -> np.ndarray:
    """A dot of 4 mm of a black pen."""
    marked = back.copy()
    height, width = back.shape[:2]
    centre = (round(width * 0.3), round(height * 0.3))
    cv2.circle(marked, centre, round(2 * width / 57), (25, 20, 22, 255), -1, cv2.LINE_AA)
    return marked


def test_a_marked_back_is_told_to_the_desk_with_its_picture_and_none_other_is(tmp_path: Path) -> None:
    card, from_s = topmost_card(Film(SEED, 1, frames_per_second=FRAMES_PER_SECOND))
    odd = {card: with_a_dot(own_deck().back)}
    film = Film(SEED, 1, frames_per_second=FRAMES_PER_SECOND, odd_backs=odd)
    config = TableConfig(source=f"simulator:{SEED}", record=True, recordings=tmp_path)
    outcome = run_table(config, source=SimulatorSource(list(film), "film"))
    closed = next(event for event in outcome.events if isinstance(event, DealClosed))
    (judged,) = [event for event in outcome.events if isinstance(event, PackBackJudged)]
    (flagged,) = [event for event in outcome.events if isinstance(event, BackFlagged)]
    assert (judged.printed, judged.deal) == (MIRROR_PRINTED, closed.deal)
    assert flagged.reason == "mark"
    assert flagged.confidence > 0.5
    assert flagged.video is not None
    assert flagged.video.from_s == pytest.approx(from_s, abs=3.0)
    places = [outcome.events.index(event) + 1 for event in (judged, flagged)]
    kept = {path.stem.rpartition("-")[2] for path in tmp_path.glob("crop/*.webp")}
    assert {str(place) for place in places} <= kept
