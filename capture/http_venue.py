"""What a table asks of its venue, as HTTP; ``capture/README.md`` is the contract."""

from __future__ import annotations

import http.client
import json
import re
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlsplit

from capture.errors import BatchRefusedError, DeliveryError, SettingsError
from capture.journal import Batch

CONNECT_TIMEOUT_S: Final = 3.0
"""How long the venue may take to take up the connection."""

ANSWER_TIMEOUT_S: Final = 10.0
"""How long the venue may take to write a batch to its disk and answer."""

LONGEST_ANSWER_BYTES: Final = 65_536

LONGEST_CLIP_S: Final = 180.0
"""A venue that asks for more does not get it."""

MOST_CLIPS_WANTED: Final = 50

_WRONG_TOKEN: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_UNKNOWN_THERE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
_FAULT_OF_THE_BATCH: Final = (400, 404, 409, 413, 422)
_NEVER_TAKEN: Final = (400, 409, 413, 415, 422)
_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,79}")


class MediaAnswer(Enum):
    """What a venue says to a picture or clip."""

    TAKEN = "taken"
    NEVER = "never"
    NOT_NOW = "not now"


@dataclass(frozen=True, slots=True)
class WantedClip:
    """A clip that the venue asks for; times in seconds on the source's own clock."""

    identifier: str
    from_s: float
    to_s: float


@dataclass(frozen=True, slots=True)
class HttpVenue:
    """The venue at ``address`` (``http://…`` or ``https://…``); ``token`` is the table's own.

    Raises:
        SettingsError: when the address is not one of a venue.
    """

    address: str
    token: str

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.address)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable:
            raise SettingsError(
                f"{self.address!r} is geen adres van een zaal. Schrijf bijvoorbeeld http://zaal.local:8000.",
                "not the address of a venue. Write for example http://zaal.local:8000.",
            )
        if not self.token.isprintable() or not self.token.isascii():
            raise SettingsError(
                "Het token heeft vreemde tekens. Kopieer opnieuw wat klaveroog venue --new-token gaf.",
                "the token holds strange characters. Copy again what klaveroog venue --new-token gave.",
            )

    def deliver(self, batch: Batch) -> int:
        """Post the batch.

        Raises:
            DeliveryError: when the venue cannot be reached, does not take it, or answers something else.
        """
        document = {
            "epoch": batch.epoch,
            "events": [{"sequence": number, "event": event} for number, event in batch.events],
        }
        status, body = self._request("POST", batch.table, "events", json.dumps(document).encode())
        if status != HTTPStatus.OK:
            raise self._refused(status, batch.table)
        acknowledged = _acknowledged(body)
        if acknowledged is None or acknowledged > batch.last_sequence:
            raise self._refused(status, batch.table)
        return acknowledged

    def send_status(self, table: str, document: dict[str, Any]) -> tuple[WantedClip, ...]:
        """Post how the table is; gives the clips that the venue asks for.

        A venue that does not know of statuses is no error: it asks for nothing.

        Raises:
            DeliveryError: when the venue cannot be reached, or does not take the token.
        """
        status, body = self._request("POST", table, "status", json.dumps(document).encode())
        if status in _WRONG_TOKEN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise self._refused(status, table)
        return _wanted(body) if status < HTTPStatus.MULTIPLE_CHOICES else ()

    def put_media(
        self, table: str, kind: str, identifier: str, content: bytes, content_type: str
    ) -> MediaAnswer:
        """Send a picture or clip.

        Raises:
            DeliveryError: when the venue cannot be reached, or does not take the token.
        """
        path = f"media/{kind}/{identifier}"
        status, _ = self._request("PUT", table, path, content, content_type)
        if status in _WRONG_TOKEN:
            raise self._refused(status, table)
        if status < HTTPStatus.MULTIPLE_CHOICES:
            return MediaAnswer.TAKEN
        return MediaAnswer.NEVER if status in _NEVER_TAKEN else MediaAnswer.NOT_NOW

    def withdraw_clip(self, table: str, identifier: str) -> None:
        """Say that a clip that was asked for cannot be had.

        Raises:
            DeliveryError: when the venue cannot be reached.
        """
        self._request("DELETE", table, f"media/clip/{identifier}", b"")

    def _request(
        self, method: str, table: str, path: str, body: bytes, content_type: str = "application/json"
    ) -> tuple[int, bytes]:
        parts = urlsplit(self.address)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=CONNECT_TIMEOUT_S)
        headers = {"Content-Type": content_type, "Authorization": f"Bearer {self.token}"}
        address = f"{parts.path.rstrip('/')}/api/tafels/{quote(table, safe='')}/{path}"
        try:
            connection.connect()
            connection.sock.settimeout(ANSWER_TIMEOUT_S)
            connection.request(method, address, body, headers)
            response = connection.getresponse()
            return response.status, response.read(LONGEST_ANSWER_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise DeliveryError(
                f"De zaal {self.address} is niet te bereiken. De gegevens blijven in het journaal.",
                f"cannot reach the venue ({error or type(error).__name__}). The journal keeps the events.",
            ) from error
        finally:
            connection.close()

    def _refused(self, status: int, table: str) -> DeliveryError:
        if status in _WRONG_TOKEN and not self.token:
            return DeliveryError(
                f"De zaal {self.address} wil een token voor tafel {table}. "
                f"Maak er daar een met klaveroog venue --new-token {table} en geef het met --token.",
                f"the venue wants a token for table {table}. "
                f"Make one there with klaveroog venue --new-token {table} and give it with --token.",
            )
        if status in _WRONG_TOKEN:
            return DeliveryError(
                f"De zaal {self.address} weigert dit token voor tafel {table}. "
                f"Maak daar een nieuw: klaveroog venue --new-token {table}",
                f"the venue does not accept this token for table {table}. "
                f"Make a new one there: klaveroog venue --new-token {table}",
            )
        # What the venue says of the batch itself, and not of its own state or of ours.
        return (BatchRefusedError if status in _FAULT_OF_THE_BATCH else DeliveryError)(
            f"De zaal {self.address} nam de gegevens niet aan (antwoord {status}). Controleer het adres.",
            f"the venue did not take the events (answer {status}). Check the address.",
        )


def _acknowledged(body: bytes) -> int | None:
    """The number in ``{"acknowledged": N}``, or None when the answer is something else."""
    number = _document(body).get("acknowledged")
    return number if type(number) is int and number >= 0 else None


def _wanted(body: bytes) -> tuple[WantedClip, ...]:
    """The clips in ``{"wanted": […]}``; what makes no sense is left out."""
    wanted = _document(body).get("wanted")
    clips = (_wanted_clip(item) for item in wanted[:MOST_CLIPS_WANTED]) if isinstance(wanted, list) else ()
    return tuple(clip for clip in clips if clip is not None)


def _wanted_clip(item: object) -> WantedClip | None:
    if not isinstance(item, dict):
        return None
    identifier, from_s, to_s = item.get("id"), _seconds(item.get("from_s")), _seconds(item.get("to_s"))
    if not isinstance(identifier, str) or not _IDENTIFIER.fullmatch(identifier):
        return None
    if from_s is None or to_s is None or not 0 <= to_s - from_s <= LONGEST_CLIP_S:
        return None
    return WantedClip(identifier, from_s, to_s)


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _document(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
