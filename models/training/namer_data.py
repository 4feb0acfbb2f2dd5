"""What the namer learns from: single cards as a camera would see them, cut out as the detector cuts them.

Each sample is drawn small, on a patch of table at the camera's own resolution, then rectified with corners
that are a little wrong, because the finder's are. Nothing is ever mirrored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator.decks import Deck
from detector.geometry import card_width, rectify
from detector.namer import BACK, NAMER_CLASSES
from detector.types import CARD_CODES, FOREIGN, FloatArray, Image
from models.training.other_prints import COURTS, printed_otherwise, with_strange_court

CROP_SIZE: Final = (96, 144)
"""Width and height of what the network reads, in pixels."""

CROP_MARGIN: Final = 0.04
_CARD_WIDTHS: Final = (26.0, 130.0)
"""Pixels in the picture; beyond this the rectified crop, 96 wide, no longer changes."""

_FOREIGN_SHARE: Final = 0.11
_BACK_SHARE: Final = 0.11
_STRANGE_COURT_SHARE: Final = 0.5
"""Of the court cards, those whose picture is of another card; see ``with_strange_court``."""

_TURNED = cv2.ROTATE_180


@dataclass(frozen=True, slots=True)
class Sample:
    """A crop, (144, 96, 3) uint8 BGR, and the index of its class in ``NAMER_CLASSES``."""

    crop: Image
    label: int


@dataclass(frozen=True, slots=True, eq=False)
class DrawnCard:
    """One card on a patch of table.

    patch: (H, W, 3) uint8 BGR. quad: (4, 2) its corners in the patch's pixels. label: the index of its class
    in ``NAMER_CLASSES``. covered: whether something lies over it.
    """

    patch: Image
    quad: FloatArray
    label: int
    covered: bool


@dataclass(frozen=True, slots=True, eq=False)
class RealCard:
    """A piece of a photo, (H, W, 3) uint8 BGR, the corners of its card (4, 2), and the index of its class."""

    patch: Image
    quad: FloatArray
    label: int


def vary_real_card(rng: np.random.Generator, card: RealCard) -> Sample:
    """A card of a real photo under other light, a little blurred, cut out with corners a little wrong."""
    width = card_width(card.quad)
    patch = card.patch.copy()
    if rng.random() < 0.7:
        patch = _lit(rng, _blurred(rng, patch, width), width)
    return Sample(rectify(patch, _jittered(rng, card.quad, width), CROP_SIZE, CROP_MARGIN), card.label)


def draw_sample(rng: np.random.Generator, decks: Sequence[Deck], weights: FloatArray) -> Sample:
    """Draw one sample of a deck picked by ``weights`` (which add up to 1)."""
    drawn = draw_card(rng, decks, weights)
    # Of a card half hidden the finder guesses the hidden corners.
    unsure = 2.0 if drawn.covered and rng.random() < 0.5 else 1.0
    corners = _jittered(rng, drawn.quad, card_width(drawn.quad), unsure)
    return Sample(rectify(drawn.patch, corners, CROP_SIZE, CROP_MARGIN), drawn.label)


def draw_card(rng: np.random.Generator, decks: Sequence[Deck], weights: FloatArray) -> DrawnCard:
    """Draw one card on a patch of table, as a camera would see it."""
    deck = decks[int(rng.choice(len(decks), p=weights))]
    art, label = _pick_art(rng, deck)
    if _is_court(label) and rng.random() < _STRANGE_COURT_SHARE:
        donor = decks[int(rng.choice(len(decks), p=weights))] if rng.random() < 0.7 else deck
        art = with_strange_court(rng, art, donor)
    if label < len(CARD_CODES):
        art = printed_otherwise(rng, art, CARD_CODES[label])
    if rng.random() < 0.4:
        art = _worn(rng, art)
    width = float(np.exp(rng.uniform(*np.log(_CARD_WIDTHS))))
    height = width * (89 / 57 if rng.random() < 0.3 else 88 / 63) * rng.uniform(0.97, 1.03)
    side = int(1.12 * np.hypot(width, height)) + 4
    patch = _background(rng, side)
    quad = _pose(rng, width, height, side)
    _shadow(rng, patch, quad, width)
    _paste(patch, art, quad, width)
    covered = rng.random()
    if covered < 0.3:
        _occlude(rng, patch, quad, width, height, deck)
    elif covered < 0.6:
        _cover_like_a_tile(rng, patch, quad, width, deck)
    return DrawnCard(_photograph(rng, patch, width), quad, label, covered < 0.6)


def _jittered(rng: np.random.Generator, quad: FloatArray, width: float, unsure: float = 1.0) -> FloatArray:
    """Corners as wrong as the finder's, ``unsure`` times: each by itself, and sometimes all together."""
    corners = quad + rng.normal(0, unsure * width * rng.uniform(0.004, 0.03), quad.shape)
    if rng.random() < 0.25:
        corners = corners + rng.normal(0, unsure * 0.025 * width, (1, 2))
    return np.asarray(corners, dtype=np.float32)


