"""What the camera could not tell and a person must: a card, who plays, what is trump."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from dashboard.books import TableRecord
from dashboard.table_state import FAIRLY_SURE_FROM, SURE_FROM
from rules import FULL_DECK, Card, Seat
from tracker.events import DealRecord, SeenCard, open_questions

_ANSWERS_AT_ONCE: Final = 8
"""With more possible cards than this the question leads to the whole pack."""

_CARDS_BEFORE_ASKING_TRUMP: Final = 8
"""Who leads the first tricks often tells what is trump; nobody is asked before that."""


class QuestionKind(Enum):
    """What is asked; the value is also the name of its wording."""

    MISSING_CARD = "missing_card"
    DOUBTFUL_CARD = "doubtful_card"
    WHO_PLAYS = "who_plays"
    TRUMP = "trump"


@dataclass(frozen=True, slots=True)
class Answer:
    """A card that it may be; ``probability`` from 0 to 1, None where nothing is known of it."""

    card: Card
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to be asked.

    place: trick and position of the card. seat: whose card it is, None when not known.
    seen: the card as it was read, None where none was. answers: the likely ones first; empty when there are
    too many to show, or it is not about a card. certainty: 0 to 1, how sure it is now.
    why: the tracker's reason (``alike``, ``unseen`` or ``accuses``); empty where it asked nothing.
    """

    kind: QuestionKind
    table: str
    deal: int
    place: tuple[int, int] | None = None
    seat: Seat | None = None
    seen: SeenCard | None = None
    answers: tuple[Answer, ...] = ()
    certainty: float = 0.0
    why: str = ""

    @property
    def key(self) -> str:
        """The same for the same question; letters, figures and ``.``."""
        place = [str(number) for number in self.place or ()]
        return ".".join((self.kind.value, str(self.deal), *place))


def questions_of(record: TableRecord) -> tuple[Question, ...]:
    """Everything to be asked at one table, the last deal first."""
    return tuple(question for deal in reversed(record.deals) for question in questions_in(record.table, deal))


def questions_in(table: str, record: DealRecord) -> Iterator[Question]:
    """Everything to be asked of one deal; nothing more of one that is dealt again."""
    if record.deal.result().replayed or not record.cards:
        return
    yield from _about_missing(table, record)
    yield from _about_doubtful(table, record)
    if len(record.cards) < _CARDS_BEFORE_ASKING_TRUMP and not record.closed:
        return
    if record.trump_confidence < SURE_FROM:
        yield Question(QuestionKind.TRUMP, table, record.number, certainty=record.trump_confidence)
    elif not record.declarer_known:
        yield Question(QuestionKind.WHO_PLAYS, table, record.number)


def unseen_cards(record: DealRecord) -> tuple[Card, ...]:
    """The cards of the pack that were not seen in this deal."""
    seen = {card.card for card in record.cards}
    return tuple(card for card in FULL_DECK if card not in seen)


def _about_missing(table: str, record: DealRecord) -> Iterator[Question]:
    unseen = unseen_cards(record)
    answers = tuple(Answer(card) for card in unseen) if len(unseen) <= _ANSWERS_AT_ONCE else ()
    by_trick = {trick: _seats_in(record, trick) for trick, _ in record.missing}
    for trick, position in record.missing:
        yield Question(
            QuestionKind.MISSING_CARD,
            table,
            record.number,
            place=(trick, position),
            seat=_seat_at(by_trick[trick], position),
            answers=answers,
        )


def _seats_in(record: DealRecord, trick: int) -> Mapping[int, Seat]:
    return {seen.position: seen.seat for seen in record.cards if seen.trick == trick}


def _seat_at(seats: Mapping[int, Seat], position: int) -> Seat | None:
    """Whose turn it was at a position, told from the others in the trick as they go round."""
    for known, seat in seats.items():
        for _ in range((position - known) % 4):
            seat = seat.left
        return seat
    return None


def _about_doubtful(table: str, record: DealRecord) -> Iterator[Question]:
    """Cards that the tracker asks about, and any that was read unsurely.

    Cards of the trick that lies there are looked at further, and only asked about when the tracker does.
    """
    asked = {(one.trick, one.position): one for one in open_questions(record)}
    lying = 0 if record.closed or record.last_card is None else record.last_card.trick
    for seen in record.cards:
        doubt = asked.get((seen.trick, seen.position))
        if doubt is not None or (seen.confidence < FAIRLY_SURE_FROM and seen.trick != lying):
            yield Question(
                QuestionKind.DOUBTFUL_CARD,
                table,
                record.number,
                place=(seen.trick, seen.position),
                seat=seen.seat,
                seen=seen,
                answers=(Answer(seen.card, seen.confidence), *_alternatives(seen)),
                certainty=seen.confidence,
                why=doubt.reason if doubt else "",
            )


def _alternatives(seen: SeenCard) -> tuple[Answer, ...]:
    return tuple(Answer(card, probability) for card, probability in seen.alternatives if card != seen.card)
