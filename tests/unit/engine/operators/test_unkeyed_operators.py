"""Operators without keys that have two inputs, and the head of a loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pystream.datastream import CoFlatMapFunction, CoMapFunction, CoProcessFunction
from pystream.engine.events import Elements
from pystream.engine.operators.elementwise import CO_FLAT_MAP, CO_MAP, CO_PROCESS
from pystream.engine.operators.iteration import ITERATION
from pystream.kinds import OperatorKind
from tests.unit.engine import driving
from tests.unit.engine.tasks import operator


class Mapped(CoMapFunction[int, int, Any]):
    def map1(self, value: int) -> Any:
        return "left", value

    def map2(self, value: int) -> Any:
        return "right", value


class FlatMapped(CoFlatMapFunction[int, int, Any]):
    def flat_map1(self, value: int) -> Iterator[Any]:
        yield "left", value

    def flat_map2(self, value: int) -> Iterator[Any]:
        yield "right", value


class Processed(CoProcessFunction[int, int, Any]):
    def process_element1(self, value: int, ctx: CoProcessFunction.Context) -> Iterator[Any]:
        yield "left", value

    def process_element2(self, value: int, ctx: CoProcessFunction.Context) -> Iterator[Any]:
        yield "right", value


@pytest.mark.parametrize(
    ("kind", "function"),
    [(CO_MAP, Mapped()), (CO_FLAT_MAP, FlatMapped()), (CO_PROCESS, Processed())],
    ids=lambda value: value.name if isinstance(value, OperatorKind) else "",
)
def test_each_input_has_a_method_and_results_keep_timestamps(kind: OperatorKind, function: Any) -> None:
    opened = driving.opened(operator(kind, function))
    (left,) = opened.process(Elements([1], [10]), 0)
    (right,) = opened.process(Elements([2], [20]), 1)
    assert left[:2] == ([("left", 1)], [10])
    assert right[:2] == ([("right", 2)], [20])


def test_the_head_of_a_loop_passes_elements_on() -> None:
    elements = Elements([1, 2], [10, 20])
    head = driving.opened(operator(ITERATION, None))
    assert list(head.process(elements, 0)) == [elements]
