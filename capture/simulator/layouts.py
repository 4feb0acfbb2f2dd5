"""How cards lie about in a random still: alone, in tricks, fans, rows, piles and heaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from capture.simulator.camera import Pose

CARD_WIDTH: Final = 63.0
CARD_HEIGHT: Final = 88.0
_CARD_REACH: Final = 54.0
"""Half of a card's diagonal, in millimetres."""


@dataclass(frozen=True, slots=True)
class Laid:
    """One card of a layout; later cards of a layout lie over earlier ones."""

    pose: Pose
    face_up: bool = True


def _pose(centre: tuple[float, float], turn: float, along: float, across: float, own_turn: float) -> Pose:
    """A pose at (``along``, ``across``) from ``centre`` in axes turned by ``turn``."""
    cosine, sine = np.cos(turn), np.sin(turn)
    return Pose(
        centre[0] + float(cosine * along - sine * across),
        centre[1] + float(sine * along + cosine * across),
        turn + own_turn,
    )


def lone_card(rng: np.random.Generator, centre: tuple[float, float]) -> list[Laid]:
    """One card at any angle."""
    return [Laid(Pose(*centre, float(rng.uniform(-np.pi, np.pi))), bool(rng.random() < 0.88))]


def trick(rng: np.random.Generator, centre: tuple[float, float]) -> list[Laid]:
    """Two to five cards laid before seats, partly under one another."""
    turn = float(rng.uniform(-np.pi, np.pi))
    count = int(rng.integers(2, 6))
    radius = float(rng.uniform(22, 75))
    order = rng.permutation(4 if count <= 4 else 5)[:count]
    laid = []
    for seat in order:
        angle = seat * (np.pi / 2 if count <= 4 else 2 * np.pi / 5)
        along, across = radius * np.cos(angle) + rng.normal(0, 7), radius * np.sin(angle) + rng.normal(0, 7)
        own_turn = angle + np.pi / 2 + float(rng.normal(0, 0.25)) + np.pi * int(rng.integers(2))
        laid.append(Laid(_pose(centre, turn, float(along), float(across), own_turn)))
    return laid


def fan(rng: np.random.Generator, centre: tuple[float, float]) -> list[Laid]:
    """Three to eight cards turned about one point, as in a hand laid down."""
    turn = float(rng.uniform(-np.pi, np.pi))
    count = int(rng.integers(3, 9))
    step = float(rng.uniform(0.12, 0.32))
    radius = float(rng.uniform(60, 160))
    face_up = bool(rng.random() < 0.7)
    angles = (np.arange(count) - (count - 1) / 2) * step + rng.normal(0, 0.02, count)
    return [
        Laid(
            _pose(
                centre, turn, float(radius * np.sin(angle)), float(radius * (1 - np.cos(angle))), float(angle)
            ),
            face_up,
        )
        for angle in angles
    ]


def row(rng: np.random.Generator, centre: tuple[float, float]) -> list[Laid]:
    """Two to six cards side by side or overlapping like roof tiles, across or down."""
    turn = float(rng.uniform(-np.pi, np.pi))
    count = int(rng.integers(2, 7))
    sideways = bool(rng.random() < 0.6)
    full = CARD_WIDTH if sideways else CARD_HEIGHT
    step = full * float(rng.uniform(0.2, 1.25))
    laid = []
    for index in range(count):
        along = (index - (count - 1) / 2) * step + float(rng.normal(0, 2))
        off = float(rng.normal(0, 2))
        place = (along, off) if sideways else (off, along)
        own_turn = float(rng.normal(0, 0.04)) + np.pi * int(rng.integers(2))
        laid.append(Laid(_pose(centre, turn, *place, own_turn), bool(rng.random() < 0.9)))
    return laid


def grid(rng: np.random.Generator, centre: tuple[float, float]) -> list[Laid]:
    """Two or three rows of cards apart from one another."""
    turn = float(rng.uniform(-np.pi, np.pi))
    rows, columns = int(rng.integers(2, 4)), int(rng.integers(2, 5))
    step_x, step_y = CARD_WIDTH * float(rng.uniform(1.02, 1.4)), CARD_HEIGHT * float(rng.uniform(1.02, 1.4))
    return [
        Laid(
            _pose(
                centre,
                turn,
                (column - (columns - 1) / 2) * step_x + float(rng.normal(0, 2)),
                (line - (rows - 1) / 2) * step_y + float(rng.normal(0, 2)),
                float(rng.normal(0, 0.05)) + np.pi * int(rng.integers(2)),
            ),
            bool(rng.random() < 0.9),
        )
        for line in range(rows)
        for column in range(columns)
    ]


def pile(rng: np.random.Generator, centre: tuple[float, float]) -> list[Laid]:
    """Three to ten backs on one another, not quite straight; at times a face on top."""
    turn = float(rng.uniform(-np.pi, np.pi))
    spread = float(rng.choice([1.0, 4.0, 12.0]))
    count = int(rng.integers(3, 11))
    laid = [
        Laid(
            _pose(
                centre,
                turn,
                float(rng.normal(0, spread)),
                float(rng.normal(0, spread)),
                float(rng.normal(0, 0.02 + spread / 60)),
            ),
            False,
        )
        for _ in range(count)
    ]
    if rng.random() < 0.15:
        laid.append(Laid(laid[-1].pose))
    return laid


def heap(rng: np.random.Generator, centre: tuple[float, float]) -> list[Laid]:
    """Cards thrown over one another anyhow."""
    spread = float(rng.uniform(25, 70))
    return [
        Laid(
            Pose(
                centre[0] + float(rng.normal(0, spread)),
                centre[1] + float(rng.normal(0, spread)),
                float(rng.uniform(-np.pi, np.pi)),
            ),
            bool(rng.random() < 0.8),
        )
        for _ in range(int(rng.integers(2, 8)))
    ]


GROUPS: Final[tuple[tuple[Callable[[np.random.Generator, tuple[float, float]], list[Laid]], float], ...]] = (
    (lone_card, 8.0),
    (trick, 3.0),
    (fan, 1.6),
    (row, 2.0),
    (grid, 0.9),
    (pile, 1.0),
    (heap, 0.8),
)
"""Every kind of group, with how often it is chosen."""


def random_layout(rng: np.random.Generator, field: tuple[float, float], most: int = 14) -> tuple[Laid, ...]:
    """Groups of cards in a field of view of (width, height) millimetres, ``most`` cards or a few more.

    Groups keep apart where there is room, so that about half of all faces are whole.
    """
    weights = np.array([weight for _, weight in GROUPS])
    wanted = min(most, 1 + int(rng.exponential(4.0)))
    taken: list[Laid] = []
    for _ in range(4 * wanted):
        centre = (float(rng.uniform(-0.4, 0.4) * field[0]), float(rng.uniform(-0.4, 0.4) * field[1]))
        group = GROUPS[int(rng.choice(len(GROUPS), p=weights / weights.sum()))][0](rng, centre)
        if taken and _nearest(group, taken) < 2 * _CARD_REACH * float(rng.uniform(0.7, 1.0)):
            continue
        taken.extend(group)
        if len(taken) >= wanted:
            break
    return tuple(taken[: most + 4])


def _nearest(group: list[Laid], others: list[Laid]) -> float:
    """Millimetres between the middles of the two nearest cards of the two lists."""
    first = np.array([(laid.pose.x, laid.pose.y) for laid in group])
    second = np.array([(laid.pose.x, laid.pose.y) for laid in others])
    return float(np.hypot(*(first[:, None] - second[None]).transpose(2, 0, 1)).min())
