"""The verzakingen that the cards told so far prove, and the cards that a person is to look at.

What accuses somebody must be told as sure as it is at that moment; where that is not sure enough, or a card
may as well be another one, somebody is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile
from math import prod

from rules import Deal, Revoke, Suit
from tracker.deal_decoder import DecodedCard, DecodedDeal
from tracker.events.fold import verzaking_certainty
from tracker.events.types import ACCUSES, CardDoubtful, Event, VideoSpan
from tracker.scene import Place, Scene, rounded, rounded_alternatives
from tracker.settings import TellingSettings

Accusations = Mapping[Revoke, set[Place]]
"""Each verzaking that seems proven, and the places on which it rests."""


def accusations(scene: Scene, trump: Suit) -> Accusations:
    """What the cards told so far prove under this trump."""
    told = scene.deal.told
    deal = Deal(scene.reglement, scene.deal.dealer).declared(scene.deal.dealer.left, trump)
    order = [(trick, position) for trick in range(1, 9) for position in range(1, 5)]
    for place in takewhile(told.__contains__, order):
        deal = deal.played(told[place].seat, told[place].card)
    return {
        revoke: {(revoke.trick, position) for position in range(1, 5)}
        | {place for place in told if told[place].card == revoke.proven_card}
        for revoke in deal.revokes
    }


def questions(scene: Scene, decoded: DecodedDeal, accused: Accusations, *, final: bool) -> Iterator[Event]:
    """Ask for the cards that stay doubtful, and for those on which an unsure accusation rests."""
    deal, settings = scene.deal, scene.settings.telling
    weighty = set().union(*accused.values())
    weakest = _weakest_proofs(scene, decoded, accused) if final and deal.finished else set()
    for card in decoded.cards:
        place = (card.trick, card.position)
        over = final or deal.watch.tricks[card.trick - 1].covered_s is not None
        if place not in deal.told or place in deal.asked or not over:
            continue
        reason = doubt(card, settings, accuses=place in weighty)
        if place in weakest and (reason is None or card.laid is not None):
            reason = ACCUSES
        if reason is not None:
            deal.asked.add(place)
            yield _question(scene, card, reason)


def doubt(card: DecodedCard, settings: TellingSettings, *, accuses: bool) -> str | None:
    """Why a card is to be confirmed, one of :data:`tracker.events.types.DOUBTS`; None when it is not."""
    if card.laid is None and card.probability < settings.confirm_from:
        return "unseen"
    if card.probability < settings.ask_below:
        return "alike"
    accuses = accuses or card.contested
    return ACCUSES if accuses and card.probability < settings.confirm_from else None


def _weakest_proofs(scene: Scene, decoded: DecodedDeal, accused: Accusations) -> set[Place]:
    """Of each verzaking that stands at the end and is not sure: the card that makes it least sure."""
    told, weakest = scene.deal.told, set()
    for places in accused.values():
        chances = [told[place].confidence for place in places if place in told]
        read_right = prod([*chances, decoded.trump_probabilities[decoded.trump]])
        if verzaking_certainty(read_right, accused) < scene.settings.telling.sure_of_verzaking:
            weakest.add(min(places & told.keys(), key=lambda place: (told[place].confidence, place)))
    return weakest


def _question(scene: Scene, card: DecodedCard, reason: str) -> Event:
    deal, now = scene.deal, scene.now
    slot = deal.slot_of(card)
    return CardDoubtful(
        table=scene.table,
        deal=deal.number,
        time_utc=now.at(now.time_s if slot is None else slot.laid_s),
        confidence=rounded(card.probability),
        video=None if slot is None else VideoSpan(slot.first_seen_s, slot.last_in_place_s),
        trick=card.trick,
        position=card.position,
        seat=card.seat,
        card=card.card,
        reason=reason,
        alternatives=rounded_alternatives(card),
    )
