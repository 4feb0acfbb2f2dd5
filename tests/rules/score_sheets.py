"""Deals that bring a wanted score, found by dealing until one does."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from rules import Deal, Reglement, Team
from tests.rules.generators import play_out

# Where to begin looking, so that a test does not deal for half a minute; the search itself does not trust it.
_FIRST_SEEDS: Final = {
    ("amsterdams-met-passen", 0, 162): 19,
    ("amsterdams-met-passen", 82, 80): 991,
    ("amsterdams-met-passen", 56, 126): 1_461,
    ("amsterdams-met-passen", 171, 31): 2_663,
    ("klaverjas-drive", 0, 162): 20,
    ("klaverjas-drive", 82, 80): 365,
    ("klaverjas-drive", 56, 126): 683,
    ("klaverjas-drive", 171, 31): 12_907,
    ("rotterdams", 0, 162): 19,
    ("rotterdams", 56, 126): 455,
    ("rotterdams", 82, 80): 991,
    ("rotterdams", 171, 31): 3_316,
}


def deal_that_scores(reglement: Reglement, number: int, ours: int, theirs: int) -> Deal:
    """A legal deal after which north-south write ``ours`` and east-west ``theirs``."""
    first = _FIRST_SEEDS.get((reglement.name, ours, theirs), 0)
    for seed in range(first, first + 200_000):
        deal = play_out(reglement, random.Random(seed)).deal
        result = deal.result()
        if (result.total(Team.NORTH_SOUTH), result.total(Team.EAST_WEST)) == (ours, theirs):
            return replace(deal, number=number)
    raise AssertionError(f"no deal scores {ours} to {theirs}")
