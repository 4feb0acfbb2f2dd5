"""A table that plays: deals, films and stills drawn with the project's own or other packs of cards.

``random_still`` makes pictures to train on; ``Film`` is a camera above a table where deals are played, and
``write_film`` keeps one on disk. Packs come from ``capture.simulator.decks``.
"""

from capture.simulator.deals import (
    Irregularity,
    Mishap,
    PlayedDeal,
    SimulationError,
    simulate_deal,
    simulate_match,
)
from capture.simulator.film import BEGINNING, Film, FilmTruth, TrueFrame
from capture.simulator.film_file import truth_as_json, write_film
from capture.simulator.scene import FOREIGN_CODE, TrueCard
from capture.simulator.stills import LEAST_SHARE, Still, random_still

__all__ = [
    "BEGINNING",
    "FOREIGN_CODE",
    "LEAST_SHARE",
    "Film",
    "FilmTruth",
    "Irregularity",
    "Mishap",
    "PlayedDeal",
    "SimulationError",
    "Still",
    "TrueCard",
    "TrueFrame",
    "random_still",
    "simulate_deal",
    "simulate_match",
    "truth_as_json",
    "write_film",
]
