"""The organiser's page: who may lead and which table may deliver, given once and taken back at once."""

from __future__ import annotations

import re
import threading

import pytest
from flask.testing import FlaskClient

from dashboard import DashboardConfig, create_app, renew_password
from tests.dashboard.conftest import PASSWORD, Venue
from tests.dashboard.played_deals import played_deal
from tests.dashboard.streams import open_stream
from tracker.events import event_to_json

PAGE = "/beheer"


def shown_once(text: str) -> str:
    """The secret on a page."""
    found = re.search(r'class="shown-once">([^<]+)<', text)
    assert found is not None, text
    return found.group(1)


def sign_in(venue: Venue, name: str, password: str) -> tuple[FlaskClient, int]:
    client = venue.viewer()
    return client, client.post("/aanmelden", data={"name": name, "password": password}).status_code


def what_was_logged(venue: Venue) -> list[tuple[str, str, str, str]]:
    """Who did what to whom at which table, the last first."""
    return [
        (entry.by, entry.what, entry.table, entry.detail.get("name", ""))
        for entry in venue.services.desk_log.latest()
        if entry.by != "console"
    ]


def test_a_wedstrijdleider_is_made_with_a_password_that_is_shown_once(venue: Venue) -> None:
    organiser = venue.organiser()
    password = shown_once(organiser.post(f"{PAGE}/wedstrijdleiders", data={"naam": " Bep "}).text)
    assert len(password) >= 14
    bep, status = sign_in(venue, "Bep", password)
    assert status == 302
    assert bep.get("/wedstrijdleider").status_code == 200
    page = organiser.get(PAGE).text
    assert "Bep" in page
    assert password not in page
    assert "$argon2" not in page
    assert what_was_logged(venue) == [("Odette", "account_made", "", "Bep")]


@pytest.mark.parametrize("name", ["", "   ", "x" * 65, "Odette", "Anneke"])
def test_no_account_is_made_for_a_name_that_is_none_or_taken(venue: Venue, name: str) -> None:
    venue.director()
    organiser = venue.organiser()
    before = venue.services.accounts.all()
    answer = organiser.post(f"{PAGE}/wedstrijdleiders", data={"naam": name})
    assert answer.status_code == 409
    assert 'role="alert"' in answer.text
    assert venue.services.accounts.all() == before
    assert what_was_logged(venue) == []


def test_who_is_taken_away_is_out_at_once_also_where_the_desk_is_open(venue: Venue) -> None:
    organiser, director = venue.organiser(), venue.director()
    with open_stream(director, "/wedstrijdleider/stroom") as stream:
        stream.next_picture()
        assert organiser.post(f"{PAGE}/wedstrijdleiders/weg", data={"naam": "Anneke"}).status_code == 302
        stream.wait_for_end()
    assert director.get("/wedstrijdleider/stroom").status_code == 401
    assert sign_in(venue, "Anneke", PASSWORD)[1] == 403
    assert "Anneke" not in organiser.get(PAGE).text
    assert organiser.post(f"{PAGE}/wedstrijdleiders/weg", data={"naam": "Anneke"}).status_code == 409
    assert what_was_logged(venue) == [("Odette", "account_taken", "", "Anneke")]
    assert "Wedstrijdleider verwijderd" in organiser.get("/wedstrijdleider/logboek").text


def test_the_organiser_cannot_be_taken_away_nor_lose_the_password_there(venue: Venue) -> None:
    organiser = venue.organiser()
    for what in ("weg", "wachtwoord"):
        assert organiser.post(f"{PAGE}/wedstrijdleiders/{what}", data={"naam": "Odette"}).status_code == 409
    assert organiser.get(PAGE).status_code == 200
    assert sign_in(venue, "Odette", PASSWORD)[1] == 302


def test_a_new_password_ends_the_old_one_and_every_login_with_it(venue: Venue) -> None:
    organiser, director = venue.organiser(), venue.director()
    new = shown_once(organiser.post(f"{PAGE}/wedstrijdleiders/wachtwoord", data={"naam": "Anneke"}).text)
    assert director.get("/wedstrijdleider").status_code == 401
    assert sign_in(venue, "Anneke", PASSWORD)[1] == 403
    assert sign_in(venue, "Anneke", new)[1] == 302
    assert what_was_logged(venue) == [("Odette", "password_renewed", "", "Anneke")]


def test_an_organiser_who_forgot_the_password_gets_one_at_the_console(
    venue: Venue, config: DashboardConfig
) -> None:
    organiser = venue.organiser()
    new = renew_password(config, "Odette")
    assert new is not None
    assert organiser.get(PAGE).status_code == 401
    assert sign_in(venue, "Odette", PASSWORD)[1] == 403
    assert sign_in(venue, "Odette", new)[0].get(PAGE).status_code == 200
    assert venue.services.desk_log.latest()[0].by == "console"
    assert renew_password(config, "Niemand") is None


