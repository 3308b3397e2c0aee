"""Native aggregate and reduce functions of windows have the results of Python."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from itertools import cycle
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from pystream.common import WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.datastream import AggregateFunction, DataStream, ReduceFunction, StreamExecutionEnvironment
from tests.spark.lifted_programs import (
    Program,
    environment,
    pythons_failure,
    refusal,
    rows_of,
    rows_of_table,
    same_failure,
    same_results,
    same_timed_results,
)
from tests.spark.test_native import calls_python
from tests.spark.test_native_folds import EVENTS, KINDS, MOST, Event, EventTime, folded, sessions, tumbling
from typeinfo import Row

SCHEMA = "k string, t long, v long, w string"
LONG, STRING = Types.LONG(), Types.STRING()


class Aggregate(AggregateFunction[Any, Any, Any]):
    """The sum of a field; subclasses change what they need."""

    def create_accumulator(self) -> Any:
        return 0

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator + value.v

    def get_result(self, accumulator: Any) -> Any:
        return accumulator

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        raise NotImplementedError


class Average(Aggregate):
    def create_accumulator(self) -> Any:
        return 0, 0

    def add(self, value: Any, accumulator: Any) -> Any:
        total, count = accumulator
        return total + value.v, count + 1

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[0] / accumulator[1]


class Keyed(Aggregate):
    """The key with a scaled value, a countdown and the longest text, as rows made from accumulators."""

    def __init__(self, scale: int) -> None:
        self.scale = scale

    def create_accumulator(self) -> Any:
        return "", 7, 100, "a"

    def add(self, value: Any, accumulator: Any) -> Any:
        return (
            value.k,
            accumulator[1] + value.v * self.scale,
            accumulator[2] - 1,
            max(value.w, accumulator[3]),
        )

    def get_result(self, accumulator: Any) -> Any:
        return Row(k=accumulator[0], v=accumulator[1], n=accumulator[2], w=accumulator[3])


class Extremes(Aggregate):
    def create_accumulator(self) -> Any:
        return None, None, -2

    def add(self, value: Any, accumulator: Any) -> Any:
        least, greatest, never_less = accumulator
        least = value.v if least is None else min(least, value.v)
        if greatest is None or value.v > greatest:
            greatest = value.v
        return least, greatest, max(never_less, value.v)

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[0], accumulator[1], accumulator[1] - accumulator[0], accumulator[2]


class OfSome(Aggregate):
    """Counts and compares some elements only; without one there is no result."""

    def create_accumulator(self) -> Any:
        return 0, None

    def add(self, value: Any, accumulator: Any) -> Any:
        if value.w == "x" and value.v != 2:
            return accumulator[0] + 1, value.t if accumulator[1] is None else max(accumulator[1], value.t)
        return accumulator

    def get_result(self, accumulator: Any) -> Any:
        return None if accumulator[0] == 0 else f"{accumulator[0]} until {accumulator[1]}"


class Statistics(NamedTuple):
    count: int
    total: int


class Named(Aggregate):
    def create_accumulator(self) -> Any:
        return Statistics(0, 0)

    def add(self, value: Any, accumulator: Any) -> Any:
        return Statistics(accumulator.count + 1, accumulator.total + (value.v if value.v > 0 else 0))

    def get_result(self, accumulator: Any) -> Any:
        return accumulator


class Aggregated:
    """A program with an aggregate function on windows of events."""

    def __init__(
        self, spark: SparkSession, events: Sequence[Event], assigner: Any, function: Any, **types: Any
    ) -> None:
        self._rows = rows_of(spark, events, SCHEMA)
        self._assigner, self._function, self._types = assigner, function, types

    def __call__(self, env: StreamExecutionEnvironment) -> DataStream[Any]:
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
        keyed = self._rows(env).assign_timestamps_and_watermarks(strategy).key_by("k")
        return keyed.window(self._assigner).aggregate(self._function, **self._types)

    def compare(self, *, perhaps: bool = False) -> list[str]:
        """Return the results with their times, which are the same on both hosts."""
        (results,) = same_timed_results([self], perhaps=perhaps)
        return results


FUNCTIONS: dict[str, tuple[Any, Any]] = {
    "sum": (Aggregate(), LONG),
    "average": (Average(), Types.DOUBLE()),
    "keyed": (Keyed(3), Types.ROW_NAMED(["n", "k", "w", "v"], [Types.INT(), STRING, STRING, LONG])),
    "extremes": (Extremes(), Types.TUPLE([LONG] * 4)),
    "some": (OfSome(), STRING),
    "named": (Named(), Types.of(Statistics)),
}
FEW: list[Event] = [
    ("a", 1, 5, "x"),
    ("a", 2, -3, "yy"),
    ("b", 3, 2, "x"),
    ("b", 50, 2, "é"),
    ("a", 9, 0, "x"),
    ("a", 26, 3, "x"),
]


def test_the_same_results(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    undeclared = [Aggregated(spark, FEW, KINDS["tumbling"], called) for called, _ in FUNCTIONS.values()]
    declared = {
        name: Aggregated(spark, FEW, kind, called, output_type=t)
        for (name, (called, t)), kind in zip(FUNCTIONS.items(), cycle(KINDS.values()), strict=False)
    }
    assert all(same_timed_results([*undeclared, *declared.values()]))
    for name, program in declared.items():
        if name not in ("average", "some"):  # which are guarded
            assert not calls_python(program(environment(lifting=True)).to_data_frame(), capsys)


# Days that the calendar of Java's older classes has not, or has elsewhere.
SKIPPED = datetime.datetime(1582, 10, 10, 2, 30), datetime.date(987, 6, 5)


class Latest(Aggregate):
    """The latest time and the first day among those of the elements and a constant."""

    def create_accumulator(self) -> Any:
        return SKIPPED

    def add(self, value: Any, accumulator: Any) -> Any:
        return max(accumulator[0], value.at), min(accumulator[1], value.day)


def test_initial_accumulators_of_times(spark: SparkSession, zone: str) -> None:
    rows = [
        ("a", 1, datetime.datetime(1500, 1, 1), datetime.date(1582, 10, 10)),
        ("a", 2, datetime.datetime.min, datetime.date.max),
        ("b", 3, datetime.datetime(1582, 10, 10, 2, 31), datetime.date.min),
    ]
    table = spark.createDataFrame(rows, "k string, t long, at timestamp_ntz, day date")
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())

    def program(env: StreamExecutionEnvironment) -> DataStream[Any]:
        keyed = rows_of_table(table, rows)(env).assign_timestamps_and_watermarks(strategy).key_by("k")
        t = Types.TUPLE([Types.SQL_TIMESTAMP(), Types.SQL_DATE()])
        return keyed.window(tumbling(10)).aggregate(Latest(), accumulator_type=t, output_type=t)

    assert sorted(same_results(program)) == [
        SKIPPED,
        (datetime.datetime(1582, 10, 10, 2, 31), datetime.date.min),
    ]


def test_accumulators_and_results_are_converted_to_their_types(spark: SparkSession) -> None:
    types = {
        "accumulator_type": Types.TUPLE([Types.DOUBLE(), Types.SHORT()]),
        "output_type": Types.FLOAT(),
    }
    assert Aggregated(spark, FEW, tumbling(10), Average(), **types).compare()
    large: list[Event] = [("a", 1, 40_000, "x"), ("a", 2, 3, "x")]
    types["accumulator_type"] = Types.TUPLE([Types.SHORT(), Types.SHORT()])
    pythons_failure(Aggregated(spark, large, tumbling(10), Average(), **types), "40003")
    small = {"output_type": Types.BYTE()}
    pythons_failure(Aggregated(spark, large, tumbling(10), Aggregate(), **small), "40003")


def test_sums_beyond_64_bits_restart_the_job(spark: SparkSession) -> None:
    large: list[Event] = [("a", 1, MOST, "x"), ("a", 2, MOST, "x"), ("a", 3, 8, "x")]
    halves = Aggregated(spark, large, tumbling(10), Halved(), output_type=LONG)
    assert halves.compare(perhaps=True) == [f"({(2 * MOST + 8) // 4}, 9)"]


class Halved(Aggregate):
    def get_result(self, accumulator: Any) -> Any:
        return accumulator // 4


class Forgetful(Aggregate):
    """Computes what no result needs."""

    def create_accumulator(self) -> Any:
        return 0, 0

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator[0] + 10 // value.v, accumulator[1] + 1

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[1]


class LeastAndCount(Aggregate):
    """Keeps a least value that no result needs, and that None for an element resets."""

    def create_accumulator(self) -> Any:
        return None, 0

    def add(self, value: Any, accumulator: Any) -> Any:
        least = value.v if accumulator[0] is None else min(accumulator[0], value.v)
        return least, accumulator[1] + 1

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[1]


class LeastOfAny(LeastAndCount):
    """The same for the elements that have a number."""

    def add(self, value: Any, accumulator: Any) -> Any:
        if value.w == "x" and value.v is not None:
            return LeastAndCount.add(self, value, accumulator)
        return accumulator


class LeastOfSome(LeastAndCount):
    def add(self, value: Any, accumulator: Any) -> Any:
        if value.w == "x" or value.v is not None:
            return LeastAndCount.add(self, value, accumulator)
        return accumulator


NONE_FIRST: list[Event] = [("a", 1, None, "x"), ("a", 2, 3, "x"), ("a", 3, None, "y"), ("a", 4, 5, "x")]


@pytest.mark.parametrize(
    ("function", "is_native", "count"),
    [(LeastAndCount(), False, 3), (LeastOfSome(), False, 3), (LeastOfAny(), True, 2)],
)
def test_none_resets_a_least_value(
    spark: SparkSession, function: Any, is_native: bool, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    events = [event for event in NONE_FIRST if event[3] == "x" or type(function) is not LeastAndCount]
    program = Aggregated(spark, events, tumbling(10), function, output_type=LONG)
    table = program(environment(lifting=True)).to_data_frame()
    assert calls_python(table, capsys) is not is_native
    assert [tuple(row) for row in table.collect()] == [(count,)]
    assert program.compare(perhaps=True) == [f"({count}, 9)"]


def test_errors_are_those_of_python(spark: SparkSession) -> None:
    wrong: list[Event] = [("a", 1, 1, "x"), ("a", 2, 0, "x")]
    same_failure(Aggregated(spark, wrong, tumbling(10), Forgetful()), "ZeroDivisionError")


@pytest.mark.parametrize("function", [Aggregate(), Extremes()])
def test_errors_that_no_result_depends_on_are_those_of_python(spark: SparkSession, function: Any) -> None:
    wrong: list[Event] = [("a", 1, 1, "x"), ("a", 2, None, "x")]
    program = Aggregated(spark, wrong, tumbling(10), function)
    pythons_failure(lambda env: program(env).map(lambda value: 1, LONG), "NoneType")


class Opened(Aggregate):
    def open(self, runtime_context: Any) -> None:
        pass


class OfFloats(Aggregate):
    def create_accumulator(self) -> Any:
        return 0.0

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator + value.v


class Last(Aggregate):
    def create_accumulator(self) -> Any:
        return 0, ""

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator[0] + 1, value.w


class Doubling(Aggregate):
    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator * 2 + value.v


class Listing(Aggregate):
    def create_accumulator(self) -> Any:
        return [0, 0]


class Changing(Aggregate):
    def __init__(self) -> None:
        self.seen = {"x": 1}

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator + self.seen[value.w]


class Vanishing(Aggregate):
    def create_accumulator(self) -> Any:
        return None

    def add(self, value: Any, accumulator: Any) -> Any:
        if value.v > 0:
            return value.v if accumulator is None else max(accumulator, value.v)
        return accumulator


class Counting(Aggregate):
    def create_accumulator(self) -> Any:
        return ()

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator

    def get_result(self, accumulator: Any) -> Any:
        return 1


class VoidPart(Average):
    def create_accumulator(self) -> Any:
        return None, 0

    def add(self, value: Any, accumulator: Any) -> Any:
        return None, accumulator[1] + 1


class OrPair(Average):
    def get_result(self, accumulator: Any) -> Any:
        return accumulator if accumulator[0] else None


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (Opened(), "has open(), which may have side effects"),
        (OfFloats(), "reduces its accumulator of floats, where the order of the elements matters"),
        (Last(), "keeps field 1 of its accumulator of the last element, which the order"),
        (Doubling(), "changes its accumulator otherwise than by + or -, min or max of it and of an"),
        (Listing(), "keeps a list for an accumulator; a tuple is lifted"),
        (Changing(), "uses self.seen, a dict, which may change"),
        (Vanishing(), "may leave its accumulator None, which resets it"),
        (Counting(), "keeps nothing in its accumulator"),
        (VoidPart(), "keeps None for field 0 of its accumulator, which is not lifted"),
        (OrPair(), "may return None as a result, which is not lifted"),
    ],
)
def test_why_an_aggregate_function_is_left_to_python(spark: SparkSession, function: Any, reason: str) -> None:
    assert reason in refusal(Aggregated(spark, FEW, tumbling(10), function))


class Folding(ReduceFunction[Any]):
    def reduce(self, value1: Any, value2: Any) -> Any:
        return folded(value1, value2)


class OpenedFolding(Folding):
    def close(self) -> None:
        pass


def reduced(spark: SparkSession, function: Any) -> Program:
    rows = rows_of(spark, FEW, SCHEMA)

    def program(env: StreamExecutionEnvironment) -> DataStream[Any]:
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
        keyed = rows(env).assign_timestamps_and_watermarks(strategy).key_by("k")
        return keyed.window(sessions(5)).reduce(function)

    return program


def test_reduce_functions_that_are_objects(spark: SparkSession) -> None:
    assert len(same_results(reduced(spark, Folding()))) == 5
    assert "has close(), which may have side effects" in refusal(reduced(spark, OpenedFolding()))


# Each example is a job of several programs: what fails is not made smaller.
@settings(
    max_examples=2, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(EVENTS, st.sampled_from(sorted(KINDS)), st.sampled_from(sorted(FUNCTIONS))),
        min_size=4,
        max_size=4,
    )
)
def test_any_aggregates(spark: SparkSession, drawn: list[tuple[list[Event], str, str]]) -> None:
    same_timed_results(
        [
            Aggregated(spark, events, KINDS[kind], FUNCTIONS[name][0], output_type=FUNCTIONS[name][1])
            for events, kind, name in drawn
        ]
    )
