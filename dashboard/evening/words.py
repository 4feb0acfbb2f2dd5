"""Refusals and log lines in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dashboard.errors import EveningError
from dashboard.evening.model import LogEntry
from dashboard.translate import gettext

_Sentence = Callable[[str], str]

_REFUSALS: Final[Mapping[str, _Sentence]] = {
    "unknown": lambda _: gettext("Deze avond is er niet."),
    "frozen": lambda _: gettext("Deze avond is vastgesteld. Er kan niets meer aan veranderen."),
    "begun": lambda _: gettext("Dat kan niet meer: er is al een partij begonnen."),
    "ended": lambda _: gettext("De avond is afgesloten. Heropen de avond eerst."),
    "not-begun": lambda _: gettext("De avond is nog niet begonnen."),
    "not-next": lambda number: gettext("Partij %(number)s is nu niet aan de beurt.", number=number),
    "not-last": lambda number: gettext("Partij %(number)s is niet de laatst begonnen partij.", number=number),
    "not-playing": lambda name: gettext("%(name)s speelt nu geen partij. Kies: gaat naar huis.", name=name),
    "too-few": lambda _: gettext("Er zijn te weinig deelnemers om een partij te spelen."),
    "nobody": lambda _: gettext("Deze deelnemer is er niet (meer). Ververs de pagina."),
    "order": lambda _: gettext("De lijst is intussen veranderd. Loot opnieuw."),
    "name-twice": lambda name: gettext("%(name)s doet al mee. Kies een andere naam.", name=name),
    "name": lambda name: gettext("Vul een naam in van hoogstens 60 tekens: %(name)s", name=name),
    "no-participants": lambda _: gettext("Vul minstens één deelnemer in."),
    "title": lambda _: gettext("Geef de avond een naam van hoogstens 80 tekens."),
    "season": lambda _: gettext("De naam van het seizoen is te lang (hoogstens 40 tekens)."),
    "day": lambda _: gettext("Vul een datum in."),
    "first-dealer": lambda _: gettext("Kies wie het eerst geeft."),
    "reglement": lambda _: gettext("Kies een reglement."),
    "own-reglement": lambda fault: gettext("Het eigen reglement klopt niet: %(fault)s", fault=fault),
    "number": lambda text: gettext("Dit getal kan niet: %(text)s", text=text),
    "figures": lambda text: gettext("Deze cijfers kunnen niet: %(text)s", text=text),
    "file": lambda fault: gettext("Dit bestand kan niet gelezen worden: %(fault)s", fault=fault),
}

_LOG_LINES: Final[Mapping[str, Callable[[Mapping[str, str]], str]]] = {
    "created": lambda one: gettext("Avond gemaakt: %(title)s", title=one["title"]),
    "imported": lambda one: gettext("Avond ingelezen: %(title)s", title=one["title"]),
    "settings": lambda one: gettext("Instellingen veranderd: %(title)s", title=one["title"]),
    "added": lambda one: gettext(
        "%(name)s toegevoegd, vanaf partij %(round)s", name=one["name"], round=one["round"]
    ),
    "renamed": lambda one: gettext(
        "%(name)s heet nu %(to)s (%(players)s)", name=one["name"], to=one["to"], players=one["players"]
    ),
    "removed": lambda one: gettext("%(name)s verwijderd", name=one["name"]),
    "drawn": lambda one: gettext("Geloot: %(names)s", names=one["names"]),
    "started": lambda one: gettext("Partij %(round)s begonnen", round=one["round"]),
    "unstarted": lambda one: gettext("Partij %(round)s toch niet begonnen", round=one["round"]),
    "withdrew": lambda one: gettext(
        "Opgave van %(name)s in partij %(round)s", name=one["name"], round=one["round"]
    ),
    "left": lambda one: gettext(
        "%(name)s gaat naar huis na partij %(round)s", name=one["name"], round=one["round"]
    ),
    "came-back": lambda one: gettext("%(name)s doet weer mee", name=one["name"]),
    "ended": lambda _: gettext("Avond afgesloten"),
    "reopened": lambda _: gettext("Avond heropend"),
}


def refusal(error: EveningError) -> str:
    """Why an evening cannot be changed like that, and what to do."""
    return _REFUSALS[error.reason](error.subject)


def log_line(entry: LogEntry) -> str:
    """What was changed."""
    return _LOG_LINES[entry.what](entry.detail)
