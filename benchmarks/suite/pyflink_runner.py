"""Run the jobs of PyFlink in the mode of the argument: ``process`` or ``thread``.

Elements come from a collection that Java holds before the job starts, and go to Flink's DiscardingSink. The
duration is the net run time that Flink reports.
"""

from __future__ import annotations

import sys
from typing import Any

import pyarrow.parquet as pq
from pyflink.common import Configuration
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors import Sink
from pyflink.java_gateway import get_gateway
from pyflink.version import __version__

from benchmarks.suite.programs import ELEMENT_TYPES, element, program
from benchmarks.suite.record_functions import TIME
from benchmarks.suite.runner import Request, serve
from benchmarks.suite.shapes import elements


class _Job:
    def __init__(self, mode: str) -> None:
        self._mode = mode

    def __call__(self, request: Request) -> dict[str, Any]:
        shape = request.shape
        rows = pq.read_table(request.path).slice(0, request.records)
        # Files hold the even and the odd records; a collection is read by one task and must be in order.
        values = sorted((element(shape, value) for value in elements(shape, rows)), key=TIME[shape])
        configuration = Configuration()
        configuration.set_string("python.execution-mode", self._mode)
        env = StreamExecutionEnvironment.get_execution_environment(configuration)
        env.set_parallelism(2)
        # PyFlink pickles elements without a type, as it does those of its type for dataclasses.
        stream = env.from_collection(values, None if shape == "dataclass" else ELEMENT_TYPES[shape])
        sinks = get_gateway().jvm.org.apache.flink.streaming.api.functions.sink.v2
        program(stream, request.operator, shape).sink_to(Sink(sinks.DiscardingSink()))
        result = env.execute(f"{request.operator} {shape}")
        return {"seconds": result.get_net_runtime() / 1000}


if __name__ == "__main__":
    serve(_Job(sys.argv[1]), {"PyFlink": __version__, "Python": sys.version.split()[0]})
