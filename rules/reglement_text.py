"""A club's own reglement, from a mapping or a TOML text, and back.

    name = "de-hoop"
    title = "Klaverjasclub De Hoop"
    basis = "klaverjas-drive"
    four_jacks_points = 200
    roem_counts = "called"

``basis`` names the built-in reglement whose settings hold where the text gives none. Keys are the fields of
:class:`rules.Reglement`; an unknown key, or a value of the wrong kind, is refused with the nearest one known.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from enum import Enum
from typing import Any, Final

from rules.cards import is_writable
from rules.errors import ReglementError
from rules.reglement import REGLEMENTEN, Reglement, reglement_named

_NAMING: Final = ("name", "title", "basis")
SETTING_NAMES: Final = tuple(field.name for field in fields(Reglement) if field.name not in _NAMING)
"""Every setting, in the order in which they are shown."""

_LEAST: Final = {
    "revoke_evening_points": -1000,
    "withdrew_evening_points": -1000,
    "deals_per_match": 1,
    "matches_per_evening": 1,
    "season_evenings": 1,
}
_LARGEST_NUMBER: Final = 1000
_BYTE_ORDER_MARK: Final = "\ufeff"
"""Some editors begin a file with it."""


def reglement_from_toml(text: str) -> Reglement:
    """A club's own reglement from a TOML text.

    Raises:
        ReglementError: when the text is not TOML, or :func:`reglement_from_mapping` refuses it.
    """
    try:
        mapping = tomllib.loads(text.removeprefix(_BYTE_ORDER_MARK))
    except (ValueError, RecursionError) as error:
        # tomllib lets Python's own complaints through: a number of too many digits, lists too deep.
        raise ReglementError(f"this is not TOML that can be read: {error}") from error
    return reglement_from_mapping(mapping)


def reglement_from_mapping(mapping: Mapping[str, object]) -> Reglement:
    """A club's own reglement from setting names and values; ``name`` and ``basis`` must be there.

    Raises:
        ReglementError: for an unknown setting or a value that it cannot have; the message names both.
    """
    _refuse_unknown(mapping)
    if "basis" not in mapping:
        raise ReglementError(f"basis is missing; it is one of {', '.join(REGLEMENTEN)}")
    basis = reglement_named(_text(mapping, "basis"))
    name = _text(mapping, "name")
    if len(name.split()) != 1 or set(name) & set('"#'):
        raise ReglementError(
            f"name must be one word, such as 'de-hoop', not {name!r}; the title may be longer"
        )
    if name in REGLEMENTEN:
        raise ReglementError(f"name {name!r} is that of a built-in reglement; choose another")
    title = _text(mapping, "title") if "title" in mapping else name
    settings: dict[str, Any] = {
        key: _value(key, getattr(basis, key), value) for key, value in mapping.items() if key not in _NAMING
    }
    return replace(basis, name=name, title=title, **settings)


def reglement_to_mapping(reglement: Reglement) -> dict[str, str | int | bool]:
    """Every setting by name, as :func:`reglement_from_mapping` reads them."""
    named = {key: getattr(reglement, key) for key in (*_NAMING, *SETTING_NAMES)}
    return {key: value.value if isinstance(value, Enum) else value for key, value in named.items()}


def reglement_to_toml(reglement: Reglement) -> str:
    """The same as a TOML text, one setting a line."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in reglement_to_mapping(reglement).items())


def _toml(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    escaped = "".join(_TOML_ESCAPES.get(letter) or _escaped_control(letter) for letter in value)
    return f'"{escaped}"'


_TOML_ESCAPES: Final = {'"': '\\"', "\\": "\\\\"}


def _escaped_control(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if ord(letter) < 32 or ord(letter) == 127 else letter


def _refuse_unknown(mapping: Mapping[str, object]) -> None:
    known = (*_NAMING, *SETTING_NAMES)
    for key in mapping:
        if key not in known:
            nearest = get_close_matches(str(key), known, n=1, cutoff=0.0)[0]
            raise ReglementError(f"unknown setting {key!r}; the nearest known is {nearest!r}")


def _text(mapping: Mapping[str, object], key: str) -> str:
    value = mapping.get(key)
    if not isinstance(value, str) or not value.strip() or not is_writable(value):
        raise ReglementError(f"{key} must be a text, not {value!r}")
    return value


def _value(key: str, example: object, value: object) -> object:
    """``value`` as the setting wants it; ``example`` is a value of the right kind."""
    if isinstance(example, Enum):
        return _choice(key, type(example), value)
    if isinstance(example, bool):
        if not isinstance(value, bool):
            raise ReglementError(f"{key} must be true or false, not {value!r}")
        return value
    return _number(key, value)


def _choice(key: str, kind: type[Enum], value: object) -> Enum:
    for member in kind:
        if member.value == value:
            return member
    choices = ", ".join(repr(member.value) for member in kind)
    raise ReglementError(f"{key} must be one of {choices}, not {value!r}")


def _number(key: str, value: object) -> int:
    least = _LEAST.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _LARGEST_NUMBER:
        raise ReglementError(f"{key} must be a whole number from {least} to {_LARGEST_NUMBER}, not {value!r}")
    return value
