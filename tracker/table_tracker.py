"""From the detections of one table to its events.

    detections -> Sightings -> TrickWatch -> decode_deal -> events
                  (one card     (which       (what they     (told once,
                   over time)    trick)       must be)       corrected when proven wrong)

Nothing is told before a card was seen still a few times, and nothing told is taken back but by a
``Correction``. The same detections give the same events: no clock, no chance, no state from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from math import prod

from detector.types import CardDetection
from rules import Card, Deal, Reglement, Revoke, Seat, Suit
from tracker.deal_decoder import DecodedCard, DecodedDeal, decode_deal
from tracker.dealing import DealingWatch
from tracker.events.fold import verzaking_certainty
from tracker.events.types import (
    ACCUSES,
    BROKEN_OFF,
    TRACKER,
    CardDoubtful,
    CardPlayed,
    CardTakenBack,
    Correction,
    DealClosed,
    DealStarted,
    Event,
    TrickCovered,
    TrumpDeclared,
    VideoSpan,
)
from tracker.irregularities import FaceWatch
from tracker.irregularity_events import (
    faces_that_are_no_plays,
    gathered_wrongly,
    hands_of_wrong_size,
    out_of_turn,
    slow_play,
)
from tracker.scene import (
    SUREST_BY_CAMERA,
    TRICKS_IN_A_DEAL,
    DealProgress,
    Moment,
    Place,
    Scene,
    ToldCard,
    rounded,
)
from tracker.settings import TellingSettings, TrackerSettings
from tracker.sightings import Sighting, Sightings
from tracker.table_view import TableView
from tracker.trick_watch import CARDS_IN_A_TRICK, LaidSlot, NextDealWatch, TrickWatch


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
        self._now = Moment(0.0, None)
        self._newest_identifier = -1
        self._frames = 0
        self._between: NextDealWatch | None = None
        self._dealing = DealingWatch(view, self._settings.irregularities)
        self._deal = self._new_deal(deal, dealer, trump, declarer)

    def update(
        self, frame_time_s: float, wall_utc: datetime, detections: Sequence[CardDetection]
    ) -> tuple[Event, ...]:
        """Take in one frame and tell what it made certain.

        Args:
            frame_time_s: seconds on the source's clock, never going back.
            wall_utc: the same moment for people, with its time zone.
        """
        self._now = Moment(frame_time_s, wall_utc)
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
        dealing = self._dealing.begins(self._now.time_s, sightings, self._sightings.card_width)
        if dealing and self._is_dealt_again():
            yield from self._break_off()
            if not self._deal.closed:
                return
        if self._deal.closed:
            self._look_for_next_deal(sightings, dealing=dealing)
            if not self._deal.number_is_next:
                return
        if dealing:
            self._deal.dealt = True
            if not self._deal.started:
                yield from self._start()
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
        if (
            changed
            or self._frames % self._settings.telling.decode_each_frames == 0
            or self._deal.has_untold()
        ):
            yield from self._tell(final=self._deal.finished)
        if covered:
            self._deal.to_cover.append(before)
        yield from self._covered(sightings, final=False)
        yield from faces_that_are_no_plays(self.scene(), sightings)
        yield from hands_of_wrong_size(self.scene(), sightings)
        yield from slow_play(self.scene())
        yield from self._close()

    def scene(self) -> Scene:
        """What is known of the table at this moment."""
        return Scene(
            self._table,
            self._reglement,
            self._settings,
            self._view,
            self._deal,
            self._now,
            self._sightings.card_width,
        )

    # ------------------------------------------------------------------------------------------ deals

    def _new_deal(self, number: int, dealer: Seat, trump: Suit | None, declarer: Seat | None) -> DealProgress:
        watch = TrickWatch(self._view, self._settings.tricks, self._newest_identifier + 1)
        faces = FaceWatch(self._view, self._settings.irregularities)
        return DealProgress(number, dealer, trump, declarer, watch, faces)

    def _start(self) -> Iterator[Event]:
        deal = self._deal
        deal.started, deal.number_is_next = True, False
        yield DealStarted(
            table=self._table,
            deal=deal.number,
            time_utc=self._now.at(self._now.time_s),
            video=VideoSpan(self._dealing.began_s, self._now.time_s) if deal.dealt else None,
            dealer=deal.dealer,
            reglement=self._reglement.name,
        )
        if deal.trump is not None:
            yield self._trump_declared(deal.trump, 1.0, inferred=False)

    def _look_for_next_deal(self, sightings: Sequence[Sighting], *, dealing: bool) -> None:
        """The next deal opens with its dealing, or with the next face in the middle of a free table."""
        if self._between is None:
            self._between = NextDealWatch(self._view, self._now.time_s, self._settings.tricks)
        free = self._between.is_free(self._now.time_s, sightings, self._sightings.card_width)
        if dealing or free:
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
            confidence=rounded(min((told.confidence for told in deal.told.values()), default=0.0)),
            video=VideoSpan(self._now.time_s, self._now.time_s),
        )

    # ---------------------------------------------------------------------------------------- telling

    def _tell(self, *, final: bool) -> Iterator[Event]:
        deal = self._deal
        # Where a hand had a card too many, what was not seen cannot be told from what is left.
        counted = not deal.counts_told and not deal.watch.after_the_last
        decoded = self.scene().decoded(complete=final and deal.finished and counted)
        yield from self._tell_trump(decoded, final=final)
        as_told: list[tuple[ToldCard, DecodedCard, LaidSlot | None]] = []
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
                as_told.append((told, card, slot))
        # Not before: a card corrected just now may accuse, and how sure its proof is must be known with it.
        accusations = self._accusations(decoded.trump)
        weighty = set().union(*accusations.values())
        for told, card, slot in as_told:
            accuses = (card.trick, card.position) in weighty
            yield from self._tell_surer(told, card, slot, accuses=accuses, final=final)
            yield from out_of_turn(self.scene(), decoded, card, slot)
        weakest = self._weakest_proofs(accusations, decoded) if final and deal.finished else set()
        yield from self._ask(decoded, weighty, weakest, final=final)

    def _accusations(self, trump: Suit) -> dict[Revoke, set[Place]]:
        """For each verzaking that the cards told so far prove: the places on which it rests.

        How sure these are must be told as it is now, and not as it was when they were three frames old.
        """
        told = self._deal.told
        deal = Deal(self._reglement, self._deal.dealer).declared(self._deal.dealer.left, trump)
        order = [(trick, position) for trick in range(1, 9) for position in range(1, 5)]
        for place in takewhile(told.__contains__, order):
            deal = deal.played(told[place].seat, told[place].card)
        return {
            revoke: {(revoke.trick, position) for position in range(1, 5)}
            | {place for place in told if told[place].card == revoke.proven_card}
            for revoke in deal.revokes
        }

    def _weakest_proofs(self, accusations: Mapping[Revoke, set[Place]], decoded: DecodedDeal) -> set[Place]:
        """Of each verzaking that stands at the end and is not sure: the card that makes it least sure."""
        told, weakest = self._deal.told, set()
        for places in accusations.values():
            chances = [told[place].confidence for place in places if place in told]
            read_right = prod([*chances, decoded.trump_probabilities[decoded.trump]])
            if verzaking_certainty(read_right, accusations) < self._settings.telling.sure_of_verzaking:
                weakest.add(min(places & told.keys(), key=lambda place: (told[place].confidence, place)))
        return weakest

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
        confidence = rounded(card.probability)
        self._deal.told[card.trick, card.position] = ToldCard(card.seat, card.card, confidence)
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
        self, told: ToldCard, card: DecodedCard, slot: LaidSlot | None, *, final: bool
    ) -> Iterator[Event]:
        """Correct what was told, when the other reading has stood for a while."""
        told.otherwise += 1
        steady = told.otherwise >= self._settings.telling.steady
        if final or (steady and card.probability >= self._settings.telling.correct_from):
            reason = f"read as {card.seat.value} {card.card.code} with all that was seen of the deal since"
            yield self._correction(told, card, slot, reason)

    def _tell_surer(
        self, told: ToldCard, card: DecodedCard, slot: LaidSlot | None, *, accuses: bool, final: bool
    ) -> Iterator[Event]:
        """A card told while doubtful and certain by now, or the reverse; one that accuses, at any change."""
        settings = self._settings.telling
        doubtful = told.confidence < settings.sure and card.probability >= settings.confirm_from
        doubtful |= (
            told.confidence >= settings.confirm_from and _doubt(card, settings, accuses=False) is not None
        )
        change = abs(told.confidence - rounded(card.probability))
        worth_telling = settings.last_accusing_change if final else settings.accusing_change
        if doubtful or (accuses and change >= worth_telling):
            yield self._correction(told, card, slot, "the same card, by all that was seen of the deal since")

    def _correction(self, told: ToldCard, card: DecodedCard, slot: LaidSlot | None, reason: str) -> Event:
        told.seat, told.card, told.confidence = card.seat, card.card, rounded(card.probability)
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
                decode_deal([[self.scene().laid_card(laid)]], self._reglement, Seat.NORTH, Suit.CLUBS).cards
            ]
            yield CardTakenBack(
                table=self._table,
                deal=self._deal.number,
                time_utc=self._now.at(laid.last_in_place_s),
                confidence=rounded(card.probability),
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
                confidence=SUREST_BY_CAMERA if complete else 0.5,
                video=VideoSpan(min(slot.last_in_place_s for slot in trick.slots), self._now.time_s),
                trick=number,
                gathered_by=gathered_by,
            )
            yield from gathered_wrongly(self.scene(), number, gathered_by)

    def _is_dealt_again(self) -> bool:
        """Whether a dealing that begins now is another one than this deal's own."""
        deal = self._deal
        return (bool(deal.told) or deal.dealt) and not deal.finished

    def _break_off(self) -> Iterator[Event]:
        """Packets lie before all four while a deal goes on: it was dealt again, or the hands were laid down.

        When the eighth trick lies, the end of it was not seen.
        """
        deal = self._deal
        if len(deal.watch.tricks) >= TRICKS_IN_A_DEAL:
            deal.finished = True
            yield from self._tell(final=True)
            yield from self._covered((), final=True)
            yield from self._close()
            return
        yield DealClosed(
            **self.scene().facts(self._settings.telling.sure, self._now.time_s), reason=BROKEN_OFF
        )
        self._deal = self._new_deal(deal.number, deal.dealer, None, None)
        self._deal.number_is_next = True

    def _ask(
        self, decoded: DecodedDeal, weighty: set[Place], weakest: set[Place], *, final: bool
    ) -> Iterator[Event]:
        """Ask for the cards that stay doubtful, and for those on which an unsure accusation rests."""
        deal, settings = self._deal, self._settings.telling
        for card in decoded.cards:
            place = (card.trick, card.position)
            told = deal.told.get(place)
            over = final or deal.watch.tricks[card.trick - 1].covered_s is not None
            if told is None or place in deal.asked or not over:
                continue
            reason = _doubt(card, settings, accuses=place in weighty)
            if place in weakest and (reason is None or card.laid is not None):
                reason = ACCUSES
            if reason is not None:
                deal.asked.add(place)
                slot = None if card.laid is None else deal.watch.tricks[card.trick - 1].slots[card.laid]
                yield CardDoubtful(
                    table=self._table,
                    deal=deal.number,
                    time_utc=self._now.at(self._now.time_s if slot is None else slot.laid_s),
                    confidence=rounded(card.probability),
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
        told, confidence = deal.trump_told, rounded(sure)
        surer = told is not None and told[1] < (confidence if final else settings.sure_of_trump) <= confidence
        if told is None or told[0] is not decoded.trump or surer:
            deal.trump_told = (decoded.trump, confidence)
            yield self._trump_declared(decoded.trump, confidence, inferred=True)

    def _trump_declared(self, trump: Suit, confidence: float, *, inferred: bool) -> Event:
        deal = self._deal
        maker = self.scene().maker()
        return TrumpDeclared(
            table=self._table,
            deal=deal.number,
            time_utc=self._now.at(self._now.time_s),
            confidence=confidence,
            video=VideoSpan(self._now.time_s, self._now.time_s) if inferred else None,
            seat=maker or self.scene().first_speaker(),
            trump=trump,
            inferred=inferred,
            declarer_known=maker is not None,
        )


def _doubt(card: DecodedCard, settings: TellingSettings, *, accuses: bool) -> str | None:
    """Why a card is to be confirmed, one of :data:`tracker.events.types.DOUBTS`; None when it is not."""
    if card.laid is None and card.probability < settings.confirm_from:
        return "unseen"
    if card.probability < settings.ask_below:
        return "alike"
    accuses = accuses or card.contested
    return ACCUSES if accuses and card.probability < settings.confirm_from else None


def _rounded_alternatives(card: DecodedCard) -> tuple[tuple[Card, float], ...]:
    return tuple((other, round(chance, 3)) for other, chance in card.alternatives)
