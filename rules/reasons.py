"""Why something is so: a code for programs, a sentence in Dutch and one in English, and the article."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason in words.

    code: a stable word for programs. article: where it is written, empty when no text says it.
    """

    code: str
    dutch: str
    english: str
    article: str = ""
