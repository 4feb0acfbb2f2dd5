"""Measure the tracker on simulated deals.

    python -m tests.tracker.measure --deals 200 --first-seed 60000

The deals from seed 20000 on are those on which faults were looked for; other seeds show what it is worth. It
prints, for each way of reading them, how many deals are exact, whose scores are right, what was wrongly
flagged, which verzakingen and cards out of turn were found, when trump was inferred, and how late cards
were told.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from statistics import quantiles
from typing import Annotated, Final

import typer

from capture.simulator import PlayedDeal
from capture.simulator.reader import ReadingFaults
from capture.simulator.script import Happening
from rules import CLOCKWISE, Card, Seat, Suit, legal_cards, trick_winner
from tests.tracker.simulated_tables import Read, Table, read
from tracker.events import (
    SURE_OF_VERZAKING,
    CardDoubtful,
    CardPlayed,
    CardPlayedOutOfTurn,
    Correction,
    DealClosed,
    DealRecord,
    DealStarted,
    Event,
    TrickCovered,
    TrumpDeclared,
    fold_deals,
    revoke_certainty,
)

FIRST_SEED: Final = 20_000
_PLAIN: Final = (CardDoubtful, CardPlayed, Correction, DealClosed, DealStarted, TrickCovered, TrumpDeclared)
_BY_TRICK: Final = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """One deal against what was read of it.

    flagged: a verzaking that nobody committed was proven at some moment, or seems so at the end.
    verzaking_right: the one verzaking, and no other, is proven at the end by trick, seat and card.
    verzaking_sure: so it is, and surely.
    turn_right: the one card out of turn, and no other, was told so; None where all went in turn.
    by_trick_3, by_the_end: whether trump was told right; None where the play does not tell it by then.
    late_s: how long after each card lay still it was told. questions: how many cards were asked about.
    irregularities: what else was told, by kind.
    """

    seed: int
    exact: bool
    score_right: bool
    flagged: bool
    verzaking_right: bool | None
    verzaking_sure: bool | None
    turn_right: bool | None
    by_trick_3: bool | None
    by_the_end: bool | None
    late_s: tuple[float, ...]
    questions: int
    irregularities: tuple[str, ...]


def measured(table: Table) -> Measured:
    """Play, read and judge the deal of one table."""
    found = read(table)
    records = fold_deals(found.events)
    one = records[0] if len(records) == 1 else None
    exact = one is not None and found.is_exact
    third = told_trump(found.events, _BY_TRICK)
    last = told_trump(found.events, 9)
    truth = found.deal.trump
    possible = trumps_possible(found.deal)
    return Measured(
        seed=table.seed,
        exact=exact,
        score_right=one is not None and found.score_is_right,
        flagged=wrongly_flagged(found),
        verzaking_right=verzaking_is_right(found, one, 0.0) if table.verzaken else None,
        verzaking_sure=verzaking_is_right(found, one, SURE_OF_VERZAKING) if table.verzaken else None,
        turn_right=out_of_turn_is_right(found) if table.out_of_turn else None,
        by_trick_3=None if table.trump_given else third is truth,
        by_the_end=None if table.trump_given or len(possible) > 1 else last is truth,
        late_s=lateness(found),
        questions=sum(isinstance(event, CardDoubtful) for event in found.events),
        irregularities=tuple(type(event).__name__ for event in found.events if not isinstance(event, _PLAIN)),
    )


def wrongly_flagged(found: Read, *, at_the_end: bool = True) -> bool:
    """Whether a verzaking other than the true one was ever proven surely, or (``at_the_end``) stands then."""
    mishap = found.deal.mishap
    truth = (mishap.trick, mishap.seat, mishap.card) if mishap is not None else None

    def false_ones(record: DealRecord) -> list[float]:
        return [
            revoke_certainty(record, revoke)[0]
            for revoke in record.deal.revokes
            if (revoke.trick, revoke.seat, revoke.card) != truth
        ]

    def at_some_moment() -> bool:
        """Looked at when a trick is covered, and before anything is told otherwise."""
        moments = [
            index if isinstance(event, Correction | TrumpDeclared) else index + 1
            for index, event in enumerate(found.events)
            if isinstance(event, Correction | TrumpDeclared | TrickCovered)
        ]
        return any(
            sure >= SURE_OF_VERZAKING
            for moment in moments
            for record in fold_deals(found.events[:moment])
            for sure in false_ones(record)
        )

    stands = at_the_end and any(false_ones(record) for record in fold_deals(found.events))
    return stands or at_some_moment()


def verzaking_is_right(found: Read, record: DealRecord | None, sure_from: float) -> bool:
    """Whether exactly the verzaking that was put in is proven, and at least that surely."""
    mishap = found.deal.mishap
    if record is None or mishap is None:
        return False
    proven = [(revoke.trick, revoke.seat, revoke.card) for revoke in record.deal.revokes]
    sure = [revoke_certainty(record, revoke)[0] for revoke in record.deal.revokes]
    return proven == [(mishap.trick, mishap.seat, mishap.card)] and min(sure) >= sure_from


def out_of_turn_is_right(found: Read) -> bool:
    """Whether exactly the card that was put in was told to be out of turn."""
    mishap = found.deal.mishap
    told = [
        (event.trick, event.seat, event.card)
        for event in found.events
        if isinstance(event, CardPlayedOutOfTurn)
    ]
    return mishap is not None and told == [(mishap.trick, mishap.seat, mishap.card)]


def told_trump(events: Sequence[Event], until_trick: int) -> Suit | None:
    """The trump told last until trick ``until_trick`` was told covered."""
    trump: Suit | None = None
    for event in events:
        if isinstance(event, TrumpDeclared):
            trump = event.trump
        elif isinstance(event, TrickCovered) and event.trick >= until_trick:
            return trump
    return trump


def trumps_possible(deal: PlayedDeal) -> list[Suit]:
    """The suits under which nothing of the play would be wrong; the true trump always."""
    return [trump for trump in Suit if trump is deal.trump or _explains(deal, trump)]


def _explains(deal: PlayedDeal, trump: Suit) -> bool:
    leads = [trick[0].seat for trick in deal.tricks[1:]]
    if [trick_winner(trick, trump) for trick in deal.tricks[:-1]] != leads:
        return False
    hands: dict[Seat, list[Card]] = {seat: list(deal.hands[seat]) for seat in CLOCKWISE}
    for trick in deal.tricks:
        for position, play in enumerate(trick):
            legal = legal_cards(deal.reglement, hands[play.seat], trick[:position], trump, play.seat)
            if play.card not in legal:
                return False
            hands[play.seat].remove(play.card)
    return True


def lateness(found: Read) -> tuple[float, ...]:
    """For each card that was told: how long after it came to lie, in seconds of film."""
    arrived = {
        moment.card: moment.time_s
        for moment in found.script.moments
        if moment.happening is Happening.CARD_PLAYED
    }
    return tuple(
        round(event.video.to_s - arrived[event.card], 3)
        for event in found.events
        if isinstance(event, CardPlayed) and event.video is not None and event.card in arrived
    )


# ---------------------------------------------------------------------------------------------- many deals


def tables(
    deals: int,
    accuracy: float = 0.99,
    *,
    verzaken: bool = False,
    out_of_turn: bool = False,
    trump_given: bool = True,
    first_seed: int = FIRST_SEED,
) -> list[Table]:
    """``deals`` tables, each with its own seed."""
    faults = replace(ReadingFaults(), accuracy=accuracy)
    return [
        Table(
            first_seed + index,
            verzaken=verzaken,
            out_of_turn=out_of_turn,
            trump_given=trump_given,
            faults=faults,
        )
        for index in range(deals)
    ]


def measure_all(wanted: Sequence[Table], processes: int | None = None) -> list[Measured]:
    """All of them, on as many cores as there are."""
    if processes == 1 or len(wanted) < 4:
        return [measured(table) for table in wanted]
    with ProcessPoolExecutor(processes or os.cpu_count(), mp_context=get_context("spawn")) as pool:
        return list(pool.map(measured, wanted, chunksize=2))


def summary(name: str, found: Sequence[Measured]) -> list[str]:
    """What came of them, in lines of text."""
    lines = [
        f"{name}: {len(found)} deals",
        _share("exact (32 cards, seats, order, trump)", [one.exact for one in found]),
        _share("score right in exact deals", [one.score_right for one in found if one.exact]),
        _share("score right in all", [one.score_right for one in found]),
        _share(
            "a false verzaking, sure at some moment or standing at the end", [one.flagged for one in found]
        ),
        _share("verzaking right by trick, card and seat", [one.verzaking_right for one in found]),
        _share("and told as sure", [one.verzaking_sure for one in found]),
        _share("out of turn told of the right card, and of no other", [one.turn_right for one in found]),
        _share("trump right after the third trick", [one.by_trick_3 for one in found]),
        _share("trump right at the end, where it can be told", [one.by_the_end for one in found]),
        f"  cards asked about, a deal: {sum(one.questions for one in found) / len(found):.2f}",
    ]
    late = [each for one in found for each in one.late_s]
    in_twentieths = quantiles(late, n=20)
    lines.append(f"  told after: median {in_twentieths[9]:.2f} s, 95 % within {in_twentieths[18]:.2f} s")
    told = Counter(kind for one in found for kind in one.irregularities)
    lines.append("  irregularities told: " + (", ".join(f"{k} {n}" for k, n in told.items()) or "none"))
    wrong = [str(one.seed) for one in found if not one.exact or one.flagged or one.verzaking_right is False]
    lines.append("  to look at: " + (" ".join(wrong) or "none"))
    return [line for line in lines if line]


def _share(what: str, values: Sequence[bool | None]) -> str:
    known = [value for value in values if value is not None]
    return f"  {what}: {sum(known)} of {len(known)} = {100 * sum(known) / len(known):.1f} %" if known else ""


def main(
    deals: Annotated[int, typer.Option(help="How many deals of each sort.")] = 200,
    processes: Annotated[int | None, typer.Option(help="How many at a time; all cores by default.")] = None,
    first_seed: Annotated[int, typer.Option(help="The seed of the first deal of each sort.")] = FIRST_SEED,
    only: Annotated[str, typer.Option(help="Only the sorts whose name holds this.")] = "",
) -> None:
    """Print what the tracker makes of simulated deals."""
    sorts = {
        "clean": tables(deals, first_seed=first_seed),
        "clean, names right in 95 % of frames": tables(deals, 0.95, first_seed=first_seed),
        "one verzaking": tables(deals, verzaken=True, first_seed=first_seed),
        "one verzaking, names right in 95 % of frames": tables(
            deals, 0.95, verzaken=True, first_seed=first_seed
        ),
        "one card out of turn": tables(deals, out_of_turn=True, first_seed=first_seed),
        "one card out of turn, names right in 95 % of frames": tables(
            deals, 0.95, out_of_turn=True, first_seed=first_seed
        ),
        "trump left out": tables(deals, trump_given=False, first_seed=first_seed),
    }
    for name, wanted in sorts.items():
        if only in name:
            typer.echo("\n".join(summary(name, measure_all(wanted, processes))))


if __name__ == "__main__":
    typer.run(main)
