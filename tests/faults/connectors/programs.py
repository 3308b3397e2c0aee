"""The programs with connectors to disturb: ``pystream run tests/faults/connectors/programs.py REQUEST``.

They run until the file ``drain`` appears in the directory of the control files, as those with files do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

from pystream.common import Duration, Row, SimpleStringSchema, Types, WatermarkStrategy
from pystream.datastream import (
    DataStream,
    MapFunction,
    OutputTag,
    ProcessWindowFunction,
    RuntimeContext,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors import DeliveryGuarantee
from pystream.datastream.connectors.file_system import FileSource, StreamFormat
from pystream.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcExecutionOptions, JdbcSink
from pystream.datastream.connectors.kafka import (
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
    MalformedRecord,
)
from pystream.datastream.formats.json import JsonRowDeserializationSchema
from pystream.datastream.window import TimeWindow, TumblingEventTimeWindows
from tests.faults.connectors.request import ConnectorRequest
from tests.faults.programs import Disturber, RecordTime, run_until_drained
from tests.faults.records import FILE_MILLIS, WINDOW_MILLIS, Record
from tests.servers.postgresql import PASSWORD, USER

_RECORD = Types.TUPLE([Types.LONG(), Types.STRING(), Types.LONG(), Types.LONG()])
_FIELDS = Types.ROW_NAMED(
    ["number", "user", "amount", "millis"], [Types.LONG(), Types.STRING(), Types.LONG(), Types.LONG()]
)
_TOTAL = Types.TUPLE([Types.STRING(), Types.LONG(), Types.LONG(), Types.LONG()])
_UPSERT = (
    "INSERT INTO {} (name, start, count, total) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (name, start) DO UPDATE SET count = excluded.count, total = excluded.total"
)
_BAD = OutputTag("bad", Types.of(MalformedRecord))
_DISCOVERY_MILLIS = 500
_RETRIES = 10
_A_DAY = 86_400_000


class Note(MapFunction[tuple[int, str, int, int], tuple[int, str, int, int]]):
    """Notes the numbers of the records in a file of the process."""

    def __init__(self, disturber: Disturber) -> None:
        self._disturber = disturber

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the file."""
        self._disturber.open()
        self._seen = (self._disturber.marks.directory / f"seen-{os.getpid()}").open("a", buffering=1)

    def close(self) -> None:
        """Close the file."""
        self._seen.close()

    def map(self, value: tuple[int, str, int, int]) -> tuple[int, str, int, int]:
        """Return the record."""
        self._disturber.pass_record(value[0])
        self._seen.write(f"{value[0]}\n")
        return value


class Total(ProcessWindowFunction[Any, tuple[str, int, int, int], str, TimeWindow]):
    """Adds up the amounts of a window."""

    def __init__(self, disturber: Disturber) -> None:
        self._disturber = disturber

    def open(self, runtime_context: RuntimeContext) -> None:
        """Prepare the process."""
        self._disturber.open()

    def process(self, key: str, context: Any, elements: Any) -> Iterator[tuple[str, int, int, int]]:
        """Yield the key, the start of the window, the count and the total."""
        for element in elements:
            self._disturber.pass_record(element[0])
        amounts = [element[2] for element in elements]
        yield key, context.window().start, len(amounts), sum(amounts)


def _fields(row: Row) -> tuple[int, str, int, int]:
    return row["number"], row["user"], row["amount"], row["millis"]


def _parsed(line: str) -> tuple[int, str, int, int]:
    record = Record.parse(line)
    return record.number, record.user, record.amount, record.millis


def _doubled(record: tuple[int, str, int, int]) -> str:
    number, user, amount, _ = record
    return f"{number},{user},{2 * amount}"


class _User(SimpleStringSchema):
    """The second field of a line as a key."""

    def serialize(self, element: str) -> bytes:
        """Return the user."""
        return super().serialize(element.split(",")[1])


def _place(record: MalformedRecord) -> str:
    assert record.value is not None
    return f"{record.partition},{record.offset},{record.value.hex()}"


