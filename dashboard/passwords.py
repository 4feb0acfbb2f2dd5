"""Passwords: argon2id, one at a time, and no hint of whether a name exists."""

from __future__ import annotations

import threading
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from dashboard.store.secrets import new_readable_code

SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200

# 19 MiB, two passes: OWASP's setting for a small server. The lock keeps many logins from taking the memory.
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
_ONE_AT_A_TIME: Final = threading.Lock()


def new_password() -> str:
    """A password that nobody guesses and that can be typed over, of 14 characters."""
    return new_readable_code()


def hash_password(password: str) -> str:
    """The argon2id hash, with its salt and settings in it."""
    with _ONE_AT_A_TIME:
        return _HASHER.hash(password)


def is_right_password(password: str, password_hash: str | None) -> bool:
    """Whether they belong together. Without a hash it is False after the same work, so time tells nothing."""
    expected = password_hash if password_hash is not None else _HASH_OF_NOBODY
    with _ONE_AT_A_TIME:
        try:
            _HASHER.verify(expected, password)
        except (VerificationError, InvalidHashError):
            return False
    return password_hash is not None


_HASH_OF_NOBODY: Final = hash_password("nobody has this password")
