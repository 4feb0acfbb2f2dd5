"""Whether a clock was set: the camera's own, by which it stamps its pictures, or the machine's."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from capture.frame import Frame

SLIP_S: Final = 1.0
"""How much further than the time that went by a clock may go on from one picture to the next, or go back."""


class ClockWatch:
    """Follows the times of the pictures that come over one connection."""

    def __init__(self) -> None:
        self._before: tuple[float, datetime, float] | None = None

    def jumped(self, frame: Frame, arrived_s: float) -> bool:
        """Whether a clock jumped since the picture before.

        arrived_s: when the picture came in, on the machine's monotonic clock. Pictures held up on their way
        come late, but the times that they bear still follow evenly.
        """
        before, self._before = self._before, (frame.monotonic_s, frame.wall_utc, arrived_s)
        if before is None:
            return False
        source_s, wall_utc, arrived_before_s = before
        waited_s = arrived_s - arrived_before_s
        steps_s = (frame.monotonic_s - source_s, (frame.wall_utc - wall_utc).total_seconds())
        return any(clock_jumped(step_s, waited_s) for step_s in steps_s)


def clock_jumped(step_s: float, waited_s: float) -> bool:
    """Whether a clock that went on by ``step_s`` while ``waited_s`` went by was set, forward or back."""
    return step_s < -SLIP_S or step_s > waited_s + SLIP_S
