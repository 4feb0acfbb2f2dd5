"""Who waits for news: every open page, by what it shows.

A page that shows a table waits for that table; the hall and the wedstrijdleider wait for all of them. Pages
are woken by topic, so that five hundred viewers do not all wake for each card at another table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from dashboard.errors import TooManyStreamsError

ALL_TABLES: Final = ""
"""The topic of whoever shows every table."""


class LiveHub:
    """The id of the last stored event per topic, how often a topic changed, and a place for each stream."""

    def __init__(self, maximum_streams: int, last_ids: Mapping[str, int]) -> None:
        self._lock = threading.Lock()
        self._news: dict[str, threading.Condition] = {}
        self._waiting: dict[frozenset[str], _Waiting] = {}
        self._last_ids = {**last_ids, ALL_TABLES: max(last_ids.values(), default=0)}
        self._versions: dict[str, int] = {}
        self._maximum_streams = maximum_streams
        self._open = 0

    @property
    def open_streams(self) -> int:
        """How many streams are open now."""
        return self._open

    def announce(self, table: str, last_id: int) -> None:
        """An event of ``table`` is on the disk: wake everybody who shows it."""
        with self._lock:
            for topic in (table, ALL_TABLES):
                self._last_ids[topic] = max(last_id, self._last_ids.get(topic, 0))
                self._change(topic)

    def stored(self, table: str, ids: Sequence[int]) -> None:
        """Events of ``table`` are on the disk; what :meth:`dashboard.store.EventLog.listen` calls."""
        self.announce(table, ids[-1])

    def refresh(self, *topics: str) -> None:
        """Something that pages show changed without an event: draw these topics anew, and all tables."""
        with self._lock:
            for topic in {*topics, ALL_TABLES}:
                self._change(topic)

    def refresh_all(self) -> None:
        """Something that every page shows changed without an event: draw all of them anew."""
        with self._lock:
            for topic in {*self._last_ids, *self._news, *self._versions, *chain.from_iterable(self._waiting)}:
                self._change(topic)

    def last_id(self, topic: str) -> int:
        """The id of the last event of ``topic``; 0 before the first."""
        with self._lock:
            return self._last_ids.get(topic, 0)

    def version(self, topic: str) -> int:
        """How often ``topic`` changed since the venue started, by events or without."""
        with self._lock:
            return self._versions.get(topic, 0)

    def wait_beyond(self, topic: str, known_id: int, timeout_s: float) -> int:
        """The last id of ``topic``, as soon as it is not ``known_id`` or after ``timeout_s`` seconds."""
        with self._lock:
            news = self._news.setdefault(topic, threading.Condition(self._lock))
            news.wait_for(lambda: self._last_ids.get(topic, 0) != known_id, timeout_s)
            return self._last_ids.get(topic, 0)

    def wait_changes(self, known_versions: Mapping[str, int], timeout_s: float) -> None:
        """Return as soon as one of these topics has another version, or after ``timeout_s`` seconds."""
        key = frozenset(known_versions)
        with self._lock:
            waiting = self._waiting.setdefault(key, _Waiting(threading.Condition(self._lock)))
            waiting.count += 1
            try:
                waiting.news.wait_for(
                    lambda: any(self._versions.get(topic, 0) != known_versions[topic] for topic in key),
                    timeout_s,
                )
            finally:
                waiting.count -= 1
                if not waiting.count:
                    del self._waiting[key]

    def take_place(self) -> None:
        """Take a place for one stream; give it back with ``leave``.

        Raises:
            TooManyStreamsError: when every place is taken.
        """
        with self._lock:
            if self._open >= self._maximum_streams:
                raise TooManyStreamsError("every place for a live page is taken; the page itself still works")
            self._open += 1

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._open -= 1

    def _change(self, topic: str) -> None:
        self._versions[topic] = self._versions.get(topic, 0) + 1
        if topic in self._news:
            self._news[topic].notify_all()
        for topics, waiting in self._waiting.items():
            if topic in topics:
                waiting.news.notify_all()


@dataclass(slots=True)
class _Waiting:
    """Those who wait for the same topics; it goes with the last of them."""

    news: threading.Condition
    count: int = 0


class SharedPictures:
    """What everybody sees alike, drawn once for all who wait for it: five hundred pages, one drawing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawn: dict[tuple[str, str], _Drawn] = {}

    def picture(
        self, address: str, language: str, version: int, draw: Callable[[], bytes]
    ) -> tuple[int, bytes]:
        """``draw()`` of this address and language, and the version of it.

        What was drawn for ``version`` or a later one serves as well; all get the very same bytes.
        """
        with self._lock:
            drawn = self._drawn.setdefault((address, language), _Drawn())
        with drawn.lock:
            if drawn.version < version:
                drawn.content = draw()
                drawn.version = version
            return drawn.version, drawn.content


class _Drawn:
    """One picture, and a lock so that only one thread draws it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.version = -1
        self.content = b""
