"""``python -m dashboard --database hall.sqlite --host 0.0.0.0 --port 8000``: start the venue."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from dashboard.config import DashboardConfig
from dashboard.server import run_dashboard


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and serve; what is left out comes from the environment or the defaults."""
    parser = argparse.ArgumentParser(prog="python -m dashboard", description="Klaveroog: the venue")
    parser.add_argument("--database", help="SQLite file or SQLAlchemy URL")
    parser.add_argument("--host")
    parser.add_argument("--port", type=int)
    parser.add_argument("--https", action="store_true", default=None, help="browsers reach it by https")
    given = vars(parser.parse_args(arguments))
    config = DashboardConfig(**{name: value for name, value in given.items() if value is not None})
    try:
        run_dashboard(config)
    except OSError as error:
        parser.exit(1, f"cannot serve at {config.host}:{config.port}: {error.strerror or error}\n")


if __name__ == "__main__":
    main()
