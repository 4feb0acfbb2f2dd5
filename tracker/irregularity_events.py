"""The events of what goes wrong at a table, each told once; ``irregularities`` says what that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

import numpy as np

from rules import CLOCKWISE, FULL_DECK, Card, Play, Seat, Team, trick_winner
from tracker.card_track import Sighting
from tracker.deal_decoder import DecodedCard, DecodedDeal
from tracker.events.types import (
    CardCountWrong,
    CardExposed,
    CardPlayedOutOfTurn,
    CardsPlayedTogether,
    Event,
    ForeignCardSeen,
    SlowPlay,
    TrickGatheredWrongly,
)
from tracker.irregularities import ShownFace, ToldPlay, came_before_its_turn, turn, wrong_pile
from tracker.laid_cards import LaidSlot
from tracker.scene import SUREST_BY_CAMERA, TRICKS_IN_A_DEAL, Facts, Scene

CARDS_IN_A_HAND: Final = TRICKS_IN_A_DEAL


def out_of_turn(
    scene: Scene, decoded: DecodedDeal, card: DecodedCard, slot: LaidSlot | None
) -> Iterator[Event]:
    """A card told at its place, once that place is sure: right after it came it may seem another."""
    deal, place = scene.deal, (card.trick, card.position)
    sure = scene.settings.irregularities.sure_of_turn
    if slot is None or place in deal.turns_told or card.probability < sure:
        return
    tricks = deal.told_tricks(card.trick)
    for number in range(max(1, card.trick - 1), card.trick + 1):
        tricks[number - 1] = {
            other.position: ToldPlay(other.seat, other.card, other.probability)
            for other in decoded.trick(number)
        }
    if not came_before_its_turn(tricks, card.position, deal.dealer.left, scene.sure_trump(), sure):
        return
    if card.position == 1 and _misreading_explains(scene, card, decoded):
        return
    deal.turns_told.add(place)
    yield CardPlayedOutOfTurn(
        **scene.facts(card.probability, slot.laid_s, slot.first_seen_s),
        seat=card.seat,
        card=card.card,
        trick=card.trick,
    )


def _misreading_explains(scene: Scene, lead: DecodedCard, decoded: DecodedDeal) -> bool:
    """Whether its leader may have won the trick before ``lead`` after all, a card of it being misread.

    A lead out of turn is rarer than a card misread, so a reading that is merely possible goes before it. The
    cards get surer as others come; what is not told now is told then.
    """
    before = decoded.trick(lead.trick - 1)
    if prod(card.probability for card in before) < scene.settings.irregularities.sure_of_winner:
        return True
    plays = [Play(card.seat, card.card) for card in before]
    return any(
        trick_winner([*plays[:index], Play(card.seat, other), *plays[index + 1 :]], decoded.trump)
        is lead.seat
        for index, card in enumerate(before)
        for other, _ in card.alternatives
    )


def gathered_wrongly(scene: Scene, number: int, gathered_by: Team | None) -> Iterator[Event]:
    """Trick ``number`` joined the pile of the side that did not win it."""
    trick = scene.deal.told_tricks(number)[-1]
    found = wrong_pile(trick, scene.sure_trump(), gathered_by, scene.settings.telling.sure)
    if found is not None and gathered_by is not None:
        winner, confidence = found
        yield TrickGatheredWrongly(
            **scene.facts(confidence, scene.now.time_s),
            trick=number,
            gathered_by=gathered_by,
            winner=winner,
        )


def faces_that_are_no_plays(scene: Scene, sightings: Sequence[Sighting]) -> Iterator[Event]:
    """Cards of another pack, cards shown, and second cards of a player in the trick."""
    deal, width = scene.deal, scene.card_width
    played = {told.card for told in deal.told.values()}
    for face in deal.faces.foreign(sightings, width):
        yield ForeignCardSeen(**_shown(scene, face), seat=face.seat)
    for face in deal.faces.shown(sightings, played, width):
        if face.card is not None:
            yield CardExposed(**_shown(scene, face), card=face.card, seat=face.seat)
    owners = {refused.identifier: owner for refused, owner in deal.watch.refused}
    refused = [sighting for sighting, _ in deal.watch.refused]
    for face in deal.faces.beside(refused, played, width):
        yield from _beside(scene, face, owners[face.sighting.identifier])


def _beside(scene: Scene, face: ShownFace, owner: LaidSlot) -> Iterator[Event]:
    """A second card of a player in the trick: laid together with the first, else shown later."""
    if face.card is None or face.sighting.settled_s is None:
        return
    watch = scene.deal.watch
    number = len(watch.tricks)
    if number > TRICKS_IN_A_DEAL:
        return
    decoded = scene.decoded(complete=False).trick(number)
    first = next((card for card in decoded if card.laid == watch.current.slots.index(owner)), None)
    together_s = scene.settings.irregularities.together_s
    if first is not None and face.sighting.settled_s - owner.laid_s <= together_s:
        yield CardsPlayedTogether(
            **_shown(scene, face), seat=first.seat, trick=number, cards=(first.card, face.card)
        )
    elif first is not None:
        yield CardExposed(**_shown(scene, face), card=face.card, seat=first.seat)


def _shown(scene: Scene, face: ShownFace) -> Facts:
    since_s = face.sighting.settled_s or face.sighting.first_seen_s
    return scene.facts(face.confidence, since_s, face.sighting.first_seen_s)


def hands_of_wrong_size(scene: Scene, sightings: Sequence[Sighting]) -> Iterator[Event]:
    """A player of whom more cards were seen than a hand has, and whose hand was short then (article 5).

    What was played counts, and what lies open unplayed: a hand laid open, a card left after the last trick.
    """
    deal = scene.deal
    for seat, left in _left_in_hand(scene, sightings).items():
        count = _played_by(scene, seat) + len(left)
        # Without a card that is left, somebody else's was taken for this player's.
        if left and count > CARDS_IN_A_HAND and seat not in deal.counts_told:
            yield _wrong_count(scene, seat, count, min(left.values()))
    in_the_last = {told.seat for (trick, _), told in deal.told.items() if trick == TRICKS_IN_A_DEAL}
    if deal.counts_told and len(in_the_last) == len(CLOCKWISE) - 1:
        (short,) = set(CLOCKWISE) - in_the_last
        if short not in deal.counts_told:
            yield _wrong_count(scene, short, _played_by(scene, short), scene.settings.telling.sure)


def _left_in_hand(scene: Scene, sightings: Sequence[Sighting]) -> dict[Seat, dict[Card, float]]:
    """Of each seat the cards that lie open and were not played, with how sure each is."""
    deal, watch = scene.deal, scene.deal.watch
    left: dict[Seat, dict[Card, float]] = {seat: {} for seat in CLOCKWISE}
    played = {told.card for told in deal.told.values()}
    owners = {refused.identifier: watch.seat_of(owner) for refused, owner in watch.refused}
    beside = [refused for refused, _ in watch.refused]
    for face in deal.faces.open_now(sightings, beside, played, scene.card_width):
        if face.card is not None:
            left[owners.get(face.sighting.identifier, face.seat)][face.card] = face.confidence
    for slot in watch.after_the_last:
        index = int(np.argmax(slot.log_probs[: len(FULL_DECK)]))
        if FULL_DECK[index] not in played:
            left[watch.seat_of(slot)][FULL_DECK[index]] = float(np.exp(slot.log_probs[index]))
    return left


def _played_by(scene: Scene, seat: Seat) -> int:
    return len({trick for (trick, _), told in scene.deal.told.items() if told.seat is seat})


def _wrong_count(scene: Scene, seat: Seat, seen: int, confidence: float) -> Event:
    scene.deal.counts_told.add(seat)
    return CardCountWrong(
        **scene.facts(confidence, scene.now.time_s), seat=seat, seen=seen, expected=CARDS_IN_A_HAND
    )


def slow_play(scene: Scene) -> Iterator[Event]:
    """The table waits for a player for longer than the reglement gives (article 10)."""
    deal, watch = scene.deal, scene.deal.watch
    number, slots = len(watch.tricks), watch.current.slots
    if deal.closed or number > TRICKS_IN_A_DEAL or (number == 1 and not slots) or deal.has_untold():
        return
    covered_s = watch.tricks[-2].covered_s if number > 1 else None
    since_s = max([slot.laid_s for slot in slots] + ([covered_s] if covered_s is not None else []))
    waited_s = scene.now.time_s - since_s
    if waited_s <= scene.reglement.thinking_seconds:
        return
    waits_for = turn(deal.told_tricks(number), deal.dealer.left, scene.sure_trump())
    if waits_for is not None and waits_for[:2] not in deal.slow_told:
        trick, position, seat = waits_for
        deal.slow_told.add((trick, position))
        yield SlowPlay(
            **scene.facts(SUREST_BY_CAMERA, scene.now.time_s, since_s),
            seat=seat,
            trick=trick,
            position=position,
            seconds=round(waited_s, 1),
        )
