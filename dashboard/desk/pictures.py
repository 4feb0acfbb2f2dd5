"""What was seen of a card: its crop, and the film of the moment that it was played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dashboard.books import TableRecord
from dashboard.match_split import LoggedEvent
from dashboard.media import MEDIA_ID, MediaKind, MediaShelf, WantedClip
from tracker.events import CardPlayed, Correction, SeenCard

BEFORE_S = 10.0
AFTER_S = 4.0


@dataclass(frozen=True, slots=True)
class Film:
    """The film of a card: ``media_id`` names it; ``span`` is where it lies on the source's own clock.

    is_here: it can be played. is_asked: the table was asked for it. is_gone: the table no longer has it.
    """

    media_id: str
    from_s: float
    to_s: float
    is_here: bool
    is_asked: bool
    is_gone: bool


def crop_of(record: TableRecord, deal: int, seen: SeenCard, shelf: MediaShelf) -> str | None:
    """The id of the newest crop of a card that is here; None when there is none."""
    for told in _told_of(record, deal, seen):
        media_id = _media_id(told)
        if shelf.find(record.table, MediaKind.CROP, media_id) is not None:
            return media_id
    return None


def film_of(record: TableRecord, deal: int, seen: SeenCard, shelf: MediaShelf) -> Film | None:
    """The film of a card from ten seconds before; None when no camera saw it."""
    told = next((one for one in _told_of(record, deal, seen) if one.event.video is not None), None)
    if told is None or told.event.video is None:
        return None
    media_id, span = _media_id(told), told.event.video
    return Film(
        media_id=media_id,
        from_s=max(0.0, span.from_s - BEFORE_S),
        to_s=min(span.to_s, span.from_s + 60.0) + AFTER_S,
        is_here=shelf.find(record.table, MediaKind.CLIP, media_id) is not None,
        is_asked=any(clip.id == media_id for clip in shelf.wanted(record.table)),
        is_gone=shelf.is_withdrawn(record.table, media_id),
    )


def ask_for(record: TableRecord, film: Film, shelf: MediaShelf) -> None:
    """Ask the table for a film at its next word."""
    shelf.want(record.table, WantedClip(film.media_id, film.from_s, film.to_s))


def _told_of(record: TableRecord, deal: int, seen: SeenCard) -> Iterator[LoggedEvent]:
    """What the table told of the place of a card, newest first, as far as its media can have a name."""
    for logged in reversed(record.logged):
        event = logged.event
        if (
            isinstance(event, CardPlayed | Correction)
            and not logged.is_written_at_venue
            and MEDIA_ID.fullmatch(_media_id(logged))
            and (event.deal, event.trick, event.position) == (deal, seen.trick, seen.position)
        ):
            yield logged


def _media_id(logged: LoggedEvent) -> str:
    return f"{logged.epoch}-{logged.sequence}"
