"""Where each rule is written, in each of the three texts.

Amsterdams met passen has 23 numbered articles. Reglement Klaverjas Drive has none, so its own sentence is
cited; where it is silent the articles of Amsterdams fill the gap. Rotterdams differs from Amsterdams only in
trumping.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from rules.reglement import Source


class Topic(Enum):
    """What a rule is about; the value is the number of the Amsterdams article."""

    CARD_BACKS = 1
    CALL_DIRECTOR = 2
    ROEM_CALL = 4
    HAND_SIZE = 5
    BIDDING_WORDS = 6
    BIDDING_ORDER = 7
    OBLIGED = 8
    TRUMP_STAYS = 9
    THINKING = 10
    OUT_OF_TURN = 11
    LEGAL_PLAY = 12
    REVOKE = 13
    ACCUSATION = 14
    THRESHOLD = 15
    NAT = 16
    PIT = 17
    EIGHT_TRICKS = 18
    DIRECTOR_DECIDES = 23


_DRIVE_SENTENCES: Final = {
    Topic.OBLIGED: "De speler links van de deler maakt verplicht troef",
    Topic.LEGAL_PLAY: "Iedere speler bekend kleur … moet je troeven … niet ondertroeven",
    Topic.REVOKE: "Een team dat verzaakt (niet bekend, of niet troeft) gaat nat",
    Topic.THRESHOLD: "minimaal de helft + 1",
    Topic.NAT: "gaan alle punten naar de tegenpartij",
    Topic.PIT: "Pit halen",
}


def article(basis: Source, topic: Topic) -> str:
    """Where ``topic`` is written for a reglement that rests on ``basis``."""
    if basis is Source.DRIVE and topic in _DRIVE_SENTENCES:
        return f"Reglement Klaverjas Drive: “{_DRIVE_SENTENCES[topic]}”"
    if basis is Source.ROTTERDAMS and topic is Topic.LEGAL_PLAY:
        return "Rotterdams: altijd introeven, overtroeven, anders ondertroeven"
    return f"Amsterdams met passen, artikel {topic.value}"
