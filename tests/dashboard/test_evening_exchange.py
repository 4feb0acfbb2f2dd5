"""An evening as a file, and the same evening from that file."""

from __future__ import annotations

from io import BytesIO

import pytest

from dashboard.evening.standing import evening_rows
from tests.dashboard.conftest import Venue
from tests.dashboard.evening_deals import told_deal


@pytest.mark.parametrize("kind", ["json", "csv", "notatie"])
def test_an_evening_that_is_saved_and_read_again_has_the_same_standings(venue: Venue, kind: str) -> None:
    client = venue.director()
    base = "/wedstrijdleider/avonden"
    settings = {"title": "Avond", "day": "2026-01-09", "season": "", "reglement": "klaverjas-drive"}
    settings |= {"drive": "pairs", "first_dealer": "S", "match_count": "1", "deals": "3"}
    client.post(base, data=settings)
    client.post(f"{base}/1/deelnemers", data={"participants": "De Boeren; Jan; Piet\nDe Vrouwen"})
    client.post(f"{base}/1/loting", data={"order": "list"})
    client.post(f"{base}/1/begin", data={"round": "1"})
    for number, deal in enumerate(("plain", "pit", "nat"), start=1):
        venue.deliver(told_deal(deal, number, "1"))
    saved = client.get(f"{base}/1/bewaren/{kind}").data
    answer = client.post(f"{base}/inlezen", data={"file": (BytesIO(saved), "avond")})
    assert answer.status_code == 302, answer.text
    book = venue.services.evenings
    shown = []
    for evening_id in (1, 2):
        evening = book.evenings.get(evening_id)
        assert evening is not None
        rows = evening_rows(evening, book.matches(evening))
        shown.append([(row.ranked.place, row.ranked.standing) for row in rows])
    assert shown[0] == shown[1]
    # 70 + 262 + 162 against 92 + 0 + 0: the leader's side of deal 3, East and West, is nat.
    assert [one.points_for for _, one in shown[1]] == [494, 92]
