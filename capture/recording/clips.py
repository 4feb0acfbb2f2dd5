"""Clips cut from the segments of a recording, without coding a picture again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Final

import av

from capture.errors import RecordingError
from capture.recording.segments import Segment, segments_in

BEFORE_S: Final = 10.0
"""How long before an event its clip begins."""

AFTER_S: Final = 3.0
"""How long after it the clip goes on."""

EARLIEST_S: Final = 1.0
"""A whole picture longer than this before a clip belongs to what came before a gap in the recording."""

_Timed = tuple["av.Packet[av.VideoStream]", float]
"""A coded picture and its time on the source's clock."""

_TICKS: Final = 90_000


@dataclass(frozen=True, slots=True)
class ClipMade:
    """What a clip holds: seconds on the source's own clock, and how many pictures."""

    from_s: float
    to_s: float
    pictures: int


def cut_clip(recordings: Path, epoch: str, from_s: float, to_s: float, output: Path) -> ClipMade:
    """Write what was seen from ``from_s`` to ``to_s``, seconds on the source's own clock, to ``output``.

    The clip begins with the whole picture before ``from_s``, at most half a second early. It plays in a
    browser from its first bytes on. What is being recorded at the moment can be cut from as well.

    Raises:
        RecordingError: when nothing was recorded then, or the recording or ``output`` cannot be used.
    """
    segments = _that_hold(segments_in(recordings, epoch), from_s, to_s)
    if not segments:
        raise _nothing_then()
    unfinished = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        made = _copy(segments, from_s, to_s, unfinished)
        if made is None:
            raise _nothing_then()
        unfinished.replace(output)
    except (OSError, av.FFmpegError) as error:
        raise RecordingError(
            f"De clip {output} kan niet worden gemaakt. Controleer schijfruimte en rechten.",
            f"cannot make the clip ({error.strerror or error}). Check disk space and rights.",
        ) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return made


def _nothing_then() -> RecordingError:
    return RecordingError(
        "Van dat moment is er geen opname (meer). Kijk met klaveroog clip --list wat er is.",
        "there is no recording of that moment (any more). See what there is with klaveroog clip --list.",
    )


def _that_hold(segments: tuple[Segment, ...], from_s: float, to_s: float) -> list[Segment]:
    """The segments that may hold something of it; each ends before the next begins."""
    ends = [*(after.first_s for _, after in pairwise(segments)), float("inf")][: len(segments)]
    # Where a source began anew, times go back, and a segment ends before it began: then its end isn't known.
    return [
        segment
        for segment, end_s in zip(segments, ends, strict=True)
        if segment.first_s <= to_s and (end_s >= from_s or end_s < segment.first_s)
    ]


def _copy(segments: list[Segment], from_s: float, to_s: float, output: Path) -> ClipMade | None:
    began_s: float | None = None
    last_s, pictures = from_s, 0
    with av.open(str(output), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream: av.VideoStream | None = None
        for segment in segments:
            with av.open(str(segment.path)) as recorded:
                source = recorded.streams.video[0]
                if stream is None:
                    stream = container.add_stream_from_template(source)
                for packet, time_s in _packets(recorded, source, segment, from_s, to_s):
                    if began_s is None:
                        began_s = time_s
                    elif time_s <= last_s:
                        continue
                    tick = round((time_s - began_s) * _TICKS)
                    packet.pts = packet.dts = tick
                    packet.time_base = Fraction(1, _TICKS)
                    packet.stream = stream
                    container.mux(packet)
                    last_s, pictures = time_s, pictures + 1
    return None if began_s is None else ClipMade(began_s, last_s, pictures)


def _packets(
    recorded: av.container.InputContainer,
    stream: av.VideoStream,
    segment: Segment,
    from_s: float,
    to_s: float,
) -> Iterator[_Timed]:
    """Packets from the whole picture at or before ``from_s`` to ``to_s``, each with its time."""
    waiting: list[_Timed] = []
    packets = recorded.demux(stream)
    while True:
        try:
            packet = next(packets, None)
        except av.FFmpegError:
            # The end of a segment that is still being written, or was when its table was killed.
            break
        if packet is None or packet.pts is None or packet.time_base is None:
            break
        time_s = segment.first_s + float(packet.pts * packet.time_base)
        if time_s > to_s:
            break
        if time_s < from_s:
            waiting = [] if packet.is_keyframe else waiting
            waiting.append((packet, time_s))
            continue
        yield from waiting
        waiting = []
        yield packet, time_s
    if waiting and waiting[-1][1] >= from_s - EARLIEST_S:
        yield from waiting
