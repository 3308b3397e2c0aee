"""The sink of Cassandra with a real server, which is killed and started again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Instant, Row, Types, WatermarkStrategy
from pystream.common.restart_strategy import RestartStrategies
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.connectors.cassandra import (
    CassandraCommitter,
    CassandraFailureHandler,
    CassandraSink,
    ClusterBuilder,
    ConsistencyLevel,
    MapperOptions,
)
from pystream.errors import JobExecutionError, SinkError
from tests.servers.availability import server_or_skip
from tests.servers.cassandra import CassandraNode

pytestmark = pytest.mark.time_limit(240)

KEYSPACE = "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
PAIR = Types.TUPLE([Types.STRING(), Types.LONG()])
PATIENCE = 60  # seconds


@dataclass
class Order:
    """An order."""

    id: int
    day: date
    price: Decimal
    tags: list[str]
    at: Instant


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CassandraNode]:
    """The node that all tests share."""
    with server_or_skip(lambda: CassandraNode(tmp_path_factory.mktemp("cassandra"))) as node:
        node.session.execute(KEYSPACE)
        yield node


def table(node: CassandraNode, name: str, columns: str = "key text PRIMARY KEY, count bigint") -> str:
    node.session.execute(f"CREATE TABLE shop.{name} ({columns})")
    return f"INSERT INTO shop.{name} (key, count) VALUES (?, ?)"


@pytest.mark.promise("connector:cassandra")
def test_elements_become_rows(env: StreamExecutionEnvironment, node: CassandraNode, host: str) -> None:
    pairs = env.from_collection([("a", 1), ("b", 2), ("a", 3)], PAIR)
    insert = table(node, f"pairs_{host}")
    CassandraSink.add_sink(pairs).set_query(insert).set_host("127.0.0.1", node.port).build().name("pairs")
    columns = "id bigint PRIMARY KEY, day date, price decimal, tags list<text>, at timestamp"
    table(node, f"orders_{host}", columns)
    order = Order(7, date(2020, 1, 2), Decimal("9.90"), ["x", "y"], Instant.of_epoch_milli(1_500))
    orders = env.from_collection([order], Types.of(Order))
    query = f"INSERT INTO shop.orders_{host} (id, day, price, tags, at) VALUES (?, ?, ?, ?, ?)"
    CassandraSink.add_sink(orders).set_query(query).set_host("127.0.0.1", node.port).build()
    env.execute()
    assert node.rows(f"SELECT * FROM shop.pairs_{host}") == [("a", 3), ("b", 2)]
    ((key, at, day, price, tags),) = node.rows(f"SELECT * FROM shop.orders_{host}")
    assert (key, at.timestamp(), str(day), str(price), tags) == (7, 1.5, "2020-01-02", "9.90", ["x", "y"])


def test_statements_are_executed_as_the_options_say(
    local_env: StreamExecutionEnvironment, node: CassandraNode
) -> None:
    insert = table(node, "options")
    node.session.execute("INSERT INTO shop.options (key, count) VALUES ('kept', 1)")
    port = node.port

    def connected() -> Any:
        from cassandra.cluster import Cluster

        return Cluster(["127.0.0.1"], port=port)

    nullable = Types.ROW([Types.STRING(), Types.LONG()])
    rows = local_env.from_collection([Row("kept", None), Row("old", 1)], nullable)
    options = MapperOptions().consistency_level(ConsistencyLevel.ALL).timestamp(1_000_000).tracing(False)
    sink = CassandraSink.add_sink(rows).set_query(insert).set_mapper_options(options)
    sink.enable_ignore_null_fields().set_cluster_builder(ClusterBuilder(connected)).build()
    local_env.execute()
    assert node.rows("SELECT key, count FROM shop.options") == [("kept", 1), ("old", 1)]
    assert node.rows("SELECT WRITETIME(count) FROM shop.options WHERE key = 'old'") == [(1_000_000,)]


def test_a_failing_statement_is_named(
    local_env: StreamExecutionEnvironment, node: CassandraNode, tmp_path: Path
) -> None:
    insert = table(node, "failing", "key text PRIMARY KEY, count int")

    class Tolerant(CassandraFailureHandler):
        def on_failure(self, failure: Exception) -> None:
            (tmp_path / "failed").write_text(str(failure))

    def write(pairs: list[tuple[str, int]], handler: CassandraFailureHandler) -> None:
        sink = CassandraSink.add_sink(local_env.from_collection(pairs, PAIR)).set_query(insert)
        sink.set_host("127.0.0.1", node.port).set_failure_handler(handler).build()
        local_env.execute()

    with pytest.raises(
        JobExecutionError, match=r"(?s)does not fit the statement.*element: \('b', 549755813888\)"
    ):
        write([("a", 1), ("b", 2**39)], CassandraFailureHandler.no_op())
    with pytest.raises(JobExecutionError, match=r"(?s)Key may not be empty.*element: \('', 2\)"):
        write([("c", 1), ("", 2)], CassandraFailureHandler.no_op())
    write([("d", 1), ("", 2), ("e", 3)], Tolerant())
    assert ("d", 1) in node.rows("SELECT * FROM shop.failing")
    assert ("e", 3) in node.rows("SELECT * FROM shop.failing")
    assert "Key may not be empty" in (tmp_path / "failed").read_text()


def test_a_log_writes_when_the_job_is_done(
    env: StreamExecutionEnvironment, node: CassandraNode, host: str
) -> None:
    insert = table(node, f"logged_{host}")
    committer = CassandraCommitter.default_checkpoint_committer(ClusterBuilder(print))

    def write(pairs: list[tuple[str, int]], query: str) -> None:
        sink = CassandraSink.add_sink(env.from_collection(pairs, PAIR)).set_query(query)
        sink.enable_write_ahead_log(committer).set_host("127.0.0.1", node.port).build()
        env.execute()

    write([("a", 1), ("b", 2)], insert)
    with pytest.raises(SinkError, match="Key may not be empty"):
        write([("", 3)], insert)
    assert node.rows(f"SELECT * FROM shop.logged_{host}") == [("a", 1), ("b", 2)]


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def test_a_job_survives_that_the_server_is_killed(
    local_env: StreamExecutionEnvironment, node: CassandraNode, tmp_path: Path
) -> None:
    columns = "key bigint PRIMARY KEY, count bigint"
    source = DataGeneratorSource(
        lambda index: (index, index),
        DataGeneratorSource.UNBOUNDED,
        RateLimiterStrategy.per_second(200),
        type_info=Types.TUPLE([Types.LONG(), Types.LONG()]),
    )
    local_env.set_restart_strategy(RestartStrategies.fixed_delay_restart(300, 200))
    local_env.enable_checkpointing(200)
    numbers = local_env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
    for name in ("written", "logged"):
        sink = CassandraSink.add_sink(numbers).set_query(table(node, name, columns))
        sink.set_host("127.0.0.1", node.port)
        (sink.enable_write_ahead_log() if name == "logged" else sink).build()

    def found(name: str) -> list[Any]:
        return node.rows(f"SELECT key, count FROM shop.{name}")

    client = local_env.execute_async()
    try:
        wait_until(lambda: len(found("logged")) > 100)
        node.restart()
        before = len(found("logged"))
        wait_until(lambda: len(found("logged")) > before + 200)
        client.stop_with_savepoint(False, str(tmp_path / "savepoint")).result()
    except BaseException:
        client.cancel()
        raise
    written = found("written")
    assert written == found("logged") == [(number, number) for number in range(len(written))]
