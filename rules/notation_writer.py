"""Writes deals and matches in the notation; ``notation`` says what it looks like."""

from __future__ import annotations

import json
from typing import Final

from rules.actions import Action, Covered, Declaration, Exposure, Pass, PenaltyCalled, RoemCall, Ruling
from rules.cards import Card, Seat, Suit
from rules.deal import Deal
from rules.match import Match
from rules.notation_progress import Progress
from rules.notation_tokens import ENGLISH_WORDS, Language
from rules.trick import Play

NOBODY: Final = "-"


def format_deal(deal: Deal, language: Language = Language.DUTCH) -> str:
    """The deal on one line, which :func:`rules.parse_deal` reads back to an equal deal.

    A deal in which something impossible happened is read back only ``as_it_happened``.
    """
    return _Writer(language).deal(deal)


def format_match(match: Match, language: Language = Language.DUTCH) -> str:
    """The match as lines, which :func:`rules.parse_match` reads back to an equal match."""
    writer = _Writer(language)
    dealer = f"{writer.word('gever')} {writer.seat(match.first_dealer)}"
    head = f"{writer.word('partij')} {match.reglement.name} {dealer}"
    return "".join(f"{line}\n" for line in (head, *map(writer.deal, match.deals)))


class _Writer:
    """Writes deals in one language."""

    def __init__(self, language: Language) -> None:
        self._dutch = language is Language.DUTCH

    def word(self, dutch: str) -> str:
        return dutch if self._dutch else ENGLISH_WORDS[dutch]

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
        progress = Progress(deal)
        for action in deal.actions:
            words.append(self._action(progress, action, last_seat))
            progress.take(action)
            if isinstance(action, Play):
                last_seat = action.seat
            elif isinstance(action, Covered):
                last_seat = None
        return " ".join(words)

    def _action(self, progress: Progress, action: Action, last_seat: Seat | None) -> str:
        if isinstance(action, Play):
            card = self.card(action.card)
            # Where a trick begins the seat is written, so that the line can be read without knowing the game.
            follows = progress.trick_is_open and last_seat is not None and action.seat is last_seat.left
            return card if follows else f"{self.seat(action.seat)} {card}"
        if isinstance(action, Covered):
            return "/"
        if isinstance(action, RoemCall):
            return self._roem(progress, action)
        if isinstance(action, Ruling):
            return self._ruling(action)
        if isinstance(action, Pass):
            return f"{self.word('pas')} {self.seat(action.seat)}"
        if isinstance(action, Declaration):
            return f"{self.word('speelt')} {self.seat(action.seat)} {self.suit(action.suit)} :"
        if isinstance(action, PenaltyCalled):
            said = f"{self.seat(action.seat)} {self.card(action.card)} {action.call.value}"
            return f"{self.word('straf')} {said}"
        verb = "toont" if isinstance(action, Exposure) else "herstelt"
        return f"{self.word(verb)} {self.seat(action.seat)} {self.card(action.card)}"

    def _roem(self, progress: Progress, call: RoemCall) -> str:
        written = f"{self.word('roem')} {self.seat(call.seat)} {call.points}"
        is_on_table = call.trick == progress.trick_on_table
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
