"""A second rules engine, slow and plain, written from the three texts alone to compare the first with.

It shares nothing with ``rules``: cards are two letters, hands are lists, teams are ``NS`` and ``EW``.
Articles are of "Amsterdams met passen"; "Drive" is the text of the Klaverjas Drive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

SEATS = "NESW"
TRUMP_VALUES = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_VALUES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
NATURAL = "789TJQKA"

Trick = Sequence[tuple[str, str]]
"""(seat, card) in order of play."""


def team(seat: str) -> str:
    return "NS" if seat in "NS" else "EW"


def value(card: str, trump: str) -> int:
    return TRUMP_VALUES[card[1]] if card[0] == trump else PLAIN_VALUES[card[1]]


def beats(card: str, other: str, trump: str) -> bool:
    """Whether ``card``, played later, takes a trick that ``other`` was winning."""
    if card[0] != other[0]:
        return card[0] == trump
    order = list(TRUMP_VALUES) if card[0] == trump else list(PLAIN_VALUES)
    return order.index(card[1]) < order.index(other[1])


def winner(trick: Trick, trump: str) -> tuple[str, str]:
    best = trick[0]
    for play in trick[1:]:
        if beats(play[1], best[1], trump):
            best = play
    return best


def may_play(kind: str, hand: Sequence[str], trick: Trick, trump: str, seat: str, card: str) -> bool:
    """Whether ``seat`` may play ``card`` from ``hand`` under "amsterdams" or "rotterdams"."""
    if not trick:
        return True
    led = trick[0][1][0]
    winning_seat, winning = winner(trick, trump)
    can_follow = any(held[0] == led for held in hand)
    # "… moet, indien aanwezig een kaart van dezelfde kleur bijgespeeld worden." (12)
    if can_follow and card[0] != led:
        return False
    trumps = [held for held in hand if held[0] == trump]
    higher = [held for held in trumps if beats(held, winning, trump)]
    if led == trump:
        # "Is de voorgespeelde kleur de troefkleur, dan moet men altijd overtroeven, kan dat niet dan pas
        # ondertroeven." (12)
        return not (can_follow and higher) or card in higher
    if can_follow:
        return True
    partner_wins = winning_seat != seat and team(winning_seat) == team(seat)
    if kind == "rotterdams":
        # Always in, always over, else under; partner or not.
        if higher:
            return card in higher
        return card in trumps if trumps else True
    if card[0] != trump:
        if not trumps or partner_wins:
            # "Is de slag van de partner dan hoeft men niet in- of over te troeven." (12)
            return True
        # "Heeft de tegenpartij deze kleur niet, dan moet er indien mogelijk ingetroefd worden." (12) and
        # "dan moet men indien mogelijk overtroeven"; where that cannot be done a plain card is right.
        return winning[0] == trump and not higher
    if card in higher:
        return True
    # A lower trump. "Je mag niet ondertroeven, tenzij je kleur moet bekennen, of niets anders hebt dan
    # troefkaarten" (Drive); with a higher trump and an opponent winning, that one must be played.
    only_trumps = len(trumps) == len(hand)
    return only_trumps and (partner_wins or not higher)


def legal(kind: str, hand: Sequence[str], trick: Trick, trump: str, seat: str) -> list[str]:
    return [card for card in hand if may_play(kind, hand, trick, trump, seat, card)]


def roem(cards: Sequence[str], trump: str) -> int:
    """Drive: "3 opvolgende kaarten: 20", "4 opvolgende: 50", "4 gelijke: 100", "Stuk van troef: 20"."""
    total = 0
    for suit in "CDHS":
        present = [rank for rank in NATURAL if suit + rank in cards]
        row = "".join(present)
        if len(row) == 4 and row in NATURAL:
            total += 50
        elif any(row[start : start + 3] in NATURAL and len(row[start:]) >= 3 for start in range(2)):
            total += 20
    if trump + "K" in cards and trump + "Q" in cards:
        total += 20
    if len(cards) == 4 and len({card[1] for card in cards}) == 1:
        total += 100
    return total


@dataclass
class Score:
    """What a whole deal brings."""

    points: dict[str, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})
    roem: dict[str, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})
    written: dict[str, int] = field(default_factory=dict)
    kruizen: dict[str, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})
    nat: bool = False
    pit: bool = False
    winners: list[str] = field(default_factory=list)


def score(tricks: Sequence[Trick], trump: str, declarer: str) -> Score:
    """Score eight full tricks in which all roem counts."""
    found = Score()
    for trick in tricks:
        taker = winner(trick, trump)[0]
        found.winners.append(taker)
        found.points[team(taker)] += sum(value(card, trump) for _, card in trick)
        found.roem[team(taker)] += roem([card for _, card in trick], trump)
    found.points[team(found.winners[-1])] += 10
    playing = team(declarer)
    others = "EW" if playing == "NS" else "NS"
    all_roem = found.roem["NS"] + found.roem["EW"]
    mine = found.points[playing] + found.roem[playing]
    # "minimaal de helft + 1 punten van het aantal punten van de spelronde hebben (162 plus roem)" (Drive)
    if mine < (162 + all_roem) // 2 + 1:
        found.nat = True
        found.written = {playing: 0, others: 162 + all_roem}
        found.kruizen[playing] = 1
        return found
    found.written = {side: found.points[side] + found.roem[side] for side in ("NS", "EW")}
    if all(team(taker) == playing for taker in found.winners):
        found.pit = True
        found.written[playing] += 100
        found.kruizen[others] = 2
    return found


def verzaakt(
    kind: str, hands: dict[str, list[str]], tricks: Sequence[Trick], trump: str
) -> list[tuple[int, str, str]]:
    """(trick number, seat, card) of every illegal play, with all hands known."""
    held = {seat: list(hand) for seat, hand in hands.items()}
    found = []
    for number, trick in enumerate(tricks, 1):
        for place, (seat, card) in enumerate(trick):
            if not may_play(kind, held[seat], trick[:place], trump, seat, card):
                found.append((number, seat, card))
            held[seat].remove(card)
    return found
