"""``klaveroog``: one file per command; every error is one line, and the exit code is not 0."""

from capture.command_line.main import main

__all__ = ["main"]
