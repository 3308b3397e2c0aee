"""The streaming API of the Jython guide: types of elements, keys and results."""

from collections.abc import Sequence
from typing import Any, assert_type

from pystream.jython import (
    Collector,
    FilterFunction,
    FlatMapFunction,
    JavaTimeWindow,
    KeySelector,
    MapFunction,
    OutputSelector,
    PythonDataStream,
    PythonEnvironmentFactory,
    PythonIterativeStream,
    PythonKeyedStream,
    PythonSingleOutputStreamOperator,
    PythonSplitStream,
    PythonStreamExecutionEnvironment,
    PythonWindowedStream,
    ReduceFunction,
    RichMapFunction,
    RuntimeContext,
    SourceContext,
    SourceFunction,
    Time,
    WindowFunction,
    WriteMode,
)


class Length(MapFunction[str, int]):
    def map(self, value: str) -> int:
        return len(value)


class Opened(RichMapFunction[str, str]):
    def map(self, value: str) -> str:
        assert_type(self.getRuntimeContext(), RuntimeContext)
        return value


class Words(FlatMapFunction[str, tuple[int, str]]):
    def flatMap(self, value: str, collector: Collector[tuple[int, str]]) -> None:
        for word in value.split():
            collector.collect((1, word))


class Long(FilterFunction[str]):
    def filter(self, value: str) -> bool:
        return len(value) > 3


class Word(KeySelector[tuple[int, str], str]):
    def getKey(self, input: tuple[int, str]) -> str:
        return input[1]


class Sum(ReduceFunction[tuple[int, str]]):
    def reduce(self, input1: tuple[int, str], input2: tuple[int, str]) -> tuple[int, str]:
        return input1[0] + input2[0], input1[1]


class Count(WindowFunction[tuple[int, str], int, str, JavaTimeWindow]):
    def apply(
        self, key: str, window: JavaTimeWindow, values: Sequence[tuple[int, str]], collector: Collector[int]
    ) -> None:
        assert_type(window.getEnd(), int)
        collector.collect(len(values))


class Initial(OutputSelector[str]):
    def select(self, value: str) -> list[str]:
        return [value[0]]


class Lines(SourceFunction[str]):
    def run(self, ctx: SourceContext[str]) -> None:
        ctx.collect("line")

    def cancel(self) -> None: ...


def sources(env: PythonStreamExecutionEnvironment) -> None:
    assert_type(env.create_python_source(Lines()), PythonSingleOutputStreamOperator[str])
    assert_type(env.from_elements(1, 2), PythonSingleOutputStreamOperator[int])
    assert_type(env.from_collection(["a"]), PythonSingleOutputStreamOperator[str])
    assert_type(env.generate_sequence(1, 2), PythonSingleOutputStreamOperator[int])
    assert_type(env.read_text_file("in"), PythonSingleOutputStreamOperator[str])
    assert_type(env.read_text("in"), PythonSingleOutputStreamOperator[str])
    assert_type(env.socket_text_stream("localhost", 7), PythonSingleOutputStreamOperator[str])


def the_factory(factory: PythonEnvironmentFactory) -> None:
    assert_type(factory.get_execution_environment(), PythonStreamExecutionEnvironment)
    assert_type(factory.create_local_execution_environment(2), PythonStreamExecutionEnvironment)


def operators(lines: PythonDataStream[str]) -> None:
    assert_type(lines.map(Length()), PythonSingleOutputStreamOperator[int])
    assert_type(lines.map(Opened()).set_parallelism(2).name("same"), PythonSingleOutputStreamOperator[str])
    assert_type(lines.map(len), PythonSingleOutputStreamOperator[int])
    assert_type(lines.map(lambda line: line.encode()), PythonSingleOutputStreamOperator[bytes])
    assert_type(lines.flat_map(Words()), PythonSingleOutputStreamOperator[tuple[int, str]])
    assert_type(lines.filter(Long()), PythonSingleOutputStreamOperator[str])
    assert_type(lines.filter(lambda line: line.strip()), PythonSingleOutputStreamOperator[str])
    assert_type(lines.union(lines, lines), PythonDataStream[str])


def keys_and_windows(words: PythonDataStream[tuple[int, str]]) -> None:
    keyed = words.key_by(Word())
    assert_type(keyed, PythonKeyedStream[tuple[int, str], str])
    assert_type(words.key_by(lambda word: word[0]), PythonKeyedStream[tuple[int, str], int])
    assert_type(keyed.reduce(Sum()), PythonSingleOutputStreamOperator[tuple[int, str]])
    assert_type(keyed.count_window(10, 5), PythonWindowedStream[tuple[int, str], str])
    windows = keyed.time_window(Time.milliseconds(100), Time.milliseconds(20))
    assert_type(windows.reduce(Sum()), PythonSingleOutputStreamOperator[tuple[int, str]])
    assert_type(windows.apply(Count()), PythonSingleOutputStreamOperator[int])


def split_and_iterate(lines: PythonDataStream[str]) -> None:
    split = lines.split(Initial())
    assert_type(split, PythonSplitStream[str])
    assert_type(split.select("a", "b"), PythonDataStream[str])
    iteration = lines.iterate(5000)
    assert_type(iteration, PythonIterativeStream[str])
    assert_type(iteration.close_with(iteration.map(Opened())), PythonDataStream[str])


def a_function_of_other_elements(numbers: PythonDataStream[int]) -> None:
    numbers.map(Length())  # E: Argument 1 to "map" of "PythonDataStream" has incompatible type "Length"
    numbers.filter(Long())  # E: Argument 1 to "filter" of "PythonDataStream" has incompatible type "Long"


def a_reduction_of_other_elements(numbers: PythonDataStream[int]) -> None:
    keyed = numbers.key_by(lambda number: number)
    keyed.reduce(Sum())  # E: Argument 1 to "reduce" of "PythonKeyedStream" has incompatible type "Sum"


def a_union_of_other_elements(numbers: PythonDataStream[int], lines: PythonDataStream[str]) -> None:
    numbers.union(lines)  # E: Argument 1 to "union" of "PythonDataStream" has incompatible type


def a_mode_that_is_text(lines: PythonDataStream[str]) -> None:
    lines.write_as_text("out", WriteMode.OVERWRITE)
    lines.write_as_text("out", "OVERWRITE")  # E: Argument 2 to "write_as_text"


def a_window_of_a_number(words: PythonDataStream[tuple[int, str]]) -> None:
    words.key_by(Word()).time_window(100)  # E: Argument 1 to "time_window" of "PythonKeyedStream"


def results_of_any_function(lines: PythonDataStream[str], function: Any) -> None:
    assert_type(lines.map(function), PythonSingleOutputStreamOperator[Any])
