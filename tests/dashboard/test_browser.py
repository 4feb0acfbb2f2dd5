"""A real browser: the page follows the table by itself, and says so when it no longer can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from rules import Suit
from tests.chromium import chromium, need_chromium
from tests.dashboard.played_deals import played_deal, replayed, with_confidence
from tests.dashboard.venue_process import VenueProcess
from tracker.events import CardPlayed

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    need_chromium()
    with chromium() as started:
        yield started


@pytest.fixture
def process(tmp_path: Path) -> Iterator[VenueProcess]:
    venue = VenueProcess(tmp_path)
    venue.start()
    try:
        yield venue
    finally:
        venue.stop()


def open_page(browser: Browser, complaints: list[str], width: int, height: int) -> Page:
    page = browser.new_page(locale="nl-NL", viewport={"width": width, "height": height})
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page


def overflow_of(page: Page) -> int:
    """How many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_pages_follow_the_table_live_without_a_complaint(browser: Browser, process: VenueProcess) -> None:
    events = played_deal(seed=5, revoking=True, confidence=0.9999)
    deal = replayed(events)
    trump = deal.trump
    assert isinstance(trump, Suit)
    complaints: list[str] = []
    desk = open_page(browser, complaints, 1400, 900)
    desk.goto(f"{process.address}/eerste-keer")
    desk.fill("#code", process.first_run_code())
    desk.fill("#name", "Anneke")
    desk.fill("#password", "een lang wachtwoord")
    desk.click("main button")
    expect(desk.locator(".alerts")).to_contain_text("Alles is rustig.")

    process.deliver(1, events[:1])
    table = open_page(browser, complaints, 390, 844)
    table.goto(f"{process.address}/tafel/1")
    expect(table.locator("[data-badge]")).to_have_attribute("data-state", "live")
    expect(table.locator(".trump")).to_contain_text("nog niet")
    process.deliver(2, events[1:3])
    expect(table.locator(".trump")).to_contain_text(trump.dutch)
    expect(table.locator(".felt svg.card")).to_have_count(1)
    process.deliver(4, events[3:])
    expect(table.locator(".tellijst tbody tr").first).to_have_class("row-settled")
    result = deal.result()
    totals = [result.total(team) for team in result.points]
    expect(table.locator(".tellijst .grand td")).to_have_text([str(total) for total in totals])
    assert overflow_of(table) <= 0

    expect(desk.locator(".alert-revoke h3")).to_have_text("Verzaken aangetoond")
    expect(desk.locator(".alert-revoke .evidence")).to_have_count(2)
    assert "erzak" not in table.content()
    desk.set_viewport_size({"width": 390, "height": 844})
    assert overflow_of(desk) <= 0
    desk.goto(process.address + str(desk.locator("a[href*='/terugkijken/']").first.get_attribute("href")))
    for size in ((390, 844), (1400, 900)):
        desk.set_viewport_size({"width": size[0], "height": size[1]})
        widths = desk.locator(".trick-felt svg.card").evaluate_all(
            "cards => cards.map(card => Math.round(card.getBoundingClientRect().width))"
        )
        assert len(widths) == 32
        assert len(set(widths)) == 1
    assert complaints == []
    desk.close()
    table.close()


_COUNT_SOUNDS = """
    window.sounded = 0;
    HTMLMediaElement.prototype.play = function () { window.sounded += 1; return Promise.resolve(); };
"""


def sounds_at(desk: Page, words: str) -> int:
    """How often the desk has sounded, once its verzaking is called so."""
    expect(desk.locator(".alert-revoke h3")).to_have_text(words)
    return int(desk.evaluate("window.sounded"))


def test_the_desk_sounds_once_for_one_verzaking(browser: Browser, process: VenueProcess) -> None:
    """Silent while a misreading is likelier, one sound when it no longer is, none when it gets surer."""
    events = played_deal(seed=5, revoking=True, confidence=0.9999)[:-1]
    (revoke,) = replayed(events).revokes
    (card,) = (event for event in events if isinstance(event, CardPlayed) and event.card == revoke.card)
    desk = open_page(browser, [], 1400, 900)
    desk.add_init_script(_COUNT_SOUNDS)
    desk.goto(f"{process.address}/eerste-keer")
    desk.fill("#code", process.first_run_code())
    desk.fill("#name", "Anneke")
    desk.fill("#password", "een lang wachtwoord")
    desk.click("main button")
    desk.click("[data-sound-button]")
    assert desk.evaluate("window.sounded") == 1  # To let the wedstrijdleider hear what it sounds like.
    process.deliver(1, with_confidence(events, revoke.card, 0.5))
    assert sounds_at(desk, "Mogelijk verzaakt") == 1
    told = len(events)
    for confidence, words, sounds in (
        (0.995, "Mogelijk verzaakt", 2),
        (0.9999, "Verzaken aangetoond", 2),
        (0.5, "Mogelijk verzaakt", 2),
        (0.9999, "Verzaken aangetoond", 2),
    ):
        told += 1
        process.deliver(told, [replace(card, confidence=confidence)])
        expect(desk.locator(".alert-revoke[data-fresh]")).to_have_count(int(confidence > 0.5))
        assert sounds_at(desk, words) == sounds
    assert desk.title().startswith("(1) ")
    desk.get_by_role("button", name="Ik ga erheen").click()
    expect(desk.locator(".alert-revoke.state-acknowledged")).to_have_count(1)
    assert not desk.title().startswith("(")
    desk.close()


def test_a_venue_that_goes_away_is_seen_and_its_return_too(browser: Browser, process: VenueProcess) -> None:
    events = played_deal(seed=4)
    process.deliver(1, events[:3])
    page = open_page(browser, [], 1920, 1080)
    page.goto(f"{process.address}/tafel/1")
    badge = page.locator("[data-badge]")
    expect(badge).to_have_attribute("data-state", "live")
    process.kill()
    expect(badge).to_have_attribute("data-state", "lost")
    expect(badge).to_contain_text("Verbinding weg")
    process.start()
    process.deliver(4, events[3:4])
    expect(badge).to_have_attribute("data-state", "live", timeout=15_000)
    expect(page.locator(".felt svg.card")).to_have_count(2)
    assert overflow_of(page) <= 0
    page.close()


@pytest.mark.parametrize("path", ["/", "/tafel/1", "/aanmelden"])
@pytest.mark.parametrize("width", [360, 820, 1400, 1920])
def test_no_page_is_wider_than_its_screen(
    browser: Browser, process_of_module: VenueProcess, path: str, width: int
) -> None:
    complaints: list[str] = []
    page = open_page(browser, complaints, width, 900)
    page.goto(process_of_module.address + path)
    assert overflow_of(page) <= 0
    assert complaints == []
    page.close()


@pytest.fixture(scope="module")
def process_of_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VenueProcess]:
    venue = VenueProcess(tmp_path_factory.mktemp("widths"))
    venue.start()
    venue.deliver(1, played_deal(seed=4)[:20])
    try:
        yield venue
    finally:
        venue.stop()
