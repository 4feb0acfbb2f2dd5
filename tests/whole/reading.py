"""Reads simulated deals through their pixels and says how that compares with what was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2

from capture.settings import TableConfig
from capture.simulator import Film, Irregularity
from capture.simulator.decks import Deck
from capture.sources.simulator_source import SimulatorSource
from capture.table_process import run_table
from detector.card_detector import CardDetector
from rules import Revoke, Team
from tracker.events import DealRecord, fold_deals, revoke_certainty


@dataclass(frozen=True, slots=True)
class DealReading:
    """One deal as it was read, beside the truth.

    wrong_cards: places (trick, position) at which seat or card differs, as a sentence each.
    score_right: whether points and roem of both sides are as they should be.
    revokes, true_revokes: the proven verzaken as read and as played.
    certainties: how sure each of those as read is, from 0 to 1.
    dealer_right: whether who dealt is as it was; told for the first deal, for the others found.
    """

    seed: int
    number: int
    wrong_cards: tuple[str, ...]
    score_right: bool
    revokes: tuple[Revoke, ...]
    true_revokes: tuple[Revoke, ...]
    certainties: tuple[float, ...] = ()
    dealer_right: bool = True

    @property
    def exact(self) -> bool:
        """All 32 cards, seats and order, and the score."""
        return not self.wrong_cards and self.score_right

    @property
    def false_certainties(self) -> tuple[float, ...]:
        """How sure each verzaking is that seems proven and that nobody committed."""
        told = zip(self.revokes, self.certainties, strict=True)
        true = [(one.seat, one.trick, one.card) for one in self.true_revokes]
        return tuple(sure for one, sure in told if (one.seat, one.trick, one.card) not in true)


def read_film(
    seed: int,
    deals: int,
    irregularities: Mapping[int, Irregularity],
    *,
    deck: Deck | None = None,
    frames_per_second: float = 10.0,
    tell_trump: bool = False,
) -> tuple[DealReading, ...]:
    """Play a film of ``deals`` deals through the detector and tracker; the truth is only compared with.

    deck: the pack; the project's own by default. tell_trump: the table declares trump, as players do.
    """
    cv2.setNumThreads(1)
    film = Film(
        seed, deals, irregularities=dict(irregularities), deck=deck, frames_per_second=frames_per_second
    )
    trump = tuple(deal.trump for deal in film.deals) if tell_trump else ()
    outcome = run_table(
        TableConfig(source=f"simulator:{seed}", trump=trump),
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
        certainties=()
        if read is None
        else tuple(revoke_certainty(read, revoke)[0] for revoke in read.deal.revokes),
        dealer_right=read is not None and read.deal.dealer is truth.deal.dealer,
    )


def _places(record: DealRecord) -> dict[tuple[int, int], tuple[str, str]]:
    return {(card.trick, card.position): (card.seat.value, card.card.code) for card in record.cards}


def _score(record: DealRecord) -> list[tuple[int, int]]:
    result = record.deal.result()
    return [(result.score_points[team], result.score_roem[team]) for team in Team]
