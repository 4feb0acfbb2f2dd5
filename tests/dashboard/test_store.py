"""The store: append-only, idempotent, and on the disk when it says so; on SQLite and on PostgreSQL."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError

from dashboard.errors import EventConflictError
from dashboard.store import EventLog, IncomingEvent, Store, TableTokens, open_store, open_store_to_read
from dashboard.store.schema import METADATA


@pytest.fixture(params=["sqlite", "postgresql"])
def database_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    opened = open_store(database_url)
    yield opened
    opened.close()


only_sqlite = pytest.mark.parametrize("database_kind", ["sqlite"])


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
    with pytest.raises(DBAPIError, match=r"read-?only"), store.reading() as connection:
        connection.exec_driver_sql("DELETE FROM table_tokens")


@only_sqlite
def test_the_disk_is_written_before_it_is_acknowledged(store: Store) -> None:
    with store.writing() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


def test_a_store_opened_again_knows_all_it_knew(database_url: str) -> None:
    first = open_store(database_url)
    EventLog(first).append("1", "a", batch(1, 2, 3))
    first.close()
    second = open_store(database_url)
    again = EventLog(second)
    assert [event.sequence for event in again.after("1")] == [1, 2, 3]
    assert again.append("1", "a", batch(4)).acknowledged == 4
    second.close()


def tamper(store: Store, statement: str) -> None:
    """Change events behind the venue's back, as somebody can who holds the file."""
    with store.writing() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("DROP TRIGGER events_no_UPDATE")
            connection.exec_driver_sql("DROP TRIGGER events_no_DELETE")
        else:
            connection.exec_driver_sql("DROP TRIGGER events_no_change ON events")
        connection.exec_driver_sql(statement)


@pytest.mark.parametrize(
    ("statement", "broken_at"),
    [
        ("UPDATE events SET body = '{}' WHERE sequence = 2", 2),
        ("UPDATE events SET table_name = '2' WHERE sequence = 2", 2),
        ("UPDATE events SET epoch = 'b' WHERE sequence = 1", 1),
        ("UPDATE events SET sequence = 9 WHERE sequence = 3", 3),
        ("DELETE FROM events WHERE sequence = 1", 2),
        ("DELETE FROM events WHERE sequence = 2", 3),
    ],
)
def test_a_changed_or_missing_event_breaks_the_chain(store: Store, statement: str, broken_at: int) -> None:
    log = EventLog(store)
    log.append("1", "a", batch(1, 2, 3))
    assert log.first_broken_link() is None
    tamper(store, statement)
    broken = log.first_broken_link()
    assert broken is not None
    assert broken.id == broken_at


def test_what_is_taken_away_at_the_end_is_missed_by_who_noted_the_last_link(store: Store) -> None:
    log = EventLog(store)
    log.append("1", "a", batch(1, 2))
    noted = log.check_chain().link
    log.append("1", "a", batch(3))
    assert log.check_chain(noted).has_expected
    tamper(store, "DELETE FROM events WHERE sequence > 1")
    left = log.check_chain(noted)
    assert (left.count, left.broken, left.has_expected) == (1, None, False)


def test_who_writes_at_the_same_moment_gets_one_chain_and_one_order(database_url: str) -> None:
    stores = [open_store(database_url) for _ in range(3)]

    def write(store: Store, table: str) -> None:
        log = EventLog(store)
        for sequence in range(1, 11):
            log.append(table, "a", batch(sequence))

    threads = [threading.Thread(target=write, args=(store, str(place))) for place, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert EventLog(stores[0]).check_chain().broken is None
    assert EventLog(stores[0]).count() == 30
    for store in stores:
        store.close()


def test_looking_changes_nothing_and_makes_no_file(database_url: str, tmp_path: Path) -> None:
    open_store(database_url).close()
    store = open_store_to_read(database_url)
    assert EventLog(store).check_chain().count == 0
    with pytest.raises(DBAPIError, match=r"read-?only"):
        EventLog(store).append("1", "a", batch(1))
    store.close()
    with pytest.raises(FileNotFoundError):
        open_store_to_read(f"sqlite:///{tmp_path}/elsewhere.sqlite")
    assert not (tmp_path / "elsewhere.sqlite").exists()


def test_the_migrations_make_the_schema_that_the_code_works_with(store: Store) -> None:
    with store.writing() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


@only_sqlite
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


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6)), max_size=12))
def test_however_often_and_from_wherever_it_is_sent_it_is_stored_once_and_in_order(
    store: Store, cuts: list[tuple[int, int]]
) -> None:
    log, epoch = EventLog(store), secrets.token_hex(8)
    for start, length in [*cuts, (0, 18)]:
        acknowledged = log.append("1", epoch, batch(*range(start + 1, start + 1 + length))).acknowledged
        stored = [event.sequence for event in log.after("1") if event.epoch == epoch]
        assert stored == list(range(1, acknowledged + 1))
    assert log.first_broken_link() is None
