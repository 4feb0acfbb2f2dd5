"""The journal: what was written is there after ``kill -9``, in order, once, and never changes."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from capture.errors import JournalError
from capture.journal import Journal
from tests.capture.some_events import some_events

VENUE = "http://zaal.local:8000"


def test_events_come_back_as_they_were_and_in_order(tmp_path: Path) -> None:
    events = some_events(40)
    with Journal(tmp_path / "journal.sqlite") as journal:
        epoch = journal.start_epoch("1", "film.mp4", None)
        journal.append(epoch, events[:1])
        journal.append(epoch, events[1:33])
        journal.append(epoch, ())
        journal.append(epoch, events[33:])
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert journal.events(epoch) == events


def test_each_run_has_its_own_numbers(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        first = journal.start_epoch("1", "film.mp4", None)
        second = journal.start_epoch("1", "film.mp4", None)
        journal.append(first, some_events(2))
        journal.append(second, some_events(3))
        assert first != second
        assert len(journal.events(first)) == 2
        assert len(journal.events(second)) == 3


def test_what_the_venue_has_is_not_offered_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        epoch = journal.start_epoch("1", "film.mp4", VENUE)
        journal.append(epoch, some_events(5))
        batch = journal.next_batch("1", VENUE, limit=3)
        assert batch is not None
        assert [number for number, _ in batch.events] == [1, 2, 3]
        assert journal.next_batch("1", VENUE, limit=3) == batch
        journal.acknowledge(epoch, 3)
        batch = journal.next_batch("1", VENUE, limit=3)
        assert batch is not None
        assert [number for number, _ in batch.events] == [4, 5]
        journal.acknowledge(epoch, batch.last_sequence)
        assert journal.next_batch("1", VENUE, limit=3) is None


def test_an_earlier_run_goes_first_and_only_to_the_venue_that_it_was_meant_for(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        for table, venue in [("1", VENUE), ("1", None), ("2", VENUE), ("1", "http://other"), ("1", VENUE)]:
            journal.append(journal.start_epoch(table, "film.mp4", venue), some_events(2, table))
            time.sleep(0.002)
        assert journal.count_undelivered("1", VENUE) == 4
        seen = []
        while (batch := journal.next_batch("1", VENUE, limit=100)) is not None:
            seen.append(batch)
            journal.acknowledge(batch.epoch, batch.last_sequence)
        assert [(batch.table, len(batch.events)) for batch in seen] == [("1", 2), ("1", 2)]
        assert seen[0].epoch < seen[1].epoch or seen[0].epoch[:16] == seen[1].epoch[:16]


def test_events_can_not_be_changed_or_removed_even_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        journal.append(journal.start_epoch("1", "film.mp4", None), some_events(1))
    with contextlib.closing(sqlite3.connect(path)) as database:
        for statement in ("UPDATE event SET document = ''", "DELETE FROM event"):
            with pytest.raises(sqlite3.IntegrityError, match="events are never"):
                database.execute(statement)


def test_the_disk_is_asked_to_keep_each_event(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert journal._execute("PRAGMA synchronous", ()) == [(2,)]
        assert journal._execute("PRAGMA journal_mode", ()) == [("wal",)]


WRITER = """
import sys
from pathlib import Path
from capture.journal import Journal
from tests.capture.some_events import some_events
journal = Journal(Path(sys.argv[1]))
epoch = journal.start_epoch("1", "film.mp4", None)
print(epoch, flush=True)
for number, event in enumerate(some_events(100_000), start=1):
    journal.append(epoch, [event])
    print(number, flush=True)
"""


def test_what_was_told_survives_kill_9_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    for pause_s in (0.0, 0.013, 0.05, 0.1, 0.17):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            epoch = writer.stdout.readline().strip()
            writer.stdout.readline()
            time.sleep(pause_s)
            os.kill(writer.pid, signal.SIGKILL)
            told = [line for line in writer.stdout.read().split("\n") if line]
        last_told = int(told[-1]) if told else 1
        with Journal(path) as journal:
            kept = journal.events(epoch)
        # One more may be on the disk than was told of; never one fewer, never another.
        assert last_told <= len(kept) <= last_told + 1
        assert kept == some_events(len(kept))


def test_two_tables_can_write_to_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal(path) as first, Journal(path) as second:
        epochs = [first.start_epoch("1", "a", None), second.start_epoch("2", "b", None)]
        for event in some_events(20):
            first.append(epochs[0], [event])
            second.append(epochs[1], [event])
        assert second.events(epochs[0]) == first.events(epochs[1]) == some_events(20)


def test_a_journal_in_memory_leaves_no_file(tmp_path: Path) -> None:
    with Journal(None) as journal:
        epoch = journal.start_epoch("1", "film.mp4", None)
        journal.append(epoch, some_events(3))
        assert journal.events(epoch) == some_events(3)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_journal_is_left_alone_and_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_text("a letter to my aunt " * 100)
    with pytest.raises(JournalError, match="--journal") as caught:
        Journal(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_text().startswith("a letter")


def test_a_journal_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="version 99"):
        Journal(path)


def test_a_folder_that_can_not_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError):
        Journal(tmp_path / "file" / "journal.sqlite")
