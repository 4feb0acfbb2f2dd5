"""The network that looks for marks on the backs of a pack: how it is built and trained.

    python -m models.training.back_flaws --data DIR --out DIR --minutes 30

learns from the packs that ``back_flaw_data`` drew, and leaves ``flaws.onnx``. For each view it answers by
cells of 4 x 4 pixels, as a logit, whether there is a mark. Importing this needs torch (the extra ``train``).
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from models.training.back_flaw_data import DrawnPack, read_packs
from models.training.onnx_file import write_onnx

_log = logging.getLogger(__name__)

_HELD_OUT: Final = 10
"""One file in so many is never learnt from: by it the rounds are compared."""

_BATCH: Final = 16
_CLEAN_TO_MARKED: Final = 2.0
"""How many clean views are shown for each marked one: there are many more."""

_RATE: Final = 2e-3
_VIEW_SHARE: Final = 0.15
"""How much the view's verdict weighs beside that of its cells."""

_MARKED_CELL: Final = 0.35
"""From this share on a cell is marked; between it and nothing it is not asked."""

_MARKED_WEIGHT: Final = 6.0
_MARK_WORTH: Final = 150.0
"""Cells: no mark weighs more than so many, or the large ones would be all that is learnt."""

_WHOLE_CARD: Final = 0.3
"""Of the cells: a view that is marked on more is faded or of another print, which light and colours tell:
between a view and the average lit alike hardly any of it is left."""

_GREY: Final = 32.0


