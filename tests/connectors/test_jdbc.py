"""Relational databases: the JDBC sink and source, tables, jobs that die, and credentials."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

from pystream.common import Row, RowKind, Types, WatermarkStrategy
from pystream.datastream import DataStream, RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.datastream.connectors import JdbcSink, JdbcSource
from pystream.datastream.connectors.jdbc import (
    JdbcExecutionOptions,
    JdbcNumericBetweenParametersProvider,
)
from pystream.errors import JobExecutionError, SourceError, UnsupportedOperationError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment
from tests.servers.databases import Database, database_at

PAIR = Types.ROW_NAMED(["n", "s"], [Types.INT(), Types.STRING()])
NONE = WatermarkStrategy.no_watermarks()


@pytest.fixture
def sqlite(tmp_path: Path) -> Database:
    return database_at(tmp_path / "test.db")


@pytest.fixture
def local() -> StreamExecutionEnvironment:
    return local_environment().set_parallelism(2)


@dataclass
class Sale:
    id: int
    amount: Decimal
    note: str | None


SALE = Types.of(Sale)


def sales(database: Database, env: StreamExecutionEnvironment, parts: int) -> DataStream[Sale]:
    """Return the stream of the sales with the ids 1 to 10, read in parts."""
    source = (
        JdbcSource.builder()
        .set_db_url(database.url)
        .set_username(database.user)
        .set_password(database.password)
        .set_sql("SELECT id, amount, note FROM sales WHERE id BETWEEN ? AND ? ORDER BY id")
        .set_jdbc_parameter_values_provider(JdbcNumericBetweenParametersProvider(1, 10).of_batch_num(parts))
        .set_type_information(SALE)
        .build()
    )
    return env.from_source(source, NONE, "sales")


@pytest.mark.time_limit(240)
@pytest.mark.promise("connector:jdbc", "JdbcSink.sink")
def test_records_are_written_and_read_in_parts(
    env2: StreamExecutionEnvironment, postgresql: Database
) -> None:
    postgresql.create("sales", ["id INT", "amount NUMERIC(9, 2)", "note TEXT"])
    made = [Sale(n, Decimal(n) / 4, None if n % 2 else f"note {n}?") for n in range(1, 11)]
    sink = JdbcSink.sink("INSERT INTO sales VALUES (?, ?, ?)", SALE, postgresql.options)
    env2.from_collection(made, SALE).rebalance().add_sink(sink)
    env2.execute()
    assert postgresql.rows("SELECT id, amount, note FROM sales ORDER BY id") == [
        (sale.id, sale.amount, sale.note) for sale in made
    ]
    assert sorted(sales(postgresql, env2, 3).execute_and_collect(), key=lambda sale: sale.id) == made


def test_a_part_is_read_in_the_order_of_the_query(env: StreamExecutionEnvironment, sqlite: Database) -> None:
    sqlite.create("sales", ["id INT", "amount TEXT", "note TEXT"])
    sqlite.execute(*(f"INSERT INTO sales VALUES ({n}, '1.5', NULL)" for n in (3, 9, 1, 4)))
    ids = [sale.id for sale in sales(sqlite, env, 2).execute_and_collect()]
    assert ids == [1, 3, 4, 9]


def test_a_value_of_another_type_is_named(env: StreamExecutionEnvironment, sqlite: Database) -> None:
    sqlite.create("sales", ["id INT", "amount TEXT", "note TEXT"])
    sqlite.execute("INSERT INTO sales VALUES (1, 'much', NULL)")
    message = "(?s)'much' in column 2 is not a value of .* for field 'amount'"
    with pytest.raises(JobExecutionError, match=message) as failure:
        sales(sqlite, env, 1).take(1)
    assert isinstance(failure.value.__cause__, SourceError)


def test_a_failing_row_fails_the_job_with_its_element(
    env: StreamExecutionEnvironment, sqlite: Database
) -> None:
    sqlite.create("pairs", ["n INT NOT NULL", "s TEXT"])
    sink = JdbcSink.sink("INSERT INTO pairs VALUES (?, ?)", PAIR, sqlite.options)
    env.from_collection([Row(1, "a"), Row(None, "b")], PAIR).add_sink(sink).name("pairs")
    message = r"(?s)'Sink: pairs'.*NOT NULL constraint failed: pairs.n; the statement.*Row\(n=None, s='b'\)"
    with pytest.raises(JobExecutionError, match=message):
        env.execute()
    assert sqlite.rows("SELECT * FROM pairs") == []


# tables


def with_tables(env: StreamExecutionEnvironment, database: Database) -> StreamTableEnvironment:
    """Return an environment with tables of words and of their counts."""
    t_env = StreamTableEnvironment.create(env)
    common = f"'connector' = 'jdbc', 'url' = '{database.url}', 'username' = '{database.user}', "
    common += f"'password' = '{database.password}'"
    parts = {"column": "n", "num": 2, "lower-bound": 1, "upper-bound": 100}
    partition = "".join(f", 'scan.partition.{key}' = '{value}'" for key, value in parts.items())
    t_env.execute_sql(
        f"CREATE TABLE words (n INT, word STRING) WITH ({common}, 'table-name' = 'words'{partition})"
    )
    t_env.execute_sql(
        "CREATE TABLE counts (word STRING, times BIGINT, PRIMARY KEY (word) NOT ENFORCED) "
        f"WITH ({common}, 'table-name' = 'counts', 'sink.parallelism' = '2')"
    )
    return t_env


def create_tables(database: Database, words: str) -> None:
    database.create("words", ["n INT", "word VARCHAR(20)"])
    database.create("counts", ["word VARCHAR(20) PRIMARY KEY", "times BIGINT"])
    database.execute(
        *(f"INSERT INTO words VALUES ({n}, '{word}')" for n, word in enumerate(words.split(), 1)),
        "INSERT INTO counts VALUES ('to', 99), ('kept', 1)",
    )


@pytest.mark.time_limit(240)
def test_counts_replace_the_rows_of_a_table(env2: StreamExecutionEnvironment, postgresql: Database) -> None:
    create_tables(postgresql, "to be or not to be")
    with_tables(env2, postgresql).execute_sql(
        "INSERT INTO counts SELECT word, COUNT(*) FROM words GROUP BY word"
    ).wait()
    found = postgresql.rows("SELECT word, times FROM counts ORDER BY word")
    assert found == [("be", 2), ("kept", 1), ("not", 1), ("or", 1), ("to", 2)]


def test_tables_of_each_system(local: StreamExecutionEnvironment, database: Database) -> None:
    create_tables(database, "to be or not to be")
    t_env = with_tables(local, database)
    t_env.execute_sql("INSERT INTO counts SELECT word, COUNT(*) FROM words GROUP BY word").wait()
    t_env.execute_sql("INSERT INTO words SELECT CAST(times AS INT) + 100, word FROM counts").wait()
    found = database.rows("SELECT word, times FROM counts ORDER BY word")
    assert found == [("be", 2), ("kept", 1), ("not", 1), ("or", 1), ("to", 2)]
    added = database.rows("SELECT word, n FROM words WHERE n > 100 ORDER BY word")
    assert added == [(word, times + 100) for word, times in found]
    with t_env.execute_sql("SELECT * FROM words").collect() as rows:  # without those beyond the bounds
        assert sorted(row.n for row in rows) == [1, 2, 3, 4, 5, 6]


def test_rows_that_leave_a_result_are_deleted(local: StreamExecutionEnvironment, sqlite: Database) -> None:
    create_tables(sqlite, "")
    t_env = with_tables(local, sqlite)
    row = Types.ROW_NAMED(["word", "times"], [Types.STRING(), Types.LONG()])
    changes = [
        Row.of_kind(RowKind.INSERT, "be", 1),
        Row.of_kind(RowKind.INSERT, "to", 99),
        Row.of_kind(RowKind.DELETE, "to", 99),
        Row.of_kind(RowKind.UPDATE_BEFORE, "be", 1),
        Row.of_kind(RowKind.UPDATE_AFTER, "be", 2),
    ]
    stream = local.from_collection(changes, row)
    t_env.from_changelog_stream(stream).execute_insert("counts").wait()
    assert sqlite.rows("SELECT word, times FROM counts ORDER BY word") == [("be", 2), ("kept", 1)]


@pytest.mark.time_limit(240)
def test_results_that_are_updated_replace_rows(local: StreamExecutionEnvironment, mariadb: Database) -> None:
    create_tables(mariadb, "")
    t_env = with_tables(local, mariadb)
    t_env.execute_sql(
        "CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '500', "
        "'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '300')"
    )
    query = "SELECT CAST(MOD(n, 3) AS STRING), COUNT(*) FROM numbers GROUP BY CAST(MOD(n, 3) AS STRING)"
    local.set_runtime_mode(RuntimeExecutionMode.STREAMING)
    t_env.execute_sql(f"INSERT INTO counts {query}").wait()
    found = mariadb.rows("SELECT word, times FROM counts ORDER BY word")
    assert found == [("0", 100), ("1", 100), ("2", 100), ("kept", 1), ("to", 99)]


def test_a_table_without_a_key_takes_no_updates(local: StreamExecutionEnvironment, sqlite: Database) -> None:
    t_env = with_tables(local, sqlite)
    changes = local.from_collection([Row.of_kind(RowKind.DELETE, 1, "a")], PAIR)
    with pytest.raises(UnsupportedOperationError, match=r"declare the PRIMARY KEY \(…\) NOT ENFORCED"):
        t_env.from_changelog_stream(changes).execute_insert("words")


# jobs that die

DYING = """
import os, signal, sys, time
from pathlib import Path
from pystream.common import Configuration, Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import (
    Committer, CommittingSinkWriter, DataGeneratorSource, JdbcSink, RateLimiterStrategy,
    TwoPhaseCommittingSink,
)
from pystream.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcExecutionOptions

