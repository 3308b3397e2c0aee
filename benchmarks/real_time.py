"""Compare the latency of a lifted program between two Kafka topics in Real-Time Mode and in micro-batches.

Run ``python -m benchmarks.real_time [SECONDS] [RATE] [CONTENDER…]``, which needs Java and Maven. Each
contender filters and maps RATE records a second; the latency of a record is the difference of the times at
which the broker has appended it to both topics. Records of the first seconds, in which Java compiles, are
left out. With ``PYFLINK`` set to the Python of an environment of PyFlink, and ``FLINK_KAFKA`` to the jar of
its connector, PyFlink takes part, too.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from confluent_kafka import Producer
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.common import Configuration, SimpleStringSchema, Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors.kafka import KafkaRecordSerializationSchema, KafkaSink, KafkaSource
from pystream.errors import JobCancelledError
from pystream.hosts.spark.session import get_session
from tests.servers.kafka import Broker

PARTITIONS = 2
SECONDS_TO_START, SECONDS_TO_WARM_UP, SECONDS_TO_FINISH = 10.0, 5.0, 8.0
SESSION = {"spark.master": "local[4]", "pystream.spark-packages": "kafka"}
FLINK = """
import sys
from pyflink.common import Configuration, SimpleStringSchema, Types, WatermarkStrategy
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.kafka import KafkaRecordSerializationSchema, KafkaSink, KafkaSource

servers, before, after, jar = sys.argv[1:]
env = StreamExecutionEnvironment.get_execution_environment()
env.set_parallelism(2)
env.set_python_executable(sys.executable)
env.set_buffer_timeout(1)
env.configure(Configuration().set_string("python.fn-execution.bundle.time", "1"))
env.add_jars(f"file://{jar}")
source = (KafkaSource.builder().set_bootstrap_servers(servers).set_topics(before)
    .set_value_only_deserializer(SimpleStringSchema()).build())
records = (KafkaRecordSerializationSchema.builder().set_topic(after)
    .set_value_serialization_schema(SimpleStringSchema()).build())
sink = (KafkaSink.builder().set_bootstrap_servers(servers).set_record_serializer(records)
    .set_property("linger.ms", "0").build())
