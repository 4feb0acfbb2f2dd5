"""What the players say of a deal and what stands on their own sheets, through real pages, until they freeze.

The first deal is plain: 70 - 92.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from dashboard import DashboardConfig, create_app
from tests.chromium import chromium, need_chromium
from tests.dashboard.conftest import PASSWORD, Venue
from tests.dashboard.evening_deals import told_deal
from tests.dashboard.evening_hall import DESK, TABLET, Watched
from tests.dashboard.served import served
from tracker.events import CardPlayed, Event

pytestmark = pytest.mark.browser

BASE = "/wedstrijdleider/avonden"
PAPER = f"{BASE}/1/papier/1/1"


@dataclass
class Clock:
    """The time of the venue, which a test sets."""

    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __call__(self) -> datetime:
        return self.now

    def wait(self, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)


@dataclass
class Room:
    """An evening of two teams at table 1, with the browsers of its wedstrijdleider and of its tablet."""

    venue: Venue
    clock: Clock
    desk: Page
    tablet: Page
    watched: Watched

    def go(self, page: Page, path: str) -> None:
        page.goto(self.watched.address + path)

    def second_page(self, path: str) -> Page:
        """Another tab of the wedstrijdleider."""
        page = self.desk.context.new_page()
        self.go(page, path)
        return page

    @property
    def row(self) -> Locator:
        """The table in the desk's list."""
        return self.desk.locator('.desk-tables tr:has(th a[href="/tafel/1"])')

    def type_sheet(self, page: Page, side: str, deal: int, *figures: int) -> None:
        """Type one line of a side's own sheet, and keep it."""
        form = page.locator(f'form:has(input[name=schrijver][value="{side}"])')
        if not form.is_visible():
            page.locator(f'details:has(input[name=schrijver][value="{side}"]) summary').click()
        for column, figure in zip(("wij-punten", "wij-roem", "zij-punten", "zij-roem"), figures, strict=True):
            form.locator(f"input[name={column}-{deal}]").fill(str(figure))
        form.get_by_role("button", name="Bewaren").click()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    need_chromium()
    with chromium() as started:
        yield started


@pytest.fixture
def room(browser: Browser, config: DashboardConfig) -> Iterator[Room]:
    clock = Clock()
    roomy = config.model_copy(update={"maximum_streams": 20, "ping_seconds": 1.0})
    venue = Venue(create_app(roomy, clock), roomy)
    set_up(venue)
    with served(venue.app) as address:
        watched = Watched(browser, address)
        desk, tablet = watched.page(DESK), watched.page(TABLET)
        desk.goto(f"{address}/aanmelden")
        desk.fill("#name", "Anneke")
        desk.fill("#password", PASSWORD)
        desk.click("main button")
        tablet.goto(f"{address}/tafel/1/aanmelden")
        tablet.fill("input[name=code]", venue.token("1"))
        tablet.click("main button")
        yield Room(venue, clock, desk, tablet, watched)
        assert [text for text in watched.complaints if "409" not in text] == []
        for page in (desk, tablet):
            page.context.close()
    venue.services.store.close()


def set_up(venue: Venue) -> None:
    """The evening has begun and the first deal is told, with one card of which the camera was unsure."""
    client = venue.director()
    settings = {"title": "Avond", "day": "2026-01-09", "season": "", "reglement": "klaverjas-drive"}
    settings |= {"drive": "pairs", "first_dealer": "S", "match_count": "1", "deals": "16"}
    client.post(BASE, data=settings)
    client.post(f"{BASE}/1/deelnemers", data={"participants": "De Boeren\nDe Vrouwen"})
    client.post(f"{BASE}/1/loting", data={"order": "list"})
    assert client.post(f"{BASE}/1/begin", data={"round": "1"}).status_code == 302
    venue.deliver([unsure(event) for event in told_deal("plain", 1, "1")])


def unsure(event: Event) -> Event:
    is_it = isinstance(event, CardPlayed) and (event.trick, event.position) == (4, 4)
    return replace(event, confidence=0.7) if is_it else event


