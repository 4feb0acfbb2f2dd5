"""A page as PDF, by WeasyPrint, which is loaded only when the first sheet is printed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

from dashboard.errors import PrintingError

_STATIC: Final = Path(__file__).parents[1] / "static"
_NEEDED: Final = (
    "Voor een tellijst als PDF is Pango nodig. Installeer het op de server: "
    "sudo apt install libpango-1.0-0 libpangoft2-1.0-0 / printing needs Pango"
)


def pdf_of(page: str) -> bytes:
    """``page`` (HTML that links no file but ``sheet.css``) as a PDF.

    Raises:
        PrintingError: when WeasyPrint or Debian's Pango is not installed; the message says what to install.
    """
    weasyprint = _weasyprint()
    styles = [weasyprint.CSS(filename=str(_STATIC / "sheet.css"))]
    document = weasyprint.HTML(string=page, url_fetcher=_fetch_nothing)
    written: bytes = document.write_pdf(stylesheets=styles)
    return written


def _weasyprint() -> Any:
    try:
        return import_module("weasyprint")
    except (ImportError, OSError) as error:  # OSError: the library is there and Pango is not.
        raise PrintingError(_NEEDED) from error


def _fetch_nothing(address: str, *_: object, **__: object) -> NoReturn:
    """A sheet needs nothing from anywhere, and gets nothing."""
    raise ValueError(f"a sheet may not fetch {address!r}")
