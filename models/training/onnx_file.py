"""A trained network as ONNX. Needs the extra ``train``."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def write_onnx(network: Any, path: Path, shape: tuple[int, int, int], names: tuple[str, str, str]) -> None:
    """Write ``network`` for any number of inputs of ``shape`` (channels, height, width) at a time.

    names: of the input, of the output, and of the axis along which there can be any number.
    """
    import torch

    given, answer, axis = names
    torch.onnx.export(
        network.eval().float().to(memory_format=torch.contiguous_format),
        (torch.zeros(2, *shape),),
        str(path),
        input_names=[given],
        output_names=[answer],
        dynamic_axes={given: {0: axis}, answer: {0: axis}},
        opset_version=17,
        dynamo=False,
    )
