"""Arguments of the wrong class or value are refused where they are given."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Row, Types, WatermarkStrategy
from pystream.datastream import DataStream, MapFunction, StreamExecutionEnvironment
from pystream.datastream.connectors import NumberSequenceSource
from pystream.errors import ConfigurationError, PlanError, PlanTypeError, TypeCheckError

ENV = StreamExecutionEnvironment()
STREAM: DataStream[int] = ENV.from_collection([1], Types.INT())
NUMBERS = NumberSequenceSource(1, 2)


def from_source(source: Any) -> object:
    return ENV.from_source(source, WatermarkStrategy.no_watermarks(), "numbers")


def from_source_with(strategy: Any) -> object:
    return ENV.from_source(NUMBERS, strategy, "numbers")


def cached(path: Any) -> None:
    ENV.register_cached_file(path, "name")


@pytest.mark.parametrize(
    ("call", "argument", "says"),
    [
        (from_source, None, "from_source .* Source"),
        (from_source_with, None, r"from_source .*\.no_watermarks\(\)"),
        (ENV.from_collection, 5, "from_collection .* list"),
        (ENV.from_arrow, [1], "from_arrow .* Arrow table"),
        (ENV.from_pandas, [1], "from_pandas .* pandas DataFrame"),
        (ENV.from_data_frame, [1], r"from_data_frame takes a (Spark )?DataFrame, not \[1\]"),
        (ENV.configure, {"a": "b"}, "configure .* Configuration"),
        (ENV.set_restart_strategy, None, r"set_restart_strategy .*\.no_restart\(\)"),
        (ENV.set_state_backend, None, r"set_state_backend .* HashMapStateBackend\(\)"),
        (ENV.register_slot_sharing_group, "a", "register_slot_sharing_group .* SlotSharingGroup"),
        (ENV.add_python_file, None, "add_python_file takes a str"),
        (ENV.add_python_archive, None, "add_python_archive takes a str"),
        (ENV.set_python_requirements, None, "set_python_requirements takes a str"),
        (ENV.set_python_executable, None, "set_python_executable takes a str"),
        (cached, None, "register_cached_file takes a str"),
        (STREAM.union, 1, "union .* stream"),
        (STREAM.print, 1, "print .* str"),
        (STREAM.process, 1, "process .* ProcessFunction"),
        (STREAM.sink_to, 1, "sink_to .* FileSink"),
        (STREAM.add_sink, 1, "add_sink .* StreamingFileSink"),
    ],
)
def test_an_argument_of_the_wrong_class_is_refused(
    call: Callable[[Any], object], argument: object, says: str
) -> None:
    with pytest.raises(PlanTypeError, match=says) as refusal:
        call(argument)
    assert repr(argument) in str(refusal.value)


@pytest.mark.parametrize("handle", [ENV, STREAM])
@pytest.mark.parametrize("timeout", ["5", None, 1.5, -2, True])
def test_a_buffer_timeout_is_a_number_of_milliseconds(handle: Any, timeout: Any) -> None:
    with pytest.raises(ConfigurationError, match=f"an int .*not {re.escape(repr(timeout))}"):
        handle.set_buffer_timeout(timeout)


def test_a_stage_is_one_of_three() -> None:
    with pytest.raises(PlanError, match="'logical', 'optimized', 'physical', not 'nope'"):
        STREAM.explain("nope")  # type: ignore[arg-type]


def test_elements_that_cannot_be_pickled_are_named() -> None:
    lock = threading.Lock()
    with pytest.raises(PlanTypeError, match=r"from_collection: element 1, <unlocked .*cannot pickle"):
        ENV.from_collection([1, lock, lock])


def test_an_element_that_does_not_fit_is_named_with_its_path_once() -> None:
    pair = Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.INT()])
    with pytest.raises(TypeCheckError) as caught:
        ENV.from_collection([Row(a=1, b=2), Row(a="x", b=2)], pair)
    assert str(caught.value) == (
        "from_collection: element 1: value.a: 'x' (str) is not an INT; convert it with int(…)"
    )
    assert caught.value.index == 1


def test_keys_of_different_types_are_named_with_where_they_were_set() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    source = env.from_collection([("a", 1)], Types.TUPLE([Types.STRING(), Types.LONG()]))
    with pytest.raises(PlanError) as caught:
        source.key_by(0).connect(source.key_by(1))
    line = caught.traceback[0].lineno + 1
    where = rf"\S*test_arguments\.py:{line}"
    says = rf"connect: the keys are String and Long, set at {where} and {where}; equal keys"
    assert re.match(says, str(caught.value))


class Twice(MapFunction[int, int]):
    def map(self, value: int, times: int) -> int:  # type: ignore[override]
        return value * times


def traced(function: Callable[[int, int], int]) -> Callable[[int], int]:
    @functools.wraps(function)
    def call(value: int) -> int:
        return function(value, 1)

    return call


KEYED = STREAM.key_by(lambda n: n)
WRONG_COUNTS: list[tuple[Callable[[Any], object], Any, str]] = [
    (
        STREAM.map,
        lambda a, b: a,
        r"map calls its .* with one argument, but lambda at .* takes \(a, b\)",
    ),
    (STREAM.map, lambda: 1, "with one argument"),
    (STREAM.map, Twice(), r"Twice at .* takes \(value: 'int', times: 'int'\)"),
    (STREAM.filter, functools.partial(lambda a, b, c: True, 1), "filter calls"),
    (STREAM.flat_map, lambda *, n: [n], "flat_map calls"),
    (STREAM.key_by, lambda a, b: a, "key_by calls"),
    (KEYED.reduce, lambda a: a, "reduce calls its function with 2 arguments"),
    (KEYED.count_window(2).reduce, lambda a: a, "reduce calls its function with 2 arguments"),
    (lambda f: STREAM.partition_custom(f, lambda n: n), lambda key: 0, "partition_custom calls"),
    (lambda f: STREAM.partition_custom(lambda key, n: 0, f), lambda: 0, "partition_custom calls"),
]


@pytest.mark.parametrize(("call", "function", "says"), WRONG_COUNTS)
def test_functions_of_another_number_of_arguments_are_refused(
    call: Callable[[Any], object], function: Any, says: str
) -> None:
    with pytest.raises(PlanTypeError, match=says):
        call(function)


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b=2: a,
        lambda *all: all[0],
        functools.partial(max, 1),
        traced(lambda a, b: a + b),
        str,
        abs,
    ],
)
def test_functions_that_can_be_called_with_an_element_are_taken(function: Any) -> None:
    assert STREAM.map(function).get_name() == "Map"
