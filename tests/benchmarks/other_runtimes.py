"""The finder in eight bits and under OpenVINO, beside the one in use: time of a look, and what is found.

    python -m tests.benchmarks.other_runtimes ../shared

makes the eight-bit finder from the one in use (static, set on drawn stills), times both by turns on one
thread, and measures it on the real photos. Needs ``onnx`` (the extra ``train``); OpenVINO is timed where it
is installed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime

from capture.simulator import random_still
from capture.simulator.decks import own_deck
from detector.card_detector import CardDetector
from detector.finder import picture_blob
from detector.model_files import default_models_folder, find_model, open_model
from detector.types import FloatArray
from models.training.evaluate_photos import evaluate_set
from models.training.labelled_photos import VALIDATION_SETS
from models.training.tally import report

SHAPES: Final = ((384, 640), (192, 320), (160, 160))
"""Height and width: a whole picture, the second look at it, and a part in which something moved."""

_STILLS: Final = 48
_TURNS: Final = 40

Look = Callable[[FloatArray], object]


def eight_bits(output: Path) -> Path:
    """The finder in use with weights and activations of its convolutions in eight bits."""
    quantization = import_module("onnxruntime.quantization")
    prepare = import_module("onnxruntime.quantization.shape_inference").quant_pre_process
    prepared = output / "prepared.onnx"
    prepare(str(find_model("finder").path), str(prepared), skip_symbolic_shape=True)
    name = onnxruntime.InferenceSession(str(prepared)).get_inputs()[0].name
    generator, decks = np.random.default_rng(5), (own_deck(),)
    stills = iter(
        [{name: picture_blob(random_still(generator, decks).image, 640)[0]} for _ in range(_STILLS)]
    )
    reader = type("Stills", (quantization.CalibrationDataReader,), {"get_next": lambda _: next(stills, None)})
    quantization.quantize_static(
        str(prepared),
        str(output / "finder.onnx"),
        reader(),
        quant_format=quantization.QuantFormat.QDQ,
        per_channel=True,
        activation_type=quantization.QuantType.QUInt8,
        weight_type=quantization.QuantType.QInt8,
        op_types_to_quantize=["Conv"],
    )
    return output / "finder.onnx"


def looks(small: Path) -> dict[str, Look]:
    """What is compared, each on one thread."""
    used = find_model("finder")
    session = open_model(used, threads=1)
    name = session.get_inputs()[0].name
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    other = onnxruntime.InferenceSession(str(small), options, providers=["CPUExecutionProvider"])
    found: dict[str, Look] = {
        "onnxruntime, as in use": lambda blob: session.run(None, {name: blob}),
        "onnxruntime, eight bits": lambda blob: other.run(None, {name: blob}),
    }
    try:
        openvino = import_module("openvino")
    except ModuleNotFoundError:
        return found
    for label, path in (("OpenVINO", used.path), ("OpenVINO, eight bits", small)):
        request = _openvino(openvino, path)
        found[label] = lambda blob, request=request: request.infer({0: blob})  # type: ignore[misc]
    return found


def _openvino(openvino: Any, path: Path) -> Any:
    settings = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY"}
    return openvino.Core().compile_model(str(path), "CPU", settings).create_infer_request()


def milliseconds(compared: Mapping[str, Look], shape: tuple[int, int]) -> dict[str, float]:
    """The median time of a look at a picture of ``shape``; all by turns."""
    blob = np.random.default_rng(1).random((1, 3, *shape), dtype=np.float32)
    times: dict[str, list[float]] = {label: [] for label in compared}
    for _ in range(_TURNS):
        for label, look in compared.items():
            began = time.perf_counter()
            look(blob)
            times[label].append(time.perf_counter() - began)
    return {label: 1000 * median(taken[3:]) for label, taken in times.items()}


def models_with(small: Path, folder: Path) -> Path:
    """A folder of models with the eight-bit finder in the place of the one in use."""
    shutil.copytree(
        default_models_folder(), folder, ignore=shutil.ignore_patterns("training", "*.py", "*.md")
    )
    shutil.copy(small, folder / "finder.onnx")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["models"]["finder"]["sha256"] = hashlib.sha256(small.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def main() -> None:
    """Print both tables."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as name:
        small = eight_bits(Path(name))
        compared = looks(small)
        for shape in SHAPES:
            told = ", ".join(
                f"{label} {taken:.1f} ms" for label, taken in milliseconds(compared, shape).items()
            )
            print(f"{shape[1]} x {shape[0]}: {told}")  # noqa: T201  a benchmark is read by people
        if len(sys.argv) > 1:
            detector = CardDetector.load(models_with(small, Path(name) / "models"))
            for each in VALIDATION_SETS:
                print(report(each, evaluate_set(detector, Path(sys.argv[1]) / "photos", each)))  # noqa: T201


if __name__ == "__main__":
    main()
