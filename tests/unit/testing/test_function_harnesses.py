"""Functions of single elements and rolling folds driven by hand."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream import (
    CoFlatMapFunction,
    CoMapFunction,
    FilterFunction,
    FlatMapFunction,
    MapFunction,
    ReduceFunction,
    RuntimeContext,
)
from pystream.datastream.state import ValueStateDescriptor
from pystream.errors import PlanTypeError
from pystream.testing import FunctionTestHarnesses, StreamRecord
from typeinfo.errors import TypeCheckError

SEEN = ValueStateDescriptor("seen", Types.INT())

Pair = tuple[str, int]


class Numbered(MapFunction[str, str]):
    """Numbers the elements of a key."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(SEEN)

    def map(self, value: str) -> str:
        self.seen.update((self.seen.value() or 0) + 1)
        return f"{value}{self.seen.value()}"


class Twice(FlatMapFunction[str, str]):
    """Gives an element that comes for the second time, twice."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(SEEN)

    def flat_map(self, value: str) -> Iterator[str]:
        self.seen.update((self.seen.value() or 0) + 1)
        if self.seen.value() == 2:
            yield from (value, value)


class First(FilterFunction[str]):
    """Keeps the first element of a key."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(SEEN)

    def filter(self, value: str) -> bool:
        known = self.seen.value() is not None
        self.seen.update(1)
        return not known


class Longest(ReduceFunction[str]):
    def reduce(self, value1: str, value2: str) -> str:
        return max(value1, value2, key=len)


def plus(a: int, b: int) -> int:
    return a + b


def parity(number: int) -> int:
    return number % 2


def test_map_with_keys_and_without() -> None:
    with FunctionTestHarnesses.for_map(len) as lengths:
        lengths.process_element("abc", 7)
        lengths.process_element("")
        assert lengths.get_output() == [StreamRecord(3, 7), StreamRecord(0, None)]
    with FunctionTestHarnesses.for_map(Numbered(), lambda value: value) as numbered:
        numbered.process_elements(["a", "b", "a"])
        assert numbered.extract_output_values() == ["a1", "b1", "a2"]
        assert numbered.get_keyed_state("a").get_state(SEEN).value() == 2
        assert numbered.num_keyed_state_entries() == 2
    with FunctionTestHarnesses.for_map(len, output_type=Types.INT()) as typed:
        typed.process_element("abc")
        assert typed.extract_output_values() == [3]
    refused = FunctionTestHarnesses.for_map(str.upper, output_type=Types.CHAR())
    with refused, pytest.raises(TypeCheckError, match="CHAR"):
        refused.process_element("abc")


def test_flat_map_with_keys_and_without() -> None:
    with FunctionTestHarnesses.for_flat_map(str.split, output_type=Types.STRING()) as words:
        words.process_element("to be", 3)
        assert words.get_output() == [StreamRecord("to", 3), StreamRecord("be", 3)]
    with FunctionTestHarnesses.for_flat_map(Twice(), str.lower) as twice:
        twice.process_elements(["a", "b", "A", "a"])
        assert twice.extract_output_values() == ["A", "A"]


def test_filter_with_keys_and_without() -> None:
    with FunctionTestHarnesses.for_filter(str.isupper, element_type=Types.STRING()) as upper:
        upper.process_elements(["a", "B"], 5)
        assert upper.get_output() == [StreamRecord("B", 5)]
    with FunctionTestHarnesses.for_filter(First(), str.lower) as first:
        first.process_elements(["a", "b", "A"])
        assert first.extract_output_values() == ["a", "b"]


def test_reduce_folds_by_key() -> None:
    with FunctionTestHarnesses.for_reduce(Longest(), itemgetter(0), Types.STRING()) as longest:
        longest.process_elements(["ab", "b", "a", "abc"])
        assert longest.extract_output_values() == ["ab", "b", "ab", "abc"]
        snapshot = longest.snapshot()
    with FunctionTestHarnesses.for_reduce(plus, parity) as sums:
        sums.process_elements([1, 2, 3, 4])
        assert sums.extract_output_values() == [1, 2, 4, 6]
    again = FunctionTestHarnesses.for_reduce(Longest(), itemgetter(0), Types.STRING())
    with again.initialize_state(snapshot):
        again.process_element("b-------")
        again.process_element("a")
        assert again.extract_output_values() == ["b-------", "abc"]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("sum", [("x", 2, 0), ("x", 3, 0), ("x", 5, 0)]),
        ("min", [("x", 2, 0), ("x", 1, 0), ("x", 1, 0)]),
        ("max", [("x", 2, 0), ("x", 2, 0), ("x", 2, 0)]),
        ("min_by", [("x", 2, 0), ("x", 1, 1), ("x", 1, 1)]),
        ("max_by", [("x", 2, 0), ("x", 2, 0), ("x", 2, 0)]),
    ],
)
def test_rolling_aggregations(kind: Any, expected: list[Any]) -> None:
    element_type = Types.TUPLE([Types.STRING(), Types.INT(), Types.INT()])
    harness = FunctionTestHarnesses.for_aggregation(kind, 1, itemgetter(0), element_type=element_type)
    with harness:
        harness.process_elements([("x", 2, 0), ("x", 1, 1), ("x", 2, 2)])
        assert harness.extract_output_values() == expected


class Labelled(CoMapFunction[int, str, str]):
    def map1(self, value: int) -> str:
        return f"number {value}"

    def map2(self, value: str) -> str:
        return f"text {value}"


class Known(CoFlatMapFunction[str, str, str]):
    """Keeps the elements of the second stream that the first one named."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.seen = runtime_context.get_state(SEEN)

    def flat_map1(self, value: str) -> None:
        self.seen.update(1)

    def flat_map2(self, value: str) -> Iterator[str]:
        if self.seen.value():
            yield value


def test_functions_of_two_streams() -> None:
    with FunctionTestHarnesses.for_co_map(Labelled()) as labelled:
        labelled.process_element1(1)
        labelled.process_element2("a")
        assert labelled.extract_output_values() == ["number 1", "text a"]
    with FunctionTestHarnesses.for_co_map(Labelled(), lambda number: str(number), lambda text: text) as keyed:
        keyed.process_element2("a", 4)
        assert keyed.get_output() == [StreamRecord("text a", 4)]
    with FunctionTestHarnesses.for_co_flat_map(Known(), lambda name: name, str.lower) as known:
        known.process_element1("a")
        known.process_element2("A")
        known.process_element2("B")
        assert known.extract_output_values() == ["A"]


def test_objects_that_are_not_functions_are_refused() -> None:
    for_map: Any = FunctionTestHarnesses.for_map
    with pytest.raises(PlanTypeError, match="an instance of Numbered"):
        for_map(Numbered)
    with pytest.raises(PlanTypeError, match="takes a function"):
        for_map("len")


def interrupted(value: str) -> str:
    raise KeyboardInterrupt


def test_an_interrupt_passes_unchanged() -> None:
    with FunctionTestHarnesses.for_map(interrupted) as mapping, pytest.raises(KeyboardInterrupt):
        mapping.process_element("a")
    keyed = FunctionTestHarnesses.for_map(Numbered(), interrupted)
    with keyed, pytest.raises(KeyboardInterrupt):
        keyed.process_element("a")
