"""The tablet at a table: what can be said when, and that nothing settled can be taken back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from dashboard.table_input import ROEM_VALUES
from rules import AMSTERDAMS_MET_PASSEN, KLAVERJAS_DRIVE, ROTTERDAMS, Reglement, Seat, Suit, Team
from rules.articles import Topic, article
from tests.dashboard.conftest import Venue
from tests.dashboard.desk_venue import DeskPages
from tests.dashboard.evening_deals import told_deal
from tracker.events import DealStarted, Event, PlayerPassed, RoemCalled, TrumpDeclared

PLAIN = told_deal("plain", 1, "1")


def start(reglement: str = KLAVERJAS_DRIVE.name) -> DealStarted:
    first = PLAIN[0]
    assert isinstance(first, DealStarted)
    return replace(first, reglement=reglement)


class Tablet:
    """The tablet of table 1 and what was written of what it said."""

    def __init__(self, venue: Venue) -> None:
        self.venue = venue
        self.client = venue.tablet("1")

    def page(self) -> str:
        return self.client.get("/tafel/1/invoer").text

    def say(self, what: str, **fields: object) -> TestResponse:
        form = {"wat": what, "spel": 1, **fields}
        return self.client.post("/tafel/1/invoer", data={name: str(value) for name, value in form.items()})

    def written(self) -> list[Event]:
        record = self.venue.services.books.current("1")
        return [one.event for one in record.logged if one.is_written_at_venue]


@pytest.fixture
def tablet(venue: Venue) -> Tablet:
    return Tablet(venue)


def test_a_code_from_the_desk_makes_a_tablet_of_a_browser_and_opens_its_page(venue: Venue) -> None:
    venue.deliver([start()])
    desk = venue.director()
    assert 'action="/wedstrijdleider/tafels/1/koppelen"' in desk.get("/wedstrijdleider").text
    shown = desk.post("/wedstrijdleider/tafels/1/koppelen").text
    found = re.search(r'class="pairing-code">([^<]+)<', shown)
    assert found is not None
    browser = venue.viewer()
    answer = browser.post("/tafel/1/aanmelden", data={"code": found.group(1)}, follow_redirects=True)
    assert answer.request.path == "/tafel/1/invoer"
    assert "Wie speelt?" in answer.text


def test_trump_is_told_once(tablet: Tablet) -> None:
    tablet.venue.deliver([start()])
    assert tablet.say("troef", wie="W", troef="H").status_code == 302
    (event,) = tablet.written()
    assert isinstance(event, TrumpDeclared)
    assert (event.seat, event.trump) == (Seat.WEST, Suit.HEARTS)
    assert "Wie speelt?" not in tablet.page()
    assert tablet.say("troef", wie="N", troef="S").status_code == 409
    assert tablet.written() == [event]


def test_passing_goes_round_where_the_reglement_has_it_and_not_at_a_drive(venue: Venue) -> None:
    tablet = Tablet(venue)
    venue.deliver([start()])
    assert "Ik pas" not in tablet.page()
    assert tablet.say("troef", wie="W", pas=1).status_code == 409
    venue.deliver([start(AMSTERDAMS_MET_PASSEN.name)])
    assert "Ik pas" in tablet.page()
    assert tablet.say("troef", wie="W", pas=1).status_code == 302
    assert [type(event) for event in tablet.written()] == [PlayerPassed]
    assert re.search(r'name="wie" value="N" required checked', tablet.page())


def test_roem_can_be_called_until_the_trick_is_covered(tablet: Tablet) -> None:
    tablet.venue.deliver(PLAIN[:6])
    assert tablet.say("roem", wie="N", slag=1, roem=20).status_code == 302
    (event,) = tablet.written()
    assert isinstance(event, RoemCalled)
    assert (event.trick, event.points) == (1, 20)
    assert tablet.say("roem", wie="N", slag=1, roem=25).status_code == 400
    tablet.venue.deliver(PLAIN[6:7])
    assert tablet.say("roem", wie="N", slag=1, roem=50).status_code == 409
    assert tablet.written() == [event]
    assert set(ROEM_VALUES) >= {20, 50, 100, 200}


def test_pressed_twice_it_is_said_once(tablet: Tablet) -> None:
    tablet.venue.deliver(PLAIN[:4])
    for _ in range(3):
        assert tablet.say("wedstrijdleider").status_code == 302
    assert len(tablet.written()) == 1


def test_a_side_that_agrees_has_agreed_and_a_difference_goes_to_the_desk(tablet: Tablet) -> None:
    venue = tablet.venue
    venue.deliver(PLAIN)
    assert "Klopt spel 1?" in tablet.page()
    assert tablet.say("klopt", kant="NS", klopt="ja").status_code == 302
    assert tablet.say("klopt", kant="NS", klopt="nee").status_code == 409
    assert tablet.say("klopt", kant="EW", klopt="nee").status_code == 302
    pages = DeskPages(venue, venue.director())
    (alert,) = pages.alerts()
    assert (alert.kind.value, alert.team, alert.over) == ("disagreed", Team.EAST_WEST, False)
    assert "zegt dat de stand van dit spel niet klopt" in pages.client.get("/wedstrijdleider").text
    assert "klopt niet: de wedstrijdleider weet het" in tablet.page()
    assert tablet.say("klopt", kant="EW", klopt="ja").status_code == 302
    assert [alert.over for alert in pages.alerts()] == [True]
    assert len(tablet.written()) == 3


def test_an_accusation_is_of_the_other_side_and_a_strafkaart_is_played_in_one_of_two_ways(
    tablet: Tablet,
) -> None:
    tablet.venue.deliver(PLAIN[:8])
    assert tablet.say("verzaakt", wie="N", beschuldigd="S").status_code == 400
    assert tablet.say("verzaakt", wie="N", beschuldigd="E").status_code == 302
    assert tablet.say("strafkaart", wie="N", kaart="HA", hoe="zomaar").status_code == 400
    assert tablet.say("strafkaart", wie="N", kaart="HA", hoe="voorspelen").status_code == 302
    assert [type(event).__name__ for event in tablet.written()] == ["RevokeAccused", "PenaltyCardCalled"]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"wat": "iets", "spel": "1"},
        {"wat": "klopt", "spel": "x"},
        {"wat": "troef", "spel": "1", "wie": "Q"},
        {"wat": "roem", "spel": "1", "wie": "N", "slag": "1", "roem": "-20"},
        {"wat": "uit", "spel": "1", "wie": "N", "slagen": "3"},
    ],
)
def test_what_a_table_cannot_say_is_refused_with_a_page_and_writes_nothing(
    tablet: Tablet, form: Mapping[str, str]
) -> None:
    tablet.venue.deliver([*PLAIN[:1], *PLAIN[2:6]])
    answer = tablet.client.post("/tafel/1/invoer", data=form)
    assert answer.status_code in (400, 409)
    assert 'role="alert"' in answer.text
    assert tablet.written() == []


def test_a_tablet_speaks_for_its_own_table_only(venue: Venue) -> None:
    venue.deliver(PLAIN[:4])
    venue.deliver(told_deal("plain", 1, "2")[:4])
    tablet = Tablet(venue)
    assert tablet.client.get("/tafel/2/invoer").status_code == 403
    form = {"wat": "wedstrijdleider", "spel": "1"}
    assert tablet.client.post("/tafel/2/invoer", data=form).status_code == 403
    assert venue.viewer().post("/tafel/1/invoer", data=form).status_code == 401


def test_a_tablet_whose_token_was_taken_back_reads_how_it_is_paired_again(venue: Venue) -> None:
    venue.deliver(PLAIN[:4])
    tablet = Tablet(venue)
    venue.services.tokens.revoke_all("1")
    form, person = {"wat": "wedstrijdleider", "spel": "1"}, {"Accept": "text/html"}
    for answer in (
        tablet.client.get("/tafel/1/invoer", headers=person),
        tablet.client.post("/tafel/1/invoer", data=form, headers=person),
    ):
        assert answer.status_code in (401, 403)
        assert "Deze tablet is niet meer gekoppeld" in answer.text
        assert 'href="/tafel/1/aanmelden"' in answer.text


def test_nothing_of_a_verzaking_is_on_the_tablet(venue: Venue) -> None:
    venue.deliver(told_deal("revoked", 1, "1"))
    page = Tablet(venue).page()
    assert "aangetoond" not in page
    assert "hier werd verzaakt" not in page


@pytest.mark.parametrize("reglement", [KLAVERJAS_DRIVE, AMSTERDAMS_MET_PASSEN, ROTTERDAMS])
def test_what_an_accusation_costs_is_cited_from_the_text_that_the_table_plays_by(
    tablet: Tablet, reglement: Reglement
) -> None:
    tablet.venue.deliver([start(reglement.name), *PLAIN[1:8]])
    cited = article(reglement.basis, Topic.ACCUSATION)
    silent = (
        ", want het Reglement Klaverjas Drive zegt hier niets over" if reglement is KLAVERJAS_DRIVE else ""
    )
    assert f"Een onjuiste beschuldiging kost het spel ({cited}{silent})." in tablet.page()
