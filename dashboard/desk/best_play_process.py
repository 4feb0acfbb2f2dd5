"""One deal in on standard input, what best play makes of it out on standard output; a process of its own.

The search takes seconds to a minute of one core. In the venue's own process it would hold up every live page.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any, Final

from rules import Team, deal_from_document
from rules.errors import SolverError
from rules.solver import BestPlay, Turn, accelerator_is_installed, best_play

_POLITENESS: Final = 10
_FROM_TRICK_WITHOUT_ACCELERATOR: Final = 3


def main() -> None:
    """Read, search, write; a deal that cannot be searched gives ``{"impossible": …}``."""
    os.nice(_POLITENESS)
    json.dump(solved(json.load(sys.stdin)), sys.stdout)


def solved(document: Mapping[str, Any]) -> dict[str, Any]:
    """The answer for a deal written as ``rules`` writes it."""
    from_trick = 1 if accelerator_is_installed() else _FROM_TRICK_WITHOUT_ACCELERATOR
    try:
        best = best_play(deal_from_document(document), from_trick=from_trick)
    except SolverError as error:
        return {"impossible": str(error)}
    return _answer(best)


def _answer(best: BestPlay) -> dict[str, Any]:
    return {
        "from_trick": best.from_trick,
        "points": {team.value: best.result.score_points[team] for team in Team},
        "roem": {team.value: best.result.score_roem[team] for team in Team},
        "line": [[play.seat.value, play.card.code] for play in best.line],
        "turns": [_turn(turn) for turn in best.turns],
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "trick": turn.trick,
        "position": turn.position,
        "best": [card.code for card in turn.best_cards],
        "lost": turn.lost if turn.played is not None else None,
    }


if __name__ == "__main__":
    main()
