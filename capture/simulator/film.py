"""A film of deals at the simulated table: pictures in time, and the truth about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from capture.frame import Frame
from capture.simulator._pixels import Pixels, as_floats, as_pixels
from capture.simulator.camera import compressed
from capture.simulator.choreography import make_script
from capture.simulator.deals import Irregularity, PlayedDeal, simulate_match
from capture.simulator.decks import Deck, own_deck
from capture.simulator.looks import NEUTRAL_LIGHT, Look, random_look
from capture.simulator.scene import CardSide, TrueCard, share_of, solid_share
from capture.simulator.script import Happening, Moment, Script
from capture.simulator.stage import PackSprites, PlacedCard, Stage
from capture.simulator.stills import LEAST_SHARE
from rules import KLAVERJAS_DRIVE, Card, Reglement, Seat
from tracker.events import (
    CardPlayed,
    CardPlayedOutOfTurn,
    DealClosed,
    DealStarted,
    Event,
    PlayerPassed,
    TrickCovered,
    TrumpDeclared,
    VideoSpan,
)

BEGINNING: Final = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)
"""When every film begins: the same film has the same times."""

TABLE_NAME: Final = "1"

_NOISE_MARGIN: Final = 64
_SPAN_S: Final = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class TrueFrame:
    """Which cards are seen in one picture, lowest first; those nearly hidden are left out."""

    time_s: float
    cards: tuple[TrueCard, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FilmTruth:
    """What really happened in a film.

    deals: what was played. events: what a perfect tracker would tell. frames: one for each picture.
    """

    deals: tuple[PlayedDeal, ...]
    events: tuple[Event, ...]
    frames: tuple[TrueFrame, ...]


class Film:
    """Deals played on one table, as a camera above it would see them; iterating gives :class:`Frame` in time.

    seed: the same seed and other arguments give the same film, pixel for pixel.
    deals: how many deals to play, or which.
    size: (width, height) of the pictures; cards are about 76 to 94 pixels wide where it is 1280.
    deck: the pack; by default the project's own.
    odd_backs: (H, W, 4) uint8 BGRA for each card with another back than the deck's; it shows once the card
        was played, for until then nobody knows which card a back is of.
    reglement, first_dealer, irregularities: see ``simulate_match``; only used where ``deals`` is a number.

    Raises:
        ValueError: when there is no deal, or ``frames_per_second`` isn't above 0.
    """

    def __init__(
        self,
        seed: int,
        deals: int | Sequence[PlayedDeal] = 1,
        *,
        size: tuple[int, int] = (1280, 720),
        frames_per_second: float = 10.0,
        deck: Deck | None = None,
        reglement: Reglement = KLAVERJAS_DRIVE,
        first_dealer: Seat = Seat.SOUTH,
        irregularities: Mapping[int, Irregularity] | None = None,
        odd_backs: Mapping[Card, Pixels] | None = None,
    ) -> None:
        if frames_per_second <= 0:
            raise ValueError(f"frames_per_second must be above 0, not {frames_per_second!r}")
        self.seed = seed
        self.size = size
        self.frames_per_second = frames_per_second
        self.deals = (
            simulate_match(seed, deals, reglement, first_dealer, irregularities)
            if isinstance(deals, int)
            else tuple(deals)
        )
        if not self.deals:
            raise ValueError("a film needs at least one deal")
        self._deck = own_deck() if deck is None else deck
        self._odd_backs = dict(odd_backs or {})
        self._script = make_script(np.random.default_rng([seed, 1_000_001]), self.deals)

    def __len__(self) -> int:
        """How many pictures the film has."""
        return int(self.length_s * self.frames_per_second)

    @property
    def length_s(self) -> float:
        """How long the film lasts, in seconds."""
        return self._script.length_s

    def __iter__(self) -> Iterator[Frame]:
        """The pictures from the first one on; each walk through the film draws them anew."""
        stage = Stage(self._script, self._look, self._sprites, with_picture=True)
        finish = _Finish(self._look, self.seed)
        for sequence in range(len(self)):
            time_s = sequence / self.frames_per_second
            canvas, _ = stage.at(time_s)
            if canvas.image is not None:
                image = finish.finished(canvas.image, canvas.owner, sequence)
                yield Frame(image, time_s, BEGINNING + timedelta(seconds=time_s), sequence)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What a perfect tracker would tell of the film, in order of time."""
        told = [event for moment in self._script.moments for event in _events_of(moment, self.deals)]
        return tuple(sorted(told, key=lambda event: event.time_utc))

    @cached_property
    def truth(self) -> FilmTruth:
        """Everything that is true of the film; found without drawing its pictures."""
        return FilmTruth(self.deals, self.events, tuple(self._true_frames()))

    @property
    def script(self) -> Script:
        """Where every card and hand is over time."""
        return self._script

    @cached_property
    def _look(self) -> Look:
        rng = np.random.default_rng([self.seed, 1_000_002])
        return random_look(rng, self.size, self._script.pile_places)

    @cached_property
    def _sprites(self) -> PackSprites:
        return PackSprites.of(self._deck, self._look, self._odd_backs)

    def _true_frames(self) -> Iterator[TrueFrame]:
        stage = Stage(self._script, self._look, self._sprites, with_picture=False)
        solid = solid_share(self._sprites.back)
        for sequence in range(len(self)):
            time_s = sequence / self.frames_per_second
            canvas, placed = stage.at(time_s)
            seen = np.bincount(canvas.owner.ravel(), minlength=len(placed) + 1) / stage.shrink**2
            cards = (_true_card(card, int(seen[card.number]), solid) for card in placed)
            yield TrueFrame(time_s, tuple(card for card in cards if card.visible_share >= LEAST_SHARE))


