"""A deal on one line, and a match on a few, that a person can read and type.

    spel 1 klaverjas-drive gever Z speelt W H : W HB H7 HA H8 roem W 20 / W SA S7 S8 S9 / W KA K8

First the number, the reglement and the dealer, then what happened in order. ``speelt W H``: west made hearts
trump. A card belongs to the left-hand neighbour of who played before, or to the seat written before it; the
first card of a trick without a seat belongs to whose turn it is. ``/`` says that the trick was covered; ``:``
only pleases the eye.

    pas N
    roem W 20                   for the trick on the table; for another "slag 3" comes after it
    toont N KA                  shown outside the trick
    herstelt N K7               taken back and replaced by this card
    uitspraak verzaakt-koppel N slag 1 gevonden 2 kaart KA nummer 7 herroept 3 reden "…"

A ruling that is about nobody has ``-`` for its seat. English words and letters are read as well, and written
on request: ``deal``, ``dealer``, ``plays``, ``pass``, ``roem``, ``shows``, ``repairs``, ``ruling``,
``trick``, ``found``, ``card``, ``number``, ``undoes``, ``reason``.

A match is ``partij klaverjas-drive gever N`` (``match … dealer N``) and then one deal a line; what follows a
``#`` at the start of a line is a remark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, TypeVar

from rules.actions import (
    Action,
    Covered,
    Decision,
    Declaration,
    Exposure,
    Pass,
    Repair,
    RoemCall,
    Ruling,
)
from rules.cards import Card, Seat, Suit, parse_card, parse_seat, parse_suit
from rules.deal import Deal
from rules.errors import NotationError
from rules.match import Match
from rules.reglement import REGLEMENTEN, Reglement
from rules.trick import Play


class Language(Enum):
    """The language of words, seats and cards in a text."""

    DUTCH = "nl"
    ENGLISH = "en"


_ENGLISH_WORDS: Final = {
    "partij": "match",
    "spel": "deal",
    "gever": "dealer",
    "pas": "pass",
    "speelt": "plays",
    "roem": "roem",
    "toont": "shows",
    "herstelt": "repairs",
    "uitspraak": "ruling",
    "slag": "trick",
    "gevonden": "found",
    "kaart": "card",
    "nummer": "number",
    "herroept": "undoes",
    "reden": "reason",
}
_DUTCH_WORDS: Final = {english: dutch for dutch, english in _ENGLISH_WORDS.items()} | {
    dutch: dutch for dutch in _ENGLISH_WORDS
}
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+|"')
_DIGITS_AT_MOST: Final = 9
NOBODY: Final = "-"

_T = TypeVar("_T")


def parse_deal(text: str, reglementen: Mapping[str, Reglement] = REGLEMENTEN) -> Deal:
    """The deal that a line describes; ``reglementen`` are those it may be played under, by name.

    Raises:
        NotationError: for a word, card or number that cannot be read; the message holds it.
    """
    tokens = _Tokens(text)
    tokens.word("spel")
    number = tokens.number()
    reglement = _reglement(tokens, reglementen)
    tokens.word("gever")
    return _DealReader(tokens, Deal(reglement, tokens.seat(), number)).read()


def format_deal(deal: Deal, language: Language = Language.DUTCH) -> str:
    """The deal on one line, which :func:`parse_deal` reads back to an equal deal."""
    return _Writer(language).deal(deal)


def parse_match(text: str, reglementen: Mapping[str, Reglement] = REGLEMENTEN) -> Match:
    """The match that a text describes: a line for the match, then one for each deal.

    Raises:
        NotationError: as :func:`parse_deal`, or when there is no line for the match.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise NotationError(
            f"no match in {text!r}; it begins with a line such as 'partij rotterdams gever N'"
        )
    tokens = _Tokens(lines[0])
    tokens.word("partij")
    reglement = _reglement(tokens, reglementen)
    tokens.word("gever")
    first_dealer = tokens.seat()
    tokens.end()
    return Match(reglement, first_dealer, tuple(parse_deal(line, reglementen) for line in lines[1:]))


def format_match(match: Match, language: Language = Language.DUTCH) -> str:
    """The match as lines, which :func:`parse_match` reads back to an equal match."""
    writer = _Writer(language)
    dealer = f"{writer.word('gever')} {writer.seat(match.first_dealer)}"
    head = f"{writer.word('partij')} {match.reglement.name} {dealer}"
    return "".join(f"{line}\n" for line in (head, *map(writer.deal, match.deals)))


