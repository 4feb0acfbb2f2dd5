"""The hands of a deal, read off its plays and what else was shown, and the position after any of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from rules.cards import CLOCKWISE, FULL_DECK, Card, Seat
from rules.deal import Deal
from rules.errors import SolverError
from rules.lines import Ending
from rules.solver.board import SEAT_NUMBER
from rules.table import TRICKS_IN_DEAL

Held = Mapping[Seat, Collection[Card]]
"""The cards that seats still held when play stopped, as they were laid open."""

NOTHING_LAID_OPEN: Final[Held] = {}


def dealt_hands(deal: Deal, held: Held = NOTHING_LAID_OPEN) -> dict[Seat, frozenset[Card]]:
    """The eight cards that each seat was dealt.

    A deal played to its end tells them by itself. For one that stopped, ``held`` says what was left;
    strafkaarten on the table are known, and where one seat alone is short of cards the others are its.

    Raises:
        SolverError: when trump is unknown, a card came twice or out of turn, or not all hands can be known.
    """
    if deal.trump is None or not _runs_clockwise(deal):
        raise _not_seen(deal)
    hands = {seat: {play.card for play in deal.plays if play.seat is seat} for seat in CLOCKWISE}
    for seat, cards in held.items():
        hands[seat] |= set(cards)
    for shown in deal.penalty_cards:
        hands[shown.seat].add(shown.card)
    _give_the_rest(hands)
    if any(len(hand) != TRICKS_IN_DEAL for hand in hands.values()) or _known(hands) != set(FULL_DECK):
        raise _not_seen(deal)
    return {seat: frozenset(hand) for seat, hand in hands.items()}


def ending_after(deal: Deal, plays: int, held: Held = NOTHING_LAID_OPEN) -> Ending:
    """What was left of a deal after its first ``plays`` cards (0 up to how many were played, 31 at most).

    Raises:
        SolverError: as :func:`dealt_hands`, or when ``plays`` is not in range.
    """
    most = min(len(deal.plays), len(FULL_DECK) - 1)
    if not 0 <= plays < len(FULL_DECK):
        raise SolverError(f"a position has 0 to 31 cards played, not {plays}")
    hands = dealt_hands(deal, held)
    if plays > most:
        raise SolverError(f"{len(deal.plays)} cards were played; there is no position after {plays}")
    assert deal.trump is not None
    gone = {play.card for play in deal.plays[:plays]}
    left = {seat: tuple(card for card in FULL_DECK if card in hands[seat] - gone) for seat in CLOCKWISE}
    leader = (deal.first_leader, *deal.winners)[plays // 4]
    assert leader is not None
    return Ending(deal.reglement, deal.trump, left, leader, deal.plays[plays // 4 * 4 : plays])


def _runs_clockwise(deal: Deal) -> bool:
    """Whether every card came once and from whose turn it was."""
    leaders = (deal.first_leader, *deal.winners)
    return len({play.card for play in deal.plays}) == len(deal.plays) and all(
        leader is not None and play.seat is CLOCKWISE[(SEAT_NUMBER[leader] + place) % 4]
        for trick, leader in zip(deal.tricks, leaders, strict=False)
        for place, play in enumerate(trick.plays)
    )


def _known(hands: Mapping[Seat, set[Card]]) -> set[Card]:
    return {card for hand in hands.values() for card in hand}


def _give_the_rest(hands: Mapping[Seat, set[Card]]) -> None:
    """The cards that nobody is known to have had, where only one seat can have had them."""
    rest = set(FULL_DECK) - _known(hands)
    short = [hand for hand in hands.values() if len(hand) < TRICKS_IN_DEAL]
    if len(short) == 1 and len(short[0]) + len(rest) == TRICKS_IN_DEAL:
        short[0] |= rest


def _not_seen(deal: Deal) -> SolverError:
    trump = deal.trump.english if deal.trump else "unknown"
    return SolverError(
        f"all hands must be seen, each card once and in turn, and trump known; here are {len(deal.plays)} "
        f"plays, trump {trump}; of a deal that stopped give what each seat still held"
    )
