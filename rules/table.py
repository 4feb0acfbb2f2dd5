"""The cards on the table, trick by trick, as they come (articles 11 to 13).

A play finds its place in the trick on the table, wrong card or not, so that places stay stable for a later
correction. Only a second card of one seat in a trick, or a card after the end, has no place to go.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.actions import PenaltyCalled, Repair
from rules.cards import CLOCKWISE, Card, Seat, Suit
from rules.faults import FaultKind, FaultLog
from rules.penalty_cards import PenaltyCall, PenaltyCard
from rules.tables import SUIT_NUMBER
from rules.trick import Play, winning_place

TRICKS_IN_DEAL = 8
CARDS_IN_DEAL = 32


_DONE = {PenaltyCall.FOLLOW: "bijgespeeld", PenaltyCall.LEAD: "voorgespeeld"}


class Table:
    """The tricks of one deal; ``trump`` is what it will turn out to be, None where nobody ever names it.

    tricks: the plays of each trick. places: for each play the index of the action that put it there.
    winners: of each trick, None while not full or without trump. covered: how many tricks are gedekt.
    covers_are_told: whether anybody reports the covering at all.
    trick_is_open: whether a trick lies there that lacks a card.
    """

    def __init__(self, leader: Seat, trump: Suit | None, log: FaultLog) -> None:
        self._trump = trump
        self._log = log
        self.trick_is_open = False
        self._seen: set[Card] = set()
        self._cards_of = dict.fromkeys(CLOCKWISE, 0)
        self._card_count = 0
        self.turn: Seat | None = leader
        self.tricks: list[list[Play]] = []
        self.places: list[list[int]] = []
        self.winners: list[Seat | None] = []
        self.covered = 0
        self.covers_are_told = False
        self.penalty_cards: list[PenaltyCard] = []
        self.is_stopped = False
        self._stop_was_told = False
        self._penalty_calls: dict[Seat, PenaltyCalled] = {}

    @property
    def is_complete(self) -> bool:
        """Whether eight tricks hold four cards each."""
        return len(self.tricks) == TRICKS_IN_DEAL and all(len(trick) == 4 for trick in self.tricks)

    @property
    def full_tricks(self) -> int:
        """How many tricks hold four cards."""
        return sum(len(trick) == 4 for trick in self.tricks)

    def take_play(self, index: int, play: Play) -> None:
        """Put a card where it belongs and report what is wrong about it."""
        self._report_after_stop(play)
        self._count(play)
        if not self._has_place_for(play):
            return
        if not self.trick_is_open:
            self._open_trick()
        if play.seat is not self.turn and self.turn is not None:
            self._report_out_of_turn(play)
        self._report_kept_penalty_card(play)
        self._no_longer_shown(play)
        self.tricks[-1].append(play)
        self.places[-1].append(index)
        self._move_on(self.tricks[-1], play.seat)

    def stop(self) -> None:
        """A ruling ended the deal; cards that follow are placed all the same."""
        self.is_stopped = True

    def _report_after_stop(self, play: Play) -> None:
        """Once is enough: who plays on plays many cards."""
        if not self.is_stopped or self._stop_was_told:
            return
        self._stop_was_told = True
        self._report(
            FaultKind.STOPPED,
            play,
            f"{play.card} komt nadat de wedstrijdleider het spel had gestaakt",
            f"{play.card} comes after the wedstrijdleider stopped the deal",
        )

    def _no_longer_shown(self, play: Play) -> None:
        if self.penalty_cards:
            self.penalty_cards = [kept for kept in self.penalty_cards if kept.card != play.card]

    def _count(self, play: Play) -> None:
        """Report what is impossible about the card itself, wherever it goes."""
        if play.card in self._seen:
            self._report(
                FaultKind.CARD_TWICE, play, f"{play.card} was al gespeeld", f"{play.card} was already played"
            )
        self._seen.add(play.card)
        self._card_count += 1
        self._cards_of[play.seat] = of_seat = self._cards_of[play.seat] + 1
        if of_seat > TRICKS_IN_DEAL:
            self._report(
                FaultKind.NINE_CARDS,
                play,
                f"{play.seat.dutch} speelt een {of_seat}e kaart; een hand heeft er acht",
                f"{play.seat.english} plays card number {of_seat}; a hand has eight",
            )
        if self._card_count > CARDS_IN_DEAL:
            self._report(
                FaultKind.TOO_MANY_CARDS,
                play,
                f"{self._card_count} kaarten gespeeld; een spel heeft er 32",
                f"{self._card_count} cards played; a pack has 32",
            )

    def _has_place_for(self, play: Play) -> bool:
        if self.trick_is_open:
            # Whose turn it is never has a card in the trick; asking that first is what most plays need.
            if play.seat is self.turn or all(other.seat is not play.seat for other in self.tricks[-1]):
                return True
            self._report(
                FaultKind.SECOND_CARD_IN_TRICK,
                play,
                f"{play.card} is de tweede kaart van {play.seat.dutch} in deze slag",
                f"{play.card} is the second card of {play.seat.english} in this trick",
            )
            return False
        if len(self.tricks) < TRICKS_IN_DEAL:
            return True
        self._report(
            FaultKind.AFTER_END,
            play,
            f"{play.card} komt na het einde van het spel",
            f"{play.card} comes after the end of the deal",
        )
        return False

    def _open_trick(self) -> None:
        if not self.tricks and self._trump is None:
            self._log.add(
                FaultKind.TRUMP_UNKNOWN,
                "er is geen troef genoemd",
                "no trump has been named",
                trick=1,
            )
        # A card of the next trick shows that the last one was gathered.
        self.covered = len(self.tricks)
        self.tricks.append([])
        self.places.append([])
        self.winners.append(None)
        self.trick_is_open = True

    def _move_on(self, plays: list[Play], last: Seat) -> None:
        """Set whose turn it is after ``last`` has played; ahead of the turn it stays where it was."""
        if len(plays) == 4:
            self._close(plays)
        elif len(plays) == 1 or last is self.turn:
            seats, turn = [play.seat for play in plays], last.left
            # Somebody who played ahead of the turn is passed over.
            while turn in seats:
                turn = turn.left
            self.turn = turn

    def _close(self, plays: list[Play]) -> None:
        self.trick_is_open = False
        winner = self._winner(plays)
        self.winners[-1] = winner
        self.turn = winner if len(self.tricks) < TRICKS_IN_DEAL else None

    def _winner(self, plays: Sequence[Play]) -> Seat | None:
        if self._trump is None:
            return None
        return plays[winning_place([play.card.index for play in plays], SUIT_NUMBER[self._trump])].seat

    def take_cover(self) -> None:
        """The trick on the table was gathered; where cards are missing, it is closed without a winner."""
        self.covers_are_told = True
        if self.covered >= len(self.tricks):
            self._log.add(
                FaultKind.NO_TRICK_TO_COVER,
                "er ligt geen slag om te dekken",
                "there is no trick to cover",
                trick=len(self.tricks),
            )
            return
        if self.trick_is_open:
            self._close_incomplete()
        self.covered = len(self.tricks)

    def _close_incomplete(self) -> None:
        count = len(self.tricks[-1])
        self._log.add(
            FaultKind.TRICK_INCOMPLETE,
            f"de slag werd gedekt met {count} van de 4 kaarten",
            f"the trick was covered with {count} of 4 cards",
            trick=len(self.tricks),
        )
        self._report_short_hands()
        self.trick_is_open = False
        # Who won is not known, so whoever leads next is not out of turn.
        self.turn = None

    def _report_short_hands(self) -> None:
        """In the last trick a player without a card had too few from the start (article 5)."""
        if len(self.tricks) < TRICKS_IN_DEAL:
            return
        for seat, count in self._cards_of.items():
            if count < TRICKS_IN_DEAL:
                self._log.add(
                    FaultKind.TOO_FEW_CARDS,
                    f"{seat.dutch} speelde {count} kaarten; een hand heeft er acht (dan geldt artikel 13)",
                    f"{seat.english} played {count} cards; a hand has eight (then article 13 applies)",
                    trick=len(self.tricks),
                    seat=seat,
                )

    def take_repair(self, index: int, action: Repair) -> None:
        """Before the trick is covered a card may be taken back; it becomes a strafkaart (article 13)."""
        place = self._place_on_table(action.seat)
        if place is None:
            self._report_beside_play(
                FaultKind.REPAIR_TOO_LATE,
                action.seat,
                action.card,
                f"{action.seat.dutch} heeft geen kaart in een ongedekte slag om te herstellen",
                f"{action.seat.english} has no card in an uncovered trick to repair",
            )
            return
        plays, repaired = self.tricks[-1], Play(action.seat, action.card)
        if plays[place] == repaired:
            # Laid down again: nothing was repaired, and a card in the trick is no strafkaart.
            return
        self._take_back(plays[place])
        self._count(repaired)
        self._no_longer_shown(repaired)
        plays[place] = repaired
        self.places[-1][place] = index
        if len(plays) == 4:
            self._close(plays)

    def _take_back(self, play: Play) -> None:
        self.penalty_cards.append(PenaltyCard(play.seat, play.card, len(self.tricks)))
        self._seen.discard(play.card)
        self._cards_of[play.seat] -= 1
        self._card_count -= 1

    def _place_on_table(self, seat: Seat) -> int | None:
        if self.covered >= len(self.tricks):
            return None
        return next((place for place, play in enumerate(self.tricks[-1]) if play.seat is seat), None)

    def show(self, seat: Seat, card: Card) -> None:
        """A card lies open outside the trick: a strafkaart until it is played (article 11)."""
        elsewhere = self._lying_open(card)
        if card in self._seen:
            self._report_shown(seat, card, "was al gespeeld", "was already played")
        elif elsewhere is None:
            self.penalty_cards.append(PenaltyCard(seat, card, len(self.tricks)))
        elif elsewhere.seat is not seat:
            holder = elsewhere.seat
            self._report_shown(
                seat, card, f"ligt al open bij {holder.dutch}", f"lies open with {holder.english} already"
            )

    def _lying_open(self, card: Card) -> PenaltyCard | None:
        return next((kept for kept in self.penalty_cards if kept.card == card), None)

    def _report_shown(self, seat: Seat, card: Card, dutch: str, english: str) -> None:
        """A card that is somewhere else already cannot be a strafkaart here as well."""
        self._report_beside_play(
            FaultKind.SHOWN_WRONGLY,
            seat,
            card,
            f"{card} getoond door {seat.dutch} {dutch}",
            f"{card} shown by {seat.english} {english}",
        )

    def take_penalty_call(self, action: PenaltyCalled) -> None:
        """What the left-hand neighbour said of a strafkaart; the next card is held against it."""
        of = self._lying_open(action.card)
        if of is None or of.seat.left is not action.seat:
            self._report_beside_play(
                FaultKind.NO_SUCH_PENALTY_CARD,
                action.seat,
                action.card,
                f"{action.card} is geen strafkaart van wie rechts van {action.seat.dutch} zit",
                f"{action.card} is no strafkaart of who sits right of {action.seat.english}",
            )
            return
        self._penalty_calls[of.seat] = action

    def _report_kept_penalty_card(self, play: Play) -> None:
        """Bijspelen is for the next card, voorspelen for the next lead."""
        called = self._penalty_calls.get(play.seat)
        leads = not self.tricks[-1]
        if called is None or (called.call is PenaltyCall.LEAD and not leads and play.card != called.card):
            return
        del self._penalty_calls[play.seat]
        if play.card != called.card:
            self._report(
                FaultKind.PENALTY_CARD_KEPT,
                play,
                f"{play.card} gespeeld, terwijl strafkaart {called.card} moest worden {_DONE[called.call]}",
                f"{play.card} played where strafkaart {called.card} was to be played ({called.call.value})",
            )

    def _report_out_of_turn(self, play: Play) -> None:
        turn = self.turn
        assert turn is not None
        self._report(
            FaultKind.OUT_OF_TURN,
            play,
            f"{play.seat.dutch} speelt voor de beurt van {turn.dutch}",
            f"{play.seat.english} plays before {turn.english}, whose turn it is",
        )

    def _report(self, kind: FaultKind, play: Play, dutch: str, english: str) -> None:
        # A card that opens a trick, or comes too late for any, belongs to no trick before it.
        number = len(self.tricks) if self.trick_is_open else min(len(self.tricks) + 1, TRICKS_IN_DEAL)
        self._log.add(kind, dutch, english, trick=number, seat=play.seat, card=play.card)

    def _report_beside_play(self, kind: FaultKind, seat: Seat, card: Card, dutch: str, english: str) -> None:
        """What is wrong with a card that was not played; it belongs to the trick on the table."""
        self._log.add(kind, dutch, english, trick=len(self.tricks), seat=seat, card=card)
