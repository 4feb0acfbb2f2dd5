"""What the network that looks for marks learns from: the marks lie where the truth says."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from detector.backs.flaw_finder import STRIDE
from models.training.back_flaw_data import draw_packs, read_packs

FAMILY = 7


def test_a_view_differs_most_from_the_average_where_it_is_said_to_be_marked(tmp_path: Path) -> None:
    draw_packs(FAMILY, tmp_path, packs=1, processes=1)
    (pack,) = read_packs([tmp_path / f"{FAMILY}-00000.npz"])
    views, channels, height, width = pack.inputs.shape
    assert channels == 8
    assert pack.marked.shape == (views, height // STRIDE, width // STRIDE)
    apart = np.abs(pack.inputs[:, :3].astype(int)).max(axis=1)
    cells = apart.reshape(views, height // STRIDE, STRIDE, width // STRIDE, STRIDE).mean(axis=(2, 4))
    is_marked = pack.marked > 200
    marked = [view for view in range(views) if is_marked[view].any()]
    assert marked
    inner = np.zeros(is_marked.shape[1:], dtype=bool)
    inner[6:-6, 6:-6] = True  # Beside the card the views differ by all that lies there.
    for view in marked:
        clean = cells[view][inner & ~is_marked[view]]
        assert cells[view][is_marked[view]].mean() > 3 * np.median(clean) + 5
    assert len(marked) < views / 2
