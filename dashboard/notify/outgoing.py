"""The only way out of the venue: a POST by https, to public addresses unless private ones are allowed.

The address is looked up once, judged, and then connected to, so that a name that answers otherwise the second
time leads nowhere else. Redirections are not followed.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

_TIMEOUT_S: Final = 10.0
_LONGEST_ANSWER: Final = 4_096


class OutgoingError(Exception):
    """Nothing was sent, or no answer came; the message is one plain sentence."""


class ForbiddenAddressError(OutgoingError):
    """An address to which nothing is sent; trying again is of no use."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Sends. allow_private: also to this machine and the local network, and there by http too."""

    allow_private: bool = False
    timeout_s: float = _TIMEOUT_S

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status of the answer.

        Raises:
            ForbiddenAddressError: when ``url`` may not be sent to.
            OutgoingError: when it could not be sent.
        """
        parts = self._judged(url)
        address = self._address_of(parts)
        try:
            return self._send(parts, address, body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise OutgoingError(f"{parts.hostname}: {error or type(error).__name__}") from error

    def _judged(self, url: str) -> SplitResult:
        try:
            parts = urlsplit(url)
            known_port = parts.port or 0
        except ValueError as error:
            raise ForbiddenAddressError("not an address") from error
        schemes = ("https", "http") if self.allow_private else ("https",)
        if parts.scheme not in schemes or not parts.hostname or parts.username or known_port < 0:
            raise ForbiddenAddressError(
                f"only {' or '.join(schemes)} addresses without a password are sent to"
            )
        return parts

    def _address_of(self, parts: SplitResult) -> str:
        """The first address of the host, when all of them may be sent to."""
        assert parts.hostname is not None
        try:
            found = socket.getaddrinfo(parts.hostname, _port(parts), type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise OutgoingError(f"{parts.hostname} is not known") from error
        addresses = [str(one[4][0]).partition("%")[0] for one in found]
        if not self.allow_private and not all(ipaddress.ip_address(one).is_global for one in addresses):
            raise ForbiddenAddressError(f"{parts.hostname} is on a private network")
        return addresses[0]

    def _send(self, parts: SplitResult, address: str, body: bytes, headers: Mapping[str, str]) -> int:
        assert parts.hostname is not None
        connection = http.client.HTTPConnection(parts.hostname, _port(parts), timeout=self.timeout_s)
        plain = socket.create_connection((address, _port(parts)), self.timeout_s)
        try:
            connection.sock = plain
            if parts.scheme == "https":
                connection.sock = ssl.create_default_context().wrap_socket(
                    plain, server_hostname=parts.hostname
                )
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path, body, dict(headers))
            answer = connection.getresponse()
            answer.read(_LONGEST_ANSWER)
            return answer.status
        finally:
            connection.close()
            plain.close()


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)
