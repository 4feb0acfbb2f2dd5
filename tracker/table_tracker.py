"""From the detections of one table to its events.

    detections -> Sightings -> TrickWatch -> decode_deal -> events
                  (one card     (which       (what they     (told once,
                   over time)    trick)       must be)       corrected when proven wrong)

Nothing is told before a card was seen still a few times, and nothing told is taken back but by a
``Correction``. The same detections give the same events: no clock, no chance, no state from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final, TypedDict

from detector.types import CardDetection
from rules import Bidding, Card, Deal, FirstSpeaker, Reglement, Seat, Suit, Team
from tracker.deal_decoder import DecodedCard, DecodedDeal, LaidCard, decode_deal
from tracker.events.types import (
    BROKEN_OFF,
    TRACKER,
    CardDoubtful,
    CardExposed,
    CardPlayed,
    CardPlayedOutOfTurn,
    CardsPlayedTogether,
    CardTakenBack,
    Correction,
    DealClosed,
    DealStarted,
    Event,
    ForeignCardSeen,
    SlowPlay,
    TrickCovered,
    TrickGatheredWrongly,
    TrumpDeclared,
    VideoSpan,
)
from tracker.irregularities import (
    DealingWatch,
    FaceWatch,
    IrregularitySettings,
    ShownFace,
    ToldPlay,
    came_before_its_turn,
    turn,
    wrong_pile,
)
from tracker.seat_evidence import degrees_off
from tracker.sightings import Sighting, Sightings, SightingSettings
from tracker.table_view import TableView
from tracker.trick_watch import CARDS_IN_A_TRICK, LaidSlot, NextDealWatch, TrickSettings, TrickWatch

TRICKS_IN_A_DEAL: Final = 8

Place = tuple[int, int]
"""Trick 1 to 8 and position 1 to 4."""


@dataclass(frozen=True, slots=True)
class TellingSettings:
    """When something is sure enough to be told: probabilities, seconds, and tenths of a second seen lying.

    A card is told once it was seen lying for ``least_lain`` tenths and is ``sure`` of its name, or after
    ``patience_lain`` whatever it is, with the probability it has. It is corrected when another card has been
    the more probable, by ``correct_from``, in ``steady`` decodings running. The certainty of a card that was
    told is told again when it was doubtful and has reached ``confirm_from``, and if a proven verzaking rests
    on it whenever it changed by ``accusing_change``, at the end of the deal by ``last_accusing_change``.
    A card that is less sure than ``ask_below`` once its trick is over is to be confirmed by a person; one on
    which a proven verzaking rests, below ``confirm_from``.
    Trump inferred is told from ``likely_trump``, and again when ``sure_of_trump``. That a trick is covered is
    told when it was seen to whose
    pile it went, or after ``wait_for_pile_s``.
    """

    least_lain: float = 2.9
    sure: float = 0.9
    patience_lain: float = 10.0
    wait_for_turn_s: float = 1.5
    correct_from: float = 0.7
    steady: int = 3
    confirm_from: float = 0.95
    ask_below: float = 0.8
    accusing_change: float = 0.03
    last_accusing_change: float = 0.0005
    likely_trump: float = 0.5
    sure_of_trump: float = 0.97
    decode_each_frames: int = 15
    wait_for_pile_s: float = 0.6


@dataclass(frozen=True, slots=True)
class TrackerSettings:
    """All that can be set of the tracker."""

    sightings: SightingSettings = field(default_factory=SightingSettings)
    tricks: TrickSettings = field(default_factory=TrickSettings)
    telling: TellingSettings = field(default_factory=TellingSettings)
    irregularities: IrregularitySettings = field(default_factory=IrregularitySettings)


class TableTracker:
    """Turns what the detector sees of one table into events.

    Args:
        table: the table's name. reglement: the rules of play. dealer: who dealt the first deal in the film.
        trump: as the table declared it for the first deal; None to tell it from the play.
        view: where the seats are in the picture.
        declarer: who made trump, under a reglement with passing; None when not known.
        deal: the number of the first deal. later_trumps: trumps of the next deals, as far as they are known.
    """

    def __init__(
        self,
        table: str,
        reglement: Reglement,
        dealer: Seat,
        trump: Suit | None = None,
        *,
        view: TableView,
        declarer: Seat | None = None,
        deal: int = 1,
        later_trumps: Sequence[Suit | None] = (),
        settings: TrackerSettings | None = None,
    ) -> None:
        """Nothing has been seen yet."""
        self._table = table
        self._reglement = reglement
        self._view = view
        self._settings = settings or TrackerSettings()
        self._later_trumps = list(later_trumps)
        self._sightings = Sightings(self._settings.sightings)
        self._now = _Moment(0.0, None)
        self._newest_identifier = -1
        self._frames = 0
        self._between: NextDealWatch | None = None
        self._deal = self._new_deal(deal, dealer, trump, declarer)

    def update(
        self, frame_time_s: float, wall_utc: datetime, detections: Sequence[CardDetection]
    ) -> tuple[Event, ...]:
        """Take in one frame and tell what it made certain.

        Args:
            frame_time_s: seconds on the source's clock, never going back.
            wall_utc: the same moment for people, with its time zone.
        """
        self._now = _Moment(frame_time_s, wall_utc)
        self._frames += 1
        sightings = self._sightings.update(frame_time_s, detections)
        if sightings:
            self._newest_identifier = max(self._newest_identifier, sightings[-1].identifier)
        return tuple(self._events(sightings))

    def finish(self) -> tuple[Event, ...]:
        """The film is over: tell what is still to be told; a deal whose eight tricks were seen is closed."""
        if self._now.wall_utc is None or self._deal.closed:
            return ()
        watch = self._deal.watch
        last_trick_lies = len(watch.tricks) == TRICKS_IN_A_DEAL and len(watch.current.slots) >= 3
        self._deal.finished = self._deal.finished or last_trick_lies
        return (*self._tell(final=True), *self._covered((), final=True), *self._close())

    def _events(self, sightings: Sequence[Sighting]) -> Iterator[Event]:
        if not self._deal.started and not self._deal.number_is_next:
            yield from self._start()
        if self._deal.closed:
            self._look_for_next_deal(sightings)
            if not self._deal.number_is_next:
                return
        if self._is_dealt_again(sightings):
            yield from self._break_off()
            return
        before = len(self._deal.watch.tricks)
        changed = self._deal.watch.update(self._now.time_s, sightings, self._sightings.card_width)
        if changed and not self._deal.started:
            yield from self._start()
        if not self._deal.started:
            return
        covered = len(self._deal.watch.tricks) > before
        if covered:
            self._deal.finished = before == TRICKS_IN_A_DEAL
            self._sightings.forget(self._deal.watch.gone(sightings))
        if changed or self._frames % self._settings.telling.decode_each_frames == 0 or self._untold():
            yield from self._tell(final=self._deal.finished)
        if covered:
            self._deal.to_cover.append(before)
        yield from self._covered(sightings, final=False)
        yield from self._faces_that_are_no_plays(sightings)
        yield from self._slow_play()
        yield from self._close()

    # ------------------------------------------------------------------------------------------ deals

    def _new_deal(self, number: int, dealer: Seat, trump: Suit | None, declarer: Seat | None) -> _Deal:
        watch = TrickWatch(self._view, self._settings.tricks, self._newest_identifier + 1)
        settings = self._settings.irregularities
        dealing = DealingWatch(self._view, settings, self._now.time_s)
        return _Deal(number, dealer, trump, declarer, watch, FaceWatch(self._view, settings), dealing)

    def _start(self) -> Iterator[Event]:
        deal = self._deal
        deal.started, deal.number_is_next = True, False
        yield DealStarted(
            table=self._table,
            deal=deal.number,
            time_utc=self._now.at(self._now.time_s),
            dealer=deal.dealer,
            reglement=self._reglement.name,
        )
        if deal.trump is not None:
            yield self._trump_declared(deal.trump, 1.0, inferred=False)

    def _look_for_next_deal(self, sightings: Sequence[Sighting]) -> None:
        """Once the table is free, the next face in the middle opens the next deal."""
        if self._between is None:
            self._between = NextDealWatch(self._view, self._now.time_s, self._settings.tricks)
        if self._between.is_free(self._now.time_s, sightings, self._sightings.card_width):
            trump = self._later_trumps.pop(0) if self._later_trumps else None
            self._deal = self._new_deal(self._deal.number + 1, self._deal.dealer.left, trump, None)
            self._deal.number_is_next = True
            self._between = None

    def _close(self) -> Iterator[Event]:
        deal = self._deal
        if not deal.finished or deal.closed or deal.to_cover:
            return
        deal.closed = True
        yield DealClosed(
            table=self._table,
            deal=deal.number,
            time_utc=self._now.at(self._now.time_s),
            confidence=_rounded(min((told.confidence for told in deal.told.values()), default=0.0)),
            video=VideoSpan(self._now.time_s, self._now.time_s),
        )

    # ---------------------------------------------------------------------------------------- telling

    def _untold(self) -> bool:
        number = len(self._deal.watch.tricks)
        told = sum(1 for trick, _ in self._deal.told if trick == number)
        return told < len(self._deal.watch.current.slots)

    def _tell(self, *, final: bool) -> Iterator[Event]:
        deal = self._deal
        decoded = self._decoded(complete=final and deal.finished)
        yield from self._tell_trump(decoded, final=final)
        weighty = self._places_that_accuse(decoded.trump)
        for card in decoded.cards:
            slot = deal.watch.tricks[card.trick - 1].slots[card.laid] if card.laid is not None else None
            if slot is not None:
                yield from self._tell_taken_back(slot, card.trick)
            told = deal.told.get((card.trick, card.position))
            if told is None:
                if final or self._is_ready(card, slot):
                    yield self._card_played(card, slot)
            elif (told.seat, told.card) != (card.seat, card.card):
                yield from self._tell_other(told, card, slot, final=final)
            else:
                told.otherwise = 0
                accuses = (card.trick, card.position) in weighty
                yield from self._tell_surer(told, card, slot, accuses=accuses, final=final)
                yield from self._out_of_turn(decoded, card, slot)
        yield from self._ask(decoded, weighty, final=final)

    def _places_that_accuse(self, trump: Suit) -> set[Place]:
        """The places on which a verzaking rests that the cards told so far prove.

        How sure these are must be told as it is now, and not as it was when they were three frames old.
        """
        told = self._deal.told
        deal = Deal(self._reglement, self._deal.dealer).declared(self._deal.dealer.left, trump)
        order = [(trick, position) for trick in range(1, 9) for position in range(1, 5)]
        for place in takewhile(told.__contains__, order):
            deal = deal.played(told[place].seat, told[place].card)
        places: set[Place] = set()
        for revoke in deal.revokes:
            places |= {(revoke.trick, position) for position in range(1, 5)}
            places |= {place for place in told if told[place].card == revoke.proven_card}
        return places

    def _decoded(self, *, complete: bool) -> DecodedDeal:
        deal = self._deal
        tricks = [
            [self._laid_card(slot) for slot in trick.slots] for trick in deal.watch.tricks[:TRICKS_IN_A_DEAL]
        ]
        return decode_deal(
            tricks,
            self._reglement,
            deal.dealer.left,
            deal.trump,
            maker=self._maker(),
            complete=complete,
        )

    def _maker(self) -> Seat | None:
        """Who made trump: as the table said, or as the reglement obliges."""
        obliged = self._reglement.bidding is Bidding.OBLIGED
        return self._deal.declarer or (self._first_speaker() if obliged else None)

    def _first_speaker(self) -> Seat:
        left_first = self._reglement.first_speaker is FirstSpeaker.LEFT_OF_DEALER
        return self._deal.dealer.left if left_first else self._deal.dealer

    def _laid_card(self, slot: LaidSlot) -> LaidCard:
        return LaidCard(slot.log_probs, degrees_off(self._view, slot.laid_at), slot.laid_s, slot.way)

    def _is_ready(self, card: DecodedCard, slot: LaidSlot | None) -> bool:
        settings = self._settings.telling
        if slot is None:
            return False
        trick_is_over = self._deal.watch.tricks[card.trick - 1].covered_s is not None
        sure = slot.lain >= settings.least_lain and card.probability >= settings.sure
        if not (trick_is_over or sure or slot.lain >= settings.patience_lain):
            return False
        earlier = all((card.trick, position) in self._deal.told for position in range(1, card.position))
        waited = self._now.time_s - slot.laid_s >= settings.wait_for_turn_s
        return earlier or trick_is_over or waited

    def _card_played(self, card: DecodedCard, slot: LaidSlot | None) -> Event:
        confidence = _rounded(card.probability)
        self._deal.told[card.trick, card.position] = _Told(card.seat, card.card, confidence)
        laid_s = slot.laid_s if slot is not None else self._now.time_s
        return CardPlayed(
            table=self._table,
            deal=self._deal.number,
            time_utc=self._now.at(laid_s),
            confidence=confidence,
            video=VideoSpan(slot.first_seen_s, self._now.time_s) if slot is not None else None,
            trick=card.trick,
            position=card.position,
            seat=card.seat,
            card=card.card,
            alternatives=_rounded_alternatives(card),
        )

    def _tell_other(
        self, told: _Told, card: DecodedCard, slot: LaidSlot | None, *, final: bool
    ) -> Iterator[Event]:
        """Correct what was told, when the other reading has stood for a while."""
        told.otherwise += 1
        steady = told.otherwise >= self._settings.telling.steady
        if final or (steady and card.probability >= self._settings.telling.correct_from):
            reason = f"read as {card.seat.value} {card.card.code} with all that was seen of the deal since"
            yield self._correction(told, card, slot, reason)

    def _tell_surer(
        self, told: _Told, card: DecodedCard, slot: LaidSlot | None, *, accuses: bool, final: bool
    ) -> Iterator[Event]:
        """A card told while it was doubtful and certain by now; one that accuses, when it changed at all."""
        settings = self._settings.telling
        doubtful = told.confidence < settings.sure and card.probability >= settings.confirm_from
        change = abs(told.confidence - _rounded(card.probability))
        worth_telling = settings.last_accusing_change if final else settings.accusing_change
        if doubtful or (accuses and change >= worth_telling):
            yield self._correction(told, card, slot, "the same card, by all that was seen of the deal since")

    def _correction(self, told: _Told, card: DecodedCard, slot: LaidSlot | None, reason: str) -> Event:
        told.seat, told.card, told.confidence = card.seat, card.card, _rounded(card.probability)
        told.otherwise = 0
        return Correction(
            table=self._table,
            deal=self._deal.number,
            time_utc=self._now.at(self._now.time_s),
            confidence=told.confidence,
            video=VideoSpan(slot.first_seen_s, slot.last_in_place_s) if slot is not None else None,
            trick=card.trick,
            position=card.position,
            seat=card.seat,
            card=card.card,
            by=TRACKER,
            reason=reason,
            alternatives=_rounded_alternatives(card),
        )

    def _tell_taken_back(self, slot: LaidSlot, trick: int) -> Iterator[Event]:
        """A card that lay in the trick and was taken back has been shown: article 11."""
        while slot.taken_back:
            laid = LaidSlot(slot.laid_at, slot.laid_s, {0: slot.taken_back.pop()}, way=slot.way)
            ((card,),) = [
                decode_deal([[self._laid_card(laid)]], self._reglement, Seat.NORTH, Suit.CLUBS).cards
            ]
            yield CardTakenBack(
                table=self._table,
                deal=self._deal.number,
                time_utc=self._now.at(laid.last_in_place_s),
                confidence=_rounded(card.probability),
                video=VideoSpan(laid.first_seen_s, laid.last_in_place_s),
                card=card.card,
                seat=card.seat,
                trick=trick,
            )

    def _covered(self, sightings: Sequence[Sighting], *, final: bool) -> Iterator[Event]:
        """Tell of the tricks gathered, once it was seen to which side they went or that takes too long."""
        deal = self._deal
        while deal.to_cover:
            number = deal.to_cover[0]
            trick = deal.watch.tricks[number - 1]
            gathered_by = deal.watch.gathered_by(number, sightings, self._sightings.card_width)
            covered_s = self._now.time_s if trick.covered_s is None else trick.covered_s
            waits = self._now.time_s - covered_s < self._settings.telling.wait_for_pile_s
            if gathered_by is None and waits and not final:
                return
            deal.to_cover.pop(0)
            complete = len(trick.slots) == CARDS_IN_A_TRICK
            yield TrickCovered(
                table=self._table,
                deal=deal.number,
                time_utc=self._now.at(covered_s),
                confidence=_SUREST_BY_CAMERA if complete else 0.5,
                video=VideoSpan(min(slot.last_in_place_s for slot in trick.slots), self._now.time_s),
                trick=number,
                gathered_by=gathered_by,
            )
            yield from self._wrong_pile(number, gathered_by)

    # ----------------------------------------------------------------------------------- irregularities

    def _told_tricks(self, until: int) -> list[dict[int, ToldPlay]]:
        tricks: list[dict[int, ToldPlay]] = [{} for _ in range(until)]
        for (trick, position), told in self._deal.told.items():
            if trick <= until:
                tricks[trick - 1][position] = ToldPlay(told.seat, told.card, told.confidence)
        return tricks

    def _sure_trump(self) -> Suit | None:
        told = self._deal.trump_told
        inferred = told[0] if told is not None and told[1] >= self._settings.telling.sure_of_trump else None
        return self._deal.trump or inferred

    def _out_of_turn(self, decoded: DecodedDeal, card: DecodedCard, slot: LaidSlot | None) -> Iterator[Event]:
        """A card told at its place, once that place is sure: right after it came it may seem another."""
        deal, place = self._deal, (card.trick, card.position)
        if (
            slot is None
            or place in deal.turns_told
            or card.probability < self._settings.irregularities.sure_of_turn
        ):
            return
        tricks = self._told_tricks(card.trick)
        for other in decoded.trick(card.trick):
            tricks[-1][other.position] = ToldPlay(other.seat, other.card, other.probability)
        if not came_before_its_turn(
            tricks,
            card.position,
            deal.dealer.left,
            self._sure_trump(),
            self._settings.irregularities.sure_of_turn,
        ):
            return
        deal.turns_told.add(place)
        yield CardPlayedOutOfTurn(
            **self._fact(card.probability, slot.laid_s, slot.first_seen_s),
            seat=card.seat,
            card=card.card,
            trick=card.trick,
        )

    def _wrong_pile(self, number: int, gathered_by: Team | None) -> Iterator[Event]:
        trick = self._told_tricks(number)[-1]
        sure = self._settings.telling.sure
        found = wrong_pile(trick, self._sure_trump(), gathered_by, sure)
        if found is not None and gathered_by is not None:
            winner, confidence = found
            yield TrickGatheredWrongly(
                **self._fact(confidence, self._now.time_s),
                trick=number,
                gathered_by=gathered_by,
                winner=winner,
            )

    def _faces_that_are_no_plays(self, sightings: Sequence[Sighting]) -> Iterator[Event]:
        deal, width = self._deal, self._sightings.card_width
        played = {told.card for told in deal.told.values()}
        for face in deal.faces.foreign(sightings, width):
            yield ForeignCardSeen(**self._shown(face), seat=face.seat)
        for face in deal.faces.shown(sightings, played, width):
            if face.card is not None:
                yield CardExposed(**self._shown(face), card=face.card, seat=face.seat)
        owners = {refused.identifier: owner for refused, owner in deal.watch.refused}
        refused = [sighting for sighting, _ in deal.watch.refused]
        for face in deal.faces.beside(refused, played, width):
            yield from self._beside(face, owners[face.sighting.identifier])

    def _beside(self, face: ShownFace, owner: LaidSlot) -> Iterator[Event]:
        """A second card of a player in the trick: laid together with the first, else shown later."""
        if face.card is None or face.sighting.settled_s is None:
            return
        number = len(self._deal.watch.tricks)
        slots = self._deal.watch.current.slots
        if number > TRICKS_IN_A_DEAL:
            return
        decoded = self._decoded(complete=False).trick(number)
        first = next((card for card in decoded if card.laid == slots.index(owner)), None)
        together_s = self._settings.irregularities.together_s
        if first is not None and face.sighting.settled_s - owner.laid_s <= together_s:
            yield CardsPlayedTogether(
                **self._shown(face), seat=first.seat, trick=number, cards=(first.card, face.card)
            )
        elif first is not None:
            yield CardExposed(**self._shown(face), card=face.card, seat=first.seat)

    def _shown(self, face: ShownFace) -> _Fact:
        since_s = face.sighting.settled_s or face.sighting.first_seen_s
        return self._fact(face.confidence, since_s, face.sighting.first_seen_s)

    def _fact(self, confidence: float, at_s: float, from_s: float | None = None) -> _Fact:
        """What all events share."""
        return {
            "table": self._table,
            "deal": self._deal.number,
            "time_utc": self._now.at(at_s),
            "confidence": _rounded(confidence),
            "video": VideoSpan(at_s if from_s is None else from_s, self._now.time_s),
        }

    def _slow_play(self) -> Iterator[Event]:
        """The table waits for a player for longer than the reglement gives (article 10)."""
        deal, watch = self._deal, self._deal.watch
        number, slots = len(watch.tricks), watch.current.slots
        if deal.closed or number > TRICKS_IN_A_DEAL or (number == 1 and not slots) or self._untold():
            return
        covered_s = watch.tricks[-2].covered_s if number > 1 else None
        since_s = max([slot.laid_s for slot in slots] + ([covered_s] if covered_s is not None else []))
        waited_s = self._now.time_s - since_s
        if waited_s <= self._reglement.thinking_seconds:
            return
        waits_for = turn(self._told_tricks(number), deal.dealer.left, self._sure_trump())
        if waits_for is not None and waits_for[:2] not in deal.slow_told:
            trick, position, seat = waits_for
            deal.slow_told.add((trick, position))
            yield SlowPlay(
                **self._fact(_SUREST_BY_CAMERA, self._now.time_s, since_s),
                seat=seat,
                trick=trick,
                position=position,
                seconds=round(waited_s, 1),
            )

    def _is_dealt_again(self, sightings: Sequence[Sighting]) -> bool:
        deal = self._deal
        dealing = deal.dealing.is_dealing(self._now.time_s, sightings, self._sightings.card_width)
        return dealing and bool(deal.told) and not deal.finished

    def _break_off(self) -> Iterator[Event]:
        """Cards are dealt while a deal goes on: it was broken off, or the end of its last trick not seen."""
        deal = self._deal
        if len(deal.watch.tricks) >= TRICKS_IN_A_DEAL:
            deal.finished = True
            yield from self._tell(final=True)
            yield from self._covered((), final=True)
            yield from self._close()
            return
        yield DealClosed(**self._fact(self._settings.telling.sure, self._now.time_s), reason=BROKEN_OFF)
        self._deal = self._new_deal(deal.number, deal.dealer, None, None)
        self._deal.number_is_next = True

    def _ask(self, decoded: DecodedDeal, weighty: set[Place], *, final: bool) -> Iterator[Event]:
        """Ask for the cards that stay doubtful, and for those on which an unsure accusation rests."""
        deal, settings = self._deal, self._settings.telling
        for card in decoded.cards:
            place = (card.trick, card.position)
            told = deal.told.get(place)
            over = final or deal.watch.tricks[card.trick - 1].covered_s is not None
            if told is None or place in deal.asked or not over:
                continue
            reason = _doubt(card, settings, accuses=place in weighty)
            if reason is not None:
                deal.asked.add(place)
                slot = None if card.laid is None else deal.watch.tricks[card.trick - 1].slots[card.laid]
                yield CardDoubtful(
                    table=self._table,
                    deal=deal.number,
                    time_utc=self._now.at(self._now.time_s if slot is None else slot.laid_s),
                    confidence=_rounded(card.probability),
                    video=None if slot is None else VideoSpan(slot.first_seen_s, slot.last_in_place_s),
                    trick=card.trick,
                    position=card.position,
                    seat=card.seat,
                    card=card.card,
                    reason=reason,
                    alternatives=_rounded_alternatives(card),
                )

    def _tell_trump(self, decoded: DecodedDeal, *, final: bool) -> Iterator[Event]:
        """Tell the trump inferred once it is likely, and again when it changed or became sure."""
        deal, settings = self._deal, self._settings.telling
        sure = decoded.trump_probabilities[decoded.trump]
        if deal.trump is not None or sure < settings.likely_trump:
            return
        told, confidence = deal.trump_told, _rounded(sure)
        surer = told is not None and told[1] < (confidence if final else settings.sure_of_trump) <= confidence
        if told is None or told[0] is not decoded.trump or surer:
            deal.trump_told = (decoded.trump, confidence)
            yield self._trump_declared(decoded.trump, confidence, inferred=True)

    def _trump_declared(self, trump: Suit, confidence: float, *, inferred: bool) -> Event:
        deal = self._deal
        maker = self._maker()
        return TrumpDeclared(
            table=self._table,
            deal=deal.number,
            time_utc=self._now.at(self._now.time_s),
            confidence=confidence,
            video=VideoSpan(self._now.time_s, self._now.time_s) if inferred else None,
            seat=maker or self._first_speaker(),
            trump=trump,
            inferred=inferred,
            declarer_known=maker is not None,
        )


@dataclass(frozen=True, slots=True)
class _Moment:
    """The frame being looked at, by both clocks."""

    time_s: float
    wall_utc: datetime | None

    def at(self, time_s: float) -> datetime:
        """The wall clock at another time of the source's clock."""
        assert self.wall_utc is not None, "no frame has been seen"
        return self.wall_utc - timedelta(seconds=self.time_s - time_s)


