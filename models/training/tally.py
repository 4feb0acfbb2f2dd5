"""Counting what was found and named right, whatever the pictures were."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from detector.types import FloatArray, Image

_CALIBRATION_BINS: Final = 10


@dataclass(frozen=True, slots=True, eq=False)
class Mistake:
    """A card that was named wrongly or not found: where, what it is and was read as, and how sure.

    certainty: of the wrong name, 0 to 1; 0 where the card was not found. crop: (288, 192, 3) uint8 BGR.
    """

    where: str
    true: str
    read: str
    certainty: float
    crop: Image


@dataclass(slots=True)
class Tally:
    """What came out on one set of pictures.

    clear, occluded: cards of the 32 by whether something lay over them; a card that was not found is not
    named right. false_cards: faces named as one of the 32 where no card was marked. second_faces: those on a
    marked card that another detection was taken for. corner_errors: of each card found whose true corners are
    known, how far its corners are off, as a share of its width.
    """

    pictures: int = 0
    cards: int = 0
    found: int = 0
    clear: int = 0
    clear_right: int = 0
    occluded: int = 0
    occluded_right: int = 0
    foreign: int = 0
    foreign_named: int = 0
    false_cards: int = 0
    second_faces: int = 0
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_class: dict[str, tuple[int, int]] = field(default_factory=dict)
    certainties: list[tuple[float, bool]] = field(default_factory=list)
    corner_errors: list[float] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)

    def count_named(self, code: str, *, right: bool, clear: bool) -> None:
        """Count one card of the 32."""
        if clear:
            self.clear += 1
            self.clear_right += right
            so_far, so_far_right = self.by_class.get(code, (0, 0))
            self.by_class[code] = (so_far + 1, so_far_right + right)
        else:
            self.occluded += 1
            self.occluded_right += right

    def worst_class(self) -> tuple[str, float] | None:
        """The card of which the smallest share of the clear ones was named right, with that share."""
        shares = {code: right / count for code, (count, right) in self.by_class.items()}
        worst = min(shares, key=lambda code: shares[code], default=None)
        return None if worst is None else (worst, shares[worst])

    def mean_class(self) -> float:
        """The share named right, averaged over the cards of the pack: a rare card counts as much."""
        return float(np.mean([right / count for count, right in self.by_class.values()] or [0.0]))

    def expected_calibration_error(self) -> float:
        """How far certainty and share of right answers lie apart, weighted over ten bins."""
        if not self.certainties:
            return 0.0
        sure = np.array([certainty for certainty, _ in self.certainties])
        right = np.array([hit for _, hit in self.certainties], dtype=float)
        bins = np.minimum((sure * _CALIBRATION_BINS).astype(int), _CALIBRATION_BINS - 1)
        return float(
            sum(
                abs(sure[bins == number].mean() - right[bins == number].mean()) * (bins == number).mean()
                for number in np.unique(bins)
            )
        )


def report(name: str, tally: Tally) -> str:
    """One set's figures, in a few lines."""
    pairs = ", ".join(f"{true}>{read} {count}" for (true, read), count in tally.confusions.most_common(12))
    worst = tally.worst_class()
    lines = [
        f"{name}: {tally.pictures} pictures",
        f"  found {_share(tally.found, tally.cards)}",
        f"  named right, clear {_share(tally.clear_right, tally.clear)},"
        f" occluded {_share(tally.occluded_right, tally.occluded)}",
        f"  foreign named as one of the 32 {_share(tally.foreign_named, tally.foreign)}",
        f"  false cards {tally.false_cards}, second ones on a card {tally.second_faces}, calibration error"
        f" {tally.expected_calibration_error():.3f}",
        f"  confusions {pairs or 'none'}",
    ]
    if worst is not None:
        mean = 100 * tally.mean_class()
        lines.insert(3, f"  mean of the cards {mean:.1f} %, worst {worst[0]} {worst[1]:.0%}")
    if tally.corner_errors:
        half, most = 100 * np.quantile(tally.corner_errors, [0.5, 0.95])
        lines.append(f"  corners off by {half:.1f} % of a card's width, one in 20 by {most:.1f} %")
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({100 * part / whole:.2f} %)" if whole else "none"


def corner_error(true: FloatArray, found: FloatArray) -> float:
    """The mean distance between two quads' corners as a share of the true card's width, either way up."""
    width = float(np.linalg.norm(true[1] - true[0]) + np.linalg.norm(true[2] - true[3])) / 2
    distances = [np.linalg.norm(true - np.roll(found, turn, axis=0), axis=1).mean() for turn in range(4)]
    return float(min(distances)) / width
