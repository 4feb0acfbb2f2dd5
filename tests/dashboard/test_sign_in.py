"""Logging in: no default account, one code once, slow guessing, and a cookie that scripts cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard import DashboardConfig, create_app
from dashboard.errors import TooManyAttemptsError
from dashboard.rate_limit import RateLimit
from tests.dashboard.conftest import PASSWORD, Venue


def first_form(code: str, password: str = PASSWORD, name: str = "Anneke") -> dict[str, str]:
    return {"code": code, "name": name, "password": password}


def test_there_is_no_account_until_the_code_makes_one(venue: Venue) -> None:
    assert not venue.services.accounts.exist()
    assert venue.viewer().get("/aanmelden").location == "/eerste-keer"
    assert venue.viewer().post("/aanmelden", data={"name": "admin", "password": "admin"}).status_code == 403
    assert venue.director().get("/wedstrijdleider").status_code == 200
    assert venue.viewer().get("/eerste-keer").location == "/aanmelden"


def test_the_code_works_once(venue: Venue) -> None:
    code = venue.services.accounts.new_first_run_code()
    assert code is not None
    assert venue.viewer().post("/eerste-keer", data=first_form("AAAA-BBBB-CCCC")).status_code == 403
    assert venue.viewer().post("/eerste-keer", data=first_form(code.lower())).status_code == 302
    assert venue.viewer().post("/eerste-keer", data=first_form(code, name="Bert")).status_code == 403
    assert venue.services.accounts.by_name("Bert") is None
    assert venue.services.accounts.new_first_run_code() is None


def test_a_newer_code_takes_the_place_of_an_older_one(venue: Venue) -> None:
    old, new = (venue.services.accounts.new_first_run_code() for _ in range(2))
    assert old is not None
    assert new is not None
    assert venue.viewer().post("/eerste-keer", data=first_form(old)).status_code == 403
    assert venue.viewer().post("/eerste-keer", data=first_form(new)).status_code == 302


def test_a_short_password_does_not_use_up_the_code(venue: Venue) -> None:
    code = venue.services.accounts.new_first_run_code()
    assert code is not None
    answer = venue.viewer().post("/eerste-keer", data=first_form(code, password="kort"))
    assert answer.status_code == 403
    assert "minstens 10 tekens" in answer.text
    # Nobody types a code over twice for a password that was too short; the password itself never comes back.
    assert f'value="{code}"' in answer.text
    assert 'value="Anneke"' in answer.text
    assert "kort" not in answer.text
    assert venue.viewer().post("/eerste-keer", data=first_form(code)).status_code == 302


def test_a_wrong_name_and_a_wrong_password_look_the_same(venue: Venue) -> None:
    venue.director()
    answers = [
        venue.viewer().post("/aanmelden", data={"name": name, "password": "mis maar lang"})
        for name in ("Anneke", "Niemand")
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].text == answers[1].text


def test_guessing_is_stopped_and_pages_still_work(venue: Venue) -> None:
    venue.director()
    client = venue.viewer()
    wrong = {"name": "Anneke", "password": "mis maar lang"}
    statuses = [client.post("/aanmelden", data=wrong).status_code for _ in range(12)]
    assert statuses[0] == 403
    assert statuses[-1] == 429
    answer = client.post("/aanmelden", data={"name": "Anneke", "password": PASSWORD})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert client.get("/").status_code == 200


def test_the_limit_lets_go_after_its_time() -> None:
    now = [0.0]
    limit = RateLimit(attempts=2, window_s=60.0, clock=lambda: now[0])
    limit.count("a")
    limit.count("a")
    with pytest.raises(TooManyAttemptsError) as refused:
        limit.count("a")
    assert refused.value.retry_after_s == 61
    limit.count("b")
    now[0] = 60.5
    limit.count("a")


def test_the_cookie_is_out_of_reach_and_the_server_forgets_it(venue: Venue) -> None:
    director = venue.director()
    cookie = director.get_cookie("klaveroog_session")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Lax"
    assert not cookie.secure
    key = cookie.value
    assert director.post("/afmelden").status_code == 302
    thief = venue.viewer()
    thief.set_cookie("klaveroog_session", key)
    assert thief.get("/wedstrijdleider/stroom").status_code == 401


def test_behind_https_the_cookie_travels_only_there(tmp_path: Path) -> None:
    config = DashboardConfig(database=str(tmp_path / "venue.sqlite"), https=True)
    cookie = Venue(create_app(config), config).director().get_cookie("klaveroog_session")
    assert cookie is not None
    assert cookie.secure


@pytest.mark.parametrize("database_kind", ["sqlite"])  # It looks into the file.
def test_neither_password_nor_session_nor_code_lies_in_the_database(venue: Venue, tmp_path: Path) -> None:
    cookie = venue.director().get_cookie("klaveroog_session")
    assert cookie is not None
    content = b"".join(path.read_bytes() for path in tmp_path.glob("venue.sqlite*"))
    assert b"$argon2id$" in content
    assert PASSWORD.encode() not in content
    assert cookie.value.encode() not in content
