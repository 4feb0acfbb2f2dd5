"""How often logging in may be tried. Kept in memory: the venue is one process."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from dashboard.errors import TooManyAttemptsError


class RateLimit:
    """At most ``attempts`` within ``window_s`` seconds for one key, such as a network address."""

    def __init__(self, attempts: int, window_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._attempts = attempts
        self._window_s = window_s
        self._clock = clock
        self._lock = threading.Lock()
        self._times: dict[str, deque[float]] = {}

    def count(self, key: str) -> None:
        """Count one attempt.

        Raises:
            TooManyAttemptsError: when ``key`` had its share; this attempt is then not counted.
        """
        now = self._clock()
        with self._lock:
            self._forget_before(now - self._window_s)
            times = self._times.setdefault(key, deque())
            if len(times) >= self._attempts:
                raise TooManyAttemptsError(int(times[0] + self._window_s - now) + 1)
            times.append(now)

    def clear(self, key: str) -> None:
        """Forget the attempts of a key that turned out to be right."""
        with self._lock:
            self._times.pop(key, None)

    def _forget_before(self, moment: float) -> None:
        for key in list(self._times):
            times = self._times[key]
            while times and times[0] <= moment:
                times.popleft()
            if not times:
                del self._times[key]
