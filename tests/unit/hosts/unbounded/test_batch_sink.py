"""The sink that passes the elements of each checkpoint to a function on the driver."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import ForeachBatchSink
from pystream.engine.connectors.batch_sink import BatchesOutput
from pystream.engine.failure import ElementFailure
from pystream.engine.task_info import SubtaskInfo
from pystream.errors import PlanTypeError, SinkError, UnsupportedOperationError, UnsupportedTypeError
from tests.unit.hosts.unbounded.epochs import JOB, KNOWN, Epoch, Job, run_epochs
from typeinfo import Types


def test_the_function_gets_the_elements_since_the_last_checkpoint(tmp_path: Path) -> None:
    calls: list[tuple[Any, int]] = []
    job = Job(tmp_path, BatchesOutput(Types.INT(), lambda table, n: calls.append((table.to_pylist(), n))))
    run_epochs(job, [Epoch([[1], [2]], publishes=False), Epoch([[3], []]), Epoch([[], []])])
    assert calls == [([{"value": 1}, {"value": 2}, {"value": 3}], 1)]


def test_a_call_that_failed_is_repeated_with_the_same_id(tmp_path: Path) -> None:
    calls: list[int] = []

    def fail_once(table: pa.Table, epoch: int) -> None:
        calls.append(epoch)
        if len(calls) == 1:
            raise RuntimeError("no")

    run_epochs(job := Job(tmp_path, BatchesOutput(Types.INT(), fail_once)), [Epoch([[]])])
    job.run(1, Epoch([[1]]), 0)
    with pytest.raises(SinkError, match="failed to commit epoch 1: RuntimeError: no"):
        job.commits.commit(1)
    Job(tmp_path, BatchesOutput(Types.INT(), fail_once)).commits.recover(1, KNOWN)
    assert calls == [1, 1]


def test_the_function_is_not_sent_to_the_workers() -> None:
    lock = threading.Lock()
    sink = ForeachBatchSink(lambda frame, epoch: lock.locked()).bind(Types.INT())
    writer = pickle.loads(pickle.dumps(sink)).epoch_writer("t", SubtaskInfo(JOB, 0, 1, 128, 0))
    writer.write([1, 2])
    with pytest.raises(ElementFailure, match="failed on 'x'"):
        writer.write([3, "x"])
    assert pa.ipc.open_stream(writer.finish()).read_all().to_pylist() == [{"value": 1}, {"value": 2}]
    assert writer.finish() is None


def test_elements_need_a_type_and_spark() -> None:
    configuration = Configuration()
    configuration.set_string("pystream.runner", "local")
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    numbers = env.from_collection([1], Types.INT())
    with pytest.raises(PlanTypeError, match="foreach_batch takes a function"):
        numbers.foreach_batch(1)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedTypeError, match="foreach_batch needs the type of the elements"):
        ForeachBatchSink(print).bind(Types.PICKLED_BYTE_ARRAY())
    numbers.foreach_batch(print)
    with pytest.raises(UnsupportedOperationError, match="foreach_batch: only Spark makes data frames"):
        env.execute()
