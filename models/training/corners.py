"""Trains the corner refiner: the first stages of YOLOv8n, from COCO features, and a head of eight numbers.

``python -m models.training.corners --decks DIR --weights FILE --out DIR --minutes M`` leaves ``corners.onnx``
and a checkpoint in ``--out``; ``--resume`` goes on from the checkpoint.
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator.decks import Deck
from detector.types import FloatArray
from models.training.backbone import first_stages
from models.training.corner_data import CORNER_CROP, draw_corner_sample
from models.training.deck_library import load_library
from models.training.drawn_ahead import drawn_ahead
from models.training.namer import to_tensor
from models.training.namer_data import deck_weights
from models.training.onnx_file import write_onnx

_log = logging.getLogger(__name__)

BATCH: Final = 96
_BACKBONE_STAGES: Final = 5
"""YOLOv8n up to one eighth of the size, so that a pixel's shift is still seen."""

Batch = tuple[npt.NDArray[np.uint8], FloatArray]


def build_network(weights: Path | None) -> Any:
    """The network: (N, 3, 120, 80) RGB from 0 to 1 in, (N, 8) offsets in card widths out."""
    from torch import nn

    width, height = CORNER_CROP
    cells = (width // 16) * ((height // 8 + 1) // 2)
    return nn.Sequential(
        first_stages(_BACKBONE_STAGES, weights),
        nn.Conv2d(64, 96, 3, 2, 1, bias=False),
        nn.BatchNorm2d(96),
        nn.SiLU(),
        nn.Conv2d(96, 48, 1, bias=False),
        nn.BatchNorm2d(48),
        nn.SiLU(),
        nn.Flatten(),
        nn.Linear(48 * cells, 128),
        nn.SiLU(),
        nn.Linear(128, 8),
    )


def draw_batch(rng: np.random.Generator, decks: Sequence[Deck], weights: npt.NDArray[Any]) -> Batch:
    """Draw ``BATCH`` samples: crops (N, 120, 80, 3) uint8 BGR and their offsets (N, 4, 2)."""
    samples = [draw_corner_sample(rng, decks, weights) for _ in range(BATCH)]
    return np.stack([one.crop for one in samples]), np.stack([one.offsets for one in samples])


def median_error(network: Any, measured: Sequence[Batch]) -> float:
    """The median over cards of the mean distance of the four corners, in card widths, after one round."""
    import torch

    network.eval()
    errors = []
    with torch.inference_mode():
        for crops, offsets in measured:
            off = network(to_tensor(crops)).float().numpy().reshape(-1, 4, 2) - offsets
            errors.append(np.linalg.norm(off, axis=2).mean(axis=1))
    network.train()
    return float(np.median(np.concatenate(errors)))


def train_corners(arguments: argparse.Namespace) -> None:
    """Train for so many minutes, saving a checkpoint and the error on unseen decks as it goes."""
    import torch

    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)  # before its first use: a pool of threads does not survive the fork that draws
    torch.manual_seed(arguments.seed)
    train, unseen = load_library(arguments.decks)
    arguments.out.mkdir(parents=True, exist_ok=True)
    checkpoint = arguments.out / "corners.pt"
    weights = deck_weights(train)
    drawn = drawn_ahead(lambda rng: draw_batch(rng, train, weights), arguments.seed)
    rng = np.random.default_rng(10_000_019)
    unseen_weights = np.full(len(unseen), 1 / len(unseen))
    measured = [draw_batch(rng, unseen, unseen_weights) for _ in range(10)]
    network = build_network(arguments.weights)
    if arguments.resume:
        network.load_state_dict(torch.load(checkpoint, weights_only=True))
    network = network.to(memory_format=torch.channels_last).train()
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.997), use_buffers=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), arguments.learning_rate, weight_decay=0.01)
    start, step, last_report = time.monotonic(), 0, time.monotonic()
    while (share := (time.monotonic() - start) / (60 * arguments.minutes)) < 1:
        falling = 0.01 + 0.99 * (1 + np.cos(np.pi * share)) / 2
        for group in optimizer.param_groups:
            group["lr"] = arguments.learning_rate * min(1.0, (step + 1) / 100) * falling
        crops, offsets = next(drawn)
        with torch.autocast("cpu", torch.bfloat16):
            answer = network(to_tensor(crops))
        # The distance itself, not its square: a corner under another card can only be guessed.
        loss = torch.nn.functional.smooth_l1_loss(
            answer.float(), torch.from_numpy(offsets.reshape(-1, 8)), beta=0.01
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update_parameters(network)
        step += 1
        if time.monotonic() - last_report > 120:
            last_report = time.monotonic()
            torch.save(average.module.state_dict(), checkpoint)
            _log.info(
                "step %d, %d samples, %.0f %% of the time, loss %.4f, unseen decks off by %.4f",
                step, step * BATCH, 100 * share, loss.item(), median_error(average.module, measured),
            )  # fmt: skip
    torch.save(average.module.state_dict(), checkpoint)
    _log.info("%d samples, unseen decks off by %.4f", step * BATCH, median_error(average.module, measured))
    width, height = CORNER_CROP
    file = arguments.out / "corners.onnx"
    write_onnx(average.module, file, (3, height, width), ("crops", "offsets", "cards"))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--decks", type=Path, required=True, help="the library of models.training.deck_library"
    )
    parser.add_argument("--weights", type=Path, required=True, help="YOLOv8n weights to start from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--learning-rate", type=float, default=1.5e-3)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    train_corners(parser.parse_args())


if __name__ == "__main__":
    main()
