"""Strafkaarten: cards shown at the wrong moment, which stay open on the table (article 11).

When the punished player's turn comes, the left-hand neighbour says "bijspelen" (play it on this trick) or
"voorspelen" (lead it when you lead). Bijspelen may not be asked where it would be a verzaking.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from rules.cards import Card, Seat, Suit
from rules.reglement import Reglement
from rules.trick import Play, legal_cards


class PenaltyCall(Enum):
    """What the left-hand neighbour of the punished player may say."""

    FOLLOW = "bijspelen"
    LEAD = "voorspelen"


@dataclass(frozen=True, slots=True)
class PenaltyCard:
    """A strafkaart: whose it is, which card, and the trick during which it was shown (0 before the first)."""

    seat: Seat
    card: Card
    trick: int


def penalty_calls(
    reglement: Reglement,
    hand: Collection[Card],
    trick: Sequence[Play],
    trump: Suit | None,
    penalty: PenaltyCard,
) -> tuple[PenaltyCall, ...]:
    """What may be said when the turn of the punished player comes.

    ``hand`` is that player's whole hand with the strafkaart in it. On lead only "voorspelen" makes sense. In
    a trick begun by somebody else "bijspelen" is left out where playing the card would be a verzaking.
    """
    if not trick:
        return (PenaltyCall.LEAD,)
    if penalty.card in legal_cards(reglement, hand, trick, trump, penalty.seat):
        return (PenaltyCall.FOLLOW, PenaltyCall.LEAD)
    return (PenaltyCall.LEAD,)
