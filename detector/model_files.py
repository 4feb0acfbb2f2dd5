"""The model files: found, checked against their checksums, opened for onnxruntime.

``models/manifest.json`` lists each file with its SHA-256 and the numbers that belong to it (sizes, margin,
temperature), so that weights and settings can't drift apart.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import onnxruntime

from detector.errors import ModelError

_REMEDY_DUTCH = "Installeer klaveroog opnieuw"
_REMEDY = "install klaveroog again, or make the models with `make train`"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One model: where it is and the settings that belong to it."""

    path: Path
    sha256: str
    settings: dict[str, Any]


def default_models_folder() -> Path:
    """The folder of the models that come with this version."""
    return Path(str(files("models")))


def find_model(name: str, folder: Path | None = None) -> ModelFile:
    """Look a model up in the manifest by its name (``finder`` or ``namer``).

    Raises:
        ModelError: when the manifest is missing, unreadable or does not list the model.
    """
    folder = folder or default_models_folder()
    manifest_path = folder / "manifest.json"
    try:
        manifest = json.loads(manifest_path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _model_error(
            f"In {folder} staan geen modellen (manifest.json ontbreekt)", "manifest.json is missing"
        ) from None
    except (OSError, ValueError) as error:
        raise _model_error(
            f"De lijst van modellen {manifest_path} is niet leesbaar",
            f"the list of models cannot be read ({error})",
        ) from None
    try:
        entry = manifest["models"][name]
        return ModelFile(folder / entry["file"], entry["sha256"], dict(entry["settings"]))
    except (KeyError, TypeError):
        raise _model_error(
            f"{manifest_path} beschrijft het model {name!r} niet", "it does not describe the model"
        ) from None


def open_model(model: ModelFile, threads: int) -> onnxruntime.InferenceSession:
    """Check a model's checksum and open it on the CPU with ``threads`` threads.

    Spinning is off: a waiting thread would take a core from the other tables.

    Raises:
        ModelError: when the file is missing, differs from its checksum, or is not a model.
    """
    try:
        content = model.path.read_bytes()
    except OSError as error:
        raise _model_error(
            f"Het model {model.path} is niet leesbaar", f"the model cannot be read ({error.strerror})"
        ) from None
    found = hashlib.sha256(content).hexdigest()
    if found != model.sha256:
        raise _model_error(
            f"Het model {model.path} is beschadigd of een ander",
            f"the model is damaged or another one (checksum {found[:12]}…, expected {model.sha256[:12]}…)",
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except (RuntimeError, ValueError, onnxruntime.capi.onnxruntime_pybind11_state.InvalidProtobuf) as error:
        raise _model_error(
            f"Het model {model.path} kan niet worden geopend", f"the model cannot be opened ({error})"
        ) from None


def require_outputs(
    session: onnxruntime.InferenceSession, model: ModelFile, axis: int, expected: int
) -> None:
    """Check that a model gives as many numbers on an axis of its answer as this version reads.

    Raises:
        ModelError: when it was made for another version.
    """
    found = session.get_outputs()[0].shape[axis]
    if found != expected:
        raise _model_error(
            f"Het model {model.path} hoort bij een andere versie",
            f"the model belongs to another version (it gives {found} numbers, {expected} are needed)",
        )


def _model_error(dutch: str, english: str) -> ModelError:
    return ModelError(f"{dutch}. {_REMEDY_DUTCH}. / {english}; {_REMEDY}")
