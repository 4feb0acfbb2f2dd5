"""``python -m tests.benchmarks.venue_screen``: from a table's journal to a browser, and ten tabs.

What the camera and the tracker need before there is an event is not in it. Whatever else runs on this machine
is measured along.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page

from capture.delivery import Delivery
from capture.http_venue import HttpVenue
from capture.journal import Journal
from tests.benchmarks.venue_load import percentile, told_by
from tests.chromium import chromium
from tests.dashboard.venue_process import VenueProcess

_BETWEEN_EVENTS_S: Final = 0.3
_TIMEOUT_MS: Final = 20_000
_WATCH: Final = """() => {
    const root = document.documentElement;
    const draw = () => { root.dataset.drawn = root.dataset.drawn || Date.now(); };
    const note = () => requestAnimationFrame(draw);
    new MutationObserver(note).observe(document.querySelector("main"), { childList: true });
}"""
_IS_LIVE: Final = "[data-badge][data-state=live]"


def card_to_screen_s(browser: Browser, venue: VenueProcess, folder: Path, events: int) -> list[float]:
    """For each event: from the moment that it is written to the journal until its picture is drawn."""
    page = browser.new_page()
    delays = []
    with Journal(folder / "table.sqlite") as journal:
        epoch = journal.start_epoch("1", "film", venue.address)
        delivery = Delivery(journal, HttpVenue(venue.address, venue.token), "1", venue.address)
        told = told_by("1")
        journal.append(epoch, told[:1])
        delivery.wake()
        page.goto(f"{venue.address}/tafel/1")
        page.wait_for_selector(_IS_LIVE, timeout=_TIMEOUT_MS)
        page.evaluate(_WATCH)
        for event in told[1 : events + 1]:
            page.wait_for_timeout(_BETWEEN_EVENTS_S * 1000)
            page.evaluate("delete document.documentElement.dataset.drawn")
            began_s = time.time()
            journal.append(epoch, [event])
            delivery.wake()
            page.wait_for_selector("html[data-drawn]", timeout=_TIMEOUT_MS)
            drawn_ms = float(page.evaluate("Number(document.documentElement.dataset.drawn)"))
            delays.append(drawn_ms / 1000 - began_s)
        delivery.close()
    page.close()
    return delays


def tabs_s(browser: Browser, venue: VenueProcess, count: int) -> list[float]:
    """For each of ``count`` tabs of one browser: from opening until it is live, the others staying open."""
    context = browser.new_context()
    times = []
    for place in range(count):
        page: Page = context.new_page()
        began_s = time.perf_counter()
        page.goto(venue.address + ("/" if place % 2 else "/tafel/1"))
        page.wait_for_selector(_IS_LIVE, timeout=_TIMEOUT_MS)
        times.append(time.perf_counter() - began_s)
    context.close()
    return times


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        venue = VenueProcess(Path(folder))
        venue.start()
        try:
            delays = card_to_screen_s(browser, venue, Path(folder), events=100)
            tabs = tabs_s(browser, venue, count=10)
        finally:
            venue.stop()
    lines = [
        f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors",
        f"journal to screen, {len(delays)} events: p50 {percentile(delays, 0.5) * 1000:.0f} ms, "
        f"p95 {percentile(delays, 0.95) * 1000:.0f} ms",
        f"tabs, from opening to live: first {tabs[0] * 1000:.0f} ms, tenth {tabs[-1] * 1000:.0f} ms",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
