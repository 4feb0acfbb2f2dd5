"""Events for tests that carry them about without looking inside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from rules import CLOCKWISE, FULL_DECK
from tracker.events import CardPlayed, Event

STARTED_UTC = datetime(2026, 1, 1, 19, 30, tzinfo=UTC)


def some_events(count: int, table: str = "1") -> tuple[Event, ...]:
    """``count`` cards played, each event different from the others."""
    return tuple(
        CardPlayed(
            table=table,
            deal=index // 32 + 1,
            time_utc=STARTED_UTC + timedelta(seconds=index),
            trick=index % 32 // 4 + 1,
            position=index % 4 + 1,
            seat=CLOCKWISE[index % 4],
            card=FULL_DECK[index % 32],
        )
        for index in range(count)
    )
