"""Random pictures of cards on tables, with the truth about every card: what models are trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator._pixels import Floats, Pixels, as_floats, as_pixels
from capture.simulator.camera import (
    Extent,
    Pose,
    camera_homography,
    corners_on_table,
    photographed,
    pixels_per_millimetre_at,
    project,
)
from capture.simulator.clutter import random_thing
from capture.simulator.hands import random_hand
from capture.simulator.layouts import CARD_HEIGHT, CARD_WIDTH, Laid, random_layout
from capture.simulator.light import add_glare, lit, random_light
from capture.simulator.scene import (
    FOREIGN_CODE,
    Canvas,
    CardSide,
    Shadow,
    Sprite,
    TrueCard,
    solid_share,
)
from capture.simulator.table import random_surface

if TYPE_CHECKING:
    from capture.simulator.decks import Deck

LEAST_SHARE: Final = 0.02
"""Cards of which less is seen are left out of the truth: nothing tells that they are there."""

_CARD_WIDTHS: Final = (25.0, 260.0)
"""Pixels in a still of 416: from a card at the far side of a table to one that nearly fills the picture."""

_BRIDGE_WIDTH: Final = 57.0
_FOREIGN_SHARE: Final = 0.07


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """One picture, ``image`` (H, W, 3) uint8 BGR, and what cards are in it, lowest first."""

    image: Pixels
    cards: tuple[TrueCard, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A card on the canvas, before it is known how much of it stays in view."""

    quad: Floats
    face_up: bool
    code: str | None
    solid_share: float


def random_still(
    rng: np.random.Generator, decks: Sequence[Deck], size: tuple[int, int] = (416, 416)
) -> Still:
    """A picture of ``size`` (height, width) of cards of one of the ``decks`` on some table under some light.

    The same generator state and decks give the same still. Nothing is ever mirrored.

    Raises:
        ValueError: when there is no deck.
    """
    if not decks:
        raise ValueError("random_still needs at least one deck")
    return _StillMaker(rng, decks[int(rng.integers(len(decks)))], size).make()


