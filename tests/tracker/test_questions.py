"""Cards to be confirmed: asked, settled by a person or by the tracker itself."""

from __future__ import annotations

from datetime import UTC, datetime

from rules import Seat, parse_card
from tracker.events import (
    TRACKER,
    CardDoubtful,
    CardPlayed,
    Correction,
    Event,
    fold_deals,
    open_questions,
)

NOW = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)
CARD = parse_card("HT")


def played() -> Event:
    return CardPlayed(
        table="1", deal=1, time_utc=NOW, confidence=0.6, trick=1, position=1, seat=Seat.WEST, card=CARD
    )


def asked() -> CardDoubtful:
    return CardDoubtful(
        table="1",
        deal=1,
        time_utc=NOW,
        confidence=0.6,
        trick=1,
        position=1,
        seat=Seat.WEST,
        card=CARD,
        reason="alike",
    )


def corrected(by: str, confidence: float) -> Event:
    return Correction(
        table="1",
        deal=1,
        time_utc=NOW,
        confidence=confidence,
        trick=1,
        position=1,
        seat=Seat.WEST,
        card=CARD,
        by=by,
        reason="seen",
    )


def still_open(*events: Event) -> tuple[CardDoubtful, ...]:
    (record,) = fold_deals(events)
    return open_questions(record)


def test_a_question_stays_open_until_somebody_looks_or_later_cards_leave_no_doubt() -> None:
    assert still_open(played()) == ()
    assert still_open(played(), asked()) == (asked(),)
    assert still_open(played(), asked(), corrected(TRACKER, 0.8)) == (asked(),)
    assert still_open(played(), asked(), corrected(TRACKER, 0.99)) == ()
    assert still_open(played(), asked(), corrected("Ans", 1.0)) == ()


def test_a_place_asked_about_twice_is_one_question() -> None:
    assert len(still_open(played(), asked(), asked())) == 1
