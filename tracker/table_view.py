"""Where the seats are in the picture, and which part of it is the middle of the table.

All lengths are in card widths as seen, so that neither the size of the picture nor the height of the camera
matters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from rules import CLOCKWISE, Seat, Team
from tracker.quads import Point, Quad, centre_of, distance

_DIRECTIONS: Final[dict[Seat, float]] = {seat: 90.0 * index for index, seat in enumerate(CLOCKWISE)}
"""Degrees clockwise from the top of the picture, when it is not turned."""


@dataclass(frozen=True, slots=True)
class TableView:
    """How the camera sees the table.

    centre: (x, y) in pixels: the middle of the four cards of a trick.
    rotation_degrees: how far clockwise North sits from the top of the picture; 0 has North at the top, East
        at the right, South at the bottom and West at the left.
    play_radius: in card widths: a face that lies farther from the centre is no card of the trick (a pile
        turned up, a strafkaart, a hand laid open).
    half_size: half of the table's length across and down the picture, in any unit: only their ratio matters.
        A pile lies at a corner of the table as often as before a seat; it belongs to the nearer edge.

    Raises:
        ValueError: when ``play_radius`` or ``half_size`` is not positive.
    """

    centre: Point
    rotation_degrees: float = 0.0
    play_radius: float = 2.9
    half_size: tuple[float, float] = (1.0, 1.0)

    def __post_init__(self) -> None:
        if not self.play_radius > 0:
            raise ValueError(f"play_radius must be more than 0 card widths, not {self.play_radius!r}")
        if not min(self.half_size) > 0:
            raise ValueError(f"half_size must be more than 0 both ways, not {self.half_size!r}")

    @classmethod
    def of_picture(cls, width: int, height: int) -> TableView:
        """The view of a camera above the middle of the table, for pictures of this size in pixels."""
        return cls(centre=(width / 2, height / 2), half_size=(width / 2, height / 2))

    def seat_of(self, quad: Quad) -> Seat:
        """The seat before which a card lies; ``quad`` is (4, 2) pixels."""
        return self.nearest_seat(centre_of(quad))

    def nearest_seat(self, point: Point) -> Seat:
        """The seat in whose direction ``point`` (pixels) lies."""
        return min(CLOCKWISE, key=lambda seat: self.degrees_off(point, seat))

    def degrees_off(self, point: Point, seat: Seat) -> float:
        """How far ``point`` (pixels) lies from the direction of ``seat`` seen from the centre, 0 to 180."""
        across, down = point[0] - self.centre[0], point[1] - self.centre[1]
        direction = math.degrees(math.atan2(across, -down))
        off = (direction - _DIRECTIONS[seat] - self.rotation_degrees) % 360
        return min(off, 360 - off)

    def is_in_play(self, point: Point, card_width: float) -> bool:
        """Whether a card at ``point`` lies where tricks are played; ``card_width`` in pixels."""
        return distance(point, self.centre) <= self.play_radius * card_width

    def side_of(self, point: Point) -> Team | None:
        """The side at whose edge ``point`` lies, or None when it lies between two edges."""
        x, y = self.centre
        square = (x + (point[0] - x) / self.half_size[0], y + (point[1] - y) / self.half_size[1])
        seat = self.nearest_seat(square)
        return seat.team if self.degrees_off(square, seat) < _CLEARLY_AT_A_SEAT else None


_CLEARLY_AT_A_SEAT: Final = 38.0
"""Degrees; 45 is the border between two seats."""
