"""Verzaken, told from the cards played (articles 12 and 13).

A play is a proven verzaking when it was illegal with the cards that the same seat has shown since: those were
in that hand. Holding still other cards can never make it legal (see :func:`rules.trick.legal_mask`). It is
never provable in its own trick; it is at the later card that makes it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.articles import Topic, article
from rules.cards import FULL_DECK, Card, Seat, Suit
from rules.reasons import Reason
from rules.reglement import OverPartner, Reglement
from rules.tables import HIGHER_TRUMPS, SUIT_MASK, SUIT_NUMBER
from rules.trick import Play, Trick, illegal_reason, legal_cards, legal_mask, winning_place


@dataclass(frozen=True, slots=True)
class Revoke:
    """A proven verzaking: ``seat`` played ``card`` to ``trick``; ``proven_card`` in ``proven_trick`` proved
    it.

    should_have_played: the cards that this seat has shown to hold and that were legal then.
    article: where the duty is written. reason: in words.
    """

    seat: Seat
    trick: int
    card: Card
    proven_trick: int
    proven_card: Card
    should_have_played: tuple[Card, ...]
    article: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class PossibleRevoke:
    """A play that is a verzaking if ``seat`` still holds one of ``if_held``, cards not seen yet."""

    seat: Seat
    trick: int
    card: Card
    if_held: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A play that the texts judge differently, lawful in this reglement."""

    seat: Seat
    trick: int
    card: Card
    reason: Reason


@dataclass(frozen=True, slots=True)
class _Position:
    """One play that was not a lead: what lay before it and what its seat showed afterwards."""

    trick: int
    before: tuple[Play, ...]
    play: Play
    later: tuple[tuple[int, Card], ...]

    @property
    def hand(self) -> tuple[Card, ...]:
        """What the seat is known to have held."""
        return (self.play.card, *(card for _, card in self.later))


def proven_revokes_in(
    reglement: Reglement, trump: Suit | None, tricks: Sequence[Trick]
) -> tuple[Revoke, ...]:
    """Every proven verzaking, by trick and place. None while trump is unknown."""
    if trump is None:
        return ()
    suspects = _illegal_places(reglement, SUIT_NUMBER[trump], tricks)
    return tuple(_revoke(reglement, trump, _position(tricks, *place)) for place in suspects)


def _illegal_places(reglement: Reglement, trump: int, tricks: Sequence[Trick]) -> list[tuple[int, int]]:
    """The (trick, place) indices of illegal plays, walking back so that each hand grows card by card."""
    shown: dict[Seat, int] = {}
    places = []
    for number in range(len(tricks) - 1, -1, -1):
        plays = tricks[number].plays
        cards = [play.card.index for play in plays]
        led = cards[0] >> 3
        for place, play in enumerate(plays):
            hand = shown.get(play.seat, 0) | 1 << cards[place]
            shown[play.seat] = hand
            # Most plays follow a plain lead, and that is never wrong.
            if place == 0 or (cards[place] >> 3 == led and led != trump):
                continue
            winner = winning_place(cards[:place], trump)
            partner_wins = plays[winner].seat is play.seat.partner
            legal = legal_mask(reglement, hand, led, trump, cards[winner], partner_wins)
            if not legal >> cards[place] & 1:
                places.append((number, place))
    return sorted(places)


def _position(tricks: Sequence[Trick], number: int, place: int) -> _Position:
    plays = tricks[number].plays
    seat = plays[place].seat
    later = tuple(
        (trick.number, play.card)
        for trick in tricks[number + 1 :]
        for play in trick.plays
        if play.seat is seat
    )
    return _Position(tricks[number].number, plays[:place], plays[place], later)


