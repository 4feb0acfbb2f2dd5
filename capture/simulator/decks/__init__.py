"""Packs of cards for the simulator: the project's own, and any from a folder of pictures."""

from capture.simulator.decks.backs import BackColour, OwnBack
from capture.simulator.decks.deck import Deck, DeckError
from capture.simulator.decks.folder_deck import load_deck_folder
from capture.simulator.decks.own_deck import own_deck

__all__ = ["BackColour", "Deck", "DeckError", "OwnBack", "load_deck_folder", "own_deck"]
