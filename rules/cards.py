"""The cards, the seats and the teams of klaverjas.

Codes are two characters, suit then rank: ``HT`` is the ten of hearts. A person may also type the Dutch
letters (``K R H S`` for klaveren, ruiten, harten, schoppen and ``B V H A`` for boer, vrouw, heer, aas) and
``10``; the letters never clash, so :func:`parse_card` takes both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from rules.errors import NotationError


class Suit(Enum):
    """One of the four suits; the value is its letter in codes and JSON."""

    __hash__ = object.__hash__  # members are singletons; the hash of their name, Enum's own, costs far more
    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def dutch(self) -> str:
        """The Dutch name: klaveren, ruiten, harten or schoppen."""
        return _DUTCH_SUITS[self]

    @property
    def english(self) -> str:
        """The English name: clubs, diamonds, hearts or spades."""
        return self.name.lower()

    @property
    def dutch_letter(self) -> str:
        """The letter in Dutch notation: K, R, H or S."""
        return _DUTCH_SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """The suit's sign, such as ``♥``."""
        return _SUIT_SYMBOLS[self]


class Rank(Enum):
    """One of the eight ranks, in the natural order that rows of roem follow."""

    __hash__ = object.__hash__
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    ACE = "A"

    @property
    def natural_order(self) -> int:
        """0 for the seven up to 7 for the ace (7 8 9 10 J Q K A)."""
        return _NATURAL_ORDER[self]

    @property
    def dutch_index(self) -> str:
        """What a Dutch card shows in its corner: 7 8 9 10 B V H A."""
        return _DUTCH_INDICES[self]


class Team(Enum):
    """Two partners who sit opposite each other."""

    __hash__ = object.__hash__
    NORTH_SOUTH = "NS"
    EAST_WEST = "EW"

    @property
    def opponents(self) -> Team:
        """The other team."""
        return Team.EAST_WEST if self is Team.NORTH_SOUTH else Team.NORTH_SOUTH


class Seat(Enum):
    """A place at the table, named by the compass; play goes clockwise N, E, S, W."""

    __hash__ = object.__hash__
    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def left(self) -> Seat:
        """The left-hand neighbour, who is next in turn."""
        return _LEFT[self]

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return _LEFT[_LEFT[self]]

    @property
    def team(self) -> Team:
        """The team that this seat belongs to."""
        return _TEAMS[self]

    @property
    def dutch(self) -> str:
        """The Dutch name: Noord, Oost, Zuid or West."""
        return _DUTCH_SEATS[self]

    @property
    def english(self) -> str:
        """The English name: North, East, South or West."""
        return self.name.title()

    def steps_to(self, other: Seat) -> int:
        """How many places clockwise ``other`` sits from here, 0 to 3."""
        return (CLOCKWISE.index(other) - CLOCKWISE.index(self)) % 4


CLOCKWISE: Final[tuple[Seat, ...]] = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST)
_LEFT: Final = {seat: CLOCKWISE[place - 3] for place, seat in enumerate(CLOCKWISE)}
_TEAMS: Final = {
    Seat.NORTH: Team.NORTH_SOUTH,
    Seat.EAST: Team.EAST_WEST,
    Seat.SOUTH: Team.NORTH_SOUTH,
    Seat.WEST: Team.EAST_WEST,
}


@dataclass(frozen=True, slots=True)
class Card:
    """One of the 32 cards; ``index`` is its place in :data:`FULL_DECK`, 0 to 31."""

    suit: Suit
    rank: Rank
    index: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", _SUIT_ORDER[self.suit] * 8 + _NATURAL_ORDER[self.rank])

    def __hash__(self) -> int:
        # Cards are looked up by the thousand, and two enum hashes each time cost more than the rules do.
        return self.index

    @property
    def code(self) -> str:
        """The two-character code used in JSON, such as ``HT`` or ``CJ``."""
        return self.suit.value + self.rank.value

    @property
    def dutch(self) -> str:
        """The Dutch notation, such as ``H10`` or ``KB``."""
        return self.suit.dutch_letter + self.rank.dutch_index

    def __str__(self) -> str:
        """The sign of the suit and the Dutch index, as people read it: ``♥10``."""
        return self.suit.symbol + self.rank.dutch_index


