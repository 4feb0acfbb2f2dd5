"""Cards to be confirmed: asked, settled by a person or by the tracker itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from rules import KLAVERJAS_DRIVE, Seat, Suit, parse_card
from tracker.events import (
    ACCUSES,
    TRACKER,
    CardDoubtful,
    CardPlayed,
    Correction,
    DealStarted,
    Event,
    TrumpDeclared,
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


def verzaking(confidence: float) -> list[Event]:
    """East throws H7 on C7 of North's and plays C8 in the next trick; all cards are this sure."""
    events: list[Event] = [
        DealStarted(table="1", deal=1, time_utc=NOW, dealer=Seat.WEST, reglement=KLAVERJAS_DRIVE.name),
        TrumpDeclared(table="1", deal=1, time_utc=NOW, seat=Seat.NORTH, trump=Suit.SPADES),
    ]
    codes = ("C7", "H7", "CK", "CA", "C9", "CT", "CQ", "C8")
    seats = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    for count, (code, seat) in enumerate(zip(codes, seats, strict=True)):
        events.append(
            CardPlayed(
                table="1",
                deal=1,
                time_utc=NOW,
                confidence=confidence,
                trick=1 + count // 4,
                position=1 + count % 4,
                seat=seat,
                card=parse_card(code),
            )
        )
    return events


def test_a_card_that_accuses_stays_asked_about_until_the_verzaking_is_sure() -> None:
    """A question at 0.97 counted as settled, while the verzaking that rested on it was hardly likely."""
    question = replace(asked(), position=2, seat=Seat.EAST, card=parse_card("H7"), reason=ACCUSES)
    assert still_open(*verzaking(0.97), question) == (question,)
    assert still_open(*verzaking(0.9999), question) == ()
    assert still_open(*verzaking(0.97), replace(question, reason="alike")) == ()
    confirmed = [
        replace(event, confidence=1.0) if isinstance(event, CardPlayed) else event
        for event in verzaking(0.97)
    ]
    assert still_open(*confirmed, question) == ()
