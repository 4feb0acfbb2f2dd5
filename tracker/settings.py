"""All that can be set of the tracker, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from tracker.card_track import SightingSettings
from tracker.deal_decoder import VERZAKING_WEIGHT
from tracker.events.questions import SURE_OF_VERZAKING
from tracker.irregularities import IrregularitySettings
from tracker.laid_cards import TrickSettings


@dataclass(frozen=True, slots=True)
class TellingSettings:
    """When something is sure enough to be told: probabilities, seconds, and tenths of a second seen lying.

    A card is told once it was seen lying for ``least_lain`` tenths and is ``sure`` of its name, or after
    ``patience_lain`` whatever it is, with the probability it has. It is corrected when another card has been
    the more probable, by ``correct_from``, in ``steady`` decodings running. The certainty of a card that was
    told is told again when it was doubtful and has reached ``confirm_from``, and if a proven verzaking rests
    on it whenever it changed by ``accusing_change``, at the end of the deal by ``last_accusing_change``.
    A card that is less sure than ``ask_below`` once its trick is over is to be confirmed by a person; one on
    which a proven verzaking rests, below ``confirm_from``, and at the end the least sure one of those on
    which a verzaking rests that is less sure than ``sure_of_verzaking``.
    Trump inferred is told from ``likely_trump``, and again when ``sure_of_trump``. That a trick is covered is
    told when it was seen to whose
    pile it went, or after ``wait_for_pile_s``. ``verzaking_weight``: see :func:`decode_deal`.
    """

    least_lain: float = 2.9
    sure: float = 0.9
    patience_lain: float = 10.0
    wait_for_turn_s: float = 1.5
    correct_from: float = 0.7
    steady: int = 3
    confirm_from: float = 0.95
    sure_of_verzaking: float = SURE_OF_VERZAKING
    ask_below: float = 0.8
    accusing_change: float = 0.03
    last_accusing_change: float = 0.0005
    likely_trump: float = 0.5
    sure_of_trump: float = 0.97
    decode_each_frames: int = 15
    wait_for_pile_s: float = 0.6
    verzaking_weight: float = VERZAKING_WEIGHT


@dataclass(frozen=True, slots=True)
class TrackerSettings:
    """All that can be set of the tracker."""

    sightings: SightingSettings = field(default_factory=SightingSettings)
    tricks: TrickSettings = field(default_factory=TrickSettings)
    telling: TellingSettings = field(default_factory=TellingSettings)
    irregularities: IrregularitySettings = field(default_factory=IrregularitySettings)
