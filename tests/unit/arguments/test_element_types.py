"""Result types from the type arguments of function classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from pystream.arguments.element_types import common_element_type, element_type
from pystream.datastream import (
    AllWindowFunction,
    CoProcessFunction,
    KeyedProcessFunction,
    KeySelector,
    MapFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from pystream.datastream.window import TimeWindow
from pystream.errors import PlanError
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


class StateOnly(CoProcessFunction):
    def process_element1(self, value: int, ctx: Any) -> None:
        pass

    def process_element2(self, value: int, ctx: Any) -> Iterator[int]:
        yield value


class Unannotated(CoProcessFunction):
    def process_element1(self, value, ctx):  # type: ignore[no-untyped-def]
        yield "text"

    def process_element2(self, value: int, ctx: Any) -> Iterator[int]:
        yield value


class Disagreeing(CoProcessFunction):
    def process_element1(self, value: int, ctx: Any) -> Iterator[str]:
        yield "text"

    def process_element2(self, value: int, ctx: Any) -> Iterator[int]:
        yield value


class Silent(CoProcessFunction):
    def process_element1(self, value: int, ctx: Any) -> None:
        pass

    def process_element2(self, value: int, ctx: Any) -> None:
        pass


@pytest.mark.parametrize(
    ("function", "expected", "reason"),
    [
        (StateOnly(), Types.LONG(), "annotation of StateOnly"),
        (Unannotated(), Types.PICKLED_BYTE_ARRAY(), "no output_type, and "),
        (
            Disagreeing(),
            Types.PICKLED_BYTE_ARRAY(),
            "process_element1 returns String, process_element2 returns",
        ),
        (Silent(), Types.PICKLED_BYTE_ARRAY(), "no output_type"),
    ],
)
def test_results_of_two_methods_have_the_type_of_those_that_emit(
    function: Any, expected: Any, reason: str
) -> None:
    methods = ("process_element1", "process_element2")
    found, origin = common_element_type(function, methods, CoProcessFunction, None, many=True)
    assert found == expected
    assert re.search(reason, origin)


def test_a_declared_type_must_fit_the_annotations_of_both_methods() -> None:
    methods = ("process_element1", "process_element2")
    with pytest.raises(PlanError, match="contradicts the annotation of Disagreeing"):
        common_element_type(Disagreeing(), methods, CoProcessFunction, Types.STRING(), many=True)
