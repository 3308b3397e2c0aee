"""Run a case on PyFlink in the mode of the contender's name.

Rates are those at which the keyed task reads records, by Flink's own metrics. Checkpoints are off, because
the state of PyFlink would be written more seldom than that of the others: this is in its favour. Latency
ends in a Python function before the sink.
"""

from __future__ import annotations

import json
import socket
import time
import urllib.request
from pathlib import Path
from typing import Any

from pyflink.common import Configuration, Types, WatermarkStrategy
from pyflink.datastream import DataStream, StreamExecutionEnvironment
from pyflink.datastream.connectors import Sink
from pyflink.datastream.connectors.number_seq import NumberSequenceSource
from pyflink.java_gateway import get_gateway

from benchmarks.unbounded.feed import feed
from benchmarks.unbounded.pyflink_programs import PAIR, WriteLatency, program, timed_program
from benchmarks.unbounded.runner import Request, answer, latencies, rates

_HALF = 2_000_000_000
_WARM_UP = 15
_SECONDS_TO_START = 60


def measure(request: Request) -> dict[str, Any]:
    """Measure a case."""
    port = _free_port()
    configuration = Configuration()
    configuration.set_string("python.execution-mode", request.contender.split()[1])
    configuration.set_string("rest.port", str(port))
    configuration.set_string("metrics.fetcher.update-interval", "200")
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    env.set_parallelism(2)
    if request.case.is_latency:
        return _latency(env, request)
    # The two halves are read in turns by two tasks; each pair of numbers becomes two that follow each other.
    halves = env.from_source(
        NumberSequenceSource(0, 2 * _HALF - 1), WatermarkStrategy.no_watermarks(), "numbers", Types.LONG()
    )
    numbers = halves.map(lambda n: 2 * n if n < _HALF else 2 * (n - _HALF) + 1, output_type=Types.LONG())
    _discard(program(numbers, request.case))
    job = env.execute_async(request.name).get_job_id()
    time.sleep(_WARM_UP)
    first, began = _records_read(port, job), time.monotonic()
    time.sleep(request.seconds)
    return rates(_records_read(port, job) - first, time.monotonic() - began)


def _latency(env: StreamExecutionEnvironment, request: Request) -> dict[str, Any]:
    with feed() as port:
        lines = DataStream(env._j_stream_execution_environment.socketTextStream("127.0.0.1", port))
        written = WriteLatency(f"{request.directory}/latency")
        _discard(timed_program(lines, request.case).map(written, output_type=PAIR))
        env.execute_async(request.name)
        directory = Path(request.directory)
        until = time.monotonic() + _SECONDS_TO_START
        while not list(directory.glob("latency*")):
            if time.monotonic() > until:
                raise TimeoutError("the job has not started")
            time.sleep(0.1)
        time.sleep(request.seconds)
        texts = [file.read_text() for file in directory.glob("latency*")]
    pairs = [line.split(",") for text in texts for line in text.split("\n")[:-1]]
    return latencies([int(taken) for _, taken in sorted(pairs)])


def _discard(stream: DataStream) -> None:
    sinks = get_gateway().jvm.org.apache.flink.streaming.api.functions.sink.v2
    stream.sink_to(Sink(sinks.DiscardingSink()))


def _records_read(port: int, job: Any) -> int:
    """Return the number of records that the keyed task, the last one, has read."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/jobs/{job}", timeout=30) as response:
        described = json.load(response)
    return int(described["vertices"][-1]["metrics"]["read-records"])


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


if __name__ == "__main__":
    answer(measure)