def deck_weights(decks: Sequence[Deck]) -> FloatArray:
    """How often each deck is drawn: sharp art as others print it more often than small, blurred art."""
    weights = np.array([_weight(deck.name) for deck in decks], dtype=np.float64)
    return np.asarray(weights / weights.sum())


def _weight(name: str) -> float:
    if name.startswith("own"):
        return 3.0
    if name.startswith("printed"):
        return 1.0
    sharp = not name.startswith("cardart")
    return (1.6 if sharp else 0.6) * (0.8 if "~" in name else 2.0)


def _pick_art(rng: np.random.Generator, deck: Deck) -> tuple[Image, int]:
    """A face with its class; now and then a back, or a foreign one: two to six, a joker, something blank."""
    foreign = NAMER_CLASSES.index(FOREIGN)
    kind = rng.random()
    if kind < _BACK_SHARE:
        return _recoloured(rng, deck.back), NAMER_CLASSES.index(BACK)
    if kind >= _BACK_SHARE + _FOREIGN_SHARE:
        label = int(rng.integers(len(CARD_CODES)))
        return deck.faces[CARD_CODES[label]], label
    if deck.foreign and rng.random() < 0.9:
        return deck.foreign[int(rng.integers(len(deck.foreign)))], foreign
    blank = np.full_like(deck.back, 255)
    blank[..., :3] = rng.integers(120, 256, 3)
    blank[..., 3] = deck.back[..., 3]
    return blank, foreign


def _is_court(label: int) -> bool:
    return label < len(CARD_CODES) and CARD_CODES[label][1] in COURTS


def _recoloured(rng: np.random.Generator, back: Image) -> Image:
    """A back in other inks: there are fewer backs to learn from than there are clubs."""
    if rng.random() < 0.4:
        return back
    changed = back.copy()
    changed[..., :3] = back[..., rng.permutation(3)]
    if rng.random() < 0.25:
        changed[..., :3] = 255 - changed[..., :3]
    return changed


def _worn(rng: np.random.Generator, art: Image) -> Image:
    """A pack as it gets: ink worn off in specks or printed thin, and paper of another colour."""
    colour = art[..., :3]
    rows, columns = art.shape[:2]
    paper = cv2.reduce(cv2.reduce(colour, 0, cv2.REDUCE_MAX), 1, cv2.REDUCE_MAX)
    if rng.random() < 0.6:
        step = float(rng.uniform(1.0, 5.0))
        across, down = (step, step) if rng.random() < 0.5 else (step, step * float(rng.uniform(2, 6)))
        size = (max(int(columns / across), 2), max(int(rows / down), 2))
        grain = np.zeros((size[1], size[0]), dtype=np.uint8)
        cv2.randu(grain, np.zeros(1), np.full(1, 255.0))
        specks = cv2.resize(grain, (columns, rows), interpolation=cv2.INTER_LINEAR)
        share, softness = float(rng.uniform(0.1, 0.55)), float(rng.uniform(2, 12))
        bare = cv2.addWeighted(specks, softness, specks, 0, -softness * 255 * (1 - share))
        strength = float(rng.uniform(0.3, 1.0))
    else:
        bare = np.full((rows, columns), 255, dtype=np.uint8)
        strength = float(rng.uniform(0.05, 0.45))
    off = cv2.cvtColor(cv2.convertScaleAbs(bare, alpha=strength), cv2.COLOR_GRAY2BGR)
    plain = np.broadcast_to(paper, colour.shape).astype(np.uint8)
    worn = cv2.add(
        cv2.multiply(colour, cv2.bitwise_not(off), scale=1 / 255), cv2.multiply(plain, off, scale=1 / 255)
    )
    if rng.random() < 0.3:
        tint = rng.uniform(0.6, 1.0, 3) if rng.random() < 0.4 else rng.uniform(0.85, 1.0, 3)
        worn = cv2.multiply(worn, np.array([*tint, 1.0]), dtype=cv2.CV_8U)
    return np.dstack([worn, art[..., 3]])


