"""Many lines on all cores: each process scores a part of the file, and the results come in its order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Final

from capture.command_line.score_lines import lines_of, results_of_lines
from capture.errors import SettingsError

BLOCKS_AHEAD: Final = 2
"""How many blocks wait for each process, so that none is ever without work nor the whole file in memory."""

_Scored = tuple[str, tuple[str, str] | None]
"""(the results, one a line; the Dutch and the English of what stopped them, if anything did)"""


def results_of_blocks(blocks: Iterator[bytes], name: str) -> Iterator[str]:
    """The results of the deals in ``blocks``, each of whole lines; one text for each block that has any.

    Raises:
        SettingsError: for what is no deal, with the number of its line, after the results before it.
    """
    with _executor() as executor:
        waiting: deque[Future[_Scored]] = deque()
        try:
            for number, block in _numbered(blocks):
                waiting.append(executor.submit(_scored, number, block, name))
                if len(waiting) > BLOCKS_AHEAD * _cores():
                    yield from _told(waiting.popleft())
            while waiting:
                yield from _told(waiting.popleft())
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _executor() -> Executor:
    if _cores() == 1:
        return ThreadPoolExecutor(1)
    # Forked processes would inherit whatever threads the libraries of pictures have begun.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(_cores(), mp_context=context, initializer=_leave_interrupts)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that prints."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _numbered(blocks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """The blocks, with the number of the first line of each."""
    number = 1
    for block in blocks:
        yield number, block
        number += block.count(b"\n")


def _scored(first_number: int, block: bytes, name: str) -> _Scored:
    results: list[str] = []
    try:
        for part in results_of_lines(lines_of(block, first_number), name):
            results.append(part)
    except SettingsError as error:
        return "\n".join(results), (error.dutch, error.english)
    return "\n".join(results), None


def _told(future: Future[_Scored]) -> Iterator[str]:
    results, wrong = future.result()
    if results:
        yield results
    if wrong is not None:
        raise SettingsError(*wrong)
