"""The commands put together, and the one place where an error becomes a line."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import typer

from capture.command_line import EXIT_INTERRUPTED, STOPPED
from capture.command_line.backs import backs
from capture.command_line.bench import bench
from capture.command_line.calibrate import calibrate, calibration_sheet
from capture.command_line.clip import clip
from capture.command_line.demo import demo
from capture.command_line.read import read
from capture.command_line.score import score
from capture.command_line.simulate import simulate
from capture.command_line.table import table
from capture.command_line.venue import venue
from capture.command_line.verify import verify
from capture.errors import CaptureError
from detector.errors import DetectorError
from rules import RulesError
from tracker.events import EventError

EXIT_ERROR: Final = 1
EXIT_USAGE: Final = 2

LONGEST_MESSAGE: Final = 1_000
"""Characters: what was typed is quoted in an error, and a whole file may have been typed."""

EXPECTED_ERRORS: Final = (CaptureError, DetectorError, RulesError, EventError, OSError)
"""What can go wrong through no fault of the program; anything else is a bug and shows where it is."""

# The base of typer's complaints about what was typed: click's in older versions, its own in newer ones.
_UsageError: Final[type[Exception]] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="klaveroog",
    help="Een camera boven de klaverjastafel. / A camera over a klaverjas table.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _command in (
    table,
    calibrate,
    calibration_sheet,
    clip,
    read,
    simulate,
    score,
    venue,
    verify,
    bench,
    backs,
    demo,
):
    app.command()(_command)


def run_program(arguments: Sequence[str]) -> int:
    """The exit code of the command line with these ``arguments``; with none it shows the help."""
    code = run(lambda: app(list(arguments) or ["--help"], standalone_mode=False))
    return code if arguments else EXIT_USAGE


def run(command: Callable[[], Any]) -> int:
    """The exit code of ``command``, with any expected error told in one line on the error output."""
    try:
        code = command()
    except EXPECTED_ERRORS as error:
        if isinstance(error, BrokenPipeError):
            return _reader_left()
        told = _of_system(error) if isinstance(error, OSError) else _one_line(error)
        typer.echo(f"klaveroog: {told}", err=True)
        return EXIT_ERROR
    except _UsageError as error:
        what = getattr(error, "format_message", error.__str__)()
        help_line = "Zie klaveroog --help / see klaveroog --help"
        sentence = _shortened(what)
        sentence += "" if sentence.endswith((".", "?", "!")) else "."
        typer.echo(f"klaveroog: {sentence} {help_line}", err=True)
        return EXIT_USAGE
    except (KeyboardInterrupt, typer.Abort):
        code = EXIT_INTERRUPTED
    # Newer versions of typer turn Ctrl-C into this exit code by themselves.
    if code == EXIT_INTERRUPTED:
        typer.echo(STOPPED, err=True)
    return code if isinstance(code, int) else 0


_DUTCH: Final = {
    errno.ENOSPC: "De schijf is vol. Maak ruimte en doe het opnieuw.",
    errno.EDQUOT: "Uw deel van de schijf is vol. Maak ruimte en doe het opnieuw.",
    errno.EROFS: "Hier kan niet worden geschreven. Kies een andere map.",
    errno.EACCES: "Dat mag niet met uw rechten. Kies een andere plaats, of vraag wie het beheert.",
    errno.EPERM: "Dat mag niet met uw rechten. Kies een andere plaats, of vraag wie het beheert.",
    errno.ENOENT: "Dat bestand of die map is er niet. Controleer de naam.",
    errno.EISDIR: "Dat is een map en geen bestand. Controleer de naam.",
    errno.ENOTDIR: "Dat is een bestand en geen map. Controleer de naam.",
    errno.EIO: "De schijf geeft een fout. Probeer een andere.",
}


def _of_system(error: OSError) -> str:
    """What the system complains of, and about which file."""
    dutch = _DUTCH.get(error.errno or 0, "Het systeem weigert dit.")
    about = f": {error.filename}" if error.filename else ""
    return _shortened(f"{dutch} / {error.strerror or _one_line(error)}{about}")


def _one_line(error: Exception) -> str:
    return _shortened(str(error)) or type(error).__name__


def _shortened(text: str) -> str:
    """The text on one line; of a very long one the beginning and the end."""
    line = " ".join(text.split())
    half = LONGEST_MESSAGE // 2
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:half]} … {line[-half:]}"


def _reader_left() -> int:
    """Whoever read our output has gone; leave without Python telling of it when it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_ERROR
