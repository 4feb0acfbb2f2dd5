"""Rulings: what a button says it will do is what it does, once, and it can be undone."""

from __future__ import annotations

import re
import threading
from datetime import timedelta
from html import unescape

import pytest

from dashboard.desk.alerts import AlertKind
from dashboard.desk.effects import score_of
from dashboard.desk.status import AlertState, cases_of
from rules import Decision, Seat, Team, roem_in_trick
from tests.dashboard.conftest import Venue
from tests.dashboard.desk_venue import DeskPages
from tests.dashboard.played_deals import played_deal, replayed
from tracker.events import RevokeAccused


@pytest.fixture
def desk(venue: Venue) -> DeskPages:
    """A deal in which somebody verzaakte so that the cards prove it, and an ordinary one after it."""
    venue.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    venue.deliver(played_deal(seed=8, number=2))
    return DeskPages(venue, venue.director())


def revoke_key(desk: DeskPages) -> str:
    return next(alert.key for alert in desk.alerts() if alert.kind is AlertKind.REVOKE)


def state_of(desk: DeskPages, key: str) -> AlertState:
    entries = desk.venue.services.desk_log.of_match(desk.table, desk.match)
    cases = cases_of(desk.record, entries)
    return next(case.state for case in cases if case.alert.key == key)


def test_koppel_brings_what_article_13_says_and_what_the_button_said(desk: DeskPages) -> None:
    (revoke,) = replayed(played_deal(seed=5, revoking=True, confidence=0.9999)).revokes
    deal = desk.record.deals[0].deal
    second = desk.record.deals[1].deal.result()
    covered = revoke.proven_trick - 1
    roem = sum(
        part.points
        for trick in deal.tricks[:covered]
        for part in roem_in_trick(trick.cards, deal.trump).parts
    )
    form = desk.form(f"{desk.ruling_address()}?melding={revoke_key(desk)}")
    shown = form["gezien-verzaakt-koppel"]
    assert desk.press("verzaakt-koppel", form).status_code == 302
    offenders = revoke.seat.team
    row = desk.record.deals[0].deal.result()
    assert row.score_points == {offenders: 0, offenders.opponents: 262}
    assert row.score_roem == {offenders: 0, offenders.opponents: roem}
    assert row.kruizen == {offenders: 3, offenders.opponents: 0}
    assert f"{offenders.opponents.value}:262+{roem}x0" in shown
    assert f"{offenders.value}={second.total(offenders)}" in shown
    assert desk.totals[offenders] == second.total(offenders)
    assert desk.totals[offenders.opponents] == 262 + roem + second.total(offenders.opponents)


@pytest.mark.parametrize("decision", [one for one in Decision if one is not Decision.UNDO])
def test_every_button_does_what_stood_beside_it_and_undoing_gives_everything_back(
    desk: DeskPages, decision: Decision
) -> None:
    before = desk.totals
    query = f"melding={revoke_key(desk)}&beschuldiger=E&strafkaart=HT"
    form = desk.form(f"{desk.ruling_address()}?{query}")
    assert desk.press(decision.value, form).status_code == 302
    shown = form[f"gezien-{decision.value}"]
    assert all(f"{team.value}={desk.totals[team]}" in shown for team in Team)
    assert desk.decisions() == [decision.value]
    known = desk.form(desk.ruling_address())["beslist"]
    undo = {"beslissing": "ongedaan", "nummer": "1", "beslist": known}
    assert desk.client.post(desk.ruling_address(), data=undo).status_code == 302
    assert desk.decisions() == []
    assert desk.totals == before


def test_without_saying_who_it_cannot_be_pressed(desk: DeskPages) -> None:
    page = desk.client.get(f"{desk.ruling_address()}?taal=nl").text
    assert "Kies eerst wie het heeft gedaan." in page
    form = desk.form(desk.ruling_address())
    assert "gezien-verzaakt-koppel" not in form
    assert desk.press("verzaakt-koppel", form).status_code == 409
    assert desk.decisions() == []


def test_pressed_twice_it_is_one_ruling_and_the_second_is_told_so(desk: DeskPages) -> None:
    form = desk.form(f"{desk.ruling_address()}?melding={revoke_key(desk)}")
    assert desk.press("verzaakt-koppel", form).status_code == 302
    again = desk.press("verzaakt-koppel", form)
    assert again.status_code == 409
    assert "al over dit spel beslist" in again.text
    assert desk.decisions() == ["verzaakt-koppel"]


