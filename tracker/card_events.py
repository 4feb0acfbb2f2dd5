"""The events of single cards: told once they are sure enough, and corrected when proven wrong."""

from __future__ import annotations

from collections.abc import Iterator

from rules import Seat, Suit
from tracker.accusations import accusations, doubt, questions
from tracker.deal_decoder import DecodedCard, decode_deal
from tracker.deal_events import trump_told
from tracker.events.types import TRACKER, CardPlayed, CardTakenBack, Correction, Event, VideoSpan
from tracker.irregularity_events import out_of_turn
from tracker.laid_cards import LaidSlot
from tracker.scene import Scene, ToldCard, rounded, rounded_alternatives


def cards_told(scene: Scene, *, final: bool) -> Iterator[Event]:
    """Decode the deal and tell what that made sure; ``final``: nothing more will be seen of it."""
    deal = scene.deal
    # Where a hand had a card too many, what was not seen cannot be told from what is left.
    counted = not deal.counts_told and not deal.watch.after_the_last
    decoded = scene.decoded(complete=final and deal.finished and counted)
    yield from trump_told(scene, decoded, final=final)
    as_told: list[tuple[ToldCard, DecodedCard, LaidSlot | None]] = []
    for card in decoded.cards:
        slot = deal.slot_of(card)
        if slot is not None:
            yield from _taken_back(scene, slot, card.trick)
        told = deal.told.get((card.trick, card.position))
        if told is None:
            if final or _is_ready(scene, card, slot):
                yield _card_played(scene, card, slot)
        elif (told.seat, told.card) != (card.seat, card.card):
            yield from _told_other(scene, told, card, final=final)
        else:
            told.otherwise = 0
            as_told.append((told, card, slot))
    # Not before: a card corrected just now may accuse, and how sure its proof is must be known with it.
    accused = accusations(scene, decoded.trump)
    weighty = set().union(*accused.values())
    for told, card, slot in as_told:
        accuses = (card.trick, card.position) in weighty
        yield from _told_surer(scene, told, card, accuses=accuses, final=final)
        yield from out_of_turn(scene, decoded, card, slot)
    yield from questions(scene, decoded, accused, final=final)


def _is_ready(scene: Scene, card: DecodedCard, slot: LaidSlot | None) -> bool:
    settings, deal = scene.settings.telling, scene.deal
    if slot is None:
        return False
    trick_is_over = deal.watch.tricks[card.trick - 1].covered_s is not None
    sure = slot.lain >= settings.least_lain and card.probability >= settings.sure
    if not (trick_is_over or sure or slot.lain >= settings.patience_lain):
        return False
    earlier = all((card.trick, position) in deal.told for position in range(1, card.position))
    waited = scene.now.time_s - slot.laid_s >= settings.wait_for_turn_s
    return earlier or trick_is_over or waited


def _card_played(scene: Scene, card: DecodedCard, slot: LaidSlot | None) -> Event:
    now, confidence = scene.now, rounded(card.probability)
    scene.deal.told[card.trick, card.position] = ToldCard(card.seat, card.card, confidence)
    return CardPlayed(
        table=scene.table,
        deal=scene.deal.number,
        time_utc=now.at(now.time_s if slot is None else slot.laid_s),
        confidence=confidence,
        video=None if slot is None else VideoSpan(slot.first_seen_s, now.time_s),
        trick=card.trick,
        position=card.position,
        seat=card.seat,
        card=card.card,
        alternatives=rounded_alternatives(card),
    )


def _told_other(scene: Scene, told: ToldCard, card: DecodedCard, *, final: bool) -> Iterator[Event]:
    """Correct what was told, when the other reading has stood for a while."""
    settings = scene.settings.telling
    told.otherwise += 1
    steady = told.otherwise >= settings.steady
    if final or (steady and card.probability >= settings.correct_from):
        reason = f"read as {card.seat.value} {card.card.code} with all that was seen of the deal since"
        yield _correction(scene, told, card, reason)


def _told_surer(
    scene: Scene, told: ToldCard, card: DecodedCard, *, accuses: bool, final: bool
) -> Iterator[Event]:
    """A card told while doubtful and certain by now, or the reverse; one that accuses, at any change."""
    settings = scene.settings.telling
    doubtful = told.confidence < settings.sure and card.probability >= settings.confirm_from
    doubtful |= told.confidence >= settings.confirm_from and doubt(card, settings, accuses=False) is not None
    change = abs(told.confidence - rounded(card.probability))
    worth_telling = settings.last_accusing_change if final else settings.accusing_change
    if doubtful or (accuses and change >= worth_telling):
        yield _correction(scene, told, card, "the same card, by all that was seen of the deal since")


def _correction(scene: Scene, told: ToldCard, card: DecodedCard, reason: str) -> Event:
    told.seat, told.card, told.confidence = card.seat, card.card, rounded(card.probability)
    told.otherwise = 0
    slot = scene.deal.slot_of(card)
    return Correction(
        table=scene.table,
        deal=scene.deal.number,
        time_utc=scene.now.at(scene.now.time_s),
        confidence=told.confidence,
        video=None if slot is None else VideoSpan(slot.first_seen_s, slot.last_in_place_s),
        trick=card.trick,
        position=card.position,
        seat=card.seat,
        card=card.card,
        by=TRACKER,
        reason=reason,
        alternatives=rounded_alternatives(card),
    )


def _taken_back(scene: Scene, slot: LaidSlot, trick: int) -> Iterator[Event]:
    """A card that lay in the trick and was taken back has been shown: article 11."""
    while slot.taken_back:
        laid = LaidSlot(slot.laid_at, slot.laid_s, {0: slot.taken_back.pop()}, way=slot.way)
        ((card,),) = [decode_deal([[scene.laid_card(laid)]], scene.reglement, Seat.NORTH, Suit.CLUBS).cards]
        yield CardTakenBack(
            table=scene.table,
            deal=scene.deal.number,
            time_utc=scene.now.at(laid.last_in_place_s),
            confidence=rounded(card.probability),
            video=VideoSpan(laid.first_seen_s, laid.last_in_place_s),
            card=card.card,
            seat=card.seat,
            trick=trick,
        )
