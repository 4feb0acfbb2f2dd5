"""Events as JSON and back: flat, versioned, strict.

    {"type": "CardPlayed", "version": 1, "table": "1", "deal": 1, "time_utc": "2026-01-01T19:30:00Z",
     "confidence": 0.98, "video": {"from_s": 12.3, "to_s": 12.9},
     "trick": 1, "position": 1, "seat": "W", "card": "HT", "alternatives": [["DT", 0.02]]}

Every field of the event stands in the JSON, and nothing else: a confidence left out must not come back as
certainty. Parse then format, and format then parse, give the same again.

    ValueError
    └── EventError    a mapping that is not an event of this version; names the field and the value
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from rules import Card, Seat, Suit, Team, parse_card
from tracker.events.types import EVENT_TYPES, SCHEMA_VERSION, Event, VideoSpan

Json = Any
"""A value that ``json`` can write."""

_ALTERNATIVES: Final = tuple[tuple[Card, float], ...]
_CARDS: Final = tuple[Card, ...]
_LONGEST_VALUE_IN_MESSAGE: Final = 80
_LONGEST_TEXT: Final = 4000


class EventError(ValueError):
    """A mapping that is not an event; the message is one line that names the field and the value."""


def event_to_json(event: Event) -> dict[str, Json]:
    """The event as a flat mapping of JSON values, ``type`` and ``version`` first."""
    fields = {
        field.name: field.codec.encode(getattr(event, field.name))
        for field in _fields_of(type(event).__name__)
    }
    return {"type": type(event).__name__, "version": SCHEMA_VERSION, **fields}


def event_from_json(mapping: Mapping[str, Json]) -> Event:
    """The event that ``mapping`` describes.

    Raises:
        EventError: for an unknown type or version, an unknown or missing field, a value of the wrong type
            or outside its range.
    """
    if not isinstance(mapping, Mapping):
        raise EventError(f"an event must be an object with named fields, not {_shown(mapping)}")
    kind = _kind_of(mapping)
    fields = _fields_of(kind.__name__)
    _refuse_other_fields(kind, fields, mapping)
    values = {field.name: _decoded(kind, field, mapping[field.name]) for field in fields}
    try:
        return kind(**values)
    except ValueError as error:
        raise EventError(f"{kind.__name__}: {error}") from error


@dataclass(frozen=True, slots=True)
class _Codec:
    """One kind of value: ``decode`` raises ValueError, saying in words what it wants."""

    wants: str
    encode: Callable[[Any], Json]
    decode: Callable[[Json], Any]


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    codec: _Codec


def _kind_of(mapping: Mapping[str, Json]) -> type[Event]:
    name = mapping.get("type")
    kind = EVENT_TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise EventError(f"type must be a known kind of event, not {_shown(name)}")
    version = mapping.get("version")
    if type(version) is not int or version != SCHEMA_VERSION:
        raise EventError(f"{kind.__name__}: version must be {SCHEMA_VERSION}, not {_shown(version)}")
    return kind


def _refuse_other_fields(kind: type[Event], fields: tuple[_Field, ...], mapping: Mapping[str, Json]) -> None:
    known = {"type", "version", *(field.name for field in fields)}
    unknown = [key for key in mapping if key not in known]
    if unknown:
        raise EventError(f"{kind.__name__}: unknown field {_shown(unknown[0])}")
    missing = [field.name for field in fields if field.name not in mapping]
    if missing:
        raise EventError(f"{kind.__name__}: field {missing[0]!r} is missing")


def _decoded(kind: type[Event], field: _Field, value: Json) -> Any:
    try:
        return field.codec.decode(value)
    except (ValueError, OverflowError) as error:
        message = f"{kind.__name__}: {field.name} must be {field.codec.wants}, not {_shown(value)}"
        raise EventError(message) from error


def _shown(value: object) -> str:
    """``value`` for a message: on one line, and short whatever it is."""
    text = ascii(value)
    return text if len(text) <= _LONGEST_VALUE_IN_MESSAGE else text[:_LONGEST_VALUE_IN_MESSAGE] + "…"


@cache
def _fields_of(name: str) -> tuple[_Field, ...]:
    kind = EVENT_TYPES[name]
    hints = get_type_hints(kind)
    return tuple(
        _Field(field.name, _codec_for(hints[field.name]))
        for field in dataclasses.fields(kind)
        if not field.name.startswith("_")
    )


def _codec_for(hint: Any) -> _Codec:
    if get_origin(hint) in (Union, UnionType):
        (inner,) = (part for part in get_args(hint) if part is not type(None))
        return _optional(_CODECS[inner])
    return _CODECS[hint]


def _optional(codec: _Codec) -> _Codec:
    return _Codec(
        f"{codec.wants}, or null",
        lambda value: None if value is None else codec.encode(value),
        lambda value: None if value is None else codec.decode(value),
    )


def _same(value: Any) -> Any:
    return value


def _decode_text(value: Json) -> str:
    """Text that every store can hold: no NUL, no half of a surrogate pair."""
    if not isinstance(value, str) or "\x00" in value or len(value) > _LONGEST_TEXT:
        raise ValueError
    value.encode("utf-8")
    return value


def _decode_integer(value: Json) -> int:
    if type(value) is not int:
        raise ValueError
    return value


def _decode_number(value: Json) -> float:
    if type(value) not in (int, float):
        raise ValueError
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


def _decode_boolean(value: Json) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _encode_time(value: datetime) -> str:
    return value.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def _decode_time(value: Json) -> datetime:
    if not isinstance(value, str) or not value.endswith("Z"):
        raise ValueError
    time = datetime.fromisoformat(value)
    if time.utcoffset() is None:
        raise ValueError
    return time


def _decode_card(value: Json) -> Card:
    """A card by its code only: one card has one spelling on the wire."""
    card = parse_card(_decode_text(value))
    if card.code != value:
        raise ValueError
    return card


def _decode_span(value: Json) -> VideoSpan:
    if not isinstance(value, Mapping) or set(value) != {"from_s", "to_s"}:
        raise ValueError
    return VideoSpan(_decode_number(value["from_s"]), _decode_number(value["to_s"]))


def _encode_alternatives(value: tuple[tuple[Card, float], ...]) -> Json:
    return [[card.code, probability] for card, probability in value]


def _decode_alternatives(value: Json) -> tuple[tuple[Card, float], ...]:
    if not isinstance(value, list | tuple) or not all(
        isinstance(pair, list | tuple) and len(pair) == 2 for pair in value
    ):
        raise ValueError
    return tuple((_decode_card(card), _decode_number(probability)) for card, probability in value)


def _encode_cards(value: tuple[Card, ...]) -> Json:
    return [card.code for card in value]


def _decode_cards(value: Json) -> tuple[Card, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError
    return tuple(_decode_card(card) for card in value)


_CODECS: Final[dict[Any, _Codec]] = {
    str: _Codec(f"text of at most {_LONGEST_TEXT} characters", _same, _decode_text),
    int: _Codec("a whole number", _same, _decode_integer),
    float: _Codec("a finite number", float, _decode_number),
    bool: _Codec("true or false", _same, _decode_boolean),
    datetime: _Codec("a UTC time such as 2026-01-01T19:30:00Z", _encode_time, _decode_time),
    Card: _Codec("a card's code such as HT", lambda card: card.code, _decode_card),
    Seat: _Codec("N, E, S or W", lambda seat: seat.value, Seat),
    Team: _Codec("NS or EW", lambda team: team.value, Team),
    Suit: _Codec("C, D, H or S", lambda suit: suit.value, Suit),
    VideoSpan: _Codec(
        "an object with from_s and to_s, in seconds",
        lambda span: {"from_s": float(span.from_s), "to_s": float(span.to_s)},
        _decode_span,
    ),
    _CARDS: _Codec("a list of cards' codes", _encode_cards, _decode_cards),
    _ALTERNATIVES: _Codec("a list of [card, probability]", _encode_alternatives, _decode_alternatives),
}
