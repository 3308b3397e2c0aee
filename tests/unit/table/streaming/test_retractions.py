"""Groups of rows that are updated: their results are those of the rows that remain."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row, RowKind, Time
from pystream.common.typeinfo import Types
from pystream.errors import PlanError, UnsupportedOperationError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.retracting_aggregation import RetractingGroupAggregation
from pystream.testing import ProcessFunctionTestHarnesses
from tests.unit.table.streaming.changelogs import changelogs, changes_of
from typeinfo.row import make_row

INT, BIGINT, DOUBLE = DataTypes.INT(), DataTypes.BIGINT(), DataTypes.DOUBLE()
NAN = math.nan
KEYS = st.sampled_from(["a", "b"])
MODELS: dict[str, Callable[[list[Any]], Any]] = {
    "COUNT": len,
    "SUM": lambda values: (sum(values) + 2**31) % 2**32 - 2**31 if values else None,
    "AVG": lambda values: (
        int(math.copysign(abs(sum(values)) // len(values), sum(values))) if values else None
    ),
    "MIN": lambda values: min(values, default=None),
    "MAX": lambda values: max(values, default=None),
    "FIRST_VALUE": lambda values: values[0] if values else None,
    "LAST_VALUE": lambda values: values[-1] if values else None,
}
FUNCTIONS = sorted(MODELS)


def types_of(function: str) -> DataType:
    return BIGINT if function == "COUNT" else INT


@given(changelogs(st.tuples(KEYS, st.none() | st.integers(-2, 2) | st.just(2**31 - 1))))
def test_the_results_are_those_of_the_rows_that_remain(rows: list[Row[Any]]) -> None:
    calls = [AggregateCall("COUNT", (), False, BIGINT)]
    calls += [AggregateCall(function, (1,), False, types_of(function)) for function in FUNCTIONS]
    for remaining, results in changes_of(RetractingGroupAggregation([0], calls), rows):
        expected = set()
        for key in {key for key, _ in remaining}:
            values = [value for other, value in remaining if other == key]
            known = [value for value in values if value is not None]
            expected.add((key, len(values), *(MODELS[function](known) for function in FUNCTIONS)))
        assert (set(results), len(results)) == (expected, len(expected))


@given(changelogs(st.tuples(KEYS, st.none() | st.integers(-2, 2))))
def test_distinct_values_count_as_long_as_one_of_them_remains(rows: list[Row[Any]]) -> None:
    functions = ["AVG", "COUNT", "MAX", "MIN", "SUM"]
    calls = [AggregateCall(function, (1,), True, types_of(function)) for function in functions]
    for remaining, results in changes_of(RetractingGroupAggregation([0], calls), rows):
        expected = set()
        for key in {key for key, _ in remaining}:
            known = sorted({value for other, value in remaining if other == key and value is not None})
            expected.add((key, *(MODELS[function](known) for function in functions)))
        assert (set(results), len(results)) == (expected, len(expected))


@given(changelogs(st.tuples(KEYS)))
def test_distinct_rows_remain_as_long_as_one_of_them(rows: list[Row[Any]]) -> None:
    for remaining, results in changes_of(RetractingGroupAggregation([0], []), rows):
        assert sorted(results) == sorted(set(remaining))


@given(changelogs(st.tuples(KEYS, st.none() | st.decimals(-(10**8), 10**8, places=2))))
def test_decimals(rows: list[Row[Any]]) -> None:
    calls = [
        AggregateCall("SUM", (1,), False, DataTypes.DECIMAL(38, 2)),
        AggregateCall("AVG", (1,), False, DataTypes.DECIMAL(38, 6)),
    ]
    for remaining, results in changes_of(RetractingGroupAggregation([0], calls), rows):
        expected = set()
        for key in {key for key, _ in remaining}:
            known = [value for other, value in remaining if other == key and value is not None]
            total, average = (
                (Decimal(sum(known)), sum(known) / Decimal(len(known))) if known else (None, None)
            )
            if average is not None:
                average = average.quantize(Decimal("0.000001"), ROUND_HALF_UP)
            expected.add((key, total, average))
        assert set(results) == expected


def test_a_monotonic_extreme_keeps_no_values() -> None:
    calls = [AggregateCall("MAX", (1,), False, INT), AggregateCall("MIN", (2,), False, INT)]
    function = RetractingGroupAggregation([0], calls, monotonic=[0, 1])
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING()
    ) as harness:
        for number in range(200):
            if number:
                harness.process_element(make_row(("a", number - 1, -number), None, RowKind.UPDATE_BEFORE))
            harness.process_element(make_row(("a", number, -number - 1), None))
            harness.process_element(make_row(("a", 0, 0), None))
        assert tuple(harness.extract_output_values()[-1]) == ("a", 199, -200)
        assert len(harness.snapshot()) < 2000


# The expected results of the following tests are those that PyFlink 2.3 printed, in streaming mode.


def changes(calls: list[AggregateCall], rows: list[tuple[Any, ...]], ttl: Time | None = None) -> list[Any]:
    kinds = {str(kind): kind for kind in RowKind}
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        RetractingGroupAggregation([0], calls, ttl), lambda row: row[0], Types.STRING()
    ) as harness:
        for kind, *values in rows:
            harness.process_element(make_row(tuple(values), None, kinds[kind]))
        return [(str(row.get_row_kind()), *row) for row in harness.extract_output_values()]


def test_doubles() -> None:  # except that PyFlink's sums remain NaN, and that it tells 0.0 from -0.0
    calls = [AggregateCall(function, (1,), False, DOUBLE) for function in ("SUM", "MIN", "MAX")]
    calls.append(AggregateCall("COUNT", (1,), True, BIGINT))
    rows = [
        ("+I", "a", NAN),
        ("+I", "a", 1.0),
        ("-D", "a", float("nan")),
        ("+I", "a", 0.0),
        ("+I", "a", -0.0),
        ("-D", "a", 0.0),
        ("-D", "a", 1.0),
        ("-D", "a", -0.0),
    ]
    results = [row for row in changes(calls, rows) if row[0] != "-U"]
    assert repr(results) == repr(
        [
            ("+I", "a", NAN, NAN, NAN, 1),
            ("+U", "a", NAN, 1.0, NAN, 2),
            ("+U", "a", 1.0, 1.0, 1.0, 1),
            ("+U", "a", 1.0, 0.0, 1.0, 2),
            ("+U", "a", 1.0, -0.0, 1.0, 2),
            ("+U", "a", 0.0, -0.0, -0.0, 1),
            ("-D", "a", 0.0, -0.0, -0.0, 1),
        ]
    )


def test_decimals_of_38_digits() -> None:
    calls = [AggregateCall("SUM", (1,), False, DataTypes.DECIMAL(38, 0))]
    large = Decimal("12345678901234567890123456789012345678")
    rows = [("+I", "a", large), ("+I", "a", Decimal(1)), ("-D", "a", large)]
    assert changes(calls, rows)[-1] == ("+U", "a", Decimal(1))


def test_a_row_that_was_never_added_is_not_taken_back() -> None:
    count = [AggregateCall("COUNT", (), False, BIGINT)]
    assert changes(count, [("-D", "a", 1), ("-U", "a", 1), ("+I", "a", 1)]) == [("+I", "a", 1)]


def test_of_equal_values_the_first_is_taken_back() -> None:
    calls = [AggregateCall(function, (1,), False, INT) for function in ("FIRST_VALUE", "LAST_VALUE")]
    rows = [("+I", "a", 1), ("+I", "a", 2), ("+I", "a", 1), ("-D", "a", 1)]
    assert changes(calls, rows)[-1] == ("+U", "a", 2, 1)


def test_with_a_time_to_live_every_row_emits_an_update() -> None:
    rows = [("+I", "a", 1), ("+I", "a", 1), ("-D", "a", 1), ("-D", "a", 1)]
    calls = [AggregateCall("MAX", (1,), False, INT)]
    updates = [("-U", "a", 1), ("+U", "a", 1)]
    assert changes(calls, rows, Time.hours(1)) == [("+I", "a", 1), *updates, *updates, ("-D", "a", 1)]
    assert changes(calls, rows) == [("+I", "a", 1), ("-D", "a", 1)]


def test_a_group_that_has_expired_starts_over() -> None:
    function = RetractingGroupAggregation(
        [0], [AggregateCall("MAX", (1,), False, INT)], Time.milliseconds(100)
    )
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        function, lambda row: row[0], Types.STRING()
    ) as harness:
        harness.process_element(Row("a", 5))
        harness.set_processing_time(100)
        harness.clear_output()
        harness.process_element(make_row(("a", 5), None, RowKind.DELETE))
        harness.process_element(Row("a", 1))
        assert [(str(r.get_row_kind()), *r) for r in harness.extract_output_values()] == [("+I", "a", 1)]


def test_the_state_of_a_group_is_dropped_with_its_last_row() -> None:
    function = RetractingGroupAggregation([0], [AggregateCall("FIRST_VALUE", (1,), True, INT)])
    with ProcessFunctionTestHarnesses.for_keyed_process_function(
        pickle.loads(pickle.dumps(function)), lambda row: row[0], Types.STRING()
    ) as harness:
        harness.process_element(Row("a", 5))
        assert harness.num_keyed_state_entries() == 1
        harness.process_element(make_row(("a", 5), None, RowKind.DELETE))
        assert harness.num_keyed_state_entries() == 0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (AggregateCall("MODE", (0,), False, DOUBLE), UnsupportedOperationError, "MODE is not"),
        (
            AggregateCall("SUM", (0,), False, DataTypes.STRING()),
            UnsupportedOperationError,
            "SUM is of numbers",
        ),
        (AggregateCall("MAX", (), False, INT), PlanError, "MAX needs an argument"),
    ],
)
def test_wrong_aggregates_are_refused(call: AggregateCall, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        RetractingGroupAggregation([0], [call])
