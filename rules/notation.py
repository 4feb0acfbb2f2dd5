"""A deal on one line, and a match on a few, that a person can read and type.

    spel 1 klaverjas-drive gever Z speelt W H : W HB HV H10 H8 roem W 20 / W SA S7 S8 S9 / W KA K8

First the number, the reglement and the dealer, then what happened in order. ``speelt W H``: west made hearts
trump. A card belongs to the left-hand neighbour of who played before in the trick, or to the seat written
before it; the first card of a trick without a seat belongs to whose turn it is. ``/`` says that the trick was
covered; ``:`` only pleases the eye.

    pas N
    roem W 20                   for the trick on the table; for another "slag 3" comes after it
    toont N KA                  shown outside the trick
    herstelt N K7               taken back and replaced by this card
    straf O KA bijspelen        said by the left-hand neighbour of whose strafkaart it is; or "voorspelen"
    uitspraak verzaakt-koppel N slag 1 gevonden 2 kaart KA nummer 7 herroept 3 reden "…"

A ruling that is about nobody has ``-`` for its seat. English words and letters are read as well, and written
on request: ``deal``, ``dealer``, ``plays``, ``pass``, ``roem``, ``shows``, ``repairs``, ``penalty``,
``ruling``, ``trick``, ``found``, ``card``, ``number``, ``undoes``, ``reason``.

A match is ``partij klaverjas-drive gever N`` (``match … dealer N``) and then one deal a line; what follows a
``#`` at the start of a line is a remark.

What cannot be a deal is refused: a seventeenth deal, a card twice, a ninth card of one player, five cards in
a trick. A table can report such things all the same, and ``as_it_happened`` reads them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from rules.actions import (
    Action,
    Covered,
    Decision,
    Declaration,
    Exposure,
    Pass,
    PenaltyCalled,
    Repair,
    RoemCall,
    Ruling,
)
from rules.cards import Seat, is_writable
from rules.deal import Deal
from rules.errors import NotationError
from rules.faults import IMPOSSIBLE
from rules.match import Match
from rules.notation_progress import Progress
from rules.notation_tokens import Tokens
from rules.notation_writer import NOBODY
from rules.penalty_cards import PenaltyCall
from rules.reglement import REGLEMENTEN, Reglement
from rules.table import TRICKS_IN_DEAL
from rules.trick import Play

_CARDS_IN_TRICK: Final = 4

_T = TypeVar("_T")


def parse_deal(
    text: str, reglementen: Mapping[str, Reglement] = REGLEMENTEN, *, as_it_happened: bool = False
) -> Deal:
    """The deal that a line describes; ``reglementen`` are those it may be played under, by name.

    as_it_happened: read also what cannot be but was reported: a card twice, a ninth card, five in a trick.

    Raises:
        NotationError: for a word, card or number that cannot be read or cannot be; the message holds it.
    """
    tokens = Tokens(text)
    tokens.word("spel")
    number = tokens.number(1)
    reglement = _reglement(tokens, reglementen)
    if number > reglement.deals_per_match:
        raise NotationError(f"there is no deal {number}; a match has {reglement.deals_per_match} deals")
    tokens.word("gever")
    deal = _DealReader(tokens, Deal(reglement, tokens.seat(), number), as_it_happened).read()
    if not as_it_happened:
        _refuse_impossible(deal)
    return deal


def _refuse_impossible(deal: Deal) -> None:
    for fault in deal.faults:
        if fault.kind in IMPOSSIBLE and fault.card is not None:
            raise NotationError(f"trick {fault.trick}: {fault.card.dutch!r}: {fault.reason.english}")


def parse_match(
    text: str, reglementen: Mapping[str, Reglement] = REGLEMENTEN, *, as_it_happened: bool = False
) -> Match:
    """The match that a text describes: a line for the match, then one for each deal.

    Raises:
        NotationError: as :func:`parse_deal`, with the number of the line; or when there is no line for the
            match.
    """
    lines = [
        (number, line)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise NotationError(
            f"no match in {text!r}; it begins with a line such as 'partij rotterdams gever N'"
        )
    match = _at_line(lines[0], lambda line: _empty_match(line, reglementen))
    for numbered in lines[1:]:
        match = match.with_deal(
            _at_line(numbered, lambda line: parse_deal(line, reglementen, as_it_happened=as_it_happened))
        )
    return match


def _at_line(numbered: tuple[int, str], read: Callable[[str], _T]) -> _T:
    number, line = numbered
    try:
        return read(line)
    except NotationError as error:
        raise NotationError(f"line {number}: {error}") from error


def _empty_match(line: str, reglementen: Mapping[str, Reglement]) -> Match:
    tokens = Tokens(line)
    tokens.word("partij")
    reglement = _reglement(tokens, reglementen)
    tokens.word("gever")
    first_dealer = tokens.seat()
    tokens.end()
    return Match(reglement, first_dealer)


def _reglement(tokens: Tokens, reglementen: Mapping[str, Reglement]) -> Reglement:
    name = tokens.take("the name of a reglement")
    reglement = reglementen.get(name)
    if reglement is None:
        raise NotationError(f"unknown reglement {name!r}; known are {', '.join(reglementen)}")
    return reglement


class _DealReader:
    """Reads what happened in a deal, word by word."""

    def __init__(self, tokens: Tokens, deal: Deal, as_it_happened: bool) -> None:
        self._tokens = tokens
        self._empty = deal
        self._covers_split_tricks = not as_it_happened
        self._progress = Progress(deal)
        self._last_seat: Seat | None = None
        self._since_cover: list[str] = []
        self._covers = 0
        self._readers: Mapping[str | None, Callable[[], Action]] = {
            "pas": lambda: Pass(tokens.seat()),
            "speelt": lambda: Declaration(tokens.seat(), tokens.suit()),
            "toont": lambda: Exposure(tokens.seat(), tokens.card()),
            "herstelt": lambda: Repair(tokens.seat(), tokens.card()),
            "straf": lambda: PenaltyCalled(tokens.seat(), tokens.card(), self._penalty_call()),
            "roem": self._roem,
            "uitspraak": self._ruling,
        }

    def read(self) -> Deal:
        while self._tokens.next is not None:
            self._progress.take(self._action())
        if self._covers:
            self._refuse_long_trick()
        return self._empty.after(*self._progress.actions)

    def _action(self) -> Action:
        if self._tokens.next == "/":
            return self._cover()
        read = self._readers.get(self._tokens.next_word)
        if read is None:
            return self._play()
        self._tokens.take("a word")
        return read()

    def _cover(self) -> Covered:
        self._tokens.take("/")
        self._refuse_long_trick()
        self._since_cover.clear()
        self._covers += 1
        self._last_seat = None
        return Covered()

    def _refuse_long_trick(self) -> None:
        """Who writes where tricks were covered wrote five cards by mistake."""
        cards = self._since_cover
        if self._covers_split_tricks and len(cards) > _CARDS_IN_TRICK:
            raise NotationError(
                f"trick {self._covers + 1}: {cards[_CARDS_IN_TRICK]!r} is the fifth card; a trick has four"
            )

    def _play(self) -> Play:
        seat = self._tokens.seat() if self._tokens.next_is_seat() else self._next_seat()
        card = self._tokens.card()
        if seat is None:
            raise NotationError(f"nothing tells who played {card.code!r}; write the seat before it")
        self._last_seat = seat
        self._since_cover.append(card.dutch)
        return Play(seat, card)

    def _next_seat(self) -> Seat | None:
        # After four cards the winner leads, also where nobody wrote that the trick was covered.
        if self._last_seat is None or not self._progress.trick_is_open:
            return self._progress.turn
        return self._last_seat.left

    def _roem(self) -> RoemCall:
        seat, points = self._tokens.seat(), self._tokens.number(0)
        trick = self._optional_number("slag", 0)
        return RoemCall(seat, self._progress.trick_on_table if trick is None else trick, points)

    def _ruling(self) -> Ruling:
        decision = self._decision()
        return Ruling(
            decision=decision,
            seat=self._ruled_seat(),
            trick=self._optional_number("slag", 1, TRICKS_IN_DEAL),
            found_after_trick=self._optional_number("gevonden", 0, TRICKS_IN_DEAL),
            card=self._optional("kaart", self._tokens.card),
            number=self._optional_number("nummer", 1),
            undoes=self._optional_number("herroept", 1),
            reason=self._optional("reden", self._quoted) or "",
        )

    def _penalty_call(self) -> PenaltyCall:
        token = self._tokens.take("bijspelen or voorspelen")
        for call in PenaltyCall:
            if call.value == token.lower():
                return call
        raise NotationError(f"{token!r} stands where 'bijspelen' or 'voorspelen' should be")

    def _ruled_seat(self) -> Seat | None:
        if self._tokens.next == NOBODY:
            self._tokens.take(NOBODY)
            return None
        return self._tokens.seat() if self._tokens.next_is_seat() else None

    def _optional_number(self, dutch: str, *bounds: int) -> int | None:
        return self._optional(dutch, lambda: self._tokens.number(*bounds))

    def _optional(self, dutch: str, read: Callable[[], _T]) -> _T | None:
        if self._tokens.next_word != dutch:
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
        if not is_writable(text):
            raise NotationError(f"{token!r} has half a letter in it, which nothing can write")
        return text
