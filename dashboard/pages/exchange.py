"""Whole evenings out and in: JSON, CSV and notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.errors import EveningError
from dashboard.evening.archive import EveningFile
from dashboard.evening.exchange_csv import evening_from_csv, evening_to_csv
from dashboard.evening.exchange_json import evening_from_json, evening_to_json
from dashboard.evening.exchange_text import evening_from_text, evening_to_text
from dashboard.evening.words import refusal
from dashboard.pages.chosen_evening import evening_or_404
from dashboard.security import current_identity
from dashboard.services import services

blueprint = Blueprint("exchange", __name__, url_prefix="/wedstrijdleider/avonden")

_LARGEST_FILE: Final = 64_000_000
_WRITERS: Final[Mapping[str, tuple[Callable[[EveningFile], str], str, str]]] = {
    "json": (evening_to_json, "application/json", "json"),
    "csv": (evening_to_csv, "text/csv", "csv"),
    "notatie": (evening_to_text, "text/plain", "txt"),
}
_READERS: Final[Mapping[str, Callable[[str], EveningFile]]] = {
    "{": evening_from_json,
    "#": evening_from_text,
    "s": evening_from_csv,
}
"""By the first character of the file, the byte order mark aside."""


@blueprint.get("/<int:evening_id>/bewaren/<any(json,csv,notatie):kind>")
def send(evening_id: int, kind: str) -> Response:
    """An evening as a file."""
    book = services().evenings
    evening = evening_or_404(evening_id)
    write, mimetype, ending = _WRITERS[kind]
    response = make_response(write(book.file_of(evening)))
    response.content_type = f"{mimetype}; charset=utf-8"
    name = f"klaveroog-{evening.day}-{evening.id}.{ending}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@blueprint.post("/inlezen")
def receive() -> ResponseReturnValue:
    """An evening from a file, into the archive."""
    request.max_content_length = _LARGEST_FILE
    book = services().evenings
    try:
        file = _read()
        evening_id = book.archive.add(file, current_identity().name or "", book.evenings.now())
    except EveningError as error:
        page = render_template(
            "evening/overview.html",
            evenings=book.evenings.all(),
            now=book.evenings.now(),
            fault=refusal(error),
            form={},
        )
        return page, error.status
    book.evenings.forget()
    return redirect(url_for("evenings.show", evening_id=evening_id))


def _read() -> EveningFile:
    upload = request.files.get("file")
    try:
        text = upload.read().decode("utf-8") if upload else ""
    except UnicodeDecodeError as error:
        raise EveningError("file", str(error)) from error
    reader = _READERS.get(text.removeprefix("\ufeff")[:1])
    if reader is None:
        raise EveningError("file", "JSON, CSV, notatie?")
    return reader(text)
