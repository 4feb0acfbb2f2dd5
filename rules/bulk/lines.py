"""Lines of JSON, each a deal, to lines of JSON, each a result: the usual answers for all that is regular."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.bulk.arrays import NOT_CALLED, Array, Deals, scores_of
from rules.bulk.skeletons import Call, Layout, Run, learn, skeleton_of
from rules.bulk.templates import SUMS, Ending, template_of
from rules.cards import CLOCKWISE, FULL_DECK, Team
from rules.document import deal_from_document
from rules.errors import RulesError
from rules.reglement import Reglement, RoemCounts
from rules.solver.board import SEAT_NUMBER
from rules.table import TRICKS_IN_DEAL
from rules.tables import SUIT_NUMBER

MOST_LAYOUTS: Final = 4096
MOST_HEADS: Final = 100_000
"""How many kinds of line, and of what stands before the tricks, are remembered; more are left to the usual
route."""
_UNKNOWN: Final = 255


def _card_numbers() -> Array:
    """[two letters as a little-endian number]: the card as in ``FULL_DECK``, or _UNKNOWN."""
    numbers = np.full(1 << 16, _UNKNOWN, dtype=np.uint8)
    for card in FULL_DECK:
        for suit in (card.suit.value, card.suit.dutch_letter):
            for rank in (card.rank.value, card.rank.dutch_index):
                if len(rank) == 1:
                    numbers[int.from_bytes(f"{suit}{rank}".encode(), "little")] = card.index
    return numbers


def _seat_numbers() -> Array:
    """[letter]: the place of a seat in ``CLOCKWISE``, or _UNKNOWN."""
    numbers = np.full(256, _UNKNOWN, dtype=np.uint8)
    for number, seat in enumerate(CLOCKWISE):
        numbers[ord(seat.value)] = numbers[ord(seat.dutch[0])] = number
    return numbers


_CARD_NUMBERS: Final = _card_numbers()
_SEAT_NUMBERS: Final = _seat_numbers()


@dataclass(frozen=True, slots=True)
class Head:
    """What the part before the tricks says of a deal; trump and leader as numbers."""

    reglement: Reglement
    playing: Team
    trump: int
    leader: int


@dataclass(frozen=True, slots=True)
class _Read:
    """Lines of one layout as arrays. places: of the lines. heads: (n,) which of all heads each has."""

    places: Array
    heads: Array
    cards: Array
    called: Array
    told_leaders: Array


class LineScorer:
    """Scores lines; what was learnt of their looks helps with the next."""

    def __init__(self) -> None:
        self._layouts: dict[bytes, Layout | None] = {}
        self._head_numbers: dict[tuple[int, bytes], int] = {}
        # In the first place what is no head at all.
        self._heads: list[Head | None] = [None]

    def results(self, lines: Sequence[bytes]) -> list[str | None]:
        """The result of each line as a line of JSON; None where the usual route must tell what it is."""
        found: list[str | None] = [None] * len(lines)
        reads = [self._read(layout, places, group) for layout, places, group in self._groups(lines)]
        if not reads:
            return found
        everything = _together(reads)
        for reglement in {head.reglement: None for head in self._heads if head is not None}:
            known = [head is not None and head.reglement == reglement for head in self._heads]
            chosen = np.flatnonzero(np.array(known)[everything.heads])
            if len(chosen):
                self._write(found, reglement, _chosen(everything, chosen))
        return found

    def _groups(self, lines: Sequence[bytes]) -> Iterator[tuple[Layout, Array, list[bytes]]]:
        """The lines by how they look, with their places."""
        groups: dict[bytes, list[int]] = {}
        # A ten is two letters to some and three to others; short it stands in the same columns as the rest.
        short = [line.replace(b'10"', b'T"') if b'10"' in line else line for line in lines]
        for place, line in enumerate(short):
            groups.setdefault(skeleton_of(line), []).append(place)
        for skeleton, places in groups.items():
            layout = self._layout(skeleton, short[places[0]])
            if layout is not None:
                yield layout, np.array(places), [short[place] for place in places]

    def _layout(self, skeleton: bytes, line: bytes) -> Layout | None:
        if skeleton not in self._layouts:
            if len(self._layouts) >= MOST_LAYOUTS:
                return None
            self._layouts[skeleton] = learn(line)
        return self._layouts[skeleton]

    def _read(self, layout: Layout, places: Array, lines: list[bytes]) -> _Read:
        """What of these lines can be read."""
        letters = np.frombuffer(b"".join(lines), dtype=np.uint8).reshape(len(lines), -1)
        first = np.array(layout.cards)
        codes = letters[:, first].astype(np.uint16) | letters[:, first + 1].astype(np.uint16) << 8
        cards = _CARD_NUMBERS[codes]
        readable = (cards != _UNKNOWN).all(axis=1)
        told = np.full((len(lines), TRICKS_IN_DEAL), -1, dtype=np.int16)
        for trick, run in layout.leaders.items():
            told[:, trick] = _SEAT_NUMBERS[letters[:, run.start]]
        called = np.full((len(lines), TRICKS_IN_DEAL), NOT_CALLED, dtype=np.int16)
        for call in layout.calls:
            readable &= _take_call(call, letters, called)
        heads = self._heads_of(layout, letters, lines)
        read = _Read(places, heads, cards.reshape(-1, TRICKS_IN_DEAL, 4), called, told)
        return read if readable.all() else _chosen(read, np.flatnonzero(readable))

    def _heads_of(self, layout: Layout, letters: Array, lines: list[bytes]) -> Array:
        columns = layout.head_columns
        joined, width = letters[:, columns].tobytes(), len(columns)
        return np.array(
            [
                self._head_number(layout, joined[width * place : width * place + width], line)
                for place, line in enumerate(lines)
            ]
        )

    def _head_number(self, layout: Layout, letters: bytes, line: bytes) -> int:
        key = id(layout), letters
        number = self._head_numbers.get(key)
        if number is None:
            if len(self._head_numbers) >= MOST_HEADS:
                return 0
            head = _head_of(layout.head_document(line))
            number = self._head_numbers[key] = self._place_of(head)
        return number

    def _place_of(self, head: Head | None) -> int:
        """Its place among all heads."""
        if head not in self._heads:
            self._heads.append(head)
        return self._heads.index(head)

    def _write(self, found: list[str | None], reglement: Reglement, read: _Read) -> None:
        """Score the deals of one reglement and write their results where they belong."""
        heads = [head or Head(reglement, Team.NORTH_SOUTH, 0, 0) for head in self._heads]
        trumps = np.array([head.trump for head in heads])[read.heads]
        leaders = np.array([head.leader for head in heads])[read.heads]
        sides = np.array([head.playing is Team.EAST_WEST for head in heads])[read.heads]
        scores = scores_of(reglement, Deals(read.cards, trumps, leaders, read.called, read.told_leaders))
        nat, pit = _nat_and_pit(reglement, scores.sums, sides)
        kinds = np.where(scores.regular, sides + 2 * nat + 4 * pit, -1)
        for kind in range(8):
            chosen = np.flatnonzero(kinds == kind)
            if len(chosen):
                _fill(found, reglement, kind, read.places[chosen], scores.sums[chosen])


def _head_of(document: dict[str, object] | None) -> Head | None:
    """What the usual route makes of the part before the tricks; None where anything is wrong with it."""
    if document is None:
        return None
    try:
        deal = deal_from_document(document)
    except RulesError:
        return None
    if deal.faults or deal.trump is None or deal.declarer is None:
        return None
    leader = SEAT_NUMBER[deal.first_leader]
    return Head(deal.reglement, deal.declarer.team, SUIT_NUMBER[deal.trump], leader)


def _take_call(call: Call, letters: Array, called: Array) -> Array:
    """Note a call; which lines have it as it should be. Two calls of one trick must be of the same amount."""
    points, is_number = _number(call.points, letters)
    before = called[:, call.trick].copy()
    called[:, call.trick] = points
    seat_is_known = _SEAT_NUMBERS[letters[:, call.seat.start]] != _UNKNOWN
    return np.asarray(is_number & seat_is_known & ((before == NOT_CALLED) | (before == points)))


def _number(run: Run, letters: Array) -> tuple[Array, Array]:
    """The whole number in these columns, and where there is one as JSON writes it."""
    digits = letters[:, run.start : run.start + run.width].astype(np.int16) - ord("0")
    is_number = np.asarray(((digits >= 0) & (digits <= 9)).all(axis=1))
    if run.width > 1:
        is_number &= digits[:, 0] != 0
    return digits @ 10 ** np.arange(run.width - 1, -1, -1), is_number


def _together(reads: Iterable[_Read]) -> _Read:
    columns = zip(
        *((one.places, one.heads, one.cards, one.called, one.told_leaders) for one in reads), strict=True
    )
    return _Read(*map(np.concatenate, columns))


def _chosen(read: _Read, chosen: Array) -> _Read:
    return _Read(
        read.places[chosen],
        read.heads[chosen],
        read.cards[chosen],
        read.called[chosen],
        read.told_leaders[chosen],
    )


def _nat_and_pit(reglement: Reglement, sums: Array, sides: Array) -> tuple[Array, Array]:
    """Which deals are nat and in which somebody made a pit, (n,) bool each (articles 15 to 17)."""
    by_team = sums.reshape(len(sums), 2, len(SUMS))
    roem = SUMS.index("roem_called" if reglement.roem_counts is RoemCounts.CALLED else "roem_seen")
    totals = by_team[:, :, SUMS.index("points")] + by_team[:, :, roem]
    tricks = by_team[:, :, SUMS.index("tricks_won")]
    rows, playing = np.arange(len(sums)), sides.astype(np.intp)
    nat = totals[rows, playing] <= totals[rows, 1 - playing]
    pit = ~nat & (tricks[rows, playing] == TRICKS_IN_DEAL)
    if reglement.pit_for_defenders:
        pit |= nat & (tricks[rows, 1 - playing] == TRICKS_IN_DEAL)
    return nat, pit


def _fill(found: list[str | None], reglement: Reglement, kind: int, places: Array, sums: Array) -> None:
    """Write the results of deals that ended in one way: by bit, E and W played, nat, pit."""
    playing = (Team.NORTH_SOUTH, Team.EAST_WEST)[kind & 1]
    is_nat, is_pit = bool(kind & 2), bool(kind & 4)
    pit_team = (playing.opponents if is_nat else playing) if is_pit else None
    template = template_of(reglement, Ending(playing, is_nat, pit_team))
    weights = np.array(template.weights)
    numbers = sums @ weights[:, 1:].T + weights[:, 0]
    for place, row in zip(places.tolist(), numbers.tolist(), strict=True):
        found[place] = template.text % tuple(row)
