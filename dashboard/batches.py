"""Reading what a program sends: strict, and with one shape for every refusal."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from dashboard.errors import MalformedRequestError, WrongTableError
from dashboard.match_split import VENUE_EPOCH
from dashboard.store import IncomingEvent
from rules import ReglementError, reglement_named
from tracker.events import DealStarted, Event, EventError, event_from_json, event_to_json

_EPOCH: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,63}", re.ASCII)
_HIGHEST_SEQUENCE: Final = 2**53
_HIGHEST_DEAL: Final = 1_000
_YEARS: Final = range(2000, 2200)
_BATCH_FIELDS: Final = frozenset({"epoch", "events"})
_ITEM_FIELDS: Final = frozenset({"sequence", "event"})


def parse_json(body: bytes) -> Any:
    """The JSON value in ``body``.

    Raises:
        MalformedRequestError: when it is no JSON in UTF-8, nested too deep, or holds NaN.
    """
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except RecursionError:
        raise MalformedRequestError("the JSON is nested too deep") from None
    except ValueError as error:  # Also UnicodeDecodeError and numbers of thousands of figures.
        raise MalformedRequestError(f"the body is not JSON: {str(error)[:120]}") from error


def parse_batch(value: Any, table: str, maximum_events: int) -> tuple[str, tuple[IncomingEvent, ...]]:
    """The epoch and the events of a batch ``{"epoch": …, "events": [{"sequence": 1, "event": {…}}, …]}``.

    Raises:
        MalformedRequestError: for another shape, an event that is none, or sequences that do not follow on.
        WrongTableError: when an event speaks of another table than ``table``.
    """
    batch = _object(value, _BATCH_FIELDS, "the batch")
    epoch, items = batch["epoch"], batch["events"]
    if not isinstance(epoch, str) or not _EPOCH.fullmatch(epoch):
        raise MalformedRequestError("epoch must be text of 1 to 64 letters, figures or . _ : + -")
    if epoch.casefold().startswith(VENUE_EPOCH):
        raise MalformedRequestError(f"an epoch that begins with {VENUE_EPOCH} is the venue's own")
    if not isinstance(items, list) or not 1 <= len(items) <= maximum_events:
        raise MalformedRequestError(f"events must be a list of 1 to {maximum_events} events")
    events = tuple(_parse_item(item, index, table) for index, item in enumerate(items))
    _check_order(events)
    return epoch, events


def _parse_item(value: Any, index: int, table: str) -> IncomingEvent:
    item = _object(value, _ITEM_FIELDS, f"events[{index}]")
    sequence = item["sequence"]
    if type(sequence) is not int or not 1 <= sequence <= _HIGHEST_SEQUENCE:
        raise MalformedRequestError(f"events[{index}].sequence must be a whole number of 1 or more")
    try:
        event = event_from_json(item["event"])
    except EventError as error:
        raise MalformedRequestError(f"events[{index}]: {error}") from error
    _check_event(event, index, table)
    return IncomingEvent(sequence, json.dumps(event_to_json(event), sort_keys=True, separators=(",", ":")))


def _check_event(event: Event, index: int, table: str) -> None:
    """What a stored event must hold for every page to be able to show it."""
    if event.table != table:
        raise WrongTableError(f"events[{index}] is of table {event.table[:40]!r}, not of {table!r}")
    if event.deal > _HIGHEST_DEAL:
        raise MalformedRequestError(f"events[{index}].deal must be at most {_HIGHEST_DEAL}")
    if event.time_utc.year not in _YEARS:
        raise MalformedRequestError(f"events[{index}].time_utc must lie in the years 2000 to 2199")
    if isinstance(event, DealStarted):
        try:
            reglement_named(event.reglement)
        except ReglementError as error:
            raise MalformedRequestError(f"events[{index}]: {str(error)[:200]}") from error


def _check_order(events: Sequence[IncomingEvent]) -> None:
    first = events[0].sequence
    for offset, event in enumerate(events):
        if event.sequence != first + offset:
            raise MalformedRequestError(
                f"events[{offset}].sequence must be {first + offset}, one after the other"
            )


def _object(value: Any, fields: frozenset[str], what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or set(value) != fields:
        raise MalformedRequestError(f"{what} must be an object with {' and '.join(sorted(fields))}")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
