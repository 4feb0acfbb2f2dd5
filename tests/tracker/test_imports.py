"""The dashboard lives on tracker.events alone: no numpy, no detector comes with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import tracker.events

ROOT = Path(__file__).resolve().parents[2]


def test_events_come_without_numpy_and_without_the_detector() -> None:
    program = (
        "import sys; import tracker.events; "
        "print(sorted({'numpy', 'scipy', 'cv2', 'detector'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_names_of_the_package_are_sorted_and_all_there() -> None:
    assert list(tracker.events.__all__) == sorted(
        tracker.events.__all__, key=lambda name: (name != name.upper(), name[0].islower(), name)
    )
    assert all(hasattr(tracker.events, name) for name in tracker.events.__all__)
