"""The JDBC sink: batches, retries and errors, against real databases."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from pystream.common import Instant, Row, RowKind, Types
from pystream.datastream.connectors.jdbc import JdbcExecutionOptions, JdbcSink
from pystream.engine.connectors.jdbc.batches import BoundStatement
from pystream.engine.connectors.jdbc.changes import ChangesOutput
from pystream.engine.connectors.jdbc.columns import ColumnKind, column_kinds
from pystream.engine.connectors.jdbc.sink import Flushing, JdbcOutput, JdbcWriter
from pystream.engine.failure import ElementFailure
from pystream.errors import SinkError
from tests.servers.availability import server_or_skip
from tests.servers.databases import Database, database_at
from tests.servers.mariadb import MariadbServer
from tests.servers.postgresql import PostgresqlServer
from typeinfo import TypeInformation

PAIR = Types.ROW_NAMED(["n", "s"], [Types.INT(), Types.STRING()])
PAIRS = ["n INT NOT NULL", "s VARCHAR(20)"]


@contextmanager
def writer_of(
    database: Database,
    sql: str = "INSERT INTO pairs VALUES (?, ?)",
    type_info: TypeInformation[Any] = PAIR,
    size: int = 5000,
    interval: int = 0,
    retries: int = 3,
) -> Iterator[JdbcWriter]:
    options = JdbcExecutionOptions.builder().with_batch_size(size).with_batch_interval_ms(interval)
    options.with_max_retries(retries)
    output = JdbcSink.sink(sql, type_info, database.options, options.build()).bind(type_info)
    with opened(output) as writer:
        yield writer


@contextmanager
def opened(output: JdbcOutput) -> Iterator[JdbcWriter]:
    with closing(JdbcWriter(output)) as writer:
        yield writer


def pairs(*numbers: int) -> list[Any]:
    return [Row(n=n, s=f"number {n}") for n in numbers]


def numbers_in(database: Database) -> list[int]:
    return sorted(n for (n,) in database.rows("SELECT n FROM pairs"))


# batches


def test_rows_are_written_when_there_are_enough_and_at_the_end(database: Database) -> None:
    database.create("pairs", PAIRS)
    with writer_of(database, size=3) as writer:
        writer.write(pairs(1, 2))
        assert numbers_in(database) == []
        writer.write(pairs(3, 4, 5, 6, 7))
        assert numbers_in(database) == [1, 2, 3, 4, 5, 6]
        writer.finish(end_of_input=False)
        assert numbers_in(database) == [1, 2, 3, 4, 5, 6, 7]
        writer.write(pairs(8))
    assert numbers_in(database) == [1, 2, 3, 4, 5, 6, 7]


def test_rows_are_written_after_the_interval(database: Database) -> None:
    database.create("pairs", PAIRS)
    with writer_of(database, size=0, interval=20) as writer:
        writer.write(pairs(1))
        end = time.monotonic() + 10
        while numbers_in(database) != [1]:
            assert time.monotonic() < end


def test_a_failure_after_the_interval_is_raised_by_what_comes_next(database: Database) -> None:
    database.create("pairs", PAIRS)
    with writer_of(database, interval=20) as writer:
        writer.write([Row(n=None, s="nothing")])
        with pytest.raises(ElementFailure, match="nothing"):
            write_on(writer)


def write_on(writer: JdbcWriter) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        writer.write([])


def test_any_statement_that_changes_data(database: Database) -> None:
    database.create("pairs", PAIRS)
    database.execute("INSERT INTO pairs VALUES (1, 'one?'), (2, '50%')")
    pair = Types.TUPLE((Types.STRING(), Types.INT()))
    with writer_of(database, "UPDATE pairs SET s = ? WHERE n = ? AND s <> '%?'", pair) as writer:
        writer.write([("uno", 1)])
        writer.finish()
    with writer_of(database, "DELETE FROM pairs WHERE s LIKE ?", Types.TUPLE((Types.STRING(),))) as writer:
        writer.write([("50%",)])
        writer.finish()
    with writer_of(database, "INSERT INTO pairs SELECT n + 1, s FROM pairs", Types.ROW([])) as writer:
        writer.write([Row()])
        writer.finish()
    assert database.rows("SELECT n, s FROM pairs ORDER BY n") == [(1, "uno"), (2, "uno")]


@dataclass
class Order:
    id: int
    note: str | None
    at: Instant


def test_records_and_tuples(database: Database) -> None:
    database.create("orders", ["id INT", "note VARCHAR(9)", f"at {database.types[ColumnKind.TIMESTAMP]}"])
    orders = Types.of(Order)
    with writer_of(database, "INSERT INTO orders VALUES (?, ?, ?)", orders) as writer:
        writer.write([Order(1, None, Instant(1_700_000_000)), Order(2, "two", Instant(0x7000_0000))])
        writer.finish()
    assert [
        (id, note, str(at)[:19]) for id, note, at in database.rows("SELECT * FROM orders ORDER BY id")
    ] == [
        (1, None, "2023-11-14 22:13:20"),
        (2, "two", "2029-07-18 05:49:52"),
    ]


# errors


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_wrong_element_is_named_and_its_batch_is_not_written(database: Database, place: int) -> None:
    database.create("pairs", PAIRS)
    rows = pairs(1, 2, 3)
    rows[place] = Row(n=None, s="missing")
    with writer_of(database) as writer:
        writer.write(rows)
        with pytest.raises(ElementFailure, match=r"Row\(n=None, s='missing'\)") as failure:
            writer.finish()
    cause = failure.value.__cause__
    assert isinstance(cause, SinkError)
    name = "NotNullViolation" if database.system == "postgresql" else "IntegrityError"
    assert str(cause).startswith(f"cannot write to {database.url}: {name}: ")
    assert str(cause).endswith("the statement is INSERT INTO pairs VALUES (?, ?)")
    assert numbers_in(database) == []


def test_a_wrong_statement_is_not_retried(database: Database) -> None:
    with writer_of(database, "INSERT INTO missing_table VALUES (?, ?)", retries=1000) as writer:
        writer.write(pairs(1))
        started = time.monotonic()
        with pytest.raises(ElementFailure) as failure:
            writer.finish()
    assert time.monotonic() - started < 5
    assert "missing_table" in str(failure.value.__cause__)


def test_an_element_of_another_type_is_named(database: Database) -> None:
    with writer_of(database) as writer, pytest.raises(ElementFailure, match="'three'"):
        writer.write([Row(n=1, s="one"), Row(n="three", s="3")])


def test_numbers_that_a_system_does_not_have(database: Database) -> None:
    database.create("floats", [f"x {database.types[ColumnKind.DOUBLE]}"])
    value = Types.ROW_NAMED(["x"], [Types.DOUBLE()])
    with writer_of(database, "INSERT INTO floats VALUES (?)", value) as writer:
        writer.write([Row(x=1.5), Row(x=float("nan"))])
        if database.system == "postgresql":
            writer.finish()
            assert len(database.rows("SELECT x FROM floats")) == 2
        else:
            with pytest.raises(ElementFailure, match=r"Row\(x=nan\)"):
                writer.finish()


@pytest.mark.parametrize("system", ["postgresql", "mariadb"])
def test_a_wrong_password_is_in_no_message(system: str, request: pytest.FixtureRequest) -> None:
    found: Database = request.getfixturevalue(system)
    wrong = Database(
        found.system, f"{found.url}?password=not-the-secret", found.user, "not-the-secret", found.connect
    )
    with writer_of(wrong, retries=0) as writer:
        writer.write(pairs(1))
        with pytest.raises((ElementFailure, SinkError)) as failure:
            writer.finish()
    text = f"{failure.value} {failure.value.__cause__}"
    assert "cannot write to jdbc:" in text
    assert "not-the-secret" not in text


# retries


def test_a_locked_database_is_retried(tmp_path: Any) -> None:
    database = database_at(tmp_path / "test.db")
    database.create("pairs", PAIRS)
    impatient = Database("sqlite", f"{database.url}?busy_timeout=1", "", "", database.connect)
    lock = database.connect()
    lock.execute("BEGIN IMMEDIATE")
    with writer_of(impatient, retries=0) as writer:
        writer.write(pairs(1))
        with pytest.raises(
            SinkError, match=r"after one try: OperationalError: database is locked; the statement"
        ):
            writer.finish()
    with writer_of(impatient, retries=20) as writer:
        writer.write(pairs(1, 2))
        thread = threading.Thread(target=writer.finish)
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
        lock.rollback()
        thread.join(30)
    lock.close()
    assert numbers_in(database) == [1, 2]


@pytest.mark.time_limit(120)
@pytest.mark.parametrize("kind", [PostgresqlServer, MariadbServer])
def test_a_server_that_was_killed_is_connected_to_again(kind: Any) -> None:
    with server_or_skip(kind) as server:
        database = database_at(server)
        database.create("pairs", PAIRS)
        with writer_of(database, size=2, retries=10) as writer:
            writer.write(pairs(1, 2, 3))
            server.process.kill()
            restart = threading.Thread(target=server.process.start)
            restart.start()
            writer.finish()
            restart.join()
            writer.write(pairs(4))
            writer.finish()
        assert numbers_in(database) == [1, 2, 3, 4]
        server.process.kill()
        with writer_of(database, retries=1) as writer:
            writer.write(pairs(5))
            with pytest.raises(SinkError, match=rf"cannot write to {database.url}, after 2 tries: "):
                writer.finish()


def test_transactions_in_a_deadlock_are_retried(postgresql: Database) -> None:
    postgresql.create("pairs", ["n INT PRIMARY KEY", "s VARCHAR(20)"])
    postgresql.execute("INSERT INTO pairs VALUES (1, ''), (2, '')")
    swapped = Types.TUPLE((Types.STRING(), Types.INT()))
    with (
        postgresql.connect() as other,
        writer_of(postgresql, "UPDATE pairs SET s = ? WHERE n = ?", swapped) as writer,
    ):
        other.autocommit = False
        other.execute("UPDATE pairs SET s = 'other' WHERE n = 2")
        writer.write([("writer", 1), ("writer", 2)])
        thread = threading.Thread(target=writer.finish)
        thread.start()
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        while postgresql.rows(waiting) == [(0,)]:
            assert thread.is_alive()
        other.execute("SET deadlock_timeout = '1h'")  # so that the writer is the one that gives way
        other.execute("UPDATE pairs SET s = 'other' WHERE n = 1")
        other.commit()
        thread.join(30)
    assert postgresql.rows("SELECT * FROM pairs ORDER BY n") == [(1, "writer"), (2, "writer")]


# changes of a table with a primary key


def changes(database: Database, size: int = 0) -> ChangesOutput:
    kinds = column_kinds(PAIR, "test")
    connection = database.options._database
    insert = connection.upsert("INSERT INTO pairs (n, s) VALUES (?, ?)", ["n", "s"], ["n"])
    return ChangesOutput(
        connection,
        PAIR,
        Flushing(size, 0, 3),
        BoundStatement(insert, (0, 1), kinds),
        BoundStatement("DELETE FROM pairs WHERE n = ?", (0,), kinds),
        (0,),
    )


def change(kind: RowKind, n: int, s: str) -> Row[Any]:
    row: Row[Any] = Row(n=n, s=s)
    row.set_row_kind(kind)
    return row


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([change(RowKind.INSERT, 1, "a"), change(RowKind.INSERT, 1, "b")], [(1, "b")]),
        ([change(RowKind.INSERT, 1, "a"), change(RowKind.DELETE, 1, "a")], []),
        ([change(RowKind.DELETE, 9, "old"), change(RowKind.INSERT, 9, "new")], [(9, "new")]),
        ([change(RowKind.UPDATE_BEFORE, 9, "old"), change(RowKind.UPDATE_AFTER, 9, "x")], [(9, "x")]),
        ([change(RowKind.UPDATE_BEFORE, 9, "old"), change(RowKind.UPDATE_AFTER, 8, "old")], [(8, "old")]),
    ],
)
def test_the_last_change_of_a_key_counts(
    database: Database, rows: Sequence[Row[Any]], found: list[Any]
) -> None:
    database.create("pairs", ["n INT PRIMARY KEY", "s VARCHAR(20)"])
    database.execute("INSERT INTO pairs VALUES (9, 'old')")
    if all(row[0] != 9 for row in rows):
        found = [*found, (9, "old")]
    for size in (0, 1):
        with opened(changes(database, size)) as writer:
            writer.write(list(rows))
            writer.finish()
        assert database.rows("SELECT * FROM pairs ORDER BY n") == found
        database.execute("DELETE FROM pairs", "INSERT INTO pairs VALUES (9, 'old')")


def test_a_row_is_not_missing_while_its_update_is_on_the_way(database: Database) -> None:
    database.create("pairs", ["n INT PRIMARY KEY", "s VARCHAR(20)"])
    database.execute("INSERT INTO pairs VALUES (9, 'old')")
    with opened(changes(database, 1)) as writer:
        writer.write([change(RowKind.UPDATE_BEFORE, 9, "old"), change(RowKind.INSERT, 1, "a")])
        assert database.rows("SELECT * FROM pairs ORDER BY n") == [(1, "a"), (9, "old")]
        writer.write([change(RowKind.UPDATE_AFTER, 9, "new")])
        assert database.rows("SELECT * FROM pairs ORDER BY n") == [(1, "a"), (9, "new")]
