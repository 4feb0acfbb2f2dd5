"""Pictures of every page, made in a hall where an evening is being played: ``make screenshots``.

They stand in ``dashboard/screenshots``, with few colours so that they stay small, and ``dashboard/PAGES.md``
shows them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page

from tests.chromium import chromium
from tests.dashboard.evening_deals import told_deal
from tests.dashboard.evening_hall import DESK, PHONE, PROJECTOR, TABLET, Hall, Watched
from tests.dashboard.test_evening_walk import Evening, begin_match, pair_tablet, set_up

FOLDER: Final = Path(__file__).parents[2] / "dashboard"
_WIDEST: Final = 1200
_COLOURS: Final = 160


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture. ``whose``: who looks, ``desk`` or ``tablet`` or nobody special."""

    name: str
    text: str
    path: str
    size: tuple[int, int]
    whose: str = ""
    dark: bool = False
    english: bool = False


FIRST_TIME: Final = Shot("first-time", "De allereerste keer", "/eerste-keer", TABLET)


def shots(deal: str, alert: str) -> Iterator[Shot]:
    """Every picture; ``deal`` is the address of the deal with a verzaking, ``alert`` of its ruling."""
    yield Shot("hall", "De zaal, op een laptop", "/", DESK)
    yield Shot("hall-phone", "De zaal op een telefoon, in het donker", "/", PHONE, dark=True)
    yield Shot("screen", "Het grote scherm in de zaal", "/scherm", PROJECTOR)
    yield Shot("table", "De tafel, op een beamer", "/tafel/2", PROJECTOR)
    yield Shot(
        "table-dark-english", "The table in English, in the dark", "/tafel/2", PROJECTOR, "", True, True
    )
    yield Shot("table-phone", "De tafel op een telefoon", "/tafel/2", PHONE)
    yield Shot("tablet", "De tablet aan tafel", "/tafel/2/invoer", TABLET, "tablet")
    yield Shot(
        "tablet-phone", "Dezelfde op een telefoon, in het donker", "/tafel/2/invoer", PHONE, "tablet", True
    )
    yield Shot("desk", "De wedstrijdleider", "/wedstrijdleider", DESK, "desk")
    yield Shot("desk-phone", "De wedstrijdleider op een telefoon", "/wedstrijdleider", PHONE, "desk", True)
    yield Shot("ruling", "Beslissen, met de gevolgen ernaast", alert, DESK, "desk")
    yield Shot("ruling-phone", "Beslissen op een telefoon", alert, PHONE, "desk")
    yield Shot("replay", "Terugkijken", f"/terugkijken/{deal}#slag-1", DESK, "desk")
    yield Shot(
        "replay-phone", "Terugkijken op een telefoon", f"/terugkijken/{deal}#slag-3", PHONE, "desk", True
    )
    yield Shot("correction", "Een kaart corrigeren", f"/terugkijken/{deal}/kaart/4/4?kaart=C7", DESK, "desk")
    yield Shot(
        "protest", "Een spel op papier, voor een protest", f"/terugkijken/{deal}/protest", DESK, "desk"
    )
    yield Shot("standings", "De stand", "/stand", PROJECTOR)
    yield Shot("standings-phone", "De stand op een telefoon", "/stand", PHONE)
    yield Shot("season", "De stand van het seizoen", "/stand/seizoen", DESK)
    yield Shot("schedule", "Het schema", "/schema", DESK, dark=True)
    yield Shot("schedule-phone", "Het schema op een telefoon", "/schema", PHONE)
    yield Shot("tellijst", "De tellijst, zoals hij ook op papier komt", "/tellijst/1/1/2", DESK)
    yield Shot("evening", "De avond leiden", "/wedstrijdleider/avonden/1", DESK, "desk")
    yield Shot(
        "paper",
        "De eigen briefjes van de spelers, met wat er geteld is",
        "/wedstrijdleider/avonden/1/papier/1/1",
        DESK,
        "desk",
    )
    yield Shot("log", "Het logboek", "/wedstrijdleider/logboek", DESK, "desk")
    yield Shot("organiser", "Wie mag wat: de organisator", "/beheer", DESK, "desk")
    yield Shot("organiser-phone", "De organisator op een telefoon", "/beheer", PHONE, "desk", True)
    yield Shot("set-up", "Een avond maken", "/wedstrijdleider/avonden", TABLET, "desk")
    yield Shot("warnings", "Waarschuwingen", "/wedstrijdleider/waarschuwingen", DESK, "desk")
    yield Shot("sign-in", "Aanmelden", "/aanmelden", PHONE)
    yield Shot("tablet-sign-in", "Een tablet aan een tafel zetten", "/tafel/3/aanmelden", PHONE)


def play(evening: Evening) -> None:
    """One match to the end, and a second one with a verzaking at table 1 and a trick open at table 2."""
    set_up(evening)
    begin_match(evening, 1)
    for table in "1234":
        evening.tell(1, table)
    begin_match(evening, 2)
    evening.tell(2, "1", 1, 6)
    evening.tell(2, "2", 1, 7)
    evening.hall.tell("2", told_deal("roem", 8, "2")[:14])
    evening.tell(2, "3", 1, 8)
    evening.tell(2, "4", 1, 4)


def small(picture: bytes) -> Image.Image:
    """A picture no wider than a page, in few colours."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    if image.width > _WIDEST:
        image = image.resize((_WIDEST, image.height * _WIDEST // image.width), Image.Resampling.LANCZOS)
    return image.quantize(_COLOURS, dither=Image.Dither.NONE)


def taken(out: Path, watched: Watched, hall: Hall, shot: Shot, like: Page | None = None) -> list[str]:
    """Take one picture, as who is logged in on the page ``like``; what shows it in ``PAGES.md``."""
    context = watched.context(shot.size, english=shot.english, dark=shot.dark, like=like)
    page = context.new_page()
    page.goto(hall.address + shot.path)
    page.wait_for_timeout(300)
    small(page.screenshot()).save(out / f"{shot.name}.png", optimize=True)
    context.close()
    width = 300 if shot.size == PHONE else 900
    picture = f'<img src="screenshots/{shot.name}.png" width="{width}" alt="{shot.text}">'
    return ["", f"## {shot.text}", "", picture]


def main() -> None:
    """Make all of them."""
    out = FOLDER / "screenshots"
    out.mkdir(exist_ok=True)
    lines = [
        "# What the pages look like",
        "",
        "Made by `make screenshots`, in an evening of the tests: four tables, the second match.",
    ]
    with tempfile.TemporaryDirectory() as folder, Hall(Path(folder)).open() as hall, chromium() as browser:
        watched = Watched(browser, hall.address)
        lines += taken(out, watched, hall, FIRST_TIME)
        evening = Evening(hall, watched.page(DESK))
        play(evening)
        tablet = watched.page(TABLET)
        pair_tablet(evening, tablet)
        evening.go("/wedstrijdleider")
        alert = evening.desk.locator(".alert-revoke").get_by_role("link", name="Beslissen")
        address = str(alert.get_attribute("href"))
        deal = "/".join(address.split("?")[0].split("/")[-3:])
        pages = {"desk": evening.desk, "tablet": tablet}
        for shot in shots(deal, address):
            lines += taken(out, watched, hall, shot, pages.get(shot.whose))
    (FOLDER / "PAGES.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
