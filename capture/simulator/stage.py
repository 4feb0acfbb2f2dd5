"""One moment of a film put on a canvas: what lies still is kept, only what moves is drawn anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator._pixels import Floats, as_pixels
from capture.simulator.camera import Extent, Pose, corners_on_table, project
from capture.simulator.decks import Deck
from capture.simulator.looks import Look
from capture.simulator.scene import Canvas, Shadow, Sprite
from capture.simulator.script import CARD_EXTENT, Held, Reach, Rest, Script, held_pose, turning
from rules import Card

_HALF: Final = np.array([[0.5, 0.0, -0.25], [0.0, 0.5, -0.25], [0.0, 0.0, 1.0]])
"""From the pixels of a picture to those of one of half the size; whole numbers are the middles of pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCard:
    """A card on the canvas: ``number`` in its owner map, and its ``quad`` in pixels of the whole picture."""

    number: int
    card: Card | None
    face_up: bool
    quad: Floats


@dataclass(frozen=True, eq=False)
class PackSprites:
    """A deck's faces and back, ready to be laid at the scale of a film.

    odd_backs: by the card's code, the back of a card that has another one than the rest.
    """

    faces: Mapping[str, Sprite]
    back: Sprite
    odd_backs: Mapping[str, Sprite]

    @classmethod
    def of(
        cls, deck: Deck, look: Look, odd_backs: Mapping[Card, npt.NDArray[np.uint8]] | None = None
    ) -> PackSprites:
        """The sprites of ``deck`` in the size and with the aged white that ``look`` has.

        odd_backs: (H, W, 4) uint8 BGRA for each card whose back is another one.
        """
        size = (round(CARD_EXTENT.width * look.scale * 1.1), round(CARD_EXTENT.height * look.scale * 1.1))
        tint = np.array([*look.paper, 1.0])

        def sprite(art: npt.NDArray[np.uint8]) -> Sprite:
            full = Sprite.of(art, CARD_EXTENT).art
            small = cv2.resize(full, size, interpolation=cv2.INTER_AREA) if size[0] < full.shape[1] else full
            return Sprite(as_pixels(cv2.multiply(small, tint, dtype=cv2.CV_8U)), CARD_EXTENT)

        return cls(
            {code: sprite(face) for code, face in deck.faces.items()},
            sprite(deck.back),
            {card.code: sprite(back) for card, back in (odd_backs or {}).items()},
        )

    def showing(self, card: Card | None, face_up: bool) -> Sprite:
        """What is seen of ``card``."""
        if card is None:
            return self.back
        return self.faces[card.code] if face_up else self.odd_backs.get(card.code, self.back)


