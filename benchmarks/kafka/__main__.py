"""Measure the rate of jobs from Kafka to Kafka: ``python -m benchmarks.kafka [RECORDS]``.

It is that at which results arrive in the broker, without the start of the job: the number of records read by
the time between the first and the last result. PyFlink runs if ``PYFLINK_PYTHON`` names an interpreter that
has it, or ``benchmarks/build.py`` has made one.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

from confluent_kafka import Producer

from tests.servers.kafka import Broker
from tests.servers.maven import class_path

Shape = Literal["map", "window"]

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
_FLINK = "org.apache.flink:flink-sql-connector-kafka:5.0.0-2.2"
_SPARK = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0"
_SPARK_JARS = ("spark-sql-kafka", "spark-token-provider", "kafka-clients", "commons-pool2")
_TIME_LIMIT = 600


def feed(broker: Broker, topic: str, records: int) -> None:
    """Write orders of 1,000 names, 1,000 a second of event time, to two partitions."""
    producer = Producer({"bootstrap.servers": broker.servers, "linger.ms": 50})
    random.seed(1)
    for number in range(records):
        order = {
            "id": number,
            "name": f"user {random.randrange(1_000)}",
            "amount": number / 4,
            "active": number % 2 == 0,
            "at": 1_600_000_000_000 + number,
        }
        producer.produce(topic, json.dumps(order), partition=number % 2)
        if number % 1_000 == 0:
            producer.poll(0)
            while len(producer) > 50_000:
                producer.poll(0.1)
    assert producer.flush(60) == 0


def rate(broker: Broker, target: str, records: int) -> float:
    """Return the records per second of the job that has written a topic."""
    times = [message.timestamp()[1] for message in broker.read(target)]
    return records / max(0.001, (max(times) - min(times)) / 1000) if len(times) > 1 else float("nan")


def run(broker: Broker, contender: str, shape: Shape, topic: str) -> str:
    """Run a job, and return the topic that it has written."""
    target = broker.create_topic(partitions=2, message_timestamp_type="LogAppendTime")
    arguments = [broker.servers, topic, target, shape]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    with tempfile.TemporaryDirectory() as directory:
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
        done = subprocess.run(
            command,
            env=environment,
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=_TIME_LIMIT,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"{contender} failed:\n{done.stderr[-2000:]}")
    return target


def _pyflink() -> str:
    return os.environ.get("PYFLINK_PYTHON", str(_ROOT / "benchmarks/.venvs/pyflink/bin/python"))


def main() -> None:
    """Print the rates, and the ratios to PyFlink's."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    contenders = ["pystream", "pystream, local host", "Structured Streaming"]
    if Path(_pyflink()).exists():
        contenders.append("PyFlink")
    with tempfile.TemporaryDirectory() as directory, Broker(Path(directory, "broker")) as broker:
        topic = broker.create_topic(partitions=2)
        feed(broker, topic, records)
        for shape in ("map", "window"):
            rates = {each: rate(broker, run(broker, each, shape, topic), records) for each in contenders}
            base = rates.get("PyFlink", float("nan"))
            for each, found in rates.items():
                print(
                    f"{shape:7} {each:22} {found:10,.0f} records/s {found / base:6.2f} x PyFlink", flush=True
                )


if __name__ == "__main__":
    main()
