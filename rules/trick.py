"""Plays and tricks: who wins, what may be played, and why another card may not (articles 12 and 13)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rules.articles import Topic, article
from rules.cards import Card, Seat, Suit
from rules.reasons import Reason
from rules.reglement import OverPartner, Reglement, UnderOpponent
from rules.tables import ALL_CARDS, HIGHER_TRUMPS, STRENGTH, SUIT_MASK, SUIT_NUMBER, cards_in


@dataclass(frozen=True, slots=True)
class Play:
    """One card played by one seat."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Trick:
    """The plays of one trick in the order in which they came; ``number`` counts from 1."""

    number: int
    plays: tuple[Play, ...]

    @property
    def leader(self) -> Seat | None:
        """Who played first, None before the first card."""
        return self.plays[0].seat if self.plays else None

    @property
    def led_suit(self) -> Suit | None:
        """The suit that must be followed, None before the first card."""
        return self.plays[0].card.suit if self.plays else None

    @property
    def is_full(self) -> bool:
        """Whether all four seats have played."""
        return len(self.plays) == 4

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards, in the order in which they came."""
        return tuple(play.card for play in self.plays)


def winning_place(cards: Sequence[int], trump: int) -> int:
    """The place (0 to 3) of the winning card among card indices in order of play; the lead wins a draw."""
    strengths = STRENGTH[trump][cards[0] >> 3]
    best = 0
    for place in range(1, len(cards)):
        if strengths[cards[place]] > strengths[cards[best]]:
            best = place
    return best


def winning_play(trick: Sequence[Play], trump: Suit) -> Play:
    """The play that wins so far; ``trick`` holds at least one."""
    return trick[winning_place([play.card.index for play in trick], SUIT_NUMBER[trump])]


def trick_winner(trick: Trick | Sequence[Play], trump: Suit) -> Seat:
    """The seat that wins a trick, or is winning an unfinished one (at least one card)."""
    plays = trick.plays if isinstance(trick, Trick) else trick
    return winning_play(plays, trump).seat


def legal_mask(
    reglement: Reglement, hand: int, led: int, trump: int, winning: int, partner_wins: bool
) -> int:
    """The cards of ``hand`` (a mask) that may follow a lead of suit ``led`` while card ``winning`` is
    winning.

    Holding one more card never makes an illegal play legal; that is what lets verzaken be proven from a part
    of a hand.
    """
    followers = hand & SUIT_MASK[led]
    if followers:
        if led != trump or not reglement.must_beat_trump_lead:
            return followers
        return followers & HIGHER_TRUMPS[trump][winning] or followers
    trumps = hand & SUIT_MASK[trump]
    if not trumps:
        return hand
    if winning >> 3 != trump:
        return hand if partner_wins and not reglement.must_trump_for_partner else trumps
    higher = trumps & HIGHER_TRUMPS[trump][winning]
    if partner_wins:
        return _over_partner(reglement.over_partner, hand, trumps, higher)
    return higher or _under_opponent(reglement.under_opponent, hand, trumps)


def _over_partner(policy: OverPartner, hand: int, trumps: int, higher: int) -> int:
    if policy is OverPartner.FREE:
        return hand
    if policy is OverPartner.MUST_BEAT:
        return higher or trumps
    if hand != trumps:
        return hand & ~trumps | higher
    if policy is OverPartner.NO_LOWER_AND_BEAT_WITH_ONLY_TRUMPS:
        return higher or trumps
    return trumps


def _under_opponent(policy: UnderOpponent, hand: int, trumps: int) -> int:
    if policy is UnderOpponent.OBLIGED:
        return trumps
    if policy is UnderOpponent.FREE:
        return hand
    return hand & ~trumps or trumps


def legal_cards(
    reglement: Reglement, hand: Collection[Card], trick: Sequence[Play], trump: Suit | None, seat: Seat
) -> tuple[Card, ...]:
    """The cards of ``hand`` that ``seat`` may play on ``trick``, in the order of ``FULL_DECK``.

    ``trick`` holds the plays so far, none for a lead. While ``trump`` is None only following suit is asked.
    """
    return cards_in(_legal_of(reglement, _mask(hand), trick, trump, seat))


def _mask(hand: Collection[Card]) -> int:
    mask = 0
    for card in hand:
        mask |= 1 << card.index
    return mask


def _legal_of(reglement: Reglement, hand: int, trick: Sequence[Play], trump: Suit | None, seat: Seat) -> int:
    if not trick:
        return hand & ALL_CARDS
    led = trick[0].card.index >> 3
    if trump is None:
        return hand & SUIT_MASK[led] or hand
    winning = winning_play(trick, trump)
    return legal_mask(
        reglement, hand, led, SUIT_NUMBER[trump], winning.card.index, winning.seat is seat.partner
    )


def illegal_reason(
    reglement: Reglement,
    hand: Collection[Card],
    trick: Sequence[Play],
    trump: Suit | None,
    seat: Seat,
    card: Card,
) -> Reason | None:
    """Why ``seat`` may not play ``card`` from ``hand`` on ``trick``, or None where it may."""
    if card not in hand:
        return Reason(
            "not-in-hand",
            f"{card} is niet in de hand van {seat.dutch}",
            f"{card} is not in the hand of {seat.name.title()}",
        )
    legal = _legal_of(reglement, _mask(hand), trick, trump, seat)
    if legal >> card.index & 1:
        return None
    return _why(reglement, legal, trick, trump, card)


def _why(reglement: Reglement, legal: int, trick: Sequence[Play], trump: Suit | None, card: Card) -> Reason:
    """The duty that ``card`` fails, given which cards would have been legal."""
    led = trick[0].card.suit
    code = _duty(legal, trick, trump, card)
    dutch, english = _DUTIES[code]
    topic = Topic.REVOKE if code in ("not-following", "undertrumped") else Topic.LEGAL_PLAY
    named_dutch = {"led": led.dutch, "trump": trump.dutch if trump else ""}
    named_english = {"led": led.english, "trump": trump.english if trump else ""}
    return Reason(
        code,
        f"{card}: {dutch.format(**named_dutch)}",
        f"{card}: {english.format(**named_english)}",
        article(reglement.basis, topic),
    )


def _duty(legal: int, trick: Sequence[Play], trump: Suit | None, card: Card) -> str:
    led = trick[0].card.suit
    if legal & SUIT_MASK[SUIT_NUMBER[led]]:
        return "trump-lead-not-beaten" if card.suit is led else "not-following"
    assert trump is not None  # without trump only following suit can fail
    if card.suit is not trump:
        return "not-undertrumped" if _only_lower(legal, trick, trump) else "not-trumped"
    return "not-overtrumped" if _all_trumps(legal, trump) else "undertrumped"


def _all_trumps(legal: int, trump: Suit) -> bool:
    return not legal & ~SUIT_MASK[SUIT_NUMBER[trump]]


def _only_lower(legal: int, trick: Sequence[Play], trump: Suit) -> bool:
    winning = winning_play(trick, trump).card
    return winning.suit is trump and not legal & HIGHER_TRUMPS[SUIT_NUMBER[trump]][winning.index]


_DUTIES = {
    "not-following": (
        "niet bekend; er was nog {led} om bij te spelen",
        "did not follow suit; {led} was still held",
    ),
    "trump-lead-not-beaten": (
        "troef is gevraagd en er was een hogere {trump}",
        "trump was led and a higher one in {trump} was held",
    ),
    "not-trumped": ("niet getroefd; er was nog {trump}", "did not trump; {trump} was still held"),
    "not-overtrumped": (
        "niet overgetroefd; er was een hogere {trump}",
        "did not overtrump; a higher one in {trump} was held",
    ),
    "undertrumped": (
        "ten onrechte ondergetroefd; er was een andere kaart",
        "wrongly undertrumped; another card was held",
    ),
    "not-undertrumped": (
        "niet ondergetroefd; er was nog {trump} en die moet hier bij",
        "did not undertrump; {trump} was still held and must be played here",
    ),
}
