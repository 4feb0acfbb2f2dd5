"""The search compiled to machine code with numba: the same answers as ``plain``, on whole deals some ninety
times as fast.

Imported only where numba is installed. Everything is in one array of integers, as ``layout`` says, since a
compiled call costs less the fewer arrays it is given. What makes it quick beside alpha-beta and a table of
positions: of equal neighbours only one is tried; and between tricks a side's trumps that nobody beats, and
all points and roem that can still come, bound the value without a search.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba import njit

from rules.lines import Ending
from rules.solver.board import UNLIMITED, Objective, State, close_in
from rules.solver.layout import (
    CARD_POINTS,
    FOLLOWING,
    HANDS,
    HISTORY,
    IN_ROWS,
    KNOWN,
    MOST,
    MOVES,
    OTHERS_FLAG,
    QUADS,
    TRICK_POINTS,
    TRUMP_SUIT,
    VISITED,
    VOID,
    layout_of,
    places,
    with_places,
)
from rules.tables import LAST_TRICK_POINTS, SUIT_MASK, SUIT_NUMBER

Numbers = MutableSequence[int]
"""An array of int64; told to the type checker as what is used of it."""

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

TRUMPS: Final = SUIT_MASK[TRUMP_SUIT]
LOW_BITS: Final = 0xFFFFFFFF
OFFSET: Final = 1 << 15
"""Added to a bound so that it packs into sixteen bits."""

SLOTS_FOR_FEW_TRICKS: Final = 1 << 15
SLOTS: Final = 1 << 21
"""Of 16 bytes each. What falls into a slot replaces what was there."""

DE_BRUIJN: Final = 0x077CB531


def compiled(function: AnyFunction) -> AnyFunction:
    """``function`` as machine code, which lets other threads run.

    Not kept on disk: a function that calls itself, read back from numba's cache, crashes (seen with 0.68).
    """
    return cast(AnyFunction, njit(nogil=True)(function))


def _bit_numbers() -> Numbers:
    numbers = cast(Numbers, np.zeros(32, dtype=np.int64))
    for number in range(32):
        numbers[((DE_BRUIJN << number) & LOW_BITS) >> 27] = number
    return numbers


def _duplicates() -> Numbers:
    """Of the three weakest cards of a suit, those that are as good as a weaker one in the same hand.

    Index: playable | left << 3 | without roem << 6. Two are neighbours when none between them is left.
    """
    found = cast(Numbers, np.zeros(512, dtype=np.int64))
    for index in range(512):
        equal, left = index & index >> 6 & 7, index >> 3 & 7
        if equal & 0b011 == 0b011:
            found[index] |= 0b010
        if equal & 0b110 == 0b110 or (equal & 0b101 == 0b101 and not left & 0b010):
            found[index] |= 0b100
    return found


BIT_NUMBERS: Final = _bit_numbers()
DUPLICATES: Final = _duplicates()


@compiled
def number_of(bit: int) -> int:
    """The place of a single bit, found with a de Bruijn sequence."""
    return BIT_NUMBERS[((bit * DE_BRUIJN) & LOW_BITS) >> 27]


@compiled
def sum_over_suits(numbers: Numbers, part: int, cards: int) -> int:
    """The entries of a part for the cards of each suit, together."""
    return (
        numbers[part + (cards & 255)]
        + numbers[part + 256 + (cards >> 8 & 255)]
        + numbers[part + 512 + (cards >> 16 & 255)]
        + numbers[part + 768 + (cards >> 24)]
    )


@compiled
def trick_value(numbers: Numbers, trick: int) -> int:
    """The points and roem of the cards of one trick."""
    value = sum_over_suits(numbers, TRICK_POINTS, trick)
    for quad in range(numbers[QUADS]):
        if trick == numbers[QUADS + 1 + quad]:
            value += numbers[QUADS + 9 + quad]
    return value


@compiled
def most_to_come(numbers: Numbers, left: int) -> int:
    """Both sides together cannot get more than this from the cards that are left."""
    most = sum_over_suits(numbers, MOST, left) + LAST_TRICK_POINTS
    for quad in range(numbers[QUADS]):
        if left & numbers[QUADS + 1 + quad] == numbers[QUADS + 1 + quad]:
            most += numbers[QUADS + 9 + quad]
    return most


@compiled
def able_to_make_roem(numbers: Numbers, left: int) -> int:
    """The cards among those left that could still be part of any roem."""
    cards = 0
    for suit in range(4):
        cards |= numbers[IN_ROWS + 256 * suit + (left >> 8 * suit & 255)] << 8 * suit
    for quad in range(numbers[QUADS]):
        if left & numbers[QUADS + 1 + quad] == numbers[QUADS + 1 + quad]:
            cards |= numbers[QUADS + 1 + quad]
    return cards


@compiled
def sure_points(numbers: Numbers, left: int, team: int) -> int:
    """The points of the team's trumps above every trump of the others: whatever trick they fall in is won."""
    trumps = left >> 24
    up_to_highest = (numbers[HANDS + 1 - team] | numbers[HANDS + 3 - team]) >> 24 & trumps
    up_to_highest |= up_to_highest >> 1
    up_to_highest |= up_to_highest >> 2
    up_to_highest |= up_to_highest >> 4
    return numbers[CARD_POINTS + 256 * TRUMP_SUIT + (trumps & ~up_to_highest)]