class FlawNetwork(nn.Module):  # type: ignore[misc]  # torch is only there for training
    """(N, 8, 216, 144) as ``network_input`` gives them in, (N, 54, 36) logits out."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *_step(8, 24, 5, stride=2),
            *_step(24, 32, 3),
            *_step(32, 48, 3, stride=2),
            *_step(48, 48, 3),
        )
        self.around = nn.ModuleList(nn.Sequential(*_step(48, 48, 3, dilation=far)) for far in (1, 2, 4, 8))
        self.answer = nn.Conv2d(48, 1, 1)
        nn.init.constant_(self.answer.bias, -4.0)

    def forward(self, views: Any) -> Any:
        """The logits of all cells."""
        seen = self.look(views / _GREY)
        for layer in self.around:
            seen = seen + layer(seen)
        return self.answer(seen)[:, 0]


def _step(given: int, made: int, size: int, *, stride: int = 1, dilation: int = 1) -> tuple[Any, ...]:
    padding = dilation * (size // 2)
    return (
        nn.Conv2d(given, made, size, stride, padding, dilation, bias=False),
        nn.BatchNorm2d(made),
        nn.ReLU(),
    )


def error_of(logits: Any, marked: Any) -> Any:
    """How wrong the answer is: cell by cell, and for each view by its highest cell.

    logits, marked: (N, h, w); ``marked`` is the share, 0 to 1, of a cell that is marked.
    """
    is_marked = (marked >= _MARKED_CELL).float()
    size = is_marked.flatten(1).sum(dim=1).clamp(min=1)
    weight = (_MARK_WORTH / size).clamp(max=_MARKED_WEIGHT)[:, None, None]
    asked = ((marked < 0.02) | (marked >= _MARKED_CELL)).float() * (1 + (weight - 1) * is_marked)
    cells = nn.functional.binary_cross_entropy_with_logits(logits, is_marked, asked, reduction="sum")
    highest = logits.flatten(1).max(dim=1).values
    views = nn.functional.binary_cross_entropy_with_logits(highest, is_marked.flatten(1).max(dim=1).values)
    return cells / asked.sum() * 20 + _VIEW_SHARE * views


def drawn_otherwise(
    rng: np.random.Generator, inputs: npt.NDArray[np.int8], marked: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """One view, (8, H, W), and its marks as they might have been: other colours, contrast, way round."""
    colours = rng.permutation(3)
    view = inputs[[*colours, *(3 + colours), 6, 7]].astype(np.float32)
    cells = marked.astype(np.float32) / 255
    if rng.random() < 0.5:
        view[:6] *= -1
    gain = float(np.exp(rng.uniform(-0.35, 0.25)))
    view[:3] *= gain
    view[6:] *= gain
    for axis in (1, 2):
        if rng.random() < 0.5:
            view, cells = np.flip(view, axis), np.flip(cells, axis - 1)
    return np.ascontiguousarray(view), np.ascontiguousarray(cells)


def _batches(rng: np.random.Generator, packs: Sequence[DrawnPack]) -> Iterator[tuple[Any, Any]]:
    """All marked views of ``packs`` and some clean ones, once, in any order."""
    places = [
        (pack, view, is_marked)
        for pack in packs
        for view, is_marked in enumerate(_is_marked(pack))
        if is_marked is not None
    ]
    marked = [(pack, view) for pack, view, is_marked in places if is_marked]
    clean = [(pack, view) for pack, view, is_marked in places if not is_marked]
    count = min(len(clean), round(_CLEAN_TO_MARKED * len(marked)))
    shown = marked + [clean[index] for index in rng.permutation(len(clean))[:count]]
    order = rng.permutation(len(shown))
    for start in range(0, len(order) - _BATCH + 1, _BATCH):
        views = [
            drawn_otherwise(
                rng, shown[index][0].inputs[shown[index][1]], shown[index][0].marked[shown[index][1]]
            )
            for index in order[start : start + _BATCH]
        ]
        yield tuple(torch.from_numpy(np.stack(part)) for part in zip(*views, strict=True))


def train(data: Path, out: Path, minutes: float, weights: Path | None = None, seed: int = 1) -> None:
    """Learn for ``minutes``, taking in what was drawn meanwhile, and leave the network in ``out``.

    weights: those of an earlier training, to go on from.
    """
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = FlawNetwork()
    if weights is not None:
        network.load_state_dict(torch.load(weights))
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=1e-4)
    packs: dict[Path, DrawnPack] = {}
    began, rounds, share = time.monotonic(), 0, 0.0
    while share < 1:
        new = [path for path in sorted(data.glob("*.npz")) if ".part" not in path.name and path not in packs]
        packs |= dict(zip(new, read_packs(new), strict=True))
        learnt = [pack for path, pack in packs.items() if not _is_held_out(path)]
        held_out = [pack for path, pack in packs.items() if _is_held_out(path)]
        network.train()
        total, count = 0.0, 0
        for views, marked in _batches(rng, learnt):
            share = (time.monotonic() - began) / (60 * minutes)
            if share >= 1:
                break
            for group in optimiser.param_groups:
                group["lr"] = _RATE * (min(1.0, (1 - share) * 1.6) ** 1.5 + 0.005)
            optimiser.zero_grad()
            error = error_of(network(views), marked)
            error.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            total, count = total + float(error.detach()), count + 1
        rounds += 1
        _log.info(
            "round %d, %d packs, %.2f done: error %.3f", rounds, len(learnt), share, total / max(count, 1)
        )
        _log.info("  %s", told(network, held_out))
        write_onnx(network, out / "flaws.onnx", (8, 216, 144), ("views", "marked", "views"))
        torch.save(network.state_dict(), out / "flaws.pt")


def _is_marked(pack: DrawnPack) -> list[bool | None]:
    """Whether each view has a mark; None for one that is another all over."""
    share = (pack.marked >= 255 * _MARKED_CELL).mean(axis=(1, 2))
    most = pack.marked.max(axis=(1, 2))
    return [
        None if part > _WHOLE_CARD else bool(top > 255 * _MARKED_CELL)
        for part, top in zip(share, most, strict=True)
    ]


def _is_held_out(path: Path) -> bool:
    return int(path.stem.rsplit("-", 1)[1]) % _HELD_OUT == 0


def told(network: FlawNetwork, packs: Sequence[DrawnPack]) -> str:
    """Which share of marked views scores higher than all but so many clean ones."""
    clean: list[float] = []
    marked: list[float] = []
    network.eval()
    with torch.no_grad():
        for pack in packs:
            highest = (
                network(torch.from_numpy(pack.inputs.astype(np.float32))).flatten(1).max(dim=1).values.numpy()
            )
            for score, is_marked in zip(highest.tolist(), _is_marked(pack), strict=True):
                if is_marked is not None:
                    (marked if is_marked else clean).append(score)
    if not clean or not marked:
        return "nothing held out yet"
    bounds = np.quantile(clean, [0.99, 0.998, 0.9995])
    shares = ", ".join(f"{float((np.array(marked) > bound).mean()):.3f} over {bound:.2f}" for bound in bounds)
    return f"of {len(marked)} marked views found at 1, 0.2 and 0.05 % of {len(clean)} clean ones: {shares}"


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    train(given.data, given.out, given.minutes, given.weights)


if __name__ == "__main__":
    main()
