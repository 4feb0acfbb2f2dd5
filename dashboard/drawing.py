"""Playing cards and suits as vector graphics: our own, with Dutch indices, made to be read across a room.

The card stays white in the dark, as a real one does. The suits differ in shape, never in colour alone.
"""

from __future__ import annotations

from typing import Final

from flask import Flask
from markupsafe import Markup

from rules import Card, Rank, Suit

_RED: Final = frozenset({Suit.HEARTS, Suit.DIAMONDS})

_SUIT_SHAPES: Final = {
    Suit.HEARTS: (
        '<path d="M50 93C20 66 6 49 6 31 6 16 17 7 29 7c10 0 17 6 21 15 4-9 11-15 21-15 '
        '12 0 23 9 23 24 0 18-14 35-44 62z"/>'
    ),
    Suit.DIAMONDS: '<path d="M50 3c9 18 21 34 37 47-16 13-28 29-37 47-9-18-21-34-37-47C29 37 41 21 50 3z"/>',
    Suit.SPADES: (
        '<path d="M50 4c5 17 43 36 43 59 0 14-10 22-21 22-7 0-13-3-17-9 1 9 4 15 10 20H35c6-5 '
        '9-11 10-20-4 6-10 9-17 9C17 85 7 77 7 63 7 40 45 21 50 4z"/>'
    ),
    Suit.CLUBS: (
        '<circle cx="50" cy="26" r="21"/><circle cx="27" cy="60" r="21"/><circle cx="73" cy="60" r="21"/>'
        '<path d="M44 40h12c-2 26 1 45 11 56H33c10-11 13-30 11-56z"/>'
    ),
}
"""Each suit in a box of 100 by 100."""

_COURTS: Final = {
    # A cap with a feather, a tiara with pearls, a crown with points: told apart without reading the letter.
    Rank.JACK: (
        '<path d="M8 34c0-14 16-22 34-20 16 2 28 10 28 20z"/><path d="M6 38h68v8H6z"/>'
        '<path d="M44 14C54 4 66-3 82-6c-3 12-10 22-22 28-6-1-11-4-16-8z"/>'
    ),
    Rank.QUEEN: (
        '<path d="M6 40C10 24 22 12 40 10c18 2 30 14 34 30-10-8-21-12-34-12S16 32 6 40z"/>'
        '<circle cx="40" cy="2" r="6"/><circle cx="18" cy="11" r="5"/><circle cx="62" cy="11" r="5"/>'
        '<path d="M8 44c20-9 44-9 64 0v4c-20-7-44-7-64 0z"/>'
    ),
    Rank.KING: ('<path d="M6 36 2 8l18 14L28-2l12 18L52-2l8 24L78 8l-4 28z"/><path d="M6 40h68v8H6z"/>'),
}
"""Each court's head-dress in a box some 80 wide and 50 high."""


def install_drawing(app: Flask) -> None:
    """Give the templates ``draw_card`` and ``draw_suit``."""
    app.jinja_env.globals.update(draw_card=draw_card, draw_suit=draw_suit)


def draw_suit(suit: Suit) -> Markup:
    """The sign of a suit, as large as the page makes it; put its name beside it for who cannot see."""
    return Markup(
        f'<svg class="suit {_colour(suit)}" viewBox="0 0 100 100" aria-hidden="true" focusable="false">'
        f"{_SUIT_SHAPES[suit]}</svg>"
    )


def draw_card(card: Card, name: str) -> Markup:
    """A playing card; ``name`` is read out to whoever cannot see it."""
    return Markup(
        '<svg class="card {colour}" viewBox="0 0 100 140" role="img" aria-label="{name}" focusable="false">'
        '<rect class="card-paper" x="1.5" y="1.5" width="97" height="137" rx="9"/>{index}'
        '<g transform="rotate(180 50 70)">{index}</g>{middle}</svg>'
    ).format(colour=_colour(card.suit), name=name, index=Markup(_index(card)), middle=Markup(_middle(card)))


def _index(card: Card) -> str:
    text = card.rank.dutch_index
    narrow = ' textLength="32" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    return (
        f'<text class="card-index" x="22" y="36" text-anchor="middle"{narrow}>{text}</text>'
        f'<g transform="translate(11 43) scale(.22)">{_SUIT_SHAPES[card.suit]}</g>'
    )


def _middle(card: Card) -> str:
    shape = _SUIT_SHAPES[card.suit]
    if card.rank in _COURTS:
        return (
            f'<g transform="translate(31 46) scale(.475)">{_COURTS[card.rank]}</g>'
            f'<g transform="translate(30 74) scale(.4)">{shape}</g>'
        )
    size = 0.56 if card.rank is Rank.ACE else 0.42
    return f'<g transform="translate({50 - 50 * size:.1f} {70 - 50 * size:.1f}) scale({size})">{shape}</g>'


def _colour(suit: Suit) -> str:
    return "is-red" if suit in _RED else "is-black"
