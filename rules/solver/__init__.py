"""Exact solving with all four hands known, for any rest of a deal. See README.md in this folder."""

from rules.solver.board import Objective
from rules.solver.solution import Engine, Solution, accelerator_is_installed, ending_after, solve

__all__ = ["Engine", "Objective", "Solution", "accelerator_is_installed", "ending_after", "solve"]