def test_what_is_in_force_cannot_be_decided_again_until_it_is_undone(desk: DeskPages) -> None:
    query = f"melding={revoke_key(desk)}"
    assert desk.rule("verzaakt-koppel", query).status_code == 302
    totals = desk.totals
    page = desk.client.get(f"{desk.ruling_address()}?{query}").text
    assert re.search(r'value="verzaakt-koppel" disabled', page)
    assert "Dit is al beslist" in page
    assert desk.rule("verzaakt-koppel", query).status_code == 409
    assert desk.decisions() == ["verzaakt-koppel"]
    undone = {"beslist": str(desk.record.last_ruling_id(1)), "nummer": "1"}
    assert desk.press("ongedaan", undone).status_code == 302
    assert desk.decisions() == []
    assert desk.rule("verzaakt-koppel", query).status_code == 302
    assert desk.totals == totals


def test_of_each_of_two_alerts_can_be_said_that_nothing_is_done(desk: DeskPages) -> None:
    at = desk.record.deals[0].events[-1].time_utc
    desk.venue.deliver([RevokeAccused(table="1", deal=1, time_utc=at, by=Seat.NORTH, accused=Seat.EAST)])
    keys = [alert.key for alert in desk.alerts()]
    assert len(keys) == 2
    for key in keys:
        assert desk.rule("geen-actie", f"melding={key}").status_code == 302
        assert state_of(desk, key) is AlertState.DECIDED


def test_an_alert_nobody_decided_about_stays_on_the_desk_when_the_next_match_begins(venue: Venue) -> None:
    venue.deliver(played_deal(seed=5, revoking=True, confidence=0.9999), epoch="partij-1")
    first = DeskPages(venue, venue.director())
    key, match = revoke_key(first), first.match
    venue.deliver(played_deal(seed=8), epoch="partij-2")
    assert first.match != match
    desk = first.client.get("/wedstrijdleider").text
    assert "Nog niet beslist uit een vorige partij" in desk
    address = f"/wedstrijdleider/beslissen/1/{match}/1"
    assert f"{address}?melding={key}" in unescape(desk)
    form = first.form(f"{address}?melding={key}")
    assert first.client.post(address, data={**form, "beslissing": "verzaakt-koppel"}).status_code == 302
    assert "Nog niet beslist uit een vorige partij" not in first.client.get("/wedstrijdleider").text


