"""Measures the models on simulated films played with packs that they were never trained on.

Only cards that lie still count, as the tracker takes no others: those that lie where they lay a second
before. A card of which less than nine tenths is seen counts as occluded; one of which less than a fifth is
seen does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from capture.simulator import Film, TrueCard
from capture.simulator.decks import Deck
from detector.types import CARD_CODES, CardDetection, Detector, FloatArray, Image, Side
from models.training.evaluate_photos import crop_of
from models.training.tally import Mistake, Tally, corner_error
from tracker.name_evidence import NameEvidence, softened

FIRST_SEED: Final = 900_000
"""Films from this seed on are only measured with."""

CLEAR_SHARE: Final = 0.9
LEAST_SHARE: Final = 0.2
_FOUND_ERROR: Final = 0.35
"""Corners off by more than this share of a card's width belong to another card."""

_LAY_STILL: Final = 0.02


@dataclass(slots=True)
class Vote:
    """All looks at one card of one film together: how many were right, and the name in the end."""

    evidence: NameEvidence = field(default_factory=NameEvidence)
    looks: int = 0


@dataclass(slots=True)
class FilmTally:
    """One pack's film: the count by frame, and by card after all its frames."""

    frames: Tally = field(default_factory=Tally)
    votes: dict[str, Vote] = field(default_factory=dict)

    @property
    def cards_voted_right(self) -> int:
        """How many cards were named right by all their looks together."""
        names = {
            code: int(np.argmax(vote.evidence.log_probs())) for code, vote in self.votes.items() if vote.looks
        }
        return sum(index < len(CARD_CODES) and CARD_CODES[index] == code for code, index in names.items())


def evaluate_deck(detector: Detector, deck: Deck, seed: int) -> FilmTally:
    """Play one deal with ``deck`` and read a picture a second."""
    film = Film(seed, 1, deck=deck, frames_per_second=1.0)
    tally = FilmTally()
    before: tuple[TrueCard, ...] = ()
    for frame, truth in zip(film, film.truth.frames, strict=True):
        still = [card for card in truth.cards if card.side == "face" and _lay_there(card, before)]
        if still:
            _tally_frame(tally, f"{deck.name} {frame.sequence} s", frame.image, still, detector)
        before = truth.cards
    return tally


def _lay_there(card: TrueCard, before: Sequence[TrueCard]) -> bool:
    return any(
        one.code == card.code and corner_error(card.quad, one.quad) < _LAY_STILL
        for one in before
        if one.side == "face"
    )


def _tally_frame(
    tally: FilmTally, where: str, image: Image, cards: Sequence[TrueCard], detector: Detector
) -> None:
    faces = [detection for detection in detector.detect(image) if detection.side is Side.FACE]
    tally.frames.pictures += 1
    for card, face in _paired(cards, faces):
        if card.code is None or card.visible_share < LEAST_SHARE:
            continue
        clear = card.visible_share >= CLEAR_SHARE
        right = face is not None and face.name == card.code
        tally.frames.cards += 1
        tally.frames.found += face is not None
        tally.frames.count_named(card.code, right=right, clear=clear)
        if face is not None:
            tally.frames.certainties.append((face.name_probability, right))
            if clear:
                tally.frames.corner_errors.append(corner_error(card.quad, face.quad))
            vote = tally.votes.setdefault(card.code, Vote())
            vote.evidence.add(softened(face.log_probs), 1.0 if clear else card.visible_share)
            vote.looks += 1
        if not right:
            name = face.name if face is not None else "nothing"
            if face is not None:
                tally.frames.confusions[(card.code, name)] += 1
            quad: FloatArray = face.quad if face is not None else card.quad
            certainty = face.name_probability if face is not None else 0.0
            kind = "" if clear else " (occluded)"
            tally.frames.mistakes.append(
                Mistake(where + kind, card.code, name, certainty, crop_of(image, quad))
            )


def _paired(
    cards: Sequence[TrueCard], faces: Sequence[CardDetection]
) -> Iterator[tuple[TrueCard, CardDetection | None]]:
    """Each card with the detection whose corners fit it best, if any does."""
    for card in cards:
        errors = [corner_error(card.quad, face.quad) for face in faces]
        best = int(np.argmin(errors)) if errors else -1
        yield card, faces[best] if best >= 0 and errors[best] < _FOUND_ERROR else None
