"""One thing at one table that asks for the wedstrijdleider. It never scores by itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from dashboard.table_state import SURE_FROM
from dashboard.tellijst import SheetRow
from rules import Card, Reason, Seat, Source, Suit, Team


class AlertKind(Enum):
    """What happened; the value is also the name of its wording."""

    REVOKE = "revoke"
    REVOKE_ACCUSED = "revoke_accused"
    DIRECTOR_CALLED = "director_called"
    OUT_OF_TURN = "out_of_turn"
    CARD_EXPOSED = "card_exposed"
    TAKEN_BACK = "taken_back"
    CARDS_TOGETHER = "cards_together"
    FOREIGN_CARD = "foreign_card"
    GATHERED_WRONGLY = "gathered_wrongly"
    SLOW_PLAY = "slow_play"
    BACK_FLAGGED = "back_flagged"
    ONE_WAY_PACK = "one_way_pack"
    CARD_COUNT = "card_count"
    FAULT = "fault"
    DISAGREED = "disagreed"
    CLAIM = "claim"
    SOURCE_LOST = "source_lost"
    TABLE_SILENT = "table_silent"
    TABLE_TWICE = "table_twice"


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """A card in an alert's evidence.

    is_marked: this is the card that it is about. confidence: 0 to 1, how sure it was read.
    """

    seat: Seat
    card: Card
    confidence: float
    is_marked: bool

    @property
    def is_unsure(self) -> bool:
        """Whether the card deserves a second look."""
        return self.confidence < SURE_FROM


@dataclass(frozen=True, slots=True)
class EvidenceTrick:
    """One of the deciding tricks, its cards in order of play."""

    number: int
    cards: tuple[EvidenceCard, ...]


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing at one table.

    certainty: 0 to 1; None where a person said it and there is nothing to doubt.
    card: the card it is about, and should_have_played: those that the rules asked for.
    cards: several cards that it is about. seen: a number of cards, tricks or seconds.
    trick: where to look in the deal; None before the first card.
    found_after_trick: how many tricks were covered when it was told.
    tricks: for a verzaking both tricks: where it happened and where it showed.
    article, basis: where the rule is written, and the text that the deal is played by.
    trump_instead: for a verzaking, the trump under which fewer or none would have been.
    counted: for a side that disagrees: the line of the tellijst as it was counted.
    unsure: the cards among the evidence that deserve a second look. over: it needs nobody any more.
    media_id: the name of the picture that shows it; empty where there is none to be had.
    """

    kind: AlertKind
    table: str
    deal: int
    time_utc: datetime
    seat: Seat | None = None
    other_seat: Seat | None = None
    team: Team | None = None
    card: Card | None = None
    should_have_played: tuple[Card, ...] = ()
    cards: tuple[Card, ...] = ()
    trump: Suit | None = None
    trump_instead: Suit | None = None
    trick: int | None = None
    found_after_trick: int = 0
    tricks: tuple[EvidenceTrick, ...] = ()
    reason: Reason | None = None
    article: str = ""
    basis: Source | None = None
    detail: str = ""
    seen: int | None = None
    expected: int | None = None
    certainty: float | None = None
    counted: SheetRow | None = None
    unsure: tuple[EvidenceCard, ...] = ()
    over: bool = False
    media_id: str = ""

    @property
    def is_sure(self) -> bool:
        """Whether the cards were read well enough to call it shown, not possible."""
        return self.certainty is None or self.certainty >= SURE_FROM

    @property
    def key(self) -> str:
        """The same for the same thing however often the events are folded; letters, figures, ``.`` and ``-``.

        What follows from the cards is named by its cards, so that another card makes another alert; what an
        event told is named by its moment.
        """
        about = [self.card.code if self.card else "", self.seat.value if self.seat else ""]
        if self.kind in _FOLLOWS_FROM_THE_CARDS:
            about.append(str(self.trick or 0))
            about.append(self.reason.code if self.reason and self.kind is AlertKind.FAULT else "")
        else:
            about.append(f"{self.time_utc:%Y%m%dT%H%M%S%f}")
        return ".".join((self.kind.value, str(self.deal), *(part for part in about if part)))

    @property
    def call_key(self) -> str:
        """The same for what somebody is called for once: one verzaking, whatever its card is read as.

        Nobody is to be called a second time because it became surer or one of its cards was read otherwise.
        """
        if self.kind is not AlertKind.REVOKE or self.seat is None:
            return self.key
        return ".".join((self.kind.value, str(self.deal), self.seat.value, str(self.trick or 0)))


ABOUT_BACKS = frozenset({AlertKind.BACK_FLAGGED, AlertKind.ONE_WAY_PACK})
_FOLLOWS_FROM_THE_CARDS = frozenset({AlertKind.REVOKE, AlertKind.FAULT, AlertKind.OUT_OF_TURN})
