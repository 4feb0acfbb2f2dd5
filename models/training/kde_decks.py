"""Reads KDE's decks: one drawing each, in which every card is an element with its own name.

Needs PySide6 (only here, and only to gather the library); without it, KDE's decks are left out.
"""

from __future__ import annotations

import gzip
import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from detector.types import Image

_RANKS = {"1": "A", **{str(number): str(number) for number in range(2, 10)}, "10": "T"} | {
    "jack": "J", "queen": "Q", "king": "K",
}  # fmt: skip
_SUITS = {"club": "C", "diamond": "D", "heart": "H", "spade": "S"}


def is_available() -> bool:
    """Whether PySide6 can be imported."""
    return importlib.util.find_spec("PySide6") is not None


def cards_of(file: Path, width: int) -> dict[str, Image]:
    """The cards of a deck's drawing (gzipped SVG) by code, and its back: (H, W, 4) uint8 BGRA, ``width``
    wide.

    Raises:
        ImportError: without PySide6.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    gui = importlib.import_module("PySide6.QtGui")
    svg = importlib.import_module("PySide6.QtSvg")
    core = importlib.import_module("PySide6.QtCore")
    # Text in drawings needs an application; one a process.
    application = gui.QGuiApplication.instance() or gui.QGuiApplication(["cards"])
    renderer = svg.QSvgRenderer(core.QByteArray(gzip.decompress(file.read_bytes())))
    names = {f"{rank}_{suit}": _SUITS[suit] + _RANKS[rank] for suit in _SUITS for rank in _RANKS} | {
        "back": "back"
    }
    bounds = renderer.boundsOnElement("8_club")
    height = round(width * bounds.height() / bounds.width())
    pictures = {
        code: _element(renderer, gui, core, name, width, height)
        for name, code in names.items()
        if renderer.elementExists(name)
    }
    del application
    return pictures


def _element(renderer: Any, gui: Any, core: Any, name: str, width: int, height: int) -> Image:
    """One element of a drawing, scaled to ``width`` x ``height`` pixels."""
    picture = gui.QImage(width, height, gui.QImage.Format.Format_RGBA8888)
    picture.fill(0)
    painter = gui.QPainter(picture)
    painter.setRenderHint(gui.QPainter.RenderHint.Antialiasing)
    renderer.render(painter, name, core.QRectF(0, 0, width, height))
    painter.end()
    rows = np.frombuffer(picture.constBits(), dtype=np.uint8).reshape(height, picture.bytesPerLine())
    rgba = rows[:, : width * 4].reshape(height, width, 4)
    return np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), dtype=np.uint8)
