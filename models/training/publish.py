"""Puts trained models into ``models/`` with their checksums and settings.

``python -m models.training.publish --finder FILE --corners FILE --namer FILE`` copies the ONNX files and
writes ``manifest.json``, which the detector checks each time that it opens a model.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, Final

from detector.model_files import default_models_folder
from models.training.corner_data import CORNER_CROP, CORNER_MARGIN
from models.training.namer import TEMPERATURE_FILE
from models.training.namer_data import CROP_MARGIN, CROP_SIZE

_FINDER_SETTINGS: Final = {"long_side": 640, "coarse_side": 320, "min_score": 0.25, "max_overlap": 0.7}
"""How the finder looks: pixels of the two looks, the least score, and what counts as one card seen twice."""

_CORNER_ROUNDS: Final = 2
"""How often the corners of a card are set right: the second time starts nearer."""


def publish(finder: Path, corners: Path, namer: Path, folder: Path, temperature: float) -> None:
    """Copy the models into ``folder`` and describe them there."""
    settings: dict[str, tuple[Path, dict[str, Any]]] = {
        "finder": (finder, _FINDER_SETTINGS),
        "corners": (
            corners,
            {
                "width": CORNER_CROP[0],
                "height": CORNER_CROP[1],
                "margin": CORNER_MARGIN,
                "rounds": _CORNER_ROUNDS,
            },
        ),
        "namer": (
            namer,
            {
                "width": CROP_SIZE[0],
                "height": CROP_SIZE[1],
                "margin": CROP_MARGIN,
                "temperature": temperature,
            },
        ),
    }
    folder.mkdir(parents=True, exist_ok=True)
    models = {}
    for name, (source, values) in settings.items():
        target = folder / f"{name}.onnx"
        if source.resolve() != target.resolve():
            shutil.copy(source, target)
        digest = hashlib.sha256(target.read_bytes()).hexdigest()
        models[name] = {"file": target.name, "sha256": digest, "settings": values}
    (folder / "manifest.json").write_text(json.dumps({"models": models}, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--finder", type=Path, required=True)
    parser.add_argument("--corners", type=Path, required=True)
    parser.add_argument("--namer", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=default_models_folder())
    arguments = parser.parse_args()
    temperature = float((arguments.namer.parent / TEMPERATURE_FILE).read_text(encoding="utf-8"))
    publish(arguments.finder, arguments.corners, arguments.namer, arguments.out, temperature)


if __name__ == "__main__":
    main()