url, user, password, directory, resumes = sys.argv[1:]
died = Path(directory, "died")

class Dying(TwoPhaseCommittingSink):
    def create_writer(self, context):
        return DyingWriter()
    def create_committer(self, context):
        return Nothing()

class DyingWriter(CommittingSinkWriter):
    last = 0
    def write(self, element, context):
        self.last = element[0]
    def prepare_commit(self):
        if self.last > 50 and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return []

class Nothing(Committer):
    def commit(self, checkpoint_id, committables):
        pass

env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict({
    "pystream.runner": "local",
    "execution.checkpointing.dir": directory + "/checkpoints",
    "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
    "pystream.resume": resumes,
}))
env.set_parallelism(1)
LONG = Types.LONG()
PAIR = Types.TUPLE((LONG, LONG))
rate = RateLimiterStrategy.per_second(400)
source = DataGeneratorSource(int, DataGeneratorSource.UNBOUNDED, rate, type_info=LONG)
numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
sums = (
    numbers.map(lambda n: (n, n), PAIR)
    .key_by(lambda pair: pair[0] % 2, LONG)
    .reduce(lambda a, b: (b[0], a[1] + b[1]))
)
options = JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url(url)
options = options.with_user_name(user).with_password(password).build()
at_once = JdbcExecutionOptions.builder().with_batch_size(1).build()
upsert = "INSERT INTO sums VALUES (?, ?) ON CONFLICT (n) DO UPDATE SET total = excluded.total"
sums.add_sink(JdbcSink.sink(upsert, PAIR, options, at_once))
sums.add_sink(JdbcSink.sink("INSERT INTO log VALUES (?, ?)", PAIR, options, at_once))
sums.sink_to(Dying())
client = env.execute_async("dying")
for line in sys.stdin:
    break
