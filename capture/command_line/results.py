"""The results of deals in words, for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rules import Card, Revoke, Seat, Suit, Team
from tracker.events import DealRecord, Event, fold_deals, revoke_certainty, trump_instead

CARDS_IN_A_DEAL: Final = 32


def results_in_words(events: Iterable[Event]) -> Iterator[str]:
    """Two lines for each deal, Dutch and English, and two for each verzaking."""
    for record in fold_deals(events):
        yield from deal_in_words(record)


def deal_in_words(record: DealRecord) -> Iterator[str]:
    """What is known of one deal, line by line."""
    yield _deal_in_dutch(record)
    yield _deal_in_english(record)
    for revoke in record.deal.revokes:
        certainty, _ = revoke_certainty(record, revoke)
        yield from _revoke_in_words(revoke, certainty)
    suit = trump_instead(record.deal)
    if suit is not None:
        yield f"  Met {suit.dutch} als troef zou er minder of niets verzaakt zijn: klopt de troef?"
        yield f"  With {suit.english} as trump there would be fewer revokes or none: is trump right?"


def _deal_in_dutch(record: DealRecord) -> str:
    deal = record.deal
    trump = "troef onbekend" if deal.trump is None else f"troef {deal.trump.symbol} {deal.trump.dutch}"
    player = "" if deal.declarer is None else f", {deal.declarer.dutch} speelt"
    result = deal.result()
    ending = _ending(result.nat, result.pit, "nat", "pit")
    return (
        f"Spel {record.number}: {trump}{player}. Wij {_score(record, Team.NORTH_SOUTH)}, "
        f"zij {_score(record, Team.EAST_WEST)}{ending}{_unfinished(record, 'nog niet af', 'kaarten gezien')}."
    )


def _deal_in_english(record: DealRecord) -> str:
    deal = record.deal
    trump = "trump unknown" if deal.trump is None else f"trump {deal.trump.symbol} {deal.trump.english}"
    player = "" if deal.declarer is None else f", {_english(deal.declarer)} plays"
    result = deal.result()
    ending = _ending(result.nat, result.pit, "nat (short)", "pit (all tricks)")
    return (
        f"Deal {record.number}: {trump}{player}. North-South {_score(record, Team.NORTH_SOUTH)}, "
        f"East-West {_score(record, Team.EAST_WEST)}{ending}"
        f"{_unfinished(record, 'not finished', 'cards seen')}."
    )


def _score(record: DealRecord, team: Team) -> str:
    result = record.deal.result()
    points, roem = result.score_points[team], result.score_roem[team]
    return f"{points} + {roem} roem" if roem else str(points)


def _ending(nat: bool, pit: bool, nat_word: str, pit_word: str) -> str:
    return f", {nat_word}" if nat else f", {pit_word}" if pit else ""


def _unfinished(record: DealRecord, word: str, seen_word: str) -> str:
    if record.deal.result().complete:
        return ""
    return f"; {word} ({len(record.cards)}/{CARDS_IN_A_DEAL} {seen_word})"


def _revoke_in_words(revoke: Revoke, certainty: float) -> Iterator[str]:
    instead = ", ".join(str(card) for card in revoke.should_have_played)
    seat, trick, proven = revoke.seat, revoke.trick, revoke.proven_trick
    yield (
        f"  Verzaakt ({certainty:.0%} zeker): {seat.dutch} speelde {revoke.card} in slag {trick} "
        f"maar had nog {instead}; dat bleek in slag {proven} aan {revoke.proven_card}."
    )
    yield (
        f"  Revoke ({certainty:.0%} sure): {_english(seat)} played {revoke.card} in trick {trick} "
        f"but still held {instead}; {revoke.proven_card} in trick {proven} proved it."
    )


def card_in_words(card: Card) -> str:
    """The card's Dutch and English names: ``harten 10 / hearts 10``."""
    return f"{card.suit.dutch} {_DUTCH_RANKS.get(card.rank.value, card.rank.dutch_index)} / {_english(card)}"


def _english(thing: Card | Seat | Suit) -> str:
    if isinstance(thing, Card):
        return f"{thing.suit.english} {_ENGLISH_RANKS.get(thing.rank.value, thing.rank.dutch_index)}"
    return thing.name.capitalize()


_DUTCH_RANKS: Final = {"J": "boer", "Q": "vrouw", "K": "heer", "A": "aas"}
_ENGLISH_RANKS: Final = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
