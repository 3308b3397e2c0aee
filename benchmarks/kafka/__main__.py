"""Measure jobs from Kafka to Kafka: ``python -m benchmarks.kafka [RECORDS [SECONDS [CONTENDER…]]]``.

Each contender reads orders in JSON as dataclasses (Structured Streaming as rows) and writes one in 500, maps
them as rows, or sums them by name and window of ten seconds. The start of the job is in no figure. The rate
is measured on two backlogs, of RECORDS and of a third of them: the difference in records by the difference in
seconds until the last result is in the broker. The latency, of the last two, is measured at 1,000 orders a
second for SECONDS: from the time at which the broker has appended an order to that of its result, or from the
time at which the watermark can pass the end of the window.

PyFlink runs if ``PYFLINK_PYTHON`` names an interpreter that has it, or ``benchmarks/build.py`` has made one.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from confluent_kafka import Consumer, Message, Producer, TopicPartition

from tests.servers.kafka import Broker
from tests.servers.maven import class_path

Shape = Literal["read", "map", "window"]

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
_FLINK = "org.apache.flink:flink-sql-connector-kafka:5.0.0-2.2"
_SPARK = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0"
_SPARK_JARS = ("spark-sql-kafka", "spark-token-provider", "kafka-clients", "commons-pool2")
_PARTITIONS = 2
_NAMES = 1_000
_ORDERS_A_SECOND = 1_000
_WINDOW, _OUT_OF_ORDERNESS = 10_000, 5_000  # ms, as in the jobs
_SECONDS_TO_START, _SECONDS_TO_WARM_UP = 20.0, 20.0
_QUIET = 10.0  # seconds without a result after which a job has read all there is
_TIME_LIMIT = 600.0


class Feed:
    """Writes orders to a topic."""

    def __init__(self, broker: Broker, topic: str, linger: int) -> None:
        self._topic = topic
        self._random = random.Random(1)
        self._producer = Producer({"bootstrap.servers": broker.servers, "linger.ms": linger})

    def write(self, number: int, at: int) -> None:
        """Write an order with its time in ms."""
        order = {
            "id": number,
            "name": f"user {self._random.randrange(_NAMES)}",
            "amount": number / 4,
            "active": number % 2 == 0,
            "at": at,
        }
        self._producer.produce(self._topic, json.dumps(order), partition=number % _PARTITIONS)
        self._producer.poll(0)
        while len(self._producer) > 50_000:
            self._producer.poll(0.1)

    def flush(self) -> None:
        """Wait until the broker has all orders."""
        assert self._producer.flush(60) == 0


def backlog(broker: Broker, records: int) -> str:
    """Return a topic of orders, 1,000 a second of event time."""
    topic = broker.create_topic(partitions=_PARTITIONS)
    feed = Feed(broker, topic, linger=50)
    for number in range(records):
        feed.write(number, 1_600_000_000_000 + number)
    feed.flush()
    return topic


def seconds_to_drain(broker: Broker, contender: str, shape: Shape, topic: str) -> float:
    """Return the seconds from the start of a job until its last result."""
    target = results_topic(broker)
    started = time.time()
    with job(broker, contender, shape, topic, target) as process:
        count, last = 0, started
        while time.time() < last + (_QUIET if count else _TIME_LIMIT):
            time.sleep(0.5)
            if (found := size(broker, target)) > count:
                count, last = found, time.time()
            elif process.poll() is not None:
                raise RuntimeError(f"the job of {contender} has ended")
        if not count:
            raise RuntimeError(f"the job of {contender} has written nothing in {_TIME_LIMIT:.0f} seconds")
    return max(message.timestamp()[1] for message in broker.read(target)) / 1000 - started


def rate(broker: Broker, contender: str, shape: Shape, few: str, many: str) -> float:
    """Return the records per second by which a backlog is longer, without the start of the job."""
    seconds = seconds_to_drain(broker, contender, shape, many) - seconds_to_drain(
        broker, contender, shape, few
    )
    return (size(broker, many) - size(broker, few)) / seconds


def latencies(broker: Broker, contender: str, shape: Shape, seconds: float) -> list[int]:
    """Return the latency of each result in ms."""
    topic, target = results_topic(broker), results_topic(broker)
    feed = Feed(broker, topic, linger=0)
    with job(broker, contender, shape, topic, target):
        time.sleep(_SECONDS_TO_START)
        started = time.time()
        for number in range(int((_SECONDS_TO_WARM_UP + seconds) * _ORDERS_A_SECOND)):
            due = started + number / _ORDERS_A_SECOND
            time.sleep(max(0.0, due - time.time()))
            feed.write(number, int(due * 1000))
        feed.flush()
        time.sleep(_QUIET)
    warm = int((started + _SECONDS_TO_WARM_UP) * 1000)
    written = {each["id"]: at for each, at in map(order, broker.read(topic))}
    results = [(each, at) for each, at in map(order, broker.read(target)) if each["at"] >= warm]
    if shape == "map":
        return [at - written[each["id"]] for each, at in results]
    return [at - (each["at"] // _WINDOW + 1) * _WINDOW - _OUT_OF_ORDERNESS for each, at in results]


def order(message: Message) -> tuple[dict[str, Any], int]:
    """Return an order or a sum, and the time at which the broker has appended it."""
    return json.loads(message.value() or b"{}"), message.timestamp()[1]


def results_topic(broker: Broker) -> str:
    """Create a topic whose records have the times at which the broker has appended them."""
    return broker.create_topic(partitions=_PARTITIONS, message_timestamp_type="LogAppendTime")


def size(broker: Broker, topic: str) -> int:
    """Return how many records a topic has."""
    consumer = Consumer({"bootstrap.servers": broker.servers, "group.id": "benchmark"})
    partitions = [TopicPartition(topic, number) for number in range(_PARTITIONS)]
    ends = [consumer.get_watermark_offsets(each, timeout=10)[1] for each in partitions]
    consumer.close()
    return sum(ends)


@contextmanager
def job(
    broker: Broker, contender: str, shape: Shape, topic: str, target: str
) -> Iterator[subprocess.Popen[str]]:
    """Run a job as a process group of its own, which is killed at the end."""
    arguments = [broker.servers, topic, target, shape]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        if contender == "PyFlink":
            python = _pyflink()
            environment["PATH"] = f"{Path(python).parent}:{environment['PATH']}"
            jar = class_path((_FLINK,)).split(":")[0]
            command = [python, str(_HERE / "job.py"), *arguments, f"file://{jar}"]
        elif contender == "Structured Streaming":
            jars = [
                each for each in class_path((_SPARK,)).split(":") if Path(each).name.startswith(_SPARK_JARS)
            ]
            environment["PYSPARK_PYTHON"] = sys.executable
            command = [sys.executable, str(_HERE / "structured.py"), *arguments, ",".join(jars), directory]
        else:
            options = ["--local"] if contender == "pystream, local host" else []
            command = [sys.executable, "-m", "pystream", "run", *options, str(_HERE / "job.py"), *arguments]
        log = Path(directory, "log")
        with log.open("w") as output:
            process = subprocess.Popen(
                command,
                env=environment,
                cwd=directory,
                stdout=output,
                stderr=output,
                text=True,
                start_new_session=True,
            )
        try:
            yield process
        except BaseException:
            print(log.read_text()[-2000:], file=sys.stderr)
            raise
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _pyflink() -> str:
    return os.environ.get("PYFLINK_PYTHON", str(_ROOT / "benchmarks/.venvs/pyflink/bin/python"))


def main() -> None:
    """Print rates and latencies."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 40.0
    contenders = sys.argv[3:] or ["pystream", "pystream, local host", "Structured Streaming"]
    if not sys.argv[3:] and Path(_pyflink()).exists():
        contenders.append("PyFlink")
    shapes: tuple[Shape, ...] = ("read", "map", "window")
    with tempfile.TemporaryDirectory() as directory, Broker(Path(directory, "broker")) as broker:
        few, many = backlog(broker, records // 3), backlog(broker, records)
        for shape in shapes:
            for each in contenders:
                print(f"{shape:7} {each:22}", end=" ", flush=True)
                print(f"{rate(broker, each, shape, few, many):10,.0f} records/s", end="", flush=True)
                if shape != "read":
                    waits = latencies(broker, each, shape, seconds)
                    cuts = statistics.quantiles(waits, n=100)
                    print(f"; latency in ms p50 {cuts[49]:,.0f}, p99 {cuts[98]:,.0f}", end="")
                print(f"; load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
