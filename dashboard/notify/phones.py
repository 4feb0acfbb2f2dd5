"""The phones that asked for messages, and the key with which the venue signs what it sends (Web Push)."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

from sqlalchemy import delete, insert, select

from dashboard.config import DashboardConfig
from dashboard.errors import MalformedRequestError
from dashboard.notify.outgoing import Outgoing, OutgoingError
from dashboard.store import Store
from dashboard.store.database import utc_text
from dashboard.store.desk_schema import PUSH_KEYS, PUSH_SUBSCRIPTIONS

_GONE: Final = (404, 410)
_KEPT_S: Final = 1_800
_LONGEST_ENDPOINT: Final = 1_000
_MOST_PER_ACCOUNT: Final = 10


def push_is_installed() -> bool:
    """Whether messages to phones can be made: ``pip install 'klaveroog[push]'``."""
    return find_spec("pywebpush") is not None


def push_is_possible(config: DashboardConfig) -> bool:
    """Whether phones can get messages: a browser wants https for it, and the library must be there."""
    return config.https and push_is_installed()


@dataclass(frozen=True, slots=True)
class Phone:
    """One browser that asked for messages; ``subscription`` is what it gave."""

    id: int
    subscription: Mapping[str, Any]
    language: str


@dataclass(frozen=True, slots=True)
class KeyPair:
    """The venue's own keys (VAPID): ``public`` is what a browser is given."""

    private: str
    public: str


class Phones:
    """The phones in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keys(self) -> KeyPair:
        """The key pair of this venue, made the first time that it is asked for."""
        with self._store.writing() as connection:
            row = connection.execute(select(PUSH_KEYS.c.private_key, PUSH_KEYS.c.public_key)).first()
            if row is not None:
                return KeyPair(row.private_key, row.public_key)
            made = _new_keys()
            connection.execute(
                insert(PUSH_KEYS).values(
                    private_key=made.private, public_key=made.public, created_utc=utc_text()
                )
            )
        return made

    def add(self, account_id: int, subscription: object, language: str) -> None:
        """Remember a phone; the same phone again replaces what was known of it.

        Raises:
            MalformedRequestError: when ``subscription`` is not what a browser gives.
        """
        checked = _checked(subscription)
        digest = _digest(checked["endpoint"])
        with self._store.writing() as connection:
            connection.execute(delete(PUSH_SUBSCRIPTIONS).where(PUSH_SUBSCRIPTIONS.c.endpoint_hash == digest))
            mine = select(PUSH_SUBSCRIPTIONS.c.id).where(PUSH_SUBSCRIPTIONS.c.account_id == account_id)
            known = list(connection.scalars(mine.order_by(PUSH_SUBSCRIPTIONS.c.id)))
            too_many = known[: max(0, len(known) - _MOST_PER_ACCOUNT + 1)]
            connection.execute(delete(PUSH_SUBSCRIPTIONS).where(PUSH_SUBSCRIPTIONS.c.id.in_(too_many)))
            connection.execute(
                insert(PUSH_SUBSCRIPTIONS).values(
                    account_id=account_id,
                    endpoint_hash=digest,
                    subscription=json.dumps(checked),
                    language=language,
                    created_utc=utc_text(),
                )
            )

    def remove(self, endpoint: str) -> None:
        """Forget a phone; one that is unknown is no fault."""
        with self._store.writing() as connection:
            connection.execute(
                delete(PUSH_SUBSCRIPTIONS).where(PUSH_SUBSCRIPTIONS.c.endpoint_hash == _digest(endpoint))
            )

    def all(self) -> tuple[Phone, ...]:
        """Every phone."""
        query = select(PUSH_SUBSCRIPTIONS).order_by(PUSH_SUBSCRIPTIONS.c.id)
        with self._store.reading() as connection:
            return tuple(
                Phone(row.id, json.loads(row.subscription), row.language) for row in connection.execute(query)
            )

    def send(self, phone: Phone, message: Mapping[str, str], outgoing: Outgoing, contact: str) -> None:
        """Send one message, encrypted for that phone; a phone that is gone is forgotten.

        Raises:
            OutgoingError: when it could not be sent.
        """
        status = _push(phone, message, self.keys(), outgoing, contact)
        if status in _GONE:
            self.remove(str(phone.subscription["endpoint"]))
        elif not 200 <= status < 300:
            raise OutgoingError(f"the push service answered {status}")


def _push(phone: Phone, message: Mapping[str, str], keys: KeyPair, outgoing: Outgoing, contact: str) -> int:
    from py_vapid import Vapid02
    from pywebpush import WebPusher

    endpoint = str(phone.subscription["endpoint"])
    host = "/".join(endpoint.split("/")[:3])
    signed = Vapid02.from_string(keys.private).sign({"sub": contact, "aud": host})
    encoded = WebPusher(dict(phone.subscription)).encode(json.dumps(dict(message)).encode(), "aes128gcm")
    headers = {
        **signed,
        "TTL": str(_KEPT_S),
        "Urgency": "high",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
    }
    return outgoing.post(endpoint, encoded["body"], headers)


def _new_keys() -> KeyPair:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    private = key.private_numbers().private_value.to_bytes(32, "big")
    public = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return KeyPair(_base64(private), _base64(public))


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _checked(subscription: object) -> dict[str, Any]:
    """What is kept of a subscription: its address and two keys, nothing else that a browser may add."""
    if not isinstance(subscription, dict):
        raise MalformedRequestError("a subscription must be an object with endpoint and keys")
    endpoint, keys = subscription.get("endpoint"), subscription.get("keys")
    if not isinstance(endpoint, str) or not 0 < len(endpoint) <= _LONGEST_ENDPOINT:
        raise MalformedRequestError("endpoint must be an address")
    if not isinstance(keys, dict):
        raise MalformedRequestError("keys must be an object with p256dh and auth")
    sizes = {"p256dh": 65, "auth": 16}
    for name, size in sizes.items():
        if len(_decoded(keys.get(name))) != size:
            raise MalformedRequestError(f"keys.{name} must be {size} bytes in base64")
    _check_point(_decoded(keys["p256dh"]))
    return {"endpoint": endpoint, "keys": {name: keys[name] for name in sizes}}


def _check_point(raw: bytes) -> None:
    """A key that is none would be found out only when there is something to tell."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)
    except ValueError as error:
        raise MalformedRequestError("keys.p256dh must be a point on the curve P-256") from error


def _decoded(text: object) -> bytes:
    if not isinstance(text, str) or len(text) > 200:
        return b""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""


def _digest(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode("utf-8", "surrogateescape")).hexdigest()
