"""``python -m tests.benchmarks.venue_camera``: from a card that lies still before the camera to a browser.

A simulated film is drawn beforehand, and then given to the table's own program as a camera would: ten
pictures a second by the clock, and a picture that nobody took in time is gone. That program is a process of
its own, with the real models, the tracker, a journal, recording and delivery; the venue is another; the
browser is Chromium. Measured is, for each card, from the first picture in which it lies still until the page
with it is drawn. Whatever else runs on this machine is measured along.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from capture.frame import Frame
from capture.settings import TableConfig
from capture.simulator import BEGINNING, Film
from capture.sources import Source
from capture.table_process import run_table
from rules import Card, Rank
from tests.benchmarks.venue_load import percentile
from tests.chromium import chromium
from tests.dashboard.venue_process import VenueProcess
from tracker.events import CardPlayed

PICTURES_PER_SECOND: Final = 10.0
SEEDS: Final = (7101, 7102, 7103)
"""Films that no model was trained on."""

_TIMEOUT_MS: Final = 20_000
_DRAWN_WITHIN_S: Final = 600.0
_AFTER_THE_FILM_S: Final = 3.0
_RANK_NAMES: Final = dict(
    zip(Rank, ("zeven", "acht", "negen", "tien", "boer", "vrouw", "heer", "aas"), strict=True)
)
"""As the page reads them out in Dutch."""
_IS_LIVE: Final = "[data-badge][data-state=live]"
_WATCH: Final = """() => {
    window.drawn = [];
    const main = document.querySelector("main");
    const names = () => [...main.querySelectorAll(".felt svg.card")].map((card) => card.ariaLabel);
    const note = () => requestAnimationFrame(() => window.drawn.push([Date.now() / 1000, names()]));
    new MutationObserver(note).observe(main, { childList: true });
}"""


class FilmCamera(Source):
    """A film drawn beforehand, by the clock; a picture whose time has gone is never given."""

    is_live = True

    def __init__(self, frames: Sequence[Frame], started: Connection) -> None:
        self._frames = frames
        self._started = started
        self._began_s: float | None = None
        self._next = 0
        self._dropped = 0

    def describe(self) -> str:
        """What it is."""
        return "film as a camera"

    @property
    def frames_dropped(self) -> int:
        """How many pictures nobody took in time."""
        return self._dropped

    def read(self) -> Frame | None:
        """The newest picture that was not given yet, or the next one at its time; None at the end."""
        if self._began_s is None:
            self._began_s = time.monotonic()
            self._started.send(time.time())
        newest = int((time.monotonic() - self._began_s) * PICTURES_PER_SECOND)
        place = max(self._next, newest)
        self._dropped += place - self._next
        self._next = place + 1
        if place >= len(self._frames):
            return None
        time_s = self._began_s + place / PICTURES_PER_SECOND
        time.sleep(max(0.0, time_s - time.monotonic()))
        return Frame(self._frames[place].image, time_s, datetime.now(UTC), place)


@dataclass(frozen=True, slots=True)
class Shown:
    """What came of one film: for each card seen how long it took, how many never came, pictures dropped."""

    delays_s: tuple[float, ...]
    missed: int
    dropped: int
    pictures: int


def run_as_table(seed: int, config: TableConfig, told: Connection) -> None:
    """In a process of its own: draw the film, then be the table until it ends."""
    frames = list(Film(seed, 1, frames_per_second=PICTURES_PER_SECOND))
    camera = FilmCamera(frames, told)
    outcome = run_table(config, source=camera)
    told.send((outcome.frames_dropped, len(frames)))


def card_to_screen(browser: Browser, venue: VenueProcess, folder: Path, seed: int) -> Shown:
    """Show one film of one deal to the table, and watch the page."""
    film = Film(seed, 1, frames_per_second=PICTURES_PER_SECOND)
    config = TableConfig(
        source="0",
        trump=tuple(deal.trump for deal in film.deals),
        venue=venue.address,
        token=venue.token,
        journal=folder / "table.sqlite",
        recordings=folder / "recordings",
    )
    page = browser.new_page(locale="nl-NL")
    page.goto(f"{venue.address}/tafel/1")
    page.wait_for_selector(_IS_LIVE, timeout=_TIMEOUT_MS)
    page.evaluate(_WATCH)
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    table = context.Process(target=run_as_table, args=(seed, config, there))
    table.start()
    try:
        if not here.poll(_DRAWN_WITHIN_S):
            raise TimeoutError("the film was not drawn in time")
        began_s = float(here.recv())
        page.wait_for_timeout((film.length_s + _AFTER_THE_FILM_S) * 1000)
        drawn = page.evaluate("window.drawn")
        table.join(_DRAWN_WITHIN_S)
        dropped, pictures = here.recv()
    finally:
        table.kill()
        page.close()
    delays = [_delay_s(card, still_s, drawn, began_s) for card, still_s in _lying_still(film)]
    seen = tuple(delay for delay in delays if delay is not None)
    return Shown(seen, len(delays) - len(seen), dropped, pictures)


def _lying_still(film: Film) -> list[tuple[Card, float]]:
    """Each card with when, in seconds of the film, the first picture is taken in which it lies still."""
    played = [event for event in film.events if isinstance(event, CardPlayed)]
    return [
        (
            event.card,
            ceil((event.time_utc - BEGINNING).total_seconds() * PICTURES_PER_SECOND) / PICTURES_PER_SECOND,
        )
        for event in played
    ]


def _delay_s(
    card: Card, still_s: float, drawn: Sequence[tuple[float, Sequence[str]]], began_s: float
) -> float | None:
    """How long after it lay still the card was on the page first; None when it never was."""
    name = f"{card.suit.dutch} {_RANK_NAMES[card.rank]}"
    first = next((moment_s for moment_s, names in drawn if name in names), None)
    return None if first is None else first - (began_s + still_s)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, action="append", help="a film; given again for more films")
    seeds = parser.parse_args().seed or SEEDS
    shown: list[Shown] = []
    with chromium() as browser:
        for seed in seeds:
            with tempfile.TemporaryDirectory() as folder:
                venue = VenueProcess(Path(folder))
                venue.start()
                try:
                    shown.append(card_to_screen(browser, venue, Path(folder), seed))
                finally:
                    venue.stop()
    if not any(one.delays_s for one in shown):
        parser.exit(1, "no card ever came on the page\n")
    delays = [delay for one in shown for delay in one.delays_s]
    lines = [
        f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors",
        f"pictures that nobody took in time: {sum(one.dropped for one in shown)}"
        f" of {sum(one.pictures for one in shown)}",
        f"camera to screen, {len(delays)} cards, {sum(one.missed for one in shown)} never shown: "
        f"p50 {percentile(delays, 0.5) * 1000:.0f} ms, p95 {percentile(delays, 0.95) * 1000:.0f} ms, "
        f"longest {max(delays) * 1000:.0f} ms",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
