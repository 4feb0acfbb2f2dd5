"""Whether the trump that a table told is the one that is played.

A suit pressed wrongly makes lawful play look like verzaken, mostly several times in one deal, and under the
suit that is really played nobody verzaakte. One verzaking is far more probable than a wrong trump that nobody
at the table sees on its display; several that another trump explains are not.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rules import Deal, Suit
from rules.actions import Declaration

_VERZAKING: Final = 0.01
"""How often a deal has one; each further one as much less often again."""

_TOLD_WRONGLY: Final = 0.001
"""How often a trump is told wrongly and nobody says so. Told twice, it was wrong both times by chance."""


def told_trump_certainty(deal: Deal, times_told: int = 1) -> float:
    """How probable the told trump of ``deal`` is, given what the play proves under each suit (Bayes)."""
    told = deal.trump
    if told is None or not deal.revokes:
        return 1.0
    wrong = _TOLD_WRONGLY**times_told
    counts = _verzakingen_under(deal)
    others = sum(_VERZAKING ** counts[suit] for suit in Suit if suit is not told) * wrong / (len(Suit) - 1)
    right = _VERZAKING ** counts[told] * (1 - wrong)
    return right / (right + others)


def trump_instead(deal: Deal) -> Suit | None:
    """The suit under which nobody, or fewer, would have verzaakt; None where the told one does as well."""
    if deal.trump is None or not deal.revokes:
        return None
    counts = _verzakingen_under(deal)
    best = min(Suit, key=lambda suit: counts[suit])
    return best if counts[best] < counts[deal.trump] else None


@lru_cache(maxsize=256)
def _verzakingen_under(deal: Deal) -> dict[Suit, int]:
    """How many verzakingen the cards of ``deal`` prove with each suit as trump."""
    return {suit: len(_with_trump(deal, suit).revokes) for suit in Suit}


def _with_trump(deal: Deal, suit: Suit) -> Deal:
    actions = tuple(
        Declaration(one.seat, suit) if isinstance(one, Declaration) else one for one in deal.actions
    )
    return Deal(deal.reglement, deal.dealer, deal.number, actions)
