"""Lifted functions as columns of Spark: errors, order of evaluation, and types of columns."""

from __future__ import annotations

import datetime
import enum
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.hosts.spark.expressions import castable, to_check, to_column, to_columns
from pystream.lifting import GUARD_MARK, Expression, NotLifted, lift, lift_condition
from tests.property.test_lifting import table_of
from typeinfo import Row, TypeInformation, Types
from typeinfo.formats.layout import columns_of
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same

pytestmark = pytest.mark.spark
LONG = Types.LONG()


def expression_of(found: Expression | NotLifted) -> Expression:
    assert isinstance(found, Expression), found
    return found


def inputs_of(frame: DataFrame, t: TypeInformation[Any]) -> list[Any]:
    return [(t, [F.col(field.name) for field in columns_of(t)])]


def mapped(frame: DataFrame, t: TypeInformation[Any], *expressions: Expression) -> list[list[Any]]:
    """Return the results of each expression for the rows of a table, read as the workers read tables."""
    inputs, columns, fields = inputs_of(frame, t), [], [columns_of(e.type) for e in expressions]
    for number, (expression, own) in enumerate(zip(expressions, fields, strict=True)):
        for column, field in zip(to_columns(expression, inputs), own, strict=True):
            columns.append(column.cast(castable(field.type)).alias(f"{number}_{field.name}"))
    (batch,) = frame.coalesce(1).select(*columns).toArrow().combine_chunks().to_batches()
    results, taken = [], 0
    for expression, own in zip(expressions, fields, strict=True):
        part = batch.select(list(range(taken, taken + len(own)))).rename_columns([f.name for f in own])
        results.append(list(serializer_for(expression.type).from_batch(part)))
        taken += len(own)
    return results


def check_values(
    spark: SparkSession, t: TypeInformation[Any], values: list[Any], *functions: Callable[[Any], Any]
) -> None:
    """Require that functions have the same results for some values as expressions, in one job."""
    expressions = [expression_of(lift(function, [t])) for function in functions]
    for function, found in zip(functions, mapped(table_of(spark, t, values), t, *expressions), strict=True):
        for value, result in zip(values, found, strict=True):
            wanted = function(value)
            assert same(result, wanted), f"{function.__code__.co_firstlineno}: {value!r}: {result!r}"


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@dataclass
class Point:
    x: int
    y: float = 0.5

    def moved(self, by: int) -> Point:
        return Point(self.x + by, self.y)


class Pair(NamedTuple):
    left: str
    right: int


def test_a_failed_guard_names_its_condition(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("é",)], "value string")
    column = to_column(
        expression_of(lift(lambda s: s.upper(), [Types.STRING()])), inputs_of(frame, Types.STRING())
    )
    with pytest.raises(PySparkException, match=f"{GUARD_MARK}: letters beyond ASCII"):
        frame.select(column).collect()


