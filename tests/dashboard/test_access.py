"""Who may call what: the table in ``dashboard/access.py`` against the addresses that the app really has."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from dashboard.access import ACCESS, Role, may_call
from dashboard.security import CONTENT_SECURITY_POLICY
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import played_deal

FILLED_IN = {"match": "1.1", "filename": "style.css"}


def rules_of(venue: Venue) -> list[Rule]:
    return list(venue.app.url_map.iter_rules())


def test_every_address_stands_in_the_table_and_the_table_has_no_other(venue: Venue) -> None:
    assert {rule.endpoint for rule in rules_of(venue)} == set(ACCESS)


def test_an_address_that_is_not_in_the_table_is_closed(venue: Venue) -> None:
    assert not any(may_call(role, "somewhere.else") for role in Role)
    venue.app.add_url_rule("/vergeten", "forgotten", lambda: "open")
    assert venue.viewer().get("/vergeten").status_code == 401
    assert venue.director().get("/vergeten").status_code == 403


@pytest.mark.parametrize("role", list(Role))
def test_each_role_gets_where_it_may_and_nowhere_else(venue: Venue, role: Role) -> None:
    venue.deliver(played_deal(seed=1)[:5])
    clients: dict[Role, Callable[[], FlaskClient]] = {
        Role.DIRECTOR: venue.director,
        Role.ORGANISER: venue.organiser,
        Role.TABLET: lambda: venue.tablet("1"),
    }
    client = clients.get(role, lambda: venue.viewer())()
    # Whoever leaves is nobody any more, so that comes last.
    for rule in sorted(rules_of(venue), key=lambda rule: rule.endpoint.endswith(".leave")):
        for method in sorted((rule.methods or set()) - {"OPTIONS", "HEAD"}):
            answer = call(venue, client, role, method, address_of(rule))
            opened = not is_refused(answer)
            answer.close()
            assert opened == may_call(role, rule.endpoint), (role, method, rule.rule, answer.status)


def address_of(rule: Rule) -> str:
    """An address that the rule takes, of table 1 where it is about a table."""
    return re.sub(r"<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>", filled_in, rule.rule)


def filled_in(parameter: re.Match[str]) -> str:
    kind, name = parameter.groups()
    if kind == "any":
        return parameter.group().split("(")[1].split(",")[0].split(")")[0]
    return FILLED_IN.get(name, "1")


def call(venue: Venue, client: FlaskClient, role: Role, method: str, address: str) -> TestResponse:
    headers = {"Authorization": f"Bearer {venue.token('1')}"} if role is Role.TABLE else {}
    return client.open(address, method=method, headers=headers)


def is_refused(answer: TestResponse) -> bool:
    """Refused by the guard: not a wrong password or an empty batch, which is the view's own answer."""
    return answer.status_code == 401 or (answer.status_code == 403 and "form" not in answer.text)


CHROMIUM = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,"
    "application/signed-exchange;v=b3;q=0.7"
)
FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("accept", [CHROMIUM, FIREFOX, "text/html"])
def test_a_person_without_login_is_led_to_the_login_page(venue: Venue, accept: str) -> None:
    venue.director()
    answer = venue.viewer().get("/wedstrijdleider", headers={"Accept": accept})
    assert (answer.status_code, answer.location) == (302, "/aanmelden")
    assert venue.viewer().get("/wedstrijdleider/stroom").status_code == 401


@pytest.mark.parametrize("accept", [CHROMIUM, FIREFOX])
def test_a_browser_gets_a_page_for_what_is_not_there_and_a_program_gets_json(
    venue: Venue, accept: str
) -> None:
    assert venue.viewer().get("/tafel/99", headers={"Accept": accept}).mimetype == "text/html"
    assert venue.viewer().get("/tafel/99", headers={"Accept": "*/*"}).mimetype == "application/json"
    assert venue.viewer().get("/tafel/99").mimetype == "application/json"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://elders.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[zaal"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 302),
        ({"Origin": "http://localhost"}, 302),
        ({}, 302),
    ],
)
def test_a_form_from_another_site_does_nothing(venue: Venue, headers: dict[str, str], status: int) -> None:
    director = venue.director()
    assert director.post("/afmelden", headers=headers).status_code == status
    still_in = director.get("/wedstrijdleider").status_code == 200
    assert still_in == (status == 403)


def test_every_answer_tells_the_browser_what_it_may_do(venue: Venue) -> None:
    venue.deliver(played_deal(seed=1)[:5])
    for address in ("/", "/tafel/1", "/aanmelden", "/nergens", "/api/tafels/1", "/static/live.js"):
        answer = venue.viewer().get(address)
        assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        answer.close()
    assert "unsafe" not in CONTENT_SECURITY_POLICY


def test_pages_use_nothing_from_elsewhere_and_no_inline_script_or_style(venue: Venue) -> None:
    venue.deliver(played_deal(seed=1)[:20])
    director = venue.director()
    for address in ("/", "/tafel/1", "/wedstrijdleider", "/aanmelden"):
        text = director.get(address).text
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text
        assert " style=" not in text
        assert " onclick=" not in text
        assert "<script>" not in text