class _StillMaker:
    def __init__(self, rng: np.random.Generator, deck: Deck, size: tuple[int, int]) -> None:
        self.rng = rng
        self.deck = deck
        self.size = size
        low, high = np.log(_CARD_WIDTHS)
        self.card_pixels = float(np.exp(rng.uniform(low, high))) * max(size) / 416
        self.scale = self.card_pixels / CARD_WIDTH
        self.homography = self._camera()
        self.card_extent = Extent.centred(
            _BRIDGE_WIDTH if rng.random() < 0.35 else CARD_WIDTH, CARD_HEIGHT * float(rng.uniform(0.98, 1.02))
        )
        self.paper = _paper_tint(rng)
        self.light_offset = rng.uniform(-1, 1, 2)
        self.contact = float(rng.uniform(0.2, 0.75))
        self.image = self._surface()
        self.canvas = Canvas.on(self.image)
        self.drawn: list[_Drawn] = []

    def make(self) -> Still:
        rng = self.rng
        field = (self.size[1] / self.scale, self.size[0] / self.scale)
        self._lay_clutter(field, int(rng.poisson(0.9)), on_cards=False)
        layout = random_layout(rng, field)
        for laid in layout:
            self._lay_card(laid)
        if rng.random() < 0.22:
            self._lay_clutter(field, 1, on_cards=True)
        if rng.random() < 0.3:
            self._lay_hand(layout, held=bool(rng.random() < 0.5))
        self._light()
        cards = tuple(self._truth())
        return Still(photographed(self.image, rng), cards)

    def _camera(self) -> npt.NDArray[np.float64]:
        rng = self.rng
        tilt = float(
            rng.choice([0.0, rng.uniform(0, 0.25), rng.uniform(0.2, np.pi / 4)], p=[0.15, 0.5, 0.35])
        )
        return camera_homography(
            (self.size[1], self.size[0]),
            self.scale,
            tilt=tilt,
            direction=float(rng.uniform(0, 2 * np.pi)),
            roll=float(rng.uniform(-np.pi, np.pi)),
            focal_length=max(self.size) * float(rng.uniform(0.8, 2.2)),
        )

    def _surface(self) -> Pixels:
        """The table, seen through the camera, at times with its edge and another surface beyond."""
        rng = self.rng
        image = self._warped_surface()
        if rng.random() < 0.3:
            for _ in range(int(rng.integers(1, 3))):
                self._other_surface(image)
        return image

    def _warped_surface(self) -> Pixels:
        """A texture of twice the picture's size laid on the table plane."""
        height, width = self.size
        side = int(max(height, width) * 1.25)
        texture = random_surface(self.rng, (side, side))
        reach = side / self.scale / 2
        corners = project(
            self.homography, [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]
        )
        source = as_floats(np.array([[0, 0], [side, 0], [side, side], [0, side]]))
        matrix = cv2.getPerspectiveTransform(source, corners)
        return as_pixels(
            cv2.warpPerspective(
                texture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
            )
        )

    def _other_surface(self, image: Pixels) -> None:
        """Beyond an edge through the picture something else lies: the floor, a bench, another cloth."""
        rng = self.rng
        height, width = self.size
        angle = float(rng.uniform(0, 2 * np.pi))
        offset = float(rng.uniform(0.05, 0.45)) * max(height, width)
        normal = np.array([np.cos(angle), np.sin(angle)])
        along = np.array([-normal[1], normal[0]])
        start = np.array([width, height]) / 2 + normal * offset
        far = 2.0 * max(height, width)
        points = np.array(
            [
                start - along * far,
                start + along * far,
                start + (along + normal) * far,
                start + (normal - along) * far,
            ]
        )
        mask = np.zeros(self.size, dtype=np.uint8)
        cv2.fillPoly(mask, [points.astype(np.int32)], (255,), cv2.LINE_AA)
        shade = as_pixels(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 9))))
        cv2.convertScaleAbs(shade, dst=shade, alpha=-float(rng.uniform(0.1, 0.6)))
        keep = cv2.bitwise_not(shade)
        cv2.multiply(image, cv2.merge([keep, keep, keep]), dst=image, scale=1 / 255)
        other = random_surface(rng, self.size)
        image[mask > 127] = other[mask > 127]

    def _lay_card(self, laid: Laid) -> None:
        quad = project(self.homography, self._corners(laid.pose))
        if not self._in_sight(quad) or len(self.drawn) >= 250:
            return
        code, art = self._art(laid.face_up)
        sprite = self._sprite(art)
        number = len(self.drawn) + 1
        local = pixels_per_millimetre_at(self.homography, laid.pose.x, laid.pose.y)
        self.canvas.lay(sprite, quad, number=number, shadows=self._card_shadows(local), shading=self._bend())
        self.drawn.append(_Drawn(quad, laid.face_up, code, solid_share(sprite)))

    def _sprite(self, art: Pixels) -> Sprite:
        sprite = Sprite.of(art, self.card_extent)
        worn = cv2.multiply(sprite.art, np.array([*self.paper, 1.0]), dtype=cv2.CV_8U)
        return Sprite(as_pixels(worn), self.card_extent)

    def _art(self, face_up: bool) -> tuple[str | None, Pixels]:
        if not face_up:
            return None, self.deck.back
        foreign = self.deck.foreign
        if foreign and self.rng.random() < _FOREIGN_SHARE:
            return FOREIGN_CODE, foreign[int(self.rng.integers(len(foreign)))]
        codes = sorted(self.deck.faces)
        code = codes[int(self.rng.integers(len(codes)))]
        return code, self.deck.faces[code]

    def _card_shadows(self, local_scale: float) -> tuple[Shadow, ...]:
        """A thin dark line where the card touches the table, and a soft shadow beside it."""
        thin = Shadow(self.contact, max(0.45, 0.35 * local_scale))
        lift = float(self.rng.gamma(1.5, 0.9)) * local_scale
        offset = (float(self.light_offset[0]) * lift, float(self.light_offset[1]) * lift)
        soft = Shadow(float(self.rng.uniform(0.1, 0.5)), max(0.6, lift), offset)
        return thin, soft

    def _bend(self) -> tuple[float, float]:
        if self.rng.random() < 0.5:
            return 1.0, 1.0
        first, second = 1 + self.rng.uniform(-0.12, 0.05, 2)
        return float(first), float(second)

    def _lay_clutter(self, field: tuple[float, float], count: int, *, on_cards: bool) -> None:
        rng = self.rng
        for _ in range(count):
            thing = random_thing(rng, self.scale)
            x, y = rng.uniform(-0.55, 0.55, 2) * field
            quad = thing.sprite.quad(
                self.homography, Pose(float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
            )
            lift = min(30.0, thing.height * self.scale * 0.5)
            offset = (float(self.light_offset[0]) * lift, float(self.light_offset[1]) * lift)
            shadows = (
                Shadow(self.contact, max(0.5, 0.4 * self.scale)),
                Shadow(float(rng.uniform(0.15, 0.5)), max(0.6, lift * 0.6), offset),
            )
            number = 0 if thing.hides else None
            self.canvas.lay(thing.sprite, quad, number=number if on_cards else 0, shadows=shadows)

    def _lay_hand(self, layout: Sequence[Laid], *, held: bool) -> None:
        """An arm from outside the picture, over a card or holding one of its own."""
        rng = self.rng
        hand = random_hand(rng, self.scale)
        near = layout[int(rng.integers(len(layout)))].pose
        x, y = near.x + float(rng.normal(0, 45)), near.y + float(rng.normal(0, 45))
        outwards = float(np.arctan2(y, x)) + float(rng.normal(0, 0.6))
        pose = Pose(x, y, outwards - np.pi / 2)
        fingers, thumb = hand.fingers.quad(self.homography, pose), hand.thumb.quad(self.homography, pose)
        if not np.isfinite(fingers).all() or np.abs(fingers).max() > 20 * max(self.size):
            return
        lift = float(rng.uniform(4, 40)) * self.scale
        offset = (float(self.light_offset[0]) * lift, float(self.light_offset[1]) * lift)
        shadow = Shadow(float(rng.uniform(0.15, 0.45)), min(14.0, max(1.0, lift * 0.4)), offset)
        self.canvas.lay(hand.fingers, fingers, shadows=(shadow,))
        if held:
            reach = self.card_extent.height / 2 - float(rng.uniform(4, 30))
            turn = pose.turn + float(rng.normal(0, 0.2))
            place = Pose(x + reach * float(np.sin(turn)), y - reach * float(np.cos(turn)), turn)
            self._lay_card(Laid(place, bool(rng.random() < 0.85)))
        self.canvas.lay(hand.thumb, thumb, shadows=(Shadow(0.3, max(0.6, self.scale)),))

    def _light(self) -> None:
        rng = self.rng
        self.image = lit(self.image, random_light(rng, self.size), rng)
        if rng.random() < 0.3:
            shiny = as_pixels(np.where(self.canvas.owner > 0, 255, 0))
            add_glare(self.image, shiny, rng, self.card_pixels)

    def _truth(self) -> list[TrueCard]:
        cards = []
        for number, drawn in enumerate(self.drawn, start=1):
            share = self.canvas.visible_share(number, drawn.quad, drawn.solid_share)
            if share >= LEAST_SHARE:
                side: CardSide = "face" if drawn.face_up else "back"
                cards.append(TrueCard(drawn.quad, side, drawn.code, share))
        return cards

    def _corners(self, pose: Pose) -> Floats:
        return corners_on_table(self.card_extent, pose)

    def _in_sight(self, quad: Floats) -> bool:
        """Whether part of the card falls in the picture (with a whole, convex outline)."""
        height, width = self.size
        inside = quad[:, 0].max() > 2 and quad[:, 1].max() > 2
        inside = inside and quad[:, 0].min() < width - 3 and quad[:, 1].min() < height - 3
        area = float(cv2.contourArea(quad, oriented=True))
        return bool(inside) and 30 < area < 4 * height * width


def _paper_tint(rng: np.random.Generator) -> tuple[float, float, float]:
    """How the white of a pack has aged: factors for blue, green, red."""
    if rng.random() < 0.08:  # coloured paper, or a camera that sees white as pink
        blue, green, red = (float(value) for value in rng.uniform(0.6, 1.0, 3))
        return blue, green, red
    bright = float(rng.uniform(0.86, 1.0))
    yellow = float(rng.uniform(0, 0.12)) if rng.random() < 0.5 else 0.0
    return bright * (1 - yellow), bright * (1 - yellow / 3), bright
