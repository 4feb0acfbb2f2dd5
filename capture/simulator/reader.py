"""What a reader of cards would make of a film, told from where the cards truly lie: no picture is drawn.

A hundred times as fast as drawing and reading pictures, and each fault of a reader can be set by itself. The
names are drawn so that the reader's doubt is honest: the margin by which the true name beats the one that it
is taken for is normally distributed, and a share of its variance belongs to the card as it lies there, in
that light and under that card. So a card that is hard to read is misread again and again, in every frame.

    faults of place   jitter, cards missed, hands in the way, frames lost, two detections on one card,
                      things taken for a card, a lamp's reflection
    faults of name    the other suit of the colour, jack and king, the next rank, and at times any card
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

from capture.simulator._pixels import Floats
from capture.simulator.camera import Pose, camera_homography, corners_on_table, project
from capture.simulator.layouts import CARD_HEIGHT, CARD_WIDTH
from capture.simulator.script import (
    CARD_EXTENT,
    SHOULDERS,
    Held,
    Reach,
    Rest,
    Script,
    held_pose,
    turning,
)
from detector.types import (
    CARD_CODES,
    CLASS_NAMES,
    FOREIGN,
    CardDetection,
    FloatArray,
    Side,
    uniform_log_probs,
)
from rules import FULL_DECK, Card, Rank, Suit


@dataclass(frozen=True, slots=True)
class ReadingFaults:
    """How well cards are read.

    accuracy: how often a card that lies in full view is named right in one frame.
    sameness: which share of the variance of the margins is the same in all frames of a card that lies still.
    fooled: which share of the cards is taken for another one surely, in every frame.
    lost_frames, missed, two_corners, false_cards: chances for each frame, for each card in full view, for
        each face, and for each frame.
    jitter: standard deviation of places, in card widths. glare: the chance that a lamp is reflected.
    """

    accuracy: float = 0.99
    sameness: float = 0.5
    fooled: float = 0.0
    lost_frames: float = 0.05
    missed: float = 0.02
    two_corners: float = 0.03
    false_cards: float = 0.01
    jitter: float = 0.03
    glare: float = 0.5

    @property
    def mean_margin(self) -> float:
        """By how much the true name wins on average, so that it does in ``accuracy`` of the frames."""
        return _MARGIN_SPREAD * NormalDist().inv_cdf(self.accuracy)


@dataclass(frozen=True, slots=True)
class ReadFrame:
    """One frame: seconds of film, and what is seen in it, surest first; None when the frame was lost."""

    time_s: float
    detections: tuple[CardDetection, ...] | None


class SimulatedReader:
    """Reads a script; iterating gives every frame in order of time. A seed gives the same again.

    size: (width, height) of the pictures, of a camera above the middle of the table.
    """

    def __init__(
        self,
        script: Script,
        seed: int,
        faults: ReadingFaults | None = None,
        *,
        size: tuple[int, int] = (1280, 720),
        frames_per_second: float = 10.0,
    ) -> None:
        self._script = script
        self._faults = faults or ReadingFaults()
        self._random = random.Random(seed)
        self._size = size
        self._frames_per_second = frames_per_second
        self._homography = self._camera()
        self._glare = self._lamps()
        self._namer = _Namer(self._random, self._faults)

    def __iter__(self) -> Iterator[ReadFrame]:
        """The frames from the first one on."""
        table = _Table(self._script.rests, self._homography)
        for index in range(int(self._script.length_s * self._frames_per_second)):
            time_s = index / self._frames_per_second
            table.advance(time_s)
            lost = self._random.random() < self._faults.lost_frames
            yield ReadFrame(time_s, None if lost else self._look(table, time_s))

    def _camera(self) -> npt.NDArray[np.float64]:
        draw = self._random
        return camera_homography(
            self._size,
            draw.uniform(76, 94) / CARD_WIDTH * self._size[0] / 1280,
            tilt=draw.uniform(0, math.radians(13)),
            direction=draw.uniform(0, 2 * math.pi),
            roll=draw.gauss(0, 0.02),
            aim=(draw.gauss(0, 8), draw.gauss(0, 6)),
        )

    def _lamps(self) -> list[tuple[float, float, float]]:
        """(x, y, radius) in pixels of what a lamp makes white."""
        if self._random.random() >= self._faults.glare:
            return []
        width, height = self._size
        return [
            (
                self._random.uniform(0.2, 0.8) * width,
                self._random.uniform(0.2, 0.8) * height,
                self._random.uniform(0.02, 0.06) * width,
            )
            for _ in range(self._random.randint(1, 2))
        ]

    def _look(self, table: _Table, time_s: float) -> tuple[CardDetection, ...]:
        arms = [
            (reach, reach.hand_pose(time_s))
            for reach in self._script.reaches
            if reach.from_s <= time_s < reach.until_s
        ]
        found: list[CardDetection] = []
        for lying in table.lying.values():
            found += self._see_lying(lying, arms)
        for reach, hand in arms:
            for held in reach.held:
                if held.from_s <= time_s < held.until_s:
                    found += self._see_held(reach, held, hand, time_s)
        if self._random.random() < self._faults.false_cards:
            found.append(self._false_card())
        return tuple(sorted(found, key=lambda card: -card.score))

    def _see_lying(self, lying: _Lying, arms: list[tuple[Reach, Pose]]) -> list[CardDetection]:
        covered = lying.covered
        if covered > _HIDDEN:
            return []
        near = min((_from_arm(lying.rest.pose, reach, hand) for reach, hand in arms), default=math.inf)
        white = any(math.hypot(lying.x - x, lying.y - y) < radius for x, y, radius in self._glare)
        chance = self._faults.missed + _MISSED_UNDER_CARDS * covered + (_MISSED_IN_GLARE if white else 0.0)
        if near < _UNDER_AN_ARM:
            chance = 1.0
        elif near < _BESIDE_AN_ARM:
            chance += 0.4
        if self._random.random() < chance:
            return []
        if not lying.rest.face_up:
            return [self._detection(lying.quad, Side.BACK, uniform_log_probs(), covered)]
        worse = _COVERED_COSTS * covered + (_GLARE_COSTS if white else 0.0)
        name = self._namer.looked(lying.index, lying.rest.card, worse)
        seen = [self._detection(lying.quad, Side.FACE, name, covered)]
        if self._random.random() < self._faults.two_corners:
            other = self._namer.looked(lying.index, lying.rest.card, worse + 1.0)
            seen.append(self._half_card(lying.quad, other, covered))
        return seen

    def _see_held(self, reach: Reach, held: Held, hand: Pose, time_s: float) -> list[CardDetection]:
        width, face_up = turning(held, time_s)
        pose = held_pose(held, hand, time_s)
        hidden = not reach.pinches and _from_arm(pose, reach, hand) < _UNDER_AN_ARM
        if hidden or width < _TOO_NARROW or self._random.random() < _MISSED_MOVING:
            return []
        quad = project(self._homography, corners_on_table(CARD_EXTENT, pose))
        if not self._is_in_view(quad):
            return []
        if not face_up:
            return [self._detection(quad, Side.BACK, uniform_log_probs(), 0.5)]
        name = self._namer.looked(-1 - _number_of(held), held.card, _MOTION_COSTS)
        return [self._detection(quad, Side.FACE, name, 0.5)]

    def _is_in_view(self, quad: Floats) -> bool:
        x, y = quad.mean(axis=0).tolist()
        return bool(0 < x < self._size[0] and 0 < y < self._size[1])

    def _detection(self, quad: Floats, side: Side, name: FloatArray, covered: float) -> CardDetection:
        gauss = self._random.gauss
        spread = self._faults.jitter * (1 + 2 * covered) * float(abs(quad[1] - quad[0]).max())
        aside, down = gauss(0, spread), gauss(0, spread)
        noise = [[aside + gauss(0, spread / 2), down + gauss(0, spread / 2)] for _ in range(4)]
        score = self._random.uniform(0.55, 0.97) - 0.2 * covered
        return CardDetection(quad + np.array(noise, dtype=np.float32), side, name, max(0.05, score))

    def _half_card(self, quad: Floats, name: FloatArray, covered: float) -> CardDetection:
        """A second detection, around one of the card's corners."""
        along = (quad[3] - quad[0]) * np.float32(self._random.uniform(-0.45, 0.45))
        card = self._detection(quad + along, Side.FACE, name, covered)
        return CardDetection(card.quad, card.side, card.log_probs, card.score * 0.7)

    def _false_card(self) -> CardDetection:
        x, y = (self._random.uniform(0, side) for side in self._size)
        half = 40 * self._size[0] / 1280
        corners = np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) * half + (x, y)
        name = self._namer.looked(None, self._random.choice(FULL_DECK), 4.0)
        return CardDetection(corners.astype(np.float32), Side.FACE, name, self._random.uniform(0.2, 0.5))


