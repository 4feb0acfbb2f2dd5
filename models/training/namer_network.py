"""The namer's network: the whole card, and its two corners read by themselves.

What a court card's picture looks like differs from pack to pack; its letter and suit in the corner hardly do.
A network that sees only the whole card learns the pictures of the packs it was shown. So a second, small
reader sees nothing but a corner, either one the same way, and is trained to name the card by that alone; its
logits are added to those of the whole card.

Importing this needs torch and ultralytics (the extra ``train``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from detector.namer import NAMER_CLASSES
from models.training.backbone import first_stages
from models.training.namer_data import CROP_SIZE
from models.training.other_prints import COURTS

_BACKBONE_STAGES: Final = 7
"""YOLOv8n up to one sixteenth of the size: further down the pips of a card are one cell."""

_CORNER: Final = (36, 64)
"""Width and height of what the corner reader sees, in pixels of the crop: a jumbo index fits."""

_CORNERS_SHARE: Final = 0.5
"""How much the error of the corners by themselves weighs beside that of all together."""


_PIPS_SHARE: Final = 0.5
"""How much the error of the whole card by itself weighs, of cards that are no courts."""

_ARE_PIPS: Final = torch.tensor([float(name[-1] not in COURTS) for name in NAMER_CLASSES])


class NamerNetwork(nn.Module):  # type: ignore[misc]  # torch is only there for training
    """(N, 3, 144, 96) RGB from 0 to 1 in, (N, 34) logits out."""

    def __init__(self, backbone: Any) -> None:
        super().__init__()
        width, height = CROP_SIZE
        cells = (height // 16 + 1) // 2 * ((width // 16 + 1) // 2)
        self.whole = nn.Sequential(
            backbone,
            nn.Conv2d(128, 160, 3, 2, 1, bias=False),
            nn.BatchNorm2d(160),
            nn.SiLU(),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(160 * cells, len(NAMER_CLASSES)),
        )
        self.corner = _corner_reader()

    def forward(self, crops: Any) -> Any:
        """The logits of the whole card and of its corners together."""
        return self.whole(crops) + self.from_corners(crops)

    def from_corners(self, crops: Any) -> Any:
        """Logits (N, 34) by the upper left and the lower right corner alone."""
        width, height = _CORNER
        upper = crops[:, :, :height, :width]
        # Turned half round the lower right corner is an upper left one.
        lower = crops[:, :, -height:, -width:].flip(2, 3)
        return self.corner(upper) + self.corner(lower)


def _corner_reader() -> Any:
    width, height = _CORNER
    cells = -(-height // 8) * -(-width // 8)
    last = nn.Linear(128 * cells, len(NAMER_CLASSES))
    # At the start the corners say nothing, so that a trained reader of whole cards is not disturbed.
    nn.init.zeros_(last.weight)
    return nn.Sequential(
        *_stage(3, 24, stride=1),
        *_stage(24, 48, stride=2),
        *_stage(48, 96, stride=2),
        *_stage(96, 128, stride=2),
        nn.Flatten(),
        nn.Dropout(0.2),
        last,
    )


def _stage(inputs: int, outputs: int, stride: int) -> tuple[Any, ...]:
    return (
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.SiLU(),
    )


def build_network(weights: Path | None) -> NamerNetwork:
    """The network, its backbone begun with the first stages of YOLOv8n's ``weights``."""
    return NamerNetwork(first_stages(_BACKBONE_STAGES, weights))


def learning_loss(network: NamerNetwork, crops: Any, labels: Any) -> Any:
    """What training lowers: the error of both together, of the corners alone, and of the pips alone.

    crops: (N, 3, 144, 96) float. labels: (N,) int64, indices in ``NAMER_CLASSES``.
    """
    with torch.autocast("cpu", torch.bfloat16):
        corners = network.from_corners(crops)
        whole = network.whole(crops)
    errors = _errors((whole + corners).float(), labels).mean()
    errors = errors + _CORNERS_SHARE * _errors(corners.float(), labels).mean()
    # A court's picture tells nothing of a pack never seen, pips do: those the whole card must read by itself.
    pips = _ARE_PIPS[labels]
    return errors + _PIPS_SHARE * (_errors(whole.float(), labels) * pips).sum() / pips.sum().clamp(min=1)


def _errors(logits: Any, labels: Any) -> Any:
    return nn.functional.cross_entropy(logits, labels, label_smoothing=0.02, reduction="none")
