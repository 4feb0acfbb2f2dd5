"""The guards, walked over every address that the app has, so that a new page is looked at by itself.

Beside these: who may call what in ``test_access``, passwords, first-run code, rate limit and cookies in
``test_sign_in``, what a screen may tell in ``test_privacy``, and what a table may send in ``test_ingest``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from capture.errors import SourceError
from capture.sources import open_source
from dashboard import DashboardConfig, create_app
from dashboard.access import ACCESS, Role, may_call
from dashboard.security import CONTENT_SECURITY_POLICY
from rules import Card, Rank, Suit
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import played_deal, replayed
from tests.dashboard.streams import open_stream
from tests.dashboard.test_access import address_of
from tests.dashboard.test_privacy import FORBIDDEN, codes_in
from tracker.events import CardPlayed, Event, TrickCovered

FROM_ELSEWHERE = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
    {"Origin": "http://elders.example"},
)


def rules_with(venue: Venue, methods: set[str]) -> Iterator[tuple[Rule, str]]:
    """Every address that takes one of the methods, with that method."""
    for rule in venue.app.url_map.iter_rules():
        for method in sorted(methods & (rule.methods or set())):
            yield rule, method


def test_no_form_is_taken_from_another_site_wherever_it_goes(venue: Venue) -> None:
    venue.deliver(played_deal(seed=1)[:5])
    clients = (venue.organiser(), venue.tablet("1"), venue.viewer())
    walked = 0
    for rule, method in rules_with(venue, {"POST", "PUT", "PATCH", "DELETE"}):
        for client in clients:
            for headers in FROM_ELSEWHERE:
                answer = client.open(address_of(rule), method=method, headers=headers)
                assert answer.status_code == 403, (rule.rule, headers)
                walked += 1
    assert walked > 100
    assert clients[0].get("/wedstrijdleider").status_code == 200  # The way out was walked too.


def test_nothing_is_changed_by_looking(venue: Venue) -> None:
    """A link on another site makes a browser look with its cookie: that must do nothing."""
    venue.deliver(played_deal(seed=1))
    director = venue.director()
    before = (venue.services.log.count(), venue.services.desk_log.latest())
    for rule, _ in rules_with(venue, {"GET"}):
        director.get(address_of(rule), headers={"Sec-Fetch-Site": "cross-site"}).close()
    assert (venue.services.log.count(), venue.services.desk_log.latest()) == before


def test_every_page_says_what_a_browser_may_do_and_needs_nothing_inline(venue: Venue) -> None:
    venue.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    director, pages = venue.director(), 0
    for rule, _ in rules_with(venue, {"GET"}):
        answer = director.get(address_of(rule), headers={"Accept": "text/html"})
        assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY, rule.rule
        assert answer.headers["X-Content-Type-Options"] == "nosniff", rule.rule
        if answer.mimetype == "text/html":
            pages += 1
            assert not re.search(r"<script>|<style|\sstyle=|\son[a-z]+=|javascript:", answer.text), rule.rule
        answer.close()
    assert pages > 15
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "default-src 'none'" in CONTENT_SECURITY_POLICY


def test_every_cookie_is_out_of_reach_of_scripts_and_behind_https_travels_only_there(
    config: DashboardConfig, venue: Venue
) -> None:
    secured_config = config.model_copy(update={"https": True})
    secured = Venue(create_app(secured_config), secured_config)
    secured.token("1")
    answers = [
        secured.viewer().get("/?taal=en"),
        secured.viewer().post("/tafel/1/aanmelden", data={"code": secured.token("1")}),
        secured.viewer().post("/aanmelden", data={"name": "Anneke", "password": "mis maar lang"}),
    ]
    secured.director()
    key = {"name": "Anneke", "password": "een lang wachtwoord"}
    answers.append(secured.viewer().post("/aanmelden", data=key))
    cookies = [cookie for answer in answers for cookie in answer.headers.getlist("Set-Cookie")]
    names = {cookie.split("=")[0] for cookie in cookies}
    assert len(names) == 3
    for cookie in cookies:
        for flag in ("HttpOnly", "SameSite=Lax", "Secure"):
            assert flag in cookie, cookie
    secured.services.store.close()


def test_a_session_ends_when_its_time_is_over(venue: Venue) -> None:
    venue.director()
    account = venue.services.accounts.by_name("Anneke")
    assert account is not None
    lived = venue.services.accounts.start_session(account, timedelta(seconds=-1))
    client = venue.viewer()
    client.set_cookie("klaveroog_session", lived)
    assert client.get("/wedstrijdleider/stroom").status_code == 401
    tablet = venue.viewer()
    venue.token("1")
    tablet.set_cookie("klaveroog_tablet", venue.services.tablets.start_session("1", timedelta(seconds=-1)))
    assert tablet.post("/tafel/1/tablet-afmelden").status_code == 401


@pytest.mark.parametrize("role", [Role.TABLE, Role.TABLET])
def test_a_table_writes_nowhere_but_for_itself_and_nowhere_at_all_when_its_keys_are_taken_back(
    venue: Venue, role: Role
) -> None:
    venue.token("2")
    client, headers = as_table(venue, role)
    mine = [
        (rule, method)
        for rule, method in rules_with(venue, {"POST", "PUT", "DELETE"})
        if may_call(role, rule.endpoint) and not may_call(Role.VIEWER, rule.endpoint)
    ]
    assert mine
    for rule, method in mine:
        if rule.endpoint == "tablet.leave":
            continue  # Wherever it says so, a tablet leaves only its own table.
        other = address_of(rule).replace("/1", "/2", 1)
        assert client.open(other, method=method, headers=headers).status_code == 403, rule.rule
    assert venue.services.tokens.revoke_all("1") == 1
    for rule, method in mine:
        assert client.open(address_of(rule), method=method, headers=headers).status_code == 401, rule.rule


def as_table(venue: Venue, role: Role) -> tuple[FlaskClient, dict[str, str]]:
    """Somebody who writes for table 1: its process or its tablet."""
    if role is Role.TABLET:
        return venue.tablet("1"), {}
    return venue.viewer(), {"Authorization": f"Bearer {venue.token('1')}"}


@pytest.mark.parametrize(
    "address",
    [
        "http://camera/beeld",
        "https://camera/beeld",
        "file:///etc/passwd",
        "ftp://camera/film.mp4",
        "gopher://camera/",
        "tcp://127.0.0.1:22",
        "udp://239.0.0.1:1234",
        "concat:/etc/passwd|/etc/hosts",
        "data:video/mp4;base64,AAAA",
        "subfile,,start,0,end,0,,:/etc/passwd",
        "pipe:0",
        "RTSP://camera/film",
        "javascript:alert(1)",
    ],
)
def test_a_camera_has_an_address_of_a_camera_or_is_a_file_that_is_there(address: str) -> None:
    with pytest.raises(SourceError):
        open_source(address).close()


@pytest.mark.parametrize(
    "media_id",
    ["..%2F..%2Fvenue", "%2e%2e", "..", "a.webp", "a%00", "a/../b", "%2Fetc%2Fpasswd", "é", "a" * 81, "-a"],
)
def test_a_clip_is_found_by_an_id_and_by_no_path(venue: Venue, media_id: str) -> None:
    venue.deliver(played_deal(seed=1)[:5])
    (venue.config.media_path / "1" / "clip").mkdir(parents=True)
    (venue.config.media_path / "venue.mp4").write_bytes(b"\0\0\0\x18ftypisom")
    director = venue.director()
    for kind in ("clip", "crop"):
        assert director.get(f"/wedstrijdleider/beeld/1/{kind}/{media_id}").status_code in (400, 404)
    headers = {"Authorization": f"Bearer {venue.token('1')}", "Content-Type": "video/mp4"}
    before = sorted(venue.config.media_path.rglob("*"))
    answer = venue.viewer().put(
        f"/api/tafels/1/media/clip/{media_id}", data=b"\0\0\0\x18ftypisom", headers=headers
    )
    assert 400 <= answer.status_code < 500
    assert sorted(venue.config.media_path.rglob("*")) == before


def test_no_answer_to_a_viewer_or_a_table_tells_of_verzaken_or_of_a_covered_card(venue: Venue) -> None:
    """Every address that they may look at, and every answer to what a table sends, once a trick
    is covered: the one with the verzaking, the one that proves it, and the last."""
    events = [
        replace(event, alternatives=((Card(Suit.CLUBS, Rank.SEVEN), 0.0123),))
        if isinstance(event, CardPlayed)
        else event
        for event in played_deal(seed=5, revoking=True, confidence=0.9999)
    ]
    (revoke,) = replayed(events).revokes
    walked, looked_after = 0, {revoke.trick, revoke.proven_trick, 8}
    for event in events:
        venue.deliver([event])
        if isinstance(event, TrickCovered) and event.trick in looked_after:
            walked += look_everywhere(venue)
    assert walked > 60
    assert revoke.seat.dutch in venue.director().get("/wedstrijdleider?taal=nl").text  # There it is told.


def look_everywhere(venue: Venue) -> int:
    """How many answers were looked through, with every trick covered."""
    walked = 0
    bearer = {"Authorization": f"Bearer {venue.token('1')}"}
    for client, role in (
        (venue.viewer(), Role.VIEWER),
        (venue.tablet("1"), Role.TABLET),
        (venue.viewer(), Role.TABLE),
    ):
        headers = bearer if role is Role.TABLE else {}
        for rule, _ in rules_with(venue, {"GET"}):
            if not may_call(role, rule.endpoint) or rule.endpoint == "static":
                continue
            text = fetched(client, address_of(rule), headers)
            walked += 1
            if not rule.endpoint.startswith("table_input."):  # There players accuse: see the next test.
                assert not FORBIDDEN.search(text), (rule.rule, FORBIDDEN.search(text))
            assert 'role="img" aria-label="' not in text, rule.rule
    state = venue.viewer().get("/api/tafels/1", headers=bearer).json
    assert codes_in(state) == []
    status = {"version": 1}
    told = venue.viewer().post("/api/tafels/1/status", json=status, headers=bearer)
    assert not FORBIDDEN.search(told.text)
    return walked


def test_a_tablet_says_the_same_whether_or_not_somebody_verzaakte(venue: Venue) -> None:
    """It has buttons with which players accuse: at every table alike, whatever the cards have shown."""
    revoking = played_deal(seed=5, revoking=True, confidence=0.9999)
    honest = played_deal(seed=5, table="2", confidence=0.9999)
    tablets, said = (venue.tablet("1"), venue.tablet("2")), 0
    for trick in range(1, 9):
        for events in (revoking, honest):
            venue.deliver(until_covered(events, trick))
        for address in ("/tafel/{}/invoer", "/tafel/{}/invoer/stroom"):
            words = [
                FORBIDDEN.findall(fetched(tablet, address.format(table), {}))
                for table, tablet in enumerate(tablets, start=1)
            ]
            assert words[0] == words[1], (trick, address)
            said += len(words[0])
    assert said


def until_covered(events: list[Event], trick: int) -> list[Event]:
    """The events after the covering of the trick before, up to the covering of this one."""
    covered = [place for place, event in enumerate(events, start=1) if isinstance(event, TrickCovered)]
    return events[covered[trick - 2] if trick > 1 else 0 : covered[trick - 1]]


def fetched(client: FlaskClient, address: str, headers: dict[str, str]) -> str:
    if address.endswith("stroom"):
        with open_stream(client, address) as stream:
            return stream.next_picture().data
    answer = client.get(address, headers=headers)
    return answer.text if answer.mimetype != "application/pdf" else ""


def test_the_table_of_who_may_call_what_leaves_secrets_to_the_wedstrijdleider() -> None:
    """Said once more by name, so that a slip in the table itself is seen."""
    for endpoint, roles in ACCESS.items():
        blueprint = endpoint.partition(".")[0]
        if blueprint in (
            "director",
            "ruling",
            "replay",
            "correction",
            "desk",
            "phone",
            "exchange",
            "evenings",
        ):
            assert roles == {Role.DIRECTOR, Role.ORGANISER}, endpoint
        if blueprint == "organiser":
            assert roles == {Role.ORGANISER}, endpoint
