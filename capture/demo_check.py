"""Whether the demonstration came out right: what the dashboard shows against what was really played."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

from capture.demo import TABLE, VenueReader
from rules import Revoke, Team
from tracker.events import DealRecord, Event, fold_deals

DIRECTOR: Final = "Demo"
_PASSWORD: Final = "alleen voor deze demonstratie"
_SECRET_WORDS: Final = re.compile(r"verzaak|verzaken|revoke", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DemoCheck:
    """Sentences, each in both languages: what the dashboard shows, and what is wrong with it."""

    shown: tuple[str, ...]
    wrong: tuple[str, ...]


def check_demo(
    address: str, first_run_code: str, played: Iterable[Event], read: Iterable[Event]
) -> DemoCheck:
    """Look at the dashboard as anybody and as its wedstrijdleider, and compare.

    played: what really happened, from the simulator. read: what the reading side told.

    Raises:
        DeliveryError: when the dashboard does not answer.
    """
    truth = fold_deals(played)
    reader = VenueReader(address)
    state = reader.json(f"/api/tafels/{TABLE}")
    open_to_all = reader.page(f"/tafel/{TABLE}") + str(state)
    reader.sign_in_first(first_run_code, DIRECTOR, _PASSWORD)
    desk = reader.page("/wedstrijdleider")
    rows = {row["number"]: row for row in state["tellijst"]["rows"]}
    return DemoCheck(
        shown=tuple(_row_in_words(row) for row in rows.values() if _is_played(row)),
        wrong=(
            *_wrong_cards(truth, fold_deals(read)),
            *_wrong_rows(truth, rows),
            *_wrong_alerts(truth, revoke_alerts(desk)),
            *_told_to_all(open_to_all),
        ),
    )


def revoke_alerts(desk: str) -> list[str]:
    """The text of each alert of a verzaking on the wedstrijdleider's page."""
    articles = re.findall(r"<article\b[^>]*\balert-revoke\b(?!_)[^>]*>(.*?)</article>", desk, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]*>", " ", article)).split()) for article in articles]


def _is_played(row: dict[str, Any]) -> bool:
    return any(side["points"] for side in row["sides"].values())


def _row_in_words(row: dict[str, Any]) -> str:
    us, them = (row["sides"][team.value] for team in Team)
    return (
        f"Spel / deal {row['number']}: wij / us {us['points']} + {us['roem']}, "
        f"zij / them {them['points']} + {them['roem']}"
    )


def _wrong_cards(truth: Sequence[DealRecord], seen: Sequence[DealRecord]) -> Iterator[str]:
    found = {record.number: _places(record) for record in seen}
    for record in truth:
        expected = _places(record)
        wrong = len(expected.items() - found.get(record.number, {}).items())
        if wrong:
            yield (
                f"Spel {record.number}: {wrong} van {len(expected)} kaarten verkeerd gelezen / "
                f"deal {record.number}: {wrong} of {len(expected)} cards read wrongly"
            )


def _places(record: DealRecord) -> dict[tuple[int, int], tuple[str, str]]:
    return {(card.trick, card.position): (card.seat.value, card.card.code) for card in record.cards}


def _wrong_rows(truth: Sequence[DealRecord], rows: dict[int, dict[str, Any]]) -> Iterator[str]:
    for record in truth:
        result = record.deal.result()
        expected = {team.value: (result.score_points[team], result.score_roem[team]) for team in Team}
        sides = rows.get(record.number, {}).get("sides", {})
        shown = {team: (side["points"], side["roem"]) for team, side in sides.items()}
        if shown != expected:
            yield (
                f"Spel {record.number}: het dashboard toont {shown}, gespeeld is {expected} / "
                f"deal {record.number}: the dashboard shows {shown}, played was {expected}"
            )


def _wrong_alerts(truth: Sequence[DealRecord], alerts: Sequence[str]) -> Iterator[str]:
    expected = [(record.number, revoke) for record in truth for revoke in record.deal.revokes]
    for number, revoke in expected:
        if not any(_tells_of(alert, number, revoke) for alert in alerts):
            yield (
                f"Spel {number}: de verzaking van {revoke.seat.dutch} in slag {revoke.trick} staat niet "
                f"bij de wedstrijdleider / deal {number}: the revoke is not on the wedstrijdleider's page"
            )
    if len(alerts) > len(expected):
        yield (
            f"Bij de wedstrijdleider staan {len(alerts)} verzakingen, er waren er {len(expected)} / "
            f"{len(alerts)} revokes on the wedstrijdleider's page, {len(expected)} happened"
        )


def _tells_of(alert: str, number: int, revoke: Revoke) -> bool:
    """Whether the alert names the deal, the seat, the card and both tricks."""
    wanted = (
        f"spel {number} ",
        f"{revoke.seat.dutch} speelde {revoke.card} in slag {revoke.trick},",
        f"Slag {revoke.trick}: hier werd verzaakt",
        f"Slag {revoke.proven_trick}: hier bleek het",
    )
    return all(words in alert for words in wanted)


def _told_to_all(page: str) -> Iterator[str]:
    if _SECRET_WORDS.search(page):
        yield (
            "De tafelpagina vertelt van de verzaking; die is alleen voor de wedstrijdleider / "
            "the table's page tells of the revoke, which is for the wedstrijdleider only"
        )
