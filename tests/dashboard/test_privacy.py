"""What players must not learn from a screen: verzaken flags, covered cards, what a card might have been.

A whole deal with a proven verzaking is delivered event by event, and after each one everything that a viewer
can fetch is looked through: the pages, the JSON and the streams, in both languages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from rules import Card, Rank, Suit, parse_card
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import played_deal, replayed
from tests.dashboard.streams import first_picture
from tracker.events import (
    ONE_WAY,
    BackFlagged,
    CardExposed,
    CardPlayed,
    Correction,
    DealStarted,
    DirectorCalled,
    Event,
    PackBackJudged,
    RevokeAccused,
    TrickCovered,
)

FORBIDDEN = re.compile(r"verza|revoke|accus|beschuldig|alternativ|confidence|0\.0123|artikel|article", re.I)

DUTCH_NAMES = {
    f"{suit.dutch} {name}": Card(suit, rank)
    for suit in Suit
    for rank, name in zip(
        Rank, ("zeven", "acht", "negen", "tien", "boer", "vrouw", "heer", "aas"), strict=True
    )
}


def open_by_the_events(events: Sequence[Event]) -> list[Card]:
    """The cards that lie open, told from the events alone: those of the last trick unless it was covered."""
    cards: list[Card] = []
    for event in events:
        if isinstance(event, CardPlayed):
            cards = [*(cards if event.position > 1 else []), event.card]
        elif isinstance(event, TrickCovered):
            cards = []
    return cards


def cards_named_in(text: str) -> list[Card]:
    return [DUTCH_NAMES[name] for name in re.findall(r'role="img" aria-label="([^"]+)"', text)]


def assert_shows_only(venue: Venue, cards: Sequence[Card]) -> None:
    client = venue.viewer()
    state = client.get("/api/tafels/1")
    page, hall = client.get("/tafel/1?taal=nl").text, client.get("/?taal=nl").text
    stream, hall_stream = first_picture(client, "/tafel/1/stroom?taal=nl"), first_picture(client, "/stroom")
    english = client.get("/tafel/1?taal=en").text
    for text in (state.text, page, hall, stream, hall_stream, english):
        assert not FORBIDDEN.search(text), FORBIDDEN.search(text)
    assert [parse_card(code) for code in codes_in(state.json)] == list(cards)
    for text in (page, stream):
        assert set(cards_named_in(text)) == set(cards)
        # Nor are covered cards named in words anywhere else on the page.
        assert {card for name, card in DUTCH_NAMES.items() if name in text} == set(cards)
    assert cards_named_in(hall) == cards_named_in(hall_stream) == []


def codes_in(value: Any) -> list[str]:
    """Every card code anywhere in a JSON value."""
    if isinstance(value, dict):
        return [code for inner in value.values() for code in codes_in(inner)]
    if isinstance(value, list):
        return [code for inner in value for code in codes_in(inner)]
    return [value] if isinstance(value, str) and re.fullmatch("[CDHS][789TJQKA]", value) else []


def test_through_a_whole_deal_with_a_verzaking_a_viewer_sees_only_open_cards(venue: Venue) -> None:
    events = [
        replace(event, alternatives=((Card(Suit.CLUBS, Rank.SEVEN), 0.0123),))
        if isinstance(event, CardPlayed)
        else event
        for event in played_deal(seed=5, revoking=True)
    ]
    assert replayed(events).revokes
    for count, event in enumerate(events, start=1):
        venue.deliver([event])
        assert_shows_only(venue, open_by_the_events(events[:count]))


@pytest.mark.parametrize("kind", [CardExposed, RevokeAccused, DirectorCalled, BackFlagged, PackBackJudged])
def test_what_is_told_to_the_wedstrijdleider_stays_there(venue: Venue, kind: type[Event]) -> None:
    events = played_deal(seed=5)[:9]
    last = events[-1]
    fields: dict[type[Event], dict[str, Any]] = {
        CardExposed: {"card": parse_card("S8"), "seat": replayed(events).dealer},
        RevokeAccused: {"by": replayed(events).dealer, "accused": replayed(events).dealer.left},
        DirectorCalled: {"reason": "verzaken volgens Oost"},
        BackFlagged: {"reason": "mark"},
        PackBackJudged: {"printed": ONE_WAY},
    }
    venue.deliver(events)
    before = venue.viewer().get("/api/tafels/1").json
    venue.deliver([kind(table="1", deal=1, time_utc=last.time_utc, **fields[kind])])
    after = venue.viewer().get("/api/tafels/1").json
    assert before is not None
    assert after is not None
    assert {**before, "sequence": after["sequence"]} == after
    assert_shows_only(venue, open_by_the_events(events))


def test_a_card_corrected_or_told_again_after_the_trick_was_covered_stays_covered(venue: Venue) -> None:
    events = played_deal(seed=5)[:7]
    assert isinstance(events[-1], TrickCovered)
    first = next(event for event in events if isinstance(event, CardPlayed))
    later = first.time_utc + timedelta(minutes=1)
    venue.deliver(events)
    told_again = [replace(event, time_utc=later) for event in events if isinstance(event, CardPlayed)]
    venue.deliver(told_again[:1])
    assert_shows_only(venue, [])
    venue.deliver(told_again[1:])
    assert_shows_only(venue, [])
    correction = Correction(
        table="1",
        deal=1,
        time_utc=later,
        trick=1,
        position=1,
        seat=first.seat,
        card=parse_card("S7"),
        by="tracker",
        reason="looked again",
    )
    venue.deliver([correction])
    assert_shows_only(venue, [])


def test_telling_the_start_again_does_not_open_a_covered_trick(venue: Venue) -> None:
    events = played_deal(seed=5)[:7]
    start = events[0]
    assert isinstance(start, DealStarted)
    venue.deliver(events)
    venue.deliver([replace(start, time_utc=events[-1].time_utc)])
    assert_shows_only(venue, [])
