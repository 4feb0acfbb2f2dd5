"""What repetition brings: warnings, the wedstrijdleider, exclusion (articles 6, 10 and 14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from rules.articles import Topic, article
from rules.reasons import Reason
from rules.reglement import Source


class OffenceKind(Enum):
    """What is counted. Remarks count for the team, the others for the player."""

    FORBIDDEN_REMARK = "forbidden-remark"
    SLOW_PLAY = "slow-play"
    REVOKE = "revoke"


class Measure(Enum):
    """What must follow."""

    ASK_TO_DECIDE = "ask-to-decide"
    PENALTY_ONLY = "penalty-only"
    WARNING = "warning"
    TELL_DIRECTOR = "tell-director"
    EXCLUDE = "exclude"


@dataclass(frozen=True, slots=True)
class Offence:
    """Something that a player or a team did; ``offender`` names the one for whom it counts."""

    kind: OffenceKind
    offender: str


@dataclass(frozen=True, slots=True)
class Consequence:
    """What an offence brings, and why; ``count`` is the how manieth of its kind by this offender it is."""

    offence: Offence
    count: int
    measure: Measure
    reason: Reason


# For each kind: the article, and what the first and every later offence bring.
_MEASURES: Final = {
    OffenceKind.FORBIDDEN_REMARK: (Topic.BIDDING_WORDS, Measure.WARNING, Measure.EXCLUDE),
    OffenceKind.SLOW_PLAY: (Topic.THINKING, Measure.ASK_TO_DECIDE, Measure.TELL_DIRECTOR),
    OffenceKind.REVOKE: (Topic.ACCUSATION, Measure.PENALTY_ONLY, Measure.EXCLUDE),
}
_WORDS: Final = {
    OffenceKind.FORBIDDEN_REMARK: ("ongeoorloofde mededeling", "forbidden remark"),
    OffenceKind.SLOW_PLAY: ("te lang wachten", "slow play"),
    OffenceKind.REVOKE: ("verzaken", "verzaken (revoke)"),
}
_MEASURE_WORDS: Final = {
    Measure.ASK_TO_DECIDE: (
        "de tegenpartij mag om een besluit vragen",
        "the opponents may ask for a decision",
    ),
    Measure.PENALTY_ONLY: ("de straf voor dit spel", "the penalty of this deal"),
    Measure.WARNING: ("een waarschuwing", "a warning"),
    Measure.TELL_DIRECTOR: ("de wedstrijdleider moet het weten", "the wedstrijdleider must be told"),
    Measure.EXCLUDE: (
        "uitsluiting; de wedstrijdleider zorgt voor een vervanger",
        "exclusion; the wedstrijdleider finds a substitute",
    ),
}


def consequences(basis: Source, offences: Sequence[Offence]) -> tuple[Consequence, ...]:
    """What each offence brings, in the order in which they happened; ``basis`` is the reglement's text."""
    counts: dict[Offence, int] = {}
    found = []
    for offence in offences:
        counts[offence] = count = counts.get(offence, 0) + 1
        found.append(_consequence(basis, offence, count))
    return tuple(found)


def _consequence(basis: Source, offence: Offence, count: int) -> Consequence:
    topic, first, later = _MEASURES[offence.kind]
    measure = first if count == 1 else later
    (dutch, english), (dutch_measure, english_measure) = _WORDS[offence.kind], _MEASURE_WORDS[measure]
    reason = Reason(
        measure.value,
        f"{offence.offender}: {dutch}, keer {count}: {dutch_measure}",
        f"{offence.offender}: {english}, number {count}: {english_measure}",
        article(basis, topic),
    )
    return Consequence(offence, count, measure, reason)
