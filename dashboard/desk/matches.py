"""The matches of the tables as the desk reads and writes them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from dashboard.books import Books, TableRecord
from dashboard.live import LiveHub
from dashboard.store import EventLog, IncomingEvent
from tracker.events import Event, event_to_json

_EPOCH = "zaal"


class DeskMatches:
    """Reads a match, and writes events of the venue's own."""

    def __init__(self, log: EventLog, books: Books, hub: LiveHub) -> None:
        self._log = log
        self._books = books
        self._hub = hub

    def current(self, table: str) -> str:
        """The key of the match that a table is playing."""
        return "nu"

    def read(self, table: str, match: str) -> TableRecord | None:
        """A match of a table; None when it has none of that key."""
        if match != self.current(table):
            return None
        return self._books.book(table).record(self._hub.last_id(table))

    def write(self, table: str, match: str, events: Sequence[Event], by: str) -> None:
        """Write events, and wake everybody who shows the table."""
        written = [stored.sequence for stored in self._log.after(table) if stored.epoch == _EPOCH]
        first = max(written, default=0) + 1
        bodies = [json.dumps(event_to_json(event), sort_keys=True, separators=(",", ":")) for event in events]
        incoming = [IncomingEvent(first + place, body) for place, body in enumerate(bodies)]
        appended = self._log.append(table, _EPOCH, incoming)
        if appended.last_id is not None:
            self._hub.announce(table, appended.last_id)