def test_klopt_niet_reaches_the_desk_with_what_the_camera_saw(room: Room) -> None:
    desk, tablet = room.desk, room.tablet
    expect(desk.locator("[data-badge]")).to_have_attribute("data-state", "live")
    tablet.locator(".side-of-NS button[value=ja]").click()
    tablet.locator(".side-of-EW button[value=nee]").click()
    expect(tablet.locator(".side-of-EW .answered")).to_contain_text("klopt niet: de wedstrijdleider weet het")
    alert = desk.locator(".alert-disagreed")
    expect(alert.locator("h3")).to_have_text("Stand klopt niet volgens een kant")
    expect(alert).to_contain_text("Zij zegt dat de stand van dit spel niet klopt.")
    expect(alert.locator(".facts")).to_contain_text("Wij 70 – Zij 92")
    expect(alert.locator(".facts")).to_contain_text("harten")
    expect(alert.locator(".facts")).to_contain_text("70%")
    expect(room.row).to_contain_text("✗ spel 1")
    alert.get_by_role("link", name="Wat de camera zag").click()
    expect(desk.locator(".trick-cards li")).to_have_count(32)
    expect(desk.locator(".deal-facts")).to_contain_text("92")
    # They count together, and agree after all: the desk is told by itself.
    room.go(desk, "/wedstrijdleider")
    tablet.locator(".side-of-EW button[value=ja]").click()
    expect(alert.locator("visible=true")).to_have_count(0)
    expect(room.row.locator("td").nth(4)).to_contain_text("✓")


def test_what_differs_on_paper_is_marked_at_the_desk_and_compared_line_by_line(room: Room) -> None:
    room.venue.deliver(told_deal("pit", 2, "1"))
    desk = room.desk
    expect(desk.locator("[data-badge]")).to_have_attribute("data-state", "live")
    paper = room.second_page("/tellijst/1/1/1")
    paper.get_by_role("link", name="Bladen van de spelers").click()
    room.type_sheet(paper, "NS", 1, 70, 0, 92, 0)
    expect(paper.locator(".compared tbody tr").first).to_contain_text("✓ 70 – 92")
    expect(paper.locator(".differs-line")).to_have_count(0)
    expect(room.row.locator(".differs")).to_have_count(0)
    room.type_sheet(paper, "EW", 1, 70, 0, 92, 20)
    marked = room.row.locator(".differs")
    expect(marked).to_have_text("✗ blad partij 1: spel 1")
    marked.click()
    lines = desk.locator(".compared tbody tr")
    expect(lines).to_have_count(16)
    expect(lines.first.locator("td")).to_have_text(["70 – 92", "✓ 70 – 92", "✗ 70 – 92 + 20"])
    expect(desk.locator(".differs-line th")).to_have_text(["1"])
    expect(lines.nth(1).locator("td").first).to_have_text("162 + 100 – 0")
    # The line is written anew, and nothing differs any more.
    room.type_sheet(desk, "EW", 1, 70, 0, 92, 0)
    expect(desk.locator(".differs-line")).to_have_count(0)
    room.go(desk, "/wedstrijdleider")
    expect(room.row.locator(".differs")).to_have_count(0)


def test_the_sheets_freeze_half_an_hour_after_the_end(room: Room) -> None:
    desk = room.desk
    room.go(desk, f"{BASE}/1")
    desk.locator("summary").get_by_text("Avond afsluiten").click()
    desk.get_by_role("button", name="Afsluiten", exact=True).click()
    expect(desk.locator(".now")).to_contain_text("Tot ")
    room.clock.wait(minutes=29.9)
    room.go(desk, PAPER)
    room.type_sheet(desk, "NS", 1, 71, 0, 91, 0)
    expect(desk.locator(".compared")).to_contain_text("✗ 71 – 91")
    left_open, tablet = room.second_page(PAPER), room.tablet
    tablet.locator(".side-of-NS button[value=ja]").click()
    expect(tablet.locator(".side-of-NS .answered")).to_contain_text("klopt")

    room.clock.wait(minutes=0.2)
    room.type_sheet(left_open, "NS", 1, 70, 0, 92, 0)
    expect(left_open.locator("[role=alert]")).to_contain_text("Deze avond is vastgesteld.")
    tablet.locator(".side-of-EW button[value=nee]").click()
    expect(tablet.locator("[role=alert]")).to_contain_text("bevroren")
    room.go(desk, PAPER)
    expect(desk.locator(".compared")).to_contain_text("✗ 71 – 91")
    expect(desk.locator("input[name=schrijver]")).to_have_count(0)
    room.go(desk, f"{BASE}/1")
    expect(desk.locator(".now")).to_contain_text("De uitslag is vastgesteld")
    expect(desk.locator(".now button")).to_have_count(0)
    assert list(room.venue.services.books.current("1").deals[0].agreed.values()) == [True]