class _Tokens:
    """The words of a line, taken from the left."""

    def __init__(self, text: str) -> None:
        self._tokens = [token for token in _TOKEN.findall(text) if token != ":"]
        self._place = 0

    @property
    def next(self) -> str | None:
        """The word that comes, None at the end."""
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def take(self, wanted: str) -> str:
        token = self.next
        if token is None:
            raise NotationError(f"the text ends where {wanted} should follow")
        self._place += 1
        return token

    def word(self, dutch: str) -> None:
        token = self.take(f"{dutch!r}")
        if _DUTCH_WORDS.get(token.lower()) != dutch:
            raise NotationError(f"{token!r} stands where {dutch!r} (or {_ENGLISH_WORDS[dutch]!r}) should be")

    def number(self) -> int:
        token = self.take("a number")
        digits = token.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_AT_MOST):
            raise NotationError(f"{token!r} stands where a number should be")
        return int(token)

    def seat(self) -> Seat:
        return parse_seat(self.take("a seat"))

    def suit(self) -> Suit:
        return parse_suit(self.take("a suit"))

    def card(self) -> Card:
        return parse_card(self.take("a card"))

    def next_is_seat(self) -> bool:
        return self.next is not None and len(self.next) == 1 and self.next.upper() in "NESWOZ"

    def end(self) -> None:
        if self.next is not None:
            raise NotationError(f"{self.next!r} stands where the line should end")


def _reglement(tokens: _Tokens, reglementen: Mapping[str, Reglement]) -> Reglement:
    name = tokens.take("the name of a reglement")
    reglement = reglementen.get(name)
    if reglement is None:
        raise NotationError(f"unknown reglement {name!r}; known are {', '.join(reglementen)}")
    return reglement


class _DealReader:
    """Reads what happened in a deal, word by word."""

    def __init__(self, tokens: _Tokens, deal: Deal) -> None:
        self._tokens = tokens
        self._empty = deal
        self._actions: list[Action] = []
        self._last_seat: Seat | None = None
        self._readers: Mapping[str, Callable[[], Action]] = {
            "pas": lambda: Pass(tokens.seat()),
            "speelt": lambda: Declaration(tokens.seat(), tokens.suit()),
            "toont": lambda: Exposure(tokens.seat(), tokens.card()),
            "herstelt": lambda: Repair(tokens.seat(), tokens.card()),
            "roem": self._roem,
            "uitspraak": self._ruling,
        }

    def read(self) -> Deal:
        while (token := self._tokens.next) is not None:
            self._actions.append(self._action(token))
        return self._so_far

    @property
    def _so_far(self) -> Deal:
        return self._empty.after(*self._actions)

    def _action(self, token: str) -> Action:
        if token == "/":
            self._tokens.take("/")
            self._last_seat = None
            return Covered()
        read = self._readers.get(_DUTCH_WORDS.get(token.lower(), ""))
        if read is None:
            return self._play()
        self._tokens.take("a word")
        return read()

    def _play(self) -> Play:
        seat = self._tokens.seat() if self._tokens.next_is_seat() else self._next_seat()
        card = self._tokens.card()
        if seat is None:
            raise NotationError(f"nothing tells who played {card.code!r}; write the seat before it")
        self._last_seat = seat
        return Play(seat, card)

    def _next_seat(self) -> Seat | None:
        return self._last_seat.left if self._last_seat else self._so_far.turn

    def _roem(self) -> RoemCall:
        seat, points = self._tokens.seat(), self._tokens.number()
        if self._next_word() == "slag":
            self._tokens.word("slag")
            return RoemCall(seat, self._tokens.number(), points)
        return RoemCall(seat, max(len(self._so_far.tricks), 1), points)

    def _next_word(self) -> str | None:
        token = self._tokens.next
        return _DUTCH_WORDS.get(token.lower()) if token else None

    def _ruling(self) -> Ruling:
        decision = self._decision()
        return Ruling(
            decision=decision,
            seat=self._ruled_seat(),
            trick=self._optional("slag", self._tokens.number),
            found_after_trick=self._optional("gevonden", self._tokens.number),
            card=self._optional("kaart", self._tokens.card),
            number=self._optional("nummer", self._tokens.number),
            undoes=self._optional("herroept", self._tokens.number),
            reason=self._optional("reden", self._quoted) or "",
        )

    def _ruled_seat(self) -> Seat | None:
        if self._tokens.next == NOBODY:
            self._tokens.take(NOBODY)
            return None
        return self._tokens.seat() if self._tokens.next_is_seat() else None

    def _optional(self, dutch: str, read: Callable[[], _T]) -> _T | None:
        if self._next_word() != dutch:
            return None
        self._tokens.word(dutch)
        return read()

    def _decision(self) -> Decision:
        token = self._tokens.take("a decision")
        for decision in Decision:
            if decision.value == token.lower():
                return decision
        raise NotationError(
            f"unknown decision {token!r}; known are {', '.join(one.value for one in Decision)}"
        )

    def _quoted(self) -> str:
        token = self._tokens.take("a text between quotes")
        try:
            text = json.loads(token)
        except json.JSONDecodeError as error:
            raise NotationError(f"{token!r} is not a text between quotes") from error
        if not isinstance(text, str):
            raise NotationError(f"{token!r} is not a text between quotes")
        return text


