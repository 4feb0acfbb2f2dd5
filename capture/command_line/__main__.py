"""``python -m capture.command_line`` does what ``klaveroog`` does."""

from capture.command_line.main import main

main()