def _true_card(placed: PlacedCard, seen: int, solid: float) -> TrueCard:
    side: CardSide = "face" if placed.face_up else "back"
    code = placed.card.code if placed.card is not None else None
    return TrueCard(placed.quad, side, code, share_of(seen, placed.quad, solid))


class _Finish:
    """Light, glare, lens, noise and compression of one film's pictures."""

    def __init__(self, look: Look, seed: int) -> None:
        self._look = look
        self._seed = seed
        height, width = look.cloth.shape[:2]
        rng = np.random.default_rng([seed, 1_000_003])
        shape = (height + _NOISE_MARGIN, width + _NOISE_MARGIN, 3)
        field = rng.standard_normal(shape, dtype=np.float32) * np.float32(look.noise)
        field = as_floats(cv2.GaussianBlur(field, (0, 0), 0.6)) * np.float32(1.6)
        # Two arrays of bytes, added and taken away, are ten times as fast as one with a sign.
        self._brighter, self._darker = as_pixels(np.round(field)), as_pixels(np.round(-field))

    def finished(self, image: Pixels, owner: Pixels, sequence: int) -> Pixels:
        """``image`` as the camera gives it; ``owner`` says where cards are, which alone reflect the lamp."""
        look = self._look
        cv2.multiply(image, look.light, dst=image, scale=1 / NEUTRAL_LIGHT)
        if look.glare is not None:
            cv2.add(image, look.glare, dst=image, mask=owner)
        cv2.GaussianBlur(image, (3, 3), look.softness, dst=image)
        self._add_noise(image, sequence)
        return image if look.jpeg_quality is None else compressed(image, look.jpeg_quality)

    def _add_noise(self, image: Pixels, sequence: int) -> None:
        height, width = image.shape[:2]
        rng = np.random.default_rng([self._seed, 1_000_004, sequence])
        down, across = (int(value) for value in rng.integers(0, _NOISE_MARGIN, 2))
        window = (slice(down, down + height), slice(across, across + width))
        cv2.add(image, self._brighter[window], dst=image)
        cv2.subtract(image, self._darker[window], dst=image)


def _events_of(moment: Moment, deals: Sequence[PlayedDeal]) -> list[Event]:
    deal = deals[moment.deal]
    number = moment.deal + 1
    time_utc = BEGINNING + timedelta(seconds=moment.time_s)
    video = VideoSpan(max(0.0, moment.time_s - _SPAN_S), moment.time_s + _SPAN_S)
    match moment.happening:
        case Happening.DEAL_STARTED:
            return [
                DealStarted(
                    table=TABLE_NAME,
                    deal=number,
                    time_utc=time_utc,
                    video=video,
                    dealer=deal.dealer,
                    reglement=deal.reglement.name,
                )
            ]
        case Happening.TRUMP_DECLARED:
            return [
                TrumpDeclared(
                    table=TABLE_NAME,
                    deal=number,
                    time_utc=time_utc,
                    video=video,
                    seat=deal.declarer,
                    trump=deal.trump,
                )
            ]
        case Happening.DEAL_CLOSED:
            return [DealClosed(table=TABLE_NAME, deal=number, time_utc=time_utc, video=video)]
        case Happening.PASSED | Happening.CARD_PLAYED | Happening.TRICK_COVERED:
            return _events_of_play(moment, deal, number, time_utc, video)


def _events_of_play(
    moment: Moment, deal: PlayedDeal, number: int, time_utc: datetime, video: VideoSpan
) -> list[Event]:
    if moment.happening is Happening.TRICK_COVERED and moment.trick is not None:
        return [
            TrickCovered(
                table=TABLE_NAME,
                deal=number,
                time_utc=time_utc,
                video=video,
                trick=moment.trick,
                gathered_by=moment.team,
            )
        ]
    if moment.seat is None:
        return []
    if moment.card is None or moment.trick is None or moment.position is None:
        return [PlayerPassed(table=TABLE_NAME, deal=number, time_utc=time_utc, video=video, seat=moment.seat)]
    played = CardPlayed(
        table=TABLE_NAME,
        deal=number,
        time_utc=time_utc,
        video=video,
        trick=moment.trick,
        position=moment.position,
        seat=moment.seat,
        card=moment.card,
    )
    hasty = deal.mishap is not None and deal.mishap.irregularity is Irregularity.OUT_OF_TURN
    if not hasty or deal.mishap is None or deal.mishap.card != moment.card:
        return [played]
    return [
        played,
        CardPlayedOutOfTurn(
            table=TABLE_NAME,
            deal=number,
            time_utc=time_utc,
            video=video,
            seat=moment.seat,
            card=moment.card,
            trick=moment.trick,
        ),
    ]
