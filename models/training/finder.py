"""Trains the finder: YOLOv8n with oriented boxes, from COCO features.

``python -m models.training.finder --data DIR --weights FILE --out DIR`` trains on what
:mod:`models.training.finder_data` wrote and leaves ``finder.onnx`` in ``--out``.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.training.finder_data import CLASSES

IMAGE_SIZE = 416


def train_finder(arguments: argparse.Namespace) -> Path:
    """Train and export; returns the path of the ONNX file."""
    pictures = [folder / "train" / "images" for folder in arguments.data]
    measured = arguments.data[0] / "unseen" / "images"
    return train_boxes(arguments, describe_data(pictures, measured, CLASSES))


def train_boxes(arguments: argparse.Namespace, description_of_data: str) -> Path:
    """Train YOLOv8n with oriented boxes on any classes and export it as ``finder.onnx``; returns its path.

    Pictures are never mirrored: a mirrored card is not a card. The drawn cards lie at any turn already.
    """
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    import torch
    from ultralytics import YOLO

    def keep_threads(_: Any) -> None:
        # The library sets its own count at the start of training.
        torch.set_num_threads(arguments.threads)

    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    description = out / "finder.yaml"
    description.write_text(description_of_data)
    model = YOLO("yolov8n-obb.yaml").load(str(arguments.weights))
    model.add_callback("on_train_start", keep_threads)
    model.add_callback("on_train_batch_start", keep_threads)
    model.train(
        data=str(description),
        epochs=arguments.epochs,
        imgsz=IMAGE_SIZE,
        batch=16,
        device="cpu",
        workers=0,
        amp=False,
        plots=False,
        optimizer="AdamW",
        lr0=arguments.learning_rate,
        lrf=0.03,
        cos_lr=True,
        warmup_epochs=0.3,
        mosaic=0.0,
        fliplr=0.0,
        flipud=0.0,
        degrees=0.0,
        translate=0.05,
        scale=0.2,
        hsv_h=0.02,
        val=False,
        save_period=1,
        seed=1,
        project=str(out.resolve()),
        name="training",
        exist_ok=True,
    )
    trained = YOLO(str(out / "training" / "weights" / "last.pt"))
    exported = trained.export(format="onnx", imgsz=640, dynamic=True, opset=17, simplify=True, device="cpu")
    return Path(shutil.copy(exported, out / "finder.onnx"))


def describe_data(pictures: Sequence[Path], measured: Path, classes: Sequence[str]) -> str:
    """The description of the data that ultralytics reads; labels lie in ``labels`` beside each ``images``."""
    folders = "".join(f"  - {folder.absolute()}\n" for folder in pictures)
    names = "".join(f"  {number}: {name}\n" for number, name in enumerate(classes))
    return f"path: /\ntrain:\n{folders}val: {measured.absolute()}\nnames:\n{names}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What both this and the one-stage comparison ask for."""
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        action="append",
        help="what models.training.finder_data or real_photos wrote; may be given more than once",
    )
    parser.add_argument("--weights", type=Path, required=True, help="YOLOv8n weights to start from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--learning-rate", type=float, default=0.0012)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    train_finder(parser.parse_args())


if __name__ == "__main__":
    main()
