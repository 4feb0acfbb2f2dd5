"""The first stages of YOLOv8n, from which the small networks begin. Needs the extra ``train``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def first_stages(count: int, weights: Path | None) -> Any:
    """The first ``count`` stages as a torch module, with their ``weights`` where a file is given."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    from ultralytics import YOLO

    yolo = YOLO("yolov8n.yaml")
    if weights is not None:
        yolo = yolo.load(str(weights))
    return yolo.model.model[:count]
