"""From a table's events to its deals: everything that is shown anywhere is computed here.

The order in which facts arrive says little: a card may be recognised two tricks later, a trump may be told
from the play. So the facts of a deal are first collected, each at its place, and then told to
:class:`rules.Deal` in the order of the game. The same events always give the same deals, and a correction
anywhere recomputes all that follows from it.

Who outranks whom:
    a card        what a person corrected, else what the tracker said last
    trump         what the table declared last, else what was inferred last
    dealer        the last ``DealStarted`` of the deal
    a deal again  a ``DealStarted`` after the deal was broken off, or after the ruling ``opnieuw-delen`` or
                  ``verzaakt-individueel``, forgets the facts before it
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from types import MappingProxyType
from typing import Final

import rules
from rules import (
    KLAVERJAS_DRIVE,
    Card,
    Deal,
    Decision,
    PenaltyCall,
    Reglement,
    Revoke,
    Seat,
    Team,
    reglement_named,
)
from tracker.events.told_trump import told_trump_certainty
from tracker.events.types import (
    PLAYED,
    TRACKER,
    CardExposed,
    CardPlayed,
    CardTakenBack,
    Correction,
    DealAgreed,
    DealClosed,
    DealStarted,
    Event,
    PenaltyCardCalled,
    PlayerPassed,
    RoemCalled,
    Ruling,
    TrickCovered,
    TrumpDeclared,
    VideoSpan,
)

Place = tuple[int, int]
"""Trick 1 to 8 and position 1 to 4."""

BesidePlay = CardExposed | CardTakenBack | PenaltyCardCalled
"""A card that was shown, and so a strafkaart until it is played (article 11)."""

_VERZAKEN_AGAINST_MISREADING: Final = 0.02
"""One deal in a hundred has a verzaking, and a misread card looks like one about every second time."""

_WHERE_OTHERS_SEEM_TO: Final = 0.1
"""So much less where another player seems to have verzaakt too: rather were cards misread in that deal."""

_DEALT_AGAIN: Final = ("opnieuw-delen", "verzaakt-individueel")
_PLACES: Final[tuple[Place, ...]] = tuple(
    (trick, position) for trick in range(1, 9) for position in range(1, 5)
)


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card of a deal, at its place, as far as is known now.

    confidence: how probable ``card`` is; 1 when a person said it.
    alternatives: other cards that it might be, with their probabilities, most probable first.
    video, time_utc: where and when it was played, also after a correction.
    corrected_by: who changed it last (``"tracker"`` or a person); None when nobody did.
    """

    trick: int
    position: int
    seat: Seat
    card: Card
    confidence: float
    alternatives: tuple[tuple[Card, float], ...]
    video: VideoSpan | None
    time_utc: datetime
    corrected_by: str | None = None


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal with all that is known of it.

    number: 1, 2, … within the match.
    deal: the facts as the rules see them, up to the first place in ``missing``.
    cards: every card known, by trick and position, those after a missing one too.
    last_card: the card at the last place known.
    missing: places with no card though a later place of the deal has one: to be asked about.
    trump_confidence: how sure trump is: 1 when the table declared it, 0 when it is not known.
    declarer_known: False when nobody has said who plays: the side that must play is assumed, and to be asked.
    agreed: what each side said of the score last; a side that said nothing is absent.
    closed: the deal is over.
    rulings: the wedstrijdleider's decisions in force, undone ones left out.
    events: all events of this deal, in the order they came.
    """

    number: int
    deal: Deal
    cards: tuple[SeenCard, ...]
    last_card: SeenCard | None
    agreed: Mapping[Team, bool]
    closed: bool
    events: tuple[Event, ...]
    missing: tuple[Place, ...] = ()
    trump_confidence: float = 0.0
    declarer_known: bool = False
    rulings: tuple[Ruling, ...] = ()


def fold_deals(events: Iterable[Event], reglement: Reglement | None = None) -> tuple[DealRecord, ...]:
    """The deals that ``events`` of one table and match tell of, by number.

    Args:
        events: in the order they came; those of other kinds are kept in ``DealRecord.events``.
        reglement: the club's own rules; None takes the one named by each ``DealStarted``.

    A deal of which neither the start nor the first lead was seen is dealt by the left-hand neighbour of the
    last dealer, and by South when that is not known either.

    Raises:
        ReglementError: when ``reglement`` is None and a deal names one that does not exist.
    """
    by_number: dict[int, list[Event]] = {}
    for event in events:
        by_number.setdefault(event.deal, []).append(event)
    records: list[DealRecord] = []
    for number in sorted(by_number):
        records.append(_fold_one(number, by_number[number], reglement, records[-1] if records else None))
    return tuple(records)


def revoke_certainty(record: DealRecord, revoke: Revoke) -> tuple[float, tuple[SeenCard, ...]]:
    """How sure a verzaking is, 0 to 1, and the cards that it rests on.

    It rests on the cards of its trick, on the card that proves it, and on trump. That all of these were read
    right is as probable as the product of their probabilities. A verzaking is rare, though, and a misread
    card often looks like one, so the chance of a misreading weighs more (Bayes): when all was read right with
    a probability of 0.97, a verzaking is less likely than not. It becomes sure as the rest of the deal leaves
    no other reading. Where two players seem to have verzaakt in one deal, cards were rather misread; where
    several seem to have and another trump explains it, trump was rather told wrongly.
    """
    rests_on = tuple(card for card in record.cards if _decides(card, revoke))
    read_right = record.trump_confidence
    for card in rests_on:
        read_right *= card.confidence
    certainty = verzaking_certainty(read_right, record.deal.revokes)
    times_told = _times_told(record)
    if times_told:
        certainty *= told_trump_certainty(record.deal, times_told)
    return certainty, rests_on


def _times_told(record: DealRecord) -> int:
    """How often people told the trump that counts, one time after the other; 0 when it was inferred."""
    told = [event for event in record.events if isinstance(event, TrumpDeclared) and not event.inferred]
    same = takewhile(lambda event: event.trump is record.deal.trump, reversed(told))
    return sum(1 for _ in same)


def verzaking_certainty(read_right: float, all_proven: Collection[Revoke]) -> float:
    """How sure a verzaking is when all cards it rests on were read right with this probability.

    Args:
        all_proven: the verzakingen that seem proven in its deal, itself among them.
    """
    verzaakt = read_right * _VERZAKEN_AGAINST_MISREADING
    if len({revoke.seat for revoke in all_proven}) > 1:
        verzaakt *= _WHERE_OTHERS_SEEM_TO
    return verzaakt / (verzaakt + (1 - read_right)) if verzaakt > 0 else 0.0


def _decides(card: SeenCard, revoke: Revoke) -> bool:
    if card.trick == revoke.proven_trick and card.card == revoke.proven_card:
        return True
    return card.trick == revoke.trick


@dataclass(slots=True)
class _Facts:
    """The facts of one deal, each where it belongs; the later of two of a kind stays."""

    started: DealStarted | None = None
    passes: list[PlayerPassed] = field(default_factory=list)
    declared: TrumpDeclared | None = None
    cards: dict[Place, SeenCard] = field(default_factory=dict)
    roem: dict[int, list[RoemCalled]] = field(default_factory=dict)
    covered: dict[int, TrickCovered] = field(default_factory=dict)
    agreed: dict[Team, bool] = field(default_factory=dict)
    closed: DealClosed | None = None
    after_trick: dict[int, list[Ruling | BesidePlay]] = field(default_factory=dict)


def _fold_one(
    number: int, events: Sequence[Event], reglement: Reglement | None, before: DealRecord | None
) -> DealRecord:
    rulings = tuple(event for event in events if isinstance(event, Ruling))
    in_force = _not_undone(rulings)
    facts = _collect(events, in_force)
    cards = tuple(facts.cards[place] for place in _PLACES if place in facts.cards)
    missing = _missing_places(facts.cards)
    return DealRecord(
        number=number,
        deal=_told_to_rules(number, facts, missing, reglement, before),
        cards=cards,
        last_card=cards[-1] if cards else None,
        agreed=MappingProxyType(facts.agreed),
        closed=facts.closed is not None,
        events=tuple(events),
        missing=missing,
        trump_confidence=facts.declared.confidence if facts.declared else 0.0,
        declarer_known=facts.declared is not None and facts.declared.declarer_known,
        rulings=in_force,
    )


def _not_undone(rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
    """The rulings in force. Read from the last to the first, since an undoing can be undone itself."""
    undone: set[int] = set()
    for count in range(len(rulings), 0, -1):
        ruling = rulings[count - 1]
        if ruling.undoes is not None and count not in undone:
            undone.add(ruling.undoes)
    return tuple(
        ruling
        for count, ruling in enumerate(rulings, start=1)
        if count not in undone and ruling.undoes is None
    )


def _collect(events: Sequence[Event], rulings_in_force: Sequence[Ruling]) -> _Facts:
    facts = _Facts()
    dealt_again = False
    for event in events:
        if isinstance(event, DealStarted) and dealt_again:
            facts, dealt_again = _Facts(), False
        if not isinstance(event, Ruling) or any(event is ruling for ruling in rulings_in_force):
            _apply(facts, event)
        dealt_again = dealt_again or _breaks_off(event, rulings_in_force)
    return facts


def _breaks_off(event: Event, rulings_in_force: Sequence[Ruling]) -> bool:
    if isinstance(event, DealClosed):
        return event.reason != PLAYED
    return (
        isinstance(event, Ruling)
        and event.decision in _DEALT_AGAIN
        and any(event is ruling for ruling in rulings_in_force)
    )


def _apply(facts: _Facts, event: Event) -> None:
    """Put one event where it belongs; events that say nothing of the play are passed over."""
    match event:
        case DealStarted():
            facts.started = event
        case PlayerPassed():
            facts.passes.append(event)
        case TrumpDeclared():
            if facts.declared is None or facts.declared.inferred or not event.inferred:
                facts.declared = event
        case CardPlayed():
            _apply_card(facts.cards, event)
        case Correction():
            _apply_correction(facts.cards, event)
        case RoemCalled():
            facts.roem.setdefault(event.trick, []).append(event)
        case TrickCovered():
            facts.covered.setdefault(event.trick, event)
        case DealAgreed():
            facts.agreed[event.team] = event.agreed
        case DealClosed():
            facts.closed = event
        case Ruling() | CardExposed() | CardTakenBack() | PenaltyCardCalled():
            facts.after_trick.setdefault(max(facts.covered, default=0), []).append(event)
        case _:
            pass


def _apply_card(cards: dict[Place, SeenCard], event: CardPlayed) -> None:
    place = (event.trick, event.position)
    if place not in cards or not _by_a_person(cards[place]):
        cards[place] = _seen(event, event.video, event.time_utc, None)


def _apply_correction(cards: dict[Place, SeenCard], event: Correction) -> None:
    place = (event.trick, event.position)
    known = cards.get(place)
    if known is not None and _by_a_person(known) and event.by == TRACKER:
        return
    video = event.video if known is None or known.video is None else known.video
    time_utc = event.time_utc if known is None else known.time_utc
    cards[place] = _seen(event, video, time_utc, None if _only_confirms(known, event) else event.by)


def _seen(
    event: CardPlayed | Correction, video: VideoSpan | None, time_utc: datetime, corrected_by: str | None
) -> SeenCard:
    return SeenCard(
        trick=event.trick,
        position=event.position,
        seat=event.seat,
        card=event.card,
        confidence=event.confidence,
        alternatives=event.alternatives,
        video=video,
        time_utc=time_utc,
        corrected_by=corrected_by,
    )


def _only_confirms(known: SeenCard | None, event: Correction) -> bool:
    """The tracker is surer of the same card now: nothing was corrected."""
    return (
        event.by == TRACKER
        and known is not None
        and known.corrected_by is None
        and (known.seat, known.card) == (event.seat, event.card)
    )


def _by_a_person(card: SeenCard) -> bool:
    return card.corrected_by not in (None, TRACKER)


def _missing_places(cards: Mapping[Place, SeenCard]) -> tuple[Place, ...]:
    last = max(cards, default=(0, 0))
    return tuple(place for place in _PLACES if place < last and place not in cards)


def _told_to_rules(
    number: int,
    facts: _Facts,
    missing: Sequence[Place],
    reglement: Reglement | None,
    before: DealRecord | None,
) -> Deal:
    deal = Deal(reglement=_reglement(facts, reglement, before), dealer=_dealer(facts, before), number=number)
    for passed in facts.passes:
        deal = deal.passed(passed.seat)
    if facts.declared is not None:
        deal = deal.declared(facts.declared.seat, facts.declared.trump)
    return _with_tricks(deal, facts, missing[0] if missing else (9, 1))


def _with_tricks(deal: Deal, facts: _Facts, end: Place) -> Deal:
    """The deal with every card before ``end``, and the roem and covering of those tricks."""
    deal = _with_director(deal, facts.after_trick.get(0, []))
    for trick in range(1, 9):
        for position in range(1, 5):
            seen = facts.cards.get((trick, position))
            if seen is None or (trick, position) >= end:
                deal = _with_calls(deal, facts, trick, covered=None)
                return _with_later_decisions(deal, facts, trick)
            deal = deal.played(seen.seat, seen.card)
        deal = _with_calls(deal, facts, trick, facts.covered.get(trick))
        deal = _with_director(deal, facts.after_trick.get(trick, []))
    return deal


def _with_later_decisions(deal: Deal, facts: _Facts, trick: int) -> Deal:
    """What was decided after tricks that cannot be told to the rules yet, since a card is missing."""
    for number in range(trick, 9):
        deal = _with_director(deal, facts.after_trick.get(number, []))
    return deal


def _with_director(deal: Deal, events: Sequence[Ruling | BesidePlay]) -> Deal:
    for event in events:
        if isinstance(event, Ruling):
            deal = deal.ruled(_ruling_for_rules(event))
        elif isinstance(event, PenaltyCardCalled):
            deal = deal.penalty_called(event.seat, event.card, PenaltyCall(event.call))
        elif event.seat is not None:
            deal = deal.exposed(event.seat, event.card)
    return deal


def _ruling_for_rules(event: Ruling) -> rules.Ruling:
    """The ruling as the rules know it; those undone never come here, so nothing has to be undone there."""
    return rules.Ruling(
        decision=Decision(event.decision),
        seat=event.seat,
        trick=event.trick,
        found_after_trick=event.found_after_trick,
        card=event.card,
        reason=event.reason,
    )


def _with_calls(deal: Deal, facts: _Facts, trick: int, covered: TrickCovered | None) -> Deal:
    """Roem called and the trick covered, in the order of their times: roem counts until then.

    Their times decide, not the order in which they came: a call and the camera travel by different ways.
    """
    calls = sorted(facts.roem.get(trick, []), key=lambda call: call.time_utc)
    for call in calls:
        if covered is not None and call.time_utc > covered.time_utc:
            deal, covered = deal.trick_covered(), None
        deal = deal.roem_called(call.seat, trick, call.points)
    return deal.trick_covered() if covered is not None else deal


def _reglement(facts: _Facts, reglement: Reglement | None, before: DealRecord | None) -> Reglement:
    if reglement is not None:
        return reglement
    if facts.started is not None:
        return reglement_named(facts.started.reglement)
    return before.deal.reglement if before is not None else KLAVERJAS_DRIVE


def _dealer(facts: _Facts, before: DealRecord | None) -> Seat:
    if facts.started is not None:
        return facts.started.dealer
    first = facts.cards.get((1, 1))
    if first is not None:
        return first.seat.left.partner  # The right-hand neighbour: who leads sits at the dealer's left.
    return before.deal.dealer.left if before is not None else Seat.SOUTH
