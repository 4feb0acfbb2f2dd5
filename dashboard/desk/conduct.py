"""Warnings per player: what was done again, and what must follow (articles 6, 10 and 14)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dashboard.store.desk_log import DeskEntry
from rules import Consequence, Offence, OffenceKind, Source, consequences

_REVOKES = frozenset({"verzaakt-koppel", "verzaakt-individueel"})


@dataclass(frozen=True, slots=True)
class Noted:
    """One offence with where it stands in the log and what it brings."""

    entry: DeskEntry
    consequence: Consequence


def noted_offences(basis: Source, entries: Iterable[DeskEntry]) -> tuple[Noted, ...]:
    """Every offence in the log, oldest first; ``entries`` oldest first, rulings that were undone left out."""
    lines = list(entries)
    counted = [entry for entry in lines if _offence(entry) is not None and not _is_undone(entry, lines)]
    offences = [offence for entry in counted if (offence := _offence(entry)) is not None]
    return tuple(
        Noted(entry, consequence)
        for entry, consequence in zip(counted, consequences(basis, offences), strict=True)
    )


def _offence(entry: DeskEntry) -> Offence | None:
    offender = entry.detail.get("player", "")
    if entry.what == "warned":
        return Offence(OffenceKind(entry.detail["offence"]), offender)
    if entry.what == "ruled" and entry.detail.get("decision") in _REVOKES and offender:
        return Offence(OffenceKind.REVOKE, offender)
    return None


def _is_undone(entry: DeskEntry, lines: Sequence[DeskEntry]) -> bool:
    place = (entry.table, entry.match, entry.deal, entry.detail.get("ruling"))
    return entry.what == "ruled" and any(
        other.what == "undone" and (other.table, other.match, other.deal, other.detail.get("ruling")) == place
        for other in lines
    )
