"""Films: the same again for a seed, true to their pixels, and playable from disk."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from capture.frame import Frame
from capture.simulator import Film, Irregularity, TrueCard, write_film
from capture.simulator.camera import Pose
from capture.simulator.choreography import all_readable
from capture.simulator.decks import own_deck
from capture.simulator.script import Happening
from rules import FULL_DECK, Seat
from tests.capture.cut_out_cards import rectified, small_grey
from tracker.events import (
    CardPlayed,
    CardPlayedOutOfTurn,
    DealClosed,
    DealStarted,
    TrickCovered,
    TrumpDeclared,
    event_from_json,
)

SEED = 11


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(SEED)


@pytest.fixture(scope="module")
def some_frames(film: Film) -> dict[int, Frame]:
    """Every fifth picture."""
    return {frame.sequence: frame for frame in film if frame.sequence % 5 == 0}


def digest(film: Film, count: int) -> str:
    sums = hashlib.sha256()
    for frame in islice(film, count):
        sums.update(frame.image.tobytes())
    return sums.hexdigest()


def test_a_seed_gives_the_same_film_pixel_for_pixel() -> None:
    small = (640, 360)
    assert digest(Film(4, size=small), 60) == digest(Film(4, size=small), 60)
    assert digest(Film(4, size=small), 5) != digest(Film(5, size=small), 5)


def test_a_picture_does_not_depend_on_what_was_asked_before(
    film: Film, some_frames: dict[int, Frame]
) -> None:
    again = {frame.sequence: frame for frame in islice(film, 21)}
    assert np.array_equal(again[20].image, some_frames[20].image)


def test_frames_follow_one_another_in_time(film: Film, some_frames: dict[int, Frame]) -> None:
    assert len(film.truth.frames) == len(film)
    for sequence, frame in some_frames.items():
        assert frame.image.shape == (720, 1280, 3)
        assert frame.monotonic_s == pytest.approx(sequence / 10)
        assert film.truth.frames[sequence].time_s == frame.monotonic_s


def test_a_deal_lasts_about_a_minute(film: Film) -> None:
    assert 45 < film.length_s < 75


def test_events_tell_the_whole_deal(film: Film) -> None:
    deal = film.deals[0]
    played = [event for event in film.events if isinstance(event, CardPlayed)]
    assert [(event.seat, event.card) for event in played] == [(play.seat, play.card) for play in deal.plays]
    assert {event.card for event in played} == set(FULL_DECK)
    assert [(event.trick, event.position) for event in played] == [
        (t, p) for t in range(1, 9) for p in range(1, 5)
    ]
    covered = [event for event in film.events if isinstance(event, TrickCovered)]
    assert [event.gathered_by for event in covered] == [winner.team for winner in deal.winners]
    kinds = [type(event) for event in film.events]
    assert kinds[0] is DealStarted
    assert kinds[-1] is DealClosed
    assert kinds.count(TrumpDeclared) == 1
    times = [event.time_utc for event in film.events]
    assert times == sorted(times)


def test_before_a_trick_is_gathered_its_four_cards_lie_readable(film: Film) -> None:
    """While the fourth card lies and no hand is near, each index of the four is in some view."""
    for trick in range(1, 9):
        cards = settled_trick(film, trick)
        assert len(cards) == 4
        assert {card.code for card in cards} == {play.card.code for play in film.deals[0].tricks[trick - 1]}
        assert min(card.visible_share for card in cards) >= 0.55


def test_each_card_lies_before_the_seat_that_played_it(film: Film) -> None:
    """North is at the top of the picture, east to the right."""
    seats = {play.card.code: play.seat for play in film.deals[0].plays}
    directions = {Seat.NORTH: (0, -1), Seat.EAST: (1, 0), Seat.SOUTH: (0, 1), Seat.WEST: (-1, 0)}
    for trick in range(1, 9):
        cards = settled_trick(film, trick)
        middle = np.mean([card.quad.mean(axis=0) for card in cards], axis=0)
        for card in cards:
            assert card.code is not None
            away = card.quad.mean(axis=0) - middle
            nearest = max(directions, key=lambda seat: float(np.dot(away, directions[seat])))
            assert nearest is seats[card.code]


def test_quads_agree_with_the_pixels(film: Film, some_frames: dict[int, Frame]) -> None:
    """Cut out by its quad, a card in full view looks like its own face and not like another."""
    faces = {code: small_grey(art[..., :3]) for code, art in own_deck().faces.items()}
    checked = right = 0
    for sequence, frame in some_frames.items():
        for card in film.truth.frames[sequence].cards:
            if card.side == "face" and card.visible_share > 0.97 and lies_still(film, sequence, card):
                cut = small_grey(rectified(frame.image, card.quad))
                best = max(faces, key=lambda code: float((cut * faces[code]).mean()))
                right += best == card.code
                checked += 1
    assert checked > 100
    assert right / checked > 0.97


def test_visible_shares_of_a_trick_add_up_to_its_outline(film: Film) -> None:
    """What is seen of four cards partly under one another is as much as the four cover together."""
    for number in range(1, 9):
        cards = settled_trick(film, number)
        total = sum(cv2.contourArea(card.quad) * card.visible_share for card in cards)
        outline = np.zeros((720, 1280), dtype=np.uint8)
        for card in cards:
            cv2.fillConvexPoly(outline, np.round(card.quad).astype(np.int32), (255,))
        assert total == pytest.approx(np.count_nonzero(outline), rel=0.03)


def test_cards_are_of_the_size_that_was_promised(film: Film) -> None:
    widths = [np.hypot(*(card.quad[1] - card.quad[0])) for card in settled_trick(film, 1)]
    assert min(widths) > 65
    assert max(widths) < 110


def test_at_the_end_the_table_is_empty(film: Film) -> None:
    assert film.truth.frames[-1].cards == ()
    assert film.truth.frames[0].cards == ()


def test_all_32_cards_end_as_backs_on_the_piles(film: Film) -> None:
    closed = next(m for m in film.script.moments if m.happening is Happening.DEAL_CLOSED)
    lying = [rest for rest in film.script.rests if rest.from_s <= closed.time_s < rest.until_s]
    assert len(lying) == 32
    assert not any(rest.face_up for rest in lying)


def test_readable_means_an_index_in_view() -> None:
    assert all_readable([Pose(0, 0), Pose(80, 0)])
    assert not all_readable([Pose(0, 0), Pose(3, 3)])
    corners_hidden = [Pose(0, 0), Pose(-30, -50), Pose(30, 50)]
    assert not all_readable(corners_hidden)


def test_a_card_out_of_turn_is_told_as_such() -> None:
    film = Film(2, irregularities={1: Irregularity.OUT_OF_TURN})
    mishap = film.deals[0].mishap
    hasty = [event for event in film.events if isinstance(event, CardPlayedOutOfTurn)]
    assert mishap is not None
    assert [(event.seat, event.card, event.trick) for event in hasty] == [
        (mishap.seat, mishap.card, mishap.trick)
    ]


def test_two_deals_follow_one_another_in_one_film() -> None:
    film = Film(6, deals=2, size=(640, 360))
    started = [event for event in film.events if isinstance(event, DealStarted)]
    assert [event.deal for event in started] == [1, 2]
    assert [event.dealer for event in started] == [Seat.SOUTH, Seat.WEST]
    assert len([event for event in film.events if isinstance(event, CardPlayed)]) == 64


def test_a_film_on_disk_has_all_its_pictures_and_its_truth(tmp_path: Path) -> None:
    film = Film(9, size=(480, 270), frames_per_second=4)
    video, truth = tmp_path / "film.mp4", tmp_path / "film.json"
    written = write_film(film, video, truth)
    with av.open(str(video)) as container:
        read = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
    assert written == len(read) == len(film)
    first = next(iter(film)).image
    assert np.abs(read[0].astype(int) - first).mean() < 6
    told = json.loads(truth.read_text(encoding="utf-8"))
    assert tuple(event_from_json(event) for event in told["events"]) == film.events
    assert len(told["frames"]) == len(film)
    assert all(len(card["quad"]) == 4 for frame in told["frames"] for card in frame["cards"])


def test_a_film_without_a_deal_or_without_time_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one deal"):
        Film(1, deals=[])
    with pytest.raises(ValueError, match="frames_per_second"):
        Film(1, frames_per_second=0)


def settled_trick(film: Film, trick: int) -> list[TrueCard]:
    """The faces on the table half a second after the fourth card of ``trick`` lies."""
    fourth = next(
        moment
        for moment in film.script.moments
        if moment.happening is Happening.CARD_PLAYED and (moment.trick, moment.position) == (trick, 4)
    )
    sequence = int(np.ceil((fourth.time_s + 0.45) * film.frames_per_second))
    return [card for card in film.truth.frames[sequence].cards if card.side == "face"]


def lies_still(film: Film, sequence: int, card: TrueCard) -> bool:
    around = film.truth.frames[max(0, sequence - 1)].cards, film.truth.frames[sequence + 1].cards
    return all(
        any(other.code == card.code and np.allclose(other.quad, card.quad) for other in cards)
        for cards in around
    )
