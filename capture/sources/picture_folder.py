"""A folder of pictures, shown one after another as if they were a film."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from capture.errors import PictureError, SourceDamagedError, SourceMissingError, SourceUnreadableError
from capture.frame import Frame
from capture.pictures import PICTURE_SUFFIXES, read_picture
from capture.sources.source import Source


class PictureFolder(Source):
    """The pictures of a folder in the order of their names, in which ``2`` comes before ``10``.

    frames_per_second: how far apart in time the pictures are taken to be.

    Raises:
        SourceMissingError: when there is no such folder.
        SourceUnreadableError: when it holds no pictures.
    """

    def __init__(self, folder: Path, frames_per_second: float = 10.0) -> None:
        self._folder = folder
        self._frames_per_second = frames_per_second
        self._paths = _pictures_in(folder)
        self._started_utc = datetime.fromtimestamp(self._paths[0].stat().st_mtime, UTC)
        self._position = 0
        self._broken: list[Path] = []

    def describe(self) -> str:
        """The folder, how many pictures it holds, and how fast they are shown."""
        return f"{self._folder} ({len(self._paths)} pictures, {self._frames_per_second:g} fps)"

    def read(self) -> Frame | None:
        """The next picture that can be read; a broken one leaves a gap in ``sequence``.

        Raises:
            SourceDamagedError: after the last picture, when some were broken.
        """
        while self._position < len(self._paths):
            sequence = self._position
            self._position += 1
            try:
                image = read_picture(self._paths[sequence])
            except PictureError:
                self._broken.append(self._paths[sequence])
                continue
            time_s = sequence / self._frames_per_second
            return Frame(image, time_s, self._started_utc + timedelta(seconds=time_s), sequence)
        self._complain_of_broken()
        return None

    def _complain_of_broken(self) -> None:
        if self._broken:
            count, first = len(self._broken), self._broken[0].name
            raise SourceDamagedError(
                f"In {self._folder} konden {count} van {len(self._paths)} foto's niet worden gelezen, "
                f"de eerste is {first}. De andere zijn verwerkt.",
                f"{count} of {len(self._paths)} pictures could not be read, the first is {first}. "
                "The others were processed.",
            )


def _pictures_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SourceMissingError(
            f"Er is geen map {folder}. Controleer de naam.",
            "there is no such folder. Check its name.",
        )
    paths = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
    if not paths:
        raise SourceUnreadableError(
            f"In {folder} staan geen foto's. Zet er .jpg- of .png-bestanden in.",
            "the folder holds no pictures. Put .jpg or .png files in it.",
        )
    return sorted(paths, key=lambda path: _natural_order(path.name))


def _natural_order(name: str) -> list[tuple[int, int, str]]:
    """A sorting key in which numbers count as numbers."""
    parts = re.split(r"([0-9]+)", name)
    return [(1, int(part), "") if part.isdecimal() else (0, 0, part.lower()) for part in parts]
