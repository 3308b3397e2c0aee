"""The job in PyFlink's names, for both libraries: orders of five fields in JSON.

They are read as dataclasses, one in 500 of which is written; mapped as rows; or summed by name and window.

python job.py SERVERS INPUT OUTPUT read|map|window JAR
pystream run job.py SERVERS INPUT OUTPUT read|map|window
"""

import sys
from dataclasses import dataclass

from pyflink.common import Duration, Row, Time, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.kafka import (
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
)
from pyflink.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pyflink.datastream.window import TumblingEventTimeWindows

ORDER = Types.ROW_NAMED(
    ["id", "name", "amount", "active", "at"],
    [Types.LONG(), Types.STRING(), Types.DOUBLE(), Types.BOOLEAN(), Types.LONG()],
)
TOTAL = Types.ROW_NAMED(["name", "amount", "at"], [Types.STRING(), Types.DOUBLE(), Types.LONG()])


@dataclass
class Order:
    id: int
    name: str
    amount: float
    active: bool
    at: int


class OrderTime(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[4]


def is_sampled(order):
    return order.id % 1_000 < 2


def row_of(order):
    return Row(id=order.id, name=order.name, amount=order.amount, active=order.active, at=order.at)


def doubled(order):
    return Row(id=order[0], name=order[1].upper(), amount=order[2] * 2, active=order[3], at=order[4])


def total(order):
    return Row(name=order[1], amount=order[2], at=order[4])


def added(a, b):
    return Row(name=a[0], amount=a[1] + b[1], at=max(a[2], b[2]))


servers, topic, target, shape, *jars = sys.argv[1:]
env = StreamExecutionEnvironment.get_execution_environment()
env.set_parallelism(2)
is_pyflink = bool(jars)
if is_pyflink:
    env.add_jars(*jars)
element_type = ORDER if is_pyflink or shape != "read" else Types.of(Order)
source = (
    KafkaSource.builder()
    .set_bootstrap_servers(servers)
    .set_topics(topic)
    .set_group_id(target)
    .set_starting_offsets(KafkaOffsetsInitializer.earliest())
    .set_value_only_deserializer(JsonRowDeserializationSchema.builder().type_info(element_type).build())
    .build()
)
orders = env.from_source(source, WatermarkStrategy.no_watermarks(), "orders")
if shape == "read":
    if is_pyflink:
        orders = orders.map(lambda row: Order(*row))
    results = orders.filter(is_sampled).map(row_of, ORDER)
    result_type = ORDER
elif shape == "map":
    results = orders.map(doubled, ORDER)
    result_type = ORDER
else:
    times = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(5))
    timed = orders.assign_timestamps_and_watermarks(times.with_timestamp_assigner(OrderTime()))
    totals = timed.map(total, TOTAL).key_by(lambda order: order[0], Types.STRING())
    results = totals.window(TumblingEventTimeWindows.of(Time.seconds(10))).reduce(added, output_type=TOTAL)
    result_type = TOTAL
values = JsonRowSerializationSchema.builder().with_type_info(result_type).build()
records = KafkaRecordSerializationSchema.builder().set_topic(target).set_value_serialization_schema(values)
results.sink_to(
    KafkaSink.builder().set_bootstrap_servers(servers).set_record_serializer(records.build()).build()
)
env.execute(target)