def _cover_like_a_tile(
    rng: np.random.Generator, patch: Image, quad: FloatArray, width: float, deck: Deck
) -> None:
    """One or two cards over this one as in a fan, a row or a trick: a strip with an index stays in view.

    The card may lie either way up, so which strip is left does not matter.
    """
    across, down = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    middle = quad.mean(axis=0)
    sideways = rng.random() < 0.65
    step = rng.uniform(0.2, 0.85) if sideways else rng.uniform(0.26, 0.9)
    shift = step * across * (1 if rng.random() < 0.5 else -1) if sideways else step * down
    shift = shift + (rng.normal(0, 0.06) * down if sideways else rng.normal(0, 0.12) * across)
    turn = float(rng.normal(0, 0.16))
    for number in range(1, 1 + int(rng.integers(1, 3))):
        cosine, sine = np.cos(number * turn), np.sin(number * turn)
        corners = (quad - middle) @ np.array([[cosine, sine], [-sine, cosine]])
        over = (corners + middle + shift * (0.4 + 0.6 * number)).astype(np.float32)
        face = deck.faces[CARD_CODES[int(rng.integers(len(CARD_CODES)))]]
        _shadow(rng, patch, over, width)
        _paste(patch, face if rng.random() < 0.85 else deck.back, over, width)


