"""The court figures of the project's own pack: boer, vrouw, heer and a joker, drawn as half figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from capture.simulator.decks.suits import draw_suit
from capture.simulator.decks.vector import (
    CARD_HEIGHT,
    INK,
    Canvas,
    Colour,
    Outline,
    circle,
    mirrored,
    path,
    rectangle,
)

FRAME: Final = (43.0, 35.0, 197.0, 335.0)
"""Left, top, right, bottom of the frame round a court."""

_GOLD: Final[Colour] = (242, 190, 60)
_DARK_GOLD: Final[Colour] = (196, 134, 24)
_SKIN: Final[Colour] = (250, 222, 194)
_BLUSH: Final[Colour] = (240, 172, 150)
_LIPS: Final[Colour] = (196, 44, 48)
_WHITE: Final[Colour] = (252, 251, 246)
_STEEL: Final[Colour] = (196, 206, 216)
_GREEN: Final[Colour] = (44, 124, 66)
_WOOD: Final[Colour] = (150, 96, 48)
_LINE: Final = 1.5
_AXIS: Final = 126.0
"""The upright line through the figure's head; a little right, to leave room for the suit sign."""


@dataclass(frozen=True)
class Costume:
    """The colours of one court: of robe, sleeves, lining and hair."""

    robe: Colour
    sleeve: Colour
    lining: Colour
    hair: Colour


_RED: Final[Colour] = (200, 36, 44)
_BLUE: Final[Colour] = (36, 74, 158)
_TEAL: Final[Colour] = (22, 122, 128)
_PURPLE: Final[Colour] = (104, 52, 126)
_ROSE: Final[Colour] = (226, 108, 128)
_ORANGE: Final[Colour] = (232, 122, 40)
_BLACK_CLOTH: Final[Colour] = (52, 48, 62)
_BLOND: Final[Colour] = (232, 186, 86)
_BROWN: Final[Colour] = (122, 74, 40)
_AUBURN: Final[Colour] = (176, 84, 40)
_GREY: Final[Colour] = (198, 198, 196)

COSTUMES: Final[Mapping[str, Costume]] = {
    "CJ": Costume(_GREEN, _GOLD, _RED, _BROWN), "DJ": Costume(_ORANGE, _BLUE, _GOLD, _BLOND),
    "HJ": Costume(_RED, _TEAL, _GOLD, _AUBURN), "SJ": Costume(_BLUE, _RED, _GOLD, _BROWN),
    "CQ": Costume(_TEAL, _ROSE, _GOLD, _AUBURN), "DQ": Costume(_ROSE, _GOLD, _PURPLE, _BLOND),
    "HQ": Costume(_RED, _WHITE, _BLUE, _BLOND), "SQ": Costume(_PURPLE, _TEAL, _GOLD, _BROWN),
    "CK": Costume(_PURPLE, _GREEN, _GOLD, _BROWN), "DK": Costume(_TEAL, _ORANGE, _RED, _AUBURN),
    "HK": Costume(_BLUE, _RED, _GOLD, _BLOND), "SK": Costume(_BLACK_CLOTH, _BLUE, _RED, _GREY),
}  # fmt: skip
"""What each court wears."""

_JOKER_COSTUME: Final = Costume(_PURPLE, _GOLD, _RED, _AUBURN)


def draw_court(canvas: Canvas, code: str, suit_colour: Colour, paper: Colour) -> None:
    """Draw the framed double figure of ``code`` (a jack, queen or king) with its suit sign in two corners."""
    costume = COSTUMES[code]
    half = Canvas(canvas.width, paper, canvas.signs)
    rank = code[1]
    {"J": _boer, "Q": _vrouw, "K": _heer}[rank](half, code, costume)
    draw_suit(half, code[0], 63, 61, 36, suit_colour)
    _finish(canvas, half, costume)


def draw_joker(canvas: Canvas, paper: Colour) -> None:
    """Draw the framed double figure of a joker."""
    half = Canvas(canvas.width, paper, canvas.signs)
    _nar(half, _JOKER_COSTUME)
    _finish(canvas, half, _JOKER_COSTUME)


