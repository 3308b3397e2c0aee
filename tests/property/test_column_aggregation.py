"""Aggregates of columns are those of rows, one after another, to the last digit."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.columns import TableColumn, row_type
from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.functions.declaration import Arguments
from pystream.table.streaming import column_aggregation
from pystream.table.streaming.aggregates import RowAggregation, aggregator_of
from pystream.table.streaming.column_aggregation import Accumulated, ByColumn, ByValue, ColumnGroups
from pystream.table.streaming.column_aggregators import column_aggregator
from pystream.table.streaming.value_keys import value_key

TYPES: dict[str, DataType] = {
    "k": DataTypes.DOUBLE(),
    "g": DataTypes.STRING(),
    "t": DataTypes.TINYINT(),
    "n": DataTypes.BIGINT(),
    "f": DataTypes.FLOAT(),
    "x": DataTypes.DOUBLE(),
    "s": DataTypes.STRING(),
    "d": DataTypes.DATE(),
    "z": DataTypes.TIMESTAMP(6),
    "b": DataTypes.BOOLEAN(),
    "p": DataTypes.DECIMAL(10, 2),
    "q": DataTypes.DECIMAL(28, 8),
    "v": DataTypes.DECIMAL(38, 0),
    "c": DataTypes.BOOLEAN(),
}
NAMES = list(TYPES)
PLAIN = ("t", "n", "f", "x", "s", "d", "z", "b", "p", "q", "v")
LONG = 2**63

FLOATS = [0.0, -0.0, 1.5, -2.25, 1e300, math.inf, -math.inf, math.nan]
VALUES: dict[str, Sequence[Any]] = {
    "k": [0.0, -0.0, math.nan, 1.0],
    "g": ["", "a", "é"],
    "t": [-128, -1, 0, 127],
    "n": [-LONG, LONG - 1, -3, 0, 7],
    "f": [0.0, -0.0, 0.5, 3.4028234663852886e38, math.nan, -math.inf, 16777216.0, 1.0],
    "x": [*FLOATS, 0.1, 0.2, 0.3],
    "s": ["", "a", "ab", "é", "z", "\U0001f600"],
    "d": [date(1969, 12, 31), date(2024, 2, 29)],
    "z": [datetime(1969, 12, 31, 23, 59, 59, 1), datetime(2024, 2, 29, 1)],
    "b": [True, False],
    "p": [Decimal("1.50"), Decimal("-0.25"), Decimal("99999999.99"), Decimal("-99999999.99")],
    "q": [Decimal(f"{9 * 10**19}.00000001"), Decimal("-1.00000001"), -Decimal(10**20 - 1), Decimal(0)],
    "v": [Decimal(10**38 - 1), Decimal(-7), Decimal(0)],
    "c": [True, False],
}
ROWS = st.lists(st.tuples(*(st.sampled_from([None, *VALUES[name]]) for name in NAMES)), max_size=30)


@st.composite
def calls(draw: Any) -> AggregateCall:
    functions = ["COUNT", "SUM", "AVG", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "STDDEV_POP", "LISTAGG"]
    function = draw(st.sampled_from(functions))
    condition = draw(st.none() | st.just(NAMES.index("c")))
    if function == "COUNT" and draw(st.booleans()):
        return AggregateCall("COUNT", (), False, DataTypes.BIGINT(), condition)
    of_numbers = function in ("SUM", "AVG", "STDDEV_POP")
    names = ("t", "n", "f", "x", "p", "q", "v") if of_numbers else ("s",) if function == "LISTAGG" else PLAIN
    name = draw(st.sampled_from(names))
    result = AGGREGATE_FUNCTIONS[function].result_type(Arguments([TYPES[name]]))
    is_distinct = function != "LISTAGG" and draw(st.booleans())
    return AggregateCall(function, (NAMES.index(name),), is_distinct, result, condition)


def accumulated(call: AggregateCall) -> Accumulated:
    if all(NAMES[argument] in PLAIN for argument in call.arguments):
        argument = TYPES[NAMES[call.arguments[0]]].type_info if call.arguments else None
        found = column_aggregator(call.function, call.result, argument, is_distinct=call.is_distinct)
        if found is not None:
            return ByColumn(call, found)
    return ByValue(call, aggregator_of(call))


def by_rows(keys: int, aggregates: Sequence[AggregateCall], rows: Sequence[Any]) -> list[list[Any]]:
    """Return the results for the groups of rows, which are aggregated one after another."""
    aggregation = RowAggregation(aggregates)
    groups: dict[Any, tuple[list[Any], list[Any]]] = {}
    if not keys:
        groups[()] = [], aggregation.create_accumulator()
    for row in rows:
        first = list(row[:keys])
        _, accumulator = groups.setdefault(value_key(first), (first, aggregation.create_accumulator()))
        aggregation.add(row, accumulator)
    return [[*first, *aggregation.get_result(accumulator)] for first, accumulator in groups.values()]


def columns_of(types: Sequence[DataType]) -> list[TableColumn]:
    return [TableColumn(f"f{n}", data_type, data_type.type_info, n) for n, data_type in enumerate(types)]


def shown(rows: Sequence[Sequence[Any]], layout: Any) -> list[list[str]]:
    """Return rows as text, with values as columns have them."""
    columns = list(zip(*rows, strict=True))
    decoded = [
        codec.decode(codec.conform_and_encode(column))
        for codec, column in zip(layout.codecs, columns, strict=False)
    ]
    return [[repr(value) for value in row] for row in zip(*decoded, strict=True)]


@given(st.integers(0, 2), st.lists(calls(), min_size=1, max_size=4), ROWS, st.lists(st.integers(1, 9)))
def test_aggregates_of_columns(
    keys: int, aggregates: list[AggregateCall], rows: list[tuple[Any, ...]], sizes: list[int]
) -> None:
    layout = layout_of(row_type(columns_of(list(TYPES.values()))))
    types = [TYPES[name] for name in NAMES[:keys]]
    result = layout_of(row_type(columns_of([*types, *(call.result for call in aggregates)])))
    rows = list(map(tuple, ColumnValues(layout, layout.encode(list(rows)))))
    groups = ColumnGroups(keys, list(map(accumulated, aggregates)))
    left, sizes = rows, [*sizes, 100]
    for size in sizes:
        part, left = left[:size], left[size:]
        if part:
            groups.add(ColumnValues(layout, layout.encode(part)).columns, len(part))
            state = pickle.loads(pickle.dumps(groups.state))  # which aggregates the part
            groups = ColumnGroups(keys, list(map(accumulated, aggregates)))
            groups.state = state
    observed = [row for values in groups.results(result) for row in values]
    assert shown(observed, result) == shown(by_rows(keys, aggregates, rows), result)


def test_rows_are_aggregated_in_parts_that_grow_with_the_groups() -> None:
    layout = layout_of(row_type(columns_of([DataTypes.BIGINT()])))
    call = AggregateCall("COUNT", (), False, DataTypes.BIGINT())
    groups = ColumnGroups(1, [accumulated(call)])
    count = 3 * column_aggregation._FEWEST
    numbers = [(number // 2,) for number in range(count)]
    groups.add(ColumnValues(layout, layout.encode(numbers)).columns, count)
    groups.add(ColumnValues(layout, layout.encode([(0,)])).columns, 1)
    result = layout_of(row_type(columns_of([DataTypes.BIGINT(), DataTypes.BIGINT()])))
    (values,) = groups.results(result)
    assert isinstance(values, ColumnValues)
    assert list(map(tuple, values[:2])) == [(0, 3), (1, 2)]
    assert len(values) == count // 2