def test_of_many_directors_who_press_at_the_same_moment_one_decides(desk: DeskPages) -> None:
    form = desk.form(f"{desk.ruling_address()}?melding={revoke_key(desk)}")
    pressing = ["verzaakt-koppel", "geen-actie", "opnieuw-delen", "verzaakt-individueel"] * 3
    gate = threading.Barrier(len(pressing))
    others = [DeskPages(desk.venue, desk.venue.director()) for _ in range(2)]
    statuses: list[int] = []

    def press(person: DeskPages, decision: str) -> None:
        client = desk.venue.app.test_client()
        session = person.client.get_cookie("klaveroog_session")
        assert session is not None
        client.set_cookie("klaveroog_session", session.value)
        gate.wait(10)
        statuses.append(DeskPages(desk.venue, client).press(decision, form).status_code)

    threads = [
        threading.Thread(target=press, args=(others[place % 2], decision))
        for place, decision in enumerate(pressing)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(statuses) == [302] + [409] * (len(pressing) - 1)
    assert len(desk.decisions()) == 1
    ruled = [entry for entry in desk.venue.services.desk_log.latest() if entry.what == "ruled"]
    assert len(ruled) == 1


def test_what_was_shown_must_still_be_so(desk: DeskPages) -> None:
    form = desk.form(f"{desk.ruling_address()}?melding={revoke_key(desk)}&ontdekt=8")
    form["gezien-verzaakt-koppel"] = form["gezien-verzaakt-koppel"].replace("262", "261")
    answer = desk.press("verzaakt-koppel", form)
    assert answer.status_code == 409
    assert "intussen veranderd" in answer.text
    assert desk.decisions() == []


def test_an_alert_is_new_then_somebody_is_at_it_then_it_is_decided_and_open_again_when_undone(
    desk: DeskPages,
) -> None:
    key = revoke_key(desk)
    address = f"/wedstrijdleider/melding/{desk.table}/{desk.match}/{desk.deal}"
    assert state_of(desk, key) is AlertState.NEW
    desk.client.post(address, data={"melding": key})
    assert state_of(desk, key) is AlertState.ACKNOWLEDGED
    assert "Anneke is ermee bezig" in desk.client.get("/wedstrijdleider?taal=nl").text
    desk.client.post(address, data={"melding": key, "vrijgeven": "1"})
    assert state_of(desk, key) is AlertState.NEW
    desk.rule("geen-actie", f"melding={key}")
    assert state_of(desk, key) is AlertState.DECIDED
    known = desk.form(desk.ruling_address())["beslist"]
    desk.client.post(desk.ruling_address(), data={"beslissing": "ongedaan", "nummer": "1", "beslist": known})
    assert state_of(desk, key) is AlertState.UNDONE
    log = desk.client.get("/wedstrijdleider/logboek?taal=nl").text
    for words in ("Melding in behandeling", "Melding weer open", "Geen actie", "ongedaan gemaakt", "gezien"):
        assert words in log


def test_a_wrong_accusation_is_held_against_who_accused(desk: DeskPages) -> None:
    last = played_deal(seed=8, number=2)[-1]
    accusation = RevokeAccused(
        table="1",
        deal=2,
        time_utc=last.time_utc + timedelta(seconds=1),
        by=Seat.SOUTH,
        accused=Seat.WEST,
    )
    desk.venue.deliver([accusation])
    desk.deal = 2
    key = next(alert.key for alert in desk.alerts() if alert.kind is AlertKind.REVOKE_ACCUSED)
    assert desk.rule("onjuiste-beschuldiging", f"melding={key}").status_code == 302
    result = desk.record.deals[1].deal.result()
    assert result.score_points == {Team.NORTH_SOUTH: 0, Team.EAST_WEST: 262}


def test_individueel_costs_the_player_162_and_the_deal_is_played_again(venue: Venue) -> None:
    venue.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    desk = DeskPages(venue, venue.director())
    seat = next(alert.seat for alert in desk.alerts() if alert.kind is AlertKind.REVOKE)
    assert seat is not None
    form = desk.form(f"{desk.ruling_address()}?melding={revoke_key(desk)}")
    assert f"{seat.value}-162" in form["gezien-verzaakt-individueel"]
    desk.press("verzaakt-individueel", form)
    assert desk.totals == dict.fromkeys(Team, 0)
    venue.deliver(played_deal(seed=30))
    again = replayed(played_deal(seed=30)).result()
    assert desk.totals == {team: again.total(team) for team in Team}
    assert score_of(desk.record, 1, 16).penalties[seat] == -162


def test_repeated_verzaken_by_one_player_must_lead_to_exclusion(desk: DeskPages) -> None:
    (alert,) = [alert for alert in desk.alerts() if alert.kind is AlertKind.REVOKE]
    assert alert.seat is not None
    for deal in (1, 2):
        desk.deal = deal
        desk.rule("verzaakt-koppel", f"wie={alert.seat.value}&slag=3")
    page = desk.client.get("/wedstrijdleider/waarschuwingen?taal=nl").text
    assert "uitsluiting, met een vervanger" in page
    known = desk.form(desk.ruling_address())["beslist"]
    desk.client.post(desk.ruling_address(), data={"beslissing": "ongedaan", "nummer": "1", "beslist": known})
    page = desk.client.get("/wedstrijdleider/waarschuwingen?taal=nl").text
    assert "uitsluiting" not in page
    assert "alleen de straf van het spel" in page


def test_a_warning_is_noted_and_the_second_one_brings_more(desk: DeskPages) -> None:
    form = {"tafel": "1", "wie": "N", "waarvoor": "forbidden-remark", "reden": "“ik heb niets”"}
    for _ in range(2):
        answer = desk.client.post("/wedstrijdleider/waarschuwingen", data=form)
        assert answer.status_code == 302
    page = desk.client.get("/wedstrijdleider/waarschuwingen?taal=nl").text
    assert "keer 1" in page
    assert "keer 2" in page
    assert "uitsluiting" in page
    assert desk.client.post("/wedstrijdleider/waarschuwingen", data={**form, "wie": "X"}).status_code == 400
