"""Sees when a table is free for its next deal."""

from __future__ import annotations

from collections.abc import Sequence

from detector.types import Side
from tracker.card_track import Sighting
from tracker.laid_cards import TrickSettings
from tracker.table_view import TableView


class NextDealWatch:
    """Sees when the table is free for the next deal: no face in the middle, and the piles taken up."""

    def __init__(self, view: TableView, since_s: float, settings: TrickSettings | None = None) -> None:
        """Start when a deal is over."""
        self._view = view
        self._settings = settings or TrickSettings()
        self._last_face_s = since_s
        self._last_back_s = since_s

    def is_free(self, time_s: float, sightings: Sequence[Sighting], card_width: float) -> bool:
        """Take in one frame; whether the next face in the middle is the first card of a new deal."""
        for sighting in sightings:
            if sighting.side is Side.BACK:
                self._last_back_s = max(self._last_back_s, sighting.last_seen_s)
            elif self._view.is_in_play(sighting.last_point, card_width):
                self._last_face_s = max(self._last_face_s, sighting.last_seen_s)
        faceless_s = time_s - self._last_face_s
        piles_gone = time_s - self._last_back_s >= self._settings.piles_gone_s
        return faceless_s >= self._settings.table_free_s and (
            piles_gone or faceless_s >= self._settings.piles_ignored_after_s
        )
