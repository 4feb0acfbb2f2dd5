"""The commands put together, and the one place where an error becomes a line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

import typer

from capture.command_line.demo import demo
from capture.command_line.read import read
from capture.command_line.score import score
from capture.command_line.simulate import simulate
from capture.command_line.table import table
from capture.command_line.venue import venue
from capture.errors import CaptureError
from detector.errors import DetectorError
from rules import RulesError
from tracker.events import EventError

EXIT_ERROR: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130

EXPECTED_ERRORS: Final = (CaptureError, DetectorError, RulesError, EventError, OSError)
"""What can go wrong through no fault of the program; anything else is a bug and shows where it is."""

# The base of typer's complaints about what was typed: click's in older versions, its own in newer ones.
_UsageError: Final[type[Exception]] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="klaveroog",
    help="Een camera boven de klaverjastafel. / A camera over a klaverjas table.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _command in (table, read, simulate, score, venue, demo):
    app.command()(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 when all went well, 1 after an error, 2 when it makes no sense."""
    sys.exit(run(lambda: app(arguments, standalone_mode=False)))


def run(command: Callable[[], Any]) -> int:
    """The exit code of ``command``, with any expected error told in one line on the error output."""
    try:
        code = command()
    except EXPECTED_ERRORS as error:
        if isinstance(error, BrokenPipeError):
            return _reader_left()
        typer.echo(f"klaveroog: {_one_line(error)}", err=True)
        return EXIT_ERROR
    except _UsageError as error:
        what = getattr(error, "format_message", error.__str__)()
        help_line = "Zie klaveroog --help / see klaveroog --help"
        typer.echo(f"klaveroog: {' '.join(what.split())} {help_line}", err=True)
        return EXIT_USAGE
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("klaveroog: gestopt / stopped", err=True)
        return EXIT_INTERRUPTED
    return code if isinstance(code, int) else 0


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _reader_left() -> int:
    """Whoever read our output has gone; leave without Python telling of it when it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_ERROR
