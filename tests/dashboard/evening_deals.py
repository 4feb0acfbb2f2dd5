"""Deals of which the score is known by hand: their figures stand beside them, not in any code.

Each is written for four roles: who leads, then the three after him. The leader plays, hearts are trump. The
leader's side is named first below.

    plain    tricks 1 to 4 to the leader: hearts J 9 A 10 = 20 + 14 + 11 + 10 = 55, under them 7 8 Q K = 7,
             and thrown on them spades 7 8 9 J = 2 and Q K 10 A = 28; together 92. The rest, with the last
             ten, to the others: clubs 2 + 28, diamonds 2 + 28, 10: 70.                               92 -  70
    roem     the third-in-line's queen and the second's king fall under the jack: three in a row and stuk,
             20 + 20. Under the hearts lie K 8 7 and an ace for 15, Q for 3: 55 + 4 + 3 + 11 + 2 + 17 = 92.
                                                                                            92 + 40 roem -  70
    pit      the leader holds all trumps.                                                   162 + 100    -   0
    nat      the leader holds low trumps and takes 18 + 7 + 14 + 35 = 74 with the last four tricks. 0  - 162
    revoked  as plain, but in trick 3 the second plays a club on the trump and has a trump in trick 4.
    misread  as plain, but the camera took the ace of spades (11) in trick 4 and the queen of diamonds (3) in
             trick 5 for each other, eight points from the leader's side:                            84 -  78
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from rules import CLOCKWISE, KLAVERJAS_DRIVE, Seat, Suit, parse_card
from tracker.events import CardPlayed, DealClosed, DealStarted, Event, TrickCovered, TrumpDeclared

BEGIN: Final = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)

_PLAIN: Final = (
    (0, "HJ H7 S7 SQ"),
    (0, "H9 H8 S8 SK"),
    (0, "HA HQ S9 ST"),
    (0, "HT HK SJ SA"),
    (0, "C7 CA D7 DQ"),
    (1, "CT D8 DK C8"),
    (1, "CK D9 DT C9"),
    (1, "CQ DJ DA CJ"),
)

KINDS: Final[dict[str, Sequence[tuple[int, str]]]] = {
    "plain": _PLAIN,
    "roem": (
        (0, "HJ HK S7 HQ"),
        (0, "H9 H8 S8 SQ"),
        (0, "HA H7 S9 SK"),
        (0, "HT SA SJ ST"),
        *_PLAIN[4:],
    ),
    "pit": (
        (0, "HJ S7 C8 D9"),
        (0, "H9 S8 C7 DT"),
        (0, "HA S9 CT DJ"),
        (0, "HT SJ C9 D7"),
        (0, "HK ST CJ DQ"),
        (0, "HQ SK CA D8"),
        (0, "H8 SQ CK DA"),
        (0, "H7 SA CQ DK"),
    ),
    "nat": (
        (0, "S7 HT C7 SQ"),
        (1, "HJ C8 SK H7"),
        (1, "H9 C9 ST H8"),
        (1, "HA CJ SA HQ"),
        (1, "CA D7 DQ HK"),
        (0, "S8 CQ D8 DK"),
        (0, "S9 CK D9 DT"),
        (0, "SJ CT DJ DA"),
    ),
    "revoked": (
        *_PLAIN[:2],
        (0, "HA CQ S9 ST"),
        *_PLAIN[3:5],
        (1, "HQ D8 DK C8"),
        (1, "CK D9 DT C9"),
        (1, "CT DJ DA CJ"),
    ),
    "misread": (
        *_PLAIN[:3],
        (0, "HT HK SJ DQ"),
        (0, "C7 CA D7 SA"),
        *_PLAIN[5:],
    ),
}
"""By kind, the eight tricks: the role that leads, and the four cards from there."""


def dealer_of(number: int) -> Seat:
    """South deals first, then each to the left."""
    return CLOCKWISE[(CLOCKWISE.index(Seat.SOUTH) + number - 1) % 4]


def told_deal(kind: str, number: int, table: str, begin: datetime = BEGIN) -> list[Event]:
    """All events of one deal, as a camera tells them."""
    return list(_told(kind, number, table, begin + timedelta(minutes=8 * (number - 1))))


def _told(kind: str, number: int, table: str, now: datetime) -> Iterator[Event]:
    dealer = dealer_of(number)
    leader = CLOCKWISE.index(dealer.left)
    yield DealStarted(
        table=table, deal=number, time_utc=now, dealer=dealer, reglement=KLAVERJAS_DRIVE.name, confidence=0.99
    )
    now += timedelta(seconds=20)
    yield TrumpDeclared(table=table, deal=number, time_utc=now, seat=dealer.left, trump=Suit.HEARTS)
    for trick, (role, cards) in enumerate(KINDS[kind], start=1):
        for position, text in enumerate(cards.split(), start=1):
            now += timedelta(seconds=4)
            yield CardPlayed(
                table=table,
                deal=number,
                time_utc=now,
                confidence=0.9999,
                trick=trick,
                position=position,
                seat=CLOCKWISE[(leader + role + position - 1) % 4],
                card=parse_card(text),
            )
        now += timedelta(seconds=3)
        yield TrickCovered(table=table, deal=number, time_utc=now, trick=trick)
    yield DealClosed(table=table, deal=number, time_utc=now)
