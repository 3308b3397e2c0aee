"""The times of DataFrames that are made of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.errors import UnsupportedOperationError
from pystream.settings.configuration import Configuration
from pystream.sql_types.atomic_types import LocalZonedTimestampType, TimestampType
from pystream.table.columns import TableColumn
from pystream.table.session_zone import session_zone

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["with_declared_times"]

_UNITS = ("s", "ms", "us", "ns")


def with_declared_times(
    frame: pd.DataFrame, columns: Sequence[TableColumn], configuration: Configuration
) -> pd.DataFrame:
    """Return a DataFrame whose times have the units of their types, points in time also the session's zone.

    Args:
        frame: the rows of a table.
        columns: its columns.
        configuration: the settings of the program.

    Raises:
        UnsupportedOperationError: a time is out of the range of nanoseconds.
    """
    declared = frame.copy(deep=False)
    zone = session_zone(configuration)
    for column in columns:
        if not isinstance(column.data_type, TimestampType | LocalZonedTimestampType):
            continue
        times = _in_unit(frame[column.name], column)
        has_zone = isinstance(column.data_type, LocalZonedTimestampType)
        declared[column.name] = times.dt.tz_convert(zone) if has_zone else times
    return declared


def _in_unit(times: pd.Series[Any], column: TableColumn) -> pd.Series[Any]:
    """Return times in the unit that holds the digits of their type."""
    from pandas.errors import OutOfBoundsDatetime

    assert isinstance(column.data_type, TimestampType | LocalZonedTimestampType)
    try:
        in_unit: pd.Series[Any] = times.dt.as_unit(_UNITS[-(-column.data_type.precision // 3)])
    except OutOfBoundsDatetime as error:
        raise UnsupportedOperationError(
            f"to_pandas: column {column.name!r} of {column.data_type} holds times out of the range of "
            "nanoseconds, the years 1678 to 2261: convert it to 6 digits first, by CAST"
        ) from error
    return in_unit
