"""A whole evening in a real browser, from the first account to the last standing.

Eight teams at four tables play three matches of sixteen deals, told fast by HTTP; a verzaking is ruled
koppel, an accusation was wrong, a deal is dealt again, a card of deal 3 is corrected after deal 16, one team
gives up and so another has a zitbeurt. The figures of the standings were added up by hand, below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.chromium import chromium, need_chromium
from tests.dashboard.evening_deals import told_deal
from tests.dashboard.evening_hall import (
    DESK,
    PHONE,
    PROJECTOR,
    TABLET,
    Hall,
    Watched,
    axe_source,
    barriers,
    overflow_of,
)

pytestmark = pytest.mark.browser

TEAMS: Final = (
    ("De Boeren", "Jan Jansen", "Piet Pietersen"),
    ("Klaverjasvereniging Ons Genoegen Nieuwendam-Noord", "Wilhelmina van den Oudenrijn", "Toos de Vries"),
    ("De Vrouwen", "Hendrik-Jan Schouten van Bommel", "Cornelis Wijnands"),
    ("Troefaas", "Ahmed Yilmaz", "Fatima el Idrissi"),
    ("Boer Zoekt Nel", "Kees", "Riet"),
    ("Het Amsterdamse Bos", "Sjaan", "Bep"),
    ("De Laatste Slag", "Ab", "Gé"),
    ("Pitje Puck", "Truus", "Arie"),
)

DEALS: Final[Mapping[tuple[int, str], Mapping[int, str]]] = {
    (1, "1"): {3: "misread"},
    (1, "2"): {4: "pit"},
    (1, "3"): {5: "nat"},
    (1, "4"): {7: "pit"},
    (2, "1"): {6: "revoked"},
    (2, "2"): {},
    (2, "3"): {10: "roem"},
    (2, "4"): {},
    (3, "1"): {16: "roem"},
    (3, "2"): {1: "nat"},
    (3, "3"): {1: "roem"},
}
"""By match and table, the deals that are not plain. East and West lead the odd deals, North and South the
even ones, so sixteen plain deals bring each side 8 x 92 + 8 x 70 = 1296."""

# Match 1
#   table 1  1-2   deal 3 is corrected from 78-84 to 70-92, so 1304-1288 becomes    1296 - 1296
#   table 2  3-4   deal 4, a pit of 3: 1296 - 92 + 262, 1296 - 70                   1466 - 1226
#   table 3  5-6   deal 5, 6 nat: 1296 - 70 + 162, 1296 - 92                        1388 - 1204
#   table 4  7-8   deal 7, a pit of 8: 1296 - 70, 1296 - 92 + 262                   1226 - 1466
# Match 2
#   table 1  1-3   deal 6, 3 verzaakt: 1296 - 92 + 262, 1296 - 70                   1466 - 1226
#   table 2  2-4   deal 8, 2 accuses wrongly: 1296 - 92, 1296 - 70 + 262            1204 - 1488
#   table 3  5-7   deal 9 again, plain; deal 10, 40 roem for 5                      1336 - 1296
#   table 4  6-8   8 gives up after four plain deals: 2 x 92 + 2 x 70                324 -  324
# Match 3, 7 has the zitbeurt
#   table 1  1-4   deal 16, 40 roem for 1                                           1336 - 1296
#   table 2  2-5   deal 1, 5 nat                                                    1388 - 1204
#   table 3  3-6   deal 1, 40 roem for 6                                            1296 - 1336
#
# Points: won 3, drawn 2, lost 1, a pit 1 more, verzaakt 1 less, zitbeurt 2, their opgave 2, own opgave -2.
# Kruizen: nat 1, a pit of the others 2, verzaakt or wrongly accused 3.
STANDINGS: Final = (
    #                 place, points, for, against, balance, kruizen
    ("De Boeren", "1", "8", "4098", "3818", "+280", "0"),  # 2 + 3 + 3
    ("Boer Zoekt Nel", "2", "7", "3928", "3888", "+40", "1"),  # 3 + 3 + 1
    (TEAMS[1][0], "3", "6", "3888", "3988", "−100", "3"),  # 2 + 1 + 3
    ("Het Amsterdamse Bos", "4", "6", "2864", "3008", "−144", "1"),  # 1 + 2 + 3
    ("Troefaas", "5", "5", "4010", "4006", "+4", "2"),  # 1 + 3 + 1
    ("De Vrouwen", "6", "5", "3988", "4028", "−40", "3"),  # 4 + (1 - 1) + 1
    ("De Laatste Slag", "7", "4", "2522", "2802", "−280", "2"),  # 1 + 1 + 2
    ("Pitje Puck", "8", "2", "1790", "1550", "+240", "0"),  # 4 - 2
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    need_chromium()
    with chromium() as started:
        yield started


@dataclass
class Evening:
    """The hall, and the organiser's browser on the desk."""

    hall: Hall
    desk: Page

    def tell(self, match: int, table: str, first: int = 1, last: int = 16) -> None:
        """A table plays some deals of a match."""
        kinds = DEALS[match, table]
        for number in range(first, last + 1):
            self.hall.tell(table, told_deal(kinds.get(number, "plain"), number, table))

    def go(self, path: str) -> None:
        """Open a page at the desk."""
        self.desk.goto(self.hall.address + path)

    def replay(self, table: str, deal: int) -> None:
        """Look back at a deal, from the desk's list of tables."""
        self.go("/wedstrijdleider")
        self.desk.locator(f'.desk-tables tr:has(th a[href="/tafel/{table}"]) td a').first.click()
        self.desk.locator(".deal-links").get_by_role("link", name=str(deal), exact=True).click()

    def decide(self, decision: str, shown: str) -> None:
        """Press a ruling whose effect stands beside it, with a reason."""
        card = self.desk.locator(f".decision-{decision}")
        expect(card.locator(".effect")).to_contain_text(shown)
        self.desk.fill("#reden", "aan tafel bekeken")
        card.get_by_role("button").click()
        expect(self.desk.locator(".made")).to_contain_text("aan tafel bekeken")


