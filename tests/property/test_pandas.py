"""A pandas DataFrame holds the values of a stream unchanged, and becomes the same stream again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.arguments.frames import frame_of_table, table_of_frame
from pystream.common import Row, Types
from pystream.testing import local_environment
from typeinfo.composite import FieldsTypeInfo
from typeinfo.formats.arrow import to_arrow_schema
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import type_infos, values

BIG = 2**60 + 1
FAR = [datetime(1, 1, 1), datetime(9999, 12, 31)]  # beyond what nanoseconds hold


def table_of(t: FieldsTypeInfo[Any], elements: list[Any]) -> pa.Table:
    return pa.Table.from_batches([serializer_for(t).to_batch(elements)], to_arrow_schema(t))


def elements_of(t: FieldsTypeInfo[Any], table: pa.Table) -> list[Any]:
    return [element for batch in table.to_batches() for element in serializer_for(t).from_batch(batch)]


def parts_of(column: pa.DataType) -> list[pa.DataType]:
    return [column.field(i).type for i in range(column.num_fields)]


def has_nulls(column: pa.DataType) -> bool:
    return pa.types.is_null(column) or any(map(has_nulls, parts_of(column)))


def is_readable(t: Any) -> bool:
    """Return whether a type has columns, but no collections of nulls, which PyArrow does not read back."""
    if not isinstance(t, FieldsTypeInfo) or not t.get_field_names():
        return False
    return not any(has_nulls(part) for field in to_arrow_schema(t) for part in parts_of(field.type))


@given(type_infos().filter(is_readable), st.data())
@settings(max_examples=60)
def test_a_table_comes_back_from_pandas(t: FieldsTypeInfo[Any], data: st.DataObject) -> None:
    table = table_of(t, data.draw(st.lists(values(t), max_size=4)))
    read = table_of_frame(frame_of_table(table)).cast(table.schema)
    assert same(elements_of(t, read), elements_of(t, table))


@pytest.mark.parametrize(
    ("column", "dtype", "found"),
    [
        ([BIG, None], "Int64", [BIG, pd.NA]),
        ([BIG, 1], "int64", [BIG, 1]),
        ([True, None], "boolean", [True, pd.NA]),
        ([1.5, None], "Float64", [1.5, pd.NA]),
        (FAR, "datetime64[us]", FAR),
    ],
)
def test_a_column_has_the_type_that_holds_its_values(column: list[Any], dtype: str, found: list[Any]) -> None:
    series = frame_of_table(pa.table({"x": column}))["x"]
    assert str(series.dtype) == dtype
    assert [value is pd.NA or value for value in series] == [value is pd.NA or value for value in found]


def test_lists_in_a_column_keep_large_integers_and_nulls() -> None:
    frame = frame_of_table(pa.table({"x": [[BIG, None], None]}))
    assert frame["x"][0] == [BIG, None]


def test_streams_and_tables_keep_large_integers_beside_nulls() -> None:
    env = local_environment()
    t = Types.ROW_NAMED(["id", "ratio"], [Types.LONG(), Types.DOUBLE()])
    rows = [Row(BIG, float("nan")), Row(None, None)]
    frame = env.from_collection(rows, t).to_pandas()
    assert int(frame["id"][0]) == BIG
    again = env.from_pandas(frame).take(2)
    assert repr(again) == repr([Row(id=BIG, ratio=float("nan")), Row(id=None, ratio=None)])
