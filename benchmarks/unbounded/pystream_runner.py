"""Run a case on pystream: on Spark, or on the local host if the contender's name ends with ``local``.

Rates are from the end of one epoch to the end of another, by the job's own metrics. The target duration of an
epoch is its default, or that which ends the contender's name, such as ``5 s``. Latency ends when
``execute_and_collect`` yields a result in the driver. The input of the contender
``pystream bounded`` ends: its rate is the difference between two jobs, a short one and a long one.
"""

from __future__ import annotations

import time
from typing import Any

from benchmarks.unbounded.feed import feed
from benchmarks.unbounded.runner import SECONDS_TO_SETTLE, Request, answer, latencies, rates
from pystream import compat
from pystream.common import Configuration, JobClient, Types, WatermarkStrategy
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import DataGeneratorSource

compat.install()  # the programs import pyflink
from benchmarks.unbounded.pyflink_programs import program, timed_program  # noqa: E402

_LEAST_EPOCHS = 3

_SHORT = 2_000_000
"""Records of a short job with bounded input."""


def measure(request: Request) -> dict[str, Any]:
    """Measure a case."""
    settings = {"execution.checkpointing.dir": f"{request.directory}/checkpoints"}
    if request.contender.endswith("local"):
        settings["pystream.runner"] = "local"
    if request.contender.endswith(" s"):
        settings["pystream.batch-interval"] = request.contender.removeprefix("pystream ")
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings))
    env.set_parallelism(2)
    if request.case.is_latency:
        return _latency(env, request)
    if request.contender.endswith("bounded"):
        return _bounded(env, request)
    # All keys have had a record before the measurement.
    return _steady(_start(env, request, DataGeneratorSource.UNBOUNDED), request.case.keys, request.seconds)


def _start(env: StreamExecutionEnvironment, request: Request, count: int) -> JobClient:
    source = DataGeneratorSource(lambda index: index, count, type_info=Types.LONG())
    numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")
    program(numbers, request.case).filter(lambda result: False).print()
    return env.execute_async(request.name)


def _bounded(env: StreamExecutionEnvironment, request: Request) -> dict[str, Any]:
    def seconds(count: int) -> float:
        began = time.monotonic()
        _start(env, request, count).get_job_execution_result().result()
        return time.monotonic() - began

    seconds(_SHORT)  # Spark starts
    short = seconds(_SHORT)
    more = int(_SHORT * request.seconds / short)
    return rates(more, seconds(_SHORT + more) - short)


def _steady(job: JobClient, least: int, seconds: float) -> dict[str, Any]:
    """Measure from an end of an epoch, at which at least so many records were read."""
    first: tuple[int, int, float] | None = None
    last_epoch, settled = 0, float("inf")
    while True:
        time.sleep(0.005)
        metrics = job.get_metrics().result()
        epoch, now = metrics["numEpochs"], time.monotonic()
        if epoch == last_epoch:
            continue
        if last_epoch == 0:
            settled = now + SECONDS_TO_SETTLE
        last_epoch = epoch
        records = metrics["stages"][-1]["numRecordsIn"]
        if now < settled or records < least:
            continue
        if first is None:
            first = epoch, records, now
        elif epoch >= first[0] + _LEAST_EPOCHS and now >= first[2] + seconds:
            return rates(records - first[1], now - first[2]) | {"epochs": epoch - first[0]}


def _latency(env: StreamExecutionEnvironment, request: Request) -> dict[str, Any]:
    found: list[int] = []
    with feed() as port:
        lines = env.socket_text_stream("127.0.0.1", port)
        with timed_program(lines, request.case).execute_and_collect(request.name) as results:
            until = None
            for _, created in results:
                found.append(time.time_ns() - created)
                now = time.monotonic()
                until = until or now + request.seconds
                if now > until:
                    return latencies(found)
    raise RuntimeError("the feed never ends, but the job did")


if __name__ == "__main__":
    answer(measure)