class Stage:
    """Puts any moment of a script on a canvas; moments in order of time are the fastest.

    with_picture: False to keep account only of which card is seen where, at half the size.
    """

    def __init__(self, script: Script, look: Look, sprites: PackSprites, *, with_picture: bool) -> None:
        self._script = script
        self._look = look
        self._sprites = sprites
        height, width = look.cloth.shape[:2]
        self._shrink = np.eye(3) if with_picture else _HALF
        empty = (
            Canvas.on(look.cloth.copy())
            if with_picture
            else Canvas.without_picture((height // 2, width // 2))
        )
        for standing in look.standing:
            self._lay_thing(empty, standing.thing.sprite, standing.pose, standing.thing.height)
        self._empty = empty
        self._settled = empty.copy()
        self._lying: tuple[int, ...] = ()
        self._placed: list[PlacedCard] = []

    @property
    def shrink(self) -> float:
        """How long a pixel of the picture is on the canvas: 1, or 0.5 without a picture."""
        return float(self._shrink[0, 0])

    def at(self, time_s: float) -> tuple[Canvas, tuple[PlacedCard, ...]]:
        """The canvas at ``time_s``, free to be drawn on, and the cards on it, lowest first."""
        self._settle(time_s)
        canvas = self._settled.copy()
        placed = list(self._placed)
        for reach in self._script.reaches:
            if reach.from_s <= time_s < reach.until_s:
                self._lay_arm(canvas, reach, time_s, placed)
        return canvas, tuple(placed)

    def _settle(self, time_s: float) -> None:
        rests = self._script.rests
        lying = tuple(index for index, rest in enumerate(rests) if rest.from_s <= time_s < rest.until_s)
        lying = tuple(sorted(lying, key=lambda index: rests[index].from_s))
        known = len(self._lying)
        if lying[:known] != self._lying:
            self._settled = self._empty.copy()
            self._placed = []
            known = 0
        for index in lying[known:]:
            self._lay_rest(rests[index])
        self._lying = lying

    def _lay_rest(self, rest: Rest) -> None:
        self._lay_card(
            self._settled, rest.card, rest.face_up, CARD_EXTENT, rest.pose, 1.0, (0.0, 0.0), self._placed
        )

    def _lay_card(
        self,
        canvas: Canvas,
        card: Card | None,
        face_up: bool,
        extent: Extent,
        pose: Pose,
        lift: float,
        smear: tuple[float, float],
        placed: list[PlacedCard],
    ) -> None:
        """``lift``: how far its shadow falls, 1 on the table; ``smear``: its way during the exposure."""
        quad = project(self._look.homography, corners_on_table(extent, pose))
        number = len(placed) + 1
        offset = (self._look.shadow[0] * lift, self._look.shadow[1] * lift)
        shadows = (Shadow(0.5, 0.7), Shadow(0.3, 1.2 + 0.9 * lift, offset))
        sprite = self._sprites.showing(card, face_up)
        canvas.lay(sprite, self._on_canvas(quad), number=number, shadows=shadows, smear=smear)
        placed.append(PlacedCard(number, card if face_up else None, face_up, quad))

    def _lay_thing(self, canvas: Canvas, sprite: Sprite, pose: Pose, height: float) -> None:
        quad = sprite.quad(self._look.homography, pose)
        lift = 1 + height * 0.25
        offset = (self._look.shadow[0] * lift, self._look.shadow[1] * lift)
        shadows = (Shadow(0.45, 0.9), Shadow(0.35, 1.0 + lift, offset))
        canvas.lay(sprite, self._on_canvas(quad), shadows=shadows)

    def _lay_arm(self, canvas: Canvas, reach: Reach, time_s: float, placed: list[PlacedCard]) -> None:
        hands = self._look.grippers if reach.pinches else self._look.flat_hands
        hand = hands[reach.seat]
        pose = reach.hand_pose(time_s)
        smear = self._smear(reach, time_s)
        shadow = (Shadow(0.28, 7.0, (self._look.shadow[0] * 5, self._look.shadow[1] * 5)),)
        if not reach.pinches:
            self._lay_held(canvas, reach, time_s, pose, smear, placed)
        fingers = self._on_canvas(hand.fingers.quad(self._look.homography, pose))
        canvas.lay(hand.fingers, fingers, shadows=shadow, smear=smear)
        if reach.pinches:
            self._lay_held(canvas, reach, time_s, pose, smear, placed)
        thumb = self._on_canvas(hand.thumb.quad(self._look.homography, pose))
        canvas.lay(hand.thumb, thumb, shadows=(Shadow(0.3, 1.2),), smear=smear)

    def _lay_held(
        self,
        canvas: Canvas,
        reach: Reach,
        time_s: float,
        hand: Pose,
        smear: tuple[float, float],
        placed: list[PlacedCard],
    ) -> None:
        for held in reach.held:
            if held.from_s <= time_s < held.until_s:
                self._lay_one_held(canvas, held, time_s, hand, smear, placed)

    def _lay_one_held(
        self,
        canvas: Canvas,
        held: Held,
        time_s: float,
        hand: Pose,
        smear: tuple[float, float],
        placed: list[PlacedCard],
    ) -> None:
        width, face_up = turning(held, time_s)
        extent = Extent.centred(CARD_EXTENT.width * width, CARD_EXTENT.height)
        self._lay_card(canvas, held.card, face_up, extent, held_pose(held, hand, time_s), 3.0, smear, placed)

    def _smear(self, reach: Reach, time_s: float) -> tuple[float, float]:
        """How far (x, y) pixels the hand moves while the shutter is open."""
        open_for = self._look.exposure_s
        poses = reach.hand_pose(time_s - open_for / 2), reach.hand_pose(time_s + open_for / 2)
        start, end = project(self._look.homography, [(pose.x, pose.y) for pose in poses])
        return float(end[0] - start[0]), float(end[1] - start[1])

    def _on_canvas(self, quad: Floats) -> Floats:
        return project(self._shrink, quad)
