"""``klaveroog``: one file per command; every error is one line, and the exit code is not 0."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final, NoReturn

EXIT_INTERRUPTED: Final = 130
STOPPED: Final = "klaveroog: gestopt / stopped"


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 when all went well, 1 after an error, 2 when it makes no sense."""
    try:
        # Loading takes most of a second, in which an impatient Ctrl-C must not end in a traceback.
        from capture.command_line.program import run_program
    except KeyboardInterrupt:
        sys.stderr.write(f"{STOPPED}\n")
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(run_program(sys.argv[1:] if arguments is None else arguments))


__all__ = ["main"]
