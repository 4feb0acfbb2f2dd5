"""The events of a deal as a whole: its start, its trump, its tricks gathered, its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules import Suit
from tracker.card_track import Sighting
from tracker.deal_decoder import DecodedDeal
from tracker.events.types import (
    BROKEN_OFF,
    DealClosed,
    DealStarted,
    Event,
    TrickCovered,
    TrumpDeclared,
    VideoSpan,
)
from tracker.irregularity_events import gathered_wrongly
from tracker.laid_cards import CARDS_IN_A_TRICK
from tracker.scene import SUREST_BY_CAMERA, Scene, rounded


def started(scene: Scene, dealt_from_s: float | None) -> Iterator[Event]:
    """The deal begins; ``dealt_from_s`` is when its dealing began, None when that was not seen."""
    deal, now = scene.deal, scene.now
    deal.started, deal.number_is_next = True, False
    yield DealStarted(
        table=scene.table,
        deal=deal.number,
        time_utc=now.at(now.time_s),
        video=None if dealt_from_s is None else VideoSpan(dealt_from_s, now.time_s),
        dealer=deal.dealer,
        reglement=scene.reglement.name,
    )
    if deal.trump is not None:
        yield _trump_declared(scene, deal.trump, 1.0, inferred=False)


def trump_told(scene: Scene, decoded: DecodedDeal, *, final: bool) -> Iterator[Event]:
    """The trump inferred, once it is likely, and again when it changed or became sure."""
    deal, settings = scene.deal, scene.settings.telling
    sure = decoded.trump_probabilities[decoded.trump]
    if deal.trump is not None or sure < settings.likely_trump:
        return
    told, confidence = deal.trump_told, rounded(sure)
    surer = told is not None and told[1] < (confidence if final else settings.sure_of_trump) <= confidence
    if told is None or told[0] is not decoded.trump or surer:
        deal.trump_told = (decoded.trump, confidence)
        yield _trump_declared(scene, decoded.trump, confidence, inferred=True)


def _trump_declared(scene: Scene, trump: Suit, confidence: float, *, inferred: bool) -> Event:
    now, maker = scene.now, scene.maker()
    return TrumpDeclared(
        table=scene.table,
        deal=scene.deal.number,
        time_utc=now.at(now.time_s),
        confidence=confidence,
        video=VideoSpan(now.time_s, now.time_s) if inferred else None,
        seat=maker or scene.first_speaker(),
        trump=trump,
        inferred=inferred,
        declarer_known=maker is not None,
    )


def tricks_covered(scene: Scene, sightings: Sequence[Sighting], *, final: bool) -> Iterator[Event]:
    """The tricks gathered, once it was seen to which side they went or that takes too long."""
    deal, now = scene.deal, scene.now
    while deal.to_cover:
        number = deal.to_cover[0]
        trick = deal.watch.tricks[number - 1]
        gathered_by = deal.watch.gathered_by(number, sightings, scene.card_width)
        covered_s = now.time_s if trick.covered_s is None else trick.covered_s
        waits = now.time_s - covered_s < scene.settings.telling.wait_for_pile_s
        if gathered_by is None and waits and not final:
            return
        deal.to_cover.pop(0)
        complete = len(trick.slots) == CARDS_IN_A_TRICK
        yield TrickCovered(
            table=scene.table,
            deal=deal.number,
            time_utc=now.at(covered_s),
            confidence=SUREST_BY_CAMERA if complete else 0.5,
            video=VideoSpan(min(slot.last_in_place_s for slot in trick.slots), now.time_s),
            trick=number,
            gathered_by=gathered_by,
        )
        yield from gathered_wrongly(scene, number, gathered_by)


def closed(scene: Scene) -> Iterator[Event]:
    """The deal is over, and all of it was told."""
    deal, now = scene.deal, scene.now
    if not deal.finished or deal.closed or deal.to_cover:
        return
    deal.closed = True
    yield DealClosed(
        table=scene.table,
        deal=deal.number,
        time_utc=now.at(now.time_s),
        confidence=rounded(min((told.confidence for told in deal.told.values()), default=0.0)),
        video=VideoSpan(now.time_s, now.time_s),
    )


def broken_off(scene: Scene) -> Event:
    """The deal ends before its eight tricks were over."""
    return DealClosed(**scene.facts(scene.settings.telling.sure, scene.now.time_s), reason=BROKEN_OFF)
