"""Runs PyFlink's contenders, in the mode its argument names: ``process`` or ``thread``.

Elements come from a collection that Java holds before the job starts, and are dropped by Flink's own
DiscardingSink. What is measured is the run time Flink reports for the job.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import pyarrow.parquet as pq
from pyflink.common import Configuration
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors import Sink
from pyflink.java_gateway import get_gateway
from pyflink.version import __version__

from benchmarks.suite.programs import ELEMENT_TYPES, element, program
from benchmarks.suite.runner import Request, serve
from benchmarks.suite.shapes import elements


def _environment(mode: str) -> StreamExecutionEnvironment:
    configuration = Configuration()
    configuration.set_string("python.execution-mode", mode)
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    env.set_parallelism(2)
    return env


def _discarding_sink() -> Sink:
    sinks = get_gateway().jvm.org.apache.flink.streaming.api.functions.sink.v2
    return Sink(sinks.DiscardingSink())


class _Job:
    def __init__(self, mode: str) -> None:
        self._mode = mode

    def __call__(self, request: Request) -> dict[str, Any]:
        shape = request.shape
        rows = pq.read_table(request.path).slice(0, request.records)
        order = rows.column(_TIME.get(shape, 0)).to_pylist()
        values = [element(shape, value) for value in elements(shape, rows)]
        # Files hold the even and the odd records; a collection is read by one task and must be in order.
        values = [values[i] for i in sorted(range(len(values)), key=order.__getitem__)]
        env = _environment(self._mode)
        # Without a type PyFlink pickles elements, as its type of dataclasses would have it.
        stream = env.from_collection(values, None if shape == "dataclass" else ELEMENT_TYPES[shape])
        program(stream, request.operator, shape).sink_to(_discarding_sink())
        started = time.perf_counter()
        result = env.execute(f"{request.operator} {shape}")
        return {"seconds": result.get_net_runtime() / 1000, "wall": time.perf_counter() - started}


_TIME = {"dataclass": 2}


if __name__ == "__main__":
    serve(_Job(sys.argv[1]), {"PyFlink": __version__, "Python": sys.version.split()[0]})