def _finish(canvas: Canvas, half: Canvas, costume: Costume) -> None:
    """Put the half figure on the card twice, with a sash over the seam and the frame round it."""
    left, top, right, _ = FRAME
    middle = CARD_HEIGHT / 2
    slope = 26.0
    upper = np.array([[left, top], [right, top], [right, middle - slope], [left, middle + slope]])
    canvas.paste_both_ways(half, upper)
    seam = np.array([[left, middle + slope], [right, middle - slope]])
    for width, colour in ((17.0, INK), (14.0, costume.lining), (10.5, INK), (8.5, _WHITE)):
        canvas.stroke(seam, colour, width)
    for share in np.linspace(0.06, 0.94, 12):
        x, y = seam[0] + share * (seam[1] - seam[0])
        canvas.fill(circle(x, y, 2.4), costume.robe)
    edge = rectangle(*FRAME)
    # The sash's ends stick out of the frame; paper over them.
    margin = 12.0
    paper = canvas.picture.getpixel((canvas.picture.width // 2, round(6 * canvas.scale)))
    if isinstance(paper, tuple):
        for x0, x1 in ((left - margin, left), (right, right + margin)):
            canvas.fill(rectangle(x0, middle - 45, x1, middle + 45), (paper[0], paper[1], paper[2]))
    canvas.stroke(np.vstack([edge, edge[:2]]), _BLUE, 1.8)


def _about_axis(half: str) -> Outline:
    """A closed outline from the right half's path, about the figure's axis (its x counts from there)."""
    outline = mirrored(path(half))
    outline[:, 0] += _AXIS
    return outline


def _shift(text: str) -> Outline:
    """A path whose x counts from the figure's axis."""
    outline = path(text)
    outline[:, 0] += _AXIS
    return outline


def _robe(canvas: Canvas, costume: Costume) -> None:
    """Shoulders, two sleeves and a front panel with lozenges, down past the seam."""
    canvas.fill(
        _about_axis("M 0,120 C 14,121 20,126 30,130 C 50,138 58,160 60,230 L 0,230"), costume.robe, _LINE
    )
    for side in (-1, 1):
        sleeve = path("M 34,131 C 56,138 66,162 72,232 L 44,232 C 44,196 40,160 34,131")
        outline = sleeve.copy()
        outline[:, 0] = _AXIS + side * outline[:, 0]
        canvas.fill(outline, costume.sleeve, _LINE)
        for y in (152, 166, 180, 194):
            inner, outer = 40.0 + (y - 150) * 0.06, 57.0 + (y - 150) * 0.22
            band = np.array([[_AXIS + side * inner, y + 3], [_AXIS + side * outer, y - 3]])
            canvas.stroke(band, INK, 4.4)
            canvas.stroke(band, costume.lining, 2.2)
    canvas.fill(_about_axis("M 0,122 L 15,126 L 19,232 L 0,232"), costume.lining, _LINE)
    for y in range(142, 232, 17):
        canvas.fill(_about_axis(f"M 0,{y - 8} L 9,{y} L 0,{y + 8}"), costume.robe, 1.0)
        canvas.fill(circle(_AXIS, y, 2.2), _WHITE)


def _head(canvas: Canvas, lips: Colour = _LIPS) -> None:
    """Neck, face and its features."""
    canvas.fill(_about_axis("M 0,106 L 9,106 L 10,126 L 0,130"), _SKIN, _LINE)
    canvas.fill(_about_axis("M 0,64 C 15,64 20,76 19.5,90 C 19,106 9,119 0,119"), _SKIN, _LINE)
    for side in (-1, 1):
        canvas.fill(circle(_AXIS + side * 12, 102, 4.2, 3.4), _BLUSH)
        eye = circle(_AXIS + side * 8.2, 89.5, 4.4, 2.7)
        canvas.fill(eye, _WHITE, 1.1)
        canvas.fill(circle(_AXIS + side * 8.2 - 1.0, 89.5, 2.0), INK)
        brow = path("M 3.5,84 Q 8,79.5 14,83.5")
        brow[:, 0] = _AXIS + side * brow[:, 0]
        canvas.stroke(brow, INK, 1.5)
    canvas.stroke(_shift("M 1,86 L -2.6,99 Q -1,101.5 2.2,100.4"), INK, 1.3)
    canvas.fill(_shift("M -6,107 Q -2,104.8 0,106.2 Q 2,104.8 6,107 Q 0,112.4 -6,107"), lips)


def _hand(canvas: Canvas, x: float, y: float, cuff: Colour) -> None:
    """A fist round something upright, with a cuff under it."""
    canvas.fill(rectangle(x - 9, y + 6, x + 9, y + 16, 3), cuff, _LINE)
    canvas.fill(rectangle(x - 8, y - 9, x + 8, y + 8, 5), _SKIN, _LINE)
    for line in (-4, 0, 4):
        canvas.stroke(np.array([[x - 4, y + line], [x + 7, y + line]]), INK, 0.9)


def _staff(canvas: Canvas, x: float, top: float, colour: Colour) -> None:
    """An upright shaft from ``top`` down past the seam."""
    canvas.fill(rectangle(x - 2.4, top, x + 2.4, 240), colour, 1.2)


def _boer(canvas: Canvas, code: str, costume: Costume) -> None:
    """A young man with a feathered beret, cropped hair, a ruff and a halberd or a pipe's staff."""
    _robe(canvas, costume)
    canvas.fill(
        _about_axis("M 0,60 C 22,58 31,74 30,92 C 30,106 33,112 27,117 C 22,120 15,118 14,112 L 0,112"),
        costume.hair, _LINE,
    )  # fmt: skip
    for side in (-1, 1):
        for wave in (19.0, 24.0):
            lock = path(f"M {wave},84 Q {wave + 4},98 {wave - 1},114")
            lock[:, 0] = _AXIS + side * lock[:, 0]
            canvas.stroke(lock, INK, 0.9)
    _head(canvas)
    canvas.fill(_about_axis("M 0,66 C 12,66 19,72 20,81 C 12,75 6,77 0,76"), costume.hair, 1.1)
    # The ruff: a row of white pleats.
    for x in np.linspace(-24, 24, 7):
        canvas.fill(circle(_AXIS + x, 127 + abs(x) * 0.12, 6.2, 7.4), _WHITE, 1.1)
    plume = "M 18,60 C 34,34 52,40 50,58 C 49,72 40,76 44,86 C 32,80 30,66 18,68"
    canvas.fill(_shift(plume), costume.sleeve, _LINE)
    canvas.stroke(_shift("M 20,64 C 32,48 42,48 44,60"), INK, 1.0)
    canvas.fill(
        _shift("M -34,70 C -38,52 -16,41 6,42 C 28,43 40,52 34,66 C 28,74 8,62 -34,70"), costume.robe, _LINE
    )
    canvas.fill(_shift("M -31,72 Q 2,56 33,69 L 32,75 Q 2,62 -30,78"), costume.lining, _LINE)
    canvas.fill(circle(_AXIS + 22, 65, 4.0), _GOLD, 1.1)
    if code[0] in "CH":
        _halberd(canvas, 65)
    else:
        _arrow(canvas, 65)
    _hand(canvas, 65, 164, costume.lining)


def _halberd(canvas: Canvas, x: float) -> None:
    """A pike with an axe blade, its point under the suit sign."""
    _staff(canvas, x, 96, _WOOD)
    canvas.fill(path(f"M {x},82 L {x + 5},100 L {x},106 L {x - 5},100"), _STEEL, 1.2)
    canvas.fill(
        path(f"M {x + 2},104 L {x + 18},98 C {x + 24},108 {x + 24},118 {x + 18},128 L {x + 2},120"),
        _STEEL,
        1.2,
    )
    canvas.fill(path(f"M {x - 2},106 L {x - 14},112 L {x - 2},118"), _STEEL, 1.2)


def _arrow(canvas: Canvas, x: float) -> None:
    """A long arrow with its feathers up."""
    _staff(canvas, x, 88, _WOOD)
    for y in (92, 100, 108, 116):
        for side in (-1, 1):
            tip = x + side * 12
            vane = path(f"M {x},{y + 8} L {tip},{y - 3} L {tip},{y + 6} L {x},{y + 16}")
            canvas.fill(vane, _RED if y % 16 else _WHITE, 1.0)


def _vrouw(canvas: Canvas, code: str, costume: Costume) -> None:
    """A lady with long waving hair, a small crown, pearls, and a tulip or a rose in her hand."""
    _robe(canvas, costume)
    canvas.fill(
        _about_axis(
            "M 0,58 C 26,56 32,76 30,94 C 28,110 42,116 39,134"
            " C 37,150 24,152 18,144 C 14,136 16,120 14,110 L 0,110"
        ),
        costume.hair, _LINE,
    )  # fmt: skip
    for side in (-1, 1):
        for wave in (19.0, 25.0, 31.0):
            lock = path(f"M {wave - 1},84 C {wave + 4},102 {wave - 4},118 {wave + 1},142")
            lock[:, 0] = _AXIS + side * lock[:, 0]
            canvas.stroke(lock, INK, 0.9)
    canvas.fill(_about_axis("M 0,118 L 9,118 C 12,126 15,130 17,134 L 0,154"), _SKIN, _LINE)
    _head(canvas)
    canvas.fill(_about_axis("M 0,63 C 14,63 22,74 20,92 C 17,82 12,74 0,71"), costume.hair, 1.1)
    for angle in np.linspace(0.15, np.pi - 0.15, 9):
        canvas.fill(circle(_AXIS + 15 * np.cos(angle), 123 + 11 * np.sin(angle), 2.4), _WHITE, 0.9)
    canvas.fill(circle(_AXIS, 139, 3.4), _LIPS, 1.0)
    canvas.fill(_about_axis("M 0,66 C 10,66 18,67 22,70 L 27,50 L 17,58 L 12,45 L 5,57 L 0,41"), _GOLD, _LINE)
    for x, y in ((0, 41), (12, 45), (-12, 45), (27, 50), (-27, 50)):
        canvas.fill(circle(_AXIS + x, y, 2.9), _WHITE, 1.0)
    for x in (-13, 0, 13):
        canvas.fill(circle(_AXIS + x, 62.5, 2.3), costume.robe)
    (_tulip if code[0] in "CH" else _rose)(canvas, 66, costume)
    _hand(canvas, 66, 166, costume.lining)


def _tulip(canvas: Canvas, x: float, costume: Costume) -> None:
    """A tulip on a stem with two leaves."""
    canvas.stroke(np.array([[x, 112.0], [x, 200.0]]), _GREEN, 3.0)
    for side in (-1, 1):
        canvas.fill(path(f"M {x},152 C {x + side * 4},140 {x + side * 14},134 {x + side * 15},122"
                         f" C {x + side * 6},128 {x + side * 1},138 {x},152"), _GREEN, 1.0)  # fmt: skip
    canvas.fill(path(f"M {x - 13},88 L {x - 6},97 L {x},86 L {x + 6},97 L {x + 13},88"
                     f" C {x + 16},108 {x + 8},117 {x},117 C {x - 8},117 {x - 16},108 {x - 13},88"),
                _ORANGE if costume.robe == _RED else _RED, _LINE)  # fmt: skip
    canvas.stroke(path(f"M {x},90 Q {x - 4},102 {x},114"), INK, 0.9)


def _rose(canvas: Canvas, x: float, costume: Costume) -> None:
    """A rose on a stem with two leaves."""
    canvas.stroke(np.array([[x, 112.0], [x, 200.0]]), _GREEN, 3.0)
    for side, y in ((-1, 134), (1, 144)):
        canvas.fill(path(f"M {x},{y} Q {x + side * 6},{y - 13} {x + side * 16},{y - 9}"
                         f" Q {x + side * 12},{y + 3} {x},{y}"), _GREEN, 1.0)  # fmt: skip
    colour = _RED if costume.robe != _RED else _ROSE
    for angle in np.arange(5) * 2 * np.pi / 5 - np.pi / 2:
        canvas.fill(circle(x + 8.5 * np.cos(angle), 102 + 8.5 * np.sin(angle), 7.4), colour, 1.1)
    canvas.fill(circle(x, 102, 5.5), _GOLD, 1.1)


def _heer(canvas: Canvas, code: str, costume: Costume) -> None:
    """A bearded man under a high crown, with an ermine collar and a sword or a sceptre."""
    _robe(canvas, costume)
    _ermine(canvas)
    for side in (-1, 1):
        for x, y, size in ((22, 78, 7), (25, 90, 7.5), (25, 103, 7.5), (21, 114, 7)):
            canvas.fill(circle(_AXIS + side * x, y, size), costume.hair, 1.1)
    _head(canvas)
    _beard(canvas, costume)
    _crown(canvas, costume)
    if code[0] in "SH":
        _sword(canvas, 64)
    else:
        _sceptre(canvas, 64)
    _hand(canvas, 64, 168, costume.lining)


def _ermine(canvas: Canvas) -> None:
    """A wide white collar with black tails."""
    canvas.fill(
        _about_axis("M 0,122 C 16,120 30,126 40,134 C 46,142 44,152 36,158 C 24,150 10,152 0,166"),
        _WHITE,
        _LINE,
    )
    for x, y in ((-34, 142), (-25, 133), (-22, 147), (-11, 136), (11, 136), (22, 147), (25, 133), (34, 142)):
        canvas.fill(_tail(_AXIS + x, y), INK)


def _tail(x: float, y: float) -> Outline:
    """One ermine tail at (x, y)."""
    return path(f"M {x},{y - 4} L {x + 2.4},{y + 4} L {x},{y + 2.4} L {x - 2.4},{y + 4}")


def _beard(canvas: Canvas, costume: Costume) -> None:
    """A forked beard and a moustache."""
    canvas.fill(
        _about_axis(
            "M 0,113 C 5,113 9,109 12,104 C 16,102 19,96 19.5,92 C 25,112 21,132 12,146"
            " C 9,140 6,134 0,131"
        ),
        costume.hair, _LINE,
    )  # fmt: skip
    for side in (-1, 1):
        for start in (5.0, 10.0, 15.0):
            strand = path(f"M {start},{117 - start * 0.4} Q {start + 3},126 {6 + start * 0.4},137")
            strand[:, 0] = _AXIS + side * strand[:, 0]
            canvas.stroke(strand, INK, 0.9)
        moustache = path("M 0,103 C 5,101 12,104 15,110 C 9,109 4,109 0,106")
        moustache[:, 0] = _AXIS + side * moustache[:, 0]
        canvas.fill(moustache, costume.hair, 1.1)
    canvas.fill(circle(_AXIS, 110.5, 4.2, 2.2), _LIPS)


def _crown(canvas: Canvas, costume: Costume) -> None:
    """A high crown: red cap, five gold points with pearls, a jewelled band."""
    canvas.fill(_about_axis("M 0,42 C 16,42 27,48 27,66 L 0,66"), costume.lining, _LINE)
    canvas.fill(_about_axis("M 0,72 L 25,70 L 33,43 L 21,58 L 15,41 L 7,57 L 0,38"), _GOLD, _LINE)
    for x, y in ((0, 40), (15, 42), (-15, 42), (32, 45), (-32, 45)):
        canvas.fill(circle(_AXIS + x, y, 3.2), _WHITE, 1.0)
    canvas.fill(_about_axis("M 0,64 L 26,62 L 24,75 L 0,77"), _DARK_GOLD, _LINE)
    for x, colour in ((-16, costume.robe), (0, _LIPS), (16, costume.robe)):
        canvas.fill(circle(_AXIS + x, 70, 3.4), colour, 0.9)


def _sword(canvas: Canvas, x: float) -> None:
    """A broad sword, point up."""
    canvas.fill(path(f"M {x},82 L {x + 6},94 L {x + 6},152 L {x - 6},152 L {x - 6},94"), _STEEL, _LINE)
    canvas.stroke(np.array([[x, 92.0], [x, 150.0]]), INK, 0.9)
    canvas.fill(rectangle(x - 17, 150, x + 17, 157, 3), _GOLD, _LINE)
    _staff(canvas, x, 157, _WOOD)


def _sceptre(canvas: Canvas, x: float) -> None:
    """A rod with a cross on an orb."""
    _staff(canvas, x, 112, _GOLD)
    canvas.fill(rectangle(x - 2, 83, x + 2, 100), _GOLD, 1.1)
    canvas.fill(rectangle(x - 7, 88, x + 7, 92), _GOLD, 1.1)
    canvas.fill(circle(x, 107, 11), _GOLD, _LINE)
    canvas.fill(rectangle(x - 11, 105, x + 11, 110), _LIPS, 1.0)


def _nar(canvas: Canvas, costume: Costume) -> None:
    """A jester: a cap with three bells, a toothed collar and a grin."""
    _robe(canvas, costume)
    _head(canvas)
    for side, colour in ((-1, costume.sleeve), (1, costume.lining)):
        horn = path("M 0,76 L 20,78 C 34,84 46,94 52,108 C 58,84 46,52 0,44")
        horn[:, 0] = _AXIS + side * horn[:, 0]
        canvas.fill(horn, colour, _LINE)
        canvas.fill(circle(_AXIS + side * 52, 112, 5), _GOLD, 1.1)
    canvas.fill(_about_axis("M 0,40 C 10,48 15,62 12,78 L 0,80"), costume.robe, _LINE)
    canvas.fill(circle(_AXIS, 43, 5), _GOLD, 1.1)
    teeth = [(x, 146 if index % 2 else 128) for index, x in enumerate(np.linspace(-40, 40, 11))]
    collar = np.array([(-36.0, 124.0), *teeth, (36.0, 124.0), (0.0, 118.0)]) + np.array([_AXIS, 0.0])
    canvas.fill(collar, costume.sleeve, _LINE)
    canvas.stroke(_shift("M -11,105 Q 0,117 11,105"), INK, 1.6)