def test_a_table_gets_a_token_that_is_shown_once_and_delivers_with_it(venue: Venue) -> None:
    organiser = venue.organiser()
    token = shown_once(organiser.post(f"{PAGE}/sleutels", data={"tafel": "12"}).text)
    events = [{"sequence": 1, "event": event_to_json(played_deal(seed=1, table="12")[0])}]
    answer = venue.post("12", {"epoch": "journal-1", "events": events}, token)
    assert answer.status_code == 200, answer.text
    page = organiser.get(PAGE).text
    assert "Tafel 12" in page
    assert token not in page
    assert token not in organiser.get("/wedstrijdleider/logboek").text
    assert what_was_logged(venue) == [("Odette", "token_made", "12", "")]
    assert venue.services.tokens.table_of(token) == "12"


@pytest.mark.parametrize("table", ["", "a b", "../1", "é", "-1", "t" * 33])
def test_no_token_is_made_for_what_is_no_name_of_a_table(venue: Venue, table: str) -> None:
    organiser = venue.organiser()
    assert organiser.post(f"{PAGE}/sleutels", data={"tafel": table}).status_code == 409
    assert organiser.post(f"{PAGE}/sleutels/intrekken", data={"tafel": table}).status_code == 409
    assert venue.services.tokens.all() == ()
    assert what_was_logged(venue) == []


def test_a_revoked_token_is_refused_at_once_and_so_is_a_tablet_with_its_page_open(venue: Venue) -> None:
    events = played_deal(seed=1)
    venue.deliver(events[:4])
    organiser, tablet = venue.organiser(), venue.tablet("1")
    old = venue.token("1")
    new = shown_once(organiser.post(f"{PAGE}/sleutels", data={"tafel": "1"}).text)
    with open_stream(tablet, "/tafel/1/invoer/stroom") as stream:
        stream.next_picture()
        assert organiser.post(f"{PAGE}/sleutels/intrekken", data={"tafel": "1"}).status_code == 302
        stream.wait_for_end()
    batch = {"epoch": "journal-1", "events": [{"sequence": 5, "event": event_to_json(events[4])}]}
    for token in (old, new):
        assert venue.post("1", batch, token).status_code == 401
        client = venue.viewer()
        assert client.post("/tafel/1/aanmelden", data={"code": token}).status_code == 403
    assert tablet.get("/tafel/1/invoer").status_code == 401
    assert what_was_logged(venue)[0] == ("Odette", "tokens_revoked", "1", "")
    assert "geen geldige sleutel" in organiser.get(PAGE).text
    # What it told stays, and with a new token it goes on where it was.
    again = shown_once(organiser.post(f"{PAGE}/sleutels", data={"tafel": "1"}).text)
    answer = venue.post("1", batch, again).json
    assert answer == {"acknowledged": 5, "stored": 1}


@pytest.mark.timeout(60)
def test_an_open_stream_of_a_revoked_tablet_does_not_wait_for_the_next_ping(config: DashboardConfig) -> None:
    """With a ping every hour only being woken ends it."""
    slow = config.model_copy(update={"ping_seconds": 3600.0})
    venue = Venue(create_app(slow), slow)
    venue.deliver(played_deal(seed=1)[:4])
    organiser, tablet = venue.organiser(), venue.tablet("1")
    with open_stream(tablet, "/tafel/1/invoer/stroom") as stream:
        stream.next_picture()
        address, form = f"{PAGE}/sleutels/intrekken", {"tafel": "1"}
        revoking = threading.Timer(0.2, lambda: organiser.post(address, data=form))
        revoking.start()
        stream.wait_for_end()
        revoking.join()
    venue.services.store.close()


def test_a_wedstrijdleider_who_is_no_organiser_is_told_so_and_sees_no_way_in(venue: Venue) -> None:
    director = venue.director()
    answer = director.get(PAGE, headers={"Accept": "text/html"})
    assert answer.status_code == 403
    assert "Deze pagina is voor de organisator." in answer.text
    assert f'href="{PAGE}"' not in director.get("/wedstrijdleider").text
    assert f'href="{PAGE}"' in venue.organiser().get("/wedstrijdleider").text
    nobody = venue.viewer().get(PAGE, headers={"Accept": "text/html"})
    assert (nobody.status_code, nobody.location) == (302, "/aanmelden")


def test_both_languages_are_spoken_there(venue: Venue) -> None:
    organiser = venue.organiser()
    organiser.post(f"{PAGE}/sleutels", data={"tafel": "1"})
    assert "Wedstrijdleider toevoegen" in organiser.get(f"{PAGE}?taal=nl").text
    english = organiser.get(f"{PAGE}?taal=en").text
    assert "Add a tournament director" in english
    assert "edstrijdleider" not in english.split("<main>")[1].replace("/wedstrijdleider", "").replace(
        'id="wedstrijdleiders"', ""
    )
