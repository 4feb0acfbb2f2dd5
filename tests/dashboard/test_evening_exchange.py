"""An evening as a file, and the same evening from that file, to the last byte."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from dashboard import DashboardConfig, create_app
from dashboard.evening.standing import evening_rows
from tests.dashboard.conftest import Venue
from tests.dashboard.desk_venue import DeskPages
from tests.dashboard.evening_deals import told_deal

BASE = "/wedstrijdleider/avonden"
KINDS = ["json", "csv", "notatie"]
TEAMS = (
    "De Boeren; Jan Jansen; Piet Pietersen",
    '=SOM(A1:A9) "en" Zoon; Wilhelmina van den Oudenrijn',
    "De Vrouwen; Gé; Hendrik-Jan Schouten van Bommel",
    "Troefaas",
    "Pitje Puck",
)


@pytest.fixture
def played(venue: Venue) -> Venue:
    """Two matches with about everything: a ruling, roem, a deal again, paper, a zitbeurt, an opgave."""
    client = venue.director()
    settings = {"title": "Avond “één”", "day": "2026-01-09", "season": "2025-2026"}
    settings |= {"reglement": "klaverjas-drive", "drive": "pairs", "first_dealer": "S"}
    settings |= {"match_count": "2", "deals": "4"}
    assert client.post(BASE, data=settings).status_code == 302
    client.post(f"{BASE}/1/deelnemers", data={"participants": "\n".join(TEAMS)})
    client.post(f"{BASE}/1/loting", data={"order": "list"})
    assert client.post(f"{BASE}/1/begin", data={"round": "1"}).status_code == 302
    tell(venue, "1", "plain", "pit", "nat", "roem")
    tell(venue, "2", "plain", "revoked")
    desk = DeskPages(venue, client, table="2", deal=2)
    assert desk.rule("verzaakt-koppel", "wie=E&slag=3").status_code == 302
    venue.deliver(told_deal("pit", 3, "2"))
    again = DeskPages(venue, client, table="2", deal=3)
    assert again.rule("opnieuw-delen").status_code == 302
    for kind, number in (("plain", 3), ("roem", 4)):
        venue.deliver(told_deal(kind, number, "2"))
    figures = {"wij-punten-1": "70", "wij-roem-1": "20", "zij-punten-1": "92", "zij-roem-1": "0"}
    client.post(f"{BASE}/1/papier/1/1", data={"schrijver": "EW", **figures})
    assert client.post(f"{BASE}/1/begin", data={"round": "2"}).status_code == 302
    tell(venue, "1", "roem", "plain", "plain", "plain")
    tell(venue, "2", "plain")
    evening = venue.services.evenings.evenings.get(1)
    assert evening is not None
    gives_up = evening.rounds[1].seatings[1].participants[0]
    assert client.post(f"{BASE}/1/deelnemers/{gives_up.id}/opgave").status_code == 302
    assert client.post(f"{BASE}/1/einde").status_code == 302
    return venue


@pytest.fixture
def elsewhere(config: DashboardConfig, tmp_path: Path) -> Iterator[Venue]:
    """A venue where nothing ever happened."""
    other = config.model_copy(update={"database": f"sqlite:///{tmp_path}/elsewhere.sqlite"})
    opened = Venue(create_app(other), other)
    yield opened
    opened.services.store.close()


def tell(venue: Venue, table: str, *kinds: str) -> None:
    """A table plays deals, the first of a match first."""
    for number, kind in enumerate(kinds, start=1):
        venue.deliver(told_deal(kind, number, table))


def saved(venue: Venue, kind: str) -> bytes:
    answer = venue.director().get(f"{BASE}/1/bewaren/{kind}")
    assert answer.status_code == 200
    return answer.get_data()


def read_in(venue: Venue, content: bytes) -> None:
    answer = venue.director().post(f"{BASE}/inlezen", data={"file": (BytesIO(content), "avond")})
    assert answer.status_code == 302, answer.text


def standings_of(venue: Venue) -> list[tuple[object, ...]]:
    book = venue.services.evenings
    evening = book.evenings.get(1)
    assert evening is not None
    rows = evening_rows(evening, book.matches(evening))
    return [(row.ranked.place, row.ranked.standing) for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_in_elsewhere_and_saved_again_is_the_same_file(
    played: Venue, elsewhere: Venue, kind: str
) -> None:
    first = saved(played, kind)
    read_in(elsewhere, first)
    assert saved(elsewhere, kind).decode() == first.decode()
    assert standings_of(elsewhere) == standings_of(played)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_file_holds_all_that_the_others_say_of_the_deals(
    played: Venue, elsewhere: Venue, kind: str
) -> None:
    """Read from one kind and saved as another it is the file that was saved as that at once."""
    read_in(elsewhere, saved(played, kind))
    for other in ("csv", "notatie"):
        assert saved(elsewhere, other).decode() == saved(played, other).decode()


def test_the_files_hold_what_happened(played: Venue) -> None:
    """So that files that are the same are not the same for being empty."""
    document = json.loads(saved(played, "json"))
    assert [len(one["tables"]) for one in document["rounds"]] == [2, 2]
    assert {event["type"] for match in document["matches"] for event in match["events"]} >= {
        "DealStarted",
        "CardPlayed",
        "Ruling",
        "DealClosed",
    }
    assert document["paper"][0]["figures"] == [70, 20, 92, 0]
    assert document["ended_utc"]
    assert {entry["what"] for entry in document["log"]} >= {"created", "drawn", "withdrew"}
    rows = list(csv.DictReader(StringIO(saved(played, "csv").decode("utf-8-sig")), delimiter=";"))
    first = [row for row in rows if (row["partij"], row["tafel"]) == ("1", "1")]
    figures = [(row["wij punten"], row["wij roem"], row["zij punten"], row["zij roem"]) for row in first]
    assert figures == [
        ("70", "0", "92", "0"),
        ("162", "100", "0", "0"),
        ("162", "0", "0", "0"),
        ("92", "40", "70", "0"),
    ]
    assert first[0]["zij"] == TEAMS[1].split(";")[0].replace("=", "'=", 1)
    assert [row["bijzonderheid"] for row in first] == ["", "pit", "nat", ""]
    notation = saved(played, "notatie").decode()
    assert "verzaakt-koppel" in notation
    assert notation.count("\nspel ") == 4 + 4 + 4 + 1


def test_a_file_that_was_saved_and_read_twice_stands_there_twice(played: Venue) -> None:
    for kind in KINDS:
        read_in(played, saved(played, kind))
    evenings = played.services.evenings.evenings.all()
    assert [one.is_archived for one in sorted(evenings, key=lambda one: one.id)] == [False, True, True, True]
