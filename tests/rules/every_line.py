"""Every line of an ending that the naive engine allows: the slow and sure answer to what best play brings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules import AMSTERDAMS_MET_PASSEN, CLOCKWISE, KLAVERJAS_DRIVE, ROTTERDAMS, Ending
from tests.rules import naive

KINDS: Final = {
    AMSTERDAMS_MET_PASSEN: "amsterdams",
    KLAVERJAS_DRIVE: "amsterdams",
    ROTTERDAMS: "rotterdams",
}


class EveryLine:
    """North and South's points less the others', over every line that the naive engine allows; no pruning."""

    def __init__(self, ending: Ending, roem_counts: bool = True) -> None:
        self._kind = KINDS[ending.reglement]
        self._trump = ending.trump.value
        self._roem_counts = roem_counts
        self._known: dict[tuple[tuple[tuple[str, ...], ...], str], int] = {}
        self.hands = {seat.value: tuple(card.code for card in ending.hands[seat]) for seat in CLOCKWISE}
        self.trick = tuple((play.seat.value, play.card.code) for play in ending.trick)
        self.leader = ending.leader.value

    def card_values(self) -> dict[str, int]:
        """For each legal card the value with best play after it."""
        seat = self._turn(self.trick, self.leader)
        legal = naive.legal(self._kind, self.hands[seat], self.trick, self._trump, seat)
        return {card: self._after(self.hands, self.trick, seat, card) for card in legal}

    @staticmethod
    def _turn(trick: naive.Trick, leader: str) -> str:
        return naive.SEATS[(naive.SEATS.index(leader) + len(trick)) % 4]

    def _after(
        self, hands: Mapping[str, tuple[str, ...]], trick: tuple[tuple[str, str], ...], seat: str, card: str
    ) -> int:
        left = {**hands, seat: tuple(held for held in hands[seat] if held != card)}
        played = (*trick, (seat, card))
        if len(played) < 4:
            return self._value(left, played, played[0][0])
        taker = naive.winner(played, self._trump)[0]
        gain = sum(naive.value(each, self._trump) for _, each in played)
        if self._roem_counts:
            gain += naive.roem([each for _, each in played], self._trump)
        if not any(left.values()):
            return (gain + 10) * (1 if taker in "NS" else -1)
        state = (tuple(left.values()), taker)
        if state not in self._known:
            self._known[state] = self._value(left, (), taker)
        return self._known[state] + gain * (1 if taker in "NS" else -1)

    def _value(
        self, hands: Mapping[str, tuple[str, ...]], trick: tuple[tuple[str, str], ...], leader: str
    ) -> int:
        seat = self._turn(trick, leader)
        legal = naive.legal(self._kind, hands[seat], trick, self._trump, seat)
        return (max if seat in "NS" else min)(self._after(hands, trick, seat, card) for card in legal)