def test_branches_that_are_not_taken_do_not_raise(spark: SparkSession) -> None:
    functions: list[Callable[[int], bool]] = [
        lambda x: 10 // x > 1 if x != 0 else False,
        lambda x: x != 0 and (10 // x > 3 or 10 // x < 2),
        lambda x: x == 0 or 10 // x + 10 // x > 4,
        lambda x: (10 // x if x else 0) + (20 // x if x else 0) > 0,
    ]
    frame = spark.range(0, 12).toDF("value")
    for function in functions:
        condition = to_column(expression_of(lift_condition(function, LONG)), inputs_of(frame, LONG))
        kept = [row[0] for row in frame.where(condition).sort("value").collect()]
        assert kept == [x for x in range(12) if function(x)]
    check_values(spark, LONG, list(range(12)), *functions)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (10 // x > 2 and x > 5) or (x > 7 and x > 5),
        lambda x: (x < 6 or 10 // x > 2) and (x < 4 or 10 // x > 2),
        lambda x: (x > 0 and 10 // x > 2) or (x < 0 and 10 // x > 2),
        lambda x: (10 // x > 2 or x < 1) and (x > 7 or x < 1),
    ],
)
def test_common_conditions_of_alternatives_are_not_evaluated_first(
    spark: SparkSession, function: Callable[[int], bool]
) -> None:
    frame = spark.range(-9, 10).toDF("value")
    condition = to_column(expression_of(lift_condition(function, LONG)), inputs_of(frame, LONG))
    try:
        wanted = [x for x in range(-9, 10) if function(x)]
    except ZeroDivisionError:
        with pytest.raises(PySparkException, match="DIVIDE_BY_ZERO"):
            frame.where(condition).collect()
    else:
        assert [row[0] for row in frame.where(condition).sort("value").collect()] == wanted


def test_a_use_of_none_before_a_test_for_it_raises(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "table")
    spark.sql("select nullif(id, 3) value from range(9)").write.parquet(path)
    t = Types.ROW_NAMED(["value"], [LONG])
    frame = spark.read.parquet(path)
    late = expression_of(lift_condition(lambda r: r.value * 2 >= 0 and r.value is not None, t))
    with pytest.raises(PySparkException, match=GUARD_MARK):
        frame.where(to_column(late, inputs_of(frame, t))).collect()


def test_earlier_filters_are_evaluated_first(spark: SparkSession) -> None:
    frame = spark.range(0, 5).toDF("value")
    inputs = inputs_of(frame, LONG)
    nonzero = frame.where(to_column(expression_of(lift_condition(lambda x: x != 0, LONG)), inputs))
    divided = nonzero.select(*to_columns(expression_of(lift(lambda x: 12 // x, [LONG])), inputs))
    big = divided.where(to_column(expression_of(lift_condition(lambda y: y > 3, LONG)), inputs))
    assert sorted(row[0] for row in big.collect()) == [4, 6, 12]


def test_unused_values_raise(spark: SparkSession) -> None:
    def unused(x: int) -> int:
        y = 1 // x
        if x > 5:
            return y
        return x

    for function in (unused, lambda x: (1 // x, x)[1], lambda x: (1 // x) is None, lambda x: 1 // x == "a"):
        frame = spark.range(0, 3).toDF("value")
        expression = expression_of(lift(function, [LONG]))
        with pytest.raises(PySparkException):
            mapped(frame, LONG, expression)
        assert mapped(frame.where("value > 0"), LONG, expression) == [[function(x) for x in (1, 2)]]


def test_integers_never_wrap(spark: SparkSession) -> None:
    for function in (lambda x: x + 1, lambda x: x * 2, lambda x: -x - 2, lambda x: abs(-x - 1)):
        with pytest.raises(PySparkException):
            check_values(spark, LONG, [2**63 - 1], function)


def test_records_go_in_and_out(spark: SparkSession) -> None:
    check_values(
        spark,
        Types.of(Point),
        [Point(1, 2.0), Point(-3, -0.0)],
        lambda p: p,
        lambda p: p.moved(2),
        lambda p: Pair(str(p.x), p.x),
        lambda p: (p, [p.x]),
    )


def test_other_classes_go_in_and_out(spark: SparkSession) -> None:
    t = Types.of(tuple[Colour, bytes, datetime.time, int | None])
    values = [
        (Colour.RED, b"abc", datetime.time(1, 2, 3, 4), None),
        (Colour.GREEN, b"", datetime.time(23, 59, 59, 999_999), 5),
    ]
    check_values(
        spark,
        t,
        values,
        lambda v: (v[0] is Colour.RED, v[0].name, len(v[1])),
        lambda v: (v[2].hour, v[2].minute, v[2].second),
        lambda v: v[3] if v[3] is not None else -1,
        lambda v: (v[3] or 7, v[1].decode()),
    )


MOMENTS = [
    datetime.datetime.min,
    datetime.datetime(999, 12, 31, 23, 59, 59, 999_999),
    datetime.datetime(1582, 10, 10, 1, 2, 3, 4),  # when the Julian calendar was left
    datetime.datetime(2024, 3, 10, 2, 30),  # when clocks go forward, and back, in New York
    datetime.datetime(2024, 11, 3, 1, 30),
    datetime.datetime.max,
]
DAYS = [moment.date() for moment in MOMENTS]
HOURS = [datetime.time.min, datetime.time(1, 2, 3, 4), datetime.time.max]


@pytest.mark.parametrize(
    ("t", "values"), [(Types.SQL_TIMESTAMP(), MOMENTS), (Types.SQL_DATE(), DAYS), (Types.SQL_TIME(), HOURS)]
)
def test_constant_dates_and_times(
    spark: SparkSession, zone: str, t: TypeInformation[Any], values: list[Any]
) -> None:
    def compared(constant: Any) -> Callable[[Any], Any]:
        return lambda v: (
            constant,
            v == constant,
            v < constant,
            constant <= v,
            [v, constant],
            max(v, constant),
        )

    check_values(spark, t, values, *map(compared, values))


def test_nested_rows_and_lists(spark: SparkSession) -> None:
    inner = Types.ROW_NAMED(["a", "b"], [LONG, Types.LIST(Types.STRING())])
    t = Types.TUPLE([inner, Types.LIST(Types.TUPLE([LONG, Types.STRING()]))])
    values = [(Row(a=1, b=["x", "y"]), [(1, "p"), (2, "q")]), (Row(a=-4, b=[]), [])]
    check_values(
        spark,
        t,
        values,
        lambda v: Row(c=v[0], d=[n for n, _ in v[1]]),
        lambda v: [(s, n) for n, s in v[1] for w in v[0].b if w != "x"],
        lambda v: (v[0].a, v[1][:1], "y" in v[0].b),
        lambda v: v,
    )


def test_narrow_numbers_in_lists(spark: SparkSession) -> None:
    t = Types.TUPLE([Types.LIST(Types.INT()), LONG, Types.SHORT()])
    values = [([1, 2], 2, 2), ([], 0, -1), ([3], 2**40, 3)]
    check_values(
        spark,
        t,
        values,
        lambda v: (v[1] in v[0], v[2] in v[0], 3 in v[0]),
        lambda v: [n * 2**31 for n in v[0]],
        lambda v: ([v[2]] + [v[1]], v[0][:1] + v[0]),  # noqa: RUF005
        lambda v: max(v[1], v[2]) in range(v[2]),
        lambda v: (v[0][0] if v[0] else v[1], v[2] if v[1] else v[1]),
    )


def test_results_of_a_declared_type(spark: SparkSession) -> None:
    frame = spark.range(0, 3).toDF("value")
    declared = Types.ROW_NAMED(["n", "half"], [Types.BYTE(), Types.FLOAT()])
    held = expression_of(lift(lambda x: (x, x / 2), [LONG], declared))
    assert mapped(frame, LONG, held) == [[Row(n=x, half=x / 2) for x in range(3)]]
    too_large = expression_of(lift(lambda x: x + 127, [LONG], Types.BYTE()))
    with pytest.raises(PySparkException):
        mapped(frame, LONG, too_large)


def test_not_a_number_and_zeros(spark: SparkSession) -> None:
    t = Types.TUPLE([Types.DOUBLE(), Types.DOUBLE()])
    special = [0.0, -0.0, 1.5, -2.5, math.nan, math.inf, -math.inf]
    values = [(a, b) for a in special for b in special]
    check_values(
        spark,
        t,
        values,
        lambda v: (v[0] < v[1], v[0] <= v[1], v[0] == v[1], v[0] != v[1], v[0] > v[1], v[0] >= v[1]),
        lambda v: (min(v[0], v[1]), max(v[0], v[1]), min(v), max(v)),
        lambda v: (v[0] or v[1], v[0] and v[1], bool(v[0]), not v[1]),
        lambda v: (v[0] * v[1], v[0] + v[1], -v[0], abs(v[1])),
        lambda v: (v[0] // v[1], v[0] % v[1]) if v[1] else (0.0, v[0] / 2.0),
    )


def test_values_that_a_later_step_drops_are_checked(spark: SparkSession) -> None:
    frame = spark.range(0, 3).toDF("value")
    for function in (lambda x: (1 // x, x), lambda x: (-1, x + (2**63 - 2))):
        expression = expression_of(lift(function, [LONG]))
        inputs = inputs_of(frame, LONG)
        columns = to_columns(expression, inputs)
        assert len(frame.select(*columns).select(F.lit(1)).collect()) == 3, (
            "the engine drops errors by itself"
        )
        checked = frame.where(to_check(expression, inputs)).select(*columns).select(F.lit(1))
        with pytest.raises(PySparkException):
            checked.collect()
