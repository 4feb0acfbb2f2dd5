"""How often a table is looked at: a camera may give more pictures than the tracker learns from."""

from __future__ import annotations

from typing import Final

LOOKS_PER_SECOND: Final = 10.0
"""A card counts after it lay still for a third of a second; more looks at it would only cost time."""

_EARLY: Final = 0.3
"""Of the time between two looks: a picture that comes so much too early is looked at as well."""


class LookPace:
    """Says which pictures are due, so that on average so many a second are looked at.

    It goes by the pictures' own times: the same film is looked at in the same places, read fast or slowly.
    """

    def __init__(self, looks_per_second: float = LOOKS_PER_SECOND) -> None:
        self._step_s = 1 / looks_per_second
        self._due_s: float | None = None
        self._last_s = 0.0

    def is_due(self, time_s: float) -> bool:
        """Whether the picture of ``time_s``, seconds on its source's clock, is to be looked at."""
        due_s, has_gone_back = self._due_s, time_s < self._last_s
        self._last_s = time_s
        if due_s is None or has_gone_back or time_s - due_s > self._step_s:
            # The first one, or the first after a pause: there is nothing to catch up with.
            self._due_s = time_s + self._step_s
            return True
        if time_s < due_s - _EARLY * self._step_s:
            return False
        self._due_s = due_s + self._step_s
        return True