def _records(env: StreamExecutionEnvironment, request: ConnectorRequest) -> DataStream[Any]:
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(
        Duration.of_millis(FILE_MILLIS)
    ).with_timestamp_assigner(RecordTime())
    if request.program == "files":
        files = FileSource.for_record_stream_format(StreamFormat.text_line_format(), request.input)
        lines = env.from_source(
            files.monitor_continuously(Duration.of_millis(200)).build(),
            WatermarkStrategy.no_watermarks(),
            "files",
        )
        parsed = lines.uid("files").map(_parsed, output_type=_RECORD)
    else:
        builder = (
            KafkaSource.builder()
            .set_bootstrap_servers(request.servers)
            .set_topics(request.input)
            .set_group_id(f"group-{request.input}")
            .set_value_only_deserializer(JsonRowDeserializationSchema.builder().type_info(_FIELDS).build())
            .set_properties(dict(request.properties))
            .set_property("partition.discovery.interval.ms", str(_DISCOVERY_MILLIS))
        )
        if request.malformed == "skipped":
            builder.skip_malformed_records()
        elif request.malformed == "to a side output":
            builder.side_output_malformed_records(_BAD)
        by_partition = strategy.with_timestamp_assigner(RowTime()).with_idleness(Duration.of_seconds(2))
        read = env.from_source(builder.build(), by_partition, "records").uid("records")
        if request.malformed == "to a side output":
            bad = read.get_side_output(_BAD).map(_place, output_type=Types.STRING())
            bad.sink_to(_kafka_sink(request, request.bad, keyed=False)).uid("bad")
        parsed = read.map(_fields, output_type=_RECORD)
    return parsed.uid("parse").map(Note(Disturber("source", request)), output_type=_RECORD).uid("note")


class RowTime(RecordTime):
    """Takes the field ``millis`` as the event time."""

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        """Return the event time."""
        millis: int = value["millis"]
        return millis


def _kafka_sink(request: ConnectorRequest, topic: str, *, keyed: bool) -> KafkaSink[str]:
    records = KafkaRecordSerializationSchema.builder().set_topic(topic)
    if keyed:
        records.set_key_serialization_schema(_User())
    exactly_once = request.guarantee == "exactly-once"
    builder = (
        KafkaSink.builder()
        .set_bootstrap_servers(request.servers)
        .set_record_serializer(records.set_value_serialization_schema(SimpleStringSchema()).build())
        .set_delivery_guarantee(
            DeliveryGuarantee.EXACTLY_ONCE if exactly_once else DeliveryGuarantee.AT_LEAST_ONCE
        )
        .set_transactional_id_prefix(topic)
    )
    for key, value in request.properties.items():
        builder.set_property(key, value)
    return builder.build()


def build(env: StreamExecutionEnvironment, request: ConnectorRequest) -> None:
    """Add the program of a request to the environment."""
    records = _records(env, request)
    if request.program != "windows":
        lines = records.map(_doubled, output_type=Types.STRING()).uid("double")
        lines.sink_to(_kafka_sink(request, request.output, keyed=True)).uid("write")
        return
    login = (
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
        .with_url(request.database)
        .with_user_name(USER)
        .with_password(PASSWORD)
        .build()
    )
    execution = JdbcExecutionOptions.builder().with_batch_size(7).with_max_retries(_RETRIES).build()
    totals = (
        records.key_by(lambda record: record[1], key_type=Types.STRING())
        .window(TumblingEventTimeWindows.of(Duration.of_millis(WINDOW_MILLIS)))
        .allowed_lateness(_A_DAY)
        .process(Total(Disturber("keyed", request)), output_type=_TOTAL)
        .uid("total")
    )
    totals.add_sink(JdbcSink.sink(_UPSERT.format(request.output), _TOTAL, login, execution)).uid("write")


def main(text: str) -> None:
    """Run the program of a request until it is drained."""
    request = ConnectorRequest.parse(text)
    env = StreamExecutionEnvironment.get_execution_environment()
    build(env, request)
    run_until_drained(env, f"faults-{request.program}", request)


if __name__ == "__main__":
    main(sys.argv[1])
