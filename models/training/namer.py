"""Trains the namer (``namer_network``) over 34 classes, the whole card's reader from COCO features.

``python -m models.training.namer --decks DIR --weights FILE --out DIR --minutes M`` leaves ``namer.onnx``
and a checkpoint in ``--out``; a run that was cut off goes on from its checkpoint with ``--resume``.
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.simulator.decks import Deck
from detector.types import Image
from models.training.deck_library import load_library
from models.training.drawn_ahead import drawn_ahead
from models.training.namer_data import CROP_SIZE, RealCard, Sample, deck_weights, draw_sample, vary_real_card
from models.training.onnx_file import write_onnx
from models.training.real_photos import load_cards

_log = logging.getLogger(__name__)

BATCH: Final = 96
_REAL_SHARE: Final = 0.12
"""How many of the samples are cards of real photos, where there are any: few cards, so no more."""

TEMPERATURE_FILE: Final = "temperature.txt"
"""Beside the model: what the detector divides the logits by."""

Batch = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]


def draw_batch(
    rng: np.random.Generator,
    decks: Sequence[Deck],
    weights: npt.NDArray[Any],
    real_cards: Sequence[RealCard] = (),
) -> Batch:
    """Draw ``BATCH`` samples: crops (N, 144, 96, 3) uint8 BGR and their classes (N,)."""

    def sample() -> Sample:
        if real_cards and rng.random() < _REAL_SHARE:
            return vary_real_card(rng, real_cards[int(rng.integers(len(real_cards)))])
        return draw_sample(rng, decks, weights)

    samples = [sample() for _ in range(BATCH)]
    crops = np.stack([_either_way_up(rng, sample.crop) for sample in samples])
    return crops, np.array([sample.label for sample in samples], dtype=np.int64)


def _either_way_up(rng: np.random.Generator, crop: Image) -> Image:
    """A card is the same upside down, and the detector can't tell which way up it lies."""
    return np.ascontiguousarray(crop[::-1, ::-1]) if rng.random() < 0.5 else crop


def batches(decks: Sequence[Deck], real_cards: Sequence[RealCard], seed: int) -> Iterator[Batch]:
    """Endless batches, drawn ahead by one process of their own that shares the decks."""
    weights = deck_weights(decks)
    return drawn_ahead(lambda rng: draw_batch(rng, decks, weights, real_cards), seed)


def to_tensor(crops: npt.NDArray[np.uint8]) -> Any:
    """Crops (N, H, W, 3) uint8 BGR as a float tensor (N, 3, H, W) RGB from 0 to 1."""
    import torch

    pictures = torch.from_numpy(np.ascontiguousarray(crops[..., ::-1])).permute(0, 3, 1, 2)
    return (pictures.float() / 255).contiguous(memory_format=torch.channels_last)


def accuracy(network: Any, measured: Sequence[Batch]) -> float:
    """The share of samples named right."""
    import torch

    network.eval()
    with torch.inference_mode():
        right = sum(
            int((network(to_tensor(crops)).argmax(1).numpy() == labels).sum()) for crops, labels in measured
        )
    network.train()
    return right / sum(len(labels) for _, labels in measured)


def fit_temperature(network: Any, measured: Sequence[Batch]) -> float:
    """What to divide the logits by so that certainty and share of right answers agree best.

    Each crop is read both ways up and averaged, as the detector does (Guo et al., "On Calibration of Modern
    Neural Networks", 2017: the temperature with the least negative log-likelihood).
    """
    import torch

    network.eval()
    with torch.inference_mode():
        logits = torch.cat(
            [
                (network(to_tensor(crops)) + network(to_tensor(crops[:, ::-1, ::-1]))) / 2
                for crops, _ in measured
            ]
        )
    labels = torch.from_numpy(np.concatenate([labels for _, labels in measured]))
    candidates = np.arange(0.4, 2.01, 0.02)
    losses = [float(torch.nn.functional.cross_entropy(logits / float(t), labels)) for t in candidates]
    return round(float(candidates[int(np.argmin(losses))]), 2)


def train_namer(arguments: argparse.Namespace) -> None:
    """Train for so many minutes, saving a checkpoint and the accuracy on unseen decks as it goes."""
    import torch

    from models.training.namer_network import build_network, learning_loss

    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)  # before its first use: a pool of threads does not survive the fork that draws
    torch.manual_seed(arguments.seed)
    train, unseen = load_library(arguments.decks)
    arguments.out.mkdir(parents=True, exist_ok=True)
    checkpoint = arguments.out / "namer.pt"
    real_cards = [] if arguments.photos is None else load_cards(arguments.photos)
    drawn = batches(train, real_cards, arguments.seed)
    measured = measured_batches(unseen)
    network = build_network(arguments.weights)
    if arguments.resume:
        network.load_state_dict(torch.load(checkpoint, weights_only=True))
    network = network.to(memory_format=torch.channels_last).train()
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), arguments.learning_rate, weight_decay=0.02)
    start, step, last_report = time.monotonic(), 0, time.monotonic()
    while (share := (time.monotonic() - start) / (60 * arguments.minutes)) < 1:
        falling = 0.01 + 0.99 * (1 + np.cos(np.pi * share)) / 2
        rate = arguments.learning_rate * min(1.0, (step + 1) / 200) * falling
        for group in optimizer.param_groups:
            group["lr"] = rate
        crops, labels = next(drawn)
        loss = learning_loss(network, to_tensor(crops), torch.from_numpy(labels))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update_parameters(network)
        step += 1
        if time.monotonic() - last_report > 120:
            last_report = time.monotonic()
            torch.save(average.module.state_dict(), checkpoint)
            _log.info(
                "step %d, %d samples, %.0f %% of the time, loss %.3f, unseen decks %.4f",
                step, step * BATCH, 100 * share, loss.item(), accuracy(average.module, measured),
            )  # fmt: skip
    torch.save(average.module.state_dict(), checkpoint)
    _log.info("%d samples, unseen decks %.4f", step * BATCH, accuracy(average.module, measured))
    write_model(average.module, measured, arguments.out)


def measured_batches(unseen: Sequence[Deck]) -> list[Batch]:
    """What is measured on: always the same samples of packs never trained on, each as often."""
    rng = np.random.default_rng(10_000_019)
    weights = np.full(len(unseen), 1 / len(unseen))
    return [draw_batch(rng, unseen, weights) for _ in range(15)]


def write_model(network: Any, measured: Sequence[Batch], out: Path) -> None:
    """Write ``namer.onnx``, and beside it the temperature fitted on ``measured``."""
    temperature = fit_temperature(network, measured)
    (out / TEMPERATURE_FILE).write_text(f"{temperature}\n", encoding="utf-8")
    _log.info("temperature %.2f", temperature)
    width, height = CROP_SIZE
    write_onnx(network, out / "namer.onnx", (3, height, width), ("crops", "logits", "cards"))


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
    parser.add_argument("--photos", type=Path, help="cards.npz of models.training.real_photos")
    parser.add_argument("--learning-rate", type=float, default=1.5e-3)
    parser.add_argument("--minutes", type=float, default=36)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    train_namer(parser.parse_args())


if __name__ == "__main__":
    main()
