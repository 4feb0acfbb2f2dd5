"""Films on disk: H.264 in MP4, with a truth file beside it."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av

from capture.simulator.film import Film, TrueFrame
from capture.simulator.scene import TrueCard
from tracker.events import event_to_json

TRUTH_VERSION: Final = 1

_QUALITY: Final = "22"
"""x264's constant rate factor: sensor noise makes less compression very large."""


def write_film(film: Film, video_path: Path, truth_path: Path | None = None) -> int:
    """Write ``film`` as MP4 and, where asked, its truth as JSON; how many pictures were written.

    The MP4 is H.264 where PyAV has an encoder for it, else MPEG-4 part 2. Until it is whole it has another
    name, so that a film that is broken off leaves nothing behind and spoils nothing that was there.

    Raises:
        OSError: when a file can't be written.
    """
    unfinished = video_path.with_name(f".{video_path.name}.{os.getpid()}")
    try:
        written = _write_pictures(film, unfinished)
        if truth_path is not None:
            truth_path.write_text(json.dumps(truth_as_json(film)), encoding="utf-8")
        unfinished.replace(video_path)
    finally:
        unfinished.unlink(missing_ok=True)
    return written


def _write_pictures(film: Film, path: Path) -> int:
    written = 0
    with av.open(str(path), "w", format="mp4") as container:
        stream = _stream(container, film)
        for frame in film:
            picture = av.VideoFrame.from_ndarray(frame.image, format="bgr24").reformat(format="yuv420p")
            container.mux(stream.encode(picture))
            written += 1
        container.mux(stream.encode())
    return written


def _stream(container: av.container.OutputContainer, film: Film) -> av.VideoStream:
    rate = Fraction(film.frames_per_second).limit_denominator(1001)
    if "libx264" in av.codecs_available:
        stream = container.add_stream("libx264", rate=rate, options={"crf": _QUALITY, "preset": "veryfast"})
    else:
        stream = container.add_stream("mpeg4", rate=rate)
        stream.bit_rate = 12_000_000
    stream.width, stream.height = film.size
    stream.pix_fmt = "yuv420p"
    return stream


def truth_as_json(film: Film) -> dict[str, Any]:
    """The truth of ``film`` as JSON values.

    ``events``: as the tracker tells them. ``frames``: for each picture ``time_s`` and its ``cards``, each
    with ``quad`` (four corners in pixels, clockwise from the card's own top left), ``side``, ``card`` (null
    for a back) and ``visible_share``.
    """
    truth = film.truth
    return {
        "version": TRUTH_VERSION,
        "seed": film.seed,
        "size": list(film.size),
        "frames_per_second": film.frames_per_second,
        "events": [event_to_json(event) for event in truth.events],
        "frames": [_frame_as_json(frame) for frame in truth.frames],
    }


def _frame_as_json(frame: TrueFrame) -> dict[str, Any]:
    return {"time_s": round(frame.time_s, 4), "cards": [_card_as_json(card) for card in frame.cards]}


def _card_as_json(card: TrueCard) -> dict[str, Any]:
    return {
        "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in card.quad],
        "side": card.side,
        "card": card.code,
        "visible_share": round(card.visible_share, 3),
    }
