"""Unbounded jobs whose streaming query the program stops by itself, or which does not end."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pystream.common import Configuration, JobStatus, Types, WatermarkStrategy
from pystream.common.job_client import JobClient
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.errors import JobCancelledError
from pystream.hosts.spark import unbounded
from pystream.hosts.spark.query_logs import QueryEndedError

PATIENCE = 60  # seconds


def await_epoch(client: JobClient) -> None:
    deadline = time.monotonic() + PATIENCE
    while not client.get_metrics().result().get("numEpochs"):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.time_limit(90)
@pytest.mark.parametrize(
    ("rate", "pause"), [(20, 0), (0.1, 0), (20, 1)], ids=["busy", "idle", "in the middle of an epoch"]
)
def test_a_stopped_query_cancels_the_job_which_can_resume(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture, rate: float, pause: float
) -> None:
    def slowly(number: int) -> int:
        time.sleep(pause)
        return number

    settings = Configuration().set_string("execution.checkpointing.dir", str(tmp_path))
    settings.set_string("restart-strategy.type", "fixed-delay")
    env = StreamExecutionEnvironment.get_execution_environment(settings)
    limit = RateLimiterStrategy.per_second(rate)
    source = DataGeneratorSource(int, DataGeneratorSource.UNBOUNDED, limit, type_info=Types.LONG())
    env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").map(slowly).print()
    caplog.set_level(logging.INFO, logger="pystream")
    client = env.execute_async("stopped")
    await_epoch(client)
    (query,) = spark.streams.active
    query.stop()
    with pytest.raises(JobCancelledError, match="'stopped' was cancelled: its streaming query was stopped"):
        client.get_job_execution_result().result()
    assert client.get_job_status().result() is JobStatus.CANCELED
    assert "'stopped' can resume from" in caplog.text
    assert (tmp_path / "stopped" / "job.json").exists()


@pytest.mark.time_limit(90)
def test_a_job_ends_though_spark_never_hears_that_its_query_is_to_end(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = threading.Event(), threading.Event()

    class LateError(QueryEndedError):
        def __init__(self) -> None:
            asked.set()
            answers.wait()

    monkeypatch.setattr(unbounded, "QueryEndedError", LateError)
    monkeypatch.setattr(unbounded, "_PATIENCE", 1)
    settings = Configuration().set_string("execution.checkpointing.dir", str(tmp_path))
    settings.set_string("spark.sql.streaming.stopTimeout", "1s")
    env = StreamExecutionEnvironment.get_execution_environment(settings)
    source = DataGeneratorSource(
        int, DataGeneratorSource.UNBOUNDED, RateLimiterStrategy.per_second(20), type_info=Types.LONG()
    )
    env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").print()
    client = env.execute_async("deaf")
    await_epoch(client)
    try:
        client.stop_with_savepoint(False, str(tmp_path / "savepoint")).result()
        client.get_job_execution_result().result()
        assert asked.is_set()
    finally:
        answers.set()
        while spark.streams.active:
            time.sleep(0.02)
