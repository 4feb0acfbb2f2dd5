"""Debian's browser, for the tests that look at pages as people do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, sync_playwright

_CHROMIUM: Final = Path("/usr/bin/chromium")
_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, closed afterwards."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(_CHROMIUM), args=list(_ARGUMENTS))
        try:
            yield started
        finally:
            started.close()


def need_chromium() -> None:
    """Skip the test where the browser is not installed."""
    if not _CHROMIUM.exists():
        pytest.skip(f"no chromium here (looked at {_CHROMIUM})")
