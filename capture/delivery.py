"""From the journal to the venue, by HTTP, whenever the venue is there.

A thread of its own posts what the venue has not acknowledged, oldest first. It never holds up the table: what
cannot be delivered stays in the journal and goes along at the next try, or at the next start.
"""

from __future__ import annotations

import threading
import time
from enum import Enum
from typing import Final, Protocol

from capture.errors import BatchRefusedError, CaptureError, DeliveryError, JournalError
from capture.journal import Batch, Journal

BATCH_LENGTH: Final = 100
"""Events in one batch: some 50 kB, well under what the venue takes."""

FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 10.0
"""After a failure the pause doubles from the first to the longest."""

CLOSE_TIMEOUT_S: Final = 10.0
"""How long closing goes on trying to deliver what is left."""

GRACE_S: Final = 0.5
"""How much longer closing waits for a try that is under way."""


class Venue(Protocol):
    """Something that takes batches."""

    def deliver(self, batch: Batch) -> int:
        """Take the batch; gives the last sequence of its epoch that is safe at the venue.

        Raises:
            DeliveryError: when the venue cannot be reached or does not take it.
        """
        ...


class Delivery:
    """Delivers what is in the journal for one table and venue, in a thread of its own.

    Call :meth:`wake` after each append. ``name`` is how the journal knows the venue.
    """

    def __init__(
        self,
        journal: Journal,
        venue: Venue,
        table: str,
        name: str,
        longest_pause_s: float = LONGEST_PAUSE_S,
    ) -> None:
        self._journal = journal
        self._venue = venue
        self._table = table
        self._name = name
        self._longest_pause_s = longest_pause_s
        self._changed = threading.Condition()
        self._has_news = True
        self._closing = False
        self._give_up_s: float | None = None
        self._last_error: CaptureError | None = None
        self._refused: set[str] = set()
        self._had_last_chance = False
        self._thread = threading.Thread(target=self._run, name=f"delivery of table {table}", daemon=True)
        self._thread.start()

    @property
    def last_error(self) -> CaptureError | None:
        """Why the last try failed; None when it did not."""
        return self._last_error

    def undelivered(self) -> int:
        """How many events the venue does not have yet.

        Raises:
            JournalError: when the journal cannot be read.
        """
        return self._journal.count_undelivered(self._table, self._name)

    def wake(self) -> None:
        """There is something new in the journal."""
        with self._changed:
            self._has_news = True
            self._changed.notify_all()

    def close(self, timeout_s: float = CLOSE_TIMEOUT_S) -> int:
        """Try for at most ``timeout_s`` to deliver what is left, then stop; gives how much is left.

        Raises:
            JournalError: when the journal cannot be read.
        """
        with self._changed:
            self._closing = True
            self._has_news = True
            self._give_up_s = time.monotonic() + timeout_s
            self._changed.notify_all()
        self._thread.join(timeout_s + GRACE_S)
        return self.undelivered()

    def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while self._give_up_s is None or time.monotonic() < self._give_up_s:
            match self._deliver_one():
                case _Try.TAKEN:
                    pause_s = FIRST_PAUSE_S
                case _Try.REFUSED:
                    pass
                case _Try.FAILED:
                    self._rest(pause_s)
                    pause_s = min(pause_s * 2, self._longest_pause_s)
                case _Try.NOTHING_LEFT if self._closing and not self._may_try_refused_once_more():
                    return
                case _Try.NOTHING_LEFT if not self._news_within(pause_s if self._refused else None):
                    self._refused.clear()
                    pause_s = min(pause_s * 2, self._longest_pause_s)

    def _deliver_one(self) -> _Try:
        """Deliver the oldest batch that the venue does not have and has not just refused."""
        with self._changed:
            self._has_news = False
        try:
            batch = self._journal.next_batch(self._table, self._name, BATCH_LENGTH, self._refused)
            return _Try.NOTHING_LEFT if batch is None else self._deliver(batch)
        except (DeliveryError, JournalError) as error:
            self._last_error = error
            return _Try.FAILED

    def _deliver(self, batch: Batch) -> _Try:
        try:
            acknowledged = self._venue.deliver(batch)
        except BatchRefusedError as error:
            # What is wrong with one run must not keep the venue from the next.
            self._last_error = error
            self._refused.add(batch.epoch)
            return _Try.REFUSED
        # A venue put back from a copy knows less than before: then go back to where it is.
        self._journal.acknowledge(batch.epoch, acknowledged)
        if not self._refused:
            self._last_error = None
        return _Try.TAKEN if acknowledged >= batch.events[0][0] else _Try.FAILED

    def _may_try_refused_once_more(self) -> bool:
        """At closing: whether there is a refused run that was not yet given its last chance."""
        if not self._refused or self._had_last_chance:
            return False
        self._had_last_chance = True
        self._refused.clear()
        return True

    def _news_within(self, timeout_s: float | None) -> bool:
        """Wait for something new in the journal; False when ``timeout_s`` went by without."""
        with self._changed:
            return self._changed.wait_for(lambda: self._has_news or self._closing, timeout_s)

    def _rest(self, pause_s: float) -> None:
        """Wait before the next try. A table that is closing has little time left, so it tries often."""
        if self._closing:
            time.sleep(FIRST_PAUSE_S)
            return
        with self._changed:
            self._changed.wait_for(lambda: self._closing, pause_s)


class _Try(Enum):
    """How one try to deliver went."""

    TAKEN = "taken"
    REFUSED = "refused"
    FAILED = "failed"
    NOTHING_LEFT = "nothing left"
