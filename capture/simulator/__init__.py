"""A table that plays: deals, films and stills drawn with the project's own or other decks of cards."""

from capture.simulator.scene import FOREIGN_CODE, TrueCard
from capture.simulator.stills import LEAST_SHARE, Still, random_still

__all__ = ["FOREIGN_CODE", "LEAST_SHARE", "Still", "TrueCard", "random_still"]