_SUIT_ORDER: Final = {suit: order for order, suit in enumerate(Suit)}
_DUTCH_SUITS: Final = {
    Suit.CLUBS: "klaveren",
    Suit.DIAMONDS: "ruiten",
    Suit.HEARTS: "harten",
    Suit.SPADES: "schoppen",
}
_SUIT_SYMBOLS: Final = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_DUTCH_SUIT_LETTERS: Final = {Suit.CLUBS: "K", Suit.DIAMONDS: "R", Suit.HEARTS: "H", Suit.SPADES: "S"}
_DUTCH_SEATS: Final = {Seat.NORTH: "Noord", Seat.EAST: "Oost", Seat.SOUTH: "Zuid", Seat.WEST: "West"}
_NATURAL_ORDER: Final = {rank: order for order, rank in enumerate(Rank)}
_DUTCH_INDICES: Final = {
    Rank.SEVEN: "7",
    Rank.EIGHT: "8",
    Rank.NINE: "9",
    Rank.TEN: "10",
    Rank.JACK: "B",
    Rank.QUEEN: "V",
    Rank.KING: "H",
    Rank.ACE: "A",
}

FULL_DECK: Final[tuple[Card, ...]] = tuple(Card(suit, rank) for suit in Suit for rank in Rank)
"""The 32 cards, suit by suit (C D H S), each from seven to ace: the order of every array over cards."""

_SUITS_BY_LETTER: Final = {suit.value: suit for suit in Suit} | {
    letter: suit for suit, letter in _DUTCH_SUIT_LETTERS.items()
}
_RANKS_BY_TEXT: Final = {rank.value: rank for rank in Rank} | {
    text: rank for rank, text in _DUTCH_INDICES.items()
}
_CARDS_BY_TEXT: Final = {
    letter + text: Card(suit, rank)
    for letter, suit in _SUITS_BY_LETTER.items()
    for text, rank in _RANKS_BY_TEXT.items()
}
_SEATS_BY_LETTER: Final = {seat.value: seat for seat in Seat} | {"O": Seat.EAST, "Z": Seat.SOUTH}


def parse_suit(text: str) -> Suit:
    """Read a suit from its English (C D H S) or Dutch (K R H S) letter.

    Raises:
        NotationError: when ``text`` is neither.
    """
    suit = _SUITS_BY_LETTER.get(text.strip().upper())
    if suit is None:
        raise NotationError(f"not a suit: {text!r}; use K, R, H or S (or C, D, H, S)")
    return suit


def is_writable(text: str) -> bool:
    """Whether a text can be written in any file: JSON can spell half of a letter outside the first plane."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def parse_card(text: str) -> Card:
    """Read a card from ``HT``, ``H10``, ``CJ`` or ``KB``: suit first, English or Dutch letters.

    Raises:
        NotationError: when ``text`` names no card of the pack.
    """
    # Capitals of some letters outside ASCII are letters of ours.
    card = _CARDS_BY_TEXT.get(text.strip().upper()) if text.isascii() else None
    if card is None:
        raise NotationError(f"not a card: {text!r}; write suit then rank, such as H10 or KB (or HT, CJ)")
    return card


def parse_seat(text: str) -> Seat:
    """Read a seat from its English (N E S W) or Dutch (N O Z W) letter.

    Raises:
        NotationError: when ``text`` is neither.
    """
    seat = _SEATS_BY_LETTER.get(text.strip().upper())
    if seat is None:
        raise NotationError(f"not a seat: {text!r}; use N, O, Z or W (or N, E, S, W)")
    return seat
