"""Reglementen: every rule that clubs differ on, as a named and frozen set of settings.

The three built-in ones follow the texts "Spelregels: Amsterdams met passen" (23 articles), "Reglement
Klaverjas Drive" and the Rotterdams system. ``reglement_text`` reads a club's own, ``reglement_words`` puts
any into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import Final

from rules.cards import Seat
from rules.errors import ReglementError


class Source(Enum):
    """The text that a reglement rests on, and whose articles its reasons cite."""

    AMSTERDAMS = "amsterdams-met-passen"
    DRIVE = "klaverjas-drive"
    ROTTERDAMS = "rotterdams"


class Bidding(Enum):
    """How trump is made."""

    PASSING = "passing"
    OBLIGED = "obliged"


class FirstSpeaker(Enum):
    """Who speaks first, and is obliged when all pass. Who leads does not depend on it."""

    LEFT_OF_DEALER = "left-of-dealer"
    DEALER = "dealer"


class UnderOpponent(Enum):
    """A void player, a trump of the opponents that he cannot beat, lower trumps and other cards in hand."""

    FORBIDDEN = "forbidden"
    OBLIGED = "obliged"
    FREE = "free"


class OverPartner(Enum):
    """A void player whose partner is winning with a trump."""

    FREE = "free"
    NO_LOWER = "no-lower"
    NO_LOWER_AND_BEAT_WITH_ONLY_TRUMPS = "no-lower-and-beat-with-only-trumps"
    MUST_BEAT = "must-beat"


class RoemCounts(Enum):
    """Which roem is written down."""

    CALLED = "called"
    SEEN = "seen"


class RevokeBonus(Enum):
    """To whom the 100 extra points of verzaken go."""

    OPPONENTS = "opponents"
    AGAINST_OFFENDERS = "against-offenders"


class Drive(Enum):
    """Koppelkaarten or individueel kaarten (article 13)."""

    PAIRS = "pairs"
    INDIVIDUAL = "individual"


class SeasonCounts(Enum):
    """Which evenings count for a team that attended more than the season asks."""

    BEST = "best"
    FIRST = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reglement:
    """Every setting of a reglement; the words of each are in :func:`reglement_in_words`.

    Points are points of the deal, evening points those of the evening's ranking.
    """

    name: str
    title: str
    basis: Source

    bidding: Bidding = Bidding.PASSING
    first_speaker: FirstSpeaker = FirstSpeaker.LEFT_OF_DEALER

    must_beat_trump_lead: bool = True
    must_trump_for_partner: bool = False
    under_opponent: UnderOpponent = UnderOpponent.FORBIDDEN
    over_partner: OverPartner = OverPartner.NO_LOWER

    roem_counts: RoemCounts = RoemCounts.CALLED
    four_equal_points: int = 100
    four_jacks_points: int = 100
    four_low_points: int = 100

    pit_points: int = 100
    pit_points_are_roem: bool = True
    pit_for_defenders: bool = False
    nat_kruizen: int = 1
    pit_kruizen: int = 2

    drive: Drive = Drive.PAIRS
    revoke_points: int = 100
    revoke_points_to: RevokeBonus = RevokeBonus.OPPONENTS
    revoke_kruizen: int = 3
    individual_revoke_points: int = 162
    claims_allowed: bool = False
    thinking_seconds: int = 30

    deals_per_match: int = 16
    matches_per_evening: int = 3
    won_evening_points: int = 3
    drawn_evening_points: int = 2
    lost_evening_points: int = 1
    pit_evening_points: int = 1
    revoke_evening_points: int = -1
    bye_evening_points: int = 2
    opponent_withdrew_evening_points: int = 2
    withdrew_evening_points: int = -2
    withdrew_replaces_lost: bool = True
    season_evenings: int = 3
    season_counts: SeasonCounts = SeasonCounts.BEST

    def speaks_first(self, dealer: Seat) -> Seat:
        """Who passes or names trump first (articles 6 and 7)."""
        return dealer.left if self.first_speaker is FirstSpeaker.LEFT_OF_DEALER else dealer


AMSTERDAMS_MET_PASSEN: Final = Reglement(
    name="amsterdams-met-passen",
    title="Spelregels: Amsterdams met passen",
    basis=Source.AMSTERDAMS,
)
"""The 23 articles: passing, roem counts when called (4), pit for the playing team only (17)."""

KLAVERJAS_DRIVE: Final = Reglement(
    name="klaverjas-drive",
    title="Reglement Klaverjas Drive",
    basis=Source.DRIVE,
    bidding=Bidding.OBLIGED,
    roem_counts=RoemCounts.SEEN,
)
"""Amsterdams with obliged trump. Its text nowhere asks for roem to be called ("er wordt niet gespeeld met
roem in de hand"), so what lies on the table counts, and a camera alone can score it. A pit brings "162,
eventuele roem en 100 punten extra", three amounts for two columns; it does not say in which the 100 goes, so
it goes where Amsterdams puts it (article 17: "162 punten + 100 roem")."""

ROTTERDAMS: Final = Reglement(
    name="rotterdams",
    title="Rotterdams",
    basis=Source.ROTTERDAMS,
    must_trump_for_partner=True,
    under_opponent=UnderOpponent.OBLIGED,
    over_partner=OverPartner.MUST_BEAT,
)
"""Always trump and overtrump, else undertrump. Clubs of the NKU let the dealer speak first: a setting."""

REGLEMENTEN: Final[Mapping[str, Reglement]] = {
    reglement.name: reglement for reglement in (AMSTERDAMS_MET_PASSEN, KLAVERJAS_DRIVE, ROTTERDAMS)
}
"""The built-in reglementen by name."""


def reglement_named(name: str) -> Reglement:
    """The built-in reglement called ``name``, such as ``"klaverjas-drive"``.

    Raises:
        ReglementError: when there is none; the message lists the names and the nearest one.
    """
    reglement = REGLEMENTEN.get(name)
    if reglement is None:
        raise ReglementError(
            f"unknown reglement {name!r}{_nearest(name, REGLEMENTEN)}; known are {', '.join(REGLEMENTEN)}"
        )
    return reglement


def _nearest(name: str, known: Mapping[str, object]) -> str:
    matches = get_close_matches(name, list(known), n=1, cutoff=0.4)
    return f"; did you mean {matches[0]!r}?" if matches else ""
