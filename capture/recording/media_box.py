"""Pictures and clips on disk: those that wait for the venue, and those that it has.

    <recordings>/wacht/<kind>/<id>.<suffix>      waits
    <recordings>/<kind>/<id>.<suffix>            kept, as long as the recording itself

A file is either wholly there or not at all, and moves from the one place to the other: what a killed table
had not sent yet goes along the next time.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from capture.errors import RecordingError
from capture.recording.segments import WAITING_FOLDER

SUFFIXES: Final = {"crop": ".webp", "clip": ".mp4"}
"""The kinds of media, and what their files end in."""

CONTENT_TYPES: Final = {"crop": "image/webp", "clip": "video/mp4"}


@dataclass(frozen=True, slots=True)
class Medium:
    """One picture or clip on disk."""

    kind: str
    identifier: str
    path: Path

    @property
    def content_type(self) -> str:
        """As HTTP names it."""
        return CONTENT_TYPES[self.kind]


class MediaBox:
    """The media of one table. has_venue: whether new ones must be sent somewhere."""

    def __init__(self, recordings: Path, has_venue: bool) -> None:
        self._recordings = recordings
        self._has_venue = has_venue

    def new_path(self, kind: str, identifier: str) -> Path:
        """Where to make a new one; its folder is there.

        Raises:
            RecordingError: when the disk takes nothing.
        """
        path = self._waiting(kind, identifier) if self._has_venue else self._kept(kind, identifier)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(path, error) from error
        return path

    def write(self, kind: str, identifier: str, content: bytes) -> None:
        """Keep ``content``, and let it wait for the venue where there is one.

        Raises:
            RecordingError: when the disk is full or gone.
        """
        path = self.new_path(kind, identifier)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(path)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise cannot_write(path, error) from error

    def waiting(self) -> tuple[Medium, ...]:
        """What the venue does not have yet, crops first and then the oldest first."""
        found = [
            Medium(kind, path.stem, path)
            for kind, suffix in SUFFIXES.items()
            for path in sorted(self._waiting(kind, "").parent.glob(f"*{suffix}"))
            if not path.name.startswith(".")
        ]
        return tuple(found)

    def done(self, medium: Medium) -> None:
        """The venue has it, or will never take it."""
        kept = self._kept(medium.kind, medium.identifier)
        kept.parent.mkdir(parents=True, exist_ok=True)
        medium.path.replace(kept)

    def send_again(self, kind: str, identifier: str) -> bool:
        """Let one that is kept wait for the venue once more; False when it is not there."""
        kept = self._kept(kind, identifier)
        if self._waiting(kind, identifier).exists():
            return True
        if not kept.exists():
            return False
        kept.replace(self.new_path(kind, identifier))
        return True

    def _waiting(self, kind: str, identifier: str) -> Path:
        return self._recordings / WAITING_FOLDER / kind / f"{identifier}{SUFFIXES[kind]}"

    def _kept(self, kind: str, identifier: str) -> Path:
        return self._recordings / kind / f"{identifier}{SUFFIXES[kind]}"


def cannot_write(path: Path, error: OSError) -> RecordingError:
    """The error that says that ``path`` cannot be written."""
    return RecordingError(
        f"{path} kan niet worden geschreven. Maak ruimte of kies een andere map voor de opnamen.",
        f"cannot write it ({error.strerror or error}). Free some space or choose another folder.",
    )
