"""Drawing flat things onto a picture of a table, keeping account of which card is seen at which pixel.

Everything flat is a :class:`Sprite`: a small picture with alpha and a size in millimetres. A
:class:`Canvas` lays sprites one over another through the camera's homography. Pictures are drawn once
at the size that they have in the end: each sprite is first shrunk by area averaging, then warped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator._pixels import Floats, Pixels, as_floats, as_pixels, premultiplied
from capture.simulator.camera import Extent, Pose, corners_on_table, project

CardSide = Literal["face", "back"]

FOREIGN_CODE: Final = "foreign"
"""The code of a face that is not one of the 32 cards."""

NOT_A_CARD: Final = 0
"""What :attr:`Canvas.owner` holds where no card is seen."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueCard:
    """A card in a picture, as it was drawn.

    quad: (4, 2) float32, pixels, clockwise from the card's own top left; corners may lie outside the picture.
    side: ``face`` or ``back``.
    code: ``HT`` and so on, ``foreign`` for a face that is none of the 32, None for a back.
    visible_share: 0 to 1, how much of the whole card is seen: not covered and inside the picture.
    """

    quad: Floats
    side: CardSide
    code: str | None
    visible_share: float


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A flat thing: ``art`` (H, W, 4) uint8 premultiplied BGRA, filling ``extent`` millimetres."""

    art: Pixels
    extent: Extent

    @classmethod
    def of(cls, art: Pixels, extent: Extent) -> Sprite:
        """A sprite from ordinary, not premultiplied BGRA art."""
        return cls(premultiplied(art), extent)

    def quad(self, homography: npt.NDArray[np.float64], pose: Pose) -> Floats:
        """(4, 2) float32: its corners in the picture when it lies at ``pose``."""
        return project(homography, corners_on_table(self.extent, pose))


@dataclass(frozen=True, slots=True)
class Shadow:
    """A soft dark rim: ``strength`` 0 to 1, ``softness`` (blur) and ``offset`` (x, y) in pixels."""

    strength: float
    softness: float
    offset: tuple[float, float] = (0.0, 0.0)

    @property
    def reach(self) -> int:
        """How many pixels beyond the sprite it can darken."""
        return int(np.ceil(2.5 * self.softness + max(map(abs, self.offset)))) + 1


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of whole pixels, right and bottom not included."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def is_empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns, to index an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


@dataclass(slots=True, eq=False)
class Canvas:
    """A picture being drawn.

    image: (H, W, 3) uint8 BGR; None when only the owner map is wanted, which is several times as fast.
    owner: (H, W) uint8: at each pixel the number of the card seen there, 0 for none.
    """

    image: Pixels | None
    owner: Pixels

    @classmethod
    def on(cls, image: Pixels) -> Canvas:
        """A canvas that draws on ``image``, in place."""
        return cls(image, np.zeros(image.shape[:2], dtype=np.uint8))

    @classmethod
    def without_picture(cls, size: tuple[int, int]) -> Canvas:
        """A canvas of ``size`` (height, width) that only keeps account of who is seen where."""
        return cls(None, np.zeros(size, dtype=np.uint8))

    def copy(self) -> Canvas:
        """A canvas that can be drawn on without changing this one."""
        return Canvas(None if self.image is None else self.image.copy(), self.owner.copy())

    def lay(
        self,
        sprite: Sprite,
        quad: Floats,
        *,
        number: int | None = NOT_A_CARD,
        shadows: tuple[Shadow, ...] = (),
        shading: tuple[float, float] = (1.0, 1.0),
        smear: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Draw ``sprite`` with its corners at ``quad``.

        number: what the owner map gets where the sprite is (1 to 255 for a card, 0 for a thing that hides
            cards, None for one that can be seen through).
        shading: brightness at its top and at its bottom edge, as when it is bent a little.
        smear: how far (x, y) pixels it moves while the shutter is open, ``quad`` being half-way.
        """
        image = self.image
        pad = max((shadow.reach for shadow in shadows), default=1) if image is not None else 1
        reach = int(max(map(abs, smear)))
        box = self._box_around(quad, pad + reach)
        if box.is_empty:
            return
        if image is None:
            art = np.ascontiguousarray(sprite.art[..., 3])
        else:
            art = _shaded(_shrunk_to(sprite.art, quad), shading)
        height, width = art.shape[:2]
        source = as_floats(
            np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]])
        )
        matrix = cv2.getPerspectiveTransform(source, as_floats(quad - np.array([box.left, box.top])))
        size = (box.right - box.left, box.bottom - box.top)
        patch = as_pixels(cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_LINEAR))
        alpha = patch
        if image is not None:
            patch = _smeared(patch, smear) if reach > 1 else patch
            alpha = np.ascontiguousarray(patch[..., 3])
            region = image[box.slices]
            for shadow in shadows:
                _darken(region, alpha, shadow)
            _blend(region, patch, alpha)
        if number is not None:
            self.owner[box.slices][alpha >= 128] = number

    def visible_share(self, number: int, quad: Floats, solid_share: float = 1.0) -> float:
        """How much of card ``number`` at ``quad`` is seen; ``solid_share``: see :func:`solid_share`."""
        box = self._box_around(quad, 1)
        if box.is_empty:
            return 0.0
        seen = int(np.count_nonzero(self.owner[box.slices] == number))
        return share_of(seen, quad, solid_share)

    def _box_around(self, quad: Floats, pad: int) -> Box:
        height, width = self.owner.shape
        left, top = np.floor(quad.min(axis=0)).astype(int) - pad
        right, bottom = np.ceil(quad.max(axis=0)).astype(int) + pad + 1
        return Box(max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom)))


