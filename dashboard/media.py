"""What cards and moments looked like: crops and clips that tables send, as files in a folder of the venue.

A file is found by its table, its kind and its id only; no part of a path ever comes from a browser unchecked.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, Final

from dashboard.errors import MalformedRequestError, MediaRefusedError

MEDIA_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,79}", re.ASCII)
LONGEST_CLIP_S: Final = 180.0
_TABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", re.ASCII)
_CHUNK_BYTES: Final = 65_536
_MOST_WANTED: Final = 50
_KEEP_FREE_BYTES: Final = 1_000_000_000
"""A disk with less than this is for events; pictures have to wait."""


class MediaKind(Enum):
    """What can be sent."""

    CROP = "crop"
    CLIP = "clip"

    @property
    def content_type(self) -> str:
        """What it must be."""
        return "image/webp" if self is MediaKind.CROP else "video/mp4"

    @property
    def maximum_bytes(self) -> int:
        """How large it may be."""
        return 200_000 if self is MediaKind.CROP else 64_000_000

    @property
    def suffix(self) -> str:
        """How its file ends."""
        return ".webp" if self is MediaKind.CROP else ".mp4"

    def is_in(self, beginning: bytes) -> bool:
        """Whether the first bytes of a file are of this kind."""
        if self is MediaKind.CROP:
            return beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP"
        return beginning[4:8] == b"ftyp"


@dataclass(frozen=True, slots=True)
class WantedClip:
    """A clip that a table is asked for; times in seconds on the source's own clock."""

    id: str
    from_s: float
    to_s: float


class MediaShelf:
    """The crops and clips of a venue under ``folder``, and the clips that tables are still asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._wanted: dict[str, dict[str, WantedClip]] = {}
        self._withdrawn: dict[str, set[str]] = {}

    def put(self, table: str, kind: MediaKind, media_id: str, content: IO[bytes]) -> bool:
        """Keep what ``content`` gives, whole or not at all; False when it was here already.

        Raises:
            MalformedRequestError: for an id that is none.
            MediaRefusedError: when it is too large (413), of another kind (415), or the disk is full (507).
        """
        path = self._path(table, kind, media_id)
        if path.exists():
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(path.parent).free < _KEEP_FREE_BYTES:
            raise MediaRefusedError("the venue's disk is nearly full", 507)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            part = Path(file.name)
            try:
                _copy(content, file, kind)
                part.rename(path)
            finally:
                part.unlink(missing_ok=True)
        if kind is MediaKind.CLIP:
            self._forget(table, media_id)
        return True

    def find(self, table: str, kind: MediaKind, media_id: str) -> Path | None:
        """The file; None when there is none.

        Raises:
            MalformedRequestError: for an id that is none.
        """
        path = self._path(table, kind, media_id)
        return path if path.is_file() else None

    def want(self, table: str, clip: WantedClip) -> None:
        """Ask a table for a clip at its next status; one that is here, or cannot be had, is not asked for.

        The id must begin with the epoch whose clock the times are of. A request does not survive a restart
        of the venue: whoever looks asks again.

        Raises:
            MalformedRequestError: for an id that is none, or a clip that is too long.
        """
        if not 0 <= clip.to_s - clip.from_s <= LONGEST_CLIP_S:
            raise MalformedRequestError(f"a clip lasts at most {LONGEST_CLIP_S:.0f} seconds")
        if self.find(table, MediaKind.CLIP, clip.id) is not None:
            return
        with self._lock:
            wanted = self._wanted.setdefault(table, {})
            if clip.id not in self._withdrawn.get(table, ()) and len(wanted) < _MOST_WANTED:
                wanted[clip.id] = clip

    def wanted(self, table: str) -> tuple[WantedClip, ...]:
        """The clips that a table is asked for."""
        with self._lock:
            return tuple(self._wanted.get(table, {}).values())

    def withdraw(self, table: str, media_id: str) -> None:
        """A table says that a clip cannot be had."""
        self._path(table, MediaKind.CLIP, media_id)
        with self._lock:
            if self._wanted.get(table, {}).pop(media_id, None) is not None:
                self._withdrawn.setdefault(table, set()).add(media_id)

    def is_withdrawn(self, table: str, media_id: str) -> bool:
        """Whether a table said that this clip cannot be had."""
        with self._lock:
            return media_id in self._withdrawn.get(table, ())

    def counts(self, table: str) -> Mapping[MediaKind, int]:
        """How many of each kind there are of a table."""
        folder = self._folder / _checked(_TABLE, table, "table")
        return {kind: len(list(folder.glob(f"{kind.value}/*{kind.suffix}"))) for kind in MediaKind}

    def _forget(self, table: str, media_id: str) -> None:
        with self._lock:
            self._wanted.get(table, {}).pop(media_id, None)

    def _path(self, table: str, kind: MediaKind, media_id: str) -> Path:
        name = _checked(MEDIA_ID, media_id, "id") + kind.suffix
        return self._folder / _checked(_TABLE, table, "table") / kind.value / name


def _checked(pattern: re.Pattern[str], text: str, what: str) -> str:
    if not pattern.fullmatch(text):
        raise MalformedRequestError(f"{text[:40]!r} is no {what}: letters, figures and hyphens only")
    return text


def _copy(content: IO[bytes], file: IO[bytes], kind: MediaKind) -> None:
    """Write all of ``content`` to the disk, as long as it is what it must be."""
    size = 0
    while chunk := content.read(_CHUNK_BYTES):
        if size == 0 and not kind.is_in(chunk):
            raise MediaRefusedError(f"this is no {kind.content_type}", 415)
        size += len(chunk)
        if size > kind.maximum_bytes:
            raise MediaRefusedError(f"a {kind.value} is at most {kind.maximum_bytes} bytes", 413)
        file.write(chunk)
    if size == 0:
        raise MediaRefusedError("there is nothing in it", 415)
    file.flush()
    os.fsync(file.fileno())