@compiled
def legal_moves(numbers: Numbers, hand: int, led: int, best: int, partner_wins: bool) -> int:
    """The cards of ``hand`` that may follow a lead of suit ``led`` while ``best`` is winning."""
    followers = hand & 255 << 8 * led
    if followers:
        if led != TRUMP_SUIT:
            return followers
        return numbers[FOLLOWING + (followers >> 24) * 8 + number_of(best) - 24] << 24
    others = hand & ~TRUMPS
    rank = number_of(best) - 24 if best & TRUMPS else 8
    index = ((hand >> 24) * 9 + rank) * 4 + (2 if partner_wins else 0) + (1 if others else 0)
    legal = numbers[VOID + index]
    return (legal & 255) << 24 | (others if legal & OTHERS_FLAG else 0)


@compiled
def without_duplicates(numbers: Numbers, moves: int, base: int) -> int:
    """``moves`` without those that are as good as another one, ``base`` the cards not yet gathered."""
    if moves & (moves - 1) == 0:
        return moves
    without_roem = ~able_to_make_roem(numbers, base)
    for suit in range(4):
        # The seven, eight and nine count nothing; of trumps only the seven and eight.
        playable = moves >> 8 * suit & (0b011 if suit == TRUMP_SUIT else 0b111)
        index = playable | (base >> 8 * suit & 7) << 3 | (without_roem >> 8 * suit & 7) << 6
        moves &= ~(DUPLICATES[index] << 8 * suit)
    return moves


@compiled
def promise(
    numbers: Numbers, card: int, others: int, trick: int, ply: int, wins: bool, partner_wins: bool
) -> int:
    """How good a card looks; only the speed depends on it. ``others``: the cards not in this hand."""
    suit = number_of(card) >> 3
    points = numbers[CARD_POINTS + 256 * suit + (card >> 8 * suit)]
    cannot_be_beaten = others & (255 << 8 * suit) & ~(card - 1) == 0
    if ply == 0:
        return 60 + points + 20 * (suit == TRUMP_SUIT) if cannot_be_beaten else 20 - points
    value = trick_value(numbers, trick | card)
    if ply == 3:
        if wins:
            # The weakest card that does it, and better not a trump.
            return 100 + value - (number_of(card) & 7) - 10 * (suit == TRUMP_SUIT)
        return 100 + value if partner_wins else 40 - value
    if wins:
        return 60 + points + 30 * cannot_be_beaten + value // 2
    return 40 + points if partner_wins else 40 - value


@compiled
def put_in_order(
    numbers: Numbers,
    frame: int,
    moves: int,
    first: int,
    player: int,
    hand: int,
    base: int,
    trick: int,
    ply: int,
    best: int,
    able: int,
    partner_wins: bool,
) -> int:
    """Write the moves with their promise at ``frame``; how many there are."""
    count = 0
    rest = moves
    while rest:
        card = rest & -rest
        rest ^= card
        score = 0
        if card == first:
            score = 1 << 20
        elif moves != card:
            wins = card > best and card & able != 0
            score = 4 * promise(numbers, card, base & ~hand, trick, ply, wins, partner_wins)
            score += numbers[HISTORY + 32 * player + number_of(card)]
        numbers[frame + count] = score << 32 | card
        count += 1
    return count


@compiled
def take_best(numbers: Numbers, frame: int, turn: int, count: int) -> int:
    """The most promising card from ``turn`` on; what stood at ``turn`` takes its place."""
    pick = turn
    for other in range(turn + 1, count):
        if numbers[frame + other] > numbers[frame + pick]:
            pick = other
    card = numbers[frame + pick] & LOW_BITS
    numbers[frame + pick] = numbers[frame + turn]
    return card


@compiled
def slot_of(numbers: Numbers, key: int) -> int:
    """Where what is known of a position lies."""
    slots = (len(numbers) - KNOWN) >> 1
    return KNOWN + 2 * (((key * 0x1E3779B97F4A7C15) >> 20) & (slots - 1))


