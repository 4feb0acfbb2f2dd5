"""One of a fixed few, as a form or an address names it: a seat, a suit, a side."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

Chosen = TypeVar("Chosen", bound=Enum)


def member_of(kind: type[Chosen], text: str | None) -> Chosen | None:
    """The member of ``kind`` whose value is ``text``, such as ``member_of(Seat, "N")``; else None."""
    return next((member for member in kind if member.value == text), None)
