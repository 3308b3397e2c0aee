"""Columns are sorted as rows are, one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.sorts import SortField
from pystream.table.columns import TableColumn, row_type
from pystream.table.streaming.column_sort import SortedColumns
from pystream.table.streaming.row_order import RowOrder

TYPES = [
    DataTypes.INT(),
    DataTypes.DOUBLE(),
    DataTypes.FLOAT(),
    DataTypes.STRING(),
    DataTypes.BOOLEAN(),
    DataTypes.DATE(),
    DataTypes.TIMESTAMP(6),
    DataTypes.DECIMAL(18, 2),
    DataTypes.DECIMAL(38, 18),
]
LAYOUT = layout_of(
    row_type([TableColumn(f"f{n}", data_type, data_type.type_info, n) for n, data_type in enumerate(TYPES)])
)
VALUES: list[Sequence[Any]] = [
    [0, 1, -(2**31)],
    [0.0, -0.0, math.nan, math.inf, -1.5],
    [0.0, -0.0, math.nan, 0.5],
    ["", "a", "é", "\U0001f600", "\uffff"],
    [True, False],
    [date(1969, 12, 31), date(2024, 1, 1)],
    [datetime(1969, 12, 31), datetime(2024, 1, 1)],
    [Decimal("9999999999999999.99"), Decimal("-9999999999999999.99"), Decimal("0.00"), Decimal("0.01")],
    [Decimal(f"{one}.{0:018}") for one in (10**20 - 1, 1 - 10**20, 0)],
]
ROWS = st.lists(st.tuples(*(st.sampled_from([None, *values]) for values in VALUES)), max_size=20)
FIELDS = st.builds(SortField, st.integers(0, len(TYPES) - 1), st.booleans(), st.booleans())


@given(
    ROWS,
    st.lists(FIELDS, max_size=3),
    st.integers(0, 3),
    st.none() | st.integers(0, 12),
    st.integers(1, 20),
)
def test_columns_are_sorted_as_rows_are(
    rows: list[tuple[Any, ...]], order: list[SortField], first: int, last: int | None, size: int
) -> None:
    columns = SortedColumns(order, first, last)
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        columns.add(ColumnValues(LAYOUT, LAYOUT.encode(list(part))).columns, len(part))
    observed = [repr(tuple(row)) for values in columns.results(LAYOUT) for row in values]
    expected = sorted(rows, key=RowOrder(order).key)[first:last]
    assert observed == list(map(repr, expected))


@pytest.mark.parametrize("last", [2, 5])
def test_only_first_rows_are_kept(last: int) -> None:
    layout = layout_of(row_type([TableColumn("n", DataTypes.BIGINT(), DataTypes.BIGINT().type_info, 0)]))
    columns = SortedColumns([SortField(0, True, False)], 1, last)
    for start in range(4):
        numbers = pa.array(np.arange(100_000) * 4 + start)
        columns.add([Column(layout.codecs[0], numbers)], len(numbers))
        state, columns = columns.state, SortedColumns([SortField(0, True, False)], 1, last)
        columns.state = state  # as after a restart
    assert sum(len(array) for (array,) in columns.state) <= 200_000 + last
    (values,) = columns.results(layout)
    assert [row[0] for row in values] == list(range(399_998, 399_999 - last, -1))
