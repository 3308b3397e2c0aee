"""Values of Kafka's records, read at once as columns."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from pystream.common import WatermarkStrategy
from pystream.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.datastream.connectors.kafka import (
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
)
from pystream.datastream.formats.avro import AvroRowDeserializationSchema
from pystream.datastream.formats.csv import CsvRowDeserializationSchema
from pystream.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pystream.engine.connectors.kafka.producer_records import serialized
from pystream.engine.connectors.kafka.records import Deserialization, Deserialized, Malformed
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.errors import SourceError
from tests.property.test_columnar_files import OnlyColumns
from typeinfo import Row, Types
from typeinfo.serde import serializer_for

ROW: Any = Types.ROW_NAMED(["id", "name"], [Types.LONG(), Types.STRING()])


@dataclass
class Message:
    """A message of the client, at the offset that its timestamp says."""

    body: bytes | None
    at: int

    def value(self) -> bytes | None:
        return self.body

    def timestamp(self) -> tuple[int, int]:
        return (1, self.at) if self.at else (0, 0)

    def topic(self) -> str:
        return "orders"

    def partition(self) -> int:
        return 0

    def offset(self) -> int:
        return self.at

    def key(self) -> None:
        return None

    def headers(self) -> None:
        return None

    def leader_epoch(self) -> None:
        return None


def schema() -> JsonRowDeserializationSchema[Any]:
    return JsonRowDeserializationSchema.builder().type_info(ROW).build()


def deserialization(malformed: Malformed = Malformed.FAIL) -> Deserialization:
    return Deserialization(schema().deserialize, None, malformed, schema().at_once())


def messages(*bodies: bytes | None) -> Iterable[Any]:
    return [Message(body, at) for at, body in enumerate(bodies)]


def encoded(id: int) -> bytes:
    return json.dumps({"id": id, "name": f"n{id}"}).encode()


def elements(found: Deserialized) -> list[tuple[Any, int]]:
    return list(zip(found.values, found.timestamps, strict=True))


MANY = list(map(encoded, range(2_000)))


def test_many_records_become_columns_with_their_timestamps() -> None:
    bodies = [*MANY[:7], None, *MANY[7:]]
    found = deserialization().elements([*messages(*bodies)])
    assert isinstance(found.values, ColumnValues)
    rows = [(Row(id=id, name=f"n{id}"), id + (id >= 7)) for id in range(2_000)]
    assert elements(found) == [(rows[0][0], -(2**63)), *rows[1:]]


def test_few_records_are_read_one_by_one() -> None:
    few = [*messages(*MANY[:100])]
    found = deserialization().elements(few)
    assert isinstance(found.values, list)
    assert elements(found) == elements(Deserialization(schema().deserialize).elements(few))


@pytest.mark.parametrize("count", [2, 2_000])
def test_records_without_values_have_no_elements(count: int) -> None:
    assert list(deserialization().elements([*messages(*[None] * count)]).values) == []


@pytest.mark.parametrize("count", [1, 2_000])
@pytest.mark.parametrize("body", [b"{", b'{"id":"x"}', b'{"id":1}\n{"id":2}'])
def test_a_malformed_record_is_named(body: bytes, count: int) -> None:
    before = MANY[:count]
    with pytest.raises(SourceError, match=f"record {count} of partition orders-0 cannot be deserialized"):
        deserialization().elements([*messages(*before, body)])
    found = deserialization(Malformed.SKIP).elements([*messages(*before, body, encoded(2))])
    assert [row.id for row in found.values] == [*range(count), 2]
    assert (found.skipped, found.timestamps[-1]) == (1, count + 1)


def test_a_record_of_csv_is_malformed_at_its_place() -> None:
    schema = CsvRowDeserializationSchema.Builder(ROW).build()
    deserialization = Deserialization(schema.deserialize, None, Malformed.FAIL, schema.at_once())
    good = [f"{id},n{id}\n".encode() for id in range(2_000)]
    found = deserialization.elements([*messages(*good)])
    assert isinstance(found.values, ColumnValues)
    assert list(found.values) == [Row(id=id, name=f"n{id}") for id in range(2_000)]
    bad = [*good[:1_500], b'1,"n"1\n', *good[1_500:]]
    with pytest.raises(SourceError, match=r"record 1500 of partition orders-0 cannot.* expected after"):
        deserialization.elements([*messages(*bad)])


def test_a_record_of_avro_is_malformed_at_its_place() -> None:
    fields = [{"name": "id", "type": "long"}, {"name": "name", "type": "string"}]
    schema = AvroRowDeserializationSchema(
        avro_schema_string=json.dumps({"type": "record", "name": "order", "fields": fields})
    )
    deserialization = Deserialization(schema.deserialize, None, Malformed.FAIL, schema.at_once())
    good = [bytes([id % 50 * 2, 4]) + b"n%d" % (id % 10) for id in range(2_000)]
    found = deserialization.elements([*messages(*good)])
    assert isinstance(found.values, ColumnValues)
    assert list(found.values) == [Row(id=id % 50, name=f"n{id % 10}") for id in range(2_000)]
    bad = [*good[:1_500], b"\x02\x06n1", *good[1_500:]]
    with pytest.raises(SourceError, match=r"record 1500 of partition orders-0 cannot.*field name: .* early"):
        deserialization.elements([*messages(*bad)])


def test_functions_run_over_columns_of_records_and_keep_their_timestamps() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    builder = KafkaSource.builder().set_bootstrap_servers("kafka:9092").set_topics("orders")
    source = builder.set_value_only_deserializer(schema()).build()
    orders = env.from_source(source, WatermarkStrategy.no_watermarks(), "orders")
    plan = orders.map(lambda order: Row(order.id + 1, order.name), ROW).explain()
    assert "Python reads the messages, as columns" in plan
    assert any(row.split()[:2] == ["2", "Map"] and " arrow " in row for row in plan.splitlines())


def test_elements_that_are_columns_become_the_records_of_elements() -> None:
    values = JsonRowSerializationSchema.builder().with_type_info(ROW).build()
    builder = KafkaRecordSerializationSchema.builder().set_topic("out").set_value_serialization_schema(values)
    for records in (builder, builder.set_key_serialization_schema(values)):
        sink = KafkaSink.builder().set_bootstrap_servers("kafka:9092").set_record_serializer(records.build())
        serialize = pickle.loads(sink.build().bind(ROW).serialize)
        rows = [Row(id=1, name="a"), Row(id=2, name=None), Row(id=3, name='"')]
        for times in (None, [5, -1, -(2**63)]):
            columns = OnlyColumns(layout_of(ROW), serializer_for(ROW).to_batch(rows))
            assert [*serialized(serialize, columns, times)] == [*serialized(serialize, rows, times)]


def test_functions_after_records_are_not_lifted_as_a_table_would_lack_their_timestamps() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    builder = KafkaSource.builder().set_bootstrap_servers("kafka:9092").set_topics("orders")
    builder.set_bounded(KafkaOffsetsInitializer.latest()).set_value_only_deserializer(schema())
    orders = env.from_source(builder.build(), WatermarkStrategy.no_watermarks(), "orders")
    totals = orders.map(lambda order: Row(order.id, order.name), ROW).key_by(lambda order: order.name).sum(0)
    assert " native " not in totals.explain()
