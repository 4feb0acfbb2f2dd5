"""Random keys, and the form in which they are kept: only their hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

_READABLE: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and figures that nobody takes for one another when typing them over."""


def new_key() -> str:
    """A key of 256 random bits, for a cookie or a token."""
    return secrets.token_urlsafe(32)


def new_readable_code() -> str:
    """A code of some 59 random bits that a person can type: ``7KQM-2HXR-9WTP``."""
    groups = ("".join(secrets.choice(_READABLE) for _ in range(4)) for _ in range(3))
    return "-".join(groups)


def new_short_code() -> str:
    """A code of some 39 random bits, for what lasts minutes and is guarded by a rate limit: ``7KQM-2HXR``."""
    return new_readable_code()[:9]


def hash_key(key: str) -> str:
    """What is stored of a key. The keys are random, so one round of SHA-256 cannot be guessed back."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