_MARGIN_SPREAD: Final = 2.6
_HIDDEN: Final = 0.78
_MISSED_UNDER_CARDS: Final = 0.4
_MISSED_IN_GLARE: Final = 0.15
_MISSED_MOVING: Final = 0.4
_COVERED_COSTS: Final = 3.0
_GLARE_COSTS: Final = 2.0
_MOTION_COSTS: Final = 3.0
_TOO_NARROW: Final = 0.5
_UNDER_AN_ARM: Final = 26.0
"""Millimetres between a card's middle and the middle of an arm or hand."""

_BESIDE_AN_ARM: Final = 42.0


def _number_of(held: Held) -> int:
    """A number for one holding of a card, the same in every run."""
    return round(held.from_s * 1000) * 64 + (0 if held.card is None else FULL_DECK.index(held.card))


def _from_arm(card: Pose, reach: Reach, hand: Pose) -> float:
    """How far a card's middle is from the line of an arm, in millimetres."""
    shoulder_x, shoulder_y = SHOULDERS[reach.seat]
    along_x, along_y = shoulder_x - hand.x, shoulder_y - hand.y
    x, y = card.x - hand.x, card.y - hand.y
    share = max(0.0, (x * along_x + y * along_y) / (along_x * along_x + along_y * along_y))
    return math.hypot(x - share * along_x, y - share * along_y)


