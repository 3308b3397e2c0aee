"""Programs of thousands of operators: planned, sent to workers and run without a deep stack."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import Any

import cloudpickle
import pytest

from pystream.common import Types
from pystream.datastream import OutputTag, ProcessFunction, StreamExecutionEnvironment
from pystream.engine.events import MAX_WATERMARK, Arrival, Elements, Watermark
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.spec import TaskSpec, operators_of
from pystream.engine.task.task import Task
from pystream.engine.task_info import SubtaskInfo
from pystream.errors import PlanError
from pystream.hosts.lowering import Stage, lower
from pystream.hosts.spark.job import MAX_EXCHANGES, MAX_TASKS, refuse_long_sequences
from pystream.plan.nodes import CollectTarget
from tests.unit.engine.tasks import JOB

MANY = 1_000
LONG = Types.LONG()
SIDE = OutputTag("side", LONG)
steps = [1]


def increment(value: int) -> int:
    return value + steps[0]


class ToSide(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterable[Any]:
        yield SIDE, value + 1


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)


def stages(env: StreamExecutionEnvironment) -> list[Stage]:
    return lower(env._request(env._builder.pending, None).plan, batch=False)


def printed(spec: TaskSpec, values: list[int]) -> list[str]:
    """The lines that a task prints which was sent to a worker."""
    task: TaskSpec = pickle.loads(cloudpickle.dumps(spec))
    arriving = [Arrival(Elements(values)), Arrival(Watermark(MAX_WATERMARK))]
    rows = Task(task, SubtaskInfo(JOB, 0, 1, 128, 0), MetricRegistry()).run(arriving)
    return [line for row in rows for line in pickle.loads(row.payload)]


def test_a_chain(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection([1, 2], LONG)
    for number in range(MANY):
        stream = stream.filter(lambda v: v > 0) if number % 4 == 3 else stream.map(increment, LONG)
    assert stream.explain().count("increment at") >= MANY * 3 // 4
    stream.print()
    (stage,) = stages(env)
    assert len(operators_of(stage.task.consumers)) == MANY
    assert printed(stage.task, [1, 2]) == [str(1 + MANY * 3 // 4), str(2 + MANY * 3 // 4)]


def test_side_outputs_of_side_outputs(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection([1, 2], LONG)
    for _ in range(MANY):
        stream = stream.process(ToSide(), LONG).get_side_output(SIDE)
    stream.print()
    (stage,) = stages(env)
    assert printed(stage.task, [1, 2]) == [str(1 + MANY), str(2 + MANY)]


def test_a_chain_with_a_reader_at_each_operator(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection([1, 2], LONG)
    for _ in range(MANY):
        stream = stream.map(increment, LONG)
        stream.print()
    (stage,) = stages(env)
    assert [node.inputs for _, node in stage.sinks] == [(2 * number,) for number in range(1, MANY + 1)]
    assert sorted(map(int, printed(stage.task, [0]))) == list(range(1, MANY + 1))


def test_a_chain_whose_sink_has_all_elements(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection([1], LONG)
    for _ in range(MANY):
        stream = stream.map(increment, LONG)
    (sink,) = (stream._target("Collect", CollectTarget(2)),)
    (stage,) = lower(env._request([sink], None).plan, batch=False)
    taken = []

    def arriving() -> Iterator[Arrival]:
        for value in range(9):
            taken.append(value)
            yield Arrival(Elements([value]))

    rows = list(Task(stage.task, SubtaskInfo(JOB, 0, 1, 128, 0), MetricRegistry()).run(arriving()))
    load = ElementsFormat(LONG).load_list
    values = [value for row in rows if isinstance(row, OutputRow) for value in load(row.payload)]
    assert values == [MANY, MANY + 1]
    assert taken == [0, 1]


def test_unions_of_unions(env: StreamExecutionEnvironment) -> None:
    first = env.from_collection([1], LONG)
    stream = first
    for _ in range(MANY):
        stream = stream.union(first)
    stream.map(increment, LONG).print()
    source, last = stages(env)
    assert len(source.outputs) == len(last.inputs) == MANY + 1


def test_many_streams_in_one_union(env: StreamExecutionEnvironment) -> None:
    streams = [env.from_collection([number], LONG) for number in range(MANY)]
    streams[0].union(*streams[1:]).print()
    *sources, last = stages(env)
    assert len(sources) == MANY
    assert last.task.channels == MANY


def test_tasks_without_exchanges_between_them_are_limited(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection([1], LONG)
    for _ in range(MAX_TASKS - 2):  # the source and the sink are tasks of their own
        stream = stream.map(increment, LONG).disable_chaining()
    stream.print()
    refuse_long_sequences(stages(env))
    stream.map(increment, LONG).disable_chaining().print()
    with pytest.raises(PlanError, match=r"more than 100 tasks follow one another.*disable_chaining"):
        refuse_long_sequences(stages(env))


def test_exchanges_one_after_another_are_limited(env: StreamExecutionEnvironment) -> None:
    stream = env.set_parallelism(2).from_collection([1], LONG)
    for _ in range(MAX_EXCHANGES + 1):  # the first one is the source's
        stream = stream.rebalance().map(increment, LONG)
    stream.print()
    refuse_long_sequences(stages(env))
    stream.rebalance().map(increment, LONG).print()
    with pytest.raises(PlanError, match=r"more than 200 exchanges.*follow one another"):
        refuse_long_sequences(stages(env))


def test_a_job_with_too_many_tasks_is_refused_before_it_starts(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection([1], LONG)
    for _ in range(2_000):
        stream = stream.map(increment, LONG).disable_chaining()
    with pytest.raises(PlanError, match="more than 100 tasks"):
        stream.execute_and_collect()
    stream.rebalance().print()
    with pytest.raises(PlanError, match="more than 100 tasks"):
        env.execute()


def test_streams_side_by_side_are_not_limited(env: StreamExecutionEnvironment) -> None:
    streams = [env.from_collection([number], LONG) for number in range(2_000)]
    streams[0].union(*streams[1:]).print()
    refuse_long_sequences(stages(env))
