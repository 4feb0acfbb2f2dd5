"""Exact solving with all four hands known, for any rest of a deal. See README.md in this folder."""

from rules.solver.board import Objective
from rules.solver.hands import dealt_hands, ending_after
from rules.solver.review import BestPlay, Turn, best_play
from rules.solver.search import Engine, accelerator_is_installed, prepare
from rules.solver.solution import Solution, solve

__all__ = [
    "BestPlay",
    "Engine",
    "Objective",
    "Solution",
    "Turn",
    "accelerator_is_installed",
    "best_play",
    "dealt_hands",
    "ending_after",
    "prepare",
    "solve",
]
