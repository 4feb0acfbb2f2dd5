"""Which cards of a deal are still to be confirmed by somebody who looks at them."""

from __future__ import annotations

from typing import Final

from tracker.events.fold import DealRecord
from tracker.events.types import TRACKER, CardDoubtful

SETTLED_FROM: Final = 0.95
"""How sure the tracker must have become of a card by itself for its question to be over."""


def open_questions(record: DealRecord) -> tuple[CardDoubtful, ...]:
    """The questions of a deal that nobody has answered, in the order in which they were asked.

    A question is over when a person corrected or confirmed its place, or when the tracker has become
    :data:`SETTLED_FROM` sure of it; of two about one place the later one counts.
    """
    seen = {(card.trick, card.position): card for card in record.cards}
    asked: dict[tuple[int, int], CardDoubtful] = {}
    for event in record.events:
        if isinstance(event, CardDoubtful):
            asked.pop((event.trick, event.position), None)
            asked[event.trick, event.position] = event
    return tuple(
        question
        for place, question in asked.items()
        if place in seen
        and seen[place].corrected_by in (None, TRACKER)
        and seen[place].confidence < SETTLED_FROM
    )
