"""Dutch first, English second: which language a page speaks, and the words of the game in it.

The sentences in the templates are Dutch; ``translations/en`` holds the English ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from flask import Flask, Response, request
from flask_babel import Babel, format_time, get_locale

from dashboard.config import DashboardConfig
from dashboard.services import services
from dashboard.translate import gettext
from rules import Card, Rank, Reason, Seat, Suit, Team

LANGUAGES: Final = ("nl", "en")
_COOKIE: Final = "taal"
_YEAR_S: Final = 365 * 24 * 3600


def speak(app: Flask, config: DashboardConfig) -> None:
    """Teach ``app`` both languages, and the templates the words of the game."""
    app.config["BABEL_DEFAULT_LOCALE"] = config.language
    Babel(app, locale_selector=_chosen_language, default_timezone=config.timezone)
    app.after_request(_remember_choice)
    app.jinja_env.globals.update(
        seat_name=seat_name,
        suit_name=suit_name,
        team_name=team_name,
        card_name=card_name,
        reason_text=reason_text,
        letters_text=letters_text,
        clock=clock,
        percent=percent,
        current_language=current_language,
        other_language=other_language,
    )


def current_language() -> str:
    """``nl`` or ``en``: what the page that is being made speaks."""
    locale = get_locale()
    return str(locale.language) if locale is not None else LANGUAGES[0]


def other_language() -> str:
    """The language that a reader can change to."""
    return "en" if current_language() == "nl" else "nl"


def seat_name(seat: Seat) -> str:
    """Noord, Oost, Zuid or West."""
    return {
        Seat.NORTH: gettext("Noord"),
        Seat.EAST: gettext("Oost"),
        Seat.SOUTH: gettext("Zuid"),
        Seat.WEST: gettext("West"),
    }[seat]


def suit_name(suit: Suit) -> str:
    """klaveren, ruiten, harten or schoppen."""
    return {
        Suit.CLUBS: gettext("klaveren"),
        Suit.DIAMONDS: gettext("ruiten"),
        Suit.HEARTS: gettext("harten"),
        Suit.SPADES: gettext("schoppen"),
    }[suit]


def team_name(team: Team) -> str:
    """Wij (North and South, at whose side the sheet lies) or Zij."""
    return gettext("Wij") if team is Team.NORTH_SOUTH else gettext("Zij")


def card_name(card: Card) -> str:
    """The card in words: hartentien, or ten of hearts."""
    return gettext("%(suit)s %(rank)s", suit=suit_name(card.suit), rank=_rank_name(card.rank))


def letters_text() -> str:
    """What the letters on the drawn cards mean, for who does not know Dutch cards; empty in Dutch."""
    if current_language() == "nl":
        return ""
    order = (Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)
    letters = ", ".join(f"{rank.dutch_index} {_rank_name(rank)}" for rank in order)
    return gettext("De kaarten dragen Nederlandse letters: %(letters)s.", letters=letters)


def reason_text(reason: Reason) -> str:
    """Why, as the rules say it, in the language of the page."""
    return reason.dutch if current_language() == "nl" else reason.english


def clock(moment: datetime) -> str:
    """The time of day in the hall."""
    return str(format_time(moment, "HH:mm:ss"))


def percent(share: float) -> str:
    """A probability from 0 to 1 as a whole percentage; never 100 % for what is not certain."""
    return gettext("%(number)d%%", number=min(round(share * 100), 99) if share < 1 else 100)


def _rank_name(rank: Rank) -> str:
    return _rank_names()[rank]


def _rank_names() -> Mapping[Rank, str]:
    return {
        Rank.SEVEN: gettext("zeven"),
        Rank.EIGHT: gettext("acht"),
        Rank.NINE: gettext("negen"),
        Rank.TEN: gettext("tien"),
        Rank.JACK: gettext("boer"),
        Rank.QUEEN: gettext("vrouw"),
        Rank.KING: gettext("heer"),
        Rank.ACE: gettext("aas"),
    }


def _asked_for() -> str | None:
    asked = request.args.get("taal")
    return asked if asked in LANGUAGES else None


def _chosen_language() -> str:
    """What the address asks for, else what was chosen before, else what the browser prefers."""
    remembered = request.cookies.get(_COOKIE)
    return (
        _asked_for()
        or (remembered if remembered in LANGUAGES else None)
        or request.accept_languages.best_match(LANGUAGES)
        or services().config.language
    )


def _remember_choice(response: Response) -> Response:
    asked = _asked_for()
    if asked is not None and response.mimetype == "text/html":
        secure = services().config.https
        response.set_cookie(_COOKIE, asked, max_age=_YEAR_S, httponly=True, samesite="Lax", secure=secure)
    return response