def share_of(seen: int, quad: Floats, solid_share: float) -> float:
    """What part of the card at ``quad`` ``seen`` pixels are, at most 1."""
    whole = float(cv2.contourArea(quad)) * solid_share
    return min(1.0, seen / whole) if whole > 0 else 0.0


def solid_share(sprite: Sprite) -> float:
    """What part of the sprite's rectangle is not transparent (round corners take a little)."""
    return float(sprite.art[..., 3].mean()) / 255


def _shrunk_to(art: Pixels, quad: Floats) -> Pixels:
    """``art`` at about the size that it has between the corners ``quad``, or itself where it is near that."""
    height, width = art.shape[:2]
    across = max(float(np.hypot(*(quad[1] - quad[0]))), float(np.hypot(*(quad[2] - quad[3]))))
    down = max(float(np.hypot(*(quad[3] - quad[0]))), float(np.hypot(*(quad[2] - quad[1]))))
    size = (max(1, min(width, round(across))), max(1, min(height, round(down))))
    if size[0] > 0.8 * width and size[1] > 0.8 * height:
        return art
    return as_pixels(cv2.resize(art, size, interpolation=cv2.INTER_AREA))


def _shaded(art: Pixels, shading: tuple[float, float]) -> Pixels:
    if shading == (1.0, 1.0):
        return art
    height, width = art.shape[:2]
    ramp = np.linspace(shading[0], shading[1], height, dtype=np.float32)
    factors = np.ones((height, width, 4), dtype=np.float32)
    factors[..., :3] = ramp[:, None, None]
    shaded = as_pixels(cv2.multiply(art, factors, dtype=cv2.CV_8U))
    # Premultiplied colour can't be brighter than its alpha.
    shaded[..., :3] = np.minimum(shaded[..., :3], art[..., 3:])
    return shaded


def _smeared(patch: Pixels, way: tuple[float, float]) -> Pixels:
    """``patch`` averaged along ``way`` (x, y) pixels, half of it backwards and half forwards.

    Averaged with itself moved by a half, a quarter and an eighth of the way: eight pictures in three steps.
    """
    size = (patch.shape[1], patch.shape[0])
    for share in (0.5, 0.25, 0.125):
        across, down = way[0] * share / 2, way[1] * share / 2
        back = np.array([[1, 0, -across], [0, 1, -down]], dtype=np.float32)
        forth = np.array([[1, 0, across], [0, 1, down]], dtype=np.float32)
        # What leaves the picture goes on beyond its edge.
        before = cv2.warpAffine(patch, back, size, borderMode=cv2.BORDER_REPLICATE)
        after = cv2.warpAffine(patch, forth, size, borderMode=cv2.BORDER_REPLICATE)
        patch = as_pixels(cv2.addWeighted(before, 0.5, after, 0.5, 0))
    return patch


def _darken(region: Pixels, alpha: Pixels, shadow: Shadow) -> None:
    shift = np.array([[1, 0, shadow.offset[0]], [0, 1, shadow.offset[1]]], dtype=np.float32)
    moved = cv2.warpAffine(alpha, shift, (alpha.shape[1], alpha.shape[0])) if any(shadow.offset) else alpha
    soft = cv2.GaussianBlur(moved, (0, 0), max(0.3, shadow.softness))
    kept = as_pixels(cv2.convertScaleAbs(soft, alpha=-shadow.strength, beta=0))
    kept = as_pixels(cv2.bitwise_not(kept))
    cv2.multiply(region, cv2.merge([kept, kept, kept]), dst=region, scale=1 / 255)


def _blend(region: Pixels, patch: Pixels, alpha: Pixels) -> None:
    through = cv2.bitwise_not(alpha)
    cv2.multiply(region, cv2.merge([through, through, through]), dst=region, scale=1 / 255)
    cv2.add(region, cv2.cvtColor(patch, cv2.COLOR_BGRA2BGR), dst=region)
