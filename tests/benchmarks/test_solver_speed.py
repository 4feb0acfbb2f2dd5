"""How long a whole deal takes to solve, and how many positions are searched for it.

``KLAVEROOG_SOLVER_DEALS`` sets how many deals of each reglement (20; 1,000 for the figures in the README of
``rules/solver``). How many positions are searched does not depend on the machine, so that is held to a limit;
the times are written with ``--junit-xml=FILE``.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from statistics import median, quantiles

import pytest

from rules import CLOCKWISE, KLAVERJAS_DRIVE, ROTTERDAMS, Ending, Reglement, Suit
from rules.solver import Engine, accelerator_is_installed, solve
from tests.rules.generators import dealt

DEALS = int(os.environ.get("KLAVEROOG_SOLVER_DEALS", "20"))


def deal_by_chance(reglement: Reglement, seed: int) -> Ending:
    chance = random.Random(seed)
    return Ending(reglement, chance.choice(list(Suit)), dealt(chance), chance.choice(CLOCKWISE))


@pytest.mark.skipif(
    not accelerator_is_installed(), reason="numba is niet geinstalleerd / numba is not installed"
)
@pytest.mark.parametrize("reglement", [KLAVERJAS_DRIVE, ROTTERDAMS], ids=lambda reglement: reglement.name)
def test_a_whole_deal_with_the_value_of_every_lead(
    reglement: Reglement, record_testsuite_property: Callable[[str, object], None]
) -> None:
    """The legal cards of "Amsterdams met passen" are those of the Klaverjas Drive."""
    solve(deal_by_chance(reglement, -1), engine=Engine.ACCELERATED)  # compiles
    times, visits = [], []
    for seed in range(DEALS):
        ending = deal_by_chance(reglement, seed)
        start = time.process_time()
        solution = solve(ending, engine=Engine.ACCELERATED)
        times.append(time.process_time() - start)
        visits.append(solution.visited)
    name = reglement.name.replace("-", "_")
    record_testsuite_property(f"solve_{name}_deals", DEALS)
    record_testsuite_property(f"solve_{name}_median_ms", round(1e3 * median(times), 1))
    record_testsuite_property(f"solve_{name}_p95_ms", round(1e3 * quantiles(times, n=20)[18], 1))
    record_testsuite_property(f"solve_{name}_worst_ms", round(1e3 * max(times), 1))
    record_testsuite_property(f"solve_{name}_positions_per_s", round(sum(visits) / sum(times)))
    record_testsuite_property(f"solve_{name}_worst_positions", max(visits))
    assert median(visits) < 1_500_000
