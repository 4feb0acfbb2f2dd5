"""Reading a film looks only at what moved, and what lay still stays as it was read."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from capture.live_reader import Box, LiveReader
from capture.motion_gate import LONGEST_REUSE, MotionGate
from detector.card_detector import CardDetector
from detector.errors import PictureError
from detector.types import CardDetection, Image, Side, uniform_log_probs

HEIGHT, WIDTH = 720, 1280
CARD = (80, 120)


def table(*cards: tuple[int, int]) -> Image:
    """(720, 1280, 3) uint8: dark cloth with a white card at each (left, top)."""
    image = np.full((HEIGHT, WIDTH, 3), 40, np.uint8)
    for left, top in cards:
        image[top : top + CARD[1], left : left + CARD[0]] = 240
    return image


@dataclass
class WhiteCards:
    """Finds whole white cards on dark cloth, and keeps where it was asked to look."""

    looked: list[Box] = field(default_factory=list)

    def detect(self, image: Image) -> tuple[CardDetection, ...]:
        return self.detect_within(image, (0, 0, WIDTH, HEIGHT))

    def detect_within(self, image: Image, box: Box) -> tuple[CardDetection, ...]:
        self.looked.append(box)
        left, top, right, bottom = box
        white = image[top:bottom, left:right, 0] > 128
        corner = white.copy()
        corner[1:] &= ~white[:-1]
        corner[:, 1:] &= ~white[:, :-1]
        found = []
        for row, column in np.argwhere(corner):
            if white[row : row + CARD[1], column : column + CARD[0]].sum() == CARD[0] * CARD[1]:
                x, y = left + column, top + row
                quad = [(x, y), (x + CARD[0], y), (x + CARD[0], y + CARD[1]), (x, y + CARD[1])]
                found.append(
                    CardDetection(
                        quad=np.array(quad, np.float32),
                        side=Side.FACE,
                        log_probs=uniform_log_probs(),
                        score=0.9,
                    )
                )
        return tuple(found)


def places(cards: tuple[CardDetection, ...]) -> set[tuple[int, int]]:
    return {(int(card.quad[0, 0]), int(card.quad[0, 1])) for card in cards}


def test_a_card_that_lies_still_is_read_once() -> None:
    detector = WhiteCards()
    reader = LiveReader(detector)
    first = reader.read(table((200, 200)))
    assert first is not None
    assert reader.read(table((200, 200))) is None
    seen = reader.read(table((200, 200), (900, 400)))
    assert seen is not None
    assert places(seen) == {(200, 200), (900, 400)}
    assert any(card is first[0] for card in seen)
    assert len(detector.looked) == 2
    left, top, right, bottom = detector.looked[1]
    assert left > 280
    assert right - left < WIDTH / 3
    assert bottom - top < HEIGHT
    assert left <= 900 - 20
    assert right >= 980 + 20
    assert top <= 400 - 20
    assert bottom >= 520 + 20


def test_a_card_that_goes_or_moves_is_forgotten_where_it_was() -> None:
    reader = LiveReader(WhiteCards())
    reader.read(table((200, 200), (900, 400)))
    gone = reader.read(table((900, 400)))
    assert gone is not None
    assert places(gone) == {(900, 400)}
    moved = reader.read(table((930, 420)))
    assert moved is not None
    assert places(moved) == {(930, 420)}


def test_moving_hands_do_not_keep_a_still_card_from_being_read_again() -> None:
    detector = WhiteCards()
    reader = LiveReader(detector)
    for step in range(LONGEST_REUSE + 3):
        reader.read(table((200, 200), (700 + 10 * step, 400)))
    assert detector.looked.count((0, 0, WIDTH, HEIGHT)) == 2


def test_many_cards_one_after_the_other_are_all_there() -> None:
    rng = np.random.default_rng(5)
    cells = [(80 + 180 * column, 40 + 170 * row) for column in range(6) for row in range(4)]
    lying: set[tuple[int, int]] = set()
    reader = LiveReader(WhiteCards(), MotionGate(longest_reuse=1000))
    for _ in range(60):
        place = cells[int(rng.integers(len(cells)))]
        lying ^= {place}
        reader.read(table(*sorted(lying)))
        assert places(reader.seen) == lying


def test_a_detector_that_looks_at_whole_pictures_only_is_asked_for_those() -> None:
    class Whole:
        def __init__(self) -> None:
            self.asked = 0

        def detect(self, image: Image) -> tuple[CardDetection, ...]:
            self.asked += 1
            return WhiteCards().detect(image)

    detector = Whole()
    reader = LiveReader(detector)
    reader.read(table((200, 200)))
    assert places(reader.read(table((200, 200), (900, 400))) or ()) == {(200, 200), (900, 400)}
    assert detector.asked == 2


@pytest.mark.parametrize("box", [(0, 0, 0, 10), (-1, 0, 10, 10), (0, 0, 41, 10), (5, 9, 9, 5)])
def test_a_box_beside_the_picture_is_refused(box: Box) -> None:
    detector = CardDetector.load(threads=1)
    with pytest.raises(PictureError, match="box"):
        detector.detect_within(np.zeros((30, 40, 3), np.uint8), box)
