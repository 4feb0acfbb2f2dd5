"""``klaveroog calibrate`` and ``klaveroog calibration-sheet``: setting up a camera."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from capture.command_line.table import stopped_by_signals
from capture.errors import CalibrationError, SettingsError, SourceError, SourceUnreadableError
from capture.settings import load_table_config
from capture.sources import Source, SupervisedSource, open_source
from capture.sources.camera_mode import CameraMode
from rules import CLOCKWISE, parse_seat

if TYPE_CHECKING:
    from capture.calibration import Calibration
    from capture.calibration.page import CalibrationDesk, Look
    from detector.types import Image

LOOK_EACH_S: Final = 1.0
"""How often the picture is judged."""

WARM_UP_S: Final = 1.5
"""How long a camera may take to set its exposure before its picture is judged once and for all."""

DEFAULT_PORT: Final = 8010

_SIZE: Final = re.compile(r"(\d{3,4})x(\d{3,4})")


def calibration_sheet(
    output: Annotated[Path, typer.Option("--output", "-o", help="het blad: een naam op .pdf of .png")] = Path(
        "ijkblad.pdf"
    ),
) -> None:
    """Maak het ijkblad om af te drukken. / Make the calibration sheet, to be printed."""
    from capture.calibration.sheet import write_sheet

    write_sheet(output)
    typer.echo(f"{output}: druk af op ware grootte (100 %), A4 liggend / print at actual size, A4 landscape")


def calibrate(
    source: Annotated[str, typer.Option(help="cameranummer, /dev/v4l/by-id/…, rtsp://…, film of foto's")],
    output: Annotated[Path, typer.Option("--output", "-o", help="waar de ijking komt")] = Path("tafel.toml"),
    top: Annotated[str, typer.Option(help="wie bovenaan het beeld zit (N O Z W), zonder ijkblad")] = "N",
    table_mm: Annotated[
        str, typer.Option("--table-mm", help="de tafel, van West naar Oost x van Noord naar Zuid")
    ] = "800x800",
    config: Annotated[
        Path | None, typer.Option(help="instellingen van de tafel in TOML, om de stand van de camera")
    ] = None,
    page: Annotated[
        bool, typer.Option(help="toon een pagina; anders één oordeel in de terminal, dat bewaard wordt")
    ] = True,
    host: Annotated[str, typer.Option(help="0.0.0.0 om ook een telefoon toe te laten")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="poort van de pagina", min=0, max=65535)] = DEFAULT_PORT,
) -> None:
    """Stel een camera in, en hoor wat er beter moet. / Set up a camera, and hear what to change."""
    # Who sits at the top, as people see it; the finder asks at which side North is.
    north, size = CLOCKWISE[-CLOCKWISE.index(parse_seat(top)) % 4], _size_of(table_mm)
    if not output.absolute().parent.is_dir():
        raise CalibrationError(
            f"De map van {output} bestaat niet. Kies met -o een andere plek.",
            "there is no such folder. Choose another with -o.",
        )
    from capture.calibration import save_calibration
    from capture.calibration.page import CalibrationDesk, look_at, make_page, served

    def keep(calibration: Calibration) -> None:
        save_calibration(calibration, output)
        typer.echo(f"{output}: bewaard / kept")

    def look(image: Image) -> Look:
        return look_at(image, table_mm=size, north=north)

    desk = CalibrationDesk(keep)
    with stopped_by_signals() as stop, ExitStack() as held:
        camera = held.enter_context(_open(source, load_table_config(config, {"source": source}).camera))
        camera.report_to(lambda change: desk.tell(change.as_error() if change.fault else None), stop)
        if not page:
            _look_once(camera, desk, look)
            return
        address = held.enter_context(served(make_page(desk, camera.describe(), str(output)), host, port))
        typer.echo(f"Open {address} in een browser; Ctrl-C stopt. / Open it in a browser; Ctrl-C stops.")
        _look_on(camera, desk, look, stop)


def _size_of(text: str) -> tuple[float, float]:
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise SettingsError(
            f"{text!r} is geen maat van een tafel. Schrijf --table-mm bijvoorbeeld als 800x800.",
            "no size of a table. Write --table-mm as 800x800, say.",
        )
    return float(match.group(1)), float(match.group(2))


def _open(text: str, mode: CameraMode) -> Source:
    def open_again() -> Source:
        return open_source(text, camera=mode)

    camera = open_again()
    for remark in camera.remarks:
        typer.echo(f"klaveroog: {remark}", err=True)
    return SupervisedSource(camera, open_again) if camera.is_live else camera


def _look_once(camera: Source, desk: CalibrationDesk, look: Callable[[Image], Look]) -> None:
    """Judge one picture, tell of it, and keep what was found; bad judgements do not stand in the way."""
    started_s = time.monotonic()
    frame = camera.read()
    while frame is not None and camera.is_live and time.monotonic() - started_s < WARM_UP_S:
        frame = camera.read()
    if frame is None:
        raise SourceUnreadableError(
            f"{camera.describe()} gaf geen beeld. Kies een andere bron.",
            "it gave no picture. Choose another.",
        )
    seen = look(frame.image)
    desk.show(seen)
    for judgement in seen.judgements:
        typer.echo(("  " if judgement.is_well else "! ") + judgement.sentence)
    desk.keep()


def _look_on(
    camera: Source, desk: CalibrationDesk, look: Callable[[Image], Look], stop: threading.Event
) -> None:
    """Judge the newest picture again and again until stopped; of a film that ended, the last stays."""
    due_s = 0.0
    while not stop.is_set():
        try:
            frame = camera.read()
        except SourceError as error:
            desk.tell(error)
            frame = None
        if frame is None:
            stop.wait()
        elif time.monotonic() >= due_s:
            desk.show(look(frame.image))
            due_s = time.monotonic() + LOOK_EACH_S
            if not camera.is_live:
                stop.wait(LOOK_EACH_S)
