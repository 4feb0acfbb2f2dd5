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
        '<path d="M4 44c-2-18 16-30 40-28 20 2 32 12 32 28z"/><path d="M2 48h76v9H2z"/>'
        '<path d="M42 20C50 4 66-8 92-12 88 6 78 18 60 26z"/>'
    ),
    Rank.QUEEN: (
        '<path d="M2 50C6 30 20 18 40 16c20 2 34 14 38 34-12-10-24-14-38-14S14 40 2 50z"/>'
        '<circle cx="40" cy="4" r="8"/><circle cx="14" cy="17" r="7"/><circle cx="66" cy="17" r="7"/>'
        '<path d="M4 54c22-12 50-12 72 0v6c-22-9-50-9-72 0z"/>'
    ),
    Rank.KING: '<path d="M4 44-2 2l22 22L30-10l10 28L50-10l10 34L82 2l-6 42z"/><path d="M2 48h76v9H2z"/>',
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
        '<rect class="card-paper" x="1.5" y="1.5" width="97" height="137" rx="9"/>{index}{picture}</svg>'
    ).format(colour=_colour(card.suit), name=name, index=Markup(_index(card)), picture=Markup(_picture(card)))


def _index(card: Card) -> str:
    """The corner that is seen when other cards lie on top: rank and suit, as large as it can be."""
    text = card.rank.dutch_index
    narrow = ' textLength="42" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    return (
        f'<text class="card-index" x="27" y="48" text-anchor="middle"{narrow}>{text}</text>'
        f'<g transform="translate(13 57) scale(.28)">{_SUIT_SHAPES[card.suit]}</g>'
    )


def _picture(card: Card) -> str:
    """The lower right: the suit, and on a court its head-dress above it."""
    shape = _SUIT_SHAPES[card.suit]
    if card.rank in _COURTS:
        return (
            f'<g transform="translate(45 54) scale(.5)">{_COURTS[card.rank]}</g>'
            f'<g transform="translate(44 84) scale(.44)">{shape}</g>'
        )
    size = 0.56 if card.rank is Rank.ACE else 0.46
    return f'<g transform="translate({91 - 100 * size:.0f} {131 - 100 * size:.0f}) scale({size})">{shape}</g>'


def _colour(suit: Suit) -> str:
    return "is-red" if suit in _RED else "is-black"
