"""The files of a recording: what they are called, what they hold, and how long they are kept.

    <recordings>/<epoch>/<UTC of its first picture>_<the same on the source's clock, in ms>.mp4

The name alone tells where a segment belongs in time, so nothing has to be written when one ends: a table that
is killed leaves nothing unfinished but the last picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

LONGEST_SEGMENT_S: Final = 60.0
"""How long a segment grows before the next is begun: what is lost when one is damaged, or thrown away."""

_NAME: Final = re.compile(r"(\d{8}T\d{6})(\d{3})Z_(-?\d+)\.mp4")
_MEDIA_FOLDERS: Final = ("crop", "clip")


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """One file: from when it runs, in UTC and in seconds on the source's own clock, and in which epoch."""

    first_utc: datetime
    first_s: float
    epoch: str
    path: Path


def segment_path(recordings: Path, epoch: str, first_utc: datetime, first_s: float) -> Path:
    """Where a segment that begins then goes."""
    utc = first_utc.astimezone(UTC)
    return (
        recordings / epoch / f"{utc:%Y%m%dT%H%M%S}{utc.microsecond // 1000:03d}Z_{round(first_s * 1000)}.mp4"
    )


def segments_in(recordings: Path, epoch: str | None = None) -> tuple[Segment, ...]:
    """The segments of one epoch, or of all, in order of time; other files are passed over."""
    folders = [recordings / epoch] if epoch is not None else _folders(recordings)
    found = [segment for folder in folders for path in _files(folder) if (segment := _segment_of(path))]
    return tuple(sorted(found))


def _segment_of(path: Path) -> Segment | None:
    match = _NAME.fullmatch(path.name)
    if match is None:
        return None
    second, millisecond, first_ms = match.groups()
    first_utc = datetime.strptime(second, "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    first_utc += timedelta(milliseconds=int(millisecond))
    return Segment(first_utc, int(first_ms) / 1000, path.parent.name, path)


@dataclass(frozen=True, slots=True)
class KeepingRules:
    """How long recordings are kept: at most ``days``, and no more than ``most_bytes`` in all."""

    days: float = 14.0
    most_bytes: int = 20_000_000_000


def clear_old(recordings: Path, rules: KeepingRules, now: datetime) -> int:
    """Throw away what is too old, then the oldest of what is too much; gives how many files went.

    What still has to be sent to the venue stays. Call it between segments: it knows of none being written.
    """
    files = sorted(_kept_files(recordings), key=lambda file: file[1])
    total = sum(size for _, _, size in files)
    oldest = (now - timedelta(days=rules.days)).timestamp()
    gone = 0
    for path, written, size in files:
        if written >= oldest and total <= rules.most_bytes:
            break
        path.unlink(missing_ok=True)
        total -= size
        gone += 1
    for folder in _folders(recordings):
        if folder.name not in _MEDIA_FOLDERS and not any(folder.iterdir()):
            folder.rmdir()
    return gone


def _kept_files(recordings: Path) -> Iterator[tuple[Path, float, int]]:
    """Each file that may go, with when it was written (seconds since 1970) and how many bytes it has."""
    for folder in _folders(recordings):
        if folder.name == WAITING_FOLDER:
            continue
        for path in _files(folder):
            state = path.stat()
            yield path, state.st_mtime, state.st_size


WAITING_FOLDER: Final = "wacht"
"""Where pictures and clips wait for the venue."""


def _folders(recordings: Path) -> list[Path]:
    return [path for path in recordings.iterdir() if path.is_dir()] if recordings.is_dir() else []


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []
