"""Which cards of a deal are still to be confirmed by somebody who looks at them."""

from __future__ import annotations

from typing import Final

from tracker.events.fold import DealRecord, revoke_certainty
from tracker.events.types import ACCUSES, TRACKER, CardDoubtful

SETTLED_FROM: Final = 0.95
"""How sure the tracker must have become of a card by itself for its question to be over."""

SURE_OF_VERZAKING: Final = 0.95
"""From this certainty on a verzaking is shown, and no card of its proof is to be confirmed any more."""


def open_questions(record: DealRecord) -> tuple[CardDoubtful, ...]:
    """The questions of a deal that nobody has answered, in the order in which they were asked.

    A question is over when a person corrected or confirmed its place, or when the tracker has become
    :data:`SETTLED_FROM` sure of it, unless it was asked since a verzaking rests on the card and that
    verzaking still stands and is not sure. Of two about one place the later one counts.
    """
    in_proofs = _places_of_unsure_proofs(record)
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
        and (seen[place].confidence < SETTLED_FROM or (question.reason == ACCUSES and place in in_proofs))
    )


def _places_of_unsure_proofs(record: DealRecord) -> set[tuple[int, int]]:
    """Of each verzaking that is proven, but not surely: the places on which it rests."""
    places: set[tuple[int, int]] = set()
    for revoke in record.deal.revokes:
        certainty, rests_on = revoke_certainty(record, revoke)
        if certainty < SURE_OF_VERZAKING:
            places |= {(card.trick, card.position) for card in rests_on}
    return places
