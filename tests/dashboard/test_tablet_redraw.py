"""What somebody is choosing on a tablet stays chosen while the table plays on and the page is drawn anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard import DashboardConfig, create_app
from rules import Seat
from tests.chromium import chromium, need_chromium
from tests.dashboard.conftest import Venue
from tests.dashboard.evening_deals import told_deal
from tests.dashboard.evening_hall import TABLET, Watched
from tests.dashboard.served import served

pytestmark = pytest.mark.browser

PLAIN = told_deal("plain", 1, "1")
_MARK = "document.querySelector('main').firstElementChild.dataset.drawnBefore = 'yes'"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    need_chromium()
    with chromium() as started:
        yield started


@pytest.fixture
def venue(config: DashboardConfig) -> Iterator[Venue]:
    roomy = config.model_copy(update={"maximum_streams": 10, "ping_seconds": 1.0})
    opened = Venue(create_app(roomy), roomy)
    yield opened
    opened.services.store.close()


def redraw(page: Page, venue: Venue, events: slice) -> None:
    """The table tells more, and the picture that stood there is gone."""
    page.evaluate(_MARK)
    venue.deliver(PLAIN[events])
    expect(page.locator("[data-drawn-before]")).to_have_count(0)


@pytest.mark.parametrize("has_shared_workers", [True, False])
def test_choices_and_what_was_unfolded_outlive_three_redraws(
    browser: Browser, venue: Venue, has_shared_workers: bool
) -> None:
    venue.deliver(PLAIN[:4])
    with served(venue.app) as address:
        watched = Watched(browser, address)
        page = watched.page(TABLET)
        if not has_shared_workers:
            page.context.add_init_script("delete window.SharedWorker")
        page.goto(f"{address}/tafel/1/aanmelden")
        page.fill("input[name=code]", venue.token("1"))
        page.click("main button")
        expect(page.locator("[data-badge]")).to_have_attribute("data-state", "live")
        page.locator("#say-roem input[name=wie][value=N]").check(force=True)
        page.locator("#accuse summary").click()
        page.locator("#say-verzaakt input[name=wie][value=S]").check(force=True)
        page.locator("#say-verzaakt input[name=beschuldigd][value=E]").check(force=True)
        page.locator("#penalty summary").click()
        page.locator("#say-strafkaart select").select_option("HA")
        for events in (slice(4, 5), slice(5, 6), slice(6, 9)):  # A card; the fourth; covered, and two more.
            redraw(page, venue, events)
            expect(page.locator("#say-roem input[name=wie][value=N]")).to_be_checked()
            expect(page.locator("#accuse")).to_have_attribute("open", "")
            expect(page.locator("#say-verzaakt input[name=wie][value=S]")).to_be_checked()
            expect(page.locator("#say-verzaakt input[name=beschuldigd][value=E]")).to_be_checked()
            expect(page.locator("#say-strafkaart select")).to_have_value("HA")
            expect(page.locator("#claim")).to_have_count(0)
        # What is pressed after the redraws is what was chosen before them.
        page.get_by_role("button", name="Beschuldigen").click()
        expect(page.locator("#accuse")).not_to_have_attribute("open", "")
        (accused,) = [
            one.event for one in venue.services.books.current("1").logged if one.is_written_at_venue
        ]
        assert (getattr(accused, "by", None), getattr(accused, "accused", None)) == (Seat.SOUTH, Seat.EAST)
        assert watched.complaints == []
        page.context.close()


def test_what_was_not_chosen_is_not_chosen_by_a_redraw(browser: Browser, venue: Venue) -> None:
    venue.deliver(PLAIN[:4])
    with served(venue.app) as address:
        page = Watched(browser, address).page(TABLET)
        page.goto(f"{address}/tafel/1/aanmelden")
        page.fill("input[name=code]", venue.token("1"))
        page.click("main button")
        expect(page.locator("[data-badge]")).to_have_attribute("data-state", "live")
        redraw(page, venue, slice(4, 5))
        assert page.locator("main input:checked").count() == 0
        assert page.locator("main details[open]").count() == 0
        page.context.close()
