"""Event times of tables are the same from columns as from rows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.columns import TableColumn
from pystream.table.time_attribute import ColumnTime
from typeinfo import Row, Types
from typeinfo.instant import Instant

T = Types.ROW_NAMED(["n", "local", "instant"], [Types.INT(), Types.LOCAL_DATE_TIME, Types.INSTANT()])


def times(position: int, data_type: DataType) -> ColumnTime:
    return ColumnTime(T, TableColumn("at", data_type, data_type.type_info, position))


def rows_of(rows: list[Row[Any]]) -> ColumnValues:
    return ColumnValues(layout_of(T), layout_of(T).encode(rows))


TIMESTAMPS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31))
INSTANTS = st.integers(-(2**50), 2**50).map(Instant.of_epoch_micro)


@given(st.lists(st.builds(Row, n=st.integers(0, 9), local=TIMESTAMPS, instant=INSTANTS), min_size=1))
def test_columns_have_the_event_times_of_rows(rows: list[Row[Any]]) -> None:
    for assigner in (times(1, DataTypes.TIMESTAMP(6)), times(2, DataTypes.TIMESTAMP_LTZ(6))):
        found = assigner.timestamps_of_columns(rows_of(rows))
        assert found is not None
        assert found.tolist() == [assigner.extract_timestamp(row, 0) for row in rows]


def test_rows_without_a_time_are_left_to_be_named_one_by_one() -> None:
    rows = rows_of([Row(n=1, local=None, instant=Instant(0))])
    assert times(1, DataTypes.TIMESTAMP(3)).timestamps_of_columns(rows) is None
