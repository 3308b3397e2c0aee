"""The times of DataFrames that are made of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pystream.settings.configuration import Configuration
from pystream.sql_types.atomic_types import LocalZonedTimestampType, TimestampType
from pystream.table.columns import TableColumn
from pystream.table.streaming.local_time import session_zone

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
    """
    times = {
        column.name: frame[column.name].dt.as_unit(_UNITS[-(-column.data_type.precision // 3)])
        for column in columns
        if isinstance(column.data_type, TimestampType | LocalZonedTimestampType)
    }
    zone = session_zone(configuration)
    for column in columns:
        if isinstance(column.data_type, LocalZonedTimestampType):
            times[column.name] = times[column.name].dt.tz_convert(zone)
    return frame.assign(**times)
