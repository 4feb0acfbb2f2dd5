"""What can happen in a deal, one small frozen value each, in the order in which it happened."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rules.cards import Card, Seat, Suit
from rules.penalty_cards import PenaltyCall
from rules.trick import Play


@dataclass(frozen=True, slots=True)
class Pass:
    """ "Ik pas" (article 6)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Declaration:
    """ "Ik speel", with the trump suit (article 6)."""

    seat: Seat
    suit: Suit


@dataclass(frozen=True, slots=True)
class RoemCall:
    """Roem called for a trick, in points (article 4: by either side, before the trick is covered)."""

    seat: Seat
    trick: int
    points: int


@dataclass(frozen=True, slots=True)
class Covered:
    """The trick on the table was gathered and turned: gedekt."""


@dataclass(frozen=True, slots=True)
class Repair:
    """Before the trick was covered a card was taken back and ``card`` played instead (article 13)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Exposure:
    """A card was shown outside the trick (article 11); it stays open on the table until it is played."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class PenaltyCalled:
    """``seat``, left of the punished player, said what happens to the strafkaart ``card`` (article 11)."""

    seat: Seat
    card: Card
    call: PenaltyCall


class Decision(Enum):
    """What the wedstrijdleider can decide; the values are the words used in events and documents."""

    REVOKE_PAIRS = "verzaakt-koppel"
    REVOKE_INDIVIDUAL = "verzaakt-individueel"
    WRONG_ACCUSATION = "onjuiste-beschuldiging"
    PENALTY_CARD = "strafkaart"
    REDEAL = "opnieuw-delen"
    NEW_PACK = "nieuw-spel-kaarten"
    NO_ACTION = "geen-actie"
    UNDO = "ongedaan"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of the wedstrijdleider, the only thing that turns a verzaking into points.

    seat: who verzaakte, or who accused wrongly. trick: which trick it is about.
    found_after_trick: the last trick that was covered before it was found, when that is not simply the last
        trick covered before the ruling. card: the strafkaart. number: how an ``UNDO`` refers to this ruling;
        None gives it its place among the deal's rulings, 1 for the first. undoes: the number that an ``UNDO``
        undoes.
    """

    decision: Decision
    seat: Seat | None = None
    trick: int | None = None
    found_after_trick: int | None = None
    card: Card | None = None
    reason: str = ""
    number: int | None = None
    undoes: int | None = None


Action = Pass | Declaration | Play | RoemCall | Covered | Repair | Exposure | PenaltyCalled | Ruling
"""Everything that can happen in a deal."""