stream = env.from_source(source, WatermarkStrategy.no_watermarks(), "words")
stream.filter(lambda word: word.endswith("7")).map(lambda word: word + "!", Types.STRING()).sink_to(sink)
env.execute("latency")
"""

Start = Callable[[Broker, str, str], Any]


def ends_in_seven(word: str) -> bool:
    return word.endswith("7")


def marked(word: str) -> str:
    return word + "!"


@contextmanager
def pystream(broker: Broker, before: str, after: str, **settings: str) -> Iterator[None]:
    """Run the program of typed Python functions."""
    configuration = Configuration.from_dict({**SESSION, **settings})
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(PARTITIONS)
    source = KafkaSource.builder().set_bootstrap_servers(broker.servers).set_topics(before)
    records = KafkaRecordSerializationSchema.builder().set_topic(after)
    sink = KafkaSink.builder().set_bootstrap_servers(broker.servers).set_property("linger.ms", "0")
    stream = env.from_source(
        source.set_value_only_deserializer(SimpleStringSchema()).build(),
        WatermarkStrategy.no_watermarks(),
        "words",
    )
    stream.filter(ends_in_seven).map(marked, Types.STRING()).sink_to(
        sink.set_record_serializer(
            records.set_value_serialization_schema(SimpleStringSchema()).build()
        ).build()
    )
    client = env.execute_async(f"latency-{after}")
    yield
    client.cancel()
    with suppress(JobCancelledError):
        client.get_job_execution_result().result()


def real_time(broker: Broker, before: str, after: str) -> Any:
    """Run the program in Real-Time Mode."""
    return pystream(broker, before, after, **{"pystream.real-time": "true"})


@contextmanager
def plain_spark(broker: Broker, before: str, after: str) -> Iterator[None]:
    """Run the same as expressions of Spark, written by hand, in micro-batches without a pause."""
    spark: SparkSession = get_session(SESSION)
    where = {"kafka.bootstrap.servers": broker.servers}
    options = {**where, "subscribe": before, "startingOffsets": "earliest"}
    value = F.col("value").cast("string")
    frame = spark.readStream.format("kafka").options(**options).load().select(value.alias("value"))
    results = frame.where(F.col("value").endswith("7")).select(F.concat("value", F.lit("!")).alias("value"))
    with tempfile.TemporaryDirectory() as checkpoint:
        writer = results.writeStream.format("kafka").options(**where, topic=after)
        query = writer.option("checkpointLocation", checkpoint).trigger(processingTime="0 seconds").start()
        yield
        query.stop()


@contextmanager
def pyflink(broker: Broker, before: str, after: str) -> Iterator[None]:
    """Run the same program in PyFlink, with its shortest waits for buffers and bundles."""
    arguments = [broker.servers, before, after, os.environ["FLINK_KAFKA"]]
    process = subprocess.Popen([os.environ["PYFLINK"], "-c", FLINK, *arguments])
    try:
        yield
    finally:
        process.terminate()
        process.wait()


CONTENDERS: Mapping[str, Start] = {
    "pystream, Real-Time Mode": real_time,
    "plain Spark, micro-batches": plain_spark,
    "pystream": pystream,
    **({"PyFlink": pyflink} if "PYFLINK" in os.environ else {}),
}


def latencies(broker: Broker, start: Start, seconds: float, rate: int) -> list[int]:
    """Return the latency of each record in ms."""
    before, after = (
        broker.create_topic(partitions=PARTITIONS, message_timestamp_type="LogAppendTime") for _ in range(2)
    )
    producer = Producer({"bootstrap.servers": broker.servers, "linger.ms": 0})
    with start(broker, before, after):
        time.sleep(SECONDS_TO_START)
        started = time.monotonic()
        for number in range(int(seconds * rate)):
            producer.produce(before, f"{number}7", str(number))
            producer.poll(0)
            time.sleep(max(0.0, started + (number + 1) / rate - time.monotonic()))
        producer.flush()
        time.sleep(SECONDS_TO_FINISH)
        times = [appended(broker, topic) for topic in (before, after)]
    first = int(SECONDS_TO_WARM_UP * rate)
    found = [
        times[1][f"{number}7!"] - times[0][f"{number}7"]
        for number in range(first, int(seconds * rate))
        if f"{number}7!" in times[1]
    ]
    missing = int(seconds * rate) - first - len(found)
    if missing:
        print(f"{missing} records have not arrived", flush=True)
    return found


def appended(broker: Broker, topic: str) -> dict[str, int]:
    """Return the time at which the broker has appended each value first, in ms."""
    found: dict[str, int] = {}
    for message in broker.read(topic):
        found.setdefault((message.value() or b"").decode(), message.timestamp()[1])
    return found


def main() -> None:
    arguments = sys.argv[1:]
    seconds, rate = float(arguments[0]) if arguments else 60.0, int(arguments[1]) if arguments[1:] else 100
    wanted = arguments[2:] or list(CONTENDERS)
    print(f"{rate} records/s for {seconds:.0f} s, load {os.getloadavg()[0]:.1f}; latency in ms", flush=True)
    with tempfile.TemporaryDirectory() as directory, Broker(Path(directory)) as broker:
        for name in wanted:
            found = latencies(broker, CONTENDERS[name], seconds, rate)
            if len(found) < 2:
                print(f"{name}: no results", flush=True)
                continue
            cuts = statistics.quantiles(found, n=100)
            figures = f"p50 {cuts[49]:.0f}, p90 {cuts[89]:.0f}, p99 {cuts[98]:.0f}, most {max(found)}"
            print(f"{name:28} {figures}; load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
