"""``python -m capture.command_line`` does what ``klaveroog`` does."""

from capture.command_line import main

main()