client.cancel().result()
"""


@pytest.mark.time_limit(240)
def test_an_upsert_makes_it_exactly_once_if_a_job_dies_between_flush_and_commit(
    tmp_path: Path, postgresql: Database
) -> None:
    postgresql.create("sums", ["n BIGINT PRIMARY KEY", "total BIGINT"])
    postgresql.create("log", ["n BIGINT", "total BIGINT"])
    script = tmp_path / "dying.py"
    script.write_text(DYING)

    def start(resumes: str) -> subprocess.Popen[str]:
        login = postgresql.url, postgresql.user, postgresql.password
        command = [sys.executable, str(script), *login, str(tmp_path), resumes]
        path = os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")])
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    first = start("false")
    assert first.wait(timeout=60) == -signal.SIGKILL, first.communicate()[0]
    first.communicate()
    flushed = postgresql.rows("SELECT count(*) FROM sums")[0][0]
    assert flushed > 50

    second = start("true")
    try:
        while postgresql.rows("SELECT count(*) FROM sums")[0][0] < flushed + 50:
            assert second.poll() is None, second.communicate()[0]
        output, _ = second.communicate("stop\n", timeout=60)
    finally:
        second.kill()
    assert second.returncode == 0, output

    found = postgresql.rows("SELECT n, total FROM sums ORDER BY n")
    assert found == [(n, sum(range(n % 2, n + 1, 2))) for n in range(len(found))]
    logged = Counter(postgresql.rows("SELECT n, total FROM log"))
    assert set(logged) == set(found)
    assert max(logged.values()) == 2  # at least once

    kept = b"".join(path.read_bytes() for path in (tmp_path / "checkpoints").rglob("*") if path.is_file())
    assert postgresql.password.encode() not in kept
    assert b"dying" in kept


# credentials

SECRET = "s3cr3t-of-nobody"


def test_credentials_are_shown_nowhere(
    local: StreamExecutionEnvironment,
    sqlite: Database,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    nowhere = Database(
        "postgresql", f"jdbc:postgresql://127.0.0.1:1/x?password={SECRET}", "me", SECRET, lambda: None
    )
    no_retry = JdbcExecutionOptions.builder().with_max_retries(0).build()
    sink = JdbcSink.sink("INSERT INTO t VALUES (?, ?)", PAIR, nowhere.options, no_retry)
    shown = [repr(nowhere.options), repr(sink), repr(sink.bind(PAIR)), str(nowhere.options)]
    shown += [repr(sales(nowhere, local, 1))]

    pairs = local.from_collection([Row(1, "a")], PAIR)
    pairs.add_sink(sink)
    shown += [local.get_execution_plan(), repr(pairs)]
    with pytest.raises(
        JobExecutionError, match=r"cannot write to jdbc:postgresql://127.0.0.1:1/x, after one try"
    ) as failure:
        local.execute()
    shown += [repr(failure.value), str(failure.value), str(failure.value.__cause__)]
    with pytest.raises(
        JobExecutionError, match=r"cannot connect to jdbc:postgresql://127.0.0.1:1/x by"
    ) as failure:
        sales(nowhere, local, 1).take(1)
    shown += [repr(failure.value), str(failure.value), str(failure.value.__cause__)]

    t_env = with_tables(local, nowhere)
    shown += [
        t_env.explain_sql("SELECT * FROM words"),
        repr(t_env.from_path("words")),
        str(t_env.list_tables()),
    ]
    shown += [t_env.explain_sql("INSERT INTO counts SELECT word, COUNT(*) FROM words GROUP BY word")]
    for wrong in ("'scan.partition.num' = '3'", "'sink.parallelism' = 'x'", "'magic' = 'y'"):
        options = f"'url' = '{nowhere.url}', 'password' = '{SECRET}', 'table-name' = 'x', {wrong}"
        with pytest.raises(ValueError) as error:
            t_env.execute_sql(f"CREATE TABLE w (n INT) WITH ('connector' = 'jdbc', {options})")
        shown.append(str(error.value))
    shown += [caplog.text, *capfd.readouterr()]
    assert [text for text in shown if SECRET in text] == []
    assert all(shown[:8])
