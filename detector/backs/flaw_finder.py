"""Where a back is marked: a small network that sees each view beside the average of its pack.

What a threshold on each place can't tell it has learnt to: a hand's shade, a lamp's reflection, a view laid a
little off and a card cut askew look otherwise than a pen, a scratch or a corner that is gone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from detector.backs.alignment import laid_on_model
from detector.backs.lighting import toned_like
from detector.backs.pack import PackBack
from detector.backs.views import CARD_SIZE, INNER_MASK, MARGIN
from detector.model_files import find_model, open_model, require_outputs
from detector.types import FloatArray

STRIDE: Final = 4
"""Pixels of a view in a cell of the network's answer."""

AROUND: Final = 8
"""Pixels of a view that are seen beside the card, some 3 mm."""

SEEN: Final = (
    slice(MARGIN - AROUND - 1, MARGIN + CARD_SIZE[1] + AROUND + 1),
    slice(MARGIN - AROUND, MARGIN + CARD_SIZE[0] + AROUND),
)
"""(rows, columns) of a view that the network sees; both divide by ``STRIDE``."""

_NO_WORSE: Final = 1.03
_MOST_APART: Final = 40.0
"""Grey levels: a mark differs from the print both ways up, and counts for little beside the print."""

_MAD: Final = 1.4826
_FINE: Final = 2.0
"""Steps in a grey level, where a few grey levels tell."""


class FlawFinder:
    """Says of each place of each view whether it is marked."""

    def __init__(self, models_folder: Path | None = None, threads: int = 1) -> None:
        """Open the model.

        Raises:
            ModelError: when the model is missing, damaged or of another version.
        """
        model = find_model("flaws", models_folder)
        self._session = open_model(model, threads)
        require_outputs(self._session, model, axis=1, expected=(SEEN[0].stop - SEEN[0].start) // STRIDE)
        self._input_name = self._session.get_inputs()[0].name

    def marked(self, pack: PackBack) -> FloatArray:
        """(N, 54, 36) float32: by cells of ``SEEN``, as a logit, whether the view is marked there.

        Where only little tells the ends of a back, a view may lie the wrong way up: one that lies no worse
        the other way up counts as it is marked least.
        """
        toned, unrest = _other_way_up(pack)
        upright, turned = self._look(network_input(pack)), self._look(network_input(pack, toned, unrest))
        lies_as_well = _apart(pack, toned) <= _NO_WORSE * _apart(pack, pack.toned)
        is_less = lies_as_well & (turned.max(axis=(1, 2)) < upright.max(axis=(1, 2)))
        return np.where(is_less[:, None, None], turned, upright)

    def _look(self, views: npt.NDArray[np.int8]) -> FloatArray:
        answer = self._session.run(None, {self._input_name: views.astype(np.float32)})
        return np.asarray(answer[0], dtype=np.float32)


def _other_way_up(pack: PackBack) -> tuple[FloatArray, FloatArray]:
    """The views turned half round about the middle of the print, lit as the average, and their unrest."""
    laid = (laid_on_model(one, pack.turning) for one in pack.laid)
    toned = np.stack([toned_like(one, pack.average) for one in laid])
    return toned, np.stack([laid_on_model(one, pack.turning) for one in pack.unrest])


def _apart(pack: PackBack, toned: FloatArray) -> FloatArray:
    """(N,) by how many grey levels each view differs from the average, no place counting for much."""
    apart = np.minimum(np.abs(toned - pack.average).max(axis=3)[:, INNER_MASK], _MOST_APART)
    return np.asarray(apart.mean(axis=1), dtype=np.float32)


def network_input(
    pack: PackBack, toned: FloatArray | None = None, unrest: FloatArray | None = None
) -> npt.NDArray[np.int8]:
    """(N, 8, H, W) int8: how each view differs from the average, the average, and how sure that is.

    ``toned`` and ``unrest``: of the views, by default as they lie in ``pack``. Three channels of difference
    in grey levels, three of the average about its middle grey, then by how many half grey levels the views
    differ there as a rule, and by how many the looks at this one did.
    """
    rows, columns = SEEN
    usual = np.median(np.abs(pack.toned - pack.average)[pack.well_laid], axis=0).max(axis=2) * _MAD
    apart = ((pack.toned if toned is None else toned) - pack.average)[:, rows, columns]
    restless = pack.unrest if unrest is None else unrest
    average = np.moveaxis(pack.average[rows, columns] - 128, 2, 0)
    shape = (len(apart), 1, *apart.shape[1:3])
    channels = (
        np.moveaxis(apart, 3, 1),
        np.broadcast_to(average, (len(apart), *average.shape)),
        np.broadcast_to(usual[rows, columns] * _FINE, shape),
        restless[:, None, rows, columns] * _FINE,
    )
    rounded = np.clip(np.rint(np.concatenate(channels, axis=1)), -127, 127)
    return np.asarray(rounded, dtype=np.int8)