@dataclass(slots=True)
class _Told:
    """What was told of one place. otherwise: how many decodings running have read it differently."""

    seat: Seat
    card: Card
    confidence: float
    otherwise: int = 0


@dataclass(slots=True)
class _Deal:
    """One deal as it goes on.

    number_is_next: the table is free for it, and its first card has yet to come.
    finished: its eight tricks are over. closed: that was told. to_cover: tricks gathered and not told so yet.
    slow_told: for which places it was told that the table waits. asked: which cards are to be confirmed.
    turns_told: where it was told that a card came out of turn.
    """

    number: int
    dealer: Seat
    trump: Suit | None
    declarer: Seat | None
    watch: TrickWatch
    faces: FaceWatch
    dealing: DealingWatch
    started: bool = False
    number_is_next: bool = False
    finished: bool = False
    closed: bool = False
    told: dict[Place, _Told] = field(default_factory=dict)
    to_cover: list[int] = field(default_factory=list)
    trump_told: tuple[Suit, float] | None = None
    slow_told: set[Place] = field(default_factory=set)
    asked: set[Place] = field(default_factory=set)
    turns_told: set[Place] = field(default_factory=set)


class _Fact(TypedDict):
    """What all events share; see :class:`tracker.events.Event`."""

    table: str
    deal: int
    time_utc: datetime
    confidence: float
    video: VideoSpan | None


def _doubt(card: DecodedCard, settings: TellingSettings, *, accuses: bool) -> str | None:
    """Why a card is to be confirmed, one of :data:`tracker.events.types.DOUBTS`; None when it is not."""
    if card.laid is None and card.probability < settings.confirm_from:
        return "unseen"
    if card.probability < settings.ask_below:
        return "alike"
    return "accuses" if accuses and card.probability < settings.confirm_from else None


_SUREST_BY_CAMERA: Final = 0.9999


def _rounded(probability: float) -> float:
    """Four decimals, and never 1: what a camera saw is not certain."""
    return min(round(probability, 4), _SUREST_BY_CAMERA)


def _rounded_alternatives(card: DecodedCard) -> tuple[tuple[Card, float], ...]:
    return tuple((other, round(chance, 3)) for other, chance in card.alternatives)