@compiled
def value_of_trick(numbers: Numbers, left: int, leader: int, frame: int, bound: int) -> int:
    """The value of a position between tricks: North and South's less East and West's, from here to the end.

    At least ``bound``: the true value is no lower; below it: no higher.
    """
    if left == 0:
        return 0
    most = most_to_come(numbers, left)
    lower = 2 * sure_points(numbers, left, 0) - most
    upper = most - 2 * sure_points(numbers, left, 1)
    if lower >= bound:
        return lower
    if upper < bound:
        return upper
    key = left | (4 + leader) << 32
    slot = slot_of(numbers, key)
    first = 0
    if numbers[slot] == key:
        known = numbers[slot + 1]
        first = 1 << (known >> 32)
        lower = max(lower, (known & 0xFFFF) - OFFSET)
        upper = min(upper, (known >> 16 & 0xFFFF) - OFFSET)
        if lower >= bound:
            return lower
        if upper < bound:
            return upper
    value = value_of_card(numbers, left, left, leader, 0, frame, 0, leader, first, bound)
    if value >= bound:
        lower = max(lower, value)
    else:
        upper = min(upper, value)
    numbers[slot] = key
    chosen = number_of(numbers[frame])
    numbers[slot + 1] = (lower + OFFSET) | (upper + OFFSET) << 16 | chosen << 32
    return value


@compiled
def value_of_card(
    numbers: Numbers,
    base: int,
    left: int,
    leader: int,
    ply: int,
    frame: int,
    best: int,
    winner: int,
    first: int,
    bound: int,
) -> int:
    """The value of a position in a trick, as :func:`value_of_trick`; leaves the best lead at ``frame``.

    base: the cards left when the trick began; left: those not yet played. ply: how many cards lie on the
    table; best, winner: the winning one and its seat. first: the card to try first, 0 for none.
    """
    numbers[VISITED] += 1
    player = (leader + ply) & 3
    maximises = player & 1 == 0
    hand = numbers[HANDS + player] & left
    partner_wins = ply > 0 and winner == player ^ 2
    moves, able = hand, LOW_BITS
    if ply > 0:
        led = number_of(numbers[frame - 8 * ply]) >> 3
        moves, able = legal_moves(numbers, hand, led, best, partner_wins), TRUMPS | 255 << 8 * led
    moves = without_duplicates(numbers, moves, base)
    count = put_in_order(
        numbers, frame, moves, first, player, hand, base, base ^ left, ply, best, able, partner_wins
    )
    value = -UNLIMITED if maximises else UNLIMITED
    chosen = 0
    for turn in range(count):
        card = take_best(numbers, frame, turn, count)
        wins = card > best and card & able != 0
        taker = player if wins else winner
        after = left ^ card
        if ply == 0:
            # The seats that follow look here for the suit that was led.
            numbers[frame] = card
        if ply == 3:
            gain = trick_value(numbers, base ^ after) + LAST_TRICK_POINTS * (after == 0)
            if taker & 1:
                gain = -gain
            found = gain + value_of_trick(numbers, after, taker, frame + 8, bound - gain)
        else:
            highest = card if wins else best
            found = value_of_card(numbers, base, after, leader, ply + 1, frame + 8, highest, taker, 0, bound)
        if (found > value) if maximises else (found < value):
            value, chosen = found, card
            if (value >= bound) == maximises:
                if count > 1:
                    place = HISTORY + 32 * player + number_of(card)
                    numbers[place] = min(numbers[place] + 1, 200)
                break
    if ply == 0:
        numbers[frame] = chosen
    return value


class AcceleratedSearch:
    """Differences of positions of one ending; what was found for one helps with the next."""

    def __init__(self, ending: Ending, objective: Objective) -> None:
        slots = SLOTS_FOR_FEW_TRICKS if ending.tricks_left <= 5 else SLOTS
        array = np.zeros(KNOWN + 2 * slots, dtype=np.int64)
        array[:KNOWN] = layout_of(ending, objective)
        self._numbers = cast(Numbers, array)
        self._places = places(SUIT_NUMBER[ending.trump])

    @property
    def visited(self) -> int:
        """How many positions were searched so far."""
        return int(self._numbers[VISITED])

    def difference(self, state: State, guess: int) -> int:
        """What is still to come from ``state`` for N and S less for E and W; see :class:`Search`."""
        hands, trick, leader = state
        left = with_places(hands[0] | hands[1] | hands[2] | hands[3], self._places)
        cards = [1 << self._places[card] for card in trick]
        best, winner = self._winning(cards, leader)
        base, ply, frame = left + sum(cards), len(cards), MOVES + 8 * len(cards)
        if cards:
            self._numbers[MOVES] = cards[0]

        def reaches(bound: int) -> int:
            if not cards:
                return int(value_of_trick(self._numbers, left, leader, frame, bound))
            return int(value_of_card(self._numbers, base, left, leader, ply, frame, best, winner, 0, bound))

        return close_in(reaches, guess)

    @staticmethod
    def _winning(cards: list[int], leader: int) -> tuple[int, int]:
        """The winning card of an unfinished trick and its seat."""
        if not cards:
            return 0, leader
        led_suit = next(0xFF << 8 * suit for suit in range(4) if cards[0] & 0xFF << 8 * suit)
        best = max(card for card in cards if card & (TRUMPS | led_suit))
        return best, (leader + cards.index(best)) % 4
