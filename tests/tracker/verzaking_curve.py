"""Measure how misreadings are traded for verzakingen.

    python -m tests.tracker.verzaking_curve --deals 100 --picture tracker/verzaking_curve.svg

Each simulated deal is read once, and its end is then decoded with each ``verzaking_weight``: with 0 the looks
at the cards decide alone, and two cards taken for each other prove what nobody did; with a high one the play
decides alone, and true verzakingen are explained away. Printed are, for each namer and weight:

    accused    clean deals at whose end a verzaking seems proven; and those in which it would be told as sure
    found      of the deals with one verzaking: proven by trick, card and seat; told as sure
    open       proven but not sure, or overruled by the play: a person is asked for a card of it
    lost       neither proven nor asked about
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from math import prod
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Final

import typer

from capture.simulator.reader import ReadingFaults, SimulatedReader
from rules import Card, Deal, Revoke, Seat
from tests.tracker.simulated_tables import SIZE, Table, told_by_frame
from tracker.deal_decoder import VERZAKING_WEIGHT, DecodedDeal
from tracker.events import SURE_OF_VERZAKING, CardDoubtful, Event
from tracker.events.fold import verzaking_certainty
from tracker.table_tracker import TableTracker
from tracker.table_view import TableView

WEIGHTS: Final = (0.0, 1.5, 3.0, VERZAKING_WEIGHT, 6.0, 9.0, 14.0)
READERS: Final = {
    "99 %": ReadingFaults(),
    "97 %": replace(ReadingFaults(), accuracy=0.97),
    "95 %": replace(ReadingFaults(), accuracy=0.95),
    "92 %": replace(ReadingFaults(), accuracy=0.92),
    "99 %, 1 card in 50 always wrong": replace(ReadingFaults(), fooled=0.02),
}
_ASK_BELOW: Final = 0.95

Place = tuple[int, Seat, Card]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one weight makes of one deal.

    accused, surely: a verzaking that nobody committed is proven; would be told as sure.
    found, found_surely: the true one is, None in a clean deal. asked: it is not told as sure, and a person is
    asked for a card that decides it.
    """

    accused: bool
    surely: bool
    found: bool | None = None
    found_surely: bool | None = None
    asked: bool | None = None


def outcomes(table: Table, weights: Sequence[float] = WEIGHTS) -> list[Outcome]:
    """Read one deal, and judge it with each weight."""
    deal = table.deal()
    tracker = TableTracker(
        "1",
        table.reglement,
        deal.dealer,
        deal.trump if table.trump_given else None,
        view=TableView.of_picture(*SIZE),
        declarer=deal.declarer,
    )
    events: list[Event] = []
    scene = tracker.scene()
    for frame in SimulatedReader(table.script(deal), table.seed, table.faults, size=SIZE):
        events += told_by_frame(tracker, frame)
        if tracker.scene().deal.number == 1:
            scene = tracker.scene()
    events += tracker.finish()
    asked = {event.card for event in events if isinstance(event, CardDoubtful)}
    mishap = deal.mishap
    truth = (mishap.trick, mishap.seat, mishap.card) if mishap is not None else None
    return [
        _judged(
            scene.decoded(complete=True, verzaking_weight=weight),
            Deal(table.reglement, deal.dealer).declared(deal.declarer, deal.trump),
            truth,
            asked,
        )
        for weight in weights
    ]


def _judged(decoded: DecodedDeal, told: Deal, truth: Place | None, asked: set[Card]) -> Outcome:
    for card in decoded.cards:
        told = told.played(card.seat, card.card)
    certainty = {
        (revoke.trick, revoke.seat, revoke.card): _certainty(decoded, revoke, told.revokes)
        for revoke in told.revokes
    }
    false = [sure for place, sure in certainty.items() if place != truth]
    accused, surely = bool(false), any(sure >= SURE_OF_VERZAKING for sure in false)
    if truth is None:
        return Outcome(accused, surely)
    sure = certainty.get(truth, 0.0)
    doubtful = {card.card for card in decoded.cards if card.contested and card.probability < _ASK_BELOW}
    # Of a verzaking that stands and is not sure the tracker asks for the weakest card at the deal's end.
    is_asked = truth in certainty or bool(doubtful) or truth[2] in asked
    return Outcome(
        accused,
        surely,
        truth in certainty,
        sure >= SURE_OF_VERZAKING,
        is_asked and sure < SURE_OF_VERZAKING,
    )


def _certainty(decoded: DecodedDeal, revoke: Revoke, all_proven: Collection[Revoke]) -> float:
    read_right = prod(
        card.probability
        for card in decoded.cards
        if card.trick == revoke.trick or card.card == revoke.proven_card
    )
    return verzaking_certainty(read_right, all_proven)


@dataclass(frozen=True, slots=True)
class Point:
    """One namer with one weight, in shares of the deals, 0 to 1."""

    weight: float
    accused: float
    surely: float
    found: float
    found_surely: float
    open: float
    lost: float


