"""Ingest: what a table may send, and that nothing else leaves a trace."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboard import DashboardConfig, create_app
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import played_deal
from tracker.events import event_to_json

EVENTS = [event_to_json(event) for event in played_deal(seed=1)]


def document(first: int = 1, count: int = 2) -> dict[str, Any]:
    return {
        "epoch": "journal-1",
        "events": [{"sequence": first + place, "event": EVENTS[place]} for place in range(count)],
    }


def stored(venue: Venue) -> int:
    return len(venue.services.log.after("1"))


def test_a_batch_is_acknowledged_with_the_highest_contiguous_sequence(venue: Venue) -> None:
    assert venue.post("1", document()).json == {"acknowledged": 2, "stored": 2}
    assert venue.post("1", document()).json == {"acknowledged": 2, "stored": 0}
    assert venue.post("1", document(first=9)).json == {"acknowledged": 2, "stored": 0}
    assert stored(venue) == 2


def test_the_same_event_written_otherwise_is_the_same_event(venue: Venue) -> None:
    venue.post("1", document())
    turned = document()
    turned["events"] = [
        {"event": dict(reversed(item["event"].items())), "sequence": item["sequence"]}
        for item in turned["events"]
    ]
    assert venue.post("1", turned).status_code == 200


def test_other_content_under_a_known_key_is_a_conflict(venue: Venue) -> None:
    venue.post("1", document())
    other = document(count=3)
    other["events"][0]["event"] = {**EVENTS[0], "dealer": "W" if EVENTS[0]["dealer"] != "W" else "N"}
    answer = venue.post("1", other)
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["error"]["code"] == "conflict"
    assert stored(venue) == 2


def test_without_a_token_or_with_a_wrong_one_nothing_is_taken(venue: Venue) -> None:
    assert venue.app.test_client().post("/api/tafels/1/events", json=document()).status_code == 401
    assert venue.post("1", document(), token="wrong").status_code == 401
    assert stored(venue) == 0


def test_a_token_writes_only_its_own_table(venue: Venue) -> None:
    assert venue.post("1", document(), token=venue.token("2")).status_code == 403
    about_another = document()
    about_another["events"][0]["event"] = {**EVENTS[0], "table": "2"}
    answer = venue.post("1", about_another)
    assert answer.status_code == 403
    assert answer.json is not None
    assert answer.json["error"]["code"] == "wrong_table"
    assert stored(venue) == 0


def test_a_token_taken_back_is_worth_nothing(venue: Venue) -> None:
    token = venue.token("1")
    venue.services.tokens.revoke_all("1")
    assert venue.post("1", document(), token=token).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"9" * 10_000,
        b'{"epoch": "e", "events": NaN}',
        b'{"epoch": "\\ud800", "events": []}',
        b"null",
    ],
)
def test_a_body_that_is_no_batch_is_refused_in_one_shape(venue: Venue, body: bytes) -> None:
    answer = venue.app.test_client().post(
        "/api/tafels/1/events", data=body, headers={"Authorization": f"Bearer {venue.token('1')}"}
    )
    assert answer.status_code == 400
    assert answer.json is not None
    assert set(answer.json) == {"error"}
    assert set(answer.json["error"]) == {"code", "status", "message"}
    assert stored(venue) == 0


def test_a_body_over_the_limit_is_refused(venue: Venue) -> None:
    body = b" " * (venue.config.maximum_request_bytes + 1)
    answer = venue.app.test_client().post(
        "/api/tafels/1/events", data=body, headers={"Authorization": f"Bearer {venue.token('1')}"}
    )
    assert answer.status_code == 413
    assert answer.json is not None
    assert answer.json["error"]["status"] == 413


@pytest.mark.parametrize(
    "change",
    [
        {"time_utc": "9999-12-31T23:59:59Z"},
        {"time_utc": "0001-01-01T00:00:00Z"},
        {"deal": 10**30},
        {"deal": 10**6},
        {"reglement": "huisregels-van-niemand"},
    ],
)
def test_an_event_that_a_page_could_not_show_is_refused(venue: Venue, change: dict[str, Any]) -> None:
    strange = document()
    strange["events"][0]["event"] = {**EVENTS[0], **change}
    assert venue.post("1", strange).status_code == 400
    assert stored(venue) == 0


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Venue:
    config = DashboardConfig(database=str(tmp_path_factory.mktemp("fuzz") / "venue.sqlite"))
    return Venue(create_app(config), config)


def assert_refused(venue: Venue, body: bytes) -> None:
    answer = venue.app.test_client().post(
        "/api/tafels/1/events", data=body, headers={"Authorization": f"Bearer {venue.token('1')}"}
    )
    text = answer.get_data(as_text=True)
    assert 400 <= answer.status_code < 500, text
    assert set(json.loads(text)) == {"error"}
    assert "Traceback" not in text
    assert stored(venue) == 0


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=300))
def test_any_bytes_are_refused_and_leave_no_trace(fuzzed: Venue, body: bytes) -> None:
    assert_refused(fuzzed, body)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON_VALUES | st.fixed_dictionaries({"epoch": JSON_VALUES, "events": st.lists(JSON_VALUES)}))
def test_any_json_is_refused_and_leaves_no_trace(fuzzed: Venue, value: object) -> None:
    assert_refused(fuzzed, json.dumps(value).encode())


def paths_of(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in a document."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, inner in items:
        yield (*before, key)
        yield from paths_of(inner, (*before, key))


WRONG_ANYWHERE = (
    st.integers(min_value=2**60)
    | st.integers(max_value=-1)
    | st.just({"x": 1})
    | st.lists(st.integers(), min_size=1, max_size=2)
    | st.sampled_from(["\x00", "\ud800", "", "💥" * 40, "1" * 5000, float("nan"), float("inf")])
)
"""Values that no field of the documents in this test can hold."""


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(sorted(paths_of(document()), key=repr)), wrong=WRONG_ANYWHERE, drop=st.booleans())
def test_one_wrong_value_spoils_the_whole_batch(
    fuzzed: Venue, path: tuple[Any, ...], wrong: object, drop: bool
) -> None:
    spoiled = copy.deepcopy(document())
    holder: Any = spoiled
    for key in path[:-1]:
        holder = holder[key]
    if drop and isinstance(holder, dict):
        del holder[path[-1]]
    else:
        holder[path[-1]] = wrong
    assert_refused(fuzzed, json.dumps(spoiled).encode())
