"""What the compiled search reads: one flat list of numbers, made by asking the rest of ``rules``.

A card is a bit here: 8 * suit + strength, the weakest of a suit lowest and trump always the last suit, so
that of two cards that can win the greater number wins. No rule is written again: what is legal, what a card
counts and what roem brings are looked up in tables that ``rules`` filled.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final

from rules.cards import CLOCKWISE, FULL_DECK, Rank
from rules.lines import Ending
from rules.reglement import Reglement
from rules.roem import roem_points
from rules.solver.board import SEAT_NUMBER, Objective
from rules.tables import POINTS, STRENGTH, SUIT_NUMBER
from rules.trick import legal_mask

TRUMP_SUIT: Final = 3
OTHERS_FLAG: Final = 256
"""Set in an entry of ``VOID`` where the cards that are no trumps may be played."""

# Where each part begins. The first four are the same for every ending of a reglement.
TRICK_POINTS: Final = 0  # [suit][cards of that suit]: points with the roem that they make together
CARD_POINTS: Final = TRICK_POINTS + 4 * 256  # [suit][cards of that suit]: points alone
FOLLOWING: Final = CARD_POINTS + 4 * 256  # [trumps held][winning trump]: the legal trumps when trump is led
VOID: Final = FOLLOWING + 256 * 8  # [trumps held][winning trump, 8 for none][partner wins][other cards held]
HANDS: Final = VOID + 256 * 9 * 4  # [seat]: its cards
QUADS: Final = HANDS + 4  # four equal cards in four hands: how many, then the cards of each, then the points
MOST: Final = QUADS + 1 + 8 + 8  # [suit][cards of it left]: points with the most roem that they can bring
IN_ROWS: Final = MOST + 4 * 256  # [suit][cards of it left]: those that can still make a row or stuk
VISITED: Final = IN_ROWS + 4 * 256  # how many positions were searched
HISTORY: Final = VISITED + 1  # [seat][card]: how often that card decided
MOVES: Final = HISTORY + 4 * 32  # [cards played][8]: the legal cards of each level
KNOWN: Final = MOVES + 33 * 8  # [slot][2]: positions between tricks, with what is known of them


@lru_cache(maxsize=4)
def places(trump: int) -> tuple[int, ...]:
    """For each card (its index in ``FULL_DECK``) which bit it is."""
    suits = [suit for suit in range(4) if suit != trump] + [trump]
    return tuple(
        8 * suits.index(card >> 3) + (STRENGTH[trump][card >> 3][card] - 1) % 10 for card in range(32)
    )


def with_places(cards: int, places_of: tuple[int, ...]) -> int:
    """A set of cards moved to these bits."""
    return sum(1 << places_of[card] for card in range(32) if cards >> card & 1)


def layout_of(ending: Ending, objective: Objective) -> list[int]:
    """All parts up to ``KNOWN``, which is left to the caller to add."""
    numbers = list(tables_of(ending.reglement, objective)) + [0] * (KNOWN - HANDS)
    place = places(SUIT_NUMBER[ending.trump])
    owners = {place[play.card.index]: SEAT_NUMBER[play.seat] for play in ending.trick}
    for seat, name in enumerate(CLOCKWISE):
        held = [place[card.index] for card in ending.hands[name]]
        owners |= dict.fromkeys(held, seat)
        numbers[HANDS + seat] = sum(1 << bit for bit in held)
    if objective is Objective.DIFFERENCE:
        _add_quads(numbers, ending, owners)
    for suit in range(4):
        _add_roem_to_come(numbers, suit, owners)
    return numbers


def _add_quads(numbers: list[int], ending: Ending, owners: dict[int, int]) -> None:
    trump = SUIT_NUMBER[ending.trump]
    for rank in Rank:
        cards = sum(1 << card.index for card in FULL_DECK if card.rank is rank)
        quad = with_places(cards, places(trump))
        if _all_in_different_hands(quad, owners):
            number = numbers[QUADS]
            numbers[QUADS] += 1
            numbers[QUADS + 1 + number] = quad
            numbers[QUADS + 9 + number] = roem_points(ending.reglement, cards, trump)


def _all_in_different_hands(cards: int, owners: dict[int, int]) -> bool:
    bits = [bit for bit in range(32) if cards >> bit & 1]
    return all(bit in owners for bit in bits) and len({owners[bit] for bit in bits}) == len(bits)


def _add_roem_to_come(numbers: list[int], suit: int, owners: dict[int, int]) -> None:
    """Roem takes cards of different hands, each once: the best choice of rows that share no card."""
    points, with_roem, most = (part + 256 * suit for part in (CARD_POINTS, TRICK_POINTS, MOST))
    rows = [
        (row, with_roem_points)
        for size in (2, 3, 4)
        for row in (sum(1 << card for card in chosen) for chosen in combinations(range(8), size))
        if (with_roem_points := numbers[with_roem + row]) > numbers[points + row]
        and _all_in_different_hands(row << 8 * suit, owners)
    ]
    for left in range(256):
        possible = [(row, value) for row, value in rows if left & row == row]
        numbers[most + left] = max(
            (value + numbers[most + (left & ~row)] for row, value in possible),
            default=numbers[points + left],
        )
        for row, _ in possible:
            numbers[IN_ROWS + 256 * suit + left] |= row


@lru_cache(maxsize=16)
def tables_of(reglement: Reglement, objective: Objective) -> tuple[int, ...]:
    """The parts before ``HANDS``, which hold for every deal."""
    place = places(TRUMP_SUIT)
    cards = tuple(sorted(range(32), key=place.__getitem__))
    numbers = [0] * HANDS
    for suit in range(4):
        for held in range(256):
            mask = with_places(held << 8 * suit, cards)
            points = sum(POINTS[TRUMP_SUIT][card] for card in range(32) if mask >> card & 1)
            counts = objective is Objective.DIFFERENCE and held.bit_count() <= 4
            roem = roem_points(reglement, mask, TRUMP_SUIT) if counts else 0
            numbers[CARD_POINTS + 256 * suit + held] = points
            numbers[TRICK_POINTS + 256 * suit + held] = points + roem
    for held in range(256):
        _add_legal(numbers, reglement, held, cards)
    return tuple(numbers)


def _add_legal(numbers: list[int], reglement: Reglement, held: int, cards: tuple[int, ...]) -> None:
    """What may be played from the trumps ``held``, with or without other cards, on every winning card."""
    trumps = with_places(held << 24, cards)
    led, plain, other = 0, 0, 1 << 8
    for rank in range(9):
        winning = cards[24 + rank] if rank < 8 else plain
        if rank < 8:
            legal = legal_mask(reglement, trumps, TRUMP_SUIT, TRUMP_SUIT, winning, False)
            numbers[FOLLOWING + held * 8 + rank] = with_places(legal, places(TRUMP_SUIT)) >> 24
        for partner_wins in (False, True):
            for others in (False, True):
                hand = trumps | other if others else trumps
                legal = legal_mask(reglement, hand, led, TRUMP_SUIT, winning, partner_wins)
                index = (held * 9 + rank) * 4 + 2 * partner_wins + others
                flag = OTHERS_FLAG if legal & other else 0
                numbers[VOID + index] = with_places(legal, places(TRUMP_SUIT)) >> 24 | flag
