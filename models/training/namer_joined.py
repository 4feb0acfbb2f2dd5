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
from typing import Final

import cv2
import numpy as np

from models.training.deck_library import load_library
from models.training.namer import TEMPERATURE_FILE, draw_batch, export, fit_temperature

_log = logging.getLogger(__name__)

_BATCHES: Final = 15


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
    rng = np.random.default_rng(10_000_019)
    weights = np.full(len(unseen), 1 / len(unseen))
    temperature = fit_temperature(network, [draw_batch(rng, unseen, weights) for _ in range(_BATCHES)])
    out.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), out / "namer.pt")
    (out / TEMPERATURE_FILE).write_text(f"{temperature}\n", encoding="utf-8")
    _log.info("temperature %.2f", temperature)
    export(network, out / "namer.onnx")


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
