"""The live pages: whole pictures by id, back again after a break, and no more than there are places."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import islice
from urllib.parse import urlencode

import pytest

from dashboard.live import ALL_TABLES, LiveHub, SharedPictures
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import played_deal
from tests.dashboard.streams import Message, OpenStream, first_picture, open_stream


def test_a_stream_begins_with_the_whole_picture_and_its_id(venue: Venue) -> None:
    venue.deliver(played_deal(seed=2)[:7])
    with open_stream(venue.viewer(), "/tafel/1/stroom") as stream:
        picture = stream.next_picture()
    assert picture.id == 7
    page = venue.viewer().get("/tafel/1").text
    assert " ".join(picture.data.split()) in " ".join(page.split())


def test_a_change_is_pushed_with_the_next_id(venue: Venue) -> None:
    events = played_deal(seed=2)
    venue.deliver(events[:3])
    with open_stream(venue.viewer(), "/tafel/1/stroom") as stream:
        assert stream.next_picture().id == 3
        venue.deliver(events[3:4])
        assert stream.next_picture().id == 4


def test_a_change_wakes_a_waiting_stream_before_its_ping(venue: Venue) -> None:
    hub = LiveHub(5, {})
    seen: list[int] = []
    waiting = threading.Thread(target=lambda: seen.append(hub.wait_beyond("1", 0, timeout_s=30)))
    waiting.start()
    hub.announce("2", 8)
    assert waiting.is_alive()
    hub.announce("1", 9)
    waiting.join(5)
    assert seen == [9]
    assert hub.last_id(ALL_TABLES) == 9


@pytest.mark.parametrize("last_seen", [0, 1, 6, 999])
def test_who_comes_back_gets_the_whole_picture_of_now(venue: Venue, last_seen: int) -> None:
    events = played_deal(seed=2)
    venue.deliver(events[:12])
    with open_stream(venue.viewer(), "/tafel/1/stroom", last_event_id=last_seen) as stream:
        picture = stream.next_picture()
    assert picture.id == 12
    assert picture.data == first_picture(venue.viewer(), "/tafel/1/stroom")


def test_who_comes_back_having_missed_nothing_gets_the_whole_picture_all_the_same(venue: Venue) -> None:
    events = played_deal(seed=2)
    venue.deliver(events[:5])
    with open_stream(venue.viewer(), "/tafel/1/stroom", last_event_id=5) as stream:
        assert stream.next_picture().id == 5
        assert [stream.next().event for _ in range(2)] == ["heartbeat"] * 2
        venue.deliver(events[5:6])
        assert stream.next_picture().id == 6


@pytest.mark.parametrize("strange", ["", "x", "-1", "9" * 40, "٣"])
def test_a_strange_last_event_id_is_no_id(venue: Venue, strange: str) -> None:
    venue.deliver(played_deal(seed=2)[:3])
    answer = venue.viewer().get(
        "/tafel/1/stroom", headers={"Last-Event-ID": strange.encode().decode("latin-1")}
    )
    assert answer.status_code == 200
    answer.close()


def test_silence_is_filled_with_a_comment_and_a_heartbeat(venue: Venue) -> None:
    venue.deliver(played_deal(seed=2)[:3])
    with open_stream(venue.viewer(), "/tafel/1/stroom") as stream:
        stream.next_picture()
        assert [stream.next().event for _ in range(2)] == ["heartbeat"] * 2
        assert "ping" in stream.comments


def test_one_too_many_is_refused_and_a_place_given_back_is_free_again(venue: Venue) -> None:
    venue.deliver(played_deal(seed=2)[:3])
    clients = [venue.viewer() for _ in range(venue.config.maximum_streams)]
    answers = [client.get("/tafel/1/stroom") for client in clients]
    refused = venue.viewer().get("/tafel/1/stroom")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert venue.viewer().get("/tafel/1").status_code == 200
    answers[0].close()  # Not a byte was read from it.
    with open_stream(venue.viewer(), "/tafel/1/stroom") as stream:
        assert stream.next_picture().id == 3
    for answer in answers[1:]:
        answer.close()
    assert venue.services.hub.open_streams == 0


def test_the_desk_is_live_for_all_tables_and_ends_with_the_login(venue: Venue) -> None:
    director = venue.director()
    with open_stream(director, "/wedstrijdleider/stroom") as stream:
        assert stream.next_picture().id == 0
        venue.deliver(played_deal(seed=3, table="4")[:3])
        assert 'href="/tafel/4"' in stream.next_picture().data
        cookie = director.get_cookie("klaveroog_session")
        assert cookie is not None
        venue.services.accounts.end_session(cookie.value)
        assert len(list(islice(stream.rest(), 20))) < 3


def test_the_hall_is_live(venue: Venue) -> None:
    with open_stream(venue.viewer(), "/stroom") as stream:
        stream.next_picture()
        venue.deliver(played_deal(seed=3, table="12")[:3])
        assert "Tafel 12" in stream.next_picture().data


def test_what_everybody_sees_is_drawn_once_for_all_who_wait() -> None:
    pictures, gate = SharedPictures(), threading.Barrier(8)
    drawn: list[int] = []

    def draw(version: int) -> bytes:
        drawn.append(version)
        return b"%d" % version

    def look(version: int) -> None:
        gate.wait(10)
        shown, content = pictures.picture("/stroom", "nl", version, lambda: draw(version))
        assert int(content) == shown >= version

    for version in (1, 2):
        threads = [threading.Thread(target=look, args=(version,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
    assert drawn == [1, 2]
    assert pictures.picture("/stroom", "nl", 1, lambda: draw(9)) == (2, b"2")
    pictures.picture("/stroom", "en", 2, lambda: draw(3))
    assert drawn == [1, 2, 3]


def test_each_language_has_its_own_picture(venue: Venue) -> None:
    venue.deliver(played_deal(seed=3, table="12")[:3])
    for language, words in (("nl", "Tafel 12"), ("en", "Table 12"), ("nl", "Tafel 12")):
        assert words in first_picture(venue.viewer(), f"/stroom?taal={language}")


def test_clients_cut_off_again_and_again_see_every_event_once_and_in_order(venue: Venue) -> None:
    """Pictures carry the id of the last event: each seen picture is that of exactly the events up to it."""
    events = played_deal(seed=2)
    client = venue.viewer()
    expected: dict[int, str] = {}
    seen: list[int] = []
    for count, event in enumerate(events, start=1):
        venue.deliver([event])
        expected[count] = " ".join(client.get("/tafel/1").text.split())
        with open_stream(client, "/tafel/1/stroom", last_event_id=count - 1) as stream:
            picture = stream.next_picture()
        assert picture.id is not None
        assert " ".join(picture.data.split()) in expected[picture.id]
        seen.append(picture.id)
    assert seen == list(range(1, len(events) + 1))


def together(*addresses: str, language: str = "nl") -> str:
    return "/stromen?" + urlencode([("spreekt", language), *(("deel", address) for address in addresses)])


def test_tabs_share_one_stream_with_a_channel_for_each_address(venue: Venue) -> None:
    events = played_deal(seed=2)
    venue.deliver(events[:3])
    venue.deliver([replace(event, table="2") for event in events[:3]])
    address = together("/tafel/1/stroom", "/tafel/2/stroom", "/stroom")
    with open_stream(venue.viewer(), address) as stream:
        first = {message.event: message.id for message in (next_fresh(stream) for _ in range(3))}
        assert first == {"picture /tafel/1/stroom": 3, "picture /tafel/2/stroom": 6, "picture /stroom": 6}
        assert venue.services.hub.open_streams == 1
        venue.deliver([replace(events[3], table="2")])
        changed = {next_fresh(stream).event for _ in range(2)}
        assert changed == {"picture /tafel/2/stroom", "picture /stroom"}
    assert venue.services.hub.open_streams == 0


def next_fresh(stream: OpenStream) -> Message:
    return next(message for message in stream.rest() if message.event != "heartbeat")


def test_a_shared_stream_speaks_the_language_that_it_is_asked_for(venue: Venue) -> None:
    venue.deliver(played_deal(seed=2)[:3])
    for language, words in (("nl", "Tafel 1"), ("en", "Table 1")):
        with open_stream(venue.viewer(), together("/stroom", language=language)) as stream:
            assert words in next_fresh(stream).data


@pytest.mark.parametrize("place", ["/wedstrijdleider/stroom", "/tafel/2/invoer/stroom", "/tafel/99/stroom"])
def test_what_a_browser_may_not_see_is_closed_and_the_rest_goes_on(venue: Venue, place: str) -> None:
    venue.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    venue.token("2")
    for client in (venue.viewer(), venue.tablet("1")):
        with open_stream(client, together(place, "/tafel/1/stroom")) as stream:
            assert [next_fresh(stream).event for _ in range(2)] == [
                f"closed {place}",
                "picture /tafel/1/stroom",
            ]


def test_the_desk_in_a_shared_stream_ends_with_the_login(venue: Venue) -> None:
    venue.deliver(played_deal(seed=2)[:3])
    director = venue.director()
    with open_stream(director, together("/wedstrijdleider/stroom", "/stroom")) as stream:
        assert {next_fresh(stream).event for _ in range(2)} == {
            "picture /wedstrijdleider/stroom",
            "picture /stroom",
        }
        cookie = director.get_cookie("klaveroog_session")
        assert cookie is not None
        venue.services.accounts.end_session(cookie.value)
        assert next_fresh(stream).event == "closed /wedstrijdleider/stroom"


@pytest.mark.parametrize(
    "address",
    [
        "/stromen",
        together(),
        together("/tafel/1"),
        together("/nergens"),
        together("/afmelden"),
        together("https://elders.example/stroom"),
        together("/stroom", language="fr"),
        together(*(f"/tafel/{number}/stroom" for number in range(60))),
        together("/stroom\nevent: picture"),
    ],
)
def test_what_is_no_stream_is_refused_and_takes_no_place(venue: Venue, address: str) -> None:
    assert venue.viewer().get(address).status_code == 400
    assert venue.services.hub.open_streams == 0
