"""The sink of Elasticsearch and OpenSearch with a real server, which is killed and started again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Row, Types, WatermarkStrategy
from pystream.common.restart_strategy import RestartStrategies
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.connectors.elasticsearch import (
    Elasticsearch7SinkBuilder,
    ElasticsearchEmitter,
    FlushBackoffType,
)
from pystream.datastream.connectors.opensearch import OpensearchSinkBuilder
from pystream.errors import JobExecutionError
from pystream.table import RowKind, Schema, StreamTableEnvironment
from tests.servers.availability import server_or_skip
from tests.servers.opensearch import SearchNode

pytestmark = pytest.mark.time_limit(240)

NONE = WatermarkStrategy.no_watermarks()
TEXTS = Types.MAP(Types.STRING(), Types.STRING())
COUNT = Types.ROW_NAMED(["key", "count"], [Types.STRING(), Types.LONG()])
PATIENCE = 60  # seconds


@dataclass
class Order:
    """An order."""

    id: int
    day: date
    tags: list[str]


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchNode]:
    """The node that all tests share."""
    with server_or_skip(lambda: SearchNode(tmp_path_factory.mktemp("opensearch") / "node")) as node:
        yield node


def builder(node: SearchNode, emitter: ElasticsearchEmitter) -> Elasticsearch7SinkBuilder:
    return Elasticsearch7SinkBuilder().set_hosts(node.url).set_emitter(emitter)


@pytest.mark.promise("connector:elasticsearch")
def test_elements_become_documents(env: StreamExecutionEnvironment, node: SearchNode, host: str) -> None:
    static = ElasticsearchEmitter.static_index(f"people-{host}", "name")
    people = [{"name": "Ada", "role": "author"}, {"name": "Alan", "age": "41"}, {"name": "Ada", "age": "36"}]
    env.from_collection(people, TEXTS).sink_to(builder(node, static).build())
    dynamic = ElasticsearchEmitter.dynamic_index("index")
    rows = Types.ROW_NAMED(["index", "price"], [Types.STRING(), Types.DOUBLE()])
    prices = [Row(f"first-{host}", 1.5), Row(f"second-{host}", None)]
    env.from_collection(prices, rows).sink_to(builder(node, dynamic).build())
    orders = ElasticsearchEmitter.static_index(f"orders-{host}", "id")
    sink = OpensearchSinkBuilder().set_hosts([node.url]).set_emitter(orders).build()
    env.from_collection([Order(7, date(2020, 1, 2), ["a", "b"])], Types.of(Order)).sink_to(sink)
    env.execute()
    assert node.documents(f"people-{host}") == {
        "Ada": {"name": "Ada", "role": "author", "age": "36"},
        "Alan": {"name": "Alan", "age": "41"},
    }
    assert [*node.documents(f"first-{host}").values()] == [{"index": f"first-{host}", "price": 1.5}]
    assert [*node.documents(f"second-{host}").values()] == [{"index": f"second-{host}", "price": None}]
    assert node.documents(f"orders-{host}") == {"7": {"id": 7, "day": "2020-01-02", "tags": ["a", "b"]}}


def test_rows_that_remove_delete_documents(local_env: StreamExecutionEnvironment, node: SearchNode) -> None:
    changes = [Row(key=key, count=count) for key, count in [("a", 1), ("b", 1), ("a", 2), ("c", 1), ("c", 1)]]
    changes[2].set_row_kind(RowKind.UPDATE_AFTER)
    changes[4].set_row_kind(RowKind.DELETE)
    sink = builder(node, ElasticsearchEmitter.static_index("changes", "key")).build()
    local_env.from_collection(changes, COUNT).sink_to(sink)
    local_env.execute()
    assert node.documents("changes") == {"a": {"key": "a", "count": 2}, "b": {"key": "b", "count": 1}}


def test_a_refused_document_is_named(local_env: StreamExecutionEnvironment, node: SearchNode) -> None:
    node.client.indices.create(index="strict", body={"mappings": {"properties": {"count": {"type": "byte"}}}})
    strategy = FlushBackoffType.CONSTANT, 1_000, 1_000  # not for documents that are refused for good
    counts = builder(node, ElasticsearchEmitter.static_index("strict", "key"))
    counts.set_bulk_flush_backoff_strategy(*strategy).set_bulk_flush_max_actions(2)
    local_env.from_collection([("fits", 1), ("large", 1_000), ("rest", 2)], COUNT).sink_to(counts.build())
    message = (
        r"(?s)document 'large' of index 'strict' was refused: mapper_parsing_exception: .*\[count\] of type "
        r"\[byte\].*caused by .*1000.*element: Row\(key='large', count=1000\)"
    )
    with pytest.raises(JobExecutionError, match=message):
        local_env.execute()
    assert [*node.documents("strict")] == ["fits"]


def test_a_table_updates_and_deletes_documents(
    local_env: StreamExecutionEnvironment, node: SearchNode
) -> None:
    local_env.set_parallelism(2)
    t_env = StreamTableEnvironment.create(local_env)
    t_env.execute_sql(
        f"""CREATE TABLE counts (word STRING, size INT, n BIGINT, PRIMARY KEY (word, size) NOT ENFORCED)
        WITH ('connector' = 'opensearch', 'hosts' = '{node.url}', 'index' = 'counts',
        'document-id.key-delimiter' = '/', 'sink.bulk-flush.backoff.strategy' = 'constant')"""
    )
    words = local_env.from_collection(
        [("be", 2), ("to", 2), ("be", 2)], Types.TUPLE([Types.STRING(), Types.INT()])
    )
    t_env.create_temporary_view("words", t_env.from_data_stream(words))
    t_env.execute_sql("INSERT INTO counts SELECT f0, f1, COUNT(*) FROM words GROUP BY f0, f1").wait()
    assert node.documents("counts") == {
        "be/2": {"word": "be", "size": 2, "n": 2},
        "to/2": {"word": "to", "size": 2, "n": 1},
    }
    changed = Types.ROW_NAMED(["word", "size", "n"], [Types.STRING(), Types.INT(), Types.LONG()])
    changes = [Row.of_kind(RowKind.DELETE, "be", 2, 2), Row.of_kind(RowKind.UPDATE_AFTER, "to", 2, 5)]
    schema = Schema.new_builder().column("word", "STRING NOT NULL").column("size", "INT NOT NULL")
    keyed = schema.column("n", "BIGINT").primary_key("word", "size").build()
    rows = local_env.from_collection(changes, changed)
    t_env.from_changelog_stream(rows, keyed).execute_insert("counts").wait()
    assert node.documents("counts") == {"to/2": {"word": "to", "size": 2, "n": 5}}


def endless(env: StreamExecutionEnvironment, rate: int = 100) -> Any:
    """Return rows of ascending numbers without an end, and of their text as key."""
    source = DataGeneratorSource(
        lambda index: (f"{index % 50}", index),
        DataGeneratorSource.UNBOUNDED,
        RateLimiterStrategy.per_second(rate),
        type_info=COUNT,
    )
    return env.from_source(source, NONE, "numbers").key_by(lambda row: row[0], Types.STRING())


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def check_survives(
    env: StreamExecutionEnvironment, node: SearchNode, sink: Any, index: str, savepoint: str
) -> None:
    """Check that a job loses and doubles nothing while the server is killed and started again."""
    numbers = endless(env)
    numbers.map(lambda row: Row(str(row[1]), row[1]), COUNT).sink_to(sink)
    client = env.execute_async()
    try:
        wait_until(lambda: node.client.indices.exists(index=index) and len(node.documents(index)) > 100)
        node.process.kill()
        node.process.start()
        wait_until(lambda: node.client.cluster.health()["status"] != "red")
        before = len(node.documents(index))
        wait_until(lambda: len(node.documents(index)) > before + 100)
        client.stop_with_savepoint(False, savepoint).result()
    except BaseException:
        client.cancel()
        raise
    documents = node.documents(index)
    written = sorted(document["count"] for document in documents.values())
    assert written == [*range(len(written))]
    assert [*documents] == [document["key"] for document in documents.values()]


@pytest.mark.local_only("its writers are those of Spark's workers")
def test_requests_are_repeated_while_the_server_is_away(
    env2: StreamExecutionEnvironment, node: SearchNode, host: str, tmp_path: Path
) -> None:
    index = f"repeated-{host}"
    repeating = builder(node, ElasticsearchEmitter.static_index(index, "key"))
    repeating.set_bulk_flush_backoff_strategy(FlushBackoffType.CONSTANT, 300, 200)
    check_survives(env2, node, repeating.build(), index, str(tmp_path / "savepoint"))


def test_the_job_is_restarted_while_the_server_is_away(
    local_env: StreamExecutionEnvironment, node: SearchNode, tmp_path: Path
) -> None:
    local_env.set_restart_strategy(RestartStrategies.fixed_delay_restart(300, 200))
    sink = builder(node, ElasticsearchEmitter.static_index("restarted", "key")).build()
    check_survives(local_env, node, sink, "restarted", str(tmp_path / "savepoint"))
