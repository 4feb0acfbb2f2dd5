"""A hall with four tables that deliver what they saw, and a browser in which nothing may be complained of."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page

from dashboard import DashboardConfig, create_table_token
from tests.dashboard.venue_process import VenueProcess
from tracker.events import Event, event_to_json

PHONE: Final = (390, 844)
TABLET: Final = (1024, 768)
DESK: Final = (1440, 900)
PROJECTOR: Final = (1920, 1080)
SERIOUS: Final = frozenset({"serious", "critical"})
_ANSWER_TIMEOUT_S: Final = 30.0


class Hall:
    """A venue in a process of its own, with the tables 1 to 4."""

    def __init__(self, folder: Path, tables: Sequence[str] = ("1", "2", "3", "4")) -> None:
        self.venue = VenueProcess(folder)
        config = DashboardConfig(database=str(folder / "venue.sqlite"))
        self._tokens = {"1": self.venue.token} | {
            table: create_table_token(config, table) for table in tables if table != "1"
        }
        self._told: dict[tuple[str, str], int] = {}

    @property
    def address(self) -> str:
        """Where the venue listens."""
        return self.venue.address

    @contextmanager
    def open(self) -> Iterator[Hall]:
        """Started, and stopped afterwards."""
        self.venue.start()
        try:
            yield self
        finally:
            self.venue.stop()

    def tell(self, table: str, events: Sequence[Event], epoch: str = "journal-1") -> None:
        """Deliver events after those that the table told before."""
        told = self._told.get((table, epoch), 0)
        items = [
            {"sequence": told + place, "event": event_to_json(event)}
            for place, event in enumerate(events, start=1)
        ]
        body = json.dumps({"epoch": epoch, "events": items}).encode()
        request = urllib.request.Request(
            f"{self.address}/api/tafels/{table}/events",
            data=body,
            headers={"Authorization": f"Bearer {self._tokens[table]}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=_ANSWER_TIMEOUT_S) as response:
            answer = json.loads(response.read())
        self._told[table, epoch] = told + len(events)
        assert answer["acknowledged"] == self._told[table, epoch], answer

    def state(self, table: str) -> dict[str, Any]:
        """What everybody may see of a table."""
        with urllib.request.urlopen(
            f"{self.address}/api/tafels/{table}", timeout=_ANSWER_TIMEOUT_S
        ) as answer:
            state: dict[str, Any] = json.loads(answer.read())
            return state


@dataclass
class Watched:
    """Browsers whose complaints are kept: errors on the console, failing scripts, fetches from elsewhere."""

    browser: Browser
    address: str
    complaints: list[str] = field(default_factory=list)

    def context(
        self, size: tuple[int, int], *, english: bool = False, dark: bool = False, like: Page | None = None
    ) -> BrowserContext:
        """A browser of this size; ``like`` hands on who is logged in there."""
        width, height = size
        made = self.browser.new_context(
            viewport={"width": width, "height": height},
            locale="en-GB" if english else "nl-NL",
            color_scheme="dark" if dark else "light",
            storage_state=like.context.storage_state() if like is not None else None,
        )
        made.set_default_timeout(10_000)
        made.on("page", self._watch)
        made.on("request", lambda request: self._from_here_only(request.url))
        return made

    def page(self, size: tuple[int, int], *, english: bool = False, dark: bool = False) -> Page:
        """A page in a browser of its own."""
        return self.context(size, english=english, dark=dark).new_page()

    def _watch(self, page: Page) -> None:
        page.on("console", lambda message: self._complain(page, message.text, message.type == "error"))
        page.on("pageerror", lambda error: self._complain(page, str(error), True))

    def _complain(self, page: Page, text: str, counts: bool) -> None:
        if counts:
            self.complaints.append(f"{page.url}: {text}")

    def _from_here_only(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.complaints.append(f"fetched from elsewhere: {url}")


def overflow_of(page: Page) -> int:
    """How many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def axe_source() -> str:
    """The script that looks for what people with poor sight, or without a mouse, cannot use."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def barriers(page: Page, axe: str) -> list[str]:
    """What axe finds serious or critical on a page, with where."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{page.url}: {one['id']} ({one['impact']}): {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in SERIOUS
        for node in one["nodes"][:4]
    ]
