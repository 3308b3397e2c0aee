"""Result types from the type arguments of function classes."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.arguments.element_types import element_type
from pystream.datastream import (
    AllWindowFunction,
    KeyedProcessFunction,
    KeySelector,
    MapFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from pystream.datastream.window import TimeWindow
from typeinfo import Types


class Keyed(KeyedProcessFunction[str, int, float]):
    def process_element(self, value, ctx):  # type: ignore[no-untyped-def]
        yield value / 2


class Applied(WindowFunction[int, float, str, TimeWindow]):
    def apply(self, key, window, inputs):  # type: ignore[no-untyped-def]
        yield sum(inputs) / 2


class AllApplied(AllWindowFunction[int, float, TimeWindow]):
    def apply(self, window, inputs):  # type: ignore[no-untyped-def]
        yield sum(inputs) / 2


class Processed(ProcessWindowFunction[int, float, str, TimeWindow]):
    def process(self, key, context, elements):  # type: ignore[no-untyped-def]
        yield sum(elements) / 2


class AllProcessed(ProcessAllWindowFunction[int, float, TimeWindow]):
    def process(self, context, elements):  # type: ignore[no-untyped-def]
        yield sum(elements) / 2


class Mapped(MapFunction[int, float]):
    def map(self, value):  # type: ignore[no-untyped-def]
        return value / 2


class Selected(KeySelector[int, float]):
    def get_key(self, value):  # type: ignore[no-untyped-def]
        return value / 2


@pytest.mark.parametrize(
    ("function", "method", "base"),
    [
        (Keyed(), "process_element", KeyedProcessFunction),
        (Applied(), "apply", WindowFunction),
        (AllApplied(), "apply", AllWindowFunction),
        (Processed(), "process", ProcessWindowFunction),
        (AllProcessed(), "process", ProcessAllWindowFunction),
        (Mapped(), "map", MapFunction),
        (Selected(), "get_key", KeySelector),
    ],
)
def test_the_type_argument_of_the_class_is_the_result_type(
    function: Any, method: str, base: type[Any]
) -> None:
    many = method in ("process_element", "apply", "process")
    inferred, reason = element_type(function, method, base, None, many=many)
    assert inferred == Types.DOUBLE(), reason
    assert element_type(function, method, base, Types.DOUBLE(), many=many)[0] == Types.DOUBLE()
