"""Jobs in Spark's Real-Time Mode between topics of a real broker, in processes with sessions of their own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pystream.hosts.spark.packages import has_from_start
from tests.servers.kafka import Broker

SECONDS = 100
ROOT = Path(__file__).parents[2]


@contextmanager
def job(
    broker: Broker, topics: tuple[str, str], settings: Mapping[str, str]
) -> Iterator[subprocess.Popen[str]]:
    program = [sys.executable, "-m", "tests.connectors.real_time_job", broker.servers, *topics]
    command = [*program, json.dumps({"pystream.real-time": "true", "spark.master": "local[2]", **settings})]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def eventually(is_true: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + SECONDS
    while not is_true():
        assert time.monotonic() < deadline, "it has not come true"
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.1)


def commits(directory: Path) -> int:
    return len(list(directory.glob("words/real-time/*/commits/[0-9]*")))


@pytest.mark.spark
@pytest.mark.time_limit(240)
def test_records_pass_at_once_and_a_job_resumes_where_it_was(broker: Broker, tmp_path: Path) -> None:
    topics = broker.create_topic(partitions=2), broker.create_topic()
    settings = {
        "execution.checkpointing.dir": str(tmp_path),
        "execution.checkpointing.interval": "5 s",
        "restart-strategy.type": "none",
    }
    broker.write(topics[0], ["one", "two", None, "three"])
    with job(broker, topics, settings) as process:
        eventually(lambda: broker.values(topics[1]) == ["one!", "three!"], process)
        broker.write(topics[0], ["five"], partition=1)
        eventually(lambda: broker.values(topics[1])[2:] == ["five!"], process)
        committed = commits(tmp_path)
        eventually(lambda: commits(tmp_path) > committed, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 0, process.communicate()[1]
    assert [message.key() for message in broker.read(topics[1])] == [b"one!", b"three!", b"five!"]
    broker.write(topics[0], ["nine"])
    with job(broker, topics, {**settings, "pystream.resume": "true"}) as process:
        eventually(lambda: broker.values(topics[1])[3:] == ["nine!"], process)
        broker.write(topics[0], [b"\xff\xfe"])
        errors = process.communicate(timeout=SECONDS)[1]
    assert f"JobExecutionError: job 'words': record 5 of partition {topics[0]}-0 cannot be deser" in errors


def test_a_session_without_the_connector_is_known(spark: SparkSession) -> None:
    assert not has_from_start(spark, "kafka")
