"""Run the jobs of Bytewax as one of two worker processes; the arguments are its number and a port.

Each worker reads every other Parquet file, and the sink discards the results. A job lasts from the first
batch that either worker reads until both sinks are closed.
"""

from __future__ import annotations

import sys
import time
from datetime import datetime, timedelta, timezone
from importlib.metadata import version
from itertools import chain, count
from pathlib import Path
from typing import Any

import bytewax.operators as op
import bytewax.operators.windowing as win
import pyarrow.parquet as pq
from bytewax._bytewax import cluster_main
from bytewax.dataflow import Dataflow
from bytewax.inputs import DynamicSource, StatelessSourcePartition
from bytewax.outputs import DynamicSink, StatelessSinkPartition

from benchmarks.suite.record_functions import FILTER, FLAT_MAP, KEY, MAP, REDUCE, TIME
from benchmarks.suite.runner import Request, serve
from benchmarks.suite.shapes import WINDOW_MILLIS, elements

_BATCH = 4_096
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 - as Bytewax's own examples
_MILLISECOND = timedelta(milliseconds=1)


class _Marks:
    begin = 0.0
    end = 0.0


class _Partition(StatelessSourcePartition[Any]):
    def __init__(self, files: list[Path], shape: str) -> None:
        self._shape = shape
        self._batches = chain.from_iterable(pq.ParquetFile(file).iter_batches(_BATCH) for file in files)

    def next_batch(self) -> list[Any]:
        _Marks.begin = _Marks.begin or time.time()
        return elements(self._shape, next(self._batches))


class _Source(DynamicSource[Any]):
    def __init__(self, path: str, shape: str) -> None:
        self._files = sorted(Path(path).glob("*.parquet"))
        self._shape = shape

    def build(self, step_id: str, worker_index: int, worker_count: int) -> _Partition:
        return _Partition(self._files[worker_index::worker_count], self._shape)


class _DiscardingPartition(StatelessSinkPartition[Any]):
    def write_batch(self, items: list[Any]) -> None:
        _Marks.end = time.time()

    def close(self) -> None:
        _Marks.end = time.time()


class _DiscardingSink(DynamicSink[Any]):
    def build(self, step_id: str, worker_index: int, worker_count: int) -> _DiscardingPartition:
        return _DiscardingPartition()


class _Rolling:
    def __init__(self, reduce: Any) -> None:
        self._reduce = reduce

    def __call__(self, state: Any, value: Any) -> tuple[Any, Any]:
        state = value if state is None else self._reduce(state, value)
        return state, state


def _flow(request: Request) -> Dataflow:
    shape, operator = request.shape, request.operator
    flow = Dataflow("benchmark")
    stream = op.input("in", flow, _Source(request.path, shape))
    if operator == "map":
        result: Any = op.map("map", stream, MAP[shape])
    elif operator == "filter":
        result = op.filter("filter", stream, FILTER[shape])
    elif operator == "flat_map":
        result = op.flat_map("flat_map", stream, FLAT_MAP[shape])
    else:
        key, millis = KEY[shape], TIME[shape]
        keyed = op.key_on("key", stream, lambda value: str(key(value)))
        if operator == "reduce":
            result = op.stateful_map("reduce", keyed, _Rolling(REDUCE[shape]))
        else:
            clock: Any = win.EventClock(
                lambda value: _EPOCH + millis(value) * _MILLISECOND, wait_for_system_duration=timedelta(0)
            )
            windower = win.TumblingWindower(length=WINDOW_MILLIS * _MILLISECOND, align_to=_EPOCH)
            result = win.reduce_window("window", keyed, clock, windower, REDUCE[shape]).down
    op.output("out", result, _DiscardingSink())
    return flow


class _Job:
    def __init__(self, number: int, port: int) -> None:
        self._number = number
        self._ports = count(port, 2)

    def __call__(self, request: Request) -> dict[str, Any]:
        port = next(self._ports)
        _Marks.begin = 0.0
        if self._number:
            time.sleep(0.05)  # a worker that cannot reach the other retries only after a second
        cluster_main(_flow(request), [f"127.0.0.1:{port}", f"127.0.0.1:{port + 1}"], self._number)
        return {"begin": _Marks.begin, "end": _Marks.end}


if __name__ == "__main__":
    versions = {"Bytewax": version("bytewax"), "Python": sys.version.split()[0]}
    serve(_Job(int(sys.argv[1]), int(sys.argv[2])), versions)
