"""Dutch first, English second, and nothing left untranslated."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import dashboard
from dashboard.desk.words import cited
from rules import Source
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import played_deal

FOLDER = Path(dashboard.__file__).parent
CATALOG = FOLDER / "translations/en/LC_MESSAGES/messages"
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]


def english() -> Catalog:
    with CATALOG.with_suffix(".po").open("rb") as file:
        return read_po(file, locale="en")


def sentences_in_use() -> set[object]:
    return {message for _, _, message, _, _ in extract_from_dir(FOLDER, METHODS)}


def test_every_sentence_in_use_is_translated_and_no_other_is_kept() -> None:
    catalog = english()
    translated = {
        message.id: message.string
        for message in catalog
        if message.id and not message.fuzzy and message.string
    }
    assert set(translated) == sentences_in_use()
    assert all(all(string) if isinstance(string, tuple) else string for string in translated.values())
    assert not list(catalog.check())


def test_the_compiled_catalog_is_made_from_the_readable_one() -> None:
    with CATALOG.with_suffix(".mo").open("rb") as file:
        compiled = read_mo(file)
    assert texts_of(compiled) == texts_of(english())


def texts_of(catalog: Catalog) -> dict[str, list[str]]:
    """Each sentence (the first of two with a plural) with its translation in all its forms."""
    return {as_list(message.id)[0]: as_list(message.string) for message in catalog if message.id}


def as_list(text: str | list[str] | tuple[str, ...] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


@pytest.mark.parametrize(
    ("address", "accepts", "language"),
    [
        ("/tafel/1", "", "nl"),
        ("/tafel/1", "en-GB,en;q=0.9", "en"),
        ("/tafel/1", "fr", "nl"),
        ("/tafel/1", "de,nl;q=0.5,en;q=0.3", "nl"),
        ("/tafel/1?taal=en", "nl", "en"),
        ("/tafel/1?taal=nl", "en", "nl"),
        ("/tafel/1?taal=xx", "nl", "nl"),
    ],
)
def test_the_address_decides_then_the_browser_then_dutch(
    venue: Venue, address: str, accepts: str, language: str
) -> None:
    venue.deliver(played_deal(seed=4)[:6])
    headers = {"Accept-Language": accepts} if accepts else {}
    page = venue.viewer().get(address, headers=headers).text
    assert f'<html lang="{language}">' in page
    assert ("Troef" in page) == (language == "nl")
    assert ("Trump" in page) == (language == "en")
    assert f"/tafel/1/stroom?taal={language}" in page


def test_a_choice_is_remembered(venue: Venue) -> None:
    client = venue.viewer()
    client.get("/?taal=en")
    assert '<html lang="en">' in client.get("/aanmelden", follow_redirects=True).text


@pytest.mark.parametrize("language", ["nl", "en"])
def test_every_page_speaks_both(venue: Venue, language: str) -> None:
    venue.deliver(played_deal(seed=5, revoking=True))
    director = venue.director()
    for address in ("/", "/tafel/1", "/wedstrijdleider"):
        answer = director.get(f"{address}?taal={language}")
        assert answer.status_code == 200
        assert f'<html lang="{language}">' in answer.text


def test_a_page_that_is_not_there_says_so_calmly(venue: Venue) -> None:
    page = venue.viewer().get("/tafel/99?taal=nl", headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert "Deze pagina is er niet" in page.text
    program = venue.viewer().get("/api/tafels/99")
    assert program.status_code == 404
    assert program.json is not None
    assert program.json["error"]["code"] == "not_found"


def test_english_pages_say_what_the_dutch_letters_on_the_cards_mean(venue: Venue) -> None:
    venue.deliver(played_deal(seed=5)[:8])
    viewer = venue.viewer()
    letters = "The cards bear Dutch letters: B jack, V queen, H king, A ace."
    assert viewer.get("/tafel/1?taal=en").text.count(letters) == 1
    assert "bear Dutch letters" not in viewer.get("/tafel/1?taal=nl").text


def test_an_article_of_another_text_than_is_played_by_says_why_it_is_cited(venue: Venue) -> None:
    """A claim under the Klaverjas Drive was told with an article of Amsterdams, as if that were played."""
    article = "Amsterdams met passen, artikel 18"
    with venue.app.test_request_context(headers={"Accept-Language": "nl"}):
        assert cited(article, Source.AMSTERDAMS) == cited(article, None) == article
        told = cited(article, Source.DRIVE)
        own = "Reglement Klaverjas Drive: “Pit halen”"
        assert cited(own, Source.DRIVE) == own
    assert told == f"{article}, want het Reglement Klaverjas Drive zegt hier niets over"
    venue.deliver(played_deal(seed=5, revoking=True))
    match = venue.services.desk_matches.current("1")
    assert (
        "artikel 13, want het Reglement"
        in venue.director().get(f"/wedstrijdleider/beslissen/1/{match}/1?taal=nl").text
    )
