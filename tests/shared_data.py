"""Where the tests find the texts, photos and facts that are not part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_path(name: str) -> Path:
    """The path of ``name`` in the shared data, or skip the test where it is not there.

    The folder is named by the environment variable KLAVEROOG_SHARED, else it is ``../shared``.
    """
    default = Path(__file__).resolve().parents[2] / "shared"
    path = Path(os.environ.get("KLAVEROOG_SHARED", default)) / name
    if not path.exists():
        pytest.skip(f"the shared data has no {name} here (looked at {path})")
    return path
