"""How many written deals are scored a second, many at once against one by one.

``KLAVEROOG_SCORE_DEALS`` sets how many deals (4,000). The figures are written with ``--junit-xml=FILE``;
the ratio of the two ways in the same run does not depend on the machine, so that is held to a limit.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Sequence
from typing import Final

from rules import KLAVERJAS_DRIVE, deal_from_document, result_to_document
from rules.bulk.lines import LineScorer
from tests.rules.generators import play_out

DEALS: Final = int(os.environ.get("KLAVEROOG_SCORE_DEALS", "4000"))
ONE_BY_ONE: Final = 300
BATCH: Final = 4096


def deals_as_lines(count: int) -> list[bytes]:
    """Deals of the Klaverjas Drive in the short form, a line each; after 4,000 they come again."""
    chance = random.Random("speed")
    lines = []
    for number in range(min(count, 4000)):
        deal = play_out(KLAVERJAS_DRIVE, chance).deal
        assert deal.trump is not None
        assert deal.declarer is not None
        document = {
            "reglement": deal.reglement.name,
            "dealer": deal.dealer.value,
            "number": number % 16 + 1,
            "trump": deal.trump.value,
            "declarer": deal.declarer.value,
            "tricks": [{"cards": [card.code for card in trick.cards]} for trick in deal.tricks],
        }
        lines.append(json.dumps(document).encode())
    return (lines * -(-count // len(lines)))[:count]


def together(lines: Sequence[bytes]) -> list[str | None]:
    scorer = LineScorer()
    found: list[str | None] = []
    for start in range(0, len(lines), BATCH):
        found += scorer.results(lines[start : start + BATCH])
    return found


def by_itself(line: bytes) -> str:
    deal = deal_from_document(json.loads(line))
    return json.dumps(result_to_document(deal.result(), deal), ensure_ascii=False)


def test_many_at_once_against_one_by_one(record_testsuite_property: Callable[[str, object], None]) -> None:
    lines = deals_as_lines(DEALS)
    together(lines[:200])  # fills the tables and learns how results are written
    start = time.process_time()
    found = together(lines)
    many = len(lines) / (time.process_time() - start)
    start = time.process_time()
    expected = [by_itself(line) for line in lines[:ONE_BY_ONE]]
    one = ONE_BY_ONE / (time.process_time() - start)
    # A few deals have a "twijfel", and those are left to the usual way.
    pairs = zip(found, expected, strict=False)
    assert all(result in (None, as_usual) for result, as_usual in pairs)
    assert found.count(None) < 0.02 * DEALS
    record_testsuite_property("score_together_deals_per_cpu_s", round(many))
    record_testsuite_property("score_one_by_one_deals_per_cpu_s", round(one))
    record_testsuite_property("score_ratio", round(many / one, 1))
    assert many > 10 * one
