"""Events to JSON and back: nothing lost, nothing let in."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import FULL_DECK, Seat, Suit, Team
from tracker.events import (
    BACK_PRINTS,
    DECISIONS,
    DOUBTS,
    EVENT_TYPES,
    PENALTY_CALLS,
    CardPlayed,
    Event,
    EventError,
    Ruling,
    VideoSpan,
    event_from_json,
    event_to_json,
)

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30)
CARDS = st.sampled_from(FULL_DECK)
SEATS = st.sampled_from(Seat)
TRICKS = st.integers(1, 8)
CHANCES = st.floats(0, 1)
ALTERNATIVES = st.lists(st.tuples(CARDS, CHANCES), max_size=3).map(tuple)

OWN_FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "DealStarted": {"dealer": SEATS, "reglement": TEXTS},
    "PlayerPassed": {"seat": SEATS},
    "TrumpDeclared": {
        "seat": SEATS,
        "trump": st.sampled_from(Suit),
        "inferred": st.booleans(),
        "declarer_known": st.booleans(),
    },
    "CardPlayed": {
        "trick": TRICKS,
        "position": st.integers(1, 4),
        "seat": SEATS,
        "card": CARDS,
        "alternatives": ALTERNATIVES,
    },
    "CardDoubtful": {
        "trick": TRICKS,
        "position": st.integers(1, 4),
        "seat": SEATS,
        "card": CARDS,
        "reason": st.sampled_from(DOUBTS),
        "alternatives": ALTERNATIVES,
    },
    "CardTakenBack": {"seat": SEATS, "card": CARDS, "trick": TRICKS},
    "CardsPlayedTogether": {
        "seat": SEATS,
        "trick": TRICKS,
        "cards": st.lists(CARDS, min_size=2, max_size=8).map(tuple),
    },
    "ForeignCardSeen": {"seat": st.none() | SEATS},
    "PenaltyCardCalled": {
        "seat": SEATS,
        "card": CARDS,
        "call": st.sampled_from(PENALTY_CALLS),
    },
    "SlowPlay": {
        "seat": SEATS,
        "trick": TRICKS,
        "position": st.integers(1, 4),
        "seconds": st.floats(0, 3600),
    },
    "TrickGatheredWrongly": {
        "trick": TRICKS,
        "gathered_by": st.just(Team.NORTH_SOUTH),
        "winner": st.sampled_from([Seat.EAST, Seat.WEST]),
    },
    "CardExposed": {"card": CARDS, "seat": st.none() | SEATS},
    "CardPlayedOutOfTurn": {"seat": SEATS, "card": CARDS, "trick": TRICKS},
    "RoemCalled": {"seat": SEATS, "trick": TRICKS, "points": st.integers(0, 1000)},
    "TrickCovered": {"trick": TRICKS, "gathered_by": st.none() | st.sampled_from(Team)},
    "BackFlagged": {"reason": TEXTS},
    "PackBackJudged": {"printed": st.sampled_from(BACK_PRINTS)},
    "CardCountWrong": {
        "seat": st.none() | SEATS,
        "seen": st.integers(0, 32),
        "expected": st.integers(0, 32),
    },
    "ClaimMade": {"seat": SEATS, "tricks": st.integers(0, 8), "statement": TEXTS},
    "RevokeAccused": {"by": SEATS, "accused": SEATS},
    "DirectorCalled": {"seat": st.none() | SEATS, "reason": TEXTS},
    "DealAgreed": {"team": st.sampled_from(Team), "agreed": st.booleans()},
    "DealClosed": {"reason": TEXTS},
    "Correction": {
        "trick": TRICKS,
        "position": st.integers(1, 4),
        "seat": SEATS,
        "card": CARDS,
        "by": TEXTS.filter(bool),
        "reason": TEXTS,
        "alternatives": ALTERNATIVES,
    },
    "Ruling": {
        "decision": st.sampled_from(DECISIONS).filter(lambda decision: decision != "ongedaan"),
        "by": TEXTS.filter(bool),
        "seat": st.none() | SEATS,
        "trick": st.none() | TRICKS,
        "reason": TEXTS,
        "card": st.none() | CARDS,
        "found_after_trick": st.none() | st.integers(0, 8),
    },
    "SourceLost": {"reason": TEXTS},
    "SourceBack": {"away_s": st.floats(0, 1e9)},
}


@st.composite
def events(draw: st.DrawFn) -> Event:
    name = draw(st.sampled_from(sorted(EVENT_TYPES)))
    start = draw(st.floats(0, 1e6))
    return EVENT_TYPES[name](
        table=draw(TEXTS.filter(bool)),
        deal=draw(st.integers(1, 9999)),
        time_utc=draw(st.datetimes(timezones=st.just(UTC))),
        confidence=draw(CHANCES),
        video=draw(st.none() | st.floats(0, 60).map(lambda length: VideoSpan(start, start + length))),
        **{field: draw(values) for field, values in OWN_FIELDS[name].items()},
    )


def card_played(**changes: Any) -> dict[str, Any]:
    mapping: dict[str, Any] = {
        "type": "CardPlayed",
        "version": 1,
        "table": "1",
        "deal": 1,
        "time_utc": "2026-01-01T19:30:00Z",
        "confidence": 0.98,
        "video": {"from_s": 12.3, "to_s": 12.9},
        "trick": 1,
        "position": 1,
        "seat": "W",
        "card": "HT",
        "alternatives": [["DT", 0.02]],
    }
    mapping.update(changes)
    return mapping


def test_every_kind_of_event_is_generated_here() -> None:
    assert set(OWN_FIELDS) == set(EVENT_TYPES)


@given(events())
def test_event_to_json_text_and_back_is_the_same_event(event: Event) -> None:
    text = json.dumps(event_to_json(event))
    again = event_from_json(json.loads(text))
    assert again == event
    assert json.dumps(event_to_json(again)) == text


@given(events(), st.data())
def test_a_field_left_out_or_added_is_refused_by_name(event: Event, data: st.DataObject) -> None:
    mapping = event_to_json(event)
    field = data.draw(st.sampled_from([name for name in mapping if name not in ("type", "version")]))
    without = {name: value for name, value in mapping.items() if name != field}
    with pytest.raises(EventError, match=f"'{field}' is missing"):
        event_from_json(without)
    with pytest.raises(EventError, match="unknown field 'hand'"):
        event_from_json({**mapping, "hand": "HT"})


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(events(), st.data(), JSON_VALUES)
def test_any_value_in_any_field_is_an_event_or_the_declared_error(
    event: Event, data: st.DataObject, value: Any
) -> None:
    mapping = event_to_json(event)
    mapping[data.draw(st.sampled_from(sorted(mapping)))] = value
    message = ""
    try:
        read = event_from_json(mapping)
    except EventError as error:
        message = str(error)
    else:
        assert event_from_json(event_to_json(read)) == read
    assert "\n" not in message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"type": "CardEaten"}, "'CardEaten'"),
        ({"type": ["CardPlayed"]}, "type must be"),
        ({"version": 2}, "version must be 1, not 2"),
        ({"version": True}, "version must be 1, not True"),
        ({"trick": 9}, "trick must lie from 1 to 8, not 9"),
        ({"trick": True}, "trick must be a whole number, not True"),
        ({"trick": 1.0}, "trick must be a whole number, not 1.0"),
        ({"position": 0}, "position must lie from 1 to 4, not 0"),
        ({"card": "H10"}, "card must be a card's code such as HT, not 'H10'"),
        ({"card": "H2"}, "card must be a card's code such as HT, not 'H2'"),
        ({"seat": "X"}, "seat must be N, E, S or W, not 'X'"),
        ({"confidence": 1.01}, "confidence must lie from 0.0 to 1.0, not 1.01"),
        ({"confidence": float("nan")}, "confidence must be a finite number, not nan"),
        ({"confidence": "0.9"}, "confidence must be a finite number, not '0.9'"),
        ({"time_utc": "2026-01-01T19:30:00"}, "time_utc must be a UTC time"),
        ({"time_utc": "yesterday Z"}, "time_utc must be a UTC time"),
        ({"deal": 0}, "deal must lie from 1"),
        ({"table": ""}, "table must have a name"),
        ({"table": "\x00"}, "table must be text"),
        ({"table": "\ud800"}, "table must be text"),
        ({"video": {"from_s": 1.0}}, "video must be an object with from_s and to_s"),
        ({"video": {"from_s": 2.0, "to_s": 1.0}}, "video must be an object"),
        ({"alternatives": [["HT", 2.0]]}, "alternatives must lie from 0.0 to 1.0, not 2.0"),
        ({"alternatives": ["HT"]}, "alternatives must be a list of"),
    ],
)
def test_what_is_no_event_is_refused_with_the_field_and_the_value(
    changes: dict[str, Any], words: str
) -> None:
    assert event_from_json(card_played())
    with pytest.raises(EventError) as refusal:
        event_from_json(card_played(**changes))
    assert words in str(refusal.value)


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(EventError, match="an event must be an object"):
        event_from_json(["CardPlayed"])  # type: ignore[arg-type]


def test_time_from_another_zone_is_written_in_utc() -> None:
    local = datetime.fromisoformat("2026-01-01T20:30:00+01:00")
    event = CardPlayed(
        table="1", deal=1, time_utc=local, trick=1, position=1, seat=Seat.NORTH, card=FULL_DECK[0]
    )
    assert event_to_json(event)["time_utc"] == "2026-01-01T19:30:00Z"


def test_an_undoing_says_what_it_undoes_and_other_rulings_do_not() -> None:
    time = datetime(2026, 1, 1, tzinfo=UTC)
    with pytest.raises(ValueError, match="undoes must be given with 'ongedaan'"):
        Ruling(table="1", deal=1, time_utc=time, decision="ongedaan", by="Wil")
    with pytest.raises(ValueError, match="undoes must be given with 'ongedaan'"):
        Ruling(table="1", deal=1, time_utc=time, decision="geen-actie", by="Wil", undoes=1)
    undoing = Ruling(table="1", deal=1, time_utc=time, decision="ongedaan", by="Wil", undoes=1)
    assert event_from_json(event_to_json(undoing)) == undoing
