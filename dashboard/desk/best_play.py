"""What best play would have brought, asked of a process of its own: bounded, one at a time, and kept."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from rules import Card, Deal, Seat, Team, deal_to_document, parse_card

_COMMAND: Final = (sys.executable, "-m", "dashboard.desk.best_play_process")
_MOST_KEPT: Final = 512
_MOST_WAITING: Final = 8


class Search(Enum):
    """How far a search is."""

    RUNNING = "running"
    DONE = "done"
    IMPOSSIBLE = "impossible"
    TOO_LONG = "too_long"
    TOO_BUSY = "too_busy"


@dataclass(frozen=True, slots=True)
class TurnReview:
    """What a turn was worth: the cards that lost nothing, and what the one that was played cost in points."""

    best: tuple[Card, ...]
    lost: int | None


@dataclass(frozen=True, slots=True)
class BestPlayed:
    """The answer.

    from_trick: the tricks before it are as they were played. points, roem: what best play brings on the
    tellijst. line: one best way to play. turns: by trick and position.
    """

    from_trick: int
    points: Mapping[Team, int]
    roem: Mapping[Team, int]
    line: tuple[tuple[Seat, Card], ...]
    turns: Mapping[tuple[int, int], TurnReview]


@dataclass(frozen=True, slots=True)
class SearchState:
    """How far it is; ``answer`` once it is done."""

    search: Search
    answer: BestPlayed | None = None


class BestPlays:
    """Searches in the background; what was found stays until newer answers push it out.

    timeout_s: a search that takes longer is ended and not tried again for the same deal.
    """

    def __init__(self, timeout_s: float, command: Sequence[str] = _COMMAND) -> None:
        self._timeout_s = timeout_s
        self._command = tuple(command)
        self._lock = threading.Lock()
        self._turn = threading.Semaphore(1)
        self._known: OrderedDict[str, SearchState] = OrderedDict()
        self._waiting = 0

    def ask(self, deal: Deal) -> SearchState:
        """How far the search for this deal is; the first time it is started. Never waits."""
        document = json.dumps(deal_to_document(deal), sort_keys=True)
        key = hashlib.sha256(document.encode()).hexdigest()
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known
            if self._waiting >= _MOST_WAITING:
                return SearchState(Search.TOO_BUSY)
            self._waiting += 1
            self._known[key] = SearchState(Search.RUNNING)
        # A daemon: a search must never keep the venue from stopping.
        threading.Thread(target=self._search, args=(key, document), daemon=True).start()
        return SearchState(Search.RUNNING)

    def _search(self, key: str, document: str) -> None:
        with self._turn:
            state = self._ask_process(document)
        with self._lock:
            self._waiting -= 1
            self._known[key] = state
            while len(self._known) > _MOST_KEPT:
                self._known.popitem(last=False)

    def _ask_process(self, document: str) -> SearchState:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        try:
            ended = subprocess.run(
                self._command,
                input=document,
                capture_output=True,
                text=True,
                env=environment,
                timeout=self._timeout_s,
                check=True,
            )
            found = json.loads(ended.stdout)
        except subprocess.TimeoutExpired:
            return SearchState(Search.TOO_LONG)
        except (OSError, subprocess.CalledProcessError, ValueError):
            return SearchState(Search.IMPOSSIBLE)
        return SearchState(Search.IMPOSSIBLE) if "impossible" in found else _read(found)


def _read(found: Mapping[str, Any]) -> SearchState:
    answer = BestPlayed(
        from_trick=found["from_trick"],
        points={team: found["points"][team.value] for team in Team},
        roem={team: found["roem"][team.value] for team in Team},
        line=tuple((Seat(seat), parse_card(card)) for seat, card in found["line"]),
        turns={
            (turn["trick"], turn["position"]): TurnReview(
                tuple(parse_card(card) for card in turn["best"]), turn["lost"]
            )
            for turn in found["turns"]
        },
    )
    return SearchState(Search.DONE, answer)
