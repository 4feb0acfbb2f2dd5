"""What everybody may see of a table.

Built up from what may be shown, not cut down from what is known: a verzaken flag, a card of a covered trick
and what a card might have been have no place in these types, so no page can show them by accident.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Final

from dashboard.books import TableRecord
from dashboard.presence import NEVER_HEARD, Lamp, TablePresence
from dashboard.tellijst import SheetRow, SheetTotal, Tellijst, tellijst_of
from rules import Card, Seat, Suit, Team
from tracker.events import DealRecord, DealStarted, Event, SeenCard, SourceLost, TrickCovered, TrumpDeclared

SURE_FROM: Final = 0.95
FAIRLY_SURE_FROM: Final = 0.80


class Certainty(Enum):
    """How sure a card was read, in words that need no explanation."""

    SURE = "sure"
    FAIR = "fair"
    UNSURE = "unsure"


class Camera(Enum):
    """The lamp: the camera sees the table, lost it, was never heard of, or the table is silent."""

    SEES = "sees"
    LOST = "lost"
    UNKNOWN = "unknown"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card that lies open on the table."""

    seat: Seat
    card: Card
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One team in the deal that is being played."""

    tricks: int
    points: int
    roem: int
    is_playing: bool
    agreed: bool | None


@dataclass(frozen=True, slots=True)
class ShownDeal:
    """The deal that is being played, or was played last.

    trump_is_told: the table said it; False when it was told from the play.
    declarer_is_known: False when nobody said who plays, and the side that must play is assumed.
    trick: the number of the trick whose cards lie open; ``open_cards`` in order of play.
    is_over: all is played and added up.
    """

    number: int
    dealer: Seat | None
    declarer: Seat | None
    declarer_is_known: bool
    trump: Suit | None
    trump_is_told: bool
    turn: Seat | None
    trick: int
    open_cards: tuple[ShownCard, ...]
    sides: Mapping[Team, ShownSide]
    is_over: bool
    misses_cards: bool

    @property
    def last_card(self) -> ShownCard | None:
        """The card read last, as long as it lies open."""
        return self.open_cards[-1] if self.open_cards else None


@dataclass(frozen=True, slots=True)
class TableView:
    """What the display at a table shows. ``deal`` is None before the first one."""

    table: str
    last_id: int
    deals_in_match: int
    deal: ShownDeal | None
    sheet: Tellijst
    camera: Camera
    last_seen: datetime | None
    is_recording: bool = False

    def as_json(self) -> dict[str, Any]:
        """The same as JSON values; seats N E S W, teams NS and EW, cards such as HT."""
        return {
            "table": self.table,
            "sequence": self.last_id,
            "deals_in_match": self.deals_in_match,
            "deal": _deal_json(self.deal) if self.deal else None,
            "tellijst": _sheet_json(self.sheet),
            "camera": self.camera.value,
            "recording": self.is_recording,
            "last_seen_utc": self.last_seen.isoformat() if self.last_seen else None,
        }


def table_view(record: TableRecord, deals_in_match: int, presence: TablePresence = NEVER_HEARD) -> TableView:
    """The view of a table as far as its events tell."""
    begun = [deal for deal in record.deals if _has_begun(deal)]
    return TableView(
        table=record.table,
        last_id=record.last_id,
        deals_in_match=deals_in_match,
        deal=_shown_deal(begun[-1]) if begun else None,
        sheet=tellijst_of(begun, deals_in_match),
        camera=camera_of(record, presence),
        last_seen=record.last_event.time_utc if record.last_event else None,
        is_recording=presence.is_recording,
    )


def camera_of(record: TableRecord, presence: TablePresence = NEVER_HEARD) -> Camera:
    """The lamp. What the table says of itself goes first, as long as it says anything.

    Else any event proves that the camera saw something, until it says that it lost the table.
    """
    said = _CAMERA_OF_LAMP.get(presence.lamp)
    if said is not None:
        return said
    if isinstance(record.source, SourceLost):
        return Camera.LOST
    return Camera.SEES if record.last_event is not None else Camera.UNKNOWN


_CAMERA_OF_LAMP: Final = {
    Lamp.WATCHING: Camera.SEES,
    Lamp.SILENT: Camera.SILENT,
    Lamp.CAMERA: Camera.LOST,
    Lamp.OLD_PICTURE: Camera.LOST,
    Lamp.TWICE: Camera.SEES,
    Lamp.STOPPED: Camera.UNKNOWN,
}


def certainty_of(confidence: float) -> Certainty:
    """A probability from 0 to 1, in words."""
    if confidence >= SURE_FROM:
        return Certainty.SURE
    return Certainty.FAIR if confidence >= FAIRLY_SURE_FROM else Certainty.UNSURE


def is_covered(record: DealRecord, trick: int) -> bool:
    """Whether a trick was covered, so that its cards are nobody's business any more.

    A deal that is dealt again has tricks of the same number. One covered before the deal began anew counts
    only when it is not older than the cards that lie there now; where the two ways differ, it is covered.
    """
    if record.closed:
        return True
    cards = [card for card in record.cards if card.trick == trick]
    first_card = min((card.time_utc for card in cards), default=None)
    since_start = _since_last_start(record.events)
    return any(
        event.trick == trick
        and (event in since_start or (first_card is not None and event.time_utc >= first_card))
        for event in record.events
        if isinstance(event, TrickCovered)
    )


def _since_last_start(events: Sequence[Event]) -> Sequence[Event]:
    starts = [index for index, event in enumerate(events) if isinstance(event, DealStarted)]
    return events[starts[-1] :] if starts else events


def _has_begun(record: DealRecord) -> bool:
    """Whether cards were dealt; a camera that went away before says nothing of a deal."""
    return bool(record.cards) or any(isinstance(event, DealStarted) for event in record.events)


def _shown_deal(record: DealRecord) -> ShownDeal:
    deal, result = record.deal, record.deal.result()
    open_cards = _open_cards(record)
    return ShownDeal(
        number=record.number,
        dealer=deal.dealer,
        declarer=deal.declarer,
        declarer_is_known=record.declarer_known,
        trump=deal.trump,
        trump_is_told=_trump_is_told(record.events),
        turn=None if record.closed else deal.turn,
        trick=open_cards[0].trick if open_cards else min(8, sum(result.tricks_won.values()) + 1),
        open_cards=tuple(
            ShownCard(seen.seat, seen.card, certainty_of(seen.confidence)) for seen in open_cards
        ),
        sides={team: _shown_side(record, team) for team in Team},
        is_over=record.closed or result.complete,
        misses_cards=bool(record.missing),
    )


def _open_cards(record: DealRecord) -> tuple[SeenCard, ...]:
    trick = max((card.trick for card in record.cards), default=0)
    if trick == 0 or is_covered(record, trick):
        return ()
    return tuple(card for card in record.cards if card.trick == trick)


def _shown_side(record: DealRecord, team: Team) -> ShownSide:
    result = record.deal.result()
    return ShownSide(
        tricks=result.tricks_won[team],
        points=result.points[team],
        roem=result.roem[team],
        is_playing=record.deal.playing_team is team,
        agreed=record.agreed.get(team),
    )


def _trump_is_told(events: Sequence[Event]) -> bool:
    return any(isinstance(event, TrumpDeclared) and not event.inferred for event in events)


def _deal_json(deal: ShownDeal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "dealer": deal.dealer.value if deal.dealer else None,
        "declarer": deal.declarer.value if deal.declarer else None,
        "declarer_is_known": deal.declarer_is_known,
        "trump": deal.trump.value if deal.trump else None,
        "trump_is_told": deal.trump_is_told,
        "turn": deal.turn.value if deal.turn else None,
        "trick": deal.trick,
        "open_cards": [
            {"seat": shown.seat.value, "card": shown.card.code, "certainty": shown.certainty.value}
            for shown in deal.open_cards
        ],
        "sides": {
            team.value: {
                "tricks": side.tricks,
                "points": side.points,
                "roem": side.roem,
                "is_playing": side.is_playing,
                "agreed": side.agreed,
            }
            for team, side in deal.sides.items()
        },
        "is_over": deal.is_over,
        "misses_cards": deal.misses_cards,
    }


def _sheet_json(sheet: Tellijst) -> dict[str, Any]:
    return {
        "rows": [_row_json(row) for row in sheet.rows],
        "totals": {team.value: _total_json(total) for team, total in sheet.totals.items()},
    }


def _row_json(row: SheetRow) -> dict[str, Any]:
    return {
        "number": row.number,
        "state": row.state.value,
        "sides": {
            team.value: {
                "points": side.points,
                "roem": side.roem,
                "kruizen": side.kruizen,
                "is_playing": side.is_playing,
                "nat": side.nat,
                "pit": side.pit,
            }
            for team, side in row.sides.items()
        },
    }


def _total_json(total: SheetTotal) -> dict[str, int]:
    return {
        "points": total.points,
        "roem": total.roem,
        "kruizen": total.kruizen,
        "all_together": total.all_together,
    }
