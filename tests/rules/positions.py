"""Deals and hands written the short way that tests like."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules import CLOCKWISE, Card, Deal, Play, Reglement, Seat, Suit, legal_cards, parse_card


def cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """``"H10 KB CJ"``, or a list of codes, as cards."""
    codes = text.split() if isinstance(text, str) else text
    return tuple(parse_card(code) for code in codes)


def trick_of(codes: str | Iterable[str], leader: Seat = Seat.NORTH) -> tuple[Play, ...]:
    """Plays clockwise from ``leader``."""
    first = CLOCKWISE.index(leader)
    return tuple(Play(CLOCKWISE[(first + place) % 4], card) for place, card in enumerate(cards(codes)))


def begun(reglement: Reglement, trump: Suit, dealer: Seat = Seat.SOUTH) -> Deal:
    """A deal in which the first speaker made ``trump``."""
    return Deal(reglement, dealer).declared(Deal(reglement, dealer).speaker or dealer.left, trump)


def with_tricks(deal: Deal, tricks: Iterable[str], *, covered: bool = True) -> Deal:
    """``deal`` with whole or begun tricks, clockwise from whose turn it is, or was when it was stopped."""
    for codes in tricks:
        leader = deal.turn or deal.winners[-1]
        assert leader is not None
        for play in trick_of(codes, leader):
            deal = deal.played(play.seat, play.card)
        if covered and deal.tricks[-1].is_full:
            deal = deal.trick_covered()
    return deal


def on_table(deal: Deal) -> tuple[Play, ...]:
    """The plays of the unfinished trick, none before a lead."""
    return deal.tricks[-1].plays if deal.tricks and not deal.tricks[-1].is_full else ()


def legal_now(deal: Deal, hand: Sequence[Card]) -> tuple[Card, ...]:
    """What the player whose turn it is may play from ``hand``."""
    assert deal.turn is not None
    return legal_cards(deal.reglement, hand, on_table(deal), deal.trump, deal.turn)
