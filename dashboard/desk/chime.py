"""The sound of a new alert, made from two tones: ``python -m dashboard.desk.chime`` writes the file again."""

from __future__ import annotations

import math
import wave
from pathlib import Path
from typing import Final

_RATE_HZ: Final = 11_025
_TONES_HZ: Final = (880.0, 1174.7)
_TONE_S: Final = 0.32
FILE: Final = Path(__file__).parents[1] / "static" / "melding.wav"


def samples() -> bytes:
    """Two soft tones, one after the other, as 8-bit unsigned samples."""
    count = int(_RATE_HZ * _TONE_S)
    return bytes(
        round(128 + 100 * math.exp(-5 * place / count) * math.sin(2 * math.pi * tone * place / _RATE_HZ))
        for tone in _TONES_HZ
        for place in range(count)
    )


def main() -> None:
    """Write the file."""
    with wave.open(str(FILE), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(_RATE_HZ)
        file.writeframes(samples())


if __name__ == "__main__":
    main()
