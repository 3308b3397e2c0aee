"""Aggregators that keep values or moments, against plain Python, with values that are taken back."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.functions.errors import AggregationError
from pystream.table.streaming.aggregates import RowAggregation
from pystream.table.streaming.aggregator_classes import AGGREGATORS
from pystream.table.streaming.retracting_aggregates import RetractingRowAggregation
from typeinfo.row import Row, RowKind

Changes = list[tuple[bool, int | None]]
Model = Callable[[list[int | None]], Any]


def percentile(values: list[int], share: float) -> float:
    """Return what `statistics.quantiles` of the inclusive method interpolates, for any share."""
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def known(values: list[int | None]) -> list[int]:
    return [value for value in values if value is not None]


def variance(values: list[int | None], of: Callable[[list[int]], float], least: int) -> float | None:
    present = known(values)
    return float(of(present)) if len(present) >= least else None


ARRAY = DataTypes.ARRAY(DataTypes.INT())
MODELS: dict[str, tuple[DataType, Model]] = {
    "ARRAY_AGG": (ARRAY, lambda values: known(values) or None),
    "COLLECT": (DataTypes.MULTISET(DataTypes.INT()), lambda values: dict(Counter(known(values)))),
    "STDDEV_POP": (DataTypes.DOUBLE(), lambda values: variance(values, statistics.pstdev, 1)),
    "STDDEV_SAMP": (DataTypes.DOUBLE(), lambda values: variance(values, statistics.stdev, 2)),
    "VAR_POP": (DataTypes.DOUBLE(), lambda values: variance(values, statistics.pvariance, 1)),
    "VAR_SAMP": (DataTypes.DOUBLE(), lambda values: variance(values, statistics.variance, 2)),
}


@st.composite
def changes(draw: st.DrawFn) -> Changes:
    """Return values that are added, and values among those that are there taken back."""
    found: Changes = []
    present: list[int | None] = []
    for _ in range(draw(st.integers(0, 14))):
        if present and draw(st.booleans()):
            value = draw(st.sampled_from(present))
            present.remove(value)
            found.append((False, value))
        else:
            value = draw(st.none() | st.integers(-9, 9))
            present.append(value)
            found.append((True, value))
    return found


def call_of(function: str) -> AggregateCall:
    return AggregateCall(function, (0,), False, MODELS[function][0])


@pytest.mark.parametrize("function", MODELS)
@given(changes=changes())
def test_the_results_are_those_of_the_values_that_remain(function: str, changes: Changes) -> None:
    aggregation = RetractingRowAggregation([call_of(function)])
    accumulator = aggregation.create_accumulator()
    present: list[int | None] = []
    for is_added, value in changes:
        kind = RowKind.INSERT if is_added else RowKind.DELETE
        row = Row(value)
        row.set_row_kind(kind)
        accumulator = aggregation.add(row, accumulator)
        if is_added:
            present.append(value)
        else:
            present.remove(value)  # the one that came first
        expected = MODELS[function][1](present)
        assert aggregation.get_result(accumulator)[0] == (
            pytest.approx(expected, abs=1e-6) if isinstance(expected, float) else expected
        )


@pytest.mark.parametrize("function", MODELS)
@given(one=st.lists(st.none() | st.integers(-9, 9)), other=st.lists(st.none() | st.integers(-9, 9)))
def test_the_merge_of_two_is_that_of_all_values(
    function: str, one: list[int | None], other: list[int | None]
) -> None:
    aggregation = RowAggregation([call_of(function)])
    accumulators = []
    for values in (one, other):
        accumulator = aggregation.create_accumulator()
        for value in values:
            accumulator = aggregation.add(Row(value), accumulator)
        accumulators.append(accumulator)
    expected = MODELS[function][1]([*one, *other])
    assert aggregation.get_result(aggregation.merge(*accumulators))[0] == (
        pytest.approx(expected, abs=1e-6) if isinstance(expected, float) else expected
    )


def result_of(call: AggregateCall, rows: list[tuple[Any, ...]]) -> Any:
    aggregation = RowAggregation([call])
    accumulator = aggregation.create_accumulator()
    for row in rows:
        accumulator = aggregation.add(Row(*row), accumulator)
    return aggregation.get_result(accumulator)[0]


@given(st.lists(st.integers(-9, 9), min_size=1), st.floats(0, 1))
def test_percentiles_are_interpolated(values: list[int], share: float) -> None:
    call = AggregateCall("PERCENTILE", (0, 1), False, DataTypes.DOUBLE())
    assert result_of(call, [(value, share) for value in values]) == pytest.approx(percentile(values, share))
    assert result_of(call, [(value, [0.0, share]) for value in values]) == [
        min(values),
        pytest.approx(percentile(values, share)),
    ]


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_shares_are_between_0_and_1(share: float) -> None:
    call = AggregateCall("PERCENTILE", (0, 1), False, DataTypes.DOUBLE())
    with pytest.raises(AggregationError, match=f"between 0 and 1, not {share}"):
        result_of(call, [(1, [share, None])])


def test_a_number_says_how_often_a_value_counts() -> None:
    call = AggregateCall("PERCENTILE", (0, 1, 2), False, DataTypes.DOUBLE())
    assert result_of(call, [(1, 0.5, 3), (9, 0.5, 1), (5, 0.5, 0), (7, 0.5, None)]) == 1.0


def test_texts_have_their_separator_before_them() -> None:
    text = DataTypes.STRING()
    rows = [("a", "-"), (None, "-"), ("b", "-"), ("a", "-")]
    assert result_of(AggregateCall("LISTAGG", (0,), False, text), rows) == "a,b,a"
    assert result_of(AggregateCall("LISTAGG", (0, 1), False, text), rows) == "a-b-a"
    assert result_of(AggregateCall("LISTAGG", (0, 1), True, text), rows) == "a-b"


def test_nulls_are_values_unless_they_are_skipped() -> None:
    rows = [("k", "1"), ("l", None)]
    call = AggregateCall("ARRAY_AGG", (1,), False, ARRAY)
    assert result_of(call, rows) == ["1"]
    assert result_of(call._replace(skips_nulls=False), rows) == ["1", None]
    call = AggregateCall("JSON_ARRAYAGG", (1,), False, DataTypes.STRING())
    assert result_of(call, rows) == "[1]"
    assert result_of(call._replace(skips_nulls=False), rows) == "[1,null]"
    call = AggregateCall("JSON_OBJECTAGG", (0, 1), False, DataTypes.STRING())
    assert result_of(call, rows) == '{"k":1}'
    assert result_of(call._replace(skips_nulls=False), rows) == '{"k":1,"l":null}'


def test_a_single_value_is_the_only_one() -> None:
    call = AggregateCall("SINGLE_VALUE", (0,), False, DataTypes.INT())
    assert result_of(call, []) is None
    assert result_of(call, [(4,)]) == 4
    with pytest.raises(AggregationError, match="has 2 rows instead of one"):
        result_of(call, [(4,), (4,)])


def test_keys_of_an_object_differ() -> None:
    call = AggregateCall("JSON_OBJECTAGG", (0, 1), False, DataTypes.STRING())
    with pytest.raises(AggregationError, match="'k' is there already"):
        result_of(call, [("k", "1"), ("l", "1"), ("k", "2")])
    with pytest.raises(AggregationError, match="no null as a key"):
        result_of(call._replace(skips_nulls=False), [(None, "1")])


def test_variances_have_the_type_of_their_values() -> None:
    rows = [(1,), (2,), (4,)]
    assert result_of(AggregateCall("VAR_POP", (0,), False, DataTypes.INT()), rows) == 1
    assert (
        str(result_of(AggregateCall("VAR_SAMP", (0,), False, DataTypes.DECIMAL(38, 6)), rows)) == "2.333333"
    )


def test_each_function_that_is_declared_has_aggregators() -> None:
    assert AGGREGATORS.keys() == AGGREGATE_FUNCTIONS.keys()