@pytest.mark.timeout(300)
def test_a_whole_evening_ends_in_the_standings_added_up_by_hand(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Hall(tmp_path_factory.mktemp("evening")).open() as hall:
        watched = Watched(browser, hall.address)
        evening = Evening(hall, watched.page(DESK))
        set_up(evening)
        follow_first_match(evening, watched)
        rule_in_second_match(evening, watched)
        play_third_match(evening)
        assert standings_on(evening.desk) == STANDINGS
        look_at_every_page(evening, watched)
        assert watched.complaints == []


ONE_WORD: Final = "Klaverjasverenigingnieuwendamnoordoosthoekmetzijnallenopstap"
OFF_CENTRE: Final = """() => {
  const middle = (element) => { const box = element.getBoundingClientRect(); return box.x + box.width / 2; };
  const cards = document.querySelectorAll(".place-N > :first-child, .place-S > :first-child");
  return [...cards].map((card) => Math.abs(middle(card) - middle(document.querySelector(".felt"))));
}"""
"""By how many pixels North's and South's cards lie beside the middle of the table."""

TURNED: Final = "\u202eomgekeerd"
LONG_NAMES: Final = (
    (ONE_WORD, ONE_WORD, "Toos"),
    ("X" * 60, "Y" * 60, "Z" * 60),
    (f"{TURNED} de Boeren", "Jan", "Piet"),
    ("فريق السعادة", "Ahmed", "Fatima"),
    ("De Laatste Slag", "Ab", "Gé"),
)


@pytest.mark.timeout(120)
def test_a_name_of_one_long_word_fits_every_page_on_a_phone(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Hall(tmp_path_factory.mktemp("names"), tables=("1", "2")).open() as hall:
        watched = Watched(browser, hall.address)
        evening = Evening(hall, watched.page(DESK))
        set_up(evening, LONG_NAMES)
        begin_match(evening, 1)
        for table in "12":
            for number in (1, 2):
                hall.tell(table, told_deal("revoked" if number == 2 else "plain", number, table))
        with watched.context(PHONE, like=evening.desk) as context:
            phone = context.new_page()
            for path in (
                *("/", "/scherm", "/tafel/1", "/stand", "/stand/seizoen?seizoen=2026-2027", "/schema"),
                *("/tellijst/1/1/1", "/wedstrijdleider", "/wedstrijdleider/avonden/1"),
                *("/wedstrijdleider/avonden/1/papier/1/1", "/wedstrijdleider/logboek"),
            ):
                answer = phone.goto(hall.address + path)
                assert answer is not None
                assert answer.status == 200, path
                assert overflow_of(phone) <= 0, path
            phone.goto(f"{hall.address}/tafel/1")
            expect(phone.locator("[data-badge]")).to_have_attribute("data-state", "live")
            off_centre = phone.evaluate(OFF_CENTRE)
            assert len(off_centre) == 2
            assert max(off_centre) <= 2
            phone.goto(f"{hall.address}/schema")
            assert "\u202e" not in phone.content()
        assert watched.complaints == []


def set_up(evening: Evening, teams: Sequence[tuple[str, str, str]] = TEAMS) -> None:
    """The first account, the evening, its teams, and the seating as the list stands."""
    desk = evening.desk
    evening.go("/eerste-keer")
    desk.fill("#code", evening.hall.venue.first_run_code())
    desk.fill("#name", "Anneke")
    desk.fill("#password", "een lang wachtwoord")
    desk.click("main button")
    desk.get_by_role("link", name="Avonden").click()
    desk.fill("#title", "Klaverjasavond Nieuwendam")
    desk.fill("#season", "2026-2027")
    desk.get_by_role("button", name="Avond maken").click()
    desk.fill("#participants", "\n".join("; ".join(team) for team in teams))
    desk.get_by_role("button", name="Toevoegen").click()
    expect(desk.locator("table.people tbody tr")).to_have_count(len(teams))
    desk.get_by_role("button", name="Indelen zoals de lijst staat").click()
    expect(desk.locator(".now")).to_contain_text("De indeling staat klaar.")


def begin_match(evening: Evening, number: int, *, anyway: bool = False) -> None:
    evening.go("/wedstrijdleider/avonden")
    desk = evening.desk
    desk.get_by_role("link", name="Klaverjasavond Nieuwendam").click()
    if anyway:
        desk.locator("summary").get_by_text(f"Partij {number} begint").click()
        desk.get_by_role("button", name="Toch beginnen").click()
    else:
        desk.get_by_role("button", name=f"Partij {number} begint").click()
    expect(desk.locator(".fault")).to_have_count(0)


def follow_first_match(evening: Evening, watched: Watched) -> None:
    """A viewer follows table 1 on a phone in English; after deal 16 a card of deal 3 is corrected."""
    begin_match(evening, 1)
    phone = watched.page(PHONE, english=True)
    phone.goto(f"{evening.hall.address}/tafel/1")
    expect(phone.locator("main")).to_contain_text("De Boeren")
    expect(phone.locator("[data-badge]")).to_contain_text("Live")
    for table in "1234":
        evening.tell(1, table)
    totals = phone.locator(".tellijst .grand td")
    expect(totals).to_have_text(["1304", "1288"])
    desk = evening.desk
    evening.replay("1", 3)
    desk.locator("#slag-4 .trick-cards li").nth(3).get_by_role("link", name="Corrigeren").click()
    desk.locator(".pack input[value=SA]").click()
    expect(desk.locator("main")).to_contain_text("Deze kaart is al gelezen in slag 5")
    desk.locator("input[type=checkbox][name=wissel]").click()
    expect(desk.locator(".effect")).to_contain_text("1296")
    desk.fill("#reden", "op de film gezien")
    desk.get_by_role("button", name=re.compile("^Corrigeren: ")).click()
    expect(totals).to_have_text(["1296", "1296"])
    phone.context.close()


def rule_in_second_match(evening: Evening, watched: Watched) -> None:
    """A verzaking, a wrong accusation, a deal again, and a team that gives up."""
    begin_match(evening, 2)
    desk, hall = evening.desk, evening.hall
    evening.go("/wedstrijdleider")
    evening.tell(2, "1")
    alert = desk.locator(".alert-revoke")
    expect(alert.locator("h3")).to_have_text("Verzaken aangetoond")
    alert.get_by_role("link", name="Beslissen").click()
    evening.decide("verzaakt-koppel", "262")

    evening.tell(2, "2", 1, 8)
    tablet = watched.page(TABLET)
    pair_tablet(evening, tablet)
    say_on_tablet(tablet)
    found = barriers(tablet, axe_source())
    assert not found, found
    assert overflow_of(tablet) <= 0
    tablet.context.close()
    evening.go("/wedstrijdleider")
    alert = desk.locator(".alert-revoke_accused")
    expect(alert).to_contain_text("Zuid zegt dat Oost verzaakte.")
    alert.get_by_role("link", name="Beslissen").click()
    evening.decide("onjuiste-beschuldiging", "262")
    evening.tell(2, "2", 9)

    evening.tell(2, "3", 1, 8)
    hall.tell("3", told_deal("pit", 9, "3"))
    evening.replay("3", 9)
    desk.get_by_role("link", name="Beslissen").click()
    evening.decide("opnieuw-delen", "telt niet")
    evening.tell(2, "3", 9)

    evening.tell(2, "4", 1, 4)
    evening.go("/wedstrijdleider/avonden")
    desk.get_by_role("link", name="Klaverjasavond Nieuwendam").click()
    row = desk.locator("table.people tbody tr").filter(has_text="Pitje Puck")
    row.locator("summary").click()
    row.get_by_role("button", name="Opgave", exact=True).click()
    expect(desk.locator("table.people tbody tr").filter(has_text="Pitje Puck")).to_contain_text(
        "opgave in partij 2"
    )


def pair_tablet(evening: Evening, page: Page) -> None:
    """A browser becomes the tablet of table 2, with a code from the desk."""
    desk = evening.desk
    evening.go("/wedstrijdleider")
    desk.locator("#tablets summary").click()
    desk.locator("#tablets").get_by_role("button", name="Tafel 2").click()
    page.goto(f"{evening.hall.address}/tafel/2/aanmelden")
    page.fill("input[name=code]", desk.locator(".pairing-code").inner_text())
    page.get_by_role("button", name="Deze tablet koppelen").click()


def say_on_tablet(tablet: Page) -> None:
    """One side agrees to deal 8, and South accuses East."""
    agree = tablet.locator(".agree-side.side-of-NS")
    agree.locator("button[value=ja]").click()
    expect(agree.locator(".answered")).to_contain_text("klopt")
    tablet.locator("#accuse summary").click()
    tablet.locator("#say-verzaakt input[name=wie][value=S]").click()
    tablet.locator("#say-verzaakt input[name=beschuldigd][value=E]").click()
    tablet.get_by_role("button", name="Beschuldigen").click()


def play_third_match(evening: Evening) -> None:
    """Seven teams are left: one sits out. Then the evening ends."""
    begin_match(evening, 3)
    desk = evening.desk
    expect(desk.locator(".byes").first).to_contain_text("De Laatste Slag")
    for table in "123":
        evening.tell(3, table)
    evening.go("/wedstrijdleider/avonden")
    desk.get_by_role("link", name="Klaverjasavond Nieuwendam").click()
    desk.locator("summary").get_by_text("Avond afsluiten").click()
    desk.get_by_role("button", name="Afsluiten", exact=True).click()
    desk.locator("main").get_by_role("link", name="Stand", exact=True).click()


def standings_on(page: Page) -> tuple[tuple[str, ...], ...]:
    """The rows as a person reads them."""
    rows = page.locator("table.standings tbody tr").all()
    return tuple(
        (
            row.locator("th").evaluate("cell => cell.firstChild.textContent").strip(),
            row.locator(".rank").inner_text(),
            row.locator(".points").inner_text(),
            *(
                cell.evaluate("cell => cell.lastChild.textContent").strip()
                for cell in row.locator(".extra").all()
            ),
        )
        for row in rows
    )


def pages_of(evening: Evening) -> list[str]:
    """The address of every page that a person can open."""
    evening.go("/wedstrijdleider")
    desk = evening.desk
    replay = str(desk.locator(".desk-tables td a").first.get_attribute("href"))
    table, match, _ = replay.split("/")[2:]
    deal = f"{table}/{match}/3"
    return [
        "/",
        "/scherm",
        "/tafel/1",
        "/tafel/1/aanmelden",
        "/stand",
        "/stand/seizoen?seizoen=2026-2027",
        "/schema",
        "/tellijst/1/1/2",
        "/aanmelden",
        "/er-is-niets",
        "/wedstrijdleider",
        "/wedstrijdleider/logboek",
        "/beheer",
        "/wedstrijdleider/waarschuwingen",
        "/wedstrijdleider/avonden",
        "/wedstrijdleider/avonden/1",
        "/wedstrijdleider/avonden/1/papier/1/2",
        f"/wedstrijdleider/beslissen/{deal}",
        f"/terugkijken/{deal}",
        f"/terugkijken/{deal}?slag=4&kaart=4",
        f"/terugkijken/{deal}/protest",
        f"/terugkijken/{deal}/kaart/4/4?kaart=SA",
        f"/terugkijken/{deal}/gegevens",
    ]


def look_at_every_page(evening: Evening, watched: Watched) -> None:
    """On a phone in Dutch, a tablet in English, a dark projector: nothing overflows or is barred."""
    axe, paths = axe_source(), pages_of(evening)
    found: list[str] = []
    for size, is_english, is_dark in ((PHONE, False, False), (TABLET, True, False), (PROJECTOR, True, True)):
        context = watched.context(size, english=is_english, dark=is_dark, like=evening.desk)
        page = context.new_page()
        for path in paths:
            page.goto(evening.hall.address + path)
            if overflow_of(page) > 0:
                found.append(f"{path} is {overflow_of(page)} px wider than {size[0]} px")
            expect(page.locator("html")).to_have_attribute("lang", "en" if is_english else "nl")
            found += barriers(page, axe)
        context.close()
    watched.complaints[:] = [text for text in watched.complaints if "/er-is-niets" not in text]
    assert not found, "\n".join(found)
