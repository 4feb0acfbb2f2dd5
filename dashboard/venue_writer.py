"""Events that people write at the venue: rulings, corrections, and what a table's tablet says.

They stand in the same append-only log as what the cameras told, under an epoch that names their match.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from dashboard.books import Books
from dashboard.errors import AlreadyDecidedError, EveningError, MalformedRequestError
from dashboard.match_split import venue_epoch
from dashboard.store import EventLog, StoredEvent
from tracker.events import (
    ClaimMade,
    Correction,
    DealAgreed,
    DealClosed,
    DealStarted,
    DirectorCalled,
    Event,
    PenaltyCardCalled,
    PlayerPassed,
    RevokeAccused,
    RoemCalled,
    Ruling,
    TrumpDeclared,
    event_from_json,
    event_to_json,
)

WRITTEN_BY_PEOPLE: Final[tuple[type[Event], ...]] = (
    ClaimMade,
    Correction,
    DealAgreed,
    DealClosed,
    DealStarted,
    DirectorCalled,
    PenaltyCardCalled,
    PlayerPassed,
    RevokeAccused,
    RoemCalled,
    Ruling,
    TrumpDeclared,
)
"""What a person can say; cards are seen by a camera and corrected by people."""


class VenueWriter:
    """Writes what people say into the log, in the match that they say it of."""

    def __init__(self, log: EventLog, books: Books, is_frozen: Callable[[str], bool]) -> None:
        self._log = log
        self._books = books
        self._is_frozen = is_frozen

    def write(
        self,
        table: str,
        match: str,
        events: Sequence[Event],
        by: str,
        expected_last_id: int | None = None,
    ) -> tuple[int, ...]:
        """Store ``events`` of one match; gives their ids. On the disk, and told to every page, on return.

        by: who says it: an account's name, or ``tafel 7`` for a tablet.
        expected_last_id: the id of the last ruling on this deal that the writer knew of (0: none), as
            :meth:`TableRecord.last_ruling_id` gives it. Of two who press at once the second is refused.

        Raises:
            AlreadyDecidedError: when the deal has a ruling that the writer did not know of.
            EveningError: ``frozen``, when the match belongs to an evening that can no longer be changed.
            MalformedRequestError: when there is no such match, or an event is not of it or not for people.
        """
        _check(table, events)
        if self._books.match(table, match) is None:
            raise MalformedRequestError(f"table {table[:40]} has no match {match[:64]!r}")
        if self._is_frozen(match):
            raise EveningError("frozen")
        bodies = [json.dumps(event_to_json(event), sort_keys=True, separators=(",", ":")) for event in events]

        def still_so(written: Sequence[StoredEvent]) -> None:
            if expected_last_id is not None:
                _refuse_second(written, {event.deal for event in events}, expected_last_id)

        return self._log.write(table, venue_epoch(match), bodies, by, still_so)

    def write_now(self, table: str, event: Event, by: str) -> tuple[int, ...]:
        """Store one event of the match that ``table`` is playing.

        Raises:
            EveningError, MalformedRequestError: as :meth:`write` does.
        """
        return self.write(table, self._books.current(table).match, [replace(event, table=table)], by)


def _check(table: str, events: Sequence[Event]) -> None:
    if not events:
        raise MalformedRequestError("there is nothing to write")
    for event in events:
        if event.table != table:
            raise MalformedRequestError(f"the event is of table {event.table[:40]!r}, not of {table[:40]!r}")
        if not isinstance(event, WRITTEN_BY_PEOPLE):
            raise MalformedRequestError(f"{type(event).__name__} is not for people to say")


def _refuse_second(written: Sequence[StoredEvent], deals: set[int], expected_last_id: int) -> None:
    """Whether somebody ruled on one of ``deals`` after the writer looked."""
    read = ((stored.id, event_from_json(json.loads(stored.body))) for stored in written)
    newer = [
        event
        for stored_id, event in read
        if isinstance(event, Ruling) and event.deal in deals and stored_id > expected_last_id
    ]
    if newer:
        raise AlreadyDecidedError(f"{newer[-1].by} decided meanwhile: {newer[-1].decision}")
