"""Harnesses: elements and results have the types of the function."""

from collections.abc import Iterator
from typing import assert_type

from pystream.common import Time, Types
from pystream.datastream import (
    AggregateFunction,
    CoMapFunction,
    KeyedProcessFunction,
    MapFunction,
    OutputTag,
    ProcessFunction,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.testing import (
    AsyncOperatorHarness,
    FunctionTestHarnesses,
    OperatorHarness,
    ProcessFunctionTestHarnesses,
    StreamRecord,
    WindowTestHarnesses,
)

Pair = tuple[str, int]


class Length(MapFunction[str, int]):
    def map(self, value: str) -> int:
        return len(value)


class Text(CoMapFunction[int, float, str]):
    def map1(self, value: int) -> str:
        return str(value)

    def map2(self, value: float) -> str:
        return str(value)


class Words(ProcessFunction[str, str]):
    def process_element(self, value: str, ctx: ProcessFunction.Context) -> Iterator[str]:
        yield from value.split()


class Counts(KeyedProcessFunction[str, Pair, int]):
    def process_element(self, value: Pair, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        yield value[1]


class Total(AggregateFunction[Pair, int, float]):
    def create_accumulator(self) -> int:
        return 0

    def add(self, value: Pair, accumulator: int) -> int:
        return accumulator + value[1]

    def get_result(self, accumulator: int) -> float:
        return float(accumulator)

    def merge(self, acc_a: int, acc_b: int) -> int:
        return acc_a + acc_b


def name(pair: Pair) -> str:
    return pair[0]


def number(pair: Pair) -> int:
    return pair[1]


def of_a_map() -> None:
    harness = FunctionTestHarnesses.for_map(Length())
    assert_type(harness, OperatorHarness[int, str])
    assert_type(harness.extract_output_values(), list[int])
    assert_type(harness.get_output(), list[StreamRecord[int]])


def of_two_inputs() -> None:
    assert_type(FunctionTestHarnesses.for_co_map(Text()), OperatorHarness[str, int, float])


def of_a_keyed_function() -> None:
    harness = ProcessFunctionTestHarnesses.for_keyed_process_function(Counts(), name, Types.STRING())
    assert_type(harness, OperatorHarness[int, Pair])


def of_windows() -> None:
    windows = WindowTestHarnesses(TumblingEventTimeWindows.of(Time.seconds(1)), name)
    assert_type(windows.aggregate(Total()), OperatorHarness[float, Pair])


def side_output_of_a_harness(harness: OperatorHarness[int, str]) -> None:
    assert_type(harness.get_side_output(OutputTag("late", Types.STRING())), list[str])


def in_a_with_statement() -> None:
    with FunctionTestHarnesses.for_map(Length()) as harness:
        assert_type(harness, OperatorHarness[int, str])


def element_of_another_type(harness: OperatorHarness[int, str]) -> None:
    # E: "process_element" of "OperatorHarness" has incompatible type "int"; expected "str"
    harness.process_element(3)


def elements_of_another_type(harness: OperatorHarness[int, str]) -> None:
    harness.process_elements([1, 2])  # E: List item 0 has incompatible type "int"; expected "str"


def element_of_the_other_input(harness: OperatorHarness[str, int, Pair]) -> None:
    harness.process_element2(1)  # E: "int"; expected "tuple[str, int]"


def results_used_as_another_type(harness: OperatorHarness[int, str]) -> None:
    # E: expression has type "list[int]", variable has type "list[str]"
    found: list[str] = harness.extract_output_values()
    print(found)


def key_of_another_type() -> None:
    # E: "Callable[[tuple[str, int]], int]"; expected "Callable[[tuple[str, int]], str]
    ProcessFunctionTestHarnesses.for_keyed_process_function(Counts(), number)


def key_of_another_element() -> None:
    # E: "Callable[[str], str]"; expected "Callable[[tuple[str, int]], str]
    ProcessFunctionTestHarnesses.for_keyed_process_function(Counts(), str.upper)


def keyed_function_without_keys() -> None:
    # E: "Counts"; expected "ProcessFunction[
    ProcessFunctionTestHarnesses.for_process_function(Counts())


def output_type_of_another_type() -> None:
    # E: "type[int]"; expected "TypeInformation[
    ProcessFunctionTestHarnesses.for_process_function(Words(), int)


def window_fold_of_another_element() -> None:
    windows = WindowTestHarnesses(TumblingEventTimeWindows.of(Time.seconds(1)), str.upper)
    windows.aggregate(Total())  # E: "Total"; expected "AggregateFunction[str, int, float]"


def window_reduce_changes_the_type() -> None:
    windows = WindowTestHarnesses(TumblingEventTimeWindows.of(Time.seconds(1)), name)
    # E: "Callable[[tuple[str, int], tuple[str, int]], int]"; expected
    windows.reduce(lambda a, b: a[1] + b[1])


def watermark_at_a_time(harness: OperatorHarness[int, str]) -> None:
    harness.process_watermark(Time.seconds(1))  # E: "Time"; expected "int"


def timestamp_as_text(harness: OperatorHarness[int, str]) -> None:
    harness.process_element("a", "1")  # E: "str"; expected "int | None"


def asynchronous(harness: AsyncOperatorHarness[int, str]) -> None:
    harness.process_element(3)  # E: "int"; expected "str"