# ---------------------------------------------------------------------------------------------------- places


_ACROSS, _DOWN = np.meshgrid(
    np.linspace(-0.46, 0.46, 12) * CARD_WIDTH, np.linspace(-0.46, 0.46, 16) * CARD_HEIGHT
)
_POINTS: Final = np.column_stack([_ACROSS.ravel(), _DOWN.ravel()])
"""(192, 2) millimetres: points all over a card, in its own coordinates."""

_DIAGONAL: Final = math.hypot(CARD_WIDTH, CARD_HEIGHT)


@dataclass(slots=True)
class _Lying:
    """A card lying in view.

    under: for each later card that lies over it, by index: (192,) which of its points it hides.
    covered: which share of it is hidden, 0 to 1.
    """

    index: int
    rest: Rest
    quad: Floats
    x: float
    y: float
    under: dict[int, npt.NDArray[np.bool_]] = field(default_factory=dict)
    covered: float = 0.0

    def lay_over(self, index: int, pose: Pose) -> None:
        """Another card comes to lie over it, or not."""
        mine = self.rest.pose
        cosine, sine = math.cos(mine.turn), math.sin(mine.turn)
        table = _POINTS @ np.array([[cosine, sine], [-sine, cosine]]) + (mine.x - pose.x, mine.y - pose.y)
        cosine, sine = math.cos(pose.turn), math.sin(pose.turn)
        own = np.abs(table @ np.array([[cosine, -sine], [sine, cosine]]))
        hidden = (own[:, 0] < CARD_WIDTH / 2) & (own[:, 1] < CARD_HEIGHT / 2)
        if hidden.any():
            self.under[index] = hidden
            self._count()

    def uncover(self, index: int) -> None:
        """A card that lay over it, or not, is taken up."""
        if self.under.pop(index, None) is not None:
            self._count()

    def _count(self) -> None:
        self.covered = float(np.any(list(self.under.values()), axis=0).mean()) if self.under else 0.0


class _Table:
    """Which cards lie where, moment by moment."""

    def __init__(self, rests: tuple[Rest, ...], homography: npt.NDArray[np.float64]) -> None:
        corners = np.concatenate([corners_on_table(CARD_EXTENT, rest.pose) for rest in rests])
        self._quads = project(homography, corners).reshape(-1, 4, 2)
        self._rests = rests
        self._coming = sorted(range(len(rests)), key=lambda index: (rests[index].from_s, index))
        self.lying: dict[int, _Lying] = {}

    def advance(self, time_s: float) -> None:
        """Take up what lies no longer and lay what lies by now."""
        for index in [index for index, lying in self.lying.items() if lying.rest.until_s <= time_s]:
            del self.lying[index]
            for lying in self.lying.values():
                lying.uncover(index)
        while self._coming and self._rests[self._coming[0]].from_s <= time_s:
            index = self._coming.pop(0)
            if self._rests[index].until_s > time_s:
                self._lay(index)

    def _lay(self, index: int) -> None:
        pose = self._rests[index].pose
        for under in self.lying.values():
            away = math.hypot(under.rest.pose.x - pose.x, under.rest.pose.y - pose.y)
            if away < _DIAGONAL and under.covered < 1.0:
                under.lay_over(index, pose)
        x, y = self._quads[index].mean(axis=0).tolist()
        self.lying[index] = _Lying(index, self._rests[index], self._quads[index], x, y)


