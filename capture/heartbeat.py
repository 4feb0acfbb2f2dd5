"""Tells the venue every few seconds that the table lives, and hears which clips it wants."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

from capture.errors import CaptureError, DeliveryError, JournalError
from capture.http_venue import HttpVenue, WantedClip

BEAT_EACH_S: Final = 2.0
"""How often; a table that said nothing for ten seconds is gone."""

CLOSE_TIMEOUT_S: Final = 4.0
"""How long closing waits for the last status to be taken."""


class Heartbeat:
    """Posts what ``collect`` gives to the venue, in a thread of its own.

    collect: the status as JSON, given its number; the last is asked for once the table has stopped.
    on_wanted: called with the clips that the venue asks for.
    on_reach: called with the error when the venue cannot be reached, and with None when it can again; the
        first time only when it cannot.
    """

    def __init__(
        self,
        venue: HttpVenue,
        table: str,
        collect: Callable[[int], dict[str, Any]],
        on_wanted: Callable[[Sequence[WantedClip]], None] = lambda clips: None,
        on_reach: Callable[[CaptureError | None], None] = lambda error: None,
        each_s: float = BEAT_EACH_S,
    ) -> None:
        self._venue = venue
        self._table = table
        self._collect = collect
        self._on_wanted = on_wanted
        self._on_reach = on_reach
        self._each_s = each_s
        self._changed = threading.Condition()
        self._has_news = False
        self._closing = False
        self._error: str | None = None
        self._sequence = 0
        self._thread = threading.Thread(target=self._run, name=f"heartbeat of table {table}", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Something changed that the venue must know now."""
        with self._changed:
            self._has_news = True
            self._changed.notify()

    def close(self) -> None:
        """Send the last status, unless the venue is away, and stop."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(CLOSE_TIMEOUT_S)

    def _run(self) -> None:
        while True:
            last = self._closing
            if not last or self._error is None:
                self._beat()
            if last:
                return
            with self._changed:
                self._changed.wait_for(lambda: self._has_news or self._closing, self._each_s)
                self._has_news = False

    def _beat(self) -> None:
        self._sequence += 1
        try:
            wanted = self._venue.send_status(self._table, self._collect(self._sequence))
        except (DeliveryError, JournalError) as error:
            self._reached(error)
            return
        self._reached(None)
        if wanted:
            self._on_wanted(wanted)

    def _reached(self, error: CaptureError | None) -> None:
        """Tell once of each change."""
        before, self._error = self._error, None if error is None else error.dutch
        if before != self._error:
            self._on_reach(error)
