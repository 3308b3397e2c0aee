"""The remedies that explain() names for operators on the pickled path."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from pystream.common import Types, WatermarkStrategy
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.datastream.window import CountTumblingWindowAssigner
from tests.explained import why_not_faster

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
