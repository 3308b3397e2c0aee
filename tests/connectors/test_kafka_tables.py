"""Tables in Kafka topics, with a real broker. Results of the recorded queries are those of PyFlink 2.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import pytest
from confluent_kafka import Producer

from pystream.common import Instant, Row, RowKind, Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import (
    ConfigurationError,
    JobExecutionError,
    PlanError,
    SourceError,
    UnsupportedOperationError,
)
from pystream.table import StreamTableEnvironment, Table
from pystream.testing import local_environment
from tests.servers.kafka import Broker

pytestmark = pytest.mark.time_limit(120)

BOUNDED = {"scan.startup.mode": "earliest-offset", "scan.bounded.mode": "latest-offset"}
JSON = {"format": "json", **BOUNDED}
KEYED = {"key.format": "json", "value.format": "json"}
UPSERT = {"connector": "upsert-kafka", **KEYED}


class Tables:
    """Tables in the topics of a broker.

    Args:
        broker: the broker.
        env: the environment of the tables.
    """

    def __init__(self, broker: Broker, env: StreamExecutionEnvironment | None = None) -> None:
        self.broker = broker
        self.environment = StreamTableEnvironment.create(env or local_environment().set_parallelism(1))
        self.environment.get_config().set("table.local-time-zone", "Europe/Rome")

    def create(self, name: str, topic: str, columns: str, options: Mapping[str, str]) -> None:
        """Create a table."""
        own = {"connector": "kafka", "topic": topic, "properties.bootstrap.servers": self.broker.servers}
        given = ", ".join(f"'{key}' = '{value}'" for key, value in {**own, **options}.items() if value)
        self.environment.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({given})")

    def rows(self, query: str, count: int | None = None) -> list[tuple[Any, ...]]:
        """Return the results of a query; the first ones if a number is given."""
        with self.environment.execute_sql(query).collect() as results:
            return [tuple(row) for row in islice(results, count)]

    def changes(self, query: str, count: int) -> list[str]:
        """Return the first changes of a query, with their kinds."""
        stream = self.environment.to_changelog_stream(self.environment.sql_query(query))
        with stream.execute_and_collect() as results:
            return [f"{row.get_row_kind()}{list(row)}" for row in islice(results, count)]

    def insert(self, statement: str) -> None:
        """Write rows, and wait for the end."""
        self.environment.execute_sql(statement).wait()


@pytest.fixture
def tables(broker: Broker) -> Tables:
    return Tables(broker)


# keys and values


@pytest.mark.parametrize(
    ("columns", "options", "expected"),
    [
        ("id INT, v STRING", {"key.fields": "id"}, [(7, "a"), (9, "c")]),
        (
            "id INT, v STRING",
            {"key.fields": "id", "value.fields-include": "EXCEPT_KEY"},
            [(1, "a"), (3, "c")],
        ),
        (
            "k_id INT, id INT, v STRING",
            {"key.fields": "k_id", "key.fields-prefix": "k_", "value.fields-include": "EXCEPT_KEY"},
            [(1, 7, "a"), (3, 9, "c")],
        ),
        ("v STRING", {"key.format": "", "key.fields": ""}, [("a",), ("c",)]),
    ],
)
def test_columns_are_in_keys_and_values(
    tables: Tables, columns: str, options: dict[str, str], expected: list[tuple[Any, ...]]
) -> None:
    topic = tables.broker.create_topic()
    tables.broker.write(topic, ['{"id": 7, "v": "a"}'], key=b'{"id": 1}')
    tables.broker.write(topic, [None], key=b'{"id": 2}')
    tables.broker.write(topic, ['{"id": 9, "v": "c"}'], key=b'{"id": 3}')
    tables.create("t", topic, columns, {**KEYED, **BOUNDED, **options})
    assert tables.rows("SELECT * FROM t") == expected


def test_rows_are_written_with_keys(tables: Tables) -> None:
    topics = [tables.broker.create_topic() for _ in range(3)]
    tables.create("plain", topics[0], "id INT, v STRING", JSON)
    tables.create("all_fields", topics[1], "id INT, v STRING", {**KEYED, "key.fields": "id"})
    options = {"key.fields": "k_id;k_b", "key.fields-prefix": "k_", "value.fields-include": "EXCEPT_KEY"}
    tables.create("others", topics[2], "k_id INT, v STRING, k_b BOOLEAN", {**KEYED, **options})
    tables.insert("INSERT INTO plain VALUES (1, 'a'), (2, NULL)")
    tables.insert("INSERT INTO all_fields SELECT * FROM plain")
    tables.insert("INSERT INTO others (v, k_b, k_id) SELECT v, TRUE, id FROM plain")
    found = [[(m.key(), m.value()) for m in tables.broker.read(topic)] for topic in topics]
    assert found == [
        [(None, b'{"id":1,"v":"a"}'), (None, b'{"id":2,"v":null}')],
        [(b'{"id":1}', b'{"id":1,"v":"a"}'), (b'{"id":2}', b'{"id":2,"v":null}')],
        [(b'{"id":1,"b":true}', b'{"v":"a"}'), (b'{"id":2,"b":true}', b'{"v":null}')],
    ]


def test_a_record_without_the_key_of_a_table_fails_the_job(tables: Tables) -> None:
    topic = tables.broker.create_topic()
    tables.broker.write(topic, ['{"v": "a"}'])
    columns, keyed = "id INT, v STRING", {**KEYED, **BOUNDED, "key.fields": "id"}
    tables.create("strict", topic, columns, keyed)
    with pytest.raises((JobExecutionError, SourceError), match=f"record 0 of partition {topic}-0.*no key"):
        tables.rows("SELECT * FROM strict")
    tables.create("lenient", topic, columns, {**keyed, "key.json.ignore-parse-errors": "true"})
    assert tables.rows("SELECT * FROM lenient") == []


# where a table is read from and to


def test_a_table_is_read_between_start_and_stop(tables: Tables) -> None:
    topic = tables.broker.create_topic(partitions=2, retention_ms="-1")
    for number in range(3):
        tables.broker.write(topic, [f"a{number}"], partition=0, timestamp=1_000 + number)
        tables.broker.write(topic, [f"b{number}"], partition=1, timestamp=2_000 + number)
    group = {"properties.group.id": topic, "properties.auto.offset.reset": "latest"}
    start, stop = "scan.startup.", "scan.bounded."
    cases: list[tuple[dict[str, str], str]] = [
        ({}, "a0 a1 a2 b0 b1 b2"),
        ({f"{start}mode": "latest-offset"}, ""),
        ({f"{start}mode": "group-offsets", **group}, ""),
        ({f"{start}mode": "timestamp", f"{start}timestamp-millis": "2001"}, "b1 b2"),
        (
            {f"{start}mode": "specific-offsets", f"{start}specific-offsets": "partition:0,offset:2"},
            "a2 b0 b1 b2",
        ),
        ({f"{stop}mode": "timestamp", f"{stop}timestamp-millis": "2001"}, "a0 a1 a2 b0"),
        ({f"{stop}mode": "group-offsets", **group}, "a0 a1 a2 b0 b1 b2"),
        (
            {
                f"{stop}mode": "specific-offsets",
                f"{stop}specific-offsets": "partition:0,offset:1; partition:1,offset:2",
            },
            "a0 b0 b1",
        ),
    ]
    for number, (options, expected) in enumerate(cases):
        tables.create(f"t{number}", topic, "v STRING", {"format": "raw", **BOUNDED, **options})
        found = sorted(v for (v,) in tables.rows(f"SELECT * FROM t{number}"))
        assert found == expected.split(), options


def test_a_table_reads_several_topics(tables: Tables) -> None:
    for name in ("sales-north", "sales-south", "other-sales-north"):
        tables.broker.write(tables.broker.create_topic(name), [name])
    tables.create("listed", "sales-south; other-sales-north", "v STRING", {**JSON, "format": "raw"})
    tables.create("all_sales", "", "v STRING", {**BOUNDED, "format": "raw", "topic-pattern": "sales-.*"})
    assert sorted(tables.rows("SELECT * FROM listed")) == [("other-sales-north",), ("sales-south",)]
    assert sorted(tables.rows("SELECT * FROM all_sales")) == [("sales-north",), ("sales-south",)]
    with pytest.raises(ConfigurationError, match="'listed' is written to one topic: set the option 'topic'"):
        tables.insert("INSERT INTO listed VALUES ('a')")


def test_an_unbounded_table_has_what_comes_later(tables: Tables) -> None:
    topic = tables.broker.create_topic()
    tables.broker.write(topic, ['{"v": "before"}'])
    options = {"format": "json", "scan.startup.mode": "earliest-offset"}
    tables.create("t", topic, "v STRING", {**options, "scan.topic-partition-discovery.interval": "1 s"})
    with tables.environment.execute_sql("SELECT UPPER(v) FROM t").collect() as rows:
        assert tuple(next(rows)) == ("BEFORE",)
        tables.broker.write(topic, ['{"v": "after"}'])
        assert tuple(next(rows)) == ("AFTER",)


def test_offsets_of_a_group_need_one(tables: Tables) -> None:
    topic = tables.broker.create_topic()
    tables.create("t", topic, "v STRING", {"format": "json"})
    tables.insert("INSERT INTO t VALUES ('a')")
    with pytest.raises(
        ConfigurationError, match=r"'scan.startup.mode' is .*'properties.group.id' names; set"
    ):
        tables.rows("SELECT * FROM t")


def test_rows_are_written_in_transactions(tables: Tables) -> None:
    topic = tables.broker.create_topic()
    options = {"sink.delivery-guarantee": "exactly-once", "sink.transactional-id-prefix": topic}
    tables.create("t", topic, "v STRING", {**JSON, **options, "properties.group.id": "unused"})
    tables.insert("INSERT INTO t VALUES ('a')")
    assert [(m.offset(), m.value()) for m in tables.broker.read(topic)] == [(0, b'{"v":"a"}')]
    (high,) = tables.broker.admin.list_topics(topic).topics[topic].partitions
    tables.insert("INSERT INTO t VALUES ('b')")
    offsets = [m.offset() for m in tables.broker.read(topic)]
    assert (high, offsets) == (0, [0, 2])  # a marker ends each transaction


# metadata


def test_columns_of_metadata_are_read(tables: Tables) -> None:
    topic = tables.broker.create_topic(retention_ms="-1")
    tables.broker.write(topic, ['{"v": "a"}'], timestamp=1_234, headers={"h": b"x", "i": b""})
    tables.broker.write(topic, ['{"v": "b"}'], timestamp=1_235)
    tables.create(
        "t",
        topic,
        "ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', v STRING, o BIGINT METADATA FROM 'offset' VIRTUAL, "
        "`partition` STRING METADATA VIRTUAL, topic STRING METADATA VIRTUAL, "
        "headers MAP<STRING, BYTES> METADATA, `leader-epoch` INT METADATA VIRTUAL, "
        "tt STRING METADATA FROM 'timestamp-type' VIRTUAL, twice AS o * 2",
        JSON,
    )
    assert tables.rows("SELECT * FROM t") == [
        (Instant.of_epoch_milli(1_234), "a", 0, "0", topic, {"h": b"x", "i": b""}, 0, "CreateTime", 0),
        (Instant.of_epoch_milli(1_235), "b", 1, "0", topic, {}, 0, "CreateTime", 2),
    ]
    tables.create("local_times", topic, "t TIMESTAMP(3) METADATA FROM 'timestamp', v STRING", JSON)
    assert tables.rows("SELECT * FROM local_times")[0] == (datetime(1970, 1, 1, 1, 0, 1, 234_000), "a")


@pytest.mark.parametrize("time_type", ["TIMESTAMP_LTZ(3)", "TIMESTAMP(3)"])
def test_columns_of_metadata_are_written(tables: Tables, time_type: str) -> None:
    topic = tables.broker.create_topic()
    columns = (
        f"`timestamp` {time_type} METADATA, v STRING, o BIGINT METADATA FROM 'offset' VIRTUAL, "
        "h MAP<STRING, BYTES> METADATA FROM 'headers'"
    )
    tables.create("t", topic, columns, JSON)
    tables.insert(
        f"INSERT INTO t VALUES (CAST(TO_TIMESTAMP_LTZ(5000, 3) AS {time_type}), 'a', MAP['q', X'4142']), "
        f"(CAST(NULL AS {time_type}), 'b', CAST(NULL AS MAP<STRING, BYTES>))"
    )
    first, second = tables.broker.read(topic)
    assert (first.timestamp()[1], first.headers(), first.value()) == (5_000, [("q", b"AB")], b'{"v":"a"}')
    assert second.timestamp()[1] > 1_000_000_000_000
    assert (second.headers(), second.value()) == (None, b'{"v":"b"}')


def test_metadata_that_is_only_read_is_not_written(tables: Tables) -> None:
    topic = tables.broker.create_topic()
    tables.create("t", topic, "v STRING, `offset` BIGINT METADATA", JSON)
    with pytest.raises(PlanError, match=r"'offset': the metadata 'offset' is only read; declare .* VIRTUAL"):
        tables.insert("INSERT INTO t VALUES ('a', CAST(1 AS BIGINT))")


# watermarks


TIMES = {
    "physical": "s INT, ts TIMESTAMP_LTZ(3)",
    "metadata": "s INT, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'",
    "computed": "s INT, ts AS TO_TIMESTAMP_LTZ(s * 1000, 3)",
}


def seconds(tables: Tables, kind: str, bounds: Mapping[str, str]) -> Table:
    """Return the numbers of rows in 10 seconds, of two partitions with a row a second, read one by one."""
    topic = tables.broker.create_topic(partitions=2, retention_ms="-1")
    producer = Producer({"bootstrap.servers": tables.broker.servers})
    for second in range(100):
        minute, part = divmod(second, 60)
        value = f'{{"s": {second}, "ts": "1970-01-01 00:{minute:02}:{part:02}Z"}}'
        for partition in range(2):
            producer.produce(topic, value, partition=partition, timestamp=second * 1000 + 1)
    assert producer.flush(30) == 0
    tables.environment._streams.get_config().set_auto_watermark_interval(0)
    columns = f"{TIMES[kind]}, WATERMARK FOR ts AS ts"
    tables.create("seconds", topic, columns, {"format": "json", **bounds})
    return tables.environment.sql_query(
        "SELECT COUNT(*) AS n, MAX(s) AS last "
        "FROM TUMBLE(TABLE seconds, DESCRIPTOR(ts), INTERVAL '10' SECOND) "
        "GROUP BY window_start, window_end"
    )


def first_counts(counts: Table) -> list[tuple[Any, ...]]:
    with counts.execute().collect() as rows:
        return [tuple(row) for row in islice(rows, 9)]


@pytest.mark.parametrize("kind", TIMES)
def test_a_partition_that_is_ahead_makes_no_row_of_another_one_late(tables: Tables, kind: str) -> None:
    counts = seconds(tables, kind, {"scan.startup.mode": "earliest-offset"})
    assert first_counts(counts) == [(20, 10 * number + 9) for number in range(9)]


@pytest.mark.parametrize("bounds", [{"scan.startup.mode": "earliest-offset"}, BOUNDED])
def test_windows_of_a_table(broker: Broker, env: StreamExecutionEnvironment, bounds: dict[str, str]) -> None:
    counts = seconds(Tables(broker, env), "computed", bounds)
    assert sorted(first_counts(counts))[0] == (20, 9)
    assert {n for n, _ in first_counts(counts)} == {20}


# upserts


def upserts(broker: Broker) -> str:
    """Return a new topic with the records of the recorded queries."""
    topic = broker.create_topic(partitions=2)
    first: Sequence[tuple[int, str | None]] = [
        (1, '{"id": 1, "v": "a"}'),
        (1, '{"id": 1, "v": "c"}'),
        (1, '{"id": 1, "v": "c"}'),
        (4, '{"id": 5, "v": "other id"}'),
    ]
    second = [(2, '{"id": 2, "v": "b"}'), (2, None), (3, None), (2, '{"id": 2, "v": "d"}')]
    for partition, records in enumerate((first, second)):
        for key, value in records:
            broker.write(topic, [value], key=f'{{"id": {key}}}'.encode(), partition=partition)
    return topic


CHANGES = {
    "SELECT * FROM t": [
        *("+I[1, 'a']", "-U[1, 'a']", "+U[1, 'c']", "+I[5, 'other id']"),
        *("+I[2, 'b']", "-D[2, 'b']", "+I[2, 'd']"),
    ],
    "SELECT COUNT(*) FROM t": [
        *("+I[1]", "-D[1]", "+I[1]"),  # the update, of which Flink's count does not hear
        *("-U[1]", "+U[2]", "-U[2]", "+U[3]", "-U[3]", "+U[2]", "-U[2]", "+U[3]"),
    ],
}
COLUMNS = "id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED"


@pytest.mark.parametrize("query", CHANGES)
def test_upserts_are_changes(tables: Tables, query: str) -> None:
    tables.create("t", upserts(tables.broker), COLUMNS, UPSERT)
    assert tables.changes(query, len(CHANGES[query])) == CHANGES[query]


def test_the_key_of_upserts_may_be_left_out_of_values(tables: Tables) -> None:
    topic = upserts(tables.broker)
    tables.create("t", topic, COLUMNS, {**UPSERT, "value.fields-include": "EXCEPT_KEY"})
    expected = [change.replace("[5", "[4") for change in CHANGES["SELECT * FROM t"]]
    assert tables.changes("SELECT * FROM t", 7) == expected


def test_bounded_upserts_are_the_rows_at_the_end(broker: Broker, env: StreamExecutionEnvironment) -> None:
    tables = Tables(broker, env)
    tables.create("t", upserts(broker), COLUMNS, {**UPSERT, "scan.bounded.mode": "latest-offset"})
    rows = tables.rows("SELECT id, UPPER(v) FROM t WHERE id < 10")
    assert sorted(rows) == [(1, "C"), (2, "D"), (5, "OTHER ID")]
    assert tables.rows("SELECT COUNT(*), MAX(v) FROM t") == [(3, "other id")]


def test_bounded_upserts_follow_offsets_in_batch_mode_too(tables: Tables) -> None:
    topic = tables.broker.create_topic(retention_ms="-1")
    for number, timestamp in enumerate((3_000, 2_000, 1_000)):
        value = f'{{"id": 1, "v": "{number}"}}'
        tables.broker.write(topic, [value], key=b'{"id": 1}', timestamp=timestamp)
    tables.environment.get_config().set("execution.runtime-mode", "BATCH")
    tables.create("t", topic, COLUMNS, {**UPSERT, "scan.bounded.mode": "latest-offset"})
    assert tables.rows("SELECT * FROM t") == [(1, "2")]


def test_changes_are_written_as_upserts(broker: Broker, env: StreamExecutionEnvironment) -> None:
    tables, topic, target = Tables(broker, env), upserts(broker), broker.create_topic()
    tables.create("t", topic, COLUMNS, UPSERT)
    counts = "v STRING, n BIGINT, PRIMARY KEY (v) NOT ENFORCED"
    flushing = {"sink.buffer-flush.max-rows": "10", "sink.buffer-flush.interval": "1 s"}
    tables.create("counts", target, counts, {**UPSERT, **flushing})
    result = tables.environment.execute_sql("INSERT INTO counts SELECT v, COUNT(*) FROM t GROUP BY v")
    tables.create("back", target, counts, UPSERT)
    last = "+I['d', 1]"
    seen = tables.changes("SELECT * FROM back", 7)
    client = result.get_job_client()
    assert client is not None
    client.cancel().result()
    assert seen == [
        "+I['a', 1]",
        "-D['a', 1]",
        "+I['c', 1]",
        "+I['other id', 1]",
        "+I['b', 1]",
        "-D['b', 1]",
        last,
    ]
    records = [(m.key(), m.value()) for m in broker.read(target)]
    assert records[:3] == [
        (b'{"v":"a"}', b'{"v":"a","n":1}'),
        (b'{"v":"a"}', None),
        (b'{"v":"c"}', b'{"v":"c","n":1}'),
    ]


def changelog(tables: Tables, *changes: tuple[RowKind, int, str]) -> Table:
    """Return a table of changes of ids and texts."""
    rows = [Row(key, text) for _, key, text in changes]
    for row, (kind, _, _) in zip(rows, changes, strict=True):
        row.set_row_kind(kind)
    row_type = Types.ROW_NAMED(["id", "v"], [Types.INT(), Types.STRING()])
    stream = tables.environment._streams.from_collection(rows, row_type)
    return tables.environment.from_changelog_stream(stream)


def test_rows_before_updates_are_not_written(tables: Tables) -> None:
    topic = tables.broker.create_topic()
    tables.create("t", topic, COLUMNS, {**UPSERT, "value.fields-include": "EXCEPT_KEY"})
    before, after = (RowKind.UPDATE_BEFORE, 1, "a"), (RowKind.UPDATE_AFTER, 1, "b")
    changes = [(RowKind.INSERT, 1, "a"), before, after, (RowKind.DELETE, 1, "b")]
    changelog(tables, *changes).execute_insert("t").wait()
    values = [b'{"v":"a"}', None, b'{"v":"b"}', None]  # the rows are not known to have the key of the table
    assert [message.value() for message in tables.broker.read(topic)] == values


def test_the_upserts_of_a_key_stay_in_order(tables: Tables) -> None:
    tables.environment._streams.set_parallelism(2)
    topic = tables.broker.create_topic(partitions=2)
    tables.create("t", topic, COLUMNS, {**UPSERT, "sink.parallelism": "2"})
    changes = [(RowKind.UPDATE_AFTER, number % 7, str(number)) for number in range(700)]
    table = changelog(tables, *changes)
    table.execute_insert("t").wait()
    last = {message.key(): message.value() for message in tables.broker.read(topic)}
    assert last == {
        f'{{"id":{key}}}'.encode(): f'{{"id":{key},"v":"{693 + key}"}}'.encode() for key in range(7)
    }
    tables.environment.create_temporary_view("changes", table)
    assert " Hash " in tables.environment.explain_sql("INSERT INTO t SELECT * FROM changes")


def test_a_table_without_a_key_takes_no_updates(tables: Tables) -> None:
    topic = tables.broker.create_topic()
    tables.create("t", upserts(tables.broker), COLUMNS, UPSERT)
    tables.create("target", topic, "n BIGINT", {"format": "json"})
    with pytest.raises(
        UnsupportedOperationError, match=r"'kafka' only appends rows.*write to 'upsert-kafka'"
    ):
        tables.insert("INSERT INTO target SELECT COUNT(*) FROM t")


# credentials


def test_credentials_are_not_shown(tables: Tables) -> None:
    topic = tables.broker.create_topic()
    secret = "hunter2"
    login = (
        f'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="{secret}";'
    )
    tables.create("t", topic, "v STRING", {**JSON, "properties.sasl.jaas.config": login})
    assert secret not in tables.environment.explain_sql("INSERT INTO t SELECT * FROM t")
    with pytest.raises(ConfigurationError) as failure:
        tables.create("wrong", topic, "v STRING", {"properties.sasl.jaas.config": login})
    assert secret not in str(failure.value)
