"""The command that draws how misreadings are traded for verzakingen."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from tests.tracker.simulated_tables import Table
from tests.tracker.verzaking_curve import WEIGHTS, Outcome, outcomes, picture_of, points, table_of
from tracker.deal_decoder import VERZAKING_WEIGHT

CLEAN = Outcome(accused=False, surely=False)


def test_a_deal_is_judged_with_each_weight() -> None:
    table = Table(70_000)
    assert outcomes(table, (0.0, VERZAKING_WEIGHT)) == [CLEAN, CLEAN]
    (judged,) = outcomes(replace(table, verzaken=True), (VERZAKING_WEIGHT,))
    assert judged.found
    assert not judged.accused
    assert judged.found_surely or judged.asked


def test_shares_are_of_the_deals_of_each_kind() -> None:
    accused = Outcome(accused=True, surely=False)
    found = Outcome(accused=False, surely=False, found=True, found_surely=True, asked=False)
    asked = Outcome(accused=False, surely=False, found=False, found_surely=False, asked=True)
    lost = Outcome(accused=False, surely=False, found=False, found_surely=False, asked=False)
    every_weight = [[outcome] * len(WEIGHTS) for outcome in (CLEAN, CLEAN, CLEAN, accused)]
    curve = points(every_weight, [[outcome] * len(WEIGHTS) for outcome in (found, found, asked, lost)])
    assert [point.weight for point in curve] == list(WEIGHTS)
    for point in curve:
        assert (point.accused, point.surely, point.found, point.open, point.lost) == (
            0.25,
            0,
            0.5,
            0.25,
            0.25,
        )
    told = table_of({"95 %": curve})
    assert f"| 95 % | **{VERZAKING_WEIGHT:g}** | 25.0 (0.0) | 50.0 (50.0) | 25.0 | 25.0 |" in told
    drawn = ElementTree.fromstring(picture_of({"95 %": curve}))
    assert len(drawn.findall("{http://www.w3.org/2000/svg}polyline")) == 2