def points(clean: Sequence[Sequence[Outcome]], guilty: Sequence[Sequence[Outcome]]) -> list[Point]:
    """For each weight, from the outcomes of clean deals and of deals with one verzaking."""
    found = []
    for index, weight in enumerate(WEIGHTS):
        innocent, faulty = [deal[index] for deal in clean], [deal[index] for deal in guilty]
        is_open = sum(bool(one.asked) for one in faulty) / len(faulty)
        surely = sum(bool(one.found_surely) for one in faulty) / len(faulty)
        found.append(
            Point(
                weight=weight,
                accused=sum(one.accused for one in innocent) / len(innocent),
                surely=sum(one.surely for one in innocent) / len(innocent),
                found=sum(bool(one.found) for one in faulty) / len(faulty),
                found_surely=surely,
                open=is_open,
                lost=1 - surely - is_open,
            )
        )
    return found


def measured(faults: ReadingFaults, deals: int, first_seed: int) -> list[Point]:
    """As many clean deals, and as many with one verzaking, on all cores."""
    tables = [Table(first_seed + index, faults=faults) for index in range(deals)]
    tables += [replace(table, verzaken=True) for table in tables]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        found = list(pool.map(outcomes, tables, chunksize=4))
    return points(found[:deals], found[deals:])


def table_of(curves: dict[str, list[Point]]) -> str:
    """The curves as a table in Markdown, in per cent of the deals."""
    lines = [
        "| names right | weight | clean: accused (surely) | verzaking: found (surely) | open | lost |",
        "|---|---|---|---|---|---|",
    ]
    for reader, curve in curves.items():
        for point in curve:
            chosen = "**" if point.weight == VERZAKING_WEIGHT else ""
            accused = f"{_share(point.accused)} ({_share(point.surely)})"
            found = f"{_share(point.found)} ({_share(point.found_surely)})"
            lines.append(
                f"| {reader} | {chosen}{point.weight:g}{chosen} | {accused} | {found}"
                f" | {_share(point.open)} | {_share(point.lost)} |"
            )
    return "\n".join(lines)


def _share(value: float) -> str:
    return f"{100 * value:.1f}"


# ------------------------------------------------------------------------------------------------- picture

_COLOURS: Final = ("#1b6e4b", "#2f6db5", "#c0392b", "#8e5aa8", "#b07a00")
_WIDTH, _HEIGHT, _LEFT, _TOP = 300, 180, 50, 34
_GAP: Final = 60


def picture_of(curves: dict[str, list[Point]]) -> str:
    """Two panels over the weight: clean deals with an accusation, and verzakingen not proven any more."""
    accused = {reader: [(point.weight, point.accused) for point in curve] for reader, curve in curves.items()}
    missed = {
        reader: [(point.weight, 1 - point.found) for point in curve] for reader, curve in curves.items()
    }
    highest = max(0.02, *(share for curve in (*accused.values(), *missed.values()) for _, share in curve))
    second = _LEFT + _WIDTH + _GAP
    width, height = second + _WIDTH + 16, _TOP + _HEIGHT + 60 + 16 * len(curves)
    legend = [
        f'<text x="{_LEFT + 14}" y="{_TOP + _HEIGHT + 56 + 16 * index}" fill="{colour}">'
        f"names right in {reader}</text>"
        for index, (reader, colour) in enumerate(zip(curves, _COLOURS, strict=False))
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="11">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            *_panel(_LEFT, "clean deals with a verzaking proven, %", accused, highest),
            *_panel(second, "verzakingen not proven, %", missed, highest),
            *legend,
            "</svg>\n",
        ]
    )


def _panel(
    left: float, title: str, curves: dict[str, list[tuple[float, float]]], highest: float
) -> list[str]:
    bottom = _TOP + _HEIGHT

    def at(weight: float, share: float) -> tuple[float, float]:
        return left + _WIDTH * weight / WEIGHTS[-1], bottom - _HEIGHT * share / highest

    lines = [f'<text x="{left}" y="{_TOP - 14}" font-weight="bold">{title}</text>']
    for part in range(5):
        share = highest * part / 4
        _, y = at(0, share)
        lines.append(f'<line x1="{left}" x2="{left + _WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{100 * share:.1f}</text>')
    for weight in WEIGHTS:
        x, _ = at(weight, 0)
        lines.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{weight:g}</text>')
    x, _ = at(VERZAKING_WEIGHT, 0)
    lines.append(
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}" stroke="#555" stroke-dasharray="3 3"/>'
    )
    lines.append(f'<text x="{left}" y="{bottom + 32}">verzaking_weight; dashed: the one in use</text>')
    for colour, curve in zip(_COLOURS, curves.values(), strict=False):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in curve))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return lines


def main(
    deals: Annotated[int, typer.Option(help="How many deals of each sort for each namer.")] = 100,
    first_seed: Annotated[int, typer.Option(help="The seed of the first deal.")] = 70_000,
    picture: Annotated[Path | None, typer.Option(help="Where to write the curves as SVG.")] = None,
) -> None:
    """Print what each weight makes of misreadings and of verzakingen."""
    curves = {reader: measured(faults, deals, first_seed) for reader, faults in READERS.items()}
    typer.echo(table_of(curves))
    if picture is not None:
        picture.write_text(picture_of(curves), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
