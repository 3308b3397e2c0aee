"""The reasons and remedies that explain() names for operators that are not on the fastest path."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from pystream.common import Row, Time, Types, WatermarkStrategy
from pystream.datastream import (
    AggregateFunction,
    DataStream,
    OutputTag,
    ProcessWindowFunction,
    StreamExecutionEnvironment,
    WindowedStream,
)
from pystream.datastream.window import CountTumblingWindowAssigner, TumblingEventTimeWindows
from tests.explained import paths, why_not_faster

OF_THE_SOURCE = "the elements it takes are pickled: declare the type of 'Collection Source' (1)"


@pytest.fixture
def untyped() -> DataStream[Any]:
    return StreamExecutionEnvironment.get_execution_environment().from_collection([1, 2.0])


@pytest.mark.parametrize(
    "keep",
    [
        lambda stream: stream.filter(bool),
        lambda stream: stream.filter(bool).filter(bool),
        lambda stream: stream.rebalance().filter(bool),
        lambda stream: stream.union(stream).filter(bool),
        lambda stream: stream.key_by(bool).reduce(max),
        lambda stream: stream.key_by(bool).sum(),
        lambda stream: stream.key_by(bool).max_by(),
        lambda stream: stream.key_by(bool).window(CountTumblingWindowAssigner.of(2)).reduce(max),
        lambda stream: stream.assign_timestamps_and_watermarks(WatermarkStrategy.no_watermarks()),
        lambda stream: stream.partition_custom(lambda key, count: 0, bool).name("dealt"),
    ],
)
def test_an_operator_that_keeps_its_type_names_the_one_to_declare(
    untyped: DataStream[Any], keep: Callable[[DataStream[Any]], DataStream[Any]]
) -> None:
    assert why_not_faster(keep(untyped)).startswith(OF_THE_SOURCE)


def test_an_operator_that_loses_its_type_names_itself(untyped: DataStream[Any]) -> None:
    mapped = untyped.map(lambda n: n)
    why = why_not_faster(mapped)
    assert "a lambda has no annotations, and it takes values of unknown type" in why
    assert why.endswith("annotate the function's result, or pass the type")
    assert "declare the type of 'Map' (2)" in why_not_faster(mapped.filter(bool))


def test_an_operator_that_keeps_a_declared_type_is_typed(untyped: DataStream[Any]) -> None:
    typed = untyped.map(lambda n: n, Types.LONG())
    assert "called once per element" in why_not_faster(typed.key_by(bool, Types.BOOLEAN()).reduce(max))


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (
            pa.array([Decimal("1.25")], pa.decimal128(10, 2)),
            "column 'b' is decimal128(10, 2); cast it to decimal128(38, 18)",
        ),
        (pa.array(["x"], pa.large_string()), "column 'b' is large_string; cast it to string"),
        (pa.array([Decimal("1.25")], pa.decimal128(38, 18)), ""),
        (pa.array(["x"], pa.string()), ""),
    ],
)
def test_a_table_whose_rows_become_objects_names_the_column(column: pa.Array, reason: str) -> None:
    table = pa.table({"a": [1], "b": column})
    rows = StreamExecutionEnvironment.get_execution_environment().from_arrow(table)
    assert why_not_faster(rows) == (reason and f"rows of the table become Python objects: {reason}")


class Mean(AggregateFunction[Any, Any, Any]):
    def create_accumulator(self) -> tuple[int, int]:
        return 0, 0

    def add(self, value: Any, accumulator: tuple[int, int]) -> tuple[int, int]:
        return accumulator[0] + value.price, accumulator[1] + 1

    def get_result(self, accumulator: tuple[int, int]) -> Any:
        return Row(town="all", price=accumulator[0] // accumulator[1])

    def merge(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        return a[0] + b[0], a[1] + b[1]


class Shown(Mean):
    def get_result(self, accumulator: tuple[int, int]) -> Any:
        return Row(town="all", price=hash(accumulator) % 10)


class Seldom(Mean):
    def get_result(self, accumulator: tuple[int, int]) -> Any:
        return Row(town="all", price=0) if accumulator[1] > 2 else None


class First(ProcessWindowFunction[Any, Any, Any, Any]):
    def process(self, key: Any, context: Any, elements: Any) -> Any:
        yield from elements


def summed(a: Any, b: Any) -> Row:
    return Row(town=a.town, price=a.price + b.price)


SALE = Types.ROW_NAMED(["town", "price"], [Types.STRING(), Types.LONG()])
LATE = OutputTag("late", SALE)
WITHOUT_CALLS = "folds columns, without calls"
BY_CALLS = "folds columns; results are made by calls: "


@pytest.mark.parametrize(
    ("folded", "reason"),
    [
        (lambda windows: windows.reduce(summed), WITHOUT_CALLS),
        (lambda windows: windows.aggregate(Mean(), output_type=SALE), WITHOUT_CALLS),
        (
            lambda windows: windows.reduce(summed, First(), output_type=SALE),
            BY_CALLS + "a window function takes them",
        ),
        (
            lambda windows: windows.aggregate(Mean(), First(), output_type=SALE),
            BY_CALLS + "a window function takes them",
        ),
        (
            lambda windows: windows.aggregate(Shown(), output_type=SALE),
            BY_CALLS + "get_result calls hash()",
        ),
        (
            lambda windows: windows.aggregate(Seldom(), output_type=SALE),
            BY_CALLS + "get_result may return None as a result",
        ),
    ],
)
@pytest.mark.parametrize("is_counted", [False, True])
def test_results_of_windows_are_columns_or_made_by_calls(
    folded: Callable[[WindowedStream[Any, Any, Any]], DataStream[Any]], reason: str, is_counted: bool
) -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    sales = env.from_arrow(pa.table({"town": ["Ely", "Ayr"], "price": [3, 20]}))
    in_time = TumblingEventTimeWindows.of(Time.seconds(5))
    assigner: Any = CountTumblingWindowAssigner.of(2) if is_counted else in_time
    results = folded(sales.key_by("town").window(assigner).side_output_late_data(LATE))
    assert why_not_faster(results).startswith(reason)
    after = results.filter(lambda sale: sale.price > 0).map(lambda sale: hash(sale.town), Types.LONG())
    assert paths(after)[-2:] == (["arrow", "fields"] if reason == WITHOUT_CALLS else ["typed", "typed"])