def _background(rng: np.random.Generator, side: int) -> Image:
    """A patch of table: a colour with coarse and fine texture."""
    colour = rng.uniform(0, 255, 3) * (0.35 if rng.random() < 0.5 else 1.0)
    coarse_shape = (int(rng.integers(2, 9)),) * 2
    coarse = colour + rng.normal(0, rng.uniform(0, 30), coarse_shape)[..., None]
    coarse_tones = np.clip(coarse, 0, 255).astype(np.uint8)
    patch = cv2.resize(coarse_tones, (side, side), interpolation=cv2.INTER_LINEAR)
    grain = _noise((max(side // int(rng.integers(1, 4)), 2),) * 2, float(rng.uniform(0, 18)))
    fine = cv2.resize(grain, (side, side), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.add(patch, cv2.merge([fine, fine, fine]), dtype=cv2.CV_8U), dtype=np.uint8)


def _noise(shape: tuple[int, ...], deviation: float) -> npt.NDArray[np.int8]:
    """Normal noise by OpenCV's own generator (seeded by the training), ten times as fast as numpy's."""
    noise = np.zeros(shape, dtype=np.int8)
    cv2.randn(noise, np.zeros(1), np.full(1, deviation))
    return noise


def _pose(rng: np.random.Generator, width: float, height: float, side: int) -> FloatArray:
    """Where the corners of the card lie, (4, 2): turned anyhow, seen a little from the side."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    angle = rng.uniform(0, 2 * np.pi)
    cosine, sine = np.cos(angle), np.sin(angle)
    corners = corners @ np.array([[cosine, sine], [-sine, cosine]])
    if rng.random() < 0.6:
        squeeze, away = rng.uniform(0.72, 1.0), rng.uniform(0, 2 * np.pi)
        along = np.array([np.cos(away), np.sin(away)])
        depth = corners @ along
        corners = corners + np.outer(depth * (squeeze - 1), along)
        corners = corners * (1 + (1 - squeeze) * 0.3 * (depth / height))[:, None]
    return np.asarray(corners + side / 2 + rng.uniform(-0.5, 0.5, 2), dtype=np.float32)


def _shadow(rng: np.random.Generator, patch: Image, quad: FloatArray, width: float) -> None:
    mask = np.zeros(patch.shape[:2], dtype=np.uint8)
    offset = rng.normal(0, 0.02 * width, 2)
    cv2.fillConvexPoly(mask, np.round(quad + offset).astype(np.int32), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.03 * width * rng.uniform(0.3, 1.5), 0.5))
    light = cv2.addWeighted(soft, -float(rng.uniform(0.1, 0.6)), soft, 0, 255)
    patch[:] = cv2.multiply(patch, cv2.cvtColor(light, cv2.COLOR_GRAY2BGR), scale=1 / 255)


def _paste(patch: Image, art: Image, quad: FloatArray, width: float) -> None:
    """Lay ``art`` (H, W, 4) on the patch with its corners at ``quad``, shrunk first against aliasing."""
    shrink = width / art.shape[1]
    if shrink < 0.85:
        size = (max(round(art.shape[1] * shrink * 1.1), 8), max(round(art.shape[0] * shrink * 1.1), 8))
        art = np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    rows, columns = art.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), quad)
    side = (patch.shape[1], patch.shape[0])
    warped = cv2.warpPerspective(art, matrix, side, flags=cv2.INTER_LINEAR)
    alpha = cv2.cvtColor(warped[..., 3], cv2.COLOR_GRAY2BGR)
    colour = cv2.cvtColor(warped, cv2.COLOR_BGRA2BGR)
    under = cv2.multiply(patch, cv2.bitwise_not(alpha), scale=1 / 255)
    patch[:] = cv2.add(under, cv2.multiply(colour, alpha, scale=1 / 255))


def _occlude(
    rng: np.random.Generator, patch: Image, quad: FloatArray, width: float, height: float, deck: Deck
) -> None:
    """Another card, or something plain like a sleeve, over one side: one index at least stays in view."""
    middle = quad.mean(axis=0)
    angle = rng.uniform(0, 2 * np.pi)
    distance = rng.uniform(0.5, 1.05) * height
    centre = middle + distance * np.array([np.cos(angle), np.sin(angle)])
    turn = rng.uniform(0, 2 * np.pi)
    cosine, sine = np.cos(turn), np.sin(turn)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    over = (corners @ np.array([[cosine, sine], [-sine, cosine]]) + centre).astype(np.float32)
    if rng.random() < 0.75:
        face = deck.faces[CARD_CODES[int(rng.integers(len(CARD_CODES)))]]
        _shadow(rng, patch, over, width)
        _paste(patch, face if rng.random() < 0.8 else deck.back, over, width)
    else:
        wide = ((over - centre) * rng.uniform(0.6, 1.6) + centre).astype(np.int32)
        cv2.fillConvexPoly(patch, wide, tuple(int(v) for v in rng.integers(0, 255, 3)))


def _photograph(rng: np.random.Generator, patch: Image, width: float) -> Image:
    """Light, glare, blur, noise and JPEG, in the order in which a camera adds them."""
    picture = _blurred(rng, patch, width)
    picture = _lit(rng, picture, width)
    if rng.random() < 0.5:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        share = float(rng.uniform(0.45, 1.25))
        picture = np.asarray(cv2.addWeighted(picture, share, grey, 1 - share, 0), dtype=np.uint8)
    if rng.random() < 0.75:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))]
        encoded = cv2.imencode(".jpg", picture, quality)[1]
        picture = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), dtype=np.uint8)
    return picture


def _blurred(rng: np.random.Generator, patch: Image, width: float) -> Image:
    """Out of focus, and now and then moving."""
    sigma = float(width * abs(rng.normal(0, 0.005)) + abs(rng.normal(0, 0.4)))
    picture = cv2.GaussianBlur(patch, (0, 0), sigma) if sigma > 0.25 else patch
    if rng.random() < 0.15:
        length = int(rng.integers(2, max(3, int(0.07 * width)) + 1))
        kernel = np.zeros((length, length), dtype=np.float32)
        angle = rng.uniform(0, np.pi)
        reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        centre = np.array([length / 2, length / 2]) - 0.5
        start, end = (centre - reach).round().astype(int), (centre + reach).round().astype(int)
        cv2.line(kernel, tuple(start.tolist()), tuple(end.tolist()), 1.0)
        if kernel.sum() > 0:
            picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    return np.asarray(picture, dtype=np.uint8)


def _lit(rng: np.random.Generator, patch: Image, width: float) -> Image:
    """Exposure, the colour of the light, a gradient over the card, glare, noise and the camera's curve."""
    height, side = patch.shape[:2]
    exposure = np.exp(rng.normal(0, 0.25)) * (rng.uniform(0.3, 0.7) if rng.random() < 0.15 else 1.0)
    cast = exposure * np.exp(rng.normal(0, 0.06 if rng.random() < 0.8 else 0.2, 3))
    gradient = (rng.normal(0, 0.2, (2, 2))[..., None] + 1) * cast
    coarse = np.clip(gradient, 0.15, 2.2).astype(np.float32)
    gain = cv2.resize(coarse, (side, height), interpolation=cv2.INTER_LINEAR)
    picture = cv2.multiply(patch, gain, dtype=cv2.CV_8U)
    if rng.random() < 0.12:
        spot = np.zeros((height, side), dtype=np.uint8)
        centre = (rng.uniform(0.2, 0.8, 2) * [side, height]).astype(int).tolist()
        axes = np.maximum(rng.uniform(0.08, 0.3, 2) * width, 2).astype(int).tolist()
        brightness = float(rng.uniform(40, 220))
        cv2.ellipse(spot, tuple(centre), tuple(axes), float(rng.uniform(0, 180)), 0, 360, (brightness,), -1)
        spot = np.asarray(cv2.GaussianBlur(spot, (0, 0), float(0.08 * width + 1)), dtype=np.uint8)
        picture = cv2.add(picture, cv2.cvtColor(spot, cv2.COLOR_GRAY2BGR))
    noise = _noise(patch.shape, float(abs(rng.normal(0, 6))))
    picture = cv2.add(picture, noise, dtype=cv2.CV_8U)
    gamma = float(np.exp(rng.normal(0, 0.2)))
    curve = (255 * np.power(np.arange(256) / 255, gamma)).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, curve), dtype=np.uint8)
