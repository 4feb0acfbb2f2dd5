"""``klaveroog clip``: a piece of what a table's camera recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from capture.errors import RecordingError, SettingsError
from capture.recording import cut_clip, segments_in
from capture.table_process import default_recordings


def clip(
    table: Annotated[str, typer.Option(help="naam van de tafel")] = "1",
    recordings: Annotated[Path | None, typer.Option(help="map met opnamen, als het een andere is")] = None,
    listed: Annotated[bool, typer.Option("--list", help="toon wat er is, en stop")] = False,
    epoch: Annotated[str | None, typer.Option(help="van welke keer; anders van de laatste")] = None,
    from_s: Annotated[float | None, typer.Option("--from", help="begin, op de klok van de bron (s)")] = None,
    to_s: Annotated[float | None, typer.Option("--to", help="einde, op de klok van de bron (s)")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="de clip")] = Path("clip.mp4"),
) -> None:
    """Knip een stuk uit de opname van een tafel. / Cut a piece from a table's recording.

    De tijden zijn die van "video" in de gebeurtenissen van dezelfde keer.
    """
    folder = recordings or default_recordings(table)
    segments = segments_in(folder)
    if not segments:
        raise RecordingError(
            f"In {folder} staan geen opnamen. Kies met --table of --recordings een andere tafel of map.",
            "there are no recordings. Choose another with --table or --recordings.",
        )
    if listed:
        for segment in segments:
            typer.echo(f"{segment.epoch}  {segment.first_utc:%Y-%m-%d %H:%M:%S} UTC  {segment.first_s:.3f} s")
        return
    if from_s is None or to_s is None or not from_s < to_s:
        raise SettingsError(
            "Zeg met --from en --to van wanneer tot wanneer; met --list ziet u wat er is.",
            "say with --from and --to from when to when; --list shows what there is.",
        )
    if not output.absolute().parent.is_dir():
        raise RecordingError(
            f"De map van {output} bestaat niet. Kies met -o een andere plek.",
            "there is no such folder. Choose another with -o.",
        )
    made = cut_clip(folder, epoch or segments[-1].epoch, from_s, to_s, output)
    typer.echo(f"{output}: {made.pictures} beelden / pictures, {made.from_s:.3f} s - {made.to_s:.3f} s")
