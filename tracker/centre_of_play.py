"""Where the middle of the tricks is, learnt from those that were played.

A camera is not hung to the centimetre and people don't lay their cards round the middle of the picture. Seen
from a point that is off, a card that lies near the middle seems to lie before another seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules import CLOCKWISE
from tracker.quads import Point
from tracker.table_view import TableView

_FAR_BACK: Final = 16
"""After so many tricks the earliest count less: a table is moved, too."""

_FARTHEST: Final = 0.8
"""Card widths that the middle may turn out to lie from where the camera was told it is."""


@dataclass(frozen=True, slots=True)
class CentreOfPlay:
    """What is known of the middle so far.

    given: the view as it was set up; it counts as one trick. centre: (x, y) in pixels. tricks: from how many
    it was learnt.
    """

    given: TableView
    centre: Point
    tricks: int = 1

    @classmethod
    def of(cls, given: TableView) -> CentreOfPlay:
        """Nothing has been played yet."""
        return cls(given, given.centre)

    @property
    def view(self) -> TableView:
        """The table as seen from there."""
        return replace(self.given, centre=self.centre)

    def with_trick(self, places: Sequence[Point], card_width: float) -> CentreOfPlay:
        """A trick was played: one card of each seat, at ``places`` in pixels; fewer say nothing."""
        if len(places) < len(CLOCKWISE):
            return self
        reach = _FARTHEST * card_width
        x, y = (
            known + (sum(place[axis] for place in places) / len(places) - known) / (self.tricks + 1)
            for axis, known in enumerate(self.centre)
        )
        near = (_within(x, self.given.centre[0], reach), _within(y, self.given.centre[1], reach))
        return replace(self, centre=near, tricks=min(self.tricks + 1, _FAR_BACK))


def _within(value: float, middle: float, reach: float) -> float:
    return min(max(value, middle - reach), middle + reach)
