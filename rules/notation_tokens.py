"""The words of the notation, in Dutch and English, and taking them from a line one by one."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from rules.cards import Card, Seat, Suit, parse_card, parse_seat, parse_suit
from rules.errors import NotationError


class Language(Enum):
    """The language of words, seats and cards in a text."""

    DUTCH = "nl"
    ENGLISH = "en"


ENGLISH_WORDS: Final = {
    "partij": "match",
    "spel": "deal",
    "gever": "dealer",
    "pas": "pass",
    "speelt": "plays",
    "roem": "roem",
    "toont": "shows",
    "herstelt": "repairs",
    "straf": "penalty",
    "uitspraak": "ruling",
    "slag": "trick",
    "gevonden": "found",
    "kaart": "card",
    "nummer": "number",
    "herroept": "undoes",
    "reden": "reason",
}
_DUTCH_WORDS: Final = {english: dutch for dutch, english in ENGLISH_WORDS.items()} | {
    dutch: dutch for dutch in ENGLISH_WORDS
}
# A text between quotes that nobody closed goes on to the end; looking for its end again would take for ever.
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[^\s"]+', re.DOTALL)
_DIGITS_AT_MOST: Final = 9
LARGEST_NUMBER: Final = 10**_DIGITS_AT_MOST - 1


class Tokens:
    """The words of a line, taken from the left."""

    def __init__(self, text: str) -> None:
        self._tokens = [token for token in _TOKEN.findall(text) if token != ":"]
        self._place = 0

    @property
    def next(self) -> str | None:
        """The word that comes, None at the end."""
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    @property
    def next_word(self) -> str | None:
        """The Dutch for the word that comes, None where it is none that the notation knows."""
        return _DUTCH_WORDS.get(self.next.lower()) if self.next else None

    def take(self, wanted: str) -> str:
        """The word that comes, whatever it is; the error says what was ``wanted``."""
        token = self.next
        if token is None:
            raise NotationError(f"the text ends where {wanted} should follow")
        self._place += 1
        return token

    def word(self, dutch: str) -> None:
        """Take a word that must be this one, in Dutch or English."""
        token = self.take(f"{dutch!r}")
        if _DUTCH_WORDS.get(token.lower()) != dutch:
            raise NotationError(f"{token!r} stands where {dutch!r} (or {ENGLISH_WORDS[dutch]!r}) should be")

    def number(self, least: int, most: int = LARGEST_NUMBER) -> int:
        """Take a whole number from ``least`` to ``most``."""
        token = self.take("a number")
        digits = token.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_AT_MOST):
            raise NotationError(f"{token!r} stands where a number should be")
        if not least <= int(token) <= most:
            bounds = f"from {least} to {most}" if most < LARGEST_NUMBER else f"of {least} or more"
            raise NotationError(f"{token!r} stands where a number {bounds} should be")
        return int(token)

    def seat(self) -> Seat:
        """Take a seat."""
        return parse_seat(self.take("a seat"))

    def suit(self) -> Suit:
        """Take a suit."""
        return parse_suit(self.take("a suit"))

    def card(self) -> Card:
        """Take a card."""
        return parse_card(self.take("a card"))

    def next_is_seat(self) -> bool:
        """Whether a seat comes."""
        return self.next is not None and len(self.next) == 1 and self.next.upper() in "NESWOZ"

    def end(self) -> None:
        """Nothing may come any more."""
        if self.next is not None:
            raise NotationError(f"{self.next!r} stands where the line should end")
