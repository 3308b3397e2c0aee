"""Aggregation of rows: against plain Python, and against results that PyFlink 2.3 printed."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterable
from ctypes import c_float
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row
from pystream.errors import PlanError, UnsupportedOperationError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.aggregates import RowAggregation

NAN = math.nan
ORDERED = {"FIRST_VALUE", "LAST_VALUE"}
FUNCTIONS = ("AVG", "COUNT", "FIRST_VALUE", "LAST_VALUE", "MAX", "MIN", "SUM")
WIDTHS: dict[DataType, int] = {
    DataTypes.TINYINT(): 8,
    DataTypes.SMALLINT(): 16,
    DataTypes.INT(): 32,
    DataTypes.BIGINT(): 64,
}
MODELS: dict[str, Callable[[list[Any]], Any]] = {
    "COUNT": len,
    "MIN": lambda values: min(values, default=None),
    "MAX": lambda values: max(values, default=None),
    "FIRST_VALUE": lambda values: values[0] if values else None,
    "LAST_VALUE": lambda values: values[-1] if values else None,
}
EXACT = Context(prec=200, rounding=ROUND_HALF_UP)


def accumulated(aggregation: RowAggregation, values: Iterable[Any]) -> list[Any]:
    accumulator = aggregation.create_accumulator()
    for value in values:
        accumulator = aggregation.add(Row("before", value), pickle.loads(pickle.dumps(accumulator)))
    return accumulator


def result_of(function: str, data_type: DataType, values: Iterable[Any], is_distinct: bool = False) -> Any:
    aggregation = RowAggregation([AggregateCall(function, (1,), is_distinct, data_type)])
    (result,) = aggregation.get_result(accumulated(aggregation, values))
    return result


def known(values: list[Any], is_distinct: bool) -> list[Any]:
    """Return the values that are not null, without the repeated ones if they are to be distinct."""
    present = [value for value in values if value is not None]
    return list(dict.fromkeys(present)) if is_distinct else present


def wrapped(integer: int, width: int) -> int:
    return int.from_bytes((integer % (1 << width)).to_bytes(width // 8, "big"), "big", signed=True)


@st.composite
def integers(draw: st.DrawFn) -> tuple[DataType, int, list[int | None]]:
    data_type, width = draw(st.sampled_from(list(WIDTHS.items())))
    bound = 1 << (width - 1)
    near = st.integers(-3, 3) | st.integers(bound - 3, bound - 1) | st.integers(-bound, -bound + 3)
    return data_type, width, draw(st.lists(st.none() | near | st.integers(-bound, bound - 1), max_size=8))


@given(integers(), st.sampled_from(FUNCTIONS), st.booleans())
def test_integers(column: tuple[DataType, int, list[Any]], function: str, is_distinct: bool) -> None:
    data_type, width, values = column
    present = known(values, is_distinct)
    if function == "SUM":
        expected = wrapped(sum(present), width) if present else None
    elif function == "AVG":
        total = wrapped(sum(present), 64)
        expected = abs(total) // len(present) * (-1 if total < 0 else 1) if present else None
    else:
        expected = MODELS[function](present)
    assert result_of(function, data_type, values, is_distinct) == expected


@given(
    st.lists(st.none() | st.decimals(-(10**8), 10**8, places=2), max_size=8),
    st.sampled_from(FUNCTIONS),
    st.booleans(),
)
def test_decimals(values: list[Any], function: str, is_distinct: bool) -> None:
    present = known(values, is_distinct)
    scale = 6 if function == "AVG" else 2
    expected: Any
    if function in ("SUM", "AVG"):
        total = sum(present, Decimal(0))
        number = EXACT.divide(total, Decimal(len(present) or 1)) if function == "AVG" else total
        expected = EXACT.quantize(number, Decimal(1).scaleb(-scale)) if present else None
    else:
        expected = MODELS[function](present)
    result = result_of(function, DataTypes.DECIMAL(38, scale), values, is_distinct)
    assert (result, str(result)) == (expected, str(expected))


@given(
    integers(),
    st.lists(st.none() | st.integers(-9, 9), max_size=8),
    st.sampled_from(sorted({*FUNCTIONS} - ORDERED)),
    st.booleans(),
)
def test_the_merge_of_two_accumulators_is_that_of_all_rows(
    column: tuple[DataType, int, list[Any]], others: list[Any], function: str, is_distinct: bool
) -> None:
    data_type, _, values = column
    aggregation = RowAggregation([AggregateCall(function, (1,), is_distinct, data_type)])
    merged = aggregation.merge(accumulated(aggregation, values), accumulated(aggregation, others))
    (result,) = aggregation.get_result(merged)
    assert result == result_of(function, data_type, [*values, *others], is_distinct)


@pytest.mark.parametrize("function", sorted(ORDERED))
def test_ordered_aggregates_are_not_merged(function: str) -> None:
    aggregation = RowAggregation([AggregateCall(function, (0,), False, DataTypes.INT())])
    with pytest.raises(UnsupportedOperationError, match=f"{function} of windows that merge"):
        aggregation.merge(aggregation.create_accumulator(), aggregation.create_accumulator())


# The expected results of the following tests are those that PyFlink 2.3 printed, in streaming mode.


@pytest.mark.parametrize(
    ("function", "values", "results"),
    [
        ("MIN", [1.0, NAN, 0.5], [1.0, 1.0, 0.5]),
        ("MAX", [1.0, NAN, 0.5], [1.0, 1.0, 1.0]),
        ("MIN", [NAN, 1.0, 1.0], [NAN, NAN, NAN]),
        ("MAX", [NAN, 1.0, 1.0], [NAN, NAN, NAN]),
        ("SUM", [1.0, NAN, 0.5], [1.0, NAN, NAN]),
        ("SUM", [-0.0], [-0.0]),
        ("AVG", [-0.0], [0.0]),
        ("AVG", [0.0, -0.0, 1.0, None], [0.0, 0.0, 0.3333333333333333, 0.3333333333333333]),
    ],
)
def test_doubles(function: str, values: list[Any], results: list[Any]) -> None:
    for count, result in enumerate(results, 1):
        assert repr(result_of(function, DataTypes.DOUBLE(), values[:count])) == repr(result)


def test_distinct_doubles() -> None:
    for function, values, result in [("COUNT", [0.0, -0.0, 1.0], 2), ("SUM", [0.0, -0.0, 1.0, 1.0], 1.0)]:
        assert result_of(function, DataTypes.DOUBLE(), values, is_distinct=True) == result
    nans = [float("nan"), 1.0, float("nan"), 1.0]
    assert result_of("COUNT", DataTypes.DOUBLE(), nans, is_distinct=True) == 2


@pytest.mark.parametrize(
    ("values", "total", "average"),
    [([3e38], 3e38, 3e38), ([3e38, 3e38], math.inf, 3e38), ([0.1, 0.2, 0.3], 0.6, 0.2)],
)
def test_floats(values: list[float], total: float, average: float) -> None:
    floats = [c_float(value).value for value in values]
    assert result_of("SUM", DataTypes.FLOAT(), floats) == c_float(total).value
    assert result_of("AVG", DataTypes.FLOAT(), floats) == c_float(average).value


def test_decimals_out_of_range() -> None:
    big, one, five = Decimal("9" * 38), Decimal(1), Decimal(5)
    values = [big, one, five, big, big]
    sums = [result_of("SUM", DataTypes.DECIMAL(38, 0), values[:count]) for count in range(1, 6)]
    assert sums == [big, None, five, None, big]
    averages = [result_of("AVG", DataTypes.DECIMAL(38, 6), values[:count]) for count in range(1, 6)]
    assert averages == [None] * 5


def test_an_average_of_decimals_is_null_once_their_sum_was_out_of_range() -> None:
    number = Decimal("99999999." + "0" * 30)
    values, data_type = [number, number, number.copy_negate()], DataTypes.DECIMAL(38, 30)
    averages = [result_of("AVG", data_type, values[:count]) for count in (1, 2, 3)]
    assert averages == [number, None, None]


@pytest.mark.parametrize("millionth", [Decimal("0.000001"), Decimal("-0.000001")])
def test_averages_of_decimals_round_halves_away_from_zero(millionth: Decimal) -> None:
    assert result_of("AVG", DataTypes.DECIMAL(38, 6), [millionth, Decimal(0)]) == millionth


def test_the_last_distinct_value_is_the_last_that_is_new() -> None:
    assert result_of("LAST_VALUE", DataTypes.INT(), [1, 2, 1], is_distinct=True) == 2
    assert result_of("LAST_VALUE", DataTypes.INT(), [1, 2, 1]) == 1


def test_distinct_values_that_cannot_be_hashed() -> None:
    arrays = DataTypes.ARRAY(DataTypes.DOUBLE())
    assert result_of("COUNT", arrays, [[1.0, NAN], [1.0, NAN], [1.0]], is_distinct=True) == 2
    maps = DataTypes.MAP(DataTypes.STRING(), DataTypes.INT())
    assert result_of("COUNT", maps, [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {}], is_distinct=True) == 2
    assert result_of("COUNT", maps, [Row([1]), Row([1]), Row([2])], is_distinct=True) == 2


@pytest.mark.parametrize(("values", "total"), [(["2"], "2.00"), (["1", "2"], "3.00")])
def test_a_sum_of_decimals_has_the_scale_of_its_type(values: list[str], total: str) -> None:
    assert str(result_of("SUM", DataTypes.DECIMAL(38, 2), map(Decimal, values))) == total


def test_count_of_rows_includes_those_of_nulls() -> None:
    aggregation = RowAggregation([AggregateCall("COUNT", (), False, DataTypes.BIGINT())])
    assert aggregation.get_result(accumulated(aggregation, [None, 1, None])) == [3]


@pytest.mark.parametrize(
    ("aggregate", "error", "message"),
    [
        (
            AggregateCall("MODE", (0,), False, DataTypes.DOUBLE()),
            UnsupportedOperationError,
            "MODE is not",
        ),
        (
            AggregateCall("SUM", (0,), False, DataTypes.STRING()),
            UnsupportedOperationError,
            "SUM is of numbers",
        ),
        (AggregateCall("AVG", (0,), False, DataTypes.BOOLEAN()), UnsupportedOperationError, "type BOOLEAN"),
        (
            AggregateCall("MIN", (0,), False, DataTypes.ARRAY(DataTypes.INT())),
            UnsupportedOperationError,
            "MIN takes values in an order, not ARRAY<INT>",
        ),
        (AggregateCall("MAX", (), False, DataTypes.INT()), PlanError, "MAX needs an argument"),
        (AggregateCall("COUNT", (), True, DataTypes.BIGINT()), PlanError, "COUNT needs an argument"),
    ],
)
def test_wrong_aggregates_are_refused(aggregate: AggregateCall, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        RowAggregation([aggregate])
