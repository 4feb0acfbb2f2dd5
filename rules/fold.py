"""The state of a deal, made from what happened in it, in one pass.

Trump counts for the whole deal wherever it was named, because a camera may learn it only after some cards.
A play always finds its place in the trick on the table, wrong card or not, so that places stay stable for a later
correction; only a second card of one seat in a trick, or a card after the end, has no place to go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.actions import (
    Action,
    Covered,
    Decision,
    Declaration,
    Exposure,
    Pass,
    Repair,
    RoemCall,
    Ruling,
)
from rules.articles import article
from rules.cards import CLOCKWISE, Card, Seat, Suit
from rules.faults import Fault, FaultKind
from rules.penalty_cards import PenaltyCard
from rules.reasons import Reason
from rules.reglement import Bidding, FirstSpeaker, Reglement
from rules.roem import roem_points
from rules.tables import POINTS, SUIT_NUMBER, mask_of
from rules.trick import Play, Trick, winning_place

TRICKS_IN_DEAL = 8


@dataclass(frozen=True, slots=True)
class State:
    """What follows from the actions of a deal, the result and verzaken apart; :class:`rules.Deal` has the words.

    points, roem_seen, roem_called: per trick, 0 while it is not full; the last ten are not in them.
    covered_at_rulings: per standing ruling, how many tricks were covered then.
    places: per trick and place, the index of the action that put the card there.
    """

    trump: Suit | None
    declarer: Seat | None
    speaker: Seat | None
    must_declare: bool
    turn: Seat | None
    tricks: tuple[Trick, ...]
    winners: tuple[Seat | None, ...]
    covered: int
    is_complete: bool
    points: tuple[int, ...]
    roem_seen: tuple[int, ...]
    roem_called: tuple[int, ...]
    faults: tuple[Fault, ...]
    penalty_cards: tuple[PenaltyCard, ...]
    rulings: tuple[Ruling, ...]
    covered_at_rulings: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]

    def action_of_play(self, trick: int, position: int) -> int | None:
        """The index of the action that put a card at this place (both from 1), None where there is none."""
        if 1 <= trick <= len(self.places) and 1 <= position <= len(self.places[trick - 1]):
            return self.places[trick - 1][position - 1]
        return None


def fold(reglement: Reglement, dealer: Seat, actions: Sequence[Action]) -> State:
    """The state of a deal after ``actions``."""
    folding = _Folding(reglement, dealer, _first_trump(actions), _standing(actions))
    for index, action in enumerate(actions):
        folding.take(index, action)
    return folding.finished()


def _standing(actions: Sequence[Action]) -> frozenset[int]:
    """The indices of the rulings that no later standing ruling undoes, without the undoings themselves."""
    rulings = [(index, action) for index, action in enumerate(actions) if isinstance(action, Ruling)]
    if not rulings:
        return frozenset()
    numbers = {action.number or place: index for place, (index, action) in enumerate(rulings, 1)}
    standing = {index for index, _ in rulings}
    # From the last back: an undoing that was itself undone does nothing.
    for index, action in reversed(rulings):
        if index in standing and action.decision is Decision.UNDO:
            undone = numbers.get(action.undoes or 0)
            if undone is not None and undone < index:
                standing.discard(undone)
    return frozenset(index for index, action in rulings if index in standing)


def _first_trump(actions: Sequence[Action]) -> Suit | None:
    for action in actions:
        if isinstance(action, Declaration):
            return action.suit
    return None


@dataclass(slots=True)
class _Folding:
    reglement: Reglement
    dealer: Seat
    trump: Suit | None
    standing: frozenset[int]
    declarer: Seat | None = None
    passes: list[Seat] = field(default_factory=list)
    turn: Seat | None = None
    tricks: list[list[Play]] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)
    winners: list[Seat | None] = field(default_factory=list)
    trick_is_open: bool = False
    covered: int = 0
    any_cover: bool = False
    seen: set[Card] = field(default_factory=set)
    reported: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(CLOCKWISE, 0))
    roem_calls: list[RoemCall] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    penalty_cards: list[PenaltyCard] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    covered_at_rulings: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turn = self.dealer.left

    # --- bidding -----------------------------------------------------------------------------------------------

    @property
    def first_speaker(self) -> Seat:
        on_left = self.reglement.first_speaker is FirstSpeaker.LEFT_OF_DEALER
        return self.dealer.left if on_left else self.dealer

    @property
    def must_declare(self) -> bool:
        return self.declarer is None and (
            self.reglement.bidding is Bidding.OBLIGED or len(self.passes) >= len(CLOCKWISE)
        )

    @property
    def speaker(self) -> Seat | None:
        if self.declarer is not None:
            return None
        if self.must_declare or not self.passes:
            return self.first_speaker
        return self.passes[-1].left

    def take_pass(self, action: Pass) -> None:
        if self.declarer is not None or self.must_declare or action.seat in self.passes:
            self.fault(
                FaultKind.NOT_ALLOWED_TO_PASS,
                action.seat,
                None,
                f"{action.seat.dutch} kan hier niet passen",
                f"{_name(action.seat)} cannot pass here",
            )
            return
        if action.seat is not self.speaker:
            self.out_of_turn(action.seat, None)
        self.passes.append(action.seat)

    def take_declaration(self, action: Declaration) -> None:
        if self.declarer is not None:
            self.fault(
                FaultKind.TRUMP_TWICE,
                action.seat,
                None,
                f"{action.suit.dutch} genoemd, maar troef blijft {self.trump.dutch if self.trump else ''}",
                f"{action.suit.english} named, but trump stays {self.trump.english if self.trump else ''}",
            )
            return
        if not self.may_declare(action.seat):
            self.fault(
                FaultKind.NOT_ALLOWED_TO_DECLARE,
                action.seat,
                None,
                f"{action.seat.dutch} mocht geen troef maken",
                f"{_name(action.seat)} was not the one to make trump",
            )
        self.declarer = action.seat

    def may_declare(self, seat: Seat) -> bool:
        # Passes that nobody reported are taken as said: a camera cannot hear.
        return seat is self.first_speaker if self.must_declare else seat not in self.passes

    # --- play --------------------------------------------------------------------------------------------------

    def take_play(self, index: int, play: Play) -> None:
        self.count(play)
        if not self.trick_is_open and len(self.tricks) >= TRICKS_IN_DEAL:
            self.fault(
                FaultKind.AFTER_END,
                play.seat,
                play.card,
                f"{play.card} na het einde van het spel",
                f"{play.card} after the end of the deal",
            )
            return
        if self.trick_is_open and any(other.seat is play.seat for other in self.tricks[-1]):
            self.fault(
                FaultKind.SECOND_CARD_IN_TRICK,
                play.seat,
                play.card,
                f"{play.card} is de tweede kaart van {play.seat.dutch} in deze slag",
                f"{play.card} is the second card of {_name(play.seat)} in this trick",
            )
            return
        if not self.trick_is_open:
            self.open_trick()
        if self.turn is not None and play.seat is not self.turn:
            self.out_of_turn(play.seat, play.card)
        if self.penalty_cards:
            self.penalty_cards = [kept for kept in self.penalty_cards if kept.card != play.card]
        self.tricks[-1].append(play)
        self.places[-1].append(index)
        self.move_on()

    def count(self, play: Play) -> None:
        """Report what is impossible about the card itself, wherever it goes."""
        if play.card in self.seen:
            self.fault(
                FaultKind.CARD_TWICE,
                play.seat,
                play.card,
                f"{play.card} was al gespeeld",
                f"{play.card} was already played",
            )
        self.seen.add(play.card)
        self.reported[play.seat] += 1
        if self.reported[play.seat] > TRICKS_IN_DEAL:
            number = self.reported[play.seat]
            self.fault(
                FaultKind.NINE_CARDS,
                play.seat,
                play.card,
                f"{play.seat.dutch} speelt een {number}e kaart; een hand heeft er acht",
                f"{_name(play.seat)} plays card number {number}; a hand has eight",
            )
        if sum(self.reported.values()) > len(CLOCKWISE) * TRICKS_IN_DEAL:
            self.fault(
                FaultKind.TOO_MANY_CARDS,
                play.seat,
                play.card,
                f"{sum(self.reported.values())} kaarten; een spel heeft er 32",
                f"{sum(self.reported.values())} cards; a pack has 32",
            )

    def open_trick(self) -> None:
        if not self.tricks and self.trump is None:
            self.fault(
                FaultKind.TRUMP_UNKNOWN,
                None,
                None,
                "er is nog geen troef genoemd",
                "no trump has been named yet",
            )
        # A card of the next trick shows that the last one was gathered.
        self.covered = len(self.tricks)
        self.tricks.append([])
        self.places.append([])
        self.winners.append(None)
        self.trick_is_open = True

    def move_on(self) -> None:
        """Set whose turn it is after a card has found its place."""
        plays = self.tricks[-1]
        if len(plays) < len(CLOCKWISE):
            present = [play.seat for play in plays]
            turn = plays[-1].seat.left if len(plays) == 1 else (self.turn or plays[-1].seat.left)
            while turn in present:
                turn = turn.left
            self.turn = turn
            return
        self.trick_is_open = False
        self.turn = self.winners[-1] = self.winner(plays)
        if len(self.tricks) == TRICKS_IN_DEAL:
            self.turn = None

    def winner(self, plays: Sequence[Play]) -> Seat | None:
        if self.trump is None:
            return None
        place = winning_place([play.card.index for play in plays], SUIT_NUMBER[self.trump])
        return plays[place].seat

    def take_cover(self) -> None:
        self.any_cover = True
        if self.covered >= len(self.tricks):
            self.fault(
                FaultKind.NO_TRICK_TO_COVER,
                None,
                None,
                "er ligt geen slag om te dekken",
                "there is no trick to cover",
            )
            return
        if self.trick_is_open:
            self.close_incomplete_trick()
        self.covered = len(self.tricks)

    def close_incomplete_trick(self) -> None:
        count = len(self.tricks[-1])
        self.fault(
            FaultKind.TRICK_INCOMPLETE,
            None,
            None,
            f"de slag werd gedekt met {count} kaarten",
            f"the trick was covered with {count} cards",
        )
        self.trick_is_open = False
        # Who won cannot be known for certain, so whoever leads next is right.
        self.turn = None

    def take_repair(self, index: int, action: Repair) -> None:
        place = self.place_on_table(action.seat)
        if place is None:
            self.fault(
                FaultKind.REPAIR_TOO_LATE,
                action.seat,
                action.card,
                f"{action.seat.dutch} heeft geen kaart in een ongedekte slag om te herstellen",
                f"{_name(action.seat)} has no card in an uncovered trick to repair",
            )
            return
        old = self.tricks[-1][place]
        self.penalty_cards.append(PenaltyCard(old.seat, old.card, len(self.tricks)))
        self.seen.discard(old.card)
        self.reported[old.seat] -= 1
        self.count(Play(action.seat, action.card))
        self.tricks[-1][place] = Play(action.seat, action.card)
        self.places[-1][place] = index
        if not self.trick_is_open:
            self.move_on()

    def place_on_table(self, seat: Seat) -> int | None:
        if self.covered >= len(self.tricks):
            return None
        return next((place for place, play in enumerate(self.tricks[-1]) if play.seat is seat), None)

    # --- roem, exposure, rulings -------------------------------------------------------------------------------

    def take_roem_call(self, action: RoemCall) -> None:
        if not 1 <= action.trick <= max(len(self.tricks), 1):
            self.fault(
                FaultKind.NO_SUCH_TRICK,
                action.seat,
                None,
                f"roem gemeld voor slag {action.trick}, die er niet is",
                f"roem called for trick {action.trick}, which does not exist",
            )
        elif action.trick <= self.covered:
            self.fault(
                FaultKind.ROEM_TOO_LATE,
                action.seat,
                None,
                f"{action.points} roem gemeld nadat slag {action.trick} gedekt was",
                f"{action.points} roem called after trick {action.trick} was covered",
            )
        else:
            self.roem_calls.append(action)

    def take_exposure(self, action: Exposure) -> None:
        self.penalty_cards.append(PenaltyCard(action.seat, action.card, len(self.tricks)))

    def take_ruling(self, index: int, action: Ruling) -> None:
        if index not in self.standing:
            return
        if action.decision is Decision.PENALTY_CARD and action.seat and action.card:
            self.penalty_cards.append(PenaltyCard(action.seat, action.card, len(self.tricks)))
        self.rulings.append(action)
        known = self.any_cover or self.covered < len(self.tricks) - 1
        full = sum(winner is not None for winner in self.winners)
        self.covered_at_rulings.append(self.covered if known else full)

    # --- all ---------------------------------------------------------------------------------------------------

    def take(self, index: int, action: Action) -> None:
        if isinstance(action, Play):
            self.take_play(index, action)
        elif isinstance(action, Covered):
            self.take_cover()
        elif isinstance(action, RoemCall):
            self.take_roem_call(action)
        elif isinstance(action, Pass):
            self.take_pass(action)
        elif isinstance(action, Declaration):
            self.take_declaration(action)
        elif isinstance(action, Repair):
            self.take_repair(index, action)
        elif isinstance(action, Exposure):
            self.take_exposure(action)
        else:
            self.take_ruling(index, action)

    def out_of_turn(self, seat: Seat, card: Card | None) -> None:
        self.fault(
            FaultKind.OUT_OF_TURN,
            seat,
            card,
            f"{seat.dutch} was niet aan de beurt",
            f"it was not {_name(seat)}'s turn",
        )

    def fault(
        self,
        kind: FaultKind,
        seat: Seat | None,
        card: Card | None,
        dutch: str,
        english: str,
        trick: int | None = None,
    ) -> None:
        cited = article(self.reglement.basis, kind.topic)
        reason = Reason(kind.value, dutch, english, cited)
        self.faults.append(Fault(kind, len(self.tricks) if trick is None else trick, seat, card, reason))

    def trick_values(self) -> tuple[list[int], list[int], list[int]]:
        """Points, roem seen and roem called of each trick; 0 for one without a known winner."""
        points, seen, called = [], [], []
        trump = SUIT_NUMBER[self.trump] if self.trump else 0
        for number, (plays, winner) in enumerate(zip(self.tricks, self.winners, strict=True), 1):
            if winner is None:
                points.append(0)
                seen.append(0)
                called.append(0)
                continue
            cards = [play.card.index for play in plays]
            values = POINTS[trump]
            points.append(sum(values[card] for card in cards))
            seen.append(roem_points(self.reglement, mask_of(cards), trump))
            called.append(self.called_roem(number, seen[-1]))
        return points, seen, called

    def called_roem(self, number: int, lying: int) -> int:
        """The roem of a full trick that was rightly called; a call of another amount counts for nothing."""
        calls = [call for call in self.roem_calls if call.trick == number]
        if not calls:
            return 0
        if any(call.points == lying for call in calls):
            return lying
        for call in calls:
            self.fault(
                FaultKind.ROEM_WRONG,
                call.seat,
                None,
                f"{call.points} roem gemeld voor slag {number}; er ligt {lying}",
                f"{call.points} roem called for trick {number}; {lying} lies there",
                trick=number,
            )
        return 0

    def finished(self) -> State:
        points, roem_seen, roem_called = self.trick_values()
        is_complete = len(self.tricks) == TRICKS_IN_DEAL and all(len(trick) == 4 for trick in self.tricks)
        return State(
            trump=self.trump,
            declarer=self.declarer,
            speaker=self.speaker,
            must_declare=self.must_declare,
            turn=self.turn,
            tricks=tuple(Trick(number, tuple(plays)) for number, plays in enumerate(self.tricks, 1)),
            winners=tuple(self.winners),
            covered=self.covered,
            is_complete=is_complete,
            points=tuple(points),
            roem_seen=tuple(roem_seen),
            roem_called=tuple(roem_called),
            faults=tuple(self.faults),
            penalty_cards=tuple(self.penalty_cards),
            rulings=tuple(self.rulings),
            covered_at_rulings=tuple(self.covered_at_rulings),
            places=tuple(map(tuple, self.places)),
        )


def _name(seat: Seat) -> str:
    return seat.name.title()
