"""What people fill in about an evening, read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Final

from dashboard.errors import EveningError
from dashboard.evening.rows import EveningSettings
from rules import (
    REGLEMENTEN,
    Drive,
    Reglement,
    ReglementError,
    RulesError,
    parse_seat,
    reglement_from_toml,
)

LONGEST_NAME: Final = 60
_LONGEST_TITLE: Final = 80
_LONGEST_SEASON: Final = 40
_MOST_MATCHES: Final = 12
_MOST_DEALS: Final = 64
_MOST_PARTICIPANTS: Final = 400

_UNSEEN: Final = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0xFEFF])
"""Marks that turn the direction of writing: in a name they would turn round what stands beside it."""

Form = Mapping[str, str]


def settings_of(form: Form) -> EveningSettings:
    """The settings of an evening.

    Raises:
        EveningError: for one that cannot be.
    """
    title = _text(form, "title", _LONGEST_TITLE)
    if not title:
        raise EveningError("title")
    try:
        first_dealer = parse_seat(form.get("first_dealer", ""))
    except RulesError as error:
        raise EveningError("first-dealer") from error
    return EveningSettings(
        title=title,
        day=_day(form.get("day", "")),
        season=_text(form, "season", _LONGEST_SEASON),
        reglement=_reglement(form),
        first_dealer=first_dealer,
    )


def entries_of(form: Form) -> list[tuple[str, tuple[str, ...]]]:
    """Participants, one a line: ``name; player; player``.

    Raises:
        EveningError: when there is none, or a name is too long.
    """
    lines = [line for line in form.get("participants", "").splitlines() if line.strip()]
    if not 1 <= len(lines) <= _MOST_PARTICIPANTS:
        raise EveningError("no-participants")
    return [_entry(line) for line in lines]


def entry_of(form: Form) -> tuple[str, tuple[str, ...]]:
    """One participant with separate fields for the people.

    Raises:
        EveningError: for no name, or one that is too long.
    """
    people = [form.get("player_one", ""), form.get("player_two", "")]
    return _entry("; ".join([form.get("name", "").replace(";", ","), *people]))


def number_of(form: Form, field: str) -> int:
    """A whole number that a form holds.

    Raises:
        EveningError: when it holds none.
    """
    text = form.get(field, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise EveningError("number", text[:20])
    return int(text)


def _entry(line: str) -> tuple[str, tuple[str, ...]]:
    parts = [" ".join(part.translate(_UNSEEN).split()) for part in line.split(";")]
    name, players = parts[0], tuple(part for part in parts[1:3] if part)
    if not name or any(len(part) > LONGEST_NAME for part in parts):
        raise EveningError("name", line.strip()[:LONGEST_NAME])
    return name, players


def _text(form: Form, field: str, longest: int) -> str:
    text = " ".join(form.get(field, "").split())
    if len(text) > longest:
        raise EveningError(field, text[:longest])
    return text


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise EveningError("day", text[:20]) from error


def _reglement(form: Form) -> Reglement:
    """A built-in reglement or a club's own, with the numbers that the form sets."""
    reglement = _chosen_reglement(form)
    deals = _between(form, "deals", 1, _MOST_DEALS)
    matches = _between(form, "match_count", 1, _MOST_MATCHES)
    drive = Drive.INDIVIDUAL if form.get("drive") == Drive.INDIVIDUAL.value else Drive.PAIRS
    wanted = replace(reglement, deals_per_match=deals, matches_per_evening=matches, drive=drive)
    if wanted == reglement:
        return reglement
    own = f"{reglement.name}-{matches}x{deals}" + ("-individueel" if drive is Drive.INDIVIDUAL else "")
    return replace(wanted, name=own)


def _chosen_reglement(form: Form) -> Reglement:
    toml = form.get("own_reglement", "").strip()
    if not toml:
        chosen = REGLEMENTEN.get(form.get("reglement", ""))
        if chosen is None:
            raise EveningError("reglement", form.get("reglement", "")[:40])
        return chosen
    try:
        return reglement_from_toml(toml)
    except ReglementError as error:
        raise EveningError("own-reglement", str(error)) from error


def _between(form: Form, field: str, least: int, most: int) -> int:
    number = number_of(form, field)
    if not least <= number <= most:
        raise EveningError("number", str(number))
    return number
