"""Reads simulated deals through their pixels and says how that compares with what was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2

from capture.settings import TableConfig
from capture.simulator import Film, Irregularity
from capture.sources.simulator_source import SimulatorSource
from capture.table_process import run_table
from detector.card_detector import CardDetector
from rules import Revoke, Team
from tracker.events import DealRecord, fold_deals


@dataclass(frozen=True, slots=True)
class DealReading:
    """One deal as it was read, beside the truth.

    wrong_cards: places (trick, position) at which seat or card differs, as a sentence each.
    score_right: whether points and roem of both sides are as they should be.
    revokes, true_revokes: the proven verzaken as read and as played.
    """

    seed: int
    number: int
    wrong_cards: tuple[str, ...]
    score_right: bool
    revokes: tuple[Revoke, ...]
    true_revokes: tuple[Revoke, ...]

    @property
    def exact(self) -> bool:
        """All 32 cards, seats and order, and the score."""
        return not self.wrong_cards and self.score_right


def read_film(seed: int, deals: int, irregularities: Mapping[int, Irregularity]) -> tuple[DealReading, ...]:
    """Play a film of ``deals`` deals through the detector and tracker; the truth is only compared with."""
    cv2.setNumThreads(1)
    film = Film(seed, deals, irregularities=dict(irregularities))
    outcome = run_table(
        TableConfig(source=f"simulator:{seed}"),
        source=SimulatorSource(film, f"simulator:{seed}"),
        detector=CardDetector.load(threads=1),
    )
    read = {record.number: record for record in fold_deals(outcome.events)}
    return tuple(_compared(seed, truth, read.get(truth.number)) for truth in fold_deals(film.events))


def _compared(seed: int, truth: DealRecord, read: DealRecord | None) -> DealReading:
    expected, found = _places(truth), {} if read is None else _places(read)
    wrong = tuple(
        f"slag {trick} kaart {position}: {expected.get((trick, position))} gelezen als"
        f" {found.get((trick, position))}"
        for trick, position in sorted(expected.keys() | found.keys())
        if expected.get((trick, position)) != found.get((trick, position))
    )
    return DealReading(
        seed=seed,
        number=truth.number,
        wrong_cards=wrong,
        score_right=read is not None and _score(read) == _score(truth),
        revokes=() if read is None else read.deal.revokes,
        true_revokes=truth.deal.revokes,
    )


def _places(record: DealRecord) -> dict[tuple[int, int], tuple[str, str]]:
    return {(card.trick, card.position): (card.seat.value, card.card.code) for card in record.cards}


def _score(record: DealRecord) -> list[tuple[int, int]]:
    result = record.deal.result()
    return [(result.score_points[team], result.score_roem[team]) for team in Team]
