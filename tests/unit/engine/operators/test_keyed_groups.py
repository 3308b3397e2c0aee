"""Operators on all elements of a key, and results at the end of the input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest

from pystream.datastream import OutputTag, ProcessFunction
from pystream.engine.events import MAX_BATCH, MAX_WATERMARK, Elements, Watermark
from pystream.engine.failure import TaskFailure
from pystream.engine.functions import BoundedOneInput, Function
from pystream.engine.operators.elementwise import PROCESS
from pystream.engine.operators.keyed_groups import CO_GROUP, GROUP
from pystream.engine.operators.operator import Operator
from pystream.engine.spec import KeySpec
from pystream.kinds import OperatorKind
from tests.unit.engine import driving
from tests.unit.engine.tasks import operator
from typeinfo import Types
from typeinfo.pickling import dumps


class Listed(Function):
    def process_group(self, *inputs: list[Any]) -> Iterable[Any]:
        return [tuple(sorted(value for _, value in elements) for elements in inputs)]


def opened(kind: OperatorKind, function: Any, inputs: int) -> Operator:
    """Return an open operator on elements whose first field is their key."""
    key = KeySpec(dumps(lambda value: value[0]), Types.STRING())
    return driving.opened(operator(kind, function, keys=(key,) * inputs), batch=True)


def given(events: Iterator[Any]) -> list[Any]:
    """The values of all batches, in order."""
    return [value for event in events if isinstance(event, Elements) for value in event.values]


def test_a_function_gets_the_elements_of_each_key_at_the_end_of_a_key_group() -> None:
    groups = opened(GROUP, Listed(), 1)
    assert given(groups.process(Elements([("a", 1), ("b", 2)]), 0)) == []
    assert given(groups.process(Elements([("a", 3)]), 0)) == []
    assert given(groups.end_group()) == [([1, 3],), ([2],)]
    assert given(groups.process(Elements([("a", 4)]), 0)) == []
    *results, watermark = groups.advance(MAX_WATERMARK)
    assert given(iter(results)) == [([4],)]
    assert watermark == Watermark(MAX_WATERMARK)


def test_the_elements_of_two_inputs_are_told_apart() -> None:
    groups = opened(CO_GROUP, Listed(), 2)
    for side, values in ((1, [("a", 1), ("b", 2)]), (0, [("a", 3)])):
        assert given(groups.process(Elements(values), side)) == []
    assert given(groups.end_group()) == [([3], [1]), ([], [2])]


def test_an_input_without_keys_is_broadcast() -> None:
    class Added(Listed):
        def __init__(self) -> None:
            self.broadcast: list[Any] = []

        def process_broadcast_element(self, value: Any) -> None:
            self.broadcast.append(value)

        def process_group(self, *inputs: list[Any]) -> Iterable[Any]:
            return self.broadcast

    groups = opened(GROUP, Added(), 1)
    assert given(groups.process(Elements(["one", "two"]), 1)) == []
    given(groups.process(Elements([("a", 3)]), 0))
    assert given(groups.end_group()) == ["one", "two"]


def test_the_results_of_a_large_group_come_in_batches_as_they_are_generated() -> None:
    class Endless(Listed):
        def process_group(self, *inputs: list[Any]) -> Iterator[Any]:
            number = 0
            while True:
                yield number
                number += 1

    groups = opened(GROUP, Endless(), 1)
    given(groups.process(Elements([("a", 1)]), 0))
    batches = list(islice(groups.end_group(), 2))
    assert given(iter(batches)) == list(range(2 * MAX_BATCH))


def test_a_failing_function_is_reported_with_its_key() -> None:
    class Broken(Listed):
        def process_group(self, *inputs: list[Any]) -> Iterator[Any]:
            yield 1 // (len(inputs[0]) - 1)

    groups = opened(GROUP, Broken(), 1)
    given(groups.process(Elements([("a", 1), ("a", 1), ("b", 2)]), 0))
    with pytest.raises(TaskFailure, match=r"ZeroDivisionError.*\n(.*\n)*.*key: 'b'"):
        list(groups.end_group())


ODD = OutputTag("odd", Types.INT())


class Totalled(ProcessFunction[int, Any], BoundedOneInput):
    total = 0

    def process_element(self, value: int, ctx: ProcessFunction.Context) -> None:
        self.total += value

    def end_input(self) -> Iterator[Any]:
        yield self.total
        yield ODD, self.total + 1


def test_results_at_the_end_of_the_input_come_before_its_watermark() -> None:
    totals = driving.opened(operator(PROCESS, Totalled()))
    assert given(totals.process(Elements([1, 2]), 0)) == []
    assert list(totals.advance(5)) == [Watermark(5)]
    assert given(totals.process(Elements([3]), 0)) == []
    results, side, watermark = totals.advance(MAX_WATERMARK)
    assert isinstance(results, Elements)
    assert isinstance(side, Elements)
    assert (results.values, side.values, side.tag) == ([6], [7], ODD.tag_id)
    assert watermark == Watermark(MAX_WATERMARK)


def test_a_failure_at_the_end_of_the_input_is_reported() -> None:
    class Failing(Totalled):
        def end_input(self) -> Iterator[Any]:
            yield 1 // self.total

    with pytest.raises(TaskFailure, match="ZeroDivisionError"):
        list(driving.opened(operator(PROCESS, Failing())).advance(MAX_WATERMARK))
