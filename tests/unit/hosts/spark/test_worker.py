"""The stage function, called as Spark calls it, without a JVM."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from pystream.common.typeinfo import Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import END_OF_CHANNEL
from pystream.engine.exchange.send_buffer import SendBuffer
from pystream.engine.metrics.values import CounterValue
from pystream.engine.task_info import JobInfo
from pystream.engine.worker.environment import WorkerEnvironment
from pystream.hosts.lowering import lower
from pystream.hosts.spark.bounded import divide_inputs, rows_input
from pystream.hosts.spark.task_inputs import SplitsInput
from pystream.hosts.spark.worker import StageFunction, StagePayload


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)


def stage_functions(stream: DataStream[Any]) -> list[StageFunction]:
    """Return the functions Spark would get for a program that prints a stream."""
    stream.print()
    environment = stream.get_execution_environment()
    stages = lower(environment._request(environment._builder.pending, None).plan, batch=False)
    inputs = {chain: SplitsInput(divided) for chain, divided in divide_inputs(stages).items()}
    return [
        StageFunction(
            StagePayload(
                stage.task,
                JobInfo("job", "name"),
                inputs.get(stage.chain, rows_input(stage)),
                WorkerEnvironment(),
            )
        )
        for stage in stages
    ]


def placeholder(subtask: int) -> Iterator[pa.RecordBatch]:
    """Return what Spark hands to a stage that reads a source: a row with the subtask's number."""
    yield pa.RecordBatch.from_pydict({"id": [subtask]})
    yield pa.RecordBatch.from_pydict({"id": pa.array([], pa.int64())})


def lines(batches: Iterator[pa.RecordBatch]) -> list[str]:
    return [line for batch in batches for row in batch["payload"].to_pylist() for line in pickle.loads(row)]


def test_a_source_is_read_by_the_subtask_that_the_placeholder_names(env: StreamExecutionEnvironment) -> None:
    (function,) = stage_functions(env.generate_sequence(1, 4))
    assert lines(function(placeholder(0))) + lines(function(placeholder(1))) == [
        "1> 1",
        "1> 2",
        "2> 3",
        "2> 4",
    ]


def test_a_source_reads_its_placeholder_to_the_end(env: StreamExecutionEnvironment) -> None:
    # Spark ends a worker process that leaves some of its input; each task would start a new one.
    (function,) = stage_functions(env.generate_sequence(1, 4))
    arriving = placeholder(0)
    list(function(arriving))
    assert list(arriving) == []


def test_the_garbage_collector_runs_rarely(env: StreamExecutionEnvironment) -> None:
    usual = gc.get_threshold()
    thresholds = (
        env.set_parallelism(1)
        .generate_sequence(1, 1)
        .map(lambda n: gc.get_threshold(), Types.PICKLED_BYTE_ARRAY())
    )
    (function,) = stage_functions(thresholds)
    (line,) = lines(function(placeholder(0)))
    assert line.endswith(str((100_000, *usual[1:])))
    assert gc.get_threshold() == usual


@pytest.mark.parametrize("parallelism", [1, 2])
def test_a_stage_function_holds_the_elements_of_a_collection_once(
    env: StreamExecutionEnvironment, parallelism: int
) -> None:
    text = "x" * 100_000
    (function,) = stage_functions(env.set_parallelism(parallelism).from_collection([text + "1", text + "2"]))
    assert len(pickle.dumps(function)) < 3 * len(text)


def test_rows_name_their_subtask(env: StreamExecutionEnvironment) -> None:
    numbers = env.from_collection([1], Types.INT()).map(lambda value: value, Types.INT()).set_parallelism(1)
    _, receiving = stage_functions(numbers.broadcast().map(lambda value: value * 10, Types.INT()))
    frame = SendBuffer()
    frame.add([1, 2], None)
    payload = frame.dump(ElementsFormat(Types.INT()).dump)
    row = {"edge": [1], "target": [1], "group": [0], "channel": [0], "seq": [0], "payload": [payload]}
    assert lines(receiving(iter([pa.RecordBatch.from_pydict(row)]))) == ["2> 10", "2> 20"]


def test_metrics_of_senders_are_added_up(env: StreamExecutionEnvironment) -> None:
    _, receiving = stage_functions(env.from_collection([1]).broadcast().map(lambda value: value))
    measured = [pickle.dumps({"Map.seen": CounterValue(count)}) for count in (2, 3)]
    ends = {
        "edge": [1] * 3,
        "target": [1] * 3,
        "group": [0] * 3,
        "channel": [0, 1, 2],
        "seq": [END_OF_CHANNEL] * 3,
    }
    (batch,) = receiving(iter([pa.RecordBatch.from_pydict({**ends, "payload": [*measured, b""]})]))
    (row,) = batch.to_pylist()
    assert row["seq"] == END_OF_CHANNEL
    assert pickle.loads(row["payload"]) == {"Map.seen": CounterValue(5)}


def test_a_stage_without_input_rows_is_run(env: StreamExecutionEnvironment) -> None:
    _, receiving = stage_functions(env.from_collection([1]).broadcast().map(lambda value: value))
    assert list(receiving(iter([]))) == []
