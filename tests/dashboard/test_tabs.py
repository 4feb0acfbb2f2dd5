"""One stream per browser, however many tabs: a browser keeps no more than six connections to one server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.chromium import chromium, need_chromium
from tests.dashboard.played_deals import played_deal
from tests.dashboard.venue_process import VenueProcess

pytestmark = pytest.mark.browser

TABS = 10


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    need_chromium()
    with chromium() as started:
        yield started


@pytest.fixture
def tables() -> list[str]:
    return [str(number) for number in range(1, TABS)]


@pytest.fixture
def venue(tmp_path: Path, tables: list[str]) -> Iterator[VenueProcess]:
    """One place for the stream, one for the stream that it takes over from, and none to spare."""
    started = VenueProcess(tmp_path, tables, maximum_streams=2, ping_seconds=0.2)
    started.start()
    for table in tables:
        started.deliver(1, played_deal(seed=4, table=table)[:3])
    yield started
    started.stop()


def open_tabs(context: BrowserContext, venue: VenueProcess, paths: list[str]) -> list[Page]:
    tabs = []
    for path in paths:
        tabs.append(context.new_page())
        tabs[-1].goto(venue.address + path)
        expect(tabs[-1].locator("[data-badge]")).to_have_attribute("data-state", "live", timeout=20_000)
    return tabs


def test_ten_tabs_of_ten_pages_are_all_live_over_one_stream(
    browser: Browser, venue: VenueProcess, tables: list[str]
) -> None:
    context = browser.new_context(locale="nl-NL")
    paths = ["/", *(f"/tafel/{table}" for table in tables)]
    tabs = open_tabs(context, venue, paths)
    for table in tables:
        venue.deliver(4, played_deal(seed=4, table=table)[3:5])
    for tab in tabs[1:]:
        expect(tab.locator(".felt svg.card")).to_have_count(3, timeout=20_000)
    for tab in tabs:
        expect(tab.locator("[data-badge]")).to_have_attribute("data-state", "live", timeout=20_000)
    # A tab that was closed is not waited for, and another page in its place is live too.
    tabs[3].close()
    tabs[4].goto(venue.address + "/scherm")
    venue.deliver(6, played_deal(seed=4)[5:6])
    expect(tabs[1].locator(".felt svg.card")).to_have_count(4, timeout=20_000)
    context.close()


def test_each_tab_speaks_its_own_language(browser: Browser, venue: VenueProcess) -> None:
    context = browser.new_context(locale="nl-NL")
    (dutch,) = open_tabs(context, venue, ["/tafel/1?taal=nl"])
    (english,) = open_tabs(context, venue, ["/tafel/1?taal=en"])
    venue.deliver(4, played_deal(seed=4)[3:4])
    for tab, words in ((dutch, "Tafel 1"), (english, "Table 1")):
        expect(tab.locator(".felt svg.card")).to_have_count(2, timeout=20_000)
        expect(tab.locator("main")).to_contain_text(re.compile(words))
    context.close()


def test_a_browser_without_shared_workers_has_a_stream_for_the_tab_that_is_looked_at(
    browser: Browser, venue: VenueProcess
) -> None:
    context = browser.new_context(locale="nl-NL")
    context.add_init_script("delete window.SharedWorker")
    (tab,) = open_tabs(context, venue, ["/tafel/1"])
    venue.deliver(4, played_deal(seed=4)[3:4])
    expect(tab.locator(".felt svg.card")).to_have_count(2, timeout=20_000)
    context.close()
