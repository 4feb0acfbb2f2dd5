"""The players' own figures beside what was counted, and the half hour after which nothing changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from dashboard.store.evening_schema import EVENINGS
from tests.dashboard.conftest import Venue
from tests.dashboard.evening_deals import told_deal

PAGE = "/wedstrijdleider/avonden/1/papier/1/1"
FIRST = {"wij-punten-1": "70", "wij-roem-1": "0", "zij-punten-1": "92", "zij-roem-1": "0"}


@pytest.fixture
def evening(venue: Venue) -> Venue:
    """An evening of two teams, of which the first deal is played: 70 - 92."""
    client = venue.director()
    base = "/wedstrijdleider/avonden"
    settings = {"title": "Avond", "day": "2026-01-09", "season": "", "reglement": "klaverjas-drive"}
    settings |= {"drive": "pairs", "first_dealer": "S", "match_count": "1", "deals": "16"}
    assert client.post(base, data=settings).status_code == 302
    client.post(f"{base}/1/deelnemers", data={"participants": "De Boeren\nDe Vrouwen"})
    client.post(f"{base}/1/loting", data={"order": "list"})
    assert client.post(f"{base}/1/begin", data={"round": "1"}).status_code == 302
    venue.deliver(told_deal("plain", 1, "1"))
    return venue


def test_a_sheet_that_says_the_same_agrees_and_another_figure_is_marked(evening: Venue) -> None:
    client = evening.director()
    assert client.post(PAGE, data={"schrijver": "NS", **FIRST}).status_code == 302
    page = client.get(PAGE).text
    assert "✓ 70 – 92" in page
    assert "Verschil" not in page
    assert client.post(PAGE, data={"schrijver": "EW", **FIRST, "zij-roem-1": "20"}).status_code == 302
    page = client.get(PAGE).text
    assert "✗ 70 – 92 + 20" in page
    assert "Verschil in spel 1." in page


def test_a_figure_that_no_sheet_can_hold_is_refused_and_nothing_is_kept(evening: Venue) -> None:
    client = evening.director()
    for wrong in ("-1", "x", "", "123456"):
        answer = client.post(PAGE, data={"schrijver": "NS", **FIRST, "wij-roem-1": wrong})
        assert answer.status_code == 409
        assert 'role="alert"' in answer.text
    assert client.post(PAGE, data=FIRST).status_code == 400
    assert evening.services.evenings.paper.of(1) == {}


def test_half_an_hour_after_the_end_nothing_is_added_to_a_sheet(evening: Venue) -> None:
    client = evening.director()
    assert client.post("/wedstrijdleider/avonden/1/einde").status_code == 302
    assert client.post(PAGE, data={"schrijver": "NS", **FIRST}).status_code == 302
    ended = (datetime.now(UTC) - timedelta(minutes=31)).isoformat(timespec="microseconds")
    with evening.services.store.writing() as connection:
        connection.execute(update(EVENINGS).values(ended_utc=ended))
    evening.services.evenings.evenings.forget()
    answer = client.post(PAGE, data={"schrijver": "NS", **FIRST, "wij-punten-1": "71"})
    assert answer.status_code == 409
    assert "vastgesteld" in answer.text
    assert 'name="schrijver"' not in client.get(PAGE).text
    tablet = evening.tablet("1")
    form = {"wat": "klopt", "spel": "1", "kant": "NS", "klopt": "nee"}
    assert tablet.post("/tafel/1/invoer", data=form).status_code == 409
    assert evening.services.books.current("1").deals[0].agreed == {}