def _revoke(reglement: Reglement, trump: Suit, position: _Position) -> Revoke:
    play, before = position.play, position.before
    proven_trick, proven_card = _proof(reglement, trump, position)
    # Which duty it was sharpens as more of the hand is shown: "not trumped" may turn out as "not followed".
    reason = illegal_reason(reglement, position.hand, before, trump, play.seat, play.card)
    assert reason is not None  # one more card never makes it legal
    legal = legal_cards(reglement, position.hand, before, trump, play.seat)
    return Revoke(
        seat=play.seat,
        trick=position.trick,
        card=play.card,
        proven_trick=proven_trick,
        proven_card=proven_card,
        should_have_played=tuple(card for card in legal if card != play.card),
        article=reason.article,
        reason=reason,
    )


def _proof(reglement: Reglement, trump: Suit, position: _Position) -> tuple[int, Card]:
    """The first later card that makes the play illegal, with its trick."""
    hand = [position.play.card]
    for number, card in position.later:
        hand.append(card)
        reason = illegal_reason(
            reglement, hand, position.before, trump, position.play.seat, position.play.card
        )
        if reason is not None:
            return number, card
    raise AssertionError(f"{position!r} was found illegal and is not")


def _followers(tricks: Sequence[Trick]) -> Iterator[_Position]:
    for number, trick in enumerate(tricks):
        for place in range(1, len(trick.plays)):
            yield _position(tricks, number, place)


def possible_revokes_in(
    reglement: Reglement, trump: Suit | None, tricks: Sequence[Trick]
) -> tuple[PossibleRevoke, ...]:
    """Plays not proven illegal that an unseen card in the same hand would make so; none without trump."""
    if trump is None:
        return ()
    seen = {play.card for trick in tricks for play in trick.plays}
    unseen = [card for card in FULL_DECK if card not in seen]
    possible = []
    for position in _followers(tricks):
        held = _would_prove(reglement, trump, position, unseen)
        if held:
            play = position.play
            possible.append(PossibleRevoke(play.seat, position.trick, play.card, held))
    return tuple(possible)


def _would_prove(
    reglement: Reglement, trump: Suit, position: _Position, unseen: Sequence[Card]
) -> tuple[Card, ...]:
    play = position.play
    cards_left = 9 - position.trick - len(position.hand)

    def is_illegal(hand: Sequence[Card]) -> bool:
        return play.card not in legal_cards(reglement, hand, position.before, trump, play.seat)

    if cards_left <= 0 or is_illegal(position.hand):
        return ()
    return tuple(card for card in unseen if is_illegal((*position.hand, card)))


def doubts_in(reglement: Reglement, trump: Suit | None, tricks: Sequence[Trick]) -> tuple[Doubt, ...]:
    """Plays with only trumps left, partner winning with a trump, that went under it with a higher one in
    hand.

    Reglement Klaverjas Drive read literally leaves them free ("niets anders hebt dan troefkaarten"); others
    demand the higher trump. They show only once the whole rest of the hand is known.
    """
    if trump is None or reglement.over_partner is not OverPartner.NO_LOWER:
        return ()
    return tuple(
        _doubt(reglement, position) for position in _followers(tricks) if _is_doubtful(trump, position)
    )


def _is_doubtful(trump: Suit, position: _Position) -> bool:
    number = SUIT_NUMBER[trump]
    cards = [play.card.index for play in position.before]
    winner = position.before[winning_place(cards, number)]
    hand = sum(1 << card.index for card in set(position.hand))
    higher = HIGHER_TRUMPS[number][winner.card.index]
    return (
        len(position.hand) == 9 - position.trick
        and position.before[0].card.suit is not trump
        and winner.card.suit is trump
        and winner.seat is position.play.seat.partner
        and not hand & ~SUIT_MASK[number]
        and bool(hand & higher)
        and not higher >> position.play.card.index & 1
    )


def _doubt(reglement: Reglement, position: _Position) -> Doubt:
    play = position.play
    reason = Reason(
        "twijfel",
        f"{play.card}: alleen nog troef en de maat lag met troef; de teksten verschillen over overtroeven",
        f"{play.card}: only trumps left, partner winning with one; the texts differ on overtrumping",
        article(reglement.basis, Topic.LEGAL_PLAY),
    )
    return Doubt(play.seat, position.trick, play.card, reason)
