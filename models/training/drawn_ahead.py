"""Draws what a network learns from in a process of its own, ahead of the training."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from typing import Any, Final, TypeVar

import cv2
import numpy as np

Batch = TypeVar("Batch")

_AHEAD: Final = 12


def drawn_ahead(draw: Callable[[np.random.Generator], Batch], seed: int) -> Iterator[Batch]:
    """Endless answers of ``draw``, made by a fork that shares the memory of all that ``draw`` refers to.

    OpenCV must have been set to one thread before its first use, or the fork hangs.
    """
    context = get_context("fork")
    queue: Any = context.Queue(maxsize=_AHEAD)

    def work() -> None:
        os.nice(1)
        cv2.setRNGSeed(seed)
        rng = np.random.default_rng(seed)
        while True:
            queue.put(draw(rng))

    context.Process(target=work, daemon=True).start()
    while True:
        yield queue.get()