class _Writer:
    """Writes deals in one language."""

    def __init__(self, language: Language) -> None:
        self._dutch = language is Language.DUTCH

    def word(self, dutch: str) -> str:
        return dutch if self._dutch else _ENGLISH_WORDS[dutch]

    def seat(self, seat: Seat) -> str:
        return seat.dutch[0] if self._dutch else seat.value

    def card(self, card: Card) -> str:
        return card.dutch if self._dutch else card.code

    def suit(self, suit: Suit) -> str:
        return suit.dutch_letter if self._dutch else suit.value

    def deal(self, deal: Deal) -> str:
        words = [
            self.word("spel"),
            str(deal.number),
            deal.reglement.name,
            self.word("gever"),
            self.seat(deal.dealer),
        ]
        last_seat: Seat | None = None
        for index, action in enumerate(deal.actions):
            words.append(self._action(deal, index, action, last_seat))
            if isinstance(action, Play):
                last_seat = action.seat
            elif isinstance(action, Covered):
                last_seat = None
        return " ".join(words)

    def _action(self, deal: Deal, index: int, action: Action, last_seat: Seat | None) -> str:
        if isinstance(action, Play):
            card = self.card(action.card)
            # Where a trick begins the seat is written, so that the line can be read without knowing the game.
            return card if last_seat and action.seat is last_seat.left else f"{self.seat(action.seat)} {card}"
        if isinstance(action, Covered):
            return "/"
        if isinstance(action, RoemCall):
            return self._roem(deal, index, action)
        if isinstance(action, Ruling):
            return self._ruling(action)
        if isinstance(action, Pass):
            return f"{self.word('pas')} {self.seat(action.seat)}"
        if isinstance(action, Declaration):
            return f"{self.word('speelt')} {self.seat(action.seat)} {self.suit(action.suit)} :"
        verb = "toont" if isinstance(action, Exposure) else "herstelt"
        return f"{self.word(verb)} {self.seat(action.seat)} {self.card(action.card)}"

    def _roem(self, deal: Deal, index: int, call: RoemCall) -> str:
        written = f"{self.word('roem')} {self.seat(call.seat)} {call.points}"
        before = Deal(deal.reglement, deal.dealer, deal.number, deal.actions[:index])
        is_on_table = call.trick == max(len(before.tricks), 1)
        return written if is_on_table else f"{written} {self.word('slag')} {call.trick}"

    def _ruling(self, ruling: Ruling) -> str:
        words = [self.word("uitspraak"), ruling.decision.value]
        # Without the mark, the seat of a card after it would be taken for the one who is ruled about.
        words.append(self.seat(ruling.seat) if ruling.seat else NOBODY)
        for dutch, number in (("slag", ruling.trick), ("gevonden", ruling.found_after_trick)):
            words += [self.word(dutch), str(number)] if number is not None else []
        if ruling.card is not None:
            words += [self.word("kaart"), self.card(ruling.card)]
        for dutch, number in (("nummer", ruling.number), ("herroept", ruling.undoes)):
            words += [self.word(dutch), str(number)] if number is not None else []
        if ruling.reason:
            words += [self.word("reden"), json.dumps(ruling.reason)]
        return " ".join(words)