# ----------------------------------------------------------------------------------------------------- names

_OTHER_OF_COLOUR: Final = {
    Suit.CLUBS: Suit.SPADES,
    Suit.SPADES: Suit.CLUBS,
    Suit.HEARTS: Suit.DIAMONDS,
    Suit.DIAMONDS: Suit.HEARTS,
}
_LIKE_RANKS: Final = {
    Rank.SEVEN: (Rank.EIGHT, Rank.ACE),
    Rank.EIGHT: (Rank.SEVEN, Rank.NINE),
    Rank.NINE: (Rank.EIGHT, Rank.TEN),
    Rank.TEN: (Rank.NINE, Rank.QUEEN),
    Rank.JACK: (Rank.KING, Rank.KING, Rank.QUEEN),
    Rank.QUEEN: (Rank.KING, Rank.JACK),
    Rank.KING: (Rank.JACK, Rank.JACK, Rank.QUEEN),
    Rank.ACE: (Rank.SEVEN, Rank.KING),
}
_SUIT_MISTAKES: Final = 0.5
_RANK_MISTAKES: Final = 0.4


def looks_like(draw: random.Random, card: Card) -> Card:
    """A card that readers take for ``card``, the commonest mistakes the most often."""
    chance = draw.random()
    if chance < _SUIT_MISTAKES:
        return Card(_OTHER_OF_COLOUR[card.suit], card.rank)
    if chance < _SUIT_MISTAKES + _RANK_MISTAKES:
        return Card(card.suit, draw.choice(_LIKE_RANKS[card.rank]))
    return draw.choice([other for other in FULL_DECK if other != card])


_ROWS: Final = 509
_ALL_ELSE: Final = 8.5


@dataclass(slots=True)
class _Namer:
    """Names cards with an honest doubt. habits: of each card that lies somewhere, what it is taken for."""

    draw: random.Random
    faults: ReadingFaults
    habits: dict[int, tuple[int, float]] = field(default_factory=dict)
    rows: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.draw.getrandbits(32))
        self.rows = rng.normal(-_ALL_ELSE, 1.2, (_ROWS, len(CLASS_NAMES))).astype(np.float32)

    def looked(self, lying: int | None, card: Card | None, worse: float) -> FloatArray:
        """(33,) natural logarithms: one look at ``card``, with a margin less by ``worse``."""
        true = CLASS_NAMES.index(FOREIGN) if card is None else _INDEX[card]
        taken_for, margin = self._habit(lying, card)
        spread = _MARGIN_SPREAD * math.sqrt(1 - self.faults.sameness)
        margin += self.draw.gauss(0, spread) - (worse if margin > 0 else 0.0)
        row = self.rows[self.draw.randrange(_ROWS)].copy()
        row[true] = min(0.0, margin)
        row[taken_for] = min(0.0, -margin)
        return np.asarray(row - np.log(np.exp(row).sum()), dtype=np.float32)

    def _habit(self, lying: int | None, card: Card | None) -> tuple[int, float]:
        known = self.habits.get(lying) if lying is not None else None
        if known is not None:
            return known
        other = looks_like(self.draw, card) if card is not None else self.draw.choice(FULL_DECK)
        own = _MARGIN_SPREAD * math.sqrt(self.faults.sameness)
        margin = self.faults.mean_margin + self.draw.gauss(0, own)
        if self.draw.random() < self.faults.fooled:
            margin = -_FOOLED_MARGIN
        habit = (_INDEX[other], margin)
        if lying is not None:
            self.habits[lying] = habit
        return habit


_FOOLED_MARGIN: Final = 5.0
_INDEX: Final = {card: CARD_CODES.index(card.code) for card in FULL_DECK}
