"""The places of a written document: every value knows where it stands, so that an error can name both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, TypeVar

from rules.cards import Card, Seat, Suit, is_writable, parse_card, parse_seat, parse_suit
from rules.errors import DocumentError, NotationError

TOP: Final = "deal"
"""How errors call the document as a whole."""

_T = TypeVar("_T")
_Member = TypeVar("_Member", bound=Enum)


class Node:
    """A value and the place where it stands; each method raises DocumentError where it is something else."""

    def __init__(self, value: object, place: str) -> None:
        self.value = value
        self.place = place

    def error(self, wanted: str) -> DocumentError:
        """What to raise when the value is not what was ``wanted``."""
        return DocumentError(f"{self.place}: {wanted}, not {self.value!r}")

    def mapping(self, known: frozenset[str]) -> KeyedNode:
        """The value as an object with none but ``known`` keys."""
        if not isinstance(self.value, Mapping):
            raise self.error("must be an object")
        for key in self.value:
            if key not in known:
                raise DocumentError(
                    f"{self.place}: unknown key {key!r}; known are {', '.join(sorted(known))}"
                )
        return KeyedNode(self.value, self.place)

    def items(self) -> list[Node]:
        """The values of a list."""
        if not isinstance(self.value, Sequence) or isinstance(self.value, str | bytes):
            raise self.error("must be a list")
        return [Node(item, f"{self.place}[{index}]") for index, item in enumerate(self.value)]

    def text(self) -> str:
        """The value as a text."""
        if not isinstance(self.value, str):
            raise self.error("must be a text")
        if not is_writable(self.value):
            raise self.error("must be a text without half a letter")
        return self.value

    def number(self, least: int, most: int) -> int:
        """The value as a whole number from ``least`` to ``most``."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not least <= self.value <= most:
            raise self.error(f"must be a whole number from {least} to {most}")
        return self.value

    def truth(self) -> bool:
        """The value as true or false."""
        if not isinstance(self.value, bool):
            raise self.error("must be true or false")
        return self.value

    def choice(self, kind: type[_Member]) -> _Member:
        """The value as the member of ``kind`` that has it."""
        for member in kind:
            if member.value == self.value:
                return member
        raise self.error("must be one of " + ", ".join(member.value for member in kind))

    def parsed(self, parse: Callable[[str], _T]) -> _T:
        """The value as what ``parse`` makes of its text."""
        text = self.text()
        try:
            return parse(text)
        except NotationError as error:
            raise DocumentError(f"{self.place}: {error}") from error

    def card(self) -> Card:
        """The value as a card."""
        return self.parsed(parse_card)

    def seat(self) -> Seat:
        """The value as a seat."""
        return self.parsed(parse_seat)

    def suit(self) -> Suit:
        """The value as a suit."""
        return self.parsed(parse_suit)


class KeyedNode:
    """An object in the document whose keys are all known."""

    def __init__(self, value: Mapping[Any, object], place: str) -> None:
        self._value = value
        self.place = place

    def optional(self, key: str) -> Node | None:
        """What stands under ``key``; null is as good as nothing."""
        value = self._value.get(key)
        place = key if self.place == TOP else f"{self.place}.{key}"
        return None if value is None else Node(value, place)

    def required(self, key: str) -> Node:
        """What stands under ``key``, which must be there."""
        node = self.optional(key)
        if node is None:
            raise DocumentError(f"{self.place}: {key!r} is missing")
        return node
