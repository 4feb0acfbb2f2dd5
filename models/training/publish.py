"""Puts trained models into ``models/`` with their checksums and settings.

``python -m models.training.publish --finder FILE --corners FILE --namer FILE --flaws FILE`` copies the ONNX
files and writes ``manifest.json``, which the detector checks each time that it opens a model. A model that is
not named stays the one that comes with this version.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, Final

from detector.model_files import default_models_folder, find_model
from models.training.corner_data import CORNER_CROP, CORNER_MARGIN
from models.training.namer import TEMPERATURE_FILE
from models.training.namer_data import CROP_MARGIN, CROP_SIZE

MODELS: Final = ("finder", "corners", "namer", "flaws")

_FINDER_SETTINGS: Final = {"long_side": 640, "coarse_side": 320, "min_score": 0.25, "max_overlap": 0.7}
"""How the finder looks: pixels of the two looks, the least score, and what counts as one card seen twice."""

_CORNER_ROUNDS: Final = 2
"""How often the corners of a card are set right: the second time starts nearer."""


def publish(trained: dict[str, Path], folder: Path) -> None:
    """Copy the models into ``folder`` and describe them there; ``trained`` by the names in :data:`MODELS`."""
    folder.mkdir(parents=True, exist_ok=True)
    models = {}
    for name in MODELS:
        source, values = (
            _published(name) if name not in trained else (trained[name], _settings(name, trained))
        )
        target = folder / f"{name}.onnx"
        if source.resolve() != target.resolve():
            shutil.copy(source, target)
        digest = hashlib.sha256(target.read_bytes()).hexdigest()
        models[name] = {"file": target.name, "sha256": digest, "settings": values}
    (folder / "manifest.json").write_text(json.dumps({"models": models}, indent=2) + "\n", encoding="utf-8")


def _published(name: str) -> tuple[Path, dict[str, Any]]:
    model = find_model(name)
    return model.path, model.settings


def _settings(name: str, trained: dict[str, Path]) -> dict[str, Any]:
    """What the detector must know of a model that was just trained."""
    if name == "finder":
        return dict(_FINDER_SETTINGS)
    if name == "corners":
        width, height = CORNER_CROP
        return {"width": width, "height": height, "margin": CORNER_MARGIN, "rounds": _CORNER_ROUNDS}
    if name == "namer":
        width, height = CROP_SIZE
        temperature = float((trained[name].parent / TEMPERATURE_FILE).read_text(encoding="utf-8"))
        return {"width": width, "height": height, "margin": CROP_MARGIN, "temperature": temperature}
    return {}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in MODELS:
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--out", type=Path, default=default_models_folder())
    given = vars(parser.parse_args())
    publish({name: given[name] for name in MODELS if given[name] is not None}, given["out"])


if __name__ == "__main__":
    main()
