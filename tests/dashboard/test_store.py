"""The store: append-only, idempotent, and on the disk when it says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError

from dashboard.errors import EventConflictError
from dashboard.store import EventLog, IncomingEvent, Store, TableTokens, open_store
from dashboard.store.schema import METADATA


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path}/store.sqlite")


def batch(*sequences: int, text: str = "") -> list[IncomingEvent]:
    return [IncomingEvent(sequence, f'{{"n":{sequence}{text}}}') for sequence in sequences]


def test_what_is_sent_twice_is_stored_once(store: Store) -> None:
    log = EventLog(store)
    assert log.append("1", "a", batch(1, 2)).acknowledged == 2
    again = log.append("1", "a", batch(1, 2, 3))
    assert (again.acknowledged, again.stored) == (3, 1)
    assert [event.sequence for event in log.after("1")] == [1, 2, 3]


def test_tables_and_epochs_count_for_themselves(store: Store) -> None:
    log = EventLog(store)
    for table, epoch in (("1", "a"), ("1", "b"), ("2", "a")):
        assert log.append(table, epoch, batch(1)).acknowledged == 1
    assert [(event.epoch, event.sequence) for event in log.after("1")] == [("a", 1), ("b", 1)]


def test_a_gap_is_not_stored_and_the_answer_says_where_to_go_on(store: Store) -> None:
    log = EventLog(store)
    log.append("1", "a", batch(1, 2))
    assert log.append("1", "a", batch(4, 5)).acknowledged == 2
    assert log.append("1", "a", batch(3, 4, 5)).acknowledged == 5


def test_other_content_under_the_same_key_is_refused_with_the_whole_batch(store: Store) -> None:
    log = EventLog(store)
    log.append("1", "a", batch(1, 2))
    with pytest.raises(EventConflictError) as refused:
        log.append("1", "a", [*batch(1), *batch(2, text=',"other":1'), *batch(3)])
    assert refused.value.sequence == 2
    assert [event.sequence for event in log.after("1")] == [1, 2]


@pytest.mark.parametrize("statement", ["DELETE FROM events", "UPDATE events SET body = '{}'"])
def test_events_cannot_be_changed_or_taken_away(store: Store, statement: str) -> None:
    log = EventLog(store)
    log.append("1", "a", batch(1))
    with pytest.raises(DBAPIError, match="append-only"), store.writing() as connection:
        connection.exec_driver_sql(statement)
    assert len(log.after("1")) == 1


def test_readers_cannot_write(store: Store) -> None:
    with pytest.raises(DBAPIError, match="readonly"), store.reading() as connection:
        connection.exec_driver_sql("DELETE FROM table_tokens")


def test_the_disk_is_written_before_it_is_acknowledged(store: Store) -> None:
    with store.writing() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


def test_a_store_opened_again_knows_all_it_knew(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/again.sqlite"
    first = open_store(url)
    EventLog(first).append("1", "a", batch(1, 2, 3))
    first.close()
    again = EventLog(open_store(url))
    assert [event.sequence for event in again.after("1")] == [1, 2, 3]
    assert again.append("1", "a", batch(4)).acknowledged == 4


def test_a_changed_event_breaks_the_chain(store: Store) -> None:
    log = EventLog(store)
    log.append("1", "a", batch(1, 2, 3))
    assert log.first_broken_link() is None
    with store.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER events_no_UPDATE")
        connection.exec_driver_sql("UPDATE events SET body = '{}' WHERE sequence = 2")
    broken = log.first_broken_link()
    assert broken is not None
    assert (broken.id, broken.table, broken.sequence, broken.count) == (2, "1", 2, 1)


def test_the_migrations_make_the_schema_that_the_code_works_with(store: Store) -> None:
    with store.writing() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_only_the_hash_of_a_token_is_kept_and_it_can_be_taken_back(store: Store, tmp_path: Path) -> None:
    tokens = TableTokens(store)
    token = tokens.create("7")
    store.close()
    for path in tmp_path.iterdir():
        assert token.encode() not in path.read_bytes()
    assert tokens.table_of(token) == "7"
    assert tokens.table_of(token + "x") is None
    assert tokens.revoke_all("7") == 1
    assert tokens.table_of(token) is None


@settings(max_examples=30, deadline=None)
@given(cuts=st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6)), max_size=12))
def test_however_often_and_from_wherever_it_is_sent_it_is_stored_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[tuple[int, int]]
) -> None:
    log = EventLog(open_store(f"sqlite:///{tmp_path_factory.mktemp('log')}/a.sqlite"))
    for start, length in [*cuts, (0, 18)]:
        acknowledged = log.append("1", "a", batch(*range(start + 1, start + 1 + length))).acknowledged
        assert [event.sequence for event in log.after("1")] == list(range(1, acknowledged + 1))
    assert log.first_broken_link() is None
