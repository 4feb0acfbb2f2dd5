"""Joins the reader of whole cards of one training with the reader of corners of another.

``python -m models.training.namer_joined --whole A/namer.pt --corners B/namer.pt --decks DIR --out C``

On packs never trained on the two err on different cards: a reader of whole cards trained on fewer strange
courts reads pips best, and the corners, trained beside strange courts, tell the courts apart. Trained
further together they lose some of that.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import cv2

from models.training.deck_library import load_library
from models.training.namer import measured_batches, write_model


def join_namers(whole: Path, corners: Path, decks: Path, out: Path) -> None:
    """Write the joined checkpoint, its temperature fitted on packs never trained on, and the model."""
    import torch

    from models.training.namer_network import build_network

    cv2.setNumThreads(1)
    network = build_network(None)
    state = torch.load(whole, weights_only=True)
    read_corners = torch.load(corners, weights_only=True)
    state |= {name: values for name, values in read_corners.items() if name.startswith("corner.")}
    network.load_state_dict(state)
    _, unseen = load_library(decks)
    out.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), out / "namer.pt")
    write_model(network, measured_batches(unseen), out)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--whole", type=Path, required=True, help="namer.pt to take the whole-card part of")
    parser.add_argument("--corners", type=Path, required=True, help="namer.pt to take the corner part of")
    parser.add_argument(
        "--decks", type=Path, required=True, help="the library of models.training.deck_library"
    )
    parser.add_argument("--out", type=Path, required=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    arguments = parser.parse_args()
    join_namers(arguments.whole, arguments.corners, arguments.decks, arguments.out)


if __name__ == "__main__":
    main()
