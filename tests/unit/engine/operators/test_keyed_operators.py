"""Keyed operators: results, batch execution, timers and failures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pystream.datastream import CoMapFunction, KeyedProcessFunction, MapFunction, OutputTag
from pystream.datastream.state import ValueStateDescriptor
from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Watermark
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import CO_MAP, FILTER, FLAT_MAP, MAP, PROCESS
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import KeySpec
from pystream.kinds import OperatorKind
from pystream.testing import ProcessFunctionTestHarnesses
from tests.unit.engine import driving
from tests.unit.engine.tasks import operator as operator_spec
from typeinfo import Types
from typeinfo.pickling import dumps

ODD = OutputTag("odd", Types.INT())


def opened(
    kind: OperatorKind, function: Any, batch: bool = False, inputs: int = 1, snapshot: Any = None
) -> Operator:
    """Return an open operator on elements whose first field is their key."""
    key = KeySpec(dumps(lambda value: value[0]), Types.STRING())
    return driving.opened(operator_spec(kind, function, keys=(key,) * inputs), batch, snapshot)


def given(events: Iterator[Any]) -> list[Any]:
    """The values of all batches, in order."""
    return [value for event in events if isinstance(event, Elements) for value in event.values]


def add(value1: Any, value2: Any) -> Any:
    return value1[0], value1[1] + value2[1]


@pytest.mark.promise("beh:keyed-reduce-sum", "beh:streaming-reduce-rolling")
def test_reduce_emits_each_result_with_the_timestamp_of_its_element() -> None:
    operator = opened(REDUCE, add)
    batch = Elements([("a", 1), ("b", 2), ("a", 3)], [10, 20, 5])
    results = [event[:2] for event in operator.process(batch, 0)]
    assert results == [([("a", 1), ("b", 2), ("a", 4)], [10, 20, 5])]
    assert given(operator.process(Elements([("a", 5)]), 0)) == [("a", 9)]


def test_reduce_continues_from_a_snapshot() -> None:
    first = opened(REDUCE, add)
    given(first.process(Elements([("a", 1)]), 0))
    second = opened(REDUCE, add, snapshot=driving.snapshot_of(first))
    assert given(second.process(Elements([("a", 2)]), 0)) == [("a", 3)]


def test_reduce_in_batch_execution_emits_the_last_result_of_each_key() -> None:
    operator = opened(REDUCE, add, batch=True)
    assert given(operator.process(Elements([("a", 1), ("b", 2), ("a", 3)]), 0)) == []
    assert sorted(given(operator.end_group())) == [("a", 4), ("b", 2)]
    assert given(operator.process(Elements([("a", 7)]), 0)) == []
    assert given(operator.end_group()) == [("a", 7)]
    assert given(operator.end_group()) == []


def test_emitted_results_are_copies_of_the_reduced_value() -> None:
    def append(value1: list[Any], value2: list[Any]) -> list[Any]:
        value1.append(value2[-1])
        return value1

    operator = opened(REDUCE, append)
    values = [["a", 0], *(["a", number] for number in range(1, 200))]
    results = given(operator.process(Elements(values), 0))
    assert results == [["a", *range(number + 1)] for number in range(200)]


def test_a_failing_reduce_function_is_reported_with_element_and_key() -> None:
    operator = opened(REDUCE, lambda one, two: 1 // 0)
    with pytest.raises(TaskFailure, match=r"ZeroDivisionError.*\n.*element: \('a', 2\)\n.*key: 'a'"):
        list(operator.process(Elements([("a", 1), ("b", 1), ("a", 2)]), 0))


class Counting(MapFunction[Any, Any]):
    def open(self, runtime_context: Any) -> None:
        self._count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def map(self, value: Any) -> Any:
        count = (self._count.value() or 0) + 1
        self._count.update(count)
        return value[0], count


@pytest.mark.promise("beh:stateful-map-on-keyed")
def test_map_keeps_the_state_of_each_key_across_batches() -> None:
    operator = opened(MAP, Counting())
    assert given(operator.process(Elements([("a",), ("b",), ("a",)]), 0)) == [("a", 1), ("b", 1), ("a", 2)]
    assert given(operator.process(Elements([("b",)]), 0)) == [("b", 2)]


def test_filter_and_flat_map_keep_timestamps() -> None:
    batch = Elements([("a", 1), ("b", 2)], [10, 20])
    kept = opened(FILTER, lambda value: value[1] > 1).process(batch, 0)
    assert [event[:2] for event in kept] == [([("b", 2)], [20])]
    flattened = opened(FLAT_MAP, lambda value: range(value[1])).process(batch, 0)
    assert [event[:2] for event in flattened] == [([0, 0, 1], [10, 20, 20])]
    assert given(opened(FLAT_MAP, lambda value: None).process(batch, 0)) == []


class Both(CoMapFunction[Any, Any, Any]):
    def open(self, runtime_context: Any) -> None:
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.INT()))

    def map1(self, value: Any) -> None:
        self._seen.update(value[1])

    def map2(self, value: Any) -> Any:
        return value[0], self._seen.value()


@pytest.mark.promise("beh:co-keyed-state-shared")
def test_two_inputs_share_state_and_none_emits_nothing() -> None:
    operator = opened(CO_MAP, Both(), inputs=2)
    assert given(operator.process(Elements([("a", 5)]), 0)) == []
    assert given(operator.process(Elements([("a",), ("b",)]), 1)) == [("a", 5), ("b", None)]


class Clocks(KeyedProcessFunction[Any, Any, Any]):
    """Registers a timer at the time of each element, and one in processing time."""

    def open(self, runtime_context: Any) -> None:
        self._count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
        self._count.update((self._count.value() or 0) + 1)
        service = ctx.timer_service()
        service.register_event_time_timer(value[1])
        service.register_processing_time_timer(1)
        yield value[0], value[1], service.current_watermark()

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        yield ctx.get_current_key(), ctx.time_domain().name, timestamp, self._count.value()


def test_batch_execution_processes_one_key_after_another_in_order_of_time() -> None:
    operator = opened(PROCESS, Clocks(), batch=True)
    values = [("a", 30), ("b", 20), ("a", 10), ("b", 25), ("a", 10)]
    assert given(operator.process(Elements(values, [time for _, time in values]), 0)) == []
    events = list(operator.end_group())
    assert not any(isinstance(event, Watermark) for event in events)
    assert given(iter(events)) == [
        ("a", 10, NO_TIMESTAMP),
        ("a", 10, NO_TIMESTAMP),
        ("a", 30, NO_TIMESTAMP),
        ("a", "EVENT_TIME", 10, 3),
        ("a", "EVENT_TIME", 30, 3),
        ("a", "PROCESSING_TIME", 1, 3),
        ("b", 20, NO_TIMESTAMP),
        ("b", 25, NO_TIMESTAMP),
        ("b", "EVENT_TIME", 20, 2),
        ("b", "EVENT_TIME", 25, 2),
        ("b", "PROCESSING_TIME", 1, 2),
    ]


def test_batch_execution_discards_the_state_of_finished_keys() -> None:
    operator = opened(PROCESS, Clocks(), batch=True)
    for _ in range(2):
        given(operator.process(Elements([("a", 5)]), 0))
        assert given(operator.end_group())[1] == ("a", "EVENT_TIME", 5, 1)


def test_batch_execution_keeps_the_order_of_equal_timestamps_across_inputs() -> None:
    class Sides(CoMapFunction[Any, Any, Any]):
        def map1(self, value: Any) -> Any:
            return 1, *value

        def map2(self, value: Any) -> Any:
            return 2, *value

    operator = opened(CO_MAP, Sides(), batch=True, inputs=2)
    given(operator.process(Elements([("a", 3), ("a", 1)], [3, 1]), 0))
    given(operator.process(Elements([("a", 2), ("a", 3)], [2, 3]), 1))
    assert given(operator.end_group()) == [(1, "a", 1), (2, "a", 2), (1, "a", 3), (2, "a", 3)]


class Failing(KeyedProcessFunction[Any, Any, Any]):
    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> None:
        ctx.timer_service().register_event_time_timer(5)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> None:
        raise ValueError("no luck")


def test_a_failing_timer_is_reported_with_its_key() -> None:
    operator = opened(PROCESS, Failing())
    given(operator.process(Elements([("a", 1)]), 0))
    with pytest.raises(TaskFailure, match=r"(?s)ValueError: no luck.*key: 'a'"):
        list(operator.advance(MAX_WATERMARK))


class Splitting(KeyedProcessFunction[Any, Any, Any]):
    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
        yield (ODD, value) if value % 2 else value
        yield "tag", value
        ctx.timer_service().register_event_time_timer(value)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        yield ODD, -timestamp


def test_tagged_results_of_elements_and_timers_go_to_side_outputs() -> None:
    harness = ProcessFunctionTestHarnesses.for_keyed_process_function(Splitting(), lambda value: value % 3)
    with harness:
        harness.process_elements([1, 2, 3], timestamp=7)
        harness.process_watermark(2)
        assert harness.extract_output_values() == [("tag", 1), 2, ("tag", 2), ("tag", 3)]
        assert harness.get_side_output(ODD) == [1, 3, -1, -2]


def test_many_results_are_emitted_before_the_batch_ends() -> None:
    operator = opened(FLAT_MAP, lambda value: range(value[1]))
    events = operator.process(Elements([("a", 10_000), ("a", 10_000), ("a", 1)]), 0)
    assert [len(event.values) for event in events if isinstance(event, Elements)] == [10_000, 10_000, 1]
