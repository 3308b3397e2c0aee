"""Run a case as a Structured Streaming query of PySpark's own.

Rates are of batches after the job has settled, from the start of the first of them to the end of the last.
Latency ends when ``foreachBatch`` has a result in the driver.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

from benchmarks.unbounded.feed import feed
from benchmarks.unbounded.pyspark_programs import program, timed_program
from benchmarks.unbounded.runner import SECONDS_TO_SETTLE, Request, answer, latencies, rates

_ROWS = {"PySpark windows": 2_000_000}
_USUAL_ROWS = 500_000
_LEAST_BATCHES = 2


def measure(request: Request) -> dict[str, Any]:
    """Measure a case."""
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.sql.shuffle.partitions", "2")
        .config(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        )
        .config("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", "true")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    if request.case.is_latency:
        return _latency(spark, request)
    rows = _ROWS.get(request.contender, _USUAL_ROWS)
    numbers = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", rows)
        .option("numPartitions", 2)
        .load()
    )
    result = program(numbers, request.case, request.contender)
    query = (
        result.writeStream.format("noop")
        .outputMode("append")
        .option("checkpointLocation", f"{request.directory}/checkpoint")
        .start()
    )
    return _steady(query, request.seconds)


def _steady(query: StreamingQuery, seconds: float) -> dict[str, Any]:
    while True:
        time.sleep(0.5)
        failure = query.exception()
        if failure is not None:
            raise failure
        known = query.recentProgress
        settled = _end(known[0]) + SECONDS_TO_SETTLE if known else 0.0
        batches = [progress for progress in known if _start(progress) >= settled]
        if len(batches) < _LEAST_BATCHES:
            continue
        took = _end(batches[-1]) - _start(batches[0])
        if took >= seconds:
            return rates(sum(progress.numInputRows for progress in batches), took)


def _start(progress: Any) -> float:
    return datetime.fromisoformat(progress.timestamp).timestamp()


def _end(progress: Any) -> float:
    return _start(progress) + float(progress.batchDuration) / 1000


def _latency(spark: SparkSession, request: Request) -> dict[str, Any]:
    found: list[int] = []

    def take(frame: DataFrame, _: int) -> None:
        created = frame.toArrow()["created"].to_pylist()
        now = time.time_ns()
        found.extend(now - each for each in created)

    with feed() as port:
        lines = spark.readStream.format("socket").option("host", "127.0.0.1").option("port", port).load()
        result = timed_program(lines, request.case)
        checkpoint = f"{request.directory}/checkpoint"
        result.writeStream.foreachBatch(take).option("checkpointLocation", checkpoint).start()
        while not found:
            time.sleep(0.1)
        time.sleep(request.seconds)
        return latencies(found)


if __name__ == "__main__":
    answer(measure)
