"""A push service of the tests' own, as Firefox and Google run them, and a phone that reads what came.

The service checks who sends (VAPID, RFC 8292) and sees only bytes; the phone has the keys (RFC 8291).
"""

from __future__ import annotations

import base64
import json
import os
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import http_ece
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils


@dataclass(frozen=True)
class Received:
    """One request that reached the service. ``claims`` is None when its signature does not hold."""

    path: str
    headers: dict[str, str]
    body: bytes
    claims: dict[str, Any] | None


@dataclass
class PushService:
    """Answers with ``statuses`` one after the other, and with 201 when they are used up."""

    statuses: list[int] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)

    def __enter__(self) -> Self:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                claims = signed_claims(headers.get("authorization", ""))
                service.received.append(Received(self.path, headers, body, claims))
                self.send_response(service.statuses.pop(0) if service.statuses else 201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}"


class FakePhone:
    """A browser that asked for messages at ``service``."""

    def __init__(self, service: PushService, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        self.endpoint = f"{service.address}/send/{name}"

    def subscription(self) -> dict[str, Any]:
        """What the browser hands to the page."""
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        keys = {"p256dh": to_base64(point), "auth": to_base64(self._auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, received: Received) -> dict[str, str]:
        """The message, which only this phone can read."""
        assert received.headers["content-encoding"] == "aes128gcm"
        text = http_ece.decrypt(
            received.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"
        )
        message: dict[str, str] = json.loads(text)
        return message


def signed_claims(authorization: str) -> dict[str, Any] | None:
    """What ``vapid t=<token>,k=<key>`` says, when the signature holds and the time is not over."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
    if scheme.lower() != "vapid" or set(parts) != {"t", "k"}:
        return None
    signed, _, signature = parts["t"].rpartition(".")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64(parts["k"]))
    raw = from_base64(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    try:
        key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return None
    claims: dict[str, Any] = json.loads(from_base64(signed.split(".")[1]))
    return claims if time.time() < claims["exp"] <= time.time() + 86_400 else None


def to_base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
